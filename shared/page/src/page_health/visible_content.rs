//! Counts the visible content of a page without scripts.

use super::captcha_widgets::captcha_widget;
use super::sign_in_signatures::{is_about_signing_in, is_sign_in_link};
use crate::dom::categories::is_embedded;
use crate::dom::{Document, Element, NodeId};

/// Counts of the visible part of a document.
#[derive(Debug, Default)]
pub(super) struct VisibleContent {
    /// The title, white space collapsed, lower case.
    pub(super) title: String,
    /// The visible text, white space collapsed; at most [`MAX_TEXT_BYTES`] bytes of it.
    pub(super) text: String,
    /// Elements in the body.
    pub(super) elements: usize,
    pub(super) links: usize,
    /// Images, videos, frames: visible content without text.
    pub(super) media: usize,
    /// Headings, paragraphs, lists, tables, form fields.
    pub(super) content_elements: usize,
    pub(super) password_fields: usize,
    /// A password field in the page's header, navigation or footer, which is typical of pages with other content.
    pub(super) password_in_margin: bool,
    /// A field for a new password, as sign-up forms have.
    pub(super) new_password: bool,
    /// A heading after a password field: the page has more content.
    pub(super) heading_after_password: bool,
    /// Visible form fields and lists, without those of a captcha.
    pub(super) fields: usize,
    /// Fields for a user name or an e-mail address.
    pub(super) identity_fields: usize,
    /// The captcha on the page.
    pub(super) captcha: Option<&'static str>,
    /// The visible text outside of the page's header, navigation and footer; at most [`MAX_LINE_LEN`] bytes of it.
    pub(super) content_text: String,
    /// The first heading, lower case.
    pub(super) heading: String,
    /// The first lines of the text, lower case, with plain apostrophes.
    pub(super) lines: Vec<String>,
    /// Labels of links and buttons outside the margins, lower case.
    pub(super) actions: Vec<String>,
    /// A link to a sign-in page.
    pub(super) links_to_sign_in: bool,
    /// Characters of running text: not in links, labels, buttons, margins or the first heading, and not about signing
    /// in.
    pub(super) prose: usize,
    /// True if anything is visible: text, an image, a field.
    pub(super) shows: bool,
    /// True if styles alone draw an image.
    pub(super) is_painted: bool,
    pub(super) scripts: usize,
    pub(super) stylesheets: usize,
    /// An empty element of the kind that frameworks fill.
    pub(super) empty_mount: bool,
    mounts: usize,
    /// True if `noscript` says that the page needs scripts.
    pub(super) noscript_requires_scripts: bool,
}

const MAX_TEXT_BYTES: usize = 16 * 1_024;

/// Maximum number of mounts that are inspected: pages have one or two, more is an attempt to waste time.
const MAX_MOUNTS: usize = 8;

/// Maximum number of characters of running text of a page without content besides its mount: a copyright line, a
/// loading message.
const MAX_PROSE_AROUND_MOUNT: usize = 60;

/// Maximum number of elements of an empty page; more may be a drawing made of borders and colours.
const MAX_UNPAINTED_ELEMENTS: usize = 10;

/// Ids of elements that frameworks mount into.
const MOUNT_IDS: &[&str] = &[
    "root",
    "app",
    "__next",
    "__nuxt",
    "___gatsby",
    "svelte",
    "react-root",
    "app-root",
    "app-mount",
    "main-app",
    "q-app",
    "application",
    "ember-app",
    "vue-app",
    "reactroot",
    "mount",
    "swagger-ui",
    "redoc-container",
    "redoc",
];

/// Elements that frameworks and viewers replace, by name.
const MOUNT_ELEMENTS: &[&str] =
    &["app-root", "my-app", "redoc", "rapi-doc", "elements-api", "ion-app", "flt-glass-pane"];

impl VisibleContent {
    pub(super) fn from_document(document: &Document) -> Self {
        let mut outline = Self::default();
        for (node, element) in document.elements() {
            outline.count(document, node, element);
        }
        outline.read_text(document);
        outline.is_painted |= outline.elements > MAX_UNPAINTED_ELEMENTS;
        outline
    }

    fn count(&mut self, document: &Document, node: NodeId, element: &Element) {
        let in_body = document.body().is_some_and(|body| node > body);
        self.elements += usize::from(in_body);
        self.scripts += usize::from(element.attr("onload").is_some_and(|code| !code.trim().is_empty()));
        self.is_painted |= element.attr("background").is_some() || element.attr("style").is_some_and(declares_image);
        self.shows |= in_body && is_visible_media(element);
        self.captcha = self.captcha.or_else(|| captcha_widget(element));
        match element.name() {
            "title" if element.in_html() && self.title.is_empty() => {
                self.title = collapse(&document.text_content(node)).to_lowercase();
            }
            "a" => {
                self.links += usize::from(element.href().is_some());
                self.links_to_sign_in |= element.href().is_some_and(is_sign_in_link);
            }
            name if is_media(name) => self.media += 1,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "p" | "li" | "td" | "dt" | "dd" | "pre" | "blockquote"
            | "button" | "label" => self.content_elements += 1,
            "select" | "textarea" => {
                self.content_elements += 1;
                self.fields += usize::from(captcha_widget(element).is_none() && element.attr("hidden").is_none());
            }
            "input" => self.count_input(element),
            "script" => {
                self.scripts += usize::from(is_program(element));
                self.is_painted |= is_program(element) && loads_animation(&document.text_content(node));
            }
            "style" => {
                self.stylesheets += 1;
                self.is_painted |= declares_image(&document.text_content(node));
            }
            "link" => self.stylesheets += usize::from(element.attr_has_token("rel", "stylesheet")),
            "noscript" => self.noscript_requires_scripts |= asks_for_scripts(&document.text_content(node)),
            _ => {}
        }
        if in_body && self.mounts < MAX_MOUNTS && is_app_mount(element) {
            self.mounts += 1;
            self.empty_mount |= shows_nothing(document, node);
        }
    }

    fn count_input(&mut self, element: &Element) {
        let kind = element.attr("type").unwrap_or_default();
        if kind.eq_ignore_ascii_case("hidden") {
            return;
        }
        self.content_elements += 1;
        let is_button = ["submit", "button", "image", "reset"].iter().any(|button| kind.eq_ignore_ascii_case(button));
        if is_button {
            self.add_action(element.attr("value").unwrap_or_default());
            return;
        }
        if captcha_widget(element).is_some() {
            return;
        }
        self.fields += 1;
        self.password_fields += usize::from(kind.eq_ignore_ascii_case("password"));
        self.new_password |= element.attr("autocomplete").is_some_and(|value| value.contains("new-password"));
        self.identity_fields += usize::from(is_identity_field(element, kind));
    }

    /// Reads the visible text line by line, and classifies it.
    fn read_text(&mut self, document: &Document) {
        let Some(body) = document.body() else { return };
        let mut hidden_until = 0;
        let mut reader = ContentReader::default();
        for node in document.descendants(body) {
            if node.index() < hidden_until || self.text.len() > MAX_TEXT_BYTES {
                continue;
            }
            reader.leave(node, self);
            match (document.element(node), document.text(node)) {
                (Some(element), _) if is_invisible(element) => hidden_until = document.subtree_end(node),
                (Some(element), _) => reader.open_element(element, document.subtree_end(node), self),
                (None, Some(text)) => reader.add_text(text, self),
                _ => {}
            }
        }
        reader.end_line(self);
        reader.end_action(self);
    }

    fn add_action(&mut self, label: &str) {
        let label = collapse(label).to_lowercase();
        if !label.is_empty() && self.actions.len() < MAX_LINES {
            self.actions.push(label);
        }
    }

    /// Returns the number of letters and digits: punctuation and icon characters do not count as content.
    pub(super) fn count_letters(&self) -> usize {
        self.text.chars().filter(|c| c.is_alphanumeric()).count()
    }

    /// Returns true if the page has so little content that it could be a challenge, which has a sentence or two and few
    /// links.
    pub(super) fn has_little_text(&self) -> bool {
        self.count_letters() < 1_500 && self.elements < 200 && self.links <= 20
    }

    /// Returns true if nothing is visible, and no script could change that.
    pub(super) fn is_empty(&self) -> bool {
        self.scripts == 0 && self.is_blank()
    }

    /// Returns true if nothing is visible now.
    pub(super) fn is_blank(&self) -> bool {
        !self.shows && !self.is_painted
    }

    /// Returns true if the page consists of an empty mount or a loading message.
    pub(super) fn is_loading_shell(&self) -> bool {
        if self.empty_mount && !self.shows && self.scripts > 0 {
            return true;
        }
        self.media == 0 && self.fields == 0 && self.scripts > 0 && is_loading_message(&self.text)
    }

    /// Returns true if nothing but a loading message is between the page's header and footer.
    fn content_is_loading(&self) -> bool {
        self.media < 6 && self.fields < 3 && is_loading_message(&self.content_text)
    }

    /// Returns true for a client-rendered page: almost no visible content, scripts, and a sign that the
    /// content depends on them.
    pub(super) fn is_shell(&self) -> bool {
        if self.scripts == 0 {
            return false;
        }
        let letters = self.count_letters();
        let shows_nothing = letters == 0 && self.media == 0 && self.content_elements == 0;
        let shows_little = letters < 200 && self.content_elements < 6 && self.links < 6 && self.media < 6;
        // Even with long navigation the content is missing.
        let only_frame = self.empty_mount && self.prose < MAX_PROSE_AROUND_MOUNT && self.media < 6 && self.fields < 3;
        let asks = self.empty_mount || self.noscript_requires_scripts;
        self.is_blank() || shows_nothing || only_frame || (shows_little && asks) || self.content_is_loading()
    }
}

/// Text in links, buttons and labels: short by nature, and no sign of content.
const LABEL: u8 = 1;
/// Text in the page's header, navigation or footer.
const MARGIN: u8 = 2;
/// Text in the navigation or footer, which is the same on every page.
const FRAME: u8 = 4;
const FIRST_HEADING: u8 = 8;
/// Text of one link or button.
const ACTION: u8 = 16;

/// Maximum number of first lines and of actions; content after them rules out a challenge.
const MAX_LINES: usize = 40;
const MAX_LINE_LEN: usize = 400;

/// The state of reading the text.
#[derive(Default)]
struct ContentReader {
    /// The open elements that matter: their end, the kind of their text, and true if they form separate lines.
    open: Vec<(usize, u8, bool)>,
    line: String,
    prose: String,
    action: String,
    seen_heading: bool,
    seen_password: bool,
}

impl ContentReader {
    fn kind(&self) -> u8 {
        self.open.last().map_or(0, |(_, kind, _)| *kind)
    }

    fn open_element(&mut self, element: &Element, end: usize, outline: &mut VisibleContent) {
        let name = element.name();
        let own = match name {
            "a" | "button" => LABEL | ACTION,
            "label" | "legend" | "option" => LABEL,
            "nav" | "footer" => MARGIN | FRAME,
            "header" => MARGIN,
            "h1" | "h2" | "h3" if !self.seen_heading => FIRST_HEADING,
            _ => 0,
        };
        if matches!(name, "h1" | "h2" | "h3") {
            self.seen_heading = true;
            outline.heading_after_password |= self.seen_password;
        }
        if element.is_html("input") && element.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("password")) {
            self.seen_password = true;
            outline.password_in_margin |= self.kind() & MARGIN != 0;
        }
        let is_line = is_line(name);
        if is_line {
            self.end_line(outline);
        }
        if own & ACTION != 0 {
            self.end_action(outline);
        }
        if own != 0 || is_line {
            self.open.push((end, self.kind() | own, is_line));
        }
    }

    /// Closes the elements that end before the node.
    fn leave(&mut self, node: NodeId, outline: &mut VisibleContent) {
        while let Some((_, kind, is_line)) = self.open.pop_if(|(end, ..)| *end <= node.index()) {
            if is_line {
                self.end_line(outline);
            }
            if kind & ACTION != 0 && self.kind() & ACTION == 0 {
                self.end_action(outline);
            }
        }
    }

    fn add_text(&mut self, text: &str, outline: &mut VisibleContent) {
        let kind = self.kind();
        for word in text.split_whitespace() {
            outline.text.push_str(word);
            outline.text.push(' ');
            outline.shows |= word.chars().any(|c| !c.is_control() && !is_zero_width(c));
            add_word(&mut self.line, word);
            if kind & (LABEL | FRAME | FIRST_HEADING) == 0 {
                add_word(&mut self.prose, word);
            }
            if kind & MARGIN == 0 {
                add_word(&mut outline.content_text, word);
            }
            if kind & FIRST_HEADING != 0 && outline.heading.len() < MAX_LINE_LEN {
                add_word(&mut outline.heading, &word.to_lowercase());
            }
            if kind & ACTION != 0 && kind & MARGIN == 0 {
                add_word(&mut self.action, word);
            }
        }
    }

    fn end_line(&mut self, outline: &mut VisibleContent) {
        let prose = std::mem::take(&mut self.prose).to_lowercase();
        if !is_about_signing_in(&prose) {
            outline.prose += prose.chars().filter(|c| c.is_alphanumeric()).count();
        }
        let line = std::mem::take(&mut self.line).to_lowercase().replace('’', "'");
        if !line.is_empty() && outline.lines.len() < MAX_LINES {
            outline.lines.push(line);
        }
    }

    fn end_action(&mut self, outline: &mut VisibleContent) {
        outline.add_action(&std::mem::take(&mut self.action));
    }
}

/// Returns true if a text says no more than that something loads.
fn is_loading_message(text: &str) -> bool {
    const LOADING_WORDS: &[&str] = &["loading", "loading app", "loading application", "loading content", "please wait"];
    let says = text.trim().trim_end_matches(['.', '…', ' ']).to_lowercase();
    LOADING_WORDS.contains(&says.as_str())
}

fn add_word(line: &mut String, word: &str) {
    if line.len() < MAX_LINE_LEN {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
}

fn is_line(name: &str) -> bool {
    !matches!(
        name,
        "a" | "abbr"
            | "b"
            | "bdi"
            | "bdo"
            | "cite"
            | "code"
            | "em"
            | "font"
            | "i"
            | "kbd"
            | "mark"
            | "q"
            | "s"
            | "small"
            | "span"
            | "strong"
            | "sub"
            | "sup"
            | "time"
            | "tt"
            | "u"
            | "var"
            | "wbr"
    )
}

fn is_zero_width(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// Returns true for embedded content and frames; formulas are text.
fn is_media(name: &str) -> bool {
    name == "frame" || (is_embedded(name) && name != "math")
}

/// Returns true for elements that are visible without text. Images of one pixel are visitor counters and do not count.
fn is_visible_media(element: &Element) -> bool {
    let style = element.attr("style").unwrap_or_default().to_ascii_lowercase().replace(' ', "");
    if element.attr("hidden").is_some() || style.contains("display:none") {
        return false;
    }
    match element.name() {
        name if is_media(name) && name != "picture" => !(element.is_tiny("width") || element.is_tiny("height")),
        "select" | "textarea" | "button" | "progress" | "meter" => true,
        "input" => !element.attr("type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden")),
        // A viewer's element, named by its library; or one that an animation player finds by its attribute.
        name => (name.contains('-') && element.attr("src").is_some()) || plays_animation(element),
    }
}

/// Returns true if a script shows a Lottie animation, as opposed to being the player.
fn loads_animation(script: &str) -> bool {
    script.contains("loadAnimation(") && !script.contains("function loadAnimation(")
}

/// Returns true if a Lottie player shows an animation in the element.
fn plays_animation(element: &Element) -> bool {
    ["data-bm-path", "data-animation-path"].into_iter().any(|name| element.attr(name).is_some())
        || element.attr("data-animation-type").is_some_and(|kind| kind.eq_ignore_ascii_case("lottie"))
}

/// Returns true if declarations or rules set an image or gradient as a background.
fn declares_image(css: &str) -> bool {
    let css = css.to_ascii_lowercase();
    let is_picture = |text: &str| {
        text.trim_start().starts_with("background") && (text.contains("url(") || text.contains("gradient("))
    };
    css.split(['{', ';']).any(is_picture)
}

fn is_identity_field(element: &Element, kind: &str) -> bool {
    const IDENTITY_WORDS: &[&str] = &["user", "mail", "login", "identifier", "account", "phone"];
    let names = |name| {
        element.attr(name).is_some_and(|value| {
            let value = value.to_ascii_lowercase();
            IDENTITY_WORDS.iter().any(|word| value.contains(word))
        })
    };
    kind.eq_ignore_ascii_case("email") || ["name", "id", "autocomplete"].into_iter().any(names)
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true for a script that runs, as opposed to a data block.
fn is_program(element: &Element) -> bool {
    let kind = element.attr("type").unwrap_or_default();
    kind.is_empty() || kind.eq_ignore_ascii_case("module") || kind.to_ascii_lowercase().contains("javascript")
}

fn is_invisible(element: &Element) -> bool {
    let by_name =
        matches!(element.name(), "script" | "style" | "noscript" | "template" | "title" | "desc" | "datalist");
    by_name || element.attr("hidden").is_some()
}

fn asks_for_scripts(noscript: &str) -> bool {
    let text = noscript.to_lowercase();
    let wants =
        ["enable", "need", "require", "activate", "turn on", "work", "aktivier", "activer", "activar", "habilit"];
    text.contains("javascript") && wants.iter().any(|word| text.contains(word))
}

fn is_app_mount(element: &Element) -> bool {
    if !element.in_html() {
        return false;
    }
    let by_id = || element.id().is_some_and(|id| MOUNT_IDS.iter().any(|known| known.eq_ignore_ascii_case(id)));
    MOUNT_ELEMENTS.contains(&element.name()) || element.attr("ng-version").is_some() || by_id()
}

/// Returns true if a mount is empty or contains only a loading message (a spinner made of empty elements counts as
/// empty).
fn shows_nothing(document: &Document, mount: NodeId) -> bool {
    const SHORT: usize = 20;
    const MAX_TEXT_LEN: usize = 80;
    let (mut text, mut has_block, mut hidden_until) = (String::new(), false, 0);
    for node in document.descendants(mount) {
        if node.index() < hidden_until {
            continue;
        }
        for word in document.text(node).into_iter().flat_map(str::split_whitespace) {
            add_word(&mut text, word);
        }
        if text.len() > MAX_TEXT_LEN {
            return false;
        }
        match document.element(node) {
            Some(element) if is_invisible(element) => hidden_until = document.subtree_end(node),
            Some(element) => match element.name() {
                "a" | "form" | "table" | "li" | "video" => return false,
                "h1" | "h2" | "p" => has_block = true,
                _ => {}
            },
            None => {}
        }
    }
    let letters = text.chars().filter(|c| c.is_alphanumeric()).count();
    (letters <= SHORT && !has_block) || (letters > 0 && is_loading_text(&text))
}

/// Loading messages, in the most common languages of pages.
const LOADING_PHRASES: &[&str] = &[
    "loading",
    "please wait",
    "one moment",
    "initializing",
    "initialising",
    "wird geladen",
    "wird gestartet",
    "bitte warten",
    "chargement",
    "cargando",
    "carregando",
    "caricamento",
    "загрузка",
    "yükleniyor",
    "读取中",
    "加载中",
    "読み込み中",
];

fn is_loading_text(text: &str) -> bool {
    let text = text.to_lowercase();
    LOADING_PHRASES.iter().any(|waiting| {
        text.match_indices(waiting).any(|(at, found)| {
            let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() || !c.is_ascii());
            is_edge(text[..at].chars().next_back()) && is_edge(text[at + found.len()..].chars().next())
        })
    })
}
