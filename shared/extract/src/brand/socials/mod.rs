//! The site's own profiles on other sites: not the people it writes about, not buttons that share the page.
//!
//! Every link to a profile is weighed: what declares identity (`rel=me`, JSON-LD `sameAs`) and where sites put their
//! profiles (lists named so, icons in header and footer) counts, and so does a handle that is the site's own name. One
//! profile for each platform: the strongest.

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

/// A profile with the reasons for it.
pub(super) struct Found {
    pub(super) social: Social,
    pub(super) is_declared: bool,
    pub(super) reason: &'static str,
}

/// Least weight of a profile.
const LEAST: i32 = 4;
/// Links looked at.
const MOST_LINKS: usize = 20_000;

/// One profile for each platform, in order of first appearance.
pub(super) fn socials(survey: &Survey<'_>, json_ld: &JsonLd, names: &[String]) -> Vec<Found> {
    let own_names = OwnNames::of(survey, names);
    let mut candidates = declared(survey, json_ld);
    candidates.extend(linked(survey, &own_names));
    agree(&mut candidates);
    best_of_each(candidates)
}

struct Candidate {
    profile: Profile,
    weight: i32,
    is_declared: bool,
    reason: &'static str,
}

/// Squashed names that the site goes by.
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

    /// How much a handle is the site's: 5 for the same name, 3 when one holds the other. Of a repository the name counts,
    /// since an owner has many; another one of the site's owner is 1.
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

/// `sameAs` of the organisation, site or person that the page belongs to.
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
    profiles.map(|profile| Candidate { profile, weight: 12, is_declared: true, reason: "json-ld sameAs" }).collect()
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
        // A place inside a repository is a document, not a profile.
        let profile =
            profile(&url, fediverse).filter(|profile| profile.slug != "github" || url.fragment().is_none())?;
        let (weight, reason) = weigh(survey, node, &profile, &label, own, is_me);
        Some(Candidate { profile, weight, is_declared: is_me, reason })
    };
    links.take(MOST_LINKS).filter_map(candidate).collect()
}

/// What a link is called.
struct Label {
    words: Vec<String>,
    has_text: bool,
    has_picture: bool,
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
    let words =
        [text.trim(), &names].iter().flat_map(|part| part.split_whitespace()).flat_map(words).take(80).collect();
    Label { words, has_text, has_picture }
}

fn weigh(
    survey: &Survey<'_>,
    node: NodeId,
    profile: &Profile,
    label: &Label,
    own: &OwnNames,
    is_me: bool,
) -> (i32, &'static str) {
    let marks = survey.regions.get(node);
    let handle = profile.handle.as_deref().unwrap_or_default();
    let kinship = own.kinship(handle);
    let in_list = marks.has_any(Marks::SOCIAL) && !marks.has_any(Marks::SHARE);
    let in_frame = marks.has_any(Marks::HEADER) || marks.has_any(Marks::FOOTER) || marks.has_any(Marks::NAV);
    let is_icon = label.has_picture && !label.has_text;
    let slug_words = words(profile.slug);
    let other_name: &[&str] = if profile.slug == "x" { &["twitter"] } else { &["follow", "profile"] };
    let is_called_so = any_of(&label.words, other_name) || label.words.iter().any(|word| slug_words.contains(word));
    // An invitation has no name to know it by, and money is given to many: both count where profiles are listed.
    let is_apart = profile.is_invitation
        || matches!(profile.slug, "patreon" | "ko-fi" | "buymeacoffee" | "opencollective" | "liberapay");
    // What is called something else ("Blog") is that, wherever it is hosted.
    let is_blog =
        matches!(profile.slug, "medium" | "substack" | "hashnode" | "tumblr" | "dev") && !is_icon && !is_called_so;
    if (is_apart || is_blog) && !in_list && !is_me && !(in_frame && is_icon) {
        return (0, "link");
    }
    let mut weight = kinship;
    weight += if in_list { 4 } else { 0 };
    weight += if in_frame { 2 } else { 0 };
    weight += if is_icon || is_called_so { 2 } else { 0 };
    weight -= if marks.has_any(Marks::SECTION) && !in_frame && !in_list { 1 } else { 0 };
    weight -= if marks.has_any(Marks::FOREIGN) || marks.has_any(Marks::CUSTOMERS) || marks.has_any(Marks::CODE) {
        6
    } else {
        0
    };
    // Whoever built or wrote something is a person, whose profile stands in running text.
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
    (weight, reason)
}

/// The same handle on two platforms is most likely the same owner.
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
    // A profile that is linked again and again is the site's; the sum of its links is not to outweigh their quality.
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
