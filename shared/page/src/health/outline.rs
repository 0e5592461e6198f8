//! How much a page shows without scripts.

use crate::dom::{Document, Element, NodeId};

/// Counts over the part of a document that a visitor sees.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// The title, white space collapsed, lower case.
    pub(super) title: String,
    /// The visible text, white space collapsed; at most [`MOST_TEXT`] bytes of it.
    pub(super) text: String,
    /// Elements in the body.
    pub(super) elements: usize,
    pub(super) links: usize,
    /// Pictures, films, frames: what shows something without a word.
    pub(super) media: usize,
    /// Headings, paragraphs, lists, tables, form fields.
    pub(super) content_elements: usize,
    pub(super) password_fields: usize,
    /// Visible fields and lists to fill in.
    pub(super) fields: usize,
    pub(super) scripts: usize,
    pub(super) sheets: usize,
    /// An element that frameworks fill, found empty.
    pub(super) empty_mount: bool,
    mounts_seen: usize,
    /// `noscript` says that the page needs scripts.
    pub(super) noscript_asks_for_scripts: bool,
}

const MOST_TEXT: usize = 16 * 1_024;

/// Pages have one or two; more is an attempt to keep us busy.
const MOST_MOUNTS: usize = 8;

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

impl Outline {
    pub(super) fn of(document: &Document) -> Self {
        let mut outline = Self::default();
        for (node, element) in document.elements() {
            outline.count(document, node, element);
        }
        outline.collect_text(document);
        outline
    }

    fn count(&mut self, document: &Document, node: NodeId, element: &Element) {
        let in_body = document.body().is_some_and(|body| node > body);
        self.elements += usize::from(in_body);
        match element.name() {
            "title" if element.in_html() && self.title.is_empty() => {
                self.title = collapse(&document.text_content(node)).to_lowercase();
            }
            "a" => self.links += usize::from(element.href().is_some()),
            "img" | "picture" | "video" | "audio" | "canvas" | "iframe" | "frame" | "object" | "embed" | "svg" => {
                self.media += 1;
            }
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "p" | "li" | "td" | "dt" | "dd" | "pre" | "blockquote"
            | "select" | "textarea" | "button" | "label" => self.content_elements += 1,
            "input" => self.count_input(element),
            "script" => self.scripts += usize::from(is_program(element)),
            "style" => self.sheets += 1,
            "link" => self.sheets += usize::from(element.attr_has_token("rel", "stylesheet")),
            "noscript" => self.noscript_asks_for_scripts |= asks_for_scripts(&document.text_content(node)),
            _ => {}
        }
        if in_body && self.mounts_seen < MOST_MOUNTS && is_mount(element) {
            self.mounts_seen += 1;
            self.empty_mount |= shows_nothing(document, node);
        }
    }

    fn count_input(&mut self, element: &Element) {
        let kind = element.attr("type").unwrap_or_default();
        if kind.eq_ignore_ascii_case("hidden") {
            return;
        }
        self.content_elements += 1;
        self.fields += usize::from(!kind.eq_ignore_ascii_case("submit") && !kind.eq_ignore_ascii_case("button"));
        self.password_fields += usize::from(kind.eq_ignore_ascii_case("password"));
    }

    fn collect_text(&mut self, document: &Document) {
        let Some(body) = document.body() else { return };
        let mut hidden_until = 0;
        for node in document.descendants(body) {
            if node.index() < hidden_until || self.text.len() > MOST_TEXT {
                continue;
            }
            if document.element(node).is_some_and(is_invisible) {
                hidden_until = document.subtree_end(node);
            } else if let Some(text) = document.text(node) {
                for word in text.split_whitespace() {
                    self.text.push_str(word);
                    self.text.push(' ');
                }
            }
        }
    }

    /// Letters and digits: punctuation and icon characters say nothing.
    pub(super) fn letters(&self) -> usize {
        self.text.chars().filter(|c| c.is_alphanumeric()).count()
    }

    /// So little that it could be a challenge: they hold a sentence or two and no way on.
    pub(super) fn is_sparse(&self) -> bool {
        self.letters() < 1_500 && self.elements < 200 && self.links <= 20
    }

    /// An empty body, and nothing that could fill or paint it.
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.elements == 0 && self.media == 0 && self.scripts == 0 && self.sheets == 0
    }

    /// What scripts fill: next to nothing to see, scripts, and a sign that they are what matters.
    pub(super) fn is_shell(&self) -> bool {
        if self.scripts == 0 {
            return false;
        }
        let letters = self.letters();
        let shows_nothing = letters == 0 && self.media == 0 && self.content_elements == 0;
        let shows_little = letters < 200 && self.content_elements < 6 && self.links < 6 && self.media < 6;
        shows_nothing || (shows_little && (self.empty_mount || self.noscript_asks_for_scripts))
    }

    /// The text says that there is more behind the form. A form alone does not: shops offer one on every page.
    pub(super) fn text_asks_to_sign_in_first(&self) -> bool {
        const PHRASES: &[&str] = &[
            "sign in to continue",
            "log in to continue",
            "login to continue",
            "sign in to view",
            "log in to view",
            "login to view",
            "sign in to access",
            "log in to access",
            "sign in to see",
            "log in to see",
            "please sign in",
            "please log in",
            "please login",
            "must be logged in",
            "must be signed in",
            "must log in",
            "must sign in",
            "need to log in",
            "need to sign in",
            "login required",
        ];
        let text = self.text.to_lowercase();
        PHRASES.iter().any(|phrase| text.contains(phrase))
    }

    pub(super) fn title_asks_to_sign_in(&self) -> bool {
        const WORDS: &[&str] = &[
            "log in",
            "login",
            "sign in",
            "signin",
            "sign-in",
            "log-in",
            "anmelden",
            "einloggen",
            "connexion",
            "se connecter",
            "iniciar sesión",
            "acceder",
            "accedi",
            "entrar",
            "inloggen",
            "logga in",
            "zaloguj",
            "войти",
            "ログイン",
            "登录",
            "登入",
            "로그인",
        ];
        WORDS.iter().any(|word| self.title.contains(word))
    }
}

fn collapse(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A script that runs, rather than a block of data.
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

fn is_mount(element: &Element) -> bool {
    if !element.in_html() {
        return false;
    }
    let by_id = || element.id().is_some_and(|id| MOUNT_IDS.iter().any(|known| known.eq_ignore_ascii_case(id)));
    MOUNT_ELEMENTS.contains(&element.name()) || element.attr("ng-version").is_some() || by_id()
}

/// No text and no picture inside (a spinner made of empty elements counts as nothing).
fn shows_nothing(document: &Document, mount: NodeId) -> bool {
    let mut hidden_until = 0;
    for node in document.descendants(mount) {
        if node.index() < hidden_until {
            continue;
        }
        if let Some(text) = document.text(node)
            && text.chars().filter(|c| c.is_alphanumeric()).count() > 20
        {
            return false;
        }
        match document.element(node) {
            Some(element) if is_invisible(element) => hidden_until = document.subtree_end(node),
            Some(element) if matches!(element.name(), "h1" | "h2" | "p" | "a" | "form" | "table" | "li" | "video") => {
                return false;
            }
            _ => {}
        }
    }
    true
}
