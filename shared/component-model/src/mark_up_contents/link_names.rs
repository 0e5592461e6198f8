//! Gives a name to links and buttons that show an icon only, by what they lead to (a telephone number, an address, a network, a
//! page) or by what their author calls them.
//!
//! Before → after: `<a href="https://www.instagram.com/ada"><svg>…</svg></a>` → `<a … aria-label="Instagram">`;
//! `<button class="slider-next">` → `<button … aria-label="Next">`.

use crate::model::{Attribute, Child, Component, Element, ElementId, Namespace};

/// Names of networks, by the hosts of their profiles.
const NETWORKS: &[(&str, &str)] = &[
    ("behance.net", "Behance"),
    ("bsky.app", "Bluesky"),
    ("discord.com", "Discord"),
    ("discord.gg", "Discord"),
    ("dribbble.com", "Dribbble"),
    ("facebook.com", "Facebook"),
    ("fb.com", "Facebook"),
    ("github.com", "GitHub"),
    ("instagram.com", "Instagram"),
    ("linkedin.com", "LinkedIn"),
    ("medium.com", "Medium"),
    ("pinterest.com", "Pinterest"),
    ("reddit.com", "Reddit"),
    ("snapchat.com", "Snapchat"),
    ("soundcloud.com", "SoundCloud"),
    ("spotify.com", "Spotify"),
    ("t.me", "Telegram"),
    ("telegram.me", "Telegram"),
    ("threads.net", "Threads"),
    ("tiktok.com", "TikTok"),
    ("tripadvisor.com", "Tripadvisor"),
    ("tumblr.com", "Tumblr"),
    ("twitch.tv", "Twitch"),
    ("twitter.com", "Twitter"),
    ("vimeo.com", "Vimeo"),
    ("vk.com", "VK"),
    ("wa.me", "WhatsApp"),
    ("whatsapp.com", "WhatsApp"),
    ("x.com", "X"),
    ("xing.com", "Xing"),
    ("yelp.com", "Yelp"),
    ("youtube.com", "YouTube"),
];

/// Names of controls, by words of their authors.
const CONTROLS: &[(&str, &str)] = &[
    ("arrow-left", "Previous"),
    ("arrow-right", "Next"),
    ("back-to-top", "Back to top"),
    ("basket", "Cart"),
    ("burger", "Menu"),
    ("cart", "Cart"),
    ("close", "Close"),
    ("hamburger", "Menu"),
    ("menu-toggle", "Menu"),
    ("navbar-toggle", "Menu"),
    ("next", "Next"),
    ("pause", "Pause"),
    ("play", "Play"),
    ("prev", "Previous"),
    ("previous", "Previous"),
    ("scroll-top", "Back to top"),
    ("search", "Search"),
    ("toggler", "Menu"),
];

/// Maximum number of words and of bytes of the name of a page.
const MAX_PAGE_WORDS: usize = 4;
const MAX_PAGE_NAME: usize = 32;

/// Attributes that name an element, or hide it from those who would hear the name.
const NAMING: &[&str] = &["aria-hidden", "aria-label", "aria-labelledby", "title"];

/// Names the links and buttons of a component that have no name.
pub(super) fn name_links(component: &mut Component) {
    let elements = &mut component.elements;
    let mut is_named = vec![false; elements.len()];
    let mut controls: Vec<Option<&'static str>> = vec![None; elements.len()];
    for at in (0..elements.len()).rev() {
        let element = &elements[at];
        let has_name = |own: &Attribute| NAMING.contains(&own.name.as_str()) && !own.value.trim().is_empty();
        let hides = element.attribute("aria-hidden") == Some("true");
        let children = || {
            element.children.iter().filter_map(|child| match child {
                Child::Element(child) => Some(child.0),
                Child::Text(_) => None,
            })
        };
        controls[at] = control_name(&element.semantic_name).or_else(|| children().find_map(|child| controls[child]));
        is_named[at] = !hides
            && (element.attributes.iter().any(has_name)
                || element.attribute("alt").is_some_and(|alt| !alt.trim().is_empty())
                || matches!(element.tag.as_str(), "iframe" | "input" | "object" | "video")
                || element.children.iter().any(|child| matches!(child, Child::Text(text) if !text.trim().is_empty()))
                || children().any(|child| is_named[child]));
        let is_control = match element.tag.as_str() {
            "a" => element.attribute("href").is_some(),
            tag => tag == "button" || element.attribute("role") == Some("button"),
        };
        if is_control && !is_named[at] && !hides && is_seen(element) {
            let of_target = element.attribute("href").and_then(name_of_target);
            let name = of_target.or_else(|| controls[at].map(str::to_owned));
            if let Some(value) = name.or_else(|| element.attribute("href").and_then(name_of_page)) {
                is_named[at] = true;
                elements[at].attributes.push(Attribute { name: "aria-label".to_owned(), value });
            }
        }
    }
    drop_repeated_alternatives(elements);
    drop_repeated_labels(elements);
}

/// Removes the labels of links and buttons that say their text.
fn drop_repeated_labels(elements: &mut [Element]) {
    let plain = |text: &str| text.replace('\u{ad}', "").split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    for at in 0..elements.len() {
        let element = &elements[at];
        let is_control = element.namespace == Namespace::Html && matches!(element.tag.as_str(), "a" | "button");
        let label = element.attribute("aria-label").filter(|_| is_control);
        let Some(label) = label.map(plain) else { continue };
        let (mut text, mut open) = (String::new(), vec![at]);
        while let Some(inner) = open.pop() {
            // The text of hidden parts is not that of the control.
            if elements[inner].attribute("aria-hidden") == Some("true") {
                continue;
            }
            for child in &elements[inner].children {
                match child {
                    Child::Text(own) => text.push_str(own),
                    Child::Element(ElementId(child)) => open.push(*child),
                }
            }
        }
        if !label.is_empty() && plain(&text) == label {
            elements[at].attributes.retain(|own| own.name != "aria-label");
        }
    }
}

/// Empties the alternative texts of images that say the label of the element around them.
fn drop_repeated_alternatives(elements: &mut [Element]) {
    for at in 0..elements.len() {
        let Some(label) = elements[at].attribute("aria-label").map(str::to_owned) else { continue };
        for child in elements[at].children.clone() {
            let Child::Element(ElementId(child)) = child else { continue };
            let is_repeated = |own: &&mut Attribute| own.name == "alt" && own.value.eq_ignore_ascii_case(&label);
            elements[child].attributes.iter_mut().filter(is_repeated).for_each(|own| own.value.clear());
        }
    }
}

/// Returns the name of the control that a semantic name has the word for.
fn control_name(word: &str) -> Option<&'static str> {
    let has = |known: &str| {
        word.match_indices(known).any(|(at, _)| {
            let (before, after) = (&word[..at], &word[at + known.len()..]);
            (before.is_empty() || before.ends_with('-')) && (after.is_empty() || after.starts_with('-'))
        })
    };
    CONTROLS.iter().find(|(known, _)| has(known)).map(|(_, name)| *name)
}

/// Returns the words of the last part of a path: `About us` of `https://example.com/about-us.html`.
fn name_of_page(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let path = rest.split(['?', '#']).next()?;
    let (_, path) = path.split_once('/').unwrap_or((path, ""));
    let last = path.trim_end_matches('/').rsplit('/').next()?;
    let last = last.split('.').next()?;
    if matches!(last, "" | "index" | "home") {
        return Some("Home".to_owned());
    }
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|c| c.is_ascii_alphabetic());
    let words: Vec<&str> = last.split(['-', '_']).collect();
    let fits = words.len() <= MAX_PAGE_WORDS && (3..=MAX_PAGE_NAME).contains(&last.len());
    let name = words.join(" ").to_ascii_lowercase();
    (fits && words.iter().all(|word| is_word(word))).then(|| name[..1].to_ascii_uppercase() + &name[1..])
}

/// Returns true if a link has contents or a look of its own.
fn is_seen(element: &Element) -> bool {
    !element.children.is_empty() || !element.rules.is_empty()
}

/// Returns what a URL leads to, in words that need no translation.
fn name_of_target(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once(':')?;
    match scheme {
        "tel" | "sms" => Some(rest.trim_start_matches('/').replace("%20", " ")),
        "mailto" => rest.split('?').next().filter(|mail| mail.contains('@')).map(str::to_owned),
        "http" | "https" => {
            let host = rest.trim_start_matches('/').split(['/', '?', '#', ':']).next()?;
            let is_of =
                |known: &str| host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('.'));
            NETWORKS.iter().find(|(known, _)| is_of(known)).map(|(_, name)| (*name).to_owned())
        }
        _ => None,
    }
    .filter(|name| !name.trim().is_empty())
}

#[cfg(test)]
mod tests;
