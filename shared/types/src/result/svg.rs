//! `/svg`.

use super::ResultHeader;
use serde::{Deserialize, Serialize};

/// Result of `/svg`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct SvgResult {
    /// `url`, `hint`, `screenshot`.
    #[serde(flatten)]
    pub common: ResultHeader,
    /// Inline markup and external files, in document order.
    pub svgs: Vec<SvgItem>,
    /// Length of `svgs`.
    pub count: usize,
}

/// One SVG.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum SvgItem {
    /// Markup in the page or in a `data:` URL.
    Inline {
        /// Well-formed, self-contained SVG markup without scripts and handlers: `use` elements are replaced by their
        /// content, elements of the page that the markup references are copied into `defs`, URLs are absolute. A `use`
        /// of a file that could not be read stays. `currentColor` is unchanged.
        code: String,
        /// The same markup with the paint that the page's stylesheets give it at its first occurrence, as a file of its
        /// own needs it: the values of rules and of `var()`, and what the root inherits, such as the colour of
        /// `currentColor`. Absent if they give it none.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        painted: Option<String>,
        /// The `width` attribute as written.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        width: Option<String>,
        /// The `height` attribute as written.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        height: Option<String>,
        /// The `viewBox` attribute, or that of the one symbol it shows.
        #[serde(rename = "viewBox", skip_serializing_if = "Option::is_none", default)]
        view_box: Option<String>,
        /// The accessible name: `title`, `aria-label` or `aria-labelledby`.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        title: Option<String>,
        /// Number of occurrences of this markup in the page, inline or as a `data:` URL.
        count: usize,
        /// A selector of its first occurrence; absent if that is in a stylesheet or in `noscript`.
        #[serde(skip_serializing_if = "Option::is_none", default)]
        selector: Option<String>,
    },
    /// An external file.
    File {
        /// Absolute URL without fragment.
        url: String,
        /// Its origin: a value of `ImageSource`, or `object`, `embed`, `iframe`, `use`. The first in that order if
        /// there are several.
        source: String,
        /// Number of references to it.
        count: usize,
    },
}
