//! Finds the site's profiles on other sites, not those of people it writes about, nor share buttons.
//!
//! Every link to a profile is scored: declarations of identity (`rel=me`, JSON-LD `sameAs`) count, typical positions
//! (lists of profiles, icons in header and footer), and a handle that equals the site's name. Each platform gets one
//! profile: the best.

mod platform;
mod rows;

use super::background_layers::{BackgroundLayer, LayerFill};
use super::name_tokens::{contains_any, split_words, squashed};
use super::organization_types::owner_type;
use super::page_regions::RegionFlags;
use super::rendered_page::RenderedPage;
use limner_assets::json_ld::{self, JsonLd};
use limner_page::dom::Element;
use limner_page::site::site_label;
use limner_page::{Document, NodeId};
use limner_types::result::Social;
use platform::{Fediverse, Profile, profile};
use std::collections::{BTreeMap, BTreeSet};

/// A profile with its reasons.
pub(super) struct SocialProfile {
    pub(super) social: Social,
    pub(super) is_declared: bool,
    pub(super) reason: &'static str,
}

/// Minimum score of a profile.
const MIN_SCORE: i32 = 4;
/// Regions in which a row of links does not show the site's profiles, or is scored by its name already.
const NOT_IN_ROWS: RegionFlags = RegionFlags::NOT_SITE.union(RegionFlags::SOCIAL);
/// Maximum number of links.
const MAX_LINKS: usize = 20_000;

/// Returns one profile for each platform, in order of first appearance.
pub(super) fn socials(page: &RenderedPage<'_>, json_ld: &JsonLd, names: &[String]) -> Vec<SocialProfile> {
    let own_names = SiteNames::new(page, names);
    let mut candidates = declared(page, json_ld);
    candidates.extend(linked(page, &own_names));
    rows::raise_rows(&page.view.document, &page.boxes, &mut candidates);
    drop_unsupported_invites(&page.view.document, &mut candidates);
    boost_related_handles(&mut candidates);
    drop_placeholders(&mut candidates, &own_names);
    drop_outdated_declarations(&mut candidates);
    best_per_platform(candidates)
}

struct ProfileCandidate {
    profile: Profile,
    weight: i32,
    is_declared: bool,
    reason: &'static str,
    /// The link.
    node: Option<NodeId>,
    /// True if it only counts next to other profiles.
    needs_corroboration: bool,
    /// True if it may be part of a row of profiles that no name marks as such.
    may_be_in_row: bool,
}

/// Normalized names of the site.
struct SiteNames(Vec<String>);

impl SiteNames {
    fn new(page: &RenderedPage<'_>, names: &[String]) -> Self {
        let label = site_label(&page.view.url).to_owned();
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
    fn handle_similarity(&self, handle: &str) -> i32 {
        match handle.split_once('/') {
            Some((owner, project)) => self.handle_score(project).max(self.handle_score(owner).min(1)),
            None => self.handle_score(handle),
        }
    }

    fn handle_score(&self, handle: &str) -> i32 {
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
fn declared(page: &RenderedPage<'_>, json_ld: &JsonLd) -> Vec<ProfileCandidate> {
    let nodes = json_ld.site_nodes();
    let is_owner = |node: &json_ld::JsonLdObject| owner_type(node).is_some();
    let has_owner = nodes.iter().any(|node| is_owner(node));
    let owners = nodes.iter().filter(|node| is_owner(node) || (!has_owner && json_ld::has_type(node, "Person")));
    let addresses = owners.flat_map(|node| json_ld::strings(node, "sameAs"));
    let profiles = addresses.filter_map(|address| profile(&page.view.resolve(address)?, Fediverse::Declared));
    let candidate = |profile| {
        let reason = "json-ld sameAs";
        ProfileCandidate {
            profile,
            weight: 12,
            is_declared: true,
            reason,
            node: None,
            needs_corroboration: false,
            may_be_in_row: false,
        }
    };
    profiles.map(candidate).collect()
}

fn linked(page: &RenderedPage<'_>, own: &SiteNames) -> Vec<ProfileCandidate> {
    let document = &page.view.document;
    let links = document.elements().filter(|(_, e)| e.is_html("a") || e.is_html("area") || e.is_html("link"));
    let candidate = |(node, link): (NodeId, &Element)| {
        let is_me = link.attr_has_token("rel", "me");
        if link.is_html("link") && !is_me {
            return None;
        }
        let label = label(page, node, link);
        let says_network = ["mastodon", "fediverse"].iter().any(|name| label.words.iter().any(|word| word == name));
        let fediverse = if is_me || says_network { Fediverse::Declared } else { Fediverse::Unknown };
        let url = page.view.resolve(link.attr("href")?)?;
        // A fragment of a repository URL is a document, not a profile.
        let profile =
            profile(&url, fediverse).filter(|profile| profile.slug != "github" || url.fragment().is_none())?;
        let LinkScore { weight, reason, needs_corroboration: needs_others } =
            score_link(page, node, &profile, &label, own, is_me);
        Some(ProfileCandidate {
            profile,
            weight,
            is_declared: is_me,
            reason,
            node: Some(node),
            needs_corroboration: needs_others,
            may_be_in_row: label.is_alone && !page.regions.get(node).has_any(NOT_IN_ROWS),
        })
    };
    links.take(MAX_LINKS).filter_map(candidate).collect()
}

/// The label of a link.
struct LinkLabel {
    words: Vec<String>,
    has_text: bool,
    has_image: bool,
    /// True if its text is short or empty, no words are beside it, and it is not an author's.
    is_alone: bool,
}

fn label(page: &RenderedPage<'_>, node: NodeId, link: &Element) -> LinkLabel {
    let document = &page.view.document;
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
    // The background of a link without text is its picture.
    let shows_image = |layer: &BackgroundLayer| matches!(layer.fill, LayerFill::Image);
    has_picture |= page.visible_element(node).is_some_and(|seen| seen.layers.iter().any(shows_image));
    let words: Vec<String> =
        [text.trim(), &names].iter().flat_map(|part| part.split_whitespace()).flat_map(split_words).take(80).collect();
    let is_author = link.attr_has_token("rel", "author") || link.attr_has_token("itemprop", "author");
    let is_alone =
        !is_author && !contains_any(&words, &["author", "byline"]) && is_standalone_link(document, node, &text);
    LinkLabel { words, has_text, has_image: has_picture, is_alone }
}

/// Maximum length of a link text that is a name and not a phrase: characters and words.
const SHORT: (usize, usize) = (30, 3);

/// Returns true if a link with that text is not part of a sentence such as "Made by Jane".
fn is_standalone_link(document: &Document, node: NodeId, text: &str) -> bool {
    let is_short = text.trim().chars().count() <= SHORT.0 && text.split_whitespace().count() <= SHORT.1;
    let is_inline = |node: NodeId| document.element(node).is_some_and(is_part_of_line);
    let around = std::iter::successors(Some(node), |node| document.parent(*node).filter(|parent| is_inline(*parent)));
    let runs_on = |node: NodeId| {
        let beside = |node: Option<NodeId>| node.map(|node| line_text(document, node)).unwrap_or_default();
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
fn line_text(document: &Document, node: NodeId) -> String {
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
struct LinkScore {
    weight: i32,
    reason: &'static str,
    needs_corroboration: bool,
}

fn score_link(
    page: &RenderedPage<'_>,
    node: NodeId,
    profile: &Profile,
    label: &LinkLabel,
    own: &SiteNames,
    is_me: bool,
) -> LinkScore {
    let marks = page.regions.get(node);
    let handle = profile.handle.as_deref().unwrap_or_default();
    let kinship = own.handle_similarity(handle);
    let in_list = marks.has_any(RegionFlags::SOCIAL) && !marks.has_any(RegionFlags::SHARE);
    let at_edge = (marks.has_any(RegionFlags::HEADER) || marks.has_any(RegionFlags::FOOTER))
        && !marks.has_any(RegionFlags::SHARE);
    let in_frame =
        marks.has_any(RegionFlags::HEADER) || marks.has_any(RegionFlags::FOOTER) || marks.has_any(RegionFlags::NAV);
    let is_icon = label.has_image && !label.has_text;
    let slug_words = split_words(profile.slug);
    let other_name: &[&str] = if profile.slug == "x" { &["twitter"] } else { &["follow", "profile"] };
    let is_called_so =
        contains_any(&label.words, other_name) || label.words.iter().any(|word| slug_words.contains(word));
    // Names are written in many scripts; a repository's name does not name its owner.
    let is_named = at_edge && label.is_alone && !handle.contains('/');
    // An invitation has no handle to compare, and donation pages exist for many recipients: both only count in lists of
    // profiles.
    let is_apart = profile.is_invitation
        || matches!(profile.slug, "patreon" | "ko-fi" | "buymeacoffee" | "opencollective" | "liberapay");
    // A link with another label ("Blog") is not a profile, whatever its host is.
    let is_blog =
        matches!(profile.slug, "medium" | "substack" | "hashnode" | "tumblr" | "dev") && !is_icon && !is_called_so;
    let is_icon_in_frame = in_frame && is_icon;
    let is_listed = in_list || is_me || is_icon_in_frame;
    let needs_others = profile.is_invitation && !is_listed;
    let may_be_listed = needs_others && at_edge && (is_called_so || is_named);
    if (is_apart || is_blog) && !is_listed && !may_be_listed {
        return LinkScore::default();
    }
    let mut weight = kinship;
    weight += if in_list { 4 } else { 0 };
    weight += if in_frame { 2 } else { 0 };
    weight += if is_icon || is_called_so || is_named { 2 } else { 0 };
    weight -= if marks.has_any(RegionFlags::SECTION) && !in_frame && !in_list { 1 } else { 0 };
    weight -= if marks.has_any(RegionFlags::FOREIGN)
        || marks.has_any(RegionFlags::CUSTOMERS)
        || marks.has_any(RegionFlags::CODE)
    {
        6
    } else {
        0
    };
    // A builder or author is a person, whose profile is linked in words; the site of one person has an icon in its frame.
    weight -= if profile.is_person() && kinship == 0 && !is_icon_in_frame { 2 } else { 0 };
    weight += if is_me { 10 } else { 0 };
    let reason = match () {
        () if is_me => "rel=me",
        () if in_list => "list of profiles",
        () if marks.has_any(RegionFlags::FOOTER) => "footer",
        () if in_frame => "header",
        () => "link",
    };
    LinkScore { weight, reason, needs_corroboration: needs_others }
}

/// Number of ancestors of an invitation in which other profiles are searched.
const LIST_LEVELS: usize = 4;

/// Sets the score of invitations without another profile nearby to 0: they may lead to anything. One that the page
/// repeats is its own.
fn drop_unsupported_invites(document: &Document, candidates: &mut [ProfileCandidate]) {
    let counts = |candidate: &&ProfileCandidate| !candidate.needs_corroboration && candidate.weight >= MIN_SCORE;
    let mut others: Vec<NodeId> = candidates.iter().filter(counts).filter_map(|candidate| candidate.node).collect();
    others.sort_unstable();
    let is_part = |node: &NodeId| {
        let element = document.element(*node);
        element.is_some_and(|e| !matches!(e.name(), "body" | "html" | "main"))
    };
    let has_others = |node: NodeId| {
        let list = document.ancestors(node).take(LIST_LEVELS).take_while(is_part).last();
        let next = list.and_then(|list| Some((list, *others.get(others.partition_point(|other| *other < list))?)));
        next.is_some_and(|(list, other)| document.is_inclusive_descendant(other, list))
    };
    let mut mentions: BTreeMap<String, usize> = BTreeMap::new();
    for candidate in candidates.iter() {
        *mentions.entry(candidate.profile.identity.clone()).or_default() += 1;
    }
    for candidate in candidates.iter_mut().filter(|candidate| candidate.needs_corroboration) {
        let is_repeated = mentions.get(&candidate.profile.identity).is_some_and(|count| *count > 1);
        if !is_repeated && !candidate.node.is_some_and(has_others) {
            candidate.weight = 0;
        }
    }
}

/// Minimum number of characters of a handle's first word for handles to be related by it.
const MIN_RELATED: usize = 5;

/// Raises the score of profiles whose owner most likely has another one on another platform: by 3 for the same handle,
/// by 1 for handles that begin with the same word (`acme_agency`, `acme_channel`), of which several on a platform are
/// the site's and others'. The first names of people are no such words.
fn boost_related_handles(candidates: &mut [ProfileCandidate]) {
    let by_handle = PlatformsOf::new(candidates, MIN_SCORE + 1, owner);
    let by_first_word = PlatformsOf::new(candidates, MIN_SCORE, first_word);
    for candidate in candidates.iter_mut() {
        let is_accepted = candidate.weight >= MIN_SCORE;
        if by_handle.has_other_than(&candidate.profile) {
            candidate.weight += 3;
        } else if is_accepted && by_first_word.has_other_than(&candidate.profile) {
            candidate.weight += 1;
        }
    }
}

/// Returns the owner that a handle names.
fn owner(profile: &Profile) -> Option<String> {
    profile.handle.as_deref()?.split(['/', '@']).next().map(squashed).filter(|owner| owner.len() >= 3)
}

/// Returns the first of several words of a handle that is not a person's.
fn first_word(profile: &Profile) -> Option<String> {
    let (word, _) = profile.handle.as_deref()?.split_once(['_', '-', '.'])?;
    (!profile.is_person() && word.chars().count() >= MIN_RELATED).then(|| word.to_lowercase())
}

/// The platforms of profiles with the same name.
struct PlatformsOf {
    name: fn(&Profile) -> Option<String>,
    platforms: BTreeMap<String, BTreeSet<&'static str>>,
}

impl PlatformsOf {
    fn new(candidates: &[ProfileCandidate], min_weight: i32, name: fn(&Profile) -> Option<String>) -> Self {
        let mut platforms: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
        for profile in candidates.iter().filter(|found| found.weight >= min_weight).map(|found| &found.profile) {
            if let Some(name) = name(profile) {
                platforms.entry(name).or_default().insert(profile.slug);
            }
        }
        Self { name, platforms }
    }

    /// Returns true if there is a profile of the same name on another platform.
    fn has_other_than(&self, profile: &Profile) -> bool {
        let slugs = (self.name)(profile).and_then(|name| self.platforms.get(&name));
        slugs.is_some_and(|slugs| slugs.iter().any(|slug| *slug != profile.slug))
    }
}

/// Handles that themes and builders ship as examples.
const PLACEHOLDERS: &[&str] =
    &["elementor", "shopify", "squarespace", "username", "webflow", "wix", "wordpress", "yourhandle", "yourusername"];

/// Drops the examples of themes, unless the site has that name.
fn drop_placeholders(candidates: &mut Vec<ProfileCandidate>, own: &SiteNames) {
    let is_example = |handle: &str| PLACEHOLDERS.contains(&handle.to_ascii_lowercase().as_str());
    candidates.retain(|candidate| {
        !candidate.profile.handle.as_deref().is_some_and(|handle| is_example(handle) && own.handle_score(handle) == 0)
    });
}

/// Drops declarations that no visitor sees, on platforms where the page links to another profile of the site: plugins keep
/// them for years.
fn drop_outdated_declarations(candidates: &mut Vec<ProfileCandidate>) {
    let linked: BTreeMap<&'static str, BTreeSet<String>> = candidates
        .iter()
        .filter(|own| own.node.is_some() && own.weight >= MIN_SCORE)
        .fold(BTreeMap::new(), |mut linked, own| {
            linked.entry(own.profile.slug).or_default().insert(own.profile.identity.clone());
            linked
        });
    candidates.retain(|candidate| {
        candidate.node.is_some()
            || linked.get(candidate.profile.slug).is_none_or(|urls| urls.contains(&candidate.profile.identity))
    });
}

fn best_per_platform(candidates: Vec<ProfileCandidate>) -> Vec<SocialProfile> {
    // A profile that is linked repeatedly is the site's, but the number of links must not outweigh their quality.
    let mut mentions: BTreeMap<String, i32> = BTreeMap::new();
    for candidate in &candidates {
        *mentions.entry(candidate.profile.identity.clone()).or_default() += 1;
    }
    let mut order: Vec<&'static str> = Vec::new();
    let mut best: BTreeMap<&'static str, (i32, ProfileCandidate)> = BTreeMap::new();
    for candidate in candidates {
        if candidate.weight < MIN_SCORE {
            continue;
        }
        let slug = candidate.profile.slug;
        let again = mentions.get(&candidate.profile.identity).map_or(0, |count| (*count - 1).min(1));
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
        Some(SocialProfile { social, is_declared: candidate.is_declared, reason: candidate.reason })
    };
    order.into_iter().filter_map(found).collect()
}
