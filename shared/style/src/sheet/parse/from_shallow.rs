//! Builds rules from the outline of a stylesheet; passes deferred rules to the parser.

use super::{Body, Context, DeclarationError, MAX_DECLARATIONS, plain};
use crate::sheet::shallow_parser::{ShallowItem, ShallowSheet, SimpleDeclaration, SimpleRule};
use cssparser::{AtRuleParser, CowRcStr, Parser};

/// The remaining items of an outline.
type Items<'o> = std::slice::Iter<'o, ShallowItem>;

impl Body<'_, '_, '_> {
    /// Reads items up to the end of the block or stylesheet.
    pub(super) fn outlined(&mut self, outline: &ShallowSheet, items: &mut Items<'_>) {
        while let Some(item) = items.next() {
            match item {
                ShallowItem::Rule(rule) => {
                    // A rule with invalid selectors is dropped.
                    let _ = self.add_simple_rule(rule, &outline.declarations);
                }
                ShallowItem::Open { name, prelude } => {
                    match self.opened(name.slice(self.text), prelude.slice(self.text)) {
                        Ok(Some(context)) => self.block(context, outline, items),
                        Ok(None) | Err(_) => pass_block(items),
                    }
                }
                ShallowItem::Close => return,
                ShallowItem::Written { text, line } => self.parse_deferred(text.slice(self.text), line - 1),
            }
        }
    }

    fn add_simple_rule(
        &mut self,
        rule: &SimpleRule,
        declarations: &[SimpleDeclaration],
    ) -> Result<(), DeclarationError> {
        let rest = rule.selectors.slice_from(self.text);
        let selectors = match self.can_defer_selectors().then(|| plain(rest)).flatten() {
            Some(plain) => {
                self.imports_allowed = false;
                (plain.to_deferred(), plain.extent())
            }
            None => self.selectors(rest, &mut Parser::new(rule.selectors.slice(self.text)))?,
        };
        let sheets = &mut *self.sheet.sheets;
        let start = sheets.declarations.len();
        for declaration in &declarations[rule.declarations.start as usize..rule.declarations.end as usize] {
            if sheets.declarations.len() >= MAX_DECLARATIONS {
                sheets.truncated = true;
                break;
            }
            let SimpleDeclaration { name, value, is_important, line } = declaration;
            let (name, value) = (name.slice(self.text), value.slice(self.text));
            sheets.declarations.extend(self.sheet.interner.declaration(name, value, *is_important, *line));
        }
        let [start, end] = [start, sheets.declarations.len()].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        if start < end {
            self.pending_line = rule.line;
            self.push_rule(selectors, start..end, rule.is_marked);
        }
        Ok(())
    }

    /// Returns the context of the rules in the block of an at-rule.
    fn opened(&mut self, name: &str, prelude: &str) -> Result<Option<Context>, DeclarationError> {
        let is_media = name == "media" && !prelude.trim_ascii_start().starts_with("/*");
        let prelude = if is_media {
            self.imports_allowed = false;
            self.condition(name, prelude)?
        } else {
            Parser::new(prelude).parse_entirely(|input| self.parse_prelude(CowRcStr::from(name), input))?
        };
        self.block_context(prelude)
    }

    fn block(&mut self, context: Context, outline: &ShallowSheet, items: &mut Items<'_>) {
        let mut inner = Body::new(self.sheet, self.text, context, self.namespaces);
        inner.imports_allowed = false;
        inner.outlined(outline, items);
    }

    /// Parses one deferred rule.
    fn parse_deferred(&mut self, text: &str, lines_before: u32) {
        let mut body = Body::new(self.sheet, text, self.context.clone(), self.namespaces);
        body.imports_allowed = self.imports_allowed;
        body.lines_before = lines_before;
        body.rules();
        self.imports_allowed = body.imports_allowed;
    }
}

/// Skips the rest of a block whose at-rule is ignored.
fn pass_block(items: &mut Items<'_>) {
    let mut depth = 1_usize;
    for item in items {
        match item {
            ShallowItem::Open { .. } => depth += 1,
            ShallowItem::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}
