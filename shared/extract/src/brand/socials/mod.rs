//! Finds the site's profiles on other sites, not those of people it writes about, nor share buttons.
//!
//! Every link to a profile is scored: declarations of identity (`rel=me`, JSON-LD `sameAs`) count, typical positions
//! (lists of profiles, icons in header and footer), and a handle that equals the site's name. Each platform gets one
//! profile: the best.

mod platform;

use super::region::Marks;
use super::survey::Survey;
use super::words::{any_of, squashed, words};
use crate::json_ld::{self, JsonLd};
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_types::result::Social;
use platform::{Fediverse, Profile, profile};
use std::collections::BTreeMap;

/// A profile with its reasons.
pub(super) struct Found {
    pub(super) social: Social,
    pub(super) is_declared: bool,
    pub(super) reason: &'static str,
}

/// Minimum score of a profile.
const LEAST: i32 = 4;
/// Maximum number of links.
const MOST_LINKS: usize = 20_000;

/// Returns one profile for each platform, in order of first appearance.
pub(super) fn socials(survey: &Survey<'_>, json_ld: &JsonLd, names: &[String]) -> Vec<Found> {
    let own_names = OwnNames::of(survey, names);
    let mut candidates = declared(survey, json_ld);
    candidates.extend(linked(survey, &own_names));
    drop_invitations_alone(&survey.view.document, &mut candidates);
    agree(&mut candidates);
    best_of_each(candidates)
}

struct Candidate {
    profile: Profile,
    weight: i32,
    is_declared: bool,
    reason: &'static str,
    /// The link.
    node: Option<NodeId>,
    /// True if it only counts next to other profiles.
    needs_others: bool,
}

/// Normalized names of the site.
struct OwnNames(Vec<String>);

impl OwnNames {
    fn of(survey: &Survey<'_>, names: &[String]) -> Self {
        let host = survey.view.url.host_str().unwrap_or_default();
        let registered = psl::domain_str(host).unwrap_or(host);
        let label = registered.split('.').next().unwrap_or_default().to_owned();
        let mut own: Vec<String> = names.iter().chain([&label]).map(|name| squashed(name)).collect();
        // Single words of short names are names as well: "Apache CouchDB" is CouchDB.
        for name in names {
            let parts: Vec<String> = name.split_whitespace().map(squashed).filter(|part| part.len() >= 5).collect();
            if parts.len() <= 3 {
                own.extend(parts);
            }
        }
        own.retain(|name| name.chars().count() >= 3);
        own.sort();
        own.dedup();
        Self(own)
    }

    /// Returns the similarity of a handle with the site's names: 5 for an equal name, 3 if one contains the other. Of a
    /// repository the project name counts, since an owner has many; a repository of the site's owner with another name
    /// has 1.
    fn kinship(&self, handle: &str) -> i32 {
        match handle.split_once('/') {
            Some((owner, project)) => self.of_name(project).max(self.of_name(owner).min(1)),
            None => self.of_name(handle),
        }
    }

    fn of_name(&self, handle: &str) -> i32 {
        let parts: Vec<String> = handle.split('@').map(squashed).chain([squashed(handle)]).collect();
        let is_same = |part: &String| self.0.contains(part);
        let holds = |part: &String| {
            part.len() >= 4
                && self
                    .0
                    .iter()
                    .any(|own| own.len() >= 4 && (part.contains(own.as_str()) || own.contains(part.as_str())))
        };
        match () {
            () if parts.iter().any(is_same) => 5,
            () if parts.iter().any(holds) => 3,
            () => 0,
        }
    }
}

/// Returns `sameAs` of the organisation, site or person that the page belongs to.
fn declared(survey: &Survey<'_>, json_ld: &JsonLd) -> Vec<Candidate> {
    const OWNERS: &[&str] = &[
        "Organization",
        "Corporation",
        "NewsMediaOrganization",
        "LocalBusiness",
        "OnlineStore",
        "Store",
        "Restaurant",
        "Brand",
        "WebSite",
        "EducationalOrganization",
        "CollegeOrUniversity",
        "GovernmentOrganization",
        "NGO",
        "SportsTeam",
        "MusicGroup",
        "SoftwareApplication",
    ];
    let nodes = json_ld.nodes_of_site();
    let is_owner = |node: &json_ld::Node| OWNERS.iter().any(|name| json_ld::has_type(node, name));
    let has_owner = nodes.iter().any(|node| is_owner(node));
    let owners = nodes.iter().filter(|node| is_owner(node) || (!has_owner && json_ld::has_type(node, "Person")));
    let addresses = owners.flat_map(|node| json_ld::strings(node, "sameAs"));
    let profiles = addresses.filter_map(|address| profile(&survey.view.resolve(address)?, Fediverse::Told));
    let candidate = |profile| {
        let reason = "json-ld sameAs";
        Candidate { profile, weight: 12, is_declared: true, reason, node: None, needs_others: false }
    };
    profiles.map(candidate).collect()
}

fn linked(survey: &Survey<'_>, own: &OwnNames) -> Vec<Candidate> {
    let document = &survey.view.document;
    let links = document.elements().filter(|(_, e)| e.is_html("a") || e.is_html("area") || e.is_html("link"));
    let candidate = |(node, link): (NodeId, &Element)| {
        let is_me = link.attr_has_token("rel", "me");
        if link.is_html("link") && !is_me {
            return None;
        }
        let label = label(document, node, link);
        let says_network = ["mastodon", "fediverse"].iter().any(|name| label.words.iter().any(|word| word == name));
        let fediverse = if is_me || says_network { Fediverse::Told } else { Fediverse::Unknown };
        let url = survey.view.resolve(link.attr("href")?)?;
        // A fragment of a repository URL is a document, not a profile.
        let profile =
            profile(&url, fediverse).filter(|profile| profile.slug != "github" || url.fragment().is_none())?;
        let Weighed { weight, reason, needs_others } = weigh(survey, node, &profile, &label, own, is_me);
        Some(Candidate { profile, weight, is_declared: is_me, reason, node: Some(node), needs_others })
    };
    links.take(MOST_LINKS).filter_map(candidate).collect()
}

/// The label of a link.
struct Label {
    words: Vec<String>,
    has_text: bool,
    has_picture: bool,
    /// True if its text is short or empty, no words are beside it, and it is not an author's.
    is_alone: bool,
}

fn label(document: &Document, node: NodeId, link: &Element) -> Label {
    let mut text = String::new();
    let mut names = String::new();
    let mut has_picture = false;
    let mut note = |element: &Element| {
        for attribute in ["aria-label", "title", "class", "alt", "id"] {
            if let Some(value) = element.attr(attribute) {
                names.push(' ');
                names.extend(value.chars().take(200));
            }
        }
    };
    note(link);
    for inner in document.descendants(node).take(40) {
        if let Some(part) = document.text(inner) {
            text.push(' ');
            text.extend(part.trim().chars().take(200));
        }
        if let Some(element) = document.element(inner) {
            has_picture |= matches!(element.name(), "svg" | "img" | "i" | "picture");
            note(element);
        }
    }
    let has_text = text.chars().any(char::is_alphanumeric);
    let words: Vec<String> =
        [text.trim(), &names].iter().flat_map(|part| part.split_whitespace()).flat_map(words).take(80).collect();
    let is_author = link.attr_has_token("rel", "author") || link.attr_has_token("itemprop", "author");
    let is_alone = !is_author && !any_of(&words, &["author", "byline"]) && stands_alone(document, node, &text);
    Label { words, has_text, has_picture, is_alone }
}

/// Maximum length of a link text that is a name and not a phrase: characters and words.
const SHORT: (usize, usize) = (30, 3);

/// Returns true if a link with that text is not part of a sentence such as "Made by Jane".
fn stands_alone(document: &Document, node: NodeId, text: &str) -> bool {
    let is_short = text.trim().chars().count() <= SHORT.0 && text.split_whitespace().count() <= SHORT.1;
    let is_inline = |node: NodeId| document.element(node).is_some_and(is_part_of_line);
    let around = std::iter::successors(Some(node), |node| document.parent(*node).filter(|parent| is_inline(*parent)));
    let runs_on = |node: NodeId| {
        let beside = |node: Option<NodeId>| node.map(|node| words_of_line(document, node)).unwrap_or_default();
        let before = beside(document.previous_sibling(node));
        let after = beside(document.next_sibling(node));
        let is_separator = |letter: char| "|/·•‧∙–—-~»›>".contains(letter);
        let continues = before.chars().any(char::is_alphanumeric) && !before.trim_end().ends_with(is_separator);
        continues || after.trim_start().starts_with(char::is_alphanumeric)
    };
    is_short && !around.take(4).any(runs_on)
}

fn is_part_of_line(element: &Element) -> bool {
    matches!(element.name(), "span" | "b" | "strong" | "em" | "i" | "small" | "font" | "u")
}

/// Returns the words that a node adds to a line: text, or an element inside the line that is not a link.
fn words_of_line(document: &Document, node: NodeId) -> String {
    if let Some(text) = document.text(node) {
        return text.chars().take(2_000).collect();
    }
    let is_line = document.element(node).is_some_and(is_part_of_line);
    let inner: Vec<NodeId> = document.descendants(node).take(if is_line { 12 } else { 0 }).collect();
    let has_link = inner.iter().any(|inner| document.element(*inner).is_some_and(|e| e.is_html("a")));
    if has_link { String::new() } else { inner.into_iter().filter_map(|inner| document.text(inner)).collect() }
}

/// The score of a link, and the main reason for it.
#[derive(Default)]
struct Weighed {
    weight: i32,
    reason: &'static str,
    needs_others: bool,
}

fn weigh(survey: &Survey<'_>, node: NodeId, profile: &Profile, label: &Label, own: &OwnNames, is_me: bool) -> Weighed {
    let marks = survey.regions.get(node);
    let handle = profile.handle.as_deref().unwrap_or_default();
    let kinship = own.kinship(handle);
    let in_list = marks.has_any(Marks::SOCIAL) && !marks.has_any(Marks::SHARE);
    let at_edge = (marks.has_any(Marks::HEADER) || marks.has_any(Marks::FOOTER)) && !marks.has_any(Marks::SHARE);
    let in_frame = marks.has_any(Marks::HEADER) || marks.has_any(Marks::FOOTER) || marks.has_any(Marks::NAV);
    let is_icon = label.has_picture && !label.has_text;
    let slug_words = words(profile.slug);
    let other_name: &[&str] = if profile.slug == "x" { &["twitter"] } else { &["follow", "profile"] };
    let is_called_so = any_of(&label.words, other_name) || label.words.iter().any(|word| slug_words.contains(word));
    // Names are written in many scripts; a repository's name does not name its owner.
    let is_named = at_edge && label.is_alone && !handle.contains('/');
    // An invitation has no handle to compare, and donation pages exist for many recipients: both only count in lists of
    // profiles.
    let is_apart = profile.is_invitation
        || matches!(profile.slug, "patreon" | "ko-fi" | "buymeacoffee" | "opencollective" | "liberapay");
    // A link with another label ("Blog") is not a profile, whatever its host is.
    let is_blog =
        matches!(profile.slug, "medium" | "substack" | "hashnode" | "tumblr" | "dev") && !is_icon && !is_called_so;
    let is_listed = in_list || is_me || (in_frame && is_icon);
    let needs_others = profile.is_invitation && !is_listed;
    let may_be_listed = needs_others && at_edge && (is_called_so || is_named);
    if (is_apart || is_blog) && !is_listed && !may_be_listed {
        return Weighed::default();
    }
    let mut weight = kinship;
    weight += if in_list { 4 } else { 0 };
    weight += if in_frame { 2 } else { 0 };
    weight += if is_icon || is_called_so || is_named { 2 } else { 0 };
    weight -= if marks.has_any(Marks::SECTION) && !in_frame && !in_list { 1 } else { 0 };
    weight -= if marks.has_any(Marks::FOREIGN) || marks.has_any(Marks::CUSTOMERS) || marks.has_any(Marks::CODE) {
        6
    } else {
        0
    };
    // A builder or author is a person, whose profile is linked in running text.
    let is_person = profile.slug == "linkedin" && profile.url.contains("/in/");
    weight -= if is_person && kinship == 0 { 2 } else { 0 };
    weight += if is_me { 10 } else { 0 };
    let reason = match () {
        () if is_me => "rel=me",
        () if in_list => "list of profiles",
        () if marks.has_any(Marks::FOOTER) => "footer",
        () if in_frame => "header",
        () => "link",
    };
    Weighed { weight, reason, needs_others }
}

/// Number of ancestors of an invitation in which other profiles are searched.
const LIST_LEVELS: usize = 4;

/// Sets the score of invitations without another profile nearby to 0: they may lead to anything.
fn drop_invitations_alone(document: &Document, candidates: &mut [Candidate]) {
    let counts = |candidate: &&Candidate| !candidate.needs_others && candidate.weight >= LEAST;
    let mut others: Vec<NodeId> = candidates.iter().filter(counts).filter_map(|candidate| candidate.node).collect();
    others.sort_unstable();
    let is_part = |node: &NodeId| {
        let element = document.element(*node);
        element.is_some_and(|e| !matches!(e.name(), "body" | "html" | "main"))
    };
    let has_others = |node: NodeId| {
        let list = document.ancestors(node).take(LIST_LEVELS).take_while(is_part).last();
        let next = list.and_then(|list| Some((list, *others.get(others.partition_point(|other| *other < list))?)));
        next.is_some_and(|(list, other)| document.is_inside(other, list))
    };
    for candidate in candidates.iter_mut().filter(|candidate| candidate.needs_others) {
        if !candidate.node.is_some_and(has_others) {
            candidate.weight = 0;
        }
    }
}

/// Raises the score of the same handle on two platforms, which most likely has one owner.
fn agree(candidates: &mut [Candidate]) {
    let owner =
        |profile: &Profile| profile.handle.as_deref().and_then(|handle| handle.split(['/', '@']).next()).map(squashed);
    let mut accepted: BTreeMap<String, Vec<&'static str>> = BTreeMap::new();
    for candidate in candidates.iter().filter(|candidate| candidate.weight > LEAST) {
        if let Some(owner) = owner(&candidate.profile).filter(|owner| owner.len() >= 3) {
            accepted.entry(owner).or_default().push(candidate.profile.slug);
        }
    }
    for candidate in candidates.iter_mut() {
        let Some(owner) = owner(&candidate.profile) else { continue };
        let elsewhere =
            accepted.get(&owner).is_some_and(|slugs| slugs.iter().any(|slug| *slug != candidate.profile.slug));
        candidate.weight += if elsewhere { 3 } else { 0 };
    }
}

fn best_of_each(candidates: Vec<Candidate>) -> Vec<Found> {
    // A profile that is linked repeatedly is the site's, but the number of links must not outweigh their quality.
    let mut mentions: BTreeMap<String, i32> = BTreeMap::new();
    for candidate in &candidates {
        *mentions.entry(candidate.profile.url.to_lowercase()).or_default() += 1;
    }
    let mut order: Vec<&'static str> = Vec::new();
    let mut best: BTreeMap<&'static str, (i32, Candidate)> = BTreeMap::new();
    for candidate in candidates {
        if candidate.weight < LEAST {
            continue;
        }
        let slug = candidate.profile.slug;
        let again = mentions.get(&candidate.profile.url.to_lowercase()).map_or(0, |count| (*count - 1).min(1));
        let total = candidate.weight * 2 + again;
        if !order.contains(&slug) {
            order.push(slug);
        }
        match best.get(slug) {
            Some((known, _)) if *known >= total => {}
            _ => {
                best.insert(slug, (total, candidate));
            }
        }
    }
    let found = |slug: &'static str| {
        let (_, candidate) = best.remove(slug)?;
        let Profile { slug, url, handle, .. } = candidate.profile;
        let social = Social { platform: slug.to_owned(), url, handle };
        Some(Found { social, is_declared: candidate.is_declared, reason: candidate.reason })
    };
    order.into_iter().filter_map(found).collect()
}
