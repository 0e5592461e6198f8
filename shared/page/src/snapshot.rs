//! Page snapshots: the data of one read.

use limner_types::Theme;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The data of one read of a page: enough for all nine operations without further I/O.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PageSnapshot {
    /// The normalised URL that was requested.
    pub requested_url: String,
    /// The URL after redirects, without fragment.
    pub url: String,
    /// HTTP status of the document.
    pub status: u16,
    /// Media type of the document, without parameters, lower case.
    pub content_type: String,
    /// The document's markup, decoded to UTF-8 (for the renderer: the serialised DOM; for XHTML: rewritten as HTML).
    /// Empty if the URL itself is a media file.
    pub html: String,
    /// Name of the document's encoding, in which URLs have their queries; empty for UTF-8.
    pub encoding: String,
    /// Every stylesheet that applies to the document or one of its shadow trees, in document order; imported ones are
    /// in `imports`.
    pub sheets: Vec<Stylesheet>,
    /// Imported stylesheets by the absolute URL in the `@import` rule. URLs that could not be read are absent.
    pub imports: BTreeMap<String, ImportedSheet>,
    /// Subresources that operations requested (manifest, external sprites, feeds, Lottie files), by absolute URL
    /// without fragment.
    pub resources: BTreeMap<String, Resource>,
    /// The browser's network requests (URL → media type). Empty for static reads.
    pub network: BTreeMap<String, String>,
    /// The method of reading.
    pub read_by: ReadMethod,
    /// The reason why this snapshot may be poorer than the page that a visitor sees.
    pub degradation: Option<Degradation>,
    /// Public URL of the screenshot, if one was taken.
    pub screenshot: Option<String>,
    /// True if the screenshot ends at the maximum height and the page goes on below.
    pub screenshot_cut: bool,
    /// True if a limit cut the document, a stylesheet or a resource short.
    pub truncated: bool,
    /// The measured theme of the rendered page. `None` for static reads.
    pub theme: Option<Theme>,
}

/// A top-level stylesheet.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Stylesheet {
    /// The kind of its owner.
    pub owner: SheetOwner,
    /// For `link` and `style`: index among all `style` and `link[rel~=stylesheet]` elements of the document (those
    /// inside `noscript` and `template` left out) in document order from 0. See
    /// [`crate::dom::Document::sheet_elements`].
    pub element: Option<u32>,
    /// Absolute URL of an external stylesheet, as referred to.
    pub href: Option<String>,
    /// The base URL of relative URLs in it: its own URL after redirects, or the document's base.
    pub base_url: String,
    /// The `media` attribute; empty means all.
    pub media: String,
    /// True for `rel="alternate stylesheet"` or `disabled`: it is not applied.
    pub alternate: bool,
    /// The text; `None` if the stylesheet could not be read.
    pub text: Option<String>,
}

/// The kind of a stylesheet's owner.
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

/// A stylesheet that an `@import` rule refers to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ImportedSheet {
    /// Its URL after redirects.
    pub base_url: String,
    /// The text.
    pub text: String,
}

/// A fetched subresource.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Resource {
    /// Its URL after redirects.
    pub url: String,
    /// HTTP status.
    pub status: u16,
    /// Media type without parameters, lower case; empty if none was sent.
    pub content_type: String,
    /// The `charset` that was sent with it.
    pub charset: Option<String>,
    /// The bytes, possibly only the first ones (`truncated`).
    pub body: Vec<u8>,
    /// True if the body was cut at a limit.
    pub truncated: bool,
}

/// The method by which a page was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ReadMethod {
    /// HTML and CSS over HTTP, scripts off.
    #[default]
    Static,
    /// In a browser, because the caller requested it.
    Browser,
    /// In a browser, because the static read was rejected or had too little content.
    BrowserFallback,
}

/// The reason why a snapshot may be poorer than the page that a visitor sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Degradation {
    /// A client-rendered page: its scripts create its content.
    ClientRendered,
    /// Stylesheets could not be read.
    MissingStyles,
    /// Other files that the operation reads (feeds, animations, sprites, the manifest, images for their size) could not
    /// be read in time.
    MissingFiles,
    /// A limit cut the page short.
    Truncated,
    /// The server's response ended before the markup did.
    Interrupted,
}

impl Degradation {
    /// Returns true if another read may get what is missing, because this one depended on how fast the page's servers
    /// were, or this machine was.
    pub fn may_pass(self) -> bool {
        match self {
            Self::MissingStyles | Self::MissingFiles | Self::Interrupted => true,
            Self::ClientRendered | Self::Truncated => false,
        }
    }

    /// Returns the advice that the caller gets in `hint`. `render_available`: a call with `render=true` is served.
    pub fn hint(self, render_available: bool) -> &'static str {
        match self {
            Self::ClientRendered if !render_available => {
                "This page builds itself with JavaScript, so the static read found little. This service has no browser to read it in."
            }
            Self::ClientRendered => {
                "This page builds itself with JavaScript, so the static read found little. Retry with render=true (+5 credits) to read it in a browser."
            }
            Self::MissingStyles if !render_available => {
                "Some style sheets of this page could not be read, so values may be missing. Retry with fresh=true."
            }
            Self::MissingStyles => {
                "Some style sheets of this page could not be read, so values may be missing. Retry with fresh=true, or with render=true to read it in a browser."
            }
            Self::MissingFiles => {
                "Some files that this page refers to could not be read in time, so the result may lack what is in them or depends on their size. Retry with fresh=true."
            }
            Self::Interrupted => {
                "The server ended its response before the page did; the result covers the part that arrived. Retry with fresh=true."
            }
            Self::Truncated => "This page is larger than the limits allow; the result covers the part that was read.",
        }
    }
}
