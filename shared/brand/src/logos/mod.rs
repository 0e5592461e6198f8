//! Finds the site's logos, on the page and in its metadata.
//!
//! [`page_candidates`] finds candidates on the page, [`metadata_candidates`] those in its metadata; [`variants`] pairs the same logo for
//! light and dark backgrounds. Each candidate has a score, reported from 0 to 1. The primary logo is the best one that is shown
//! or declared as a logo; failing that, an SVG icon, which scales to any size. A social preview image is never the
//! logo.

mod inline_svg;
mod link_target;
mod logo_names;
mod metadata_candidates;
mod page_candidates;
mod svg_colors;
mod variants;

use super::name_tokens::squashed;
use super::rendered_page::RenderedPage;
use limner_assets::image_references::{ImageReference, extension};
use limner_assets::json_ld::JsonLd;
use limner_page::NodeId;
use limner_page::data_url::declared_media_type;
use limner_page::site::site_label;
use limner_page_view::PageView;
use limner_types::Theme;
use limner_types::result::{BrandLogo, LogoType};
use std::collections::HashMap;
use url::Url;

pub(super) use svg_colors::{ColorShares, file_color_shares};

/// Minimum score of a primary logo.
const MIN_PRIMARY_SCORE: f64 = 0.4;
/// Minimum score of a primary logo that is named one twice.
const MIN_NAMED_SCORE: f64 = 0.25;
/// Minimum score of a listed candidate.
const MIN_LISTED_SCORE: f64 = 0.2;
/// Maximum number of listed candidates.
const MAX_LISTED: usize = 24;

/// A candidate while it is being scored.
#[derive(Debug, Clone)]
pub(super) struct LogoCandidate {
    pub(super) url: String,
    pub(super) kind: LogoType,
    pub(super) source: &'static str,
    pub(super) theme: Option<Theme>,
    pub(super) width: Option<u32>,
    pub(super) height: Option<u32>,
    pub(super) format: Option<String>,
    pub(super) alt: Option<String>,
    pub(super) code: Option<String>,
    /// The score, which is above 1 if there is more evidence than needed.
    pub(super) score: f64,
    /// The element that shows it.
    pub(super) node: Option<NodeId>,
    pub(super) is_visible: bool,
    pub(super) variant: Option<String>,
    pub(super) reasons: Vec<String>,
}

impl LogoCandidate {
    fn new(url: String, kind: LogoType, source: &'static str) -> Self {
        let format = Url::parse(&url).ok().and_then(|url| image_format(&url, None));
        Self {
            url,
            kind,
            source,
            theme: None,
            width: None,
            height: None,
            format,
            alt: None,
            code: None,
            score: 0.0,
            node: None,
            is_visible: true,
            variant: None,
            reasons: Vec::new(),
        }
    }

    fn is_drawing(&self) -> bool {
        self.format.as_deref() == Some("svg")
    }

    fn into_logo(self) -> BrandLogo {
        let score = (self.score.clamp(0.0, 1.0) * 100.0).round() / 100.0;
        let Self { url, kind, source, theme, width, height, format, alt, code, variant, .. } = self;
        BrandLogo { url, kind, source: source.to_owned(), theme, width, height, format, alt, code, score, variant }
    }
}

/// All logos, and the primary one.
pub(super) struct Logos {
    pub(super) logos: Vec<BrandLogo>,
    pub(super) primary: Option<LogoCandidate>,
}

/// Facts about the site that identify its logo.
pub(super) struct SiteContext<'a> {
    /// Normalized names of the site.
    pub(super) names: Vec<String>,
    pub(super) references: &'a [ImageReference],
}

impl<'a> SiteContext<'a> {
    pub(super) fn new(view: &PageView<'_>, names: &[String], references: &'a [ImageReference]) -> Self {
        let label = site_label(&view.url).to_owned();
        let mut names: Vec<String> = names.iter().chain([&label]).map(|name| squashed(name)).collect();
        names.retain(|name| name.chars().count() >= 3);
        Self { names, references }
    }

    /// Returns true if a text contains the site's name.
    fn mentions_site(&self, text: &str) -> bool {
        let text = squashed(text);
        text.chars().count() >= 3
            && self.names.iter().any(|name| text.contains(name) || (text.len() >= 4 && name.contains(&text)))
    }
}

pub(super) fn logos(page: &RenderedPage<'_>, json_ld: &JsonLd, context: &SiteContext<'_>) -> Logos {
    let mut candidates = page_candidates::candidates(page, context);
    variants::assign_themes(page, &mut candidates);
    candidates.extend(metadata_candidates::candidates(page.view, json_ld, context));
    let mut candidates = without_duplicates(candidates);
    prefer_shown_copies(&mut candidates);
    candidates.sort_by(|a, b| b.score.total_cmp(&a.score));
    candidates.retain(|candidate| candidate.score >= MIN_LISTED_SCORE || candidate.kind != LogoType::Logo);
    candidates.truncate(MAX_LISTED);
    let primary = primary(&candidates);
    Logos { logos: candidates.into_iter().map(LogoCandidate::into_logo).collect(), primary }
}

fn primary(candidates: &[LogoCandidate]) -> Option<LogoCandidate> {
    let is_logo = |candidate: &&LogoCandidate| matches!(candidate.kind, LogoType::Logo | LogoType::JsonLd);
    let best = candidates.iter().find(|candidate| is_logo(candidate) && candidate.score >= MIN_PRIMARY_SCORE);
    let stands_in = |candidate: &&LogoCandidate| {
        matches!(candidate.kind, LogoType::Icon | LogoType::MaskIcon)
            && candidate.is_drawing()
            && !candidate.url.starts_with("data:")
    };
    // Out of the header, or hidden at this width, a logo is what two names say it is.
    let is_named_twice = |candidate: &&LogoCandidate| {
        let says = |reasons: &[&str]| candidate.reasons.iter().any(|own| reasons.contains(&own.as_str()));
        candidate.kind == LogoType::Logo
            && candidate.score >= MIN_NAMED_SCORE
            && says(&["file named logo"])
            && says(&["named logo", "in what is named logo", "alt says logo", "named like the site"])
    };
    let named_twice = || {
        let mut named = candidates.iter().filter(is_named_twice);
        // Several are those of others.
        named.next().filter(|_| named.next().is_none())
    };
    best.or_else(named_twice).or_else(|| candidates.iter().find(stands_in)).cloned()
}

/// Raises the score of an image on the page to that of the declared logo of which it is a copy: the same file in another
/// folder, or in another size.
fn prefer_shown_copies(candidates: &mut [LogoCandidate]) {
    let declared: HashMap<String, f64> = candidates
        .iter()
        .filter(|candidate| candidate.kind == LogoType::JsonLd)
        .filter_map(|candidate| Some((original_file(&candidate.url)?, candidate.score)))
        .collect();
    if declared.is_empty() {
        return;
    }
    for candidate in candidates.iter_mut().filter(|candidate| candidate.kind == LogoType::Logo && candidate.score > 0.0)
    {
        let score = original_file(&candidate.url).and_then(|file| declared.get(&file)).copied();
        if let Some(score) = score.filter(|score| *score > candidate.score) {
            candidate.score = score;
            candidate.reasons.push("file of the declared logo".to_owned());
        }
    }
}

/// Returns the file name of a URL without the size that WordPress adds: `mark-300x80.png` → `mark.png`.
fn original_file(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| url.scheme() != "data")?;
    let file = url.path().rsplit('/').next()?;
    let (name, extension) = file.rsplit_once('.')?;
    let is_size = |size: &str| {
        size.split_once('x')
            .is_some_and(|(width, height)| width.parse::<u16>().is_ok() && height.parse::<u16>().is_ok())
    };
    let name = name.rsplit_once('-').filter(|(_, size)| is_size(size)).map_or(name, |(name, _)| name);
    Some(format!("{name}.{extension}"))
}

/// Keeps each URL once, with its best candidate.
fn without_duplicates(candidates: Vec<LogoCandidate>) -> Vec<LogoCandidate> {
    let mut kept: Vec<LogoCandidate> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for candidate in candidates {
        let place = *places.entry(candidate.url.clone()).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(known) if candidate.score > known.score => {
                let (width, height, alt) = (known.width, known.height, known.alt.take());
                *known = candidate;
                known.width = known.width.or(width);
                known.height = known.height.or(height);
                known.alt = known.alt.take().or(alt);
            }
            Some(_) => {}
            None => kept.push(candidate),
        }
    }
    kept
}

/// Returns the format by media type, else by file name.
fn image_format(url: &Url, media_type: Option<&str>) -> Option<String> {
    let named = declared_media_type(url).filter(|media_type| !media_type.is_empty());
    let media_type = named.or_else(|| media_type.map(|media_type| media_type.trim().to_ascii_lowercase()));
    let by_type = media_type.as_deref().and_then(|media_type| media_type.strip_prefix("image/")).map(str::to_owned);
    let word = by_type.or_else(|| extension(url))?;
    let word = match word.as_str() {
        "svg+xml" | "svg" | "svgz" => "svg",
        "jpg" | "jpeg" | "pjpeg" => "jpeg",
        "x-icon" | "vnd.microsoft.icon" | "ico" => "ico",
        known @ ("png" | "webp" | "avif" | "gif" | "apng" | "bmp") => known,
        _ => return None,
    };
    Some(word.to_owned())
}

/// Returns the SVG files that are needed for the brand's colours: the most likely logo and icon files.
pub(super) fn missing_svg_files(view: &PageView<'_>, references: &[ImageReference]) -> Vec<String> {
    let is_file = |url: &str| url.starts_with("http:") || url.starts_with("https:");
    let shown = page_candidates::likely_files(view, references);
    let icons = metadata_candidates::drawn_icons(references);
    shown.into_iter().take(2).chain(icons.into_iter().take(1)).filter(|url| is_file(url)).collect()
}

/// Returns the sprites that inline SVGs refer to: one for the logo, one for icons.
pub(super) fn missing_sprites(view: &PageView<'_>) -> Vec<String> {
    /// Maximum number of sprites.
    const MAX_SPRITES: usize = 2;
    let mut missing = limner_assets::svg::missing_sprites(view);
    missing.truncate(MAX_SPRITES);
    missing
}

/// Returns the colours of a logo that is an SVG.
pub(super) fn logo_color_shares(page: &RenderedPage<'_>, logo: &LogoCandidate) -> ColorShares {
    let Some(node) = logo.node.filter(|_| logo.source == "svg") else { return file_color_shares(page.view, &logo.url) };
    let svg_color_shares = svg_colors::svg_color_shares(page, node);
    // What a sprite draws is only in the logo's own markup.
    if svg_color_shares.is_empty() { svg_colors::data_url_color_shares(page.view, &logo.url) } else { svg_color_shares }
}
