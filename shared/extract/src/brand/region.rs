//! Finds the page region of each element, by landmarks and by the names in classes and ids.

use super::ending::ending;
use super::walls;
use super::words::{any_of, words};
use crate::PageView;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::layout::Boxes;
use std::cell::RefCell;
use std::collections::HashMap;

/// A set of region flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks(u16);

impl Marks {
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
    pub(super) const ALIEN: Self =
        Self(Self::FOREIGN.0 | Self::CODE.0 | Self::CUSTOMERS.0 | Self::PLATFORM.0 | Self::SHARE.0);

    pub(super) fn has_any(self, marks: Self) -> bool {
        self.0 & marks.0 != 0
    }

    fn with(self, marks: Self) -> Self {
        Self(self.0 | marks.0)
    }

    fn with_if(self, condition: bool, marks: Self) -> Self {
        if condition { self.with(marks) } else { self }
    }
}

/// The flags of every node; an element inherits those of its ancestors.
pub(super) struct Regions {
    marks: Vec<Marks>,
}

impl Regions {
    pub(super) fn of(view: &PageView<'_>, boxes: &Boxes) -> Self {
        let document = &view.document;
        let host = view.url.host_str().map(words).unwrap_or_default();
        let walls = walls::customer_walls(document);
        let code = document.elements().filter(|(_, element)| is_code(element)).map(|(node, _)| node).collect();
        let reader = Reader { document, boxes, host, walls, code, known: RefCell::default() };
        let mut marks = vec![Marks::default(); document.len()];
        for node in document.descendants(document.root()) {
            let inherited = document.parent(node).map_or(Marks::default(), |parent| marks[parent.index()]);
            let own = document.element(node).map(|element| reader.read(node, element, inherited));
            marks[node.index()] = own.unwrap_or(inherited);
        }
        if !marks.iter().any(|marks| marks.has_any(Marks::FOOTER))
            && let Some(block) = ending(document, boxes)
        {
            for node in std::iter::once(block).chain(document.descendants(block)) {
                marks[node.index()] = marks[node.index()].with(Marks::FOOTER);
            }
        }
        Self { marks }
    }

    pub(super) fn get(&self, node: NodeId) -> Marks {
        self.marks.get(node.index()).copied().unwrap_or_default()
    }
}

struct Reader<'a> {
    document: &'a Document,
    boxes: &'a Boxes,
    /// The flags of names that were already read.
    known: RefCell<HashMap<String, Name>>,
    /// The words of the page's host: a platform's own pages are not flagged as that platform's.
    host: Vec<String>,
    /// Elements that contain customers' logos, sorted.
    walls: Vec<NodeId>,
    /// Elements of code, in document order.
    code: Vec<NodeId>,
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
struct Name {
    /// Flags that hold in any region.
    always: Marks,
    heads: bool,
    foots: bool,
    lists_customers: bool,
    /// True if it names a highlighter, which counts if the element contains code.
    highlights: bool,
}

impl Name {
    fn read(words: &[String], host: &[String]) -> Self {
        let last = words.last().map(String::as_str).unwrap_or_default();
        let is_part = any_of(words, PARTS);
        let platform = words.iter().any(|word| PLATFORMS.contains(&word.as_str()) && !host.contains(word));
        let wears_it = any_of(words, &["btn", "button", "bg", "login", "signin", "signup", "oauth"]);
        let always = Marks::default()
            .with_if(any_of(words, CONSENT) || any_of(words, WIDGETS), Marks::FOREIGN)
            .with_if(any_of(words, HIGHLIGHTED), Marks::CODE)
            .with_if(says_how_it_went(words), Marks::STATE)
            .with_if(platform && wears_it, Marks::PLATFORM)
            .with_if(any_of(words, SHARING), Marks::SHARE)
            .with_if(any_of(words, SOCIAL), Marks::SOCIAL)
            .with_if(any_of(words, LOGO), Marks::LOGO);
        Self {
            always,
            heads: HEADERS.contains(&last) && !is_part,
            foots: FOOTERS.contains(&last) && !is_part,
            lists_customers: any_of(words, CUSTOMERS),
            highlights: any_of(words, HIGHLIGHTS),
        }
    }
}

impl Reader<'_> {
    fn read(&self, node: NodeId, element: &Element, inherited: Marks) -> Marks {
        let mut marks = inherited;
        if element.in_svg() {
            marks = marks.with(Marks::SVG);
        }
        if inherited.has_any(Marks::SVG) {
            return marks;
        }
        if element.in_html() {
            marks = self.by_name(node, element, marks);
        }
        marks = marks.with_if(self.walls.binary_search(&node).is_ok(), Marks::CUSTOMERS);
        marks = marks.with_if(self.is_listing(node, element), Marks::CODE);
        self.by_class(node, element, marks)
    }

    fn by_name(&self, node: NodeId, element: &Element, marks: Marks) -> Marks {
        let role = element.attr("role").unwrap_or_default().trim();
        let in_section = marks.has_any(Marks::SECTION);
        let in_footer = marks.has_any(Marks::FOOTER);
        match element.name() {
            "header" if !in_section && !in_footer => marks.with(Marks::HEADER),
            "footer" if !in_section => marks.with(Marks::FOOTER),
            "nav" => marks.with(Marks::NAV).with_if(!in_section && !in_footer && self.is_at_top(node), Marks::HEADER),
            "article" | "section" | "aside" | "li" | "table" | "dialog" | "blockquote" | "figure"
                if !marks.has_any(Marks(Marks::HEADER.0 | Marks::FOOTER.0 | Marks::NAV.0)) =>
            {
                marks.with(Marks::SECTION)
            }
            _ if is_code(element) => marks.with(Marks::CODE),
            "iframe" | "video" | "audio" | "object" | "embed" | "canvas" => marks.with(Marks::FOREIGN),
            "a" if element.attr("href").is_some() => marks.with(Marks::LINK),
            _ => match role {
                "banner" => marks.with(Marks::HEADER),
                "contentinfo" => marks.with(Marks::FOOTER),
                "navigation" => marks.with(Marks::NAV),
                "alert" | "status" => marks.with(Marks::STATE),
                _ => marks,
            },
        }
    }

    fn by_class(&self, node: NodeId, element: &Element, marks: Marks) -> Marks {
        let names = element.id().into_iter().chain(element.classes()).take(24);
        // Classes of the page's root describe the page as a whole.
        let is_root = element.is_html("html") || element.is_html("body");
        let label = element.attr("aria-label").filter(|_| !is_root).map(words).unwrap_or_default();
        let mut marks = marks.with_if(any_of(&label, SOCIAL) && !any_of(&label, SHARING), Marks::SOCIAL);
        if is_root {
            return marks;
        }
        for name in names {
            marks = self.by_name_of(node, self.name(name), marks);
        }
        marks
    }

    /// Returns the meaning of a class or id; pages repeat few of them many times.
    fn name(&self, name: &str) -> Name {
        if let Some(known) = self.known.borrow().get(name) {
            return *known;
        }
        let read = Name::read(&words(name), &self.host);
        self.known.borrow_mut().insert(name.to_owned(), read);
        read
    }

    fn by_name_of(&self, node: NodeId, name: Name, marks: Marks) -> Marks {
        let in_section = marks.has_any(Marks::SECTION);
        let in_footer = marks.has_any(Marks::FOOTER);
        // A container with `with-header`, or with `sticky-footer`, is neither.
        let heads = name.heads && !in_section && !in_footer && self.is_at_top(node) && !self.is_page(node);
        let foots = name.foots && !in_section && !self.is_page(node);
        let lists_customers = name.lists_customers && !marks.has_any(Marks::HEADER);
        marks
            .with(name.always)
            .with_if(lists_customers, Marks::CUSTOMERS)
            .with_if(name.highlights && self.holds_code(node), Marks::CODE)
            .with_if(heads, Marks::HEADER)
            .with_if(foots, Marks::FOOTER)
    }

    /// Returns true for a code listing of Doxygen: `div.fragment` with `div.line`, without `pre` or `code`.
    fn is_listing(&self, node: NodeId, element: &Element) -> bool {
        let has =
            |element: &Element, class: &str| element.is_html("div") && element.classes().iter().any(|own| own == class);
        let first = || self.document.children(node).find_map(|child| self.document.element(child));
        has(element, "fragment") && first().is_some_and(|first| has(first, "line"))
    }

    /// Returns true if an element contains code.
    fn holds_code(&self, node: NodeId) -> bool {
        let next = self.code.get(self.code.partition_point(|code| *code <= node));
        next.is_some_and(|code| self.document.is_inside(*code, node))
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
fn says_how_it_went(words: &[String]) -> bool {
    let of_message = any_of(words, STATES_OF_MESSAGES) && (any_of(words, MESSAGES) || words == ["success"]);
    any_of(words, STATES) || of_message
}

/// Returns true if a name belongs to third-party content or to a status message.
pub(super) fn is_somebody_elses(words: &[String]) -> bool {
    let lists = [CONSENT, WIDGETS, HIGHLIGHTS, HIGHLIGHTED, CUSTOMERS, SHARING, PLATFORMS];
    lists.iter().any(|list| any_of(words, list)) || says_how_it_went(words)
}

/// Minimum height in CSS pixels from which an element that starts at the top is the page instead of a bar.
const PAGE_HEIGHT: f32 = 600.0;
