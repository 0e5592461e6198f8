//! Elements and their attributes.

use super::categories;
use markup5ever::{LocalName, Namespace, QualName, ns};
use std::sync::Arc;

/// An attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Name with namespace (`xlink:href` in SVG has one).
    pub name: QualName,
    /// Value.
    pub value: Arc<str>,
}

/// An element's name and attributes.
#[derive(Debug, Clone)]
pub struct Element {
    pub(crate) name: QualName,
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) id: Option<LocalName>,
    pub(crate) classes: Vec<LocalName>,
}

impl Element {
    pub(crate) fn new(name: QualName, attributes: Vec<Attribute>) -> Self {
        let mut element = Self { name, attributes, id: None, classes: Vec::new() };
        element.id = element.attr("id").filter(|id| !id.is_empty()).map(LocalName::from);
        let classes = element.attr("class").unwrap_or_default().split_ascii_whitespace().map(LocalName::from).collect();
        element.classes = classes;
        element
    }

    /// Returns the element with an attribute set, or without it.
    pub(crate) fn with_attribute(&self, name: &str, value: Option<&str>) -> Self {
        let is_other = |attribute: &&Attribute| !(attribute.name.ns == ns!() && &*attribute.name.local == name);
        let mut attributes: Vec<Attribute> = self.attributes.iter().filter(is_other).cloned().collect();
        if let Some(value) = value {
            let name = QualName::new(None, ns!(), LocalName::from(name));
            attributes.push(Attribute { name, value: Arc::from(value) });
        }
        Self::new(self.name.clone(), attributes)
    }

    /// Returns the local name: lower case for HTML, as written (case-adjusted) for SVG and MathML.
    pub fn name(&self) -> &str {
        &self.name.local
    }

    /// Returns the local name as an atom.
    pub fn local_name(&self) -> &LocalName {
        &self.name.local
    }

    /// Returns the namespace.
    pub fn namespace(&self) -> &Namespace {
        &self.name.ns
    }

    /// Returns true if this is the HTML element of that name.
    pub fn is_html(&self, name: &str) -> bool {
        self.name.ns == ns!(html) && &*self.name.local == name
    }

    /// Returns true if this is the SVG element of that name.
    pub fn is_svg(&self, name: &str) -> bool {
        self.name.ns == ns!(svg) && &*self.name.local == name
    }

    /// Returns true if the element is in the HTML namespace.
    pub fn in_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    /// Returns true if the element is in the SVG namespace.
    pub fn in_svg(&self) -> bool {
        self.name.ns == ns!(svg)
    }

    /// Returns true for void elements, see [`categories::is_void`].
    pub fn is_void(&self) -> bool {
        self.in_html() && categories::is_void(self.name())
    }

    /// Returns true for replaced elements, see [`categories::is_replaced`].
    pub fn is_replaced(&self) -> bool {
        (self.in_html() || self.is_svg("svg")) && categories::is_replaced(self.name(), |name| self.attr(name))
    }

    /// Returns the value of an attribute without namespace.
    pub fn attr(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|a| a.name.ns == ns!() && &*a.name.local == name)?;
        Some(&found.value)
    }

    /// Returns true if a dimension attribute is 0 or 1 pixels, see [`is_tiny_size`].
    pub fn is_tiny(&self, dimension: &str) -> bool {
        self.attr(dimension).is_some_and(is_tiny_size)
    }

    /// Returns the value of `href` or, in SVG, of `xlink:href`.
    pub fn href(&self) -> Option<&str> {
        let xlink =
            || self.attributes.iter().find(|a| a.name.ns == ns!(xlink) && &*a.name.local == "href").map(|a| &*a.value);
        self.attr("href").or_else(xlink)
    }

    /// Returns all attributes in document order.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// Returns the id, unless it is empty.
    pub fn id(&self) -> Option<&LocalName> {
        self.id.as_ref()
    }

    /// Returns the class names in document order.
    pub fn classes(&self) -> &[LocalName] {
        &self.classes
    }

    /// Returns true if a space-separated attribute (such as `rel`) has that token, ignoring ASCII case.
    pub fn attr_has_token(&self, name: &str, token: &str) -> bool {
        self.attr(name).is_some_and(|list| list.split_ascii_whitespace().any(|t| t.eq_ignore_ascii_case(token)))
    }
}

/// Returns true for a size of 0 or 1 pixels, in an attribute or in a declaration: `0`, `1px`, `1px !important`. Images and
/// frames of this size are for scripts and trackers.
pub fn is_tiny_size(size: &str) -> bool {
    let size = size.trim().trim_end_matches("!important").trim_end();
    matches!(size.strip_suffix("px").unwrap_or(size), "0" | "1")
}

#[cfg(test)]
mod tests {
    use super::is_tiny_size;

    #[test]
    fn sizes_of_at_most_one_pixel_are_tiny() {
        for size in ["0", "1", " 1 ", "0px", "1px", "1px !important", "1px!important"] {
            assert!(is_tiny_size(size), "{size}");
        }
        for size in ["", "2", "10", "1%", "01", "px", "1 px", "1em", "auto"] {
            assert!(!is_tiny_size(size), "{size}");
        }
    }
}
