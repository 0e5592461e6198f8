//! Reads the contents of a stylesheet or block with cssparser: at-rules, style rules, declarations.

use super::{Body, Context, Prelude, layer_names, remaining_text};
use crate::selector::Extent;
use crate::sheet::MAX_DECLARATIONS;
use crate::sheet::declaration::{DeclarationError, failure, raw_value};
use crate::sheet::lazy_selectors::{LazySelectorList, plain};
use cssparser::{
    AtRuleParser, CowRcStr, DeclarationParser, Parser, ParserState, QualifiedRuleParser, RuleBodyItemParser,
    StyleSheetParser,
};

impl<'i> AtRuleParser<'i> for Body<'_, '_, '_> {
    type Prelude = Prelude;
    type AtRule = ();
    type Error = ();

    fn parse_prelude(&mut self, name: CowRcStr<'i>, input: &mut Parser<'i>) -> Result<Prelude, DeclarationError> {
        let name = name.to_ascii_lowercase();
        if !matches!(name.as_str(), "import" | "layer" | "charset") {
            self.imports_allowed = false;
        }
        match name.as_str() {
            "media" | "supports" | "container" => self.condition(&name, remaining_text(input)),
            "starting-style" => self.condition(&name, ""),
            "layer" => {
                if input.is_exhausted() {
                    return Ok(Prelude::Layers(Vec::new()));
                }
                layer_names(input).map(Prelude::Layers)
            }
            "scope" => self.scope(input),
            "import" => Ok(Prelude::Import(remaining_text(input).to_owned())),
            "namespace" => {
                let prefix =
                    input.try_parse(|input| input.expect_ident_cloned()).ok().map(|prefix| Box::from(&*prefix));
                let address = input.expect_url_or_string()?;
                Ok(Prelude::Namespace(prefix, Box::from(&*address)))
            }
            "font-face"
            | "keyframes"
            | "-webkit-keyframes"
            | "property"
            | "counter-style"
            | "function"
            | "font-palette-values"
            | "page"
            | "font-feature-values"
            | "position-try"
            | "view-transition" => {
                let prelude = remaining_text(input).into();
                Ok(Prelude::Raw { name: name.trim_start_matches("-webkit-").into(), prelude })
            }
            "-moz-document" | "-ms-viewport" | "viewport" => Err(failure()),
            _ => {
                remaining_text(input);
                Ok(Prelude::Ignored)
            }
        }
    }

    fn rule_without_block(&mut self, prelude: Prelude, _: &ParserState) -> Result<(), ()> {
        match prelude {
            Prelude::Layers(names) => {
                for name in names {
                    self.sheet.sheets.layers.layer_by_name(self.context.layer, &name);
                }
            }
            Prelude::Import(prelude) if self.imports_allowed => self.import(&prelude),
            Prelude::Namespace(prefix, address) => {
                let address = markup5ever::Namespace::from(&*address);
                match prefix {
                    Some(prefix) => drop(self.namespaces.prefixes.insert(prefix, address)),
                    None => self.namespaces.default = Some(address),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn parse_block(
        &mut self,
        prelude: Prelude,
        start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), DeclarationError> {
        let line = self.line_at(start);
        if let Prelude::Raw { name, prelude } = prelude {
            let body = remaining_text(input).to_owned();
            self.store_at_rule(&name, &prelude, &body, line);
            return Ok(());
        }
        match self.block_context(prelude)? {
            Some(inner) => self.nested(inner, line, input),
            None => {
                remaining_text(input);
                Ok(())
            }
        }
    }
}

impl<'i> QualifiedRuleParser<'i> for Body<'_, '_, '_> {
    /// The selectors and their extent.
    type Prelude = (LazySelectorList, Extent);
    type QualifiedRule = ();
    type Error = ();

    fn parse_prelude(&mut self, input: &mut Parser<'i>) -> Result<(LazySelectorList, Extent), DeclarationError> {
        let rest = &self.text[input.position().byte_index()..];
        if let Some(plain) = self.can_defer_selectors().then(|| plain(rest)).flatten() {
            self.imports_allowed = false;
            remaining_text(input);
            return Ok((plain.to_deferred(), plain.extent()));
        }
        self.selectors(rest, input)
    }

    fn parse_block(
        &mut self,
        (selectors, extent): (LazySelectorList, Extent),
        start: &ParserState,
        input: &mut Parser<'i>,
    ) -> Result<(), DeclarationError> {
        let line = self.line_at(start);
        let inner = Context { parent: Some(selectors), parent_extent: extent, in_rule: true, ..self.inner() };
        self.nested(inner, line, input)
    }
}

impl<'i> DeclarationParser<'i> for Body<'_, '_, '_> {
    type Declaration = ();
    type Error = ();

    fn parse_value(
        &mut self,
        name: CowRcStr<'i>,
        input: &mut Parser<'i>,
        start: &ParserState,
    ) -> Result<(), DeclarationError> {
        let (value, important) = raw_value(&name, input)?;
        let line = self.line_at(start);
        let sheets = &mut *self.sheet.sheets;
        if sheets.declarations.len() >= MAX_DECLARATIONS {
            sheets.truncated = true;
            return Ok(());
        }
        sheets.declarations.extend(self.sheet.interner.declaration(&name, value, important, line));
        Ok(())
    }
}

impl RuleBodyItemParser<'_, (), ()> for Body<'_, '_, '_> {
    fn parse_declarations(&self) -> bool {
        true
    }

    fn parse_qualified(&self) -> bool {
        true
    }
}

/// Rules of a block without declarations: `@media` at the top level of a stylesheet.
pub(super) struct NestedStylesheet<'q, 'i, 'x, 'b, 'a, 'p> {
    pub(super) input: &'q mut Parser<'i>,
    pub(super) body: &'x mut Body<'b, 'a, 'p>,
}

impl Iterator for NestedStylesheet<'_, '_, '_, '_, '_, '_> {
    type Item = ();

    fn next(&mut self) -> Option<()> {
        StyleSheetParser::new(self.input, self.body).next().map(|_| ())
    }
}
