//! Finds the page region of each element, by landmarks and by the names in classes and ids.

use super::customer_logos;
use super::implicit_footer::find_implicit_footer;
use super::name_tokens::{contains_any, split_words};
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_page_view::PageView;
use limner_style::layout::{Boxes, Rect};
use std::cell::RefCell;
use std::collections::HashMap;

/// A set of region flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RegionFlags(u16);

impl RegionFlags {
    /// The site's header.
    pub(super) const HEADER: Self = Self(1);
    /// Navigation.
    pub(super) const NAV: Self = Self(1 << 1);
    /// The site's footer.
    pub(super) const FOOTER: Self = Self(1 << 2);
    /// An article, list item or section: a header in it belongs to the section.
    pub(super) const SECTION: Self = Self(1 << 3);
    /// Third-party content: cookie banner, chat, player, advertisement.
    pub(super) const FOREIGN: Self = Self(1 << 4);
    /// Code, which has the colours of a highlighter.
    pub(super) const CODE: Self = Self(1 << 5);
    /// Logos of customers, partners, the press.
    pub(super) const CUSTOMERS: Self = Self(1 << 6);
    /// A status message: error, success, warning.
    pub(super) const STATE: Self = Self(1 << 7);
    /// Painted in the colour of another site: a button that signs in with it or shares to it.
    pub(super) const PLATFORM: Self = Self(1 << 8);
    /// A list of the site's own profiles.
    pub(super) const SOCIAL: Self = Self(1 << 9);
    /// Buttons that share the page.
    pub(super) const SHARE: Self = Self(1 << 10);
    /// Inside a link.
    pub(super) const LINK: Self = Self(1 << 11);
    /// Its name contains "logo" or "brand".
    pub(super) const LOGO: Self = Self(1 << 12);
    /// Inside an SVG.
    pub(super) const SVG: Self = Self(1 << 13);

    /// Content that does not show the site's design.
    pub(super) const NOT_SITE: Self =
        Self(Self::FOREIGN.0 | Self::CODE.0 | Self::CUSTOMERS.0 | Self::PLATFORM.0 | Self::SHARE.0);

    pub(super) fn has_any(self, marks: Self) -> bool {
        self.0 & marks.0 != 0
    }

    pub(super) const fn union(self, marks: Self) -> Self {
        Self(self.0 | marks.0)
    }

    fn union_if(self, condition: bool, marks: Self) -> Self {
        if condition { self.union(marks) } else { self }
    }
}

/// The flags of every node; an element inherits those of its ancestors.
pub(super) struct RegionMap {
    flags: Vec<RegionFlags>,
}

impl RegionMap {
    /// Reads the regions of a page with those boxes and those consent banners, which are sorted.
    pub(super) fn from_page(view: &PageView<'_>, boxes: &Boxes, banners: &[NodeId]) -> Self {
        let document = &view.document;
        let host = view.url.host_str().map(split_words).unwrap_or_default();
        let walls = customer_logos::customer_walls(document);
        let code = document.elements().filter(|(_, element)| is_code(element)).map(|(node, _)| node).collect();
        let navigations = document.elements_named("nav").map(|(node, _)| node).collect();
        let verdicts = RefCell::default();
        let reader = RegionReader { document, boxes, host, walls, banners, code, navigations, verdicts };
        let mut flags = vec![RegionFlags::default(); document.len()];
        for node in document.descendants(document.root()) {
            let inherited = document.parent(node).map_or(RegionFlags::default(), |parent| flags[parent.index()]);
            let own = document.element(node).map(|element| reader.element_flags(node, element, inherited));
            flags[node.index()] = own.unwrap_or(inherited);
        }
        if !flags.iter().any(|marks| marks.has_any(RegionFlags::FOOTER))
            && let Some(block) = find_implicit_footer(document, boxes)
        {
            for node in std::iter::once(block).chain(document.descendants(block)) {
                flags[node.index()] = flags[node.index()].union(RegionFlags::FOOTER);
            }
        }
        Self { flags }
    }

    pub(super) fn get(&self, node: NodeId) -> RegionFlags {
        self.flags.get(node.index()).copied().unwrap_or_default()
    }
}

struct RegionReader<'a> {
    document: &'a Document,
    boxes: &'a Boxes,
    /// The flags of names that were already read.
    verdicts: RefCell<HashMap<String, NameVerdict>>,
    /// The words of the page's host: a platform's own pages are not flagged as that platform's.
    host: Vec<String>,
    /// Elements that contain customers' logos, sorted.
    walls: Vec<NodeId>,
    /// Consent banners that have no name, sorted.
    banners: &'a [NodeId],
    /// Elements of code, in document order.
    code: Vec<NodeId>,
    /// `nav` elements, in document order.
    navigations: Vec<NodeId>,
}

fn is_code(element: &Element) -> bool {
    element.in_html() && matches!(element.name(), "pre" | "code" | "kbd" | "samp")
}

/// Words of consent dialogs, by product and by plain name.
const CONSENT: &[&str] = &[
    "cookie",
    "cookies",
    "cookiebar",
    "cookiebot",
    "cookiebanner",
    "cookieconsent",
    "consent",
    "gdpr",
    "ccpa",
    "onetrust",
    "usercentrics",
    "didomi",
    "osano",
    "truste",
    "trustarc",
    "klaro",
    "termly",
    "iubenda",
    "cky",
    "cmplz",
    "axeptio",
    "tarteaucitron",
    "quantcast",
    "cybotcookiebotdialog",
    "cookielaw",
];
/// Words of third-party widgets.
const WIDGETS: &[&str] = &[
    "intercom",
    "crisp",
    "zendesk",
    "livechat",
    "tawk",
    "hubspot",
    "freshchat",
    "tidio",
    "smartsupp",
    "gorgias",
    "userlike",
    "olark",
    "klaviyo",
    "omnisend",
    "optinmonster",
    "privy",
    "trustindex",
    "disqus",
    "recaptcha",
    "grecaptcha",
    "hcaptcha",
    "turnstile",
    "trustpilot",
    "yotpo",
    "klarna",
    "paypal",
    "calendly",
    "typeform",
    "carbonads",
    "adsbygoogle",
    "advert",
    "advertisement",
    "adsense",
    "taboola",
    "outbrain",
    "mejs",
    "mejs4",
    "plyr",
    "vjs",
    "jwplayer",
    "flowplayer",
    "fancybox",
    "lightbox",
    "leaflet",
    "mapboxgl",
    "gmap",
    "katex",
    "mathjax",
    "debugbar",
];
/// Words of highlighters that have another meaning as well: they only count on elements that contain code.
const HIGHLIGHTS: &[&str] = &["highlight", "prism", "chroma", "rouge"];
/// Words of highlighted code.
const HIGHLIGHTED: &[&str] = &[
    "hljs",
    "codehilite",
    "shiki",
    "codemirror",
    "monaco",
    "syntaxhighlighter",
    "prettyprint",
    "codeblock",
    "sourcecode",
    "terminal",
];
/// Words of customer logo lists.
const CUSTOMERS: &[&str] = &[
    "clients",
    "client",
    "customers",
    "partners",
    "partner",
    "sponsors",
    "sponsor",
    "logos",
    "logowall",
    "logocloud",
    "trusted",
    "trustedby",
    "investors",
    "backers",
    "press",
    "awards",
    "supporters",
    "integrations",
    "brands",
];
/// Words of status messages.
const STATES: &[&str] =
    &["danger", "error", "errors", "invalid", "warning", "warn", "alert", "alerts", "toast", "deprecated"];
/// Words of status messages if combined with one of [`MESSAGES`]: `alert-info` is a message, `contact-info` is not.
const STATES_OF_MESSAGES: &[&str] = &["info", "success", "positive", "negative"];
const MESSAGES: &[&str] = &[
    "alert",
    "message",
    "msg",
    "notice",
    "notification",
    "note",
    "badge",
    "label",
    "tag",
    "chip",
    "callout",
    "admonition",
    "toast",
    "btn",
    "button",
    "text",
    "bg",
    "table",
    "panel",
    "status",
    "flash",
    "snackbar",
    "is",
    "has",
];
const SOCIAL: &[&str] =
    &["social", "socials", "socialmedia", "socialicons", "sociallinks", "follow", "followus", "sns"];
const SHARING: &[&str] =
    &["share", "sharing", "sharer", "shares", "sharebar", "sharethis", "addtoany", "a2a", "addthis", "socialshare"];
/// Platforms whose buttons have the platform's colours on every site.
const PLATFORMS: &[&str] = &[
    "facebook",
    "twitter",
    "linkedin",
    "whatsapp",
    "pinterest",
    "youtube",
    "instagram",
    "telegram",
    "reddit",
    "vk",
    "github",
    "google",
    "apple",
    "microsoft",
    "slack",
    "discord",
    "tiktok",
    "snapchat",
    "tumblr",
    "xing",
];
const LOGO: &[&str] = &["logo", "logotype", "logomark", "wordmark", "brand", "branding", "brandmark", "sitelogo"];
const HEADERS: &[&str] = &["header", "navbar", "topbar", "masthead", "appbar", "topnav", "siteheader", "banner"];
/// Words of navigations, if they are bars at the top.
const NAVIGATIONS: &[&str] = &["nav", "navigation", "menubar"];
const FOOTERS: &[&str] = &["footer", "foot", "colophon", "sitefooter", "bottombar"];
/// Page parts that have headers or footers which are not the site's.
const PARTS: &[&str] = &[
    "card",
    "modal",
    "section",
    "panel",
    "table",
    "accordion",
    "list",
    "entry",
    "post",
    "article",
    "widget",
    "dialog",
    "sidebar",
    "column",
    "cell",
    "group",
    "item",
    "form",
    "step",
    "tab",
    "tabs",
    "product",
    "comment",
    "popup",
    "drawer",
    "dropdown",
    "box",
    "block",
    "thead",
    "heading",
    "code",
    "subheader",
    "placeholder",
    "text",
    "ad",
    "cookie",
];

/// The meaning of a class name or an id.
#[derive(Debug, Clone, Copy, Default)]
struct NameVerdict {
    /// Flags that hold in any region.
    always: RegionFlags,
    heads: bool,
    navigates: bool,
    foots: bool,
    lists_customers: bool,
    /// True if it names a highlighter, which counts if the element contains code.
    highlights: bool,
}

/// Returns true for the name of a footer that says which of a template's looks it has: `home-one-footer-style`,
/// `footer-section`, `footer-2`.
fn is_footer_of_template(words: &[String]) -> bool {
    const LOOKS: &[&str] = &["style", "section", "dark", "light", "main", "one", "two", "three", "v1", "v2", "v3"];
    let is_look = |word: &String| LOOKS.contains(&word.as_str()) || word.bytes().all(|byte| byte.is_ascii_digit());
    let Some((last, before)) = words.split_last() else { return false };
    is_look(last) && before.last().is_some_and(|word| FOOTERS.contains(&word.as_str()))
}

impl NameVerdict {
    fn classify(words: &[String], host: &[String]) -> Self {
        let last = words.last().map(String::as_str).unwrap_or_default();
        let last_two = words[words.len().saturating_sub(2)..].concat();
        let is_part = contains_any(words, PARTS);
        let platform = words.iter().any(|word| PLATFORMS.contains(&word.as_str()) && !host.contains(word));
        // `noLightbox` keeps a widget away.
        let is_negated = words.first().is_some_and(|word| word == "no");
        let wears_it = contains_any(words, &["btn", "button", "bg", "login", "signin", "signup", "oauth"]);
        let always = RegionFlags::default()
            .union_if(
                !is_negated && (contains_any(words, CONSENT) || contains_any(words, WIDGETS)),
                RegionFlags::FOREIGN,
            )
            .union_if(contains_any(words, HIGHLIGHTED), RegionFlags::CODE)
            .union_if(is_status_message(words), RegionFlags::STATE)
            .union_if(platform && wears_it, RegionFlags::PLATFORM)
            .union_if(contains_any(words, SHARING), RegionFlags::SHARE)
            .union_if(contains_any(words, SOCIAL), RegionFlags::SOCIAL)
            .union_if(contains_any(words, LOGO), RegionFlags::LOGO);
        Self {
            always,
            heads: (HEADERS.contains(&last) || HEADERS.contains(&last_two.as_str())) && !is_part,
            navigates: NAVIGATIONS.contains(&last) && !is_part,
            foots: (FOOTERS.contains(&last) && !is_part) || is_footer_of_template(words),
            lists_customers: contains_any(words, CUSTOMERS),
            highlights: contains_any(words, HIGHLIGHTS),
        }
    }
}

impl RegionReader<'_> {
    fn element_flags(&self, node: NodeId, element: &Element, inherited: RegionFlags) -> RegionFlags {
        let mut marks = inherited;
        if element.in_svg() {
            marks = marks.union(RegionFlags::SVG);
        }
        if inherited.has_any(RegionFlags::SVG) {
            return marks;
        }
        if element.in_html() {
            marks = self.flags_by_tag(node, element, marks);
        }
        marks = marks.union_if(self.walls.binary_search(&node).is_ok(), RegionFlags::CUSTOMERS);
        marks = marks.union_if(self.banners.binary_search(&node).is_ok(), RegionFlags::FOREIGN);
        marks = marks.union_if(self.is_listing(node, element), RegionFlags::CODE);
        let is_section = element.is_html("section") && !inherited.has_any(RegionFlags::SECTION);
        self.flags_by_class(node, element, is_section, marks)
    }

    fn flags_by_tag(&self, node: NodeId, element: &Element, marks: RegionFlags) -> RegionFlags {
        let role = element.attr("role").unwrap_or_default().trim();
        let in_section = marks.has_any(RegionFlags::SECTION);
        let in_footer = marks.has_any(RegionFlags::FOOTER);
        match element.name() {
            "header" if !in_section && !in_footer => marks.union(RegionFlags::HEADER),
            "footer" if !in_section => marks.union(RegionFlags::FOOTER),
            "nav" => marks
                .union(RegionFlags::NAV)
                .union_if(!in_section && !in_footer && self.is_at_top(node), RegionFlags::HEADER),
            "article" | "section" | "aside" | "li" | "table" | "dialog" | "blockquote" | "figure"
                if !marks.has_any(RegionFlags(RegionFlags::HEADER.0 | RegionFlags::FOOTER.0 | RegionFlags::NAV.0)) =>
            {
                marks.union(RegionFlags::SECTION)
            }
            _ if is_code(element) => marks.union(RegionFlags::CODE),
            "iframe" | "video" | "audio" | "object" | "embed" | "canvas" => marks.union(RegionFlags::FOREIGN),
            "a" if element.attr("href").is_some() => marks.union(RegionFlags::LINK),
            // The bar around the navigation is the header, whatever it is called.
            "div"
                if role.is_empty()
                    && !in_section
                    && !in_footer
                    && self.is_bar(node)
                    && self.contains_navigation(node) =>
            {
                marks.union(RegionFlags::HEADER)
            }
            _ => match role {
                "banner" => marks.union(RegionFlags::HEADER),
                "contentinfo" => marks.union(RegionFlags::FOOTER),
                "navigation" => marks.union(RegionFlags::NAV),
                "alert" | "status" => marks.union(RegionFlags::STATE),
                _ => marks,
            },
        }
    }

    /// Adds the flags of the classes, the id and the label of an element, which may be an outermost `section`.
    fn flags_by_class(&self, node: NodeId, element: &Element, is_section: bool, marks: RegionFlags) -> RegionFlags {
        // Framer's classes are generated; its designers name the layers.
        let layer = element.attr("data-framer-name");
        let own = element.id().into_iter().chain(element.classes()).map(|name| &**name);
        let names = own.chain(layer).take(24);
        // Classes of the page's root describe the page as a whole.
        let is_root = element.is_html("html") || element.is_html("body");
        let label = element.attr("aria-label").filter(|_| !is_root).map(split_words).unwrap_or_default();
        let mut marks =
            marks.union_if(contains_any(&label, SOCIAL) && !contains_any(&label, SHARING), RegionFlags::SOCIAL);
        if is_root {
            return marks;
        }
        for name in names {
            marks = self.flags_by_verdict(node, self.name(name), is_section, marks);
        }
        marks
    }

    /// Returns the meaning of a class or id; pages repeat few of them many times.
    fn name(&self, name: &str) -> NameVerdict {
        if let Some(known) = self.verdicts.borrow().get(name) {
            return *known;
        }
        let read = NameVerdict::classify(&split_words(name), &self.host);
        self.verdicts.borrow_mut().insert(name.to_owned(), read);
        read
    }

    fn flags_by_verdict(&self, node: NodeId, name: NameVerdict, is_section: bool, marks: RegionFlags) -> RegionFlags {
        let in_section = marks.has_any(RegionFlags::SECTION);
        let in_footer = marks.has_any(RegionFlags::FOOTER);
        let is_bar = || (!in_section || is_section) && !in_footer && self.is_bar(node);
        let navigates = name.navigates && is_bar();
        // A container with `with-header`, or with `sticky-footer`, is neither.
        let heads = name.heads && !in_section && !in_footer && self.is_at_top(node) && !self.is_page(node);
        let heads = heads || (name.heads && is_section && is_bar());
        let foots = name.foots && (!in_section || is_section) && !self.is_page(node);
        let lists_customers = name.lists_customers && !marks.has_any(RegionFlags::HEADER);
        marks
            .union(name.always)
            .union_if(lists_customers, RegionFlags::CUSTOMERS)
            .union_if(name.highlights && self.contains_code(node), RegionFlags::CODE)
            .union_if(heads, RegionFlags::HEADER)
            .union_if(navigates, RegionFlags::NAV)
            .union_if(foots, RegionFlags::FOOTER)
    }

    /// Returns true for a code listing of Doxygen: `div.fragment` with `div.line`, without `pre` or `code`.
    fn is_listing(&self, node: NodeId, element: &Element) -> bool {
        let has =
            |element: &Element, class: &str| element.is_html("div") && element.classes().iter().any(|own| own == class);
        let first = || self.document.children(node).find_map(|child| self.document.element(child));
        has(element, "fragment") && first().is_some_and(|first| has(first, "line"))
    }

    /// Returns true if an element contains code.
    fn contains_code(&self, node: NodeId) -> bool {
        self.contains_one_of(&self.code, node)
    }

    fn contains_navigation(&self, node: NodeId) -> bool {
        self.contains_one_of(&self.navigations, node)
    }

    /// Returns true if one of the nodes, which are in document order, is below an element.
    fn contains_one_of(&self, nodes: &[NodeId], node: NodeId) -> bool {
        let next = nodes.get(nodes.partition_point(|inner| *inner <= node));
        next.is_some_and(|inner| self.document.is_inclusive_descendant(*inner, node))
    }

    /// Returns true for a bar across the top of the page.
    fn is_bar(&self, node: NodeId) -> bool {
        let is_bar = |area: Rect| area.y < BAR_HEIGHT && area.height <= BAR_HEIGHT && area.width >= BAR_WIDTH;
        self.boxes.get(node).is_some_and(is_bar)
    }

    /// Returns true if an element contains the page as a whole.
    fn is_page(&self, node: NodeId) -> bool {
        self.boxes.get(node).is_some_and(|area| area.y < 200.0 && area.height >= PAGE_HEIGHT)
    }

    /// Returns true if an element starts in the upper part of the first screen, or if its position is unknown.
    fn is_at_top(&self, node: NodeId) -> bool {
        self.boxes.get(node).is_none_or(|area| area.y < 420.0)
    }
}

/// Returns true for words of a status message.
fn is_status_message(words: &[String]) -> bool {
    let of_message = contains_any(words, STATES_OF_MESSAGES) && (contains_any(words, MESSAGES) || words == ["success"]);
    contains_any(words, STATES) || of_message
}

/// Returns true if a name belongs to third-party content or to a status message.
pub(super) fn is_third_party(words: &[String]) -> bool {
    let lists = [CONSENT, WIDGETS, HIGHLIGHTS, HIGHLIGHTED, CUSTOMERS, SHARING, PLATFORMS];
    lists.iter().any(|list| contains_any(words, list)) || is_status_message(words)
}

/// Maximum height of a bar, and end of the space in which it begins; and minimum width, in CSS pixels.
const BAR_HEIGHT: f32 = 200.0;
const BAR_WIDTH: f32 = 960.0;
/// Minimum height in CSS pixels from which an element that starts at the top is the page instead of a bar.
const PAGE_HEIGHT: f32 = 600.0;
