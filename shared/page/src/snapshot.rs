//! The page as a value.

use limner_types::Theme;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything one read of a page gave: enough to answer all nine operations without further I/O.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageSnapshot {
    /// The normalised address that was asked for.
    pub requested_url: String,
    /// The address after redirects, without fragment.
    pub url: String,
    /// HTTP status of the document.
    pub status: u16,
    /// Media type of the document, without parameters, lower case.
    pub content_type: String,
    /// The document's markup, decoded to UTF-8 (for the renderer: the serialised DOM). Empty when the address itself
    /// is a media file.
    pub html: String,
    /// Every style sheet that applies to the document or one of its shadow trees, in document order; imported sheets
    /// are in `imports`.
    pub sheets: Vec<Sheet>,
    /// Sheets that `@import` rules refer to, by the absolute address in the rule. An address that could not be read is
    /// absent.
    pub imports: BTreeMap<String, ImportedSheet>,
    /// Side resources that operations asked for (manifest, external sprites, feeds, Lottie files), by absolute address
    /// without fragment.
    pub resources: BTreeMap<String, Resource>,
    /// What the browser's network saw (address → media type). Empty for static reads.
    pub network: BTreeMap<String, String>,
    /// How the page was read.
    pub read_by: ReadBy,
    /// Why this snapshot may be poorer than what a visitor sees.
    pub degradation: Option<Degradation>,
    /// Public address of the capture, when one was taken.
    pub screenshot: Option<String>,
    /// True when a limit cut the document, a sheet or a resource short.
    pub truncated: bool,
    /// The theme that visitors see, measured. `None` for static reads.
    pub theme: Option<Theme>,
}

/// One top-level style sheet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Sheet {
    /// What brought it into the page.
    pub owner: SheetOwner,
    /// For `link` and `style`: which one, counting all `style` and `link[rel~=stylesheet]` elements of the document
    /// (those inside `noscript` and `template` left out) in document order from 0. See
    /// [`crate::dom::Document::sheet_elements`].
    pub element: Option<u32>,
    /// Absolute address of an external sheet, as referred to.
    pub href: Option<String>,
    /// What relative addresses in it resolve against: its own address after redirects, or the document's base.
    pub base_url: String,
    /// The `media` attribute; empty means all.
    pub media: String,
    /// `rel="alternate stylesheet"` or `disabled`: present, but not applied.
    pub alternate: bool,
    /// The text. `None`: the sheet could not be read.
    pub text: Option<String>,
}

/// What brought a sheet into the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum SheetOwner {
    /// `link rel=stylesheet`.
    #[default]
    Link,
    /// A `style` element.
    Style,
    /// `document.adoptedStyleSheets` (browser reads only).
    Adopted,
}

/// A sheet that an `@import` rule refers to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ImportedSheet {
    /// Its own address after redirects.
    pub base_url: String,
    /// The text.
    pub text: String,
}

/// A fetched side resource.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Resource {
    /// Its address after redirects.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Media type without parameters, lower case; empty when none was sent.
    pub content_type: String,
    /// The bytes, possibly only the first ones (`truncated`).
    pub body: Vec<u8>,
    /// Whether the body was cut at a limit.
    pub truncated: bool,
}

/// How a page was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ReadBy {
    /// HTML and CSS over HTTP, scripts off.
    #[default]
    Static,
    /// In a browser, because the caller asked for it.
    Browser,
    /// In a browser, because the static read was refused or too thin.
    BrowserFallback,
}

/// Why a snapshot may be poorer than what a visitor sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Degradation {
    /// An application shell: the page builds itself with scripts.
    ClientRendered,
    /// Style sheets could not be read.
    MissingStyles,
    /// Other files that the operation reads (feeds, animations, sprites, the manifest) could not be had in time.
    MissingFiles,
    /// A limit cut the page short.
    Truncated,
}

impl Degradation {
    /// The advice the caller gets in `hint`.
    pub fn hint(self) -> &'static str {
        match self {
            Self::ClientRendered => {
                "This page builds itself with JavaScript, so the static read found little. Retry with render=true (+5 credits) to read it in a browser."
            }
            Self::MissingStyles => {
                "Some style sheets of this page could not be read, so values may be missing. Retry with fresh=true, or with render=true to read it in a browser."
            }
            Self::MissingFiles => {
                "Some files that this page refers to could not be read in time, so the result may lack what is in them. Retry with fresh=true."
            }
            Self::Truncated => "This page is larger than the limits allow; the result covers the part that was read.",
        }
    }
}
