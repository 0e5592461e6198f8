//! Gives a name to links that show an icon only, by what they lead to: a telephone number, an address, a network.
//!
//! Before → after: `<a href="https://www.instagram.com/ada"><svg>…</svg></a>` → `<a … aria-label="Instagram">`.

use limner_component_model::model::{Attribute, Child, Component, Element};

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

/// Attributes that name an element, or hide it from those who would hear the name.
const NAMING: &[&str] = &["aria-hidden", "aria-label", "aria-labelledby", "title"];

/// Names the links of a component that have no name.
pub(super) fn name_links(component: &mut Component) {
    let elements = &mut component.elements;
    let mut is_named = vec![false; elements.len()];
    for at in (0..elements.len()).rev() {
        let element = &elements[at];
        let has_name = |own: &Attribute| NAMING.contains(&own.name.as_str()) && !own.value.trim().is_empty();
        let hides = element.attribute("aria-hidden") == Some("true");
        is_named[at] = !hides
            && (element.attributes.iter().any(has_name)
                || element.attribute("alt").is_some_and(|alt| !alt.trim().is_empty())
                || matches!(element.tag.as_str(), "iframe" | "input" | "object" | "video")
                || element.children.iter().any(|child| match child {
                    Child::Text(text) => !text.trim().is_empty(),
                    Child::Element(child) => is_named[child.0],
                }));
        if element.tag == "a" && !is_named[at] && !hides {
            let name = element.attribute("href").and_then(name_of_target);
            if let Some(value) = name.filter(|_| is_seen(element)) {
                is_named[at] = true;
                elements[at].attributes.push(Attribute { name: "aria-label".to_owned(), value });
            }
        }
    }
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
