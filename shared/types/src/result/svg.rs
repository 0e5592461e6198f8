//! `/svg`.

use super::Common;
use serde::{Deserialize, Serialize};

/// Result of `/svg`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SvgResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: Common,
    /// Inline markup and external files, in document order.
    pub svgs: Vec<SvgItem>,
    /// Length of `svgs`.
    pub count: usize,
}

/// One SVG.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SvgItem {
    /// Markup in the page (or in a `data:` URL).
    Inline {
        /// Well-formed, self-contained SVG markup without scripts and handlers.
        code: String,
        /// The `width` attribute as written.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        width: Option<String>,
        /// The `height` attribute as written.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        height: Option<String>,
        /// The `viewBox` attribute.
        #[serde(rename = "viewBox", skip_serializing_if = "Option::is_none", default)]
        view_box: Option<String>,
        /// The accessible title.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        title: Option<String>,
        /// How often this markup stands in the page.
        count: usize,
        /// A selector of its first occurrence.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        selector: Option<String>,
    },
    /// An external file.
    File {
        /// Absolute URL without fragment.
        url: String,
        /// Where it was found: the words of `ImageSource`, or `use`, `object`, `embed`, `iframe`, `link`.
        source: String,
        /// How often it is referred to.
        count: usize,
    },
}
