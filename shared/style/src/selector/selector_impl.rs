//! The selector grammar: implements the parser and type hooks of the `selectors` crate.

use super::atom::{Atom, AttributeValue, NamespaceUrl};
use super::pseudo::{PseudoClass, PseudoName};
use cssparser::{CowRcStr, ParseError, Parser};
use foldhash::HashMap;
use markup5ever::{LocalName, Namespace};
use selectors::parser::{SelectorImpl, SelectorParseErrorKind};

/// The associated types of this crate's selectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StyleSelectorImpl;

impl SelectorImpl for StyleSelectorImpl {
    type ExtraMatchingData<'a> = ();
    type AttrValue = AttributeValue;
    type Identifier = Atom;
    type LocalName = Atom;
    type NamespaceUrl = NamespaceUrl;
    type NamespacePrefix = Atom;
    type BorrowedNamespaceUrl = Namespace;
    type BorrowedLocalName = LocalName;
    type NonTSPseudoClass = PseudoClass;
    type PseudoElement = PseudoName;
}

/// `@namespace` rules of a stylesheet.
#[derive(Debug, Clone, Default)]
pub(crate) struct Namespaces {
    pub(crate) default: Option<Namespace>,
    pub(crate) prefixes: HashMap<Box<str>, Namespace>,
}

/// The parser's settings.
pub(crate) struct SelectorParser<'a> {
    namespaces: &'a Namespaces,
    /// True if `:is()` and `:where()` are unforgiving.
    strict: bool,
}

impl<'a> SelectorParser<'a> {
    pub(crate) fn new(namespaces: &'a Namespaces) -> Self {
        Self { namespaces, strict: false }
    }

    /// Creates the grammar of `@supports selector()`, where `:is()` and `:where()` are unforgiving.
    pub(crate) fn strict(namespaces: &'a Namespaces) -> Self {
        Self { namespaces, strict: true }
    }
}

type SelectorError = ParseError<SelectorParseErrorKind>;

fn unsupported() -> SelectorError {
    ParseError::custom(SelectorParseErrorKind::UnsupportedPseudoClassOrElement)
}

impl<'i> selectors::parser::Parser<'i> for SelectorParser<'_> {
    type Impl = StyleSelectorImpl;
    type Error = SelectorParseErrorKind;

    fn parse_slotted(&self) -> bool {
        true
    }

    fn parse_part(&self) -> bool {
        true
    }

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn parse_parent_selector(&self) -> bool {
        true
    }

    fn is_is_alias(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("-webkit-any")
    }

    fn parse_host(&self) -> bool {
        true
    }

    fn allow_forgiving_selectors(&self) -> bool {
        !self.strict
    }

    fn parse_non_ts_pseudo_class(&self, name: CowRcStr<'i>) -> Result<PseudoClass, SelectorError> {
        PseudoClass::from_name(&name).ok_or_else(unsupported)
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        _after_part: bool,
    ) -> Result<PseudoClass, SelectorError> {
        match name.to_ascii_lowercase().as_str() {
            "lang" => {
                let range = |input: &mut Parser<'i>| {
                    let range = input.expect_ident_or_string().map_err(|_| unsupported())?;
                    Ok(Box::from(&**range))
                };
                Ok(PseudoClass::Lang(input.parse_comma_separated(range)?.into()))
            }
            "dir" => {
                let direction = input.expect_ident().map_err(|_| unsupported())?;
                Ok(PseudoClass::Dir(direction.to_ascii_lowercase().into()))
            }
            "state" => {
                let state = input.expect_ident().map_err(|_| unsupported())?;
                Ok(PseudoClass::CustomState(Atom::from(&**state)))
            }
            "active-view-transition-type" => consumed(input).map(|text| PseudoClass::Never(text.into())),
            "host-context" => {
                let start = input.position();
                let _: selectors::parser::Selector<StyleSelectorImpl> =
                    selectors::parser::Selector::parse(self, input)?;
                Ok(PseudoClass::HostContext(input.slice_from(start).into()))
            }
            _ => Err(unsupported()),
        }
    }

    fn parse_pseudo_element(&self, name: CowRcStr<'i>) -> Result<PseudoName, SelectorError> {
        PseudoName::from_name(&name).ok_or_else(unsupported)
    }

    fn parse_functional_pseudo_element(
        &self,
        name: CowRcStr<'i>,
        arguments: &mut Parser<'i>,
    ) -> Result<PseudoName, SelectorError> {
        if !PseudoName::is_functional(&name) {
            return Err(unsupported());
        }
        let text = consumed(arguments)?;
        Ok(PseudoName::from_function(&name, text))
    }

    fn default_namespace(&self) -> Option<NamespaceUrl> {
        self.namespaces.default.clone().map(NamespaceUrl)
    }

    fn namespace_for_prefix(&self, prefix: &Atom) -> Option<NamespaceUrl> {
        self.namespaces.prefixes.get(prefix.as_str()).cloned().map(NamespaceUrl)
    }
}

/// Consumes the rest of the block and returns its text, which must not be empty.
fn consumed<'i>(input: &mut Parser<'i>) -> Result<&'i str, SelectorError> {
    input.skip_whitespace();
    let start = input.position();
    while input.next().is_ok() {}
    let text = input.slice_from(start).trim_end();
    if text.is_empty() { Err(unsupported()) } else { Ok(text) }
}
