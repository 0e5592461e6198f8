//! Font families by role, under their common names, and the type styles of elements.

use super::font_coverage::FontCoverage;
use super::font_names::{family, is_generic, is_icon_font, requested_name};
use super::font_origins;
use super::name_tokens::{contains_any, split_words};
use super::page_regions::RegionFlags;
use super::rendered_page::{RenderedPage, VisibleElement};
use limner_page::dom::Element;
use limner_style::ValueSource;
use limner_style::property::Longhand;
use limner_types::result::{BrandFontFamily, BrandFonts, EvidenceKind, TypeStyle, Typography};
use std::collections::{BTreeMap, BTreeSet};

/// Fonts of the page and their evidence.
pub(super) struct Fonts {
    pub(super) fonts: BrandFonts,
    pub(super) typography: Typography,
    /// Kind of evidence and reason by role.
    pub(super) evidence: BTreeMap<&'static str, (EvidenceKind, String)>,
}

/// Minimum share of the text for a size to be part of the scale; rarer sizes are accidents.
const MIN_TYPE_SCALE_SHARE: f64 = 0.002;
/// Maximum number of styles counted for one element: a page has a handful, more is noise.
const MAX_STYLES: usize = 64;

pub(super) fn fonts(page: &RenderedPage<'_>) -> Fonts {
    let coverage = FontCoverage::from_page(page.index);
    let mut stacks = FontStacks::new(&coverage);
    let texts: Vec<TextRun<'_>> =
        page.elements.iter().filter_map(|seen| TextRun::from_element(page, seen, &mut stacks)).collect();
    let mut evidence = BTreeMap::new();
    let running = |text: &&TextRun<'_>| text.element != "code";
    let primary = most_used(texts.iter().filter(running));
    let mono = most_used(texts.iter().filter(|text| text.element == "code" && text.is_authored && !text.is_default()));
    let heading = most_used(texts.iter().filter(|text| matches!(text.element, "h1" | "h2" | "h3")));
    let mut role = |name: &'static str, most: &Option<UsageCounter>| {
        let most = most.as_ref().filter(|most| !is_generic(&most.family))?;
        let basis = if most.is_authored { EvidenceKind::Declared } else { EvidenceKind::Inferred };
        let reason = format!("font-family of {:.0} % of characters", most.share * 100.0);
        evidence.insert(name, (basis, if most.is_authored { reason } else { "the browser's font".to_owned() }));
        Some(most.family.clone())
    };
    let mut primary = role("primary", &primary);
    let mono = role("mono", &mono);
    let heading = heading.filter(|most| Some(&most.family) != primary.as_ref());
    let heading = role("heading", &heading);
    if texts.is_empty() {
        primary = font_of_body(page);
        if primary.is_some() {
            evidence.insert("primary", (EvidenceKind::Inferred, "font-family of the body".to_owned()));
        }
    }
    let roles = [("primary", &primary), ("heading", &heading), ("mono", &mono)];
    let families = families(page, &coverage, &texts, roles);
    Fonts { fonts: BrandFonts { primary, mono, heading, families }, typography: typography(&texts), evidence }
}

/// Returns the families of roles with their origin, the weights of their text, and their files.
fn families(
    page: &RenderedPage<'_>,
    coverage: &FontCoverage,
    texts: &[TextRun<'_>],
    roles: [(&str, &Option<String>); 3],
) -> Vec<BrandFontFamily> {
    let mut families: Vec<BrandFontFamily> = Vec::new();
    for (role, family) in roles {
        let Some(family) = family else { continue };
        if let Some(known) = families.iter_mut().find(|known| known.family == *family) {
            known.roles.push(role.to_owned());
            continue;
        }
        let own: Vec<&TextRun<'_>> = texts.iter().filter(|text| text.family == *family).collect();
        let weight = |text: &&TextRun<'_>| text.visible.style.get(Longhand::FontWeight).parse::<f64>().ok();
        let mut weights: Vec<f64> = own.iter().filter_map(weight).collect();
        weights.sort_by(f64::total_cmp);
        weights.dedup();
        let names = requested_names(page, coverage, &own);
        let requested: Vec<&str> =
            names.iter().map(String::as_str).take(MAX_STYLES).chain(std::iter::once(family.as_str())).collect();
        let (origin, files) = font_origins::origin(page.index, coverage, &page.view.page.url, &requested);
        families.push(BrandFontFamily {
            family: family.clone(),
            roles: vec![role.to_owned()],
            origin,
            weights: weights.iter().map(ToString::to_string).collect(),
            files,
        });
    }
    families
}

/// Returns the loaded families that draw these texts, as their stacks name them.
fn requested_names(page: &RenderedPage<'_>, coverage: &FontCoverage, texts: &[&TextRun<'_>]) -> BTreeSet<String> {
    // Most texts of a page have the same few stacks.
    let mut drawn: BTreeSet<(&str, Vec<u32>)> = BTreeSet::new();
    for text in texts {
        let VisibleElement { node, style, .. } = text.visible;
        drawn.insert((text.stack(), coverage.letters_of(&page.view.document, *node, style)));
    }
    let requested = |(stack, letters): (&str, Vec<u32>)| {
        let is_loaded = |name: &str| !coverage.faces_of(name).is_empty() && coverage.draws(name, &letters);
        requested_name(stack, &is_loaded).filter(|name| is_loaded(name))
    };
    drawn.into_iter().filter_map(requested).collect()
}

/// Returns the font of a client-rendered page's body, if the page sets it.
fn font_of_body(page: &RenderedPage<'_>) -> Option<String> {
    let body = page.view.document.body()?;
    let style = page.index.styles(&page.environment).get(body)?;
    let evidence = style.evidence(page.index, Longhand::FontFamily);
    let is_authored = !matches!(evidence, None | Some(ValueSource::Rule { sheet: 0, .. }));
    family(style.get(Longhand::FontFamily), &|_| true).filter(|name| is_authored && !is_generic(name))
}

/// The stacks of the page with the families that draw its texts. Each is read once: thousands of elements share a few.
struct FontStacks<'a> {
    coverage: &'a FontCoverage,
    icons: BTreeMap<&'a str, bool>,
    /// Families of texts whose letters decide nothing: those of most pages.
    families: BTreeMap<&'a str, Option<String>>,
}

impl<'a> FontStacks<'a> {
    fn new(coverage: &'a FontCoverage) -> Self {
        Self { coverage, icons: BTreeMap::new(), families: BTreeMap::new() }
    }

    fn is_icon_font(&mut self, stack: &'a str) -> bool {
        *self.icons.entry(stack).or_insert_with(|| is_icon_font(stack))
    }

    /// Returns the [`family`] that draws these letters.
    fn family(&mut self, stack: &'a str, letters: &[u32]) -> Option<String> {
        let coverage = self.coverage;
        let read = || family(stack, &|name| coverage.draws(name, letters));
        match letters.is_empty() {
            true => self.families.entry(stack).or_insert_with(read).clone(),
            false => read(),
        }
    }
}

/// A run of text.
struct TextRun<'a> {
    visible: &'a VisibleElement,
    /// Its element in the typography: `h1`, `body`, …
    element: &'static str,
    family: String,
    is_authored: bool,
}

impl<'a> TextRun<'a> {
    /// Returns the text run of an element; `None` for icons and third-party content.
    fn from_element(page: &RenderedPage<'_>, seen: &'a VisibleElement, stacks: &mut FontStacks<'a>) -> Option<Self> {
        let is_text =
            seen.characters > 0 && !seen.flags.has_any(RegionFlags::FOREIGN) && !seen.flags.has_any(RegionFlags::SVG);
        let stack = seen.style.get(Longhand::FontFamily);
        if !is_text || stacks.is_icon_font(stack) {
            return None;
        }
        let letters = stacks.coverage.letters_of(&page.view.document, seen.node, &seen.style);
        let family = stacks.family(stack, &letters)?;
        let is_authored = seen.is_authored(page.index, Longhand::FontFamily);
        Some(Self { visible: seen, element: element(page, seen), family, is_authored })
    }

    fn stack(&self) -> &'a str {
        self.visible.style.get(Longhand::FontFamily)
    }

    /// Returns true if its font is the browser's default fixed-width font.
    fn is_default(&self) -> bool {
        self.stack() == "monospace" && !self.is_authored
    }
}

/// Returns the element that a text counts as in the typography.
fn element(page: &RenderedPage<'_>, seen: &VisibleElement) -> &'static str {
    if seen.flags.has_any(RegionFlags::CODE) {
        return "code";
    }
    let document = &page.view.document;
    let near = || {
        let nodes = std::iter::once(seen.node).chain(document.ancestors(seen.node)).take(6);
        nodes.filter_map(|node| document.element(node))
    };
    for element in near() {
        let is_button =
            || element.classes().iter().take(8).any(|class| contains_any(&split_words(class), &["btn", "button"]));
        if let Some(heading) = heading(element) {
            return heading;
        }
        return match element.name() {
            "button" => "button",
            "input" => "button",
            "a" if is_button() => "button",
            // A heading inside a link is a heading.
            "a" => near().find_map(heading).unwrap_or("link"),
            "small" => "small",
            "blockquote" => "quote",
            _ => continue,
        };
    }
    "body"
}

fn heading(element: &Element) -> Option<&'static str> {
    ["h1", "h2", "h3", "h4", "h5", "h6"].into_iter().find(|name| element.is_html(name))
}

struct UsageCounter {
    family: String,
    share: f64,
    is_authored: bool,
}

/// Returns the family of most characters; of equal ones the first by name.
fn most_used<'t, 'a: 't>(texts: impl Iterator<Item = &'t TextRun<'a>>) -> Option<UsageCounter> {
    let mut amounts: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    let mut total = 0;
    for text in texts {
        let entry = amounts.entry(&text.family).or_default();
        entry.0 += text.visible.characters;
        entry.1 |= text.is_authored;
        total += text.visible.characters;
    }
    let (family, (characters, is_authored)) =
        amounts.into_iter().max_by(|a, b| a.1.0.cmp(&b.1.0).then(b.0.cmp(a.0)))?;
    Some(UsageCounter { family: family.to_owned(), share: characters as f64 / total.max(1) as f64, is_authored })
}

fn typography(texts: &[TextRun<'_>]) -> Typography {
    let mut styles: BTreeMap<&str, Vec<(TypeStyle, usize)>> = BTreeMap::new();
    let mut sizes: BTreeMap<u64, usize> = BTreeMap::new();
    let mut total = 0;
    for text in texts {
        let style = type_style(text);
        let known = styles.entry(text.element).or_default();
        match known.iter().position(|(other, _)| *other == style) {
            Some(at) => known[at].1 += text.visible.characters,
            None if known.len() < MAX_STYLES => known.push((style, text.visible.characters)),
            None => {}
        }
        // In ten-thousandths of a pixel, the precision of computed values.
        *sizes.entry((text.visible.style.font_size() * 10_000.0).round() as u64).or_default() +=
            text.visible.characters;
        total += text.visible.characters;
    }
    let most = |known: Vec<(TypeStyle, usize)>| {
        known.into_iter().rev().max_by_key(|(_, characters)| *characters).map(|(style, _)| style)
    };
    let styles = styles.into_iter().filter_map(|(element, known)| Some((element.to_owned(), most(known)?))).collect();
    let is_used = |count: usize| count as f64 >= total as f64 * MIN_TYPE_SCALE_SHARE;
    let scale = sizes.into_iter().filter(|(size, count)| *size > 0 && is_used(*count));
    Typography { styles, scale: scale.map(|(size, _)| size as f64 / 10_000.0).collect() }
}

fn type_style(text: &TextRun<'_>) -> TypeStyle {
    let value = |longhand: Longhand| text.visible.style.value(longhand.name()).unwrap_or_default();
    TypeStyle {
        font_family: text.family.clone(),
        font_size: value(Longhand::FontSize),
        font_weight: value(Longhand::FontWeight),
        line_height: value(Longhand::LineHeight),
        letter_spacing: value(Longhand::LetterSpacing),
    }
}
