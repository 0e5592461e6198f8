//! `/brand`: extracts the identity that a designer would write down.
//!
//! `rendered_page` renders the page: visible elements, their boxes and styles, the painted page. `page_regions` separates the
//! site's content from customers' logos, consent banners, embedded widgets and highlighted code. From there `color_usage`
//! records the uses of each colour and `color_roles` chooses; `fonts`, `logos`, `socials` and `metadata` do the
//! same for their parts. Every choice has its reasons, which `confidence` weighs.
//!
//! ```
//! use limner_page::PageSnapshot;
//! use limner_page_view::PageView;
//! use limner_types::{Operation, request};
//!
//! let html = "<title>Acme</title><meta name='theme-color' content='#0055ff'>".to_owned();
//! let page = PageSnapshot { url: "https://example.com/".to_owned(), html, ..PageSnapshot::default() };
//! let request = request::parse(Operation::Brand, &[("url".to_owned(), page.url.clone())]).unwrap().request;
//! let extraction = limner_brand::extract(&PageView::new(&page), &request).unwrap();
//! let result = String::from_utf8(extraction.body).unwrap();
//! assert!(result.contains(r##""themeColor":"#0055ff""##), "{result}");
//! ```

mod background_layers;
mod box_estimation;
mod call_to_action;
mod color;
mod color_names;
mod color_roles;
mod color_usage;
mod components;
mod confidence;
mod consent_banners;
mod contrast_report;
mod customer_logos;
mod dark_page;
mod font_coverage;
mod font_names;
mod font_origins;
mod fonts;
mod framework_colors;
mod gradient_coverage;
mod implicit_footer;
mod logos;
mod manifest;
mod metadata;
mod name_tokens;
mod organization_types;
mod page_regions;
mod paint_grid;
mod palette;
mod platform_buttons;
mod pseudo_element_boxes;
mod rendered_page;
mod socials;
mod stacking_level;
mod state_styles;
mod status_pills;
mod stylesheet_colors;
#[cfg(test)]
mod tests;
mod variable_colors;

use color_roles::{BaseColors, ColorRoles, RoleColor};
use color_usage::ColorUsages;
use limner_assets::image_references;
use limner_assets::image_references::{ImageReference, key};
use limner_assets::json_ld::JsonLd;
use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, Extraction, PageView};
use limner_style::StyleIndex;
use limner_style::layout::NoLayout;
use limner_types::result::{
    BrandColors, BrandEvidence, BrandResult, BrandTheme, BrandThemes, EvidenceKind, LogoType, Social,
};
use limner_types::{BrandScope, OperationOptions, OperationRequest, Theme};
use manifest::Manifest;
use metadata::{Metadata, SourcedText};
use rendered_page::RenderedPage;
use std::collections::BTreeMap;

/// Brightness below which a page is dark.
const DARK_BELOW: f64 = 0.415;

/// Computes the result of `/brand`.
///
/// # Errors
/// Returns [`ExtractError::TooCostly`] if the page's work budget is exhausted.
pub fn extract(view: &PageView<'_>, request: &OperationRequest) -> Result<Extraction, ExtractError> {
    let index = StyleIndex::new(view.page, &view.document).with_start_states_ended();
    view.check_budget()?;
    let is_all = matches!(request.options, OperationOptions::Brand { scope: BrandScope::All });
    if !is_all {
        return Extraction::json(&brand(view, &index).0);
    }
    let (mut result, rendered) = brand(view, &index);
    let document = dark_page::document(&index);
    let dark_index = dark_page::index(view, document.as_ref());
    let dark = dark_page::render(&rendered, dark_index.as_ref());
    add_details(&mut result, &rendered, dark.as_ref());
    view.check_budget()?;
    Extraction::json(&result)
}

/// Adds what `scope=all` adds.
fn add_details(result: &mut BrandResult, page: &RenderedPage<'_>, dark: Option<&RenderedPage<'_>>) {
    let light = BrandTheme { colors: result.colors.clone(), palette: result.palette.clone() };
    result.themes = Some(BrandThemes { light, dark: dark.map(theme_colors) });
    let pages = std::iter::once((Theme::Light, page)).chain(dark.map(|dark| (Theme::Dark, dark)));
    result.contrast_report = Some(contrast_report::report(&pages.collect::<Vec<_>>()));
    result.components = Some(components::components(page, dark));
}

/// Returns the colours of a page by what it shows.
fn theme_colors(page: &RenderedPage<'_>) -> BrandTheme {
    let base_colors = BaseColors::from_page(page);
    let mut usages = palette::merged(ColorUsages::from_page(page).into_usages(), &base_colors.shades());
    let roles = ColorRoles::assign(&mut usages, base_colors);
    BrandTheme { colors: colors_by_role(&roles, |shade| shade.hex()), palette: palette::palette(&usages, &roles) }
}

/// Returns the subresources that `/brand` reads: the manifest, SVG files that are likely the logo or an icon, for their
/// colours, and the sprites of inline SVGs, of which the logo may be one.
pub fn required_subresources(page: &PageSnapshot, budget: &WorkBudget) -> Vec<String> {
    let view = PageView::within(page, &NoLayout, budget);
    let manifest = limner_page::references::manifest(&view.document, &view.base);
    let manifest = manifest.map(|url| key(&url).to_owned());
    let references = image_references::collect_markup(&view);
    let drawings = logos::missing_svg_files(&view, &references);
    let sprites = logos::missing_sprites(&view);
    manifest.into_iter().chain(drawings).chain(sprites).filter(|url| !page.resources.contains_key(url)).collect()
}

fn brand<'a>(view: &'a PageView<'a>, index: &'a StyleIndex<'a>) -> (BrandResult, RenderedPage<'a>) {
    let page = RenderedPage::new(view, index);
    let json_ld = JsonLd::from_document(&view.document);
    let references = image_references::collect_markup(view);
    let metadata = Metadata::from_page(view, &json_ld, &Manifest::from_page(view));
    let names = site_names(&metadata);
    let context = logos::SiteContext::new(view, &names, &references);
    let logos = logos::logos(&page, &json_ld, &context);
    let mut signals = ColorUsages::from_page(&page);
    for declared in &metadata.colors {
        signals.add_declared(declared);
    }
    for (shade, share) in logo_inks(&page, &references, logos.primary.as_ref()) {
        signals.add_logo(shade, share);
    }
    if stylesheet_colors::is_client_rendered(&page) {
        stylesheet_colors::colors(&page).into_iter().for_each(|(shade, amount)| signals.add_rule(shade, amount));
    }
    let base_colors = BaseColors::from_page(&page);
    let mut usages = palette::merged(signals.into_usages(), &base_colors.shades());
    let roles = ColorRoles::assign(&mut usages, base_colors);
    let fonts = fonts::fonts(&page);
    let socials = socials::socials(&page, &json_ld, &names);
    let (theme, reads_so) = theme(&page);

    let mut evidence = Evidence::default();
    evidence.metadata(&metadata);
    evidence.roles(&roles);
    evidence.add("theme", EvidenceKind::Observed, vec![reads_so]);
    for (role, (basis, reason)) in fonts.evidence {
        evidence.add(&format!("fonts.{role}"), basis, vec![reason]);
    }
    if let Some(logo) = &logos.primary {
        evidence.add("logo", logo_basis(logo), logo.reasons.clone());
    }
    for found in &socials {
        let basis = if found.is_declared { EvidenceKind::Declared } else { EvidenceKind::Observed };
        evidence.add(&format!("socials.{}", found.social.platform), basis, vec![found.reason.to_owned()]);
    }
    let is_degraded = view.page.degradation.is_some();
    let value = |found: Option<SourcedText>| found.map(|found| found.value);
    let palette = palette::palette(&usages, &roles);
    // The colours with roles are among those of the palette.
    let name_of = |shade: color::Rgba| {
        let known = palette.iter().find(|color| color.hex == shade.hex());
        known.map_or_else(|| color_names::name(shade), |color| color.name.clone())
    };
    let result = BrandResult {
        common: view.common(),
        title: value(metadata.title),
        description: value(metadata.description),
        site_name: value(metadata.site_name),
        theme_color: value(metadata.theme_color),
        theme: Some(theme),
        colors: colors_by_role(&roles, |shade| shade.hex()),
        color_names: colors_by_role(&roles, name_of),
        palette,
        contrast: palette::contrast(&page),
        fonts: fonts.fonts,
        typography: fonts.typography,
        logo: logos.primary.map(|logo| logo.url),
        logos: logos.logos,
        og_image: value(metadata.og_image),
        socials: socials.into_iter().map(|found| found.social).collect::<Vec<Social>>(),
        confidence: confidence::confidence(&evidence.0, is_degraded),
        evidence: evidence.0,
        themes: None,
        contrast_report: None,
        components: None,
    };
    (result, page)
}

/// Returns the names of the site: its declared name, and the parts of the title.
fn site_names(metadata: &Metadata) -> Vec<String> {
    let mut names: Vec<String> = metadata.site_name.iter().map(|found| found.value.clone()).collect();
    if let Some(title) = &metadata.title {
        let parts = title.value.split(['|', '–', '—', '·', '•', ':', '»', '/']).flat_map(|part| part.split(" - "));
        names.extend(parts.map(str::trim).filter(|part| part.split_whitespace().count() <= 4).map(str::to_owned));
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Returns the colours of the logo if it is an SVG, else of an SVG icon.
fn logo_inks(
    page: &RenderedPage<'_>,
    references: &[ImageReference],
    primary: Option<&logos::LogoCandidate>,
) -> logos::ColorShares {
    let of_logo = primary.map(|logo| logos::logo_color_shares(page, logo)).unwrap_or_default();
    if of_logo.iter().any(|(shade, _)| !shade.is_grey()) {
        return of_logo;
    }
    logos::missing_svg_files(page.view, references)
        .iter()
        .map(|url| logos::file_color_shares(page.view, url))
        .find(|inks| inks.iter().any(|(shade, _)| !shade.is_grey()))
        .unwrap_or(of_logo)
}

fn logo_basis(logo: &logos::LogoCandidate) -> EvidenceKind {
    match logo.kind {
        LogoType::JsonLd => EvidenceKind::Declared,
        LogoType::Logo if logo.source == "meta" || logo.reasons.iter().any(|reason| reason == "itemprop logo") => {
            EvidenceKind::Declared
        }
        LogoType::Logo => EvidenceKind::Observed,
        _ => EvidenceKind::Inferred,
    }
}

/// Returns the theme with its reason: the brightness of what covers the first screen. A browser's read has measured its colours,
/// but not its images.
fn theme(page: &RenderedPage<'_>) -> (Theme, String) {
    let brightness = page.canvas.first_screen_brightness();
    match page.view.page.theme {
        Some(seen) if seen == Theme::Dark || brightness >= DARK_BELOW => {
            (seen, "brightness of the first screen in a browser".to_owned())
        }
        _ => {
            let theme = if brightness < DARK_BELOW { Theme::Dark } else { Theme::Light };
            (theme, format!("brightness {brightness:.2} of the first screen"))
        }
    }
}

fn colors_by_role(roles: &ColorRoles, say: impl Fn(color::Rgba) -> String) -> BrandColors {
    let of = |chosen: &Option<RoleColor>| chosen.as_ref().map(|chosen| say(chosen.color));
    BrandColors {
        primary: of(&roles.primary),
        accent: of(&roles.accent),
        background: of(&roles.background),
        text: of(&roles.text),
    }
}

#[derive(Default)]
struct Evidence(BTreeMap<String, BrandEvidence>);

impl Evidence {
    fn add(&mut self, name: &str, basis: EvidenceKind, from: Vec<String>) {
        self.0.insert(name.to_owned(), BrandEvidence { basis, from });
    }

    fn metadata(&mut self, metadata: &Metadata) {
        let Metadata { title, description, site_name, theme_color, og_image, colors: _ } = metadata;
        let fields = [
            ("title", title),
            ("description", description),
            ("siteName", site_name),
            ("themeColor", theme_color),
            ("ogImage", og_image),
        ];
        for (name, found) in fields {
            if let Some(found) = found {
                self.add(name, EvidenceKind::Declared, vec![found.source.clone()]);
            }
        }
    }

    fn roles(&mut self, roles: &ColorRoles) {
        let ColorRoles { primary, accent, background, text } = roles;
        for (name, chosen) in [("primary", primary), ("accent", accent), ("background", background), ("text", text)] {
            if let Some(chosen) = chosen {
                self.add(&format!("colors.{name}"), chosen.basis, chosen.reasons.clone());
            }
        }
    }
}
