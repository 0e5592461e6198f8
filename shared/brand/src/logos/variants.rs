//! Pairs variants of a logo for light and dark backgrounds.

use super::{LogoCandidate, metadata_candidates};
use crate::name_tokens::split_words;
use crate::rendered_page::RenderedPage;
use limner_style::Environment;
use limner_style::color::Scheme;
use limner_types::Theme;
use url::Url;

/// Determines the background that each candidate is made for, and pairs variants of one logo.
pub(super) fn assign_themes(page: &RenderedPage<'_>, candidates: &mut [LogoCandidate]) {
    for candidate in candidates.iter_mut().filter(|candidate| candidate.is_visible && candidate.theme.is_none()) {
        candidate.theme = surrounding_theme(page, candidate);
    }
    assign_hidden_theme(page, candidates);
    pair(candidates);
}

/// Returns light or dark by the colours around a visible logo.
fn surrounding_theme(page: &RenderedPage<'_>, candidate: &LogoCandidate) -> Option<Theme> {
    const SAMPLE_OFFSET: f32 = 10.0;
    let area = page.boxes.get(candidate.node?)?;
    let (middle_x, middle_y) = (area.x + area.width / 2.0, area.y + area.height / 2.0);
    let points = [
        (area.x + area.width + SAMPLE_OFFSET, middle_y),
        (area.x - SAMPLE_OFFSET, middle_y),
        (middle_x, area.y + area.height + SAMPLE_OFFSET),
        (middle_x, area.y - SAMPLE_OFFSET),
    ];
    let shade = points.iter().find_map(|(x, y)| page.canvas.paint_at(*x, *y)?.dominant_color())?;
    Some(if shade.brightness() < 0.5 { Theme::Dark } else { Theme::Light })
}

/// Marks a logo that is hidden in the light scheme and shown in the dark one as made for dark backgrounds.
fn assign_hidden_theme(page: &RenderedPage<'_>, candidates: &mut [LogoCandidate]) {
    if candidates.iter().all(|candidate| candidate.is_visible || candidate.theme.is_some()) {
        return;
    }
    let dark = Environment { scheme: Scheme::Dark, ..Environment::default() };
    let mut styles = page.index.styles(&dark);
    for candidate in candidates.iter_mut().filter(|candidate| !candidate.is_visible && candidate.theme.is_none()) {
        let Some(node) = candidate.node else { continue };
        let shows_in_dark = styles.get(node).is_some_and(|style| !style.is_hidden());
        let classes = page.view.document.ancestors(node).take(2).chain([node]);
        let says_dark = classes.filter_map(|node| page.view.document.element(node)).any(|element| {
            element
                .classes()
                .iter()
                .any(|class| matches!(&**class, "dark:block" | "dark:inline" | "dark:inline-block" | "dark:flex"))
        });
        if shows_in_dark || says_dark {
            candidate.theme = Some(Theme::Dark);
        }
    }
}

/// Words in file names that distinguish variants.
const THEME_WORDS: &[&str] = &[
    "white", "light", "dark", "black", "inverse", "inverted", "reverse", "reversed", "negative", "positive", "night",
    "day", "color", "colour", "colored", "mono", "alt", "on",
];

/// Returns a file name without the words that distinguish variants.
fn stem(url: &str) -> Option<String> {
    let url = Url::parse(url).ok().filter(|url| url.scheme() != "data")?;
    let file = url.path().rsplit('/').next()?;
    let name = file.split('.').next()?;
    let plain: Vec<String> =
        split_words(name).into_iter().filter(|word| !THEME_WORDS.contains(&word.as_str())).collect();
    (!plain.is_empty()).then(|| plain.join(" "))
}

/// Maximum number of candidates that are compared with each other: no header has as many images, and the items of a
/// catalogue are not variants of one logo.
const MAX_COMPARED: usize = 1_000;

fn pair(candidates: &mut [LogoCandidate]) {
    let compared = candidates.len().min(MAX_COMPARED);
    let candidates = &mut candidates[..compared];
    let stems: Vec<Option<String>> = candidates.iter().map(|candidate| stem(&candidate.url)).collect();
    for first in 0..candidates.len() {
        for second in first + 1..candidates.len() {
            let (one, two) = (&candidates[first], &candidates[second]);
            if one.variant.is_some() {
                break;
            }
            let same_name = stems[first].is_some() && stems[first] == stems[second];
            if two.variant.is_some() || !are_variants(one, two, same_name) || one.url == two.url {
                continue;
            }
            let theme = one.theme.or(two.theme.map(opposite)).unwrap_or(Theme::Light);
            let urls = (one.url.clone(), two.url.clone());
            candidates[first].theme = Some(theme);
            candidates[second].theme = Some(opposite(theme));
            candidates[first].variant = Some(urls.1);
            candidates[second].variant = Some(urls.0);
        }
    }
}

/// Returns true if two candidates are variants of one logo: the file names differ by a theme word, or one is shown
/// while the other is hidden; and they are made for different backgrounds, as far as known.
fn are_variants(one: &LogoCandidate, two: &LogoCandidate, same_name: bool) -> bool {
    let takes_turns = one.is_visible != two.is_visible && one.theme.zip(two.theme).is_some_and(|(a, b)| a != b);
    let may_differ = one.theme.zip(two.theme).is_none_or(|(a, b)| a != b) || one.is_visible != two.is_visible;
    (same_name || takes_turns) && may_differ
}

fn opposite(theme: Theme) -> Theme {
    match theme {
        Theme::Light => Theme::Dark,
        Theme::Dark => Theme::Light,
    }
}

/// Returns the theme that a `source` of a `picture` is for.
pub(super) fn source_theme(media: Option<&str>) -> Option<Theme> {
    media.and_then(metadata_candidates::scheme)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_stems_have_no_theme_words() {
        for (url, expected) in [
            ("https://a.example/img/logo-dark.svg", Some("logo")),
            ("https://a.example/img/logo_white@2x.png", Some("logo 2x")),
            ("https://a.example/acmeLogoInverse.1234.svg", Some("acme logo")),
            ("https://a.example/dark.svg", None),
            ("data:image/svg+xml,x", None),
        ] {
            assert_eq!(stem(url).as_deref(), expected, "{url}");
        }
    }
}
