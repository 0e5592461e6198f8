//! What sections are: by landmark, by name, by what is in them, by where they stand.

use super::survey::{Survey, Tally};
use limner_page::NodeId;
use limner_page::dom::Element;
use limner_types::SectionRole;

/// The roles of sections in document order. At most one is the hero.
pub(super) fn roles(survey: &Survey<'_>, sections: &[NodeId]) -> Vec<Option<SectionRole>> {
    let mut roles: Vec<Option<SectionRole>> = sections.iter().map(|node| frame(survey, *node)).collect();
    let hero = hero(survey, sections, &roles);
    let last = roles.iter().rposition(|role| *role != Some(SectionRole::Footer));
    for (at, node) in sections.iter().enumerate() {
        if Some(at) == hero {
            roles[at] = Some(SectionRole::Hero);
        } else if roles[at].is_none() {
            roles[at] = content(survey, *node, last == Some(at));
        }
    }
    roles
}

/// From this size on a text is a headline, whatever element it is in.
const HEADLINE: f32 = 26.0;

/// Headers and footers of the page.
fn frame(survey: &Survey<'_>, node: NodeId) -> Option<SectionRole> {
    let element = survey.document.element(node)?;
    let tally = survey.tally(node);
    let landmark = element.attr("role").unwrap_or_default();
    let name = element.name();
    if landmark == "contentinfo" || name == "footer" || named(survey, node, &["footer", "colophon", "copyright"]) {
        return Some(SectionRole::Footer);
    }
    let navigates = name == "nav" || landmark == "navigation" || holds(survey, node, "nav") || is_linked(&tally);
    let is_header = name == "header"
        || landmark == "banner"
        || name == "nav"
        || named(survey, node, &["header", "navbar", "topbar", "masthead", "menu", "nav"]);
    let has_copy = survey.largest_text(node) >= HEADLINE
        && (tally.paragraphs > 0 || tally.buttons > 0)
        && tally.letters >= tally.linked + 15;
    let greets = has_copy || is_title_band(survey, node, &tally);
    (is_header && !greets && (navigates || tally.letters < 150)).then_some(SectionRole::Header)
}

/// How high a band is at least that a title makes a good part of, in CSS pixels.
const TITLE_BAND: f32 = 240.0;

/// Whether an element that is called header greets the visitor with a title, rather than holding the site's bar.
fn is_title_band(survey: &Survey<'_>, node: NodeId, tally: &Tally) -> bool {
    tally.headings > 0
        && survey.largest_text(node) >= HEADLINE
        && tally.letters >= tally.linked + 15
        && !is_linked(tally)
        && !holds(survey, node, "nav")
        && survey.rect(node).is_some_and(|rect| rect.height >= TITLE_BAND)
}

/// Whether most of the text is links.
fn is_linked(tally: &Tally) -> bool {
    tally.links >= 3 && tally.linked * 3 > tally.letters * 2
}

fn holds(survey: &Survey<'_>, node: NodeId, name: &str) -> bool {
    let document = survey.document;
    document.light_descendants(node).any(|inner| document.element(inner).is_some_and(|element| element.is_html(name)))
}

/// Deepest wrapper whose name counts for the section.
const MAX_WRAPPERS: usize = 8;

/// Whether id or classes have one of these words: those of the section, or of what is all there is in it.
fn named(survey: &Survey<'_>, node: NodeId, words: &[&str]) -> bool {
    let inner = |node: &NodeId| match survey.shown_children(*node).as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    std::iter::successors(Some(node), inner).take(MAX_WRAPPERS).any(|node| is_named(survey, node, words))
}

fn is_named(survey: &Survey<'_>, node: NodeId, words: &[&str]) -> bool {
    let Some(element) = survey.document.element(node) else { return false };
    let names = element.classes().iter().map(|class| &**class).chain(element.id().map(|id| &**id));
    names.flat_map(|name| name.split(['-', '_'])).any(|part| words.iter().any(|word| part.eq_ignore_ascii_case(word)))
}

/// The heading that is set largest, the first of them.
pub(super) fn main_heading(survey: &Survey<'_>, node: NodeId) -> Option<NodeId> {
    let inside = std::iter::once(node).chain(survey.document.light_descendants(node));
    let headings = inside.filter(|inner| survey.heading_size(*inner) > 0.0 && survey.tally(*inner).letters > 0);
    headings.reduce(|best, next| if survey.heading_size(next) > survey.heading_size(best) * 1.1 { next } else { best })
}

/// Which section greets the visitor.
fn hero(survey: &Survey<'_>, sections: &[NodeId], roles: &[Option<SectionRole>]) -> Option<usize> {
    let candidates = sections.iter().enumerate().filter(|(at, _)| roles[*at].is_none());
    let scored = candidates.enumerate().map(|(order, (at, node))| (at, score(survey, *node, order)));
    let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
    // A page that is nothing but a header or a footer still has a first section.
    best.map(|(at, _)| at).or_else(|| (!sections.is_empty()).then_some(0))
}

fn score(survey: &Survey<'_>, node: NodeId, order: usize) -> f64 {
    let tally = survey.tally(node);
    let mut score = 0.0;
    if let Some(heading) = main_heading(survey, node) {
        let is_first_level = survey.document.element(heading).is_some_and(|element| element.is_html("h1"));
        score += if is_first_level { 3.0 } else { 0.0 };
    }
    let headline = survey.largest_text(node);
    score += if headline >= HEADLINE || tally.headings > 0 { f64::from(headline / 16.0).min(5.0) } else { 0.0 };
    score += if named(
        survey,
        node,
        &["hero", "jumbotron", "banner", "intro", "masthead", "lead", "leadin", "cover", "splash"],
    ) {
        4.0
    } else {
        0.0
    };
    score += if tally.buttons > 0 { 1.5 } else { 0.0 };
    score += if tally.paragraphs > 0 || tally.letters >= 60 { 1.0 } else { 0.0 };
    score -= if tally.letters < 15 && tally.media == 0 { 3.0 } else { 0.0 };
    score -= if is_linked(&tally) { 4.0 } else { 0.0 };
    score -= if named(
        survey,
        node,
        &["cookie", "consent", "notice", "alert", "modal", "breadcrumb", "breadcrumbs", "sidebar", "toc"],
    ) {
        6.0
    } else {
        0.0
    };
    // Slides that wait for their turn say so.
    let waits = survey.document.element(node).is_some_and(|element| element.attr_has_token("aria-hidden", "true"));
    score -= if waits { 6.0 } else { 0.0 };
    match survey.rect(node) {
        Some(rect) => {
            // What is seen first counts: half a window down is worth a step.
            score -= f64::from(rect.y.max(0.0)) / 450.0;
            // Slides lie on top of each other, the first uppermost.
            score -= 0.15 * order.min(6) as f64;
            let area = f64::from(rect.area()) / (1440.0 * 900.0);
            score += if area < 0.04 { -3.0 } else { area.min(1.0) };
        }
        None => score -= order as f64,
    }
    score
}

fn content(survey: &Survey<'_>, node: NodeId, is_last: bool) -> Option<SectionRole> {
    let tally = survey.tally(node);
    let heading =
        main_heading(survey, node).map(|heading| survey.text(heading, 120).to_lowercase()).unwrap_or_default();
    let says = |words: &[&str]| words.iter().any(|word| heading.contains(word));
    let is = |names: &[&str], words: &[&str]| named(survey, node, names) || says(words);
    if is(&["pricing", "plans", "prices"], &["pricing", "plans", "price"]) && has_prices(survey, node) {
        return Some(SectionRole::Pricing);
    }
    if is(&["faq", "faqs"], &["faq", "frequently asked", "questions"]) || count(survey, node, "details") >= 3 {
        return Some(SectionRole::Faq);
    }
    if is(
        &["testimonial", "testimonials", "reviews", "quotes"],
        &["testimonial", "what people", "what our", "customers say", "reviews", "loved by"],
    ) || (count(survey, node, "blockquote") >= 2 && tally.letters < 4_000)
    {
        return Some(SectionRole::Testimonials);
    }
    if named(survey, node, &["pricing"]) || (has_prices(survey, node) && tally.buttons >= 2) {
        return Some(SectionRole::Pricing);
    }
    if is(&["features", "feature", "services", "benefits"], &["feature", "services", "benefits", "what we do", "why "])
    {
        return Some(SectionRole::Features);
    }
    let is_call = tally.buttons >= 1 && tally.letters <= 400 && tally.headings >= 1 && tally.headings <= 2;
    if named(survey, node, &["cta"])
        || (is_call && (is_last || says(&["get started", "sign up", "ready to", "try ", "join ", "start "])))
    {
        return Some(SectionRole::Cta);
    }
    (repeated_items(survey, node) >= 3).then_some(SectionRole::Features)
}

fn count(survey: &Survey<'_>, node: NodeId, name: &str) -> usize {
    let document = survey.document;
    document
        .light_descendants(node)
        .filter(|inner| document.element(*inner).is_some_and(|element| element.is_html(name)))
        .count()
}

/// Whether sums of money are named at least twice.
fn has_prices(survey: &Survey<'_>, node: NodeId) -> bool {
    let text = survey.text(node, 6_000);
    let mut sums = 0;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        let follows = letters.peek().is_some_and(|next| next.is_ascii_digit() || *next == ' ');
        sums += usize::from(matches!(c, '$' | '€' | '£' | '¥') && follows);
    }
    sums >= 2
}

/// The most children that look alike and have a heading or a picture, of any element inside.
fn repeated_items(survey: &Survey<'_>, node: NodeId) -> usize {
    let document = survey.document;
    let parents = std::iter::once(node).chain(document.light_descendants(node)).take(400);
    let items = |parent: NodeId| {
        let mut keys: Vec<_> = document
            .child_elements(parent)
            .filter(|(child, _)| {
                let tally = survey.tally(*child);
                tally.headings == 1 && tally.letters >= 20 && survey.is_visible(*child)
            })
            .map(|(child, element)| {
                let title = main_heading(survey, child).and_then(|title| document.element(title));
                // Classes of utilities differ between alike things; the rank of their titles does not.
                let rank = title.map(Element::name).filter(|name| matches!(*name, "h3" | "h4" | "h5" | "h6"));
                (element.name(), rank.or_else(|| element.classes().first().map(|class| &**class)))
            })
            .collect();
        keys.sort();
        keys.chunk_by(|a, b| a == b).map(<[_]>::len).max().unwrap_or(0)
    };
    parents.map(items).max().unwrap_or(0)
}
