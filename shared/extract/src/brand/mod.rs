//! `/brand`: extracts the identity that a designer would write down.
//!
//! [`survey`] renders the page: visible elements, their boxes and styles, the painted page. [`region`] separates the
//! site's content from customers' logos, consent banners, embedded widgets and highlighted code. From there [`signals`]
//! records the uses of each colour and [`roles`] chooses; [`fonts`], [`logos`], [`socials`] and [`metadata`] do the
//! same for their parts. Every choice has its reasons, which [`confidence`] weighs.

mod backdrop;
mod canvas;
mod confidence;
mod defaults;
mod ending;
mod estimate;
mod fonts;
mod generated;
mod gradients;
mod logos;
mod manifest;
mod metadata;
mod names;
mod palette;
mod region;
mod roles;
mod rules;
mod shade;
mod signals;
mod socials;
mod survey;
#[cfg(test)]
mod tests;
mod walls;
mod words;

use crate::json_ld::JsonLd;
use crate::references::{self, Reference, key};
use crate::{ExtractError, Extraction, PageView};
use limner_page::PageSnapshot;
use limner_style::StyleIndex;
use limner_types::result::{Basis, BrandColors, BrandEvidence, BrandResult, LogoType, Social};
use limner_types::{Request, Theme};
use manifest::Manifest;
use metadata::{Found, Metadata};
use roles::{Chosen, Grounds, Roles};
use signals::Signals;
use std::collections::BTreeMap;
use survey::Survey;

/// Brightness below which a page is dark.
const DARK_BELOW: f64 = 0.42;
/// Minimum share of the page on which its background must show to decide the theme.
const SHOWN_GROUND: f64 = 0.25;

/// Computes the result of `/brand`.
pub(crate) fn extract(view: &PageView<'_>, _request: &Request) -> Result<Extraction, ExtractError> {
    let index = StyleIndex::new(view.page, &view.document);
    view.check_budget()?;
    Extraction::json(&brand(view, &index))
}

/// Returns the subresources that `/brand` reads: the manifest, and SVG files that are likely the logo or an icon, for
/// their colours.
pub(crate) fn needs(page: &PageSnapshot) -> Vec<String> {
    let view = PageView::new(page);
    let manifest = limner_page::references::manifest(&view.document, &view.base);
    let manifest = manifest.map(|url| key(&url).to_owned());
    let references = references::collect_markup(&view);
    let drawings = logos::wanted_files(&view, &references);
    manifest.into_iter().chain(drawings).filter(|url| !page.resources.contains_key(url)).collect()
}

fn brand(view: &PageView<'_>, index: &StyleIndex<'_>) -> BrandResult {
    let survey = Survey::of(view, index);
    let json_ld = JsonLd::read(&view.document);
    let references = references::collect_markup(view);
    let metadata = Metadata::read(view, &json_ld, &Manifest::read(view));
    let names = names_of_site(&metadata);
    let context = logos::Context::new(view, &names, &references);
    let logos = logos::logos(&survey, &json_ld, &context);
    let mut signals = Signals::of(&survey);
    for (shade, weight) in &metadata.colors {
        signals.add_declared(*shade, *weight);
    }
    for (shade, share) in logo_inks(&survey, &references, logos.primary.as_ref()) {
        signals.add_logo(shade, share);
    }
    if rules::is_shell(&survey) {
        rules::colors(&survey).into_iter().for_each(|(shade, amount)| signals.add_rule(shade, amount));
    }
    let grounds = Grounds::of(&survey);
    let mut tallies = palette::merged(signals.into_tallies(), &grounds.shades());
    let roles = Roles::of(&mut tallies, grounds);
    let fonts = fonts::fonts(&survey);
    let socials = socials::socials(&survey, &json_ld, &names);
    let (theme, reads_so) = theme(&survey, roles.background.as_ref());

    let mut evidence = Evidence::default();
    evidence.metadata(&metadata);
    evidence.roles(&roles);
    evidence.add("theme", Basis::Observed, vec![reads_so]);
    for (role, (basis, reason)) in fonts.evidence {
        evidence.add(&format!("fonts.{role}"), basis, vec![reason]);
    }
    if let Some(logo) = &logos.primary {
        evidence.add("logo", logo_basis(logo), logo.reasons.clone());
    }
    for found in &socials {
        let basis = if found.is_declared { Basis::Declared } else { Basis::Observed };
        evidence.add(&format!("socials.{}", found.social.platform), basis, vec![found.reason.to_owned()]);
    }
    let is_degraded = view.page.degradation.is_some();
    let value = |found: Option<Found>| found.map(|found| found.value);
    BrandResult {
        common: view.common(),
        title: value(metadata.title),
        description: value(metadata.description),
        site_name: value(metadata.site_name),
        theme_color: value(metadata.theme_color),
        theme: Some(theme),
        colors: by_role(&roles, |shade| shade.hex()),
        color_names: by_role(&roles, names::name),
        palette: palette::palette(&tallies, &roles),
        contrast: palette::contrast(&survey),
        fonts: fonts.fonts,
        typography: fonts.typography,
        logo: logos.primary.map(|logo| logo.url),
        logos: logos.logos,
        og_image: value(metadata.og_image),
        socials: socials.into_iter().map(|found| found.social).collect::<Vec<Social>>(),
        confidence: confidence::confidence(&evidence.0, is_degraded),
        evidence: evidence.0,
    }
}

/// Returns the names of the site: its declared name, and the parts of the title.
fn names_of_site(metadata: &Metadata) -> Vec<String> {
    let mut names: Vec<String> = metadata.site_name.iter().map(|found| found.value.clone()).collect();
    if let Some(title) = &metadata.title {
        let parts = title.value.split(['|', '–', '—', '·', '•', ':', '»', '/']).flat_map(|part| part.split(" - "));
        names.extend(parts.map(str::trim).filter(|part| part.split_whitespace().count() <= 4).map(str::to_owned));
    }
    names.retain(|name| !name.is_empty());
    names
}

/// Returns the colours of the logo if it is an SVG, else of an SVG icon.
fn logo_inks(survey: &Survey<'_>, references: &[Reference], primary: Option<&logos::Candidate>) -> logos::Inks {
    let of_logo = primary.map(|logo| logos::inks_of_logo(survey, logo)).unwrap_or_default();
    if of_logo.iter().any(|(shade, _)| !shade.is_grey()) {
        return of_logo;
    }
    logos::wanted_files(survey.view, references)
        .iter()
        .map(|url| logos::file_inks(survey.view, url))
        .find(|inks| inks.iter().any(|(shade, _)| !shade.is_grey()))
        .unwrap_or(of_logo)
}

fn logo_basis(logo: &logos::Candidate) -> Basis {
    match logo.kind {
        LogoType::JsonLd => Basis::Declared,
        LogoType::Logo if logo.source == "meta" || logo.reasons.iter().any(|reason| reason == "itemprop logo") => {
            Basis::Declared
        }
        LogoType::Logo => Basis::Observed,
        _ => Basis::Inferred,
    }
}

/// Returns the theme with its reason. A browser's measurement has precedence. Otherwise the page background decides,
/// even under a dark header or image, or, if it shows on little of the page, the painted page as a whole.
fn theme(survey: &Survey<'_>, ground: Option<&Chosen>) -> (Theme, String) {
    if let Some(seen) = survey.view.page.theme {
        return (seen, "brightness of the first screen in a browser".to_owned());
    }
    let shares = survey.canvas.shares();
    let shown = |ground: &Chosen| {
        let alike = shares.iter().filter(|(shade, _)| shade.distance(ground.shade) < shade::SAME);
        alike.map(|(_, share)| share).sum::<f64>()
    };
    let (brightness, of) = match ground.filter(|ground| shown(ground) >= SHOWN_GROUND) {
        Some(ground) => (ground.shade.brightness(), "background"),
        None => (survey.canvas.mean_brightness(), "page"),
    };
    let theme = if brightness < DARK_BELOW { Theme::Dark } else { Theme::Light };
    (theme, format!("brightness {brightness:.2} of the {of}"))
}

fn by_role(roles: &Roles, say: impl Fn(shade::Shade) -> String) -> BrandColors {
    let of = |chosen: &Option<Chosen>| chosen.as_ref().map(|chosen| say(chosen.shade));
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
    fn add(&mut self, name: &str, basis: Basis, from: Vec<String>) {
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
                self.add(name, Basis::Declared, vec![found.source.clone()]);
            }
        }
    }

    fn roles(&mut self, roles: &Roles) {
        let Roles { primary, accent, background, text } = roles;
        for (name, chosen) in [("primary", primary), ("accent", accent), ("background", background), ("text", text)] {
            if let Some(chosen) = chosen {
                self.add(&format!("colors.{name}"), chosen.basis, chosen.reasons.clone());
            }
        }
    }
}
