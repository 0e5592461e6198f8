//! Builds rules from the outline of a stylesheet; passes deferred rules to the parser.

use super::super::outline::{Item, Outline, PlainDeclaration, PlainRule};
use super::{Body, Context, Failure, MAX_DECLARATIONS, plain};
use cssparser::{AtRuleParser, CowRcStr, Parser};

/// The remaining items of an outline.
type Items<'o> = std::slice::Iter<'o, Item>;

impl Body<'_, '_, '_> {
    /// Reads items up to the end of the block or stylesheet.
    pub(super) fn outlined(&mut self, outline: &Outline, items: &mut Items<'_>) {
        while let Some(item) = items.next() {
            match item {
                Item::Rule(rule) => {
                    // A rule with invalid selectors is dropped.
                    let _ = self.plain_rule(rule, &outline.declarations);
                }
                Item::Open { name, prelude } => match self.opened(name.of(self.text), prelude.of(self.text)) {
                    Ok(Some(context)) => self.block(context, outline, items),
                    Ok(None) | Err(_) => pass_block(items),
                },
                Item::Close => return,
                Item::Written { text, line } => self.written(text.of(self.text), line - 1),
            }
        }
    }

    fn plain_rule(&mut self, rule: &PlainRule, declarations: &[PlainDeclaration]) -> Result<(), Failure> {
        let rest = rule.selectors.onwards(self.text);
        let selectors = match self.selectors_can_wait().then(|| plain(rest)).flatten() {
            Some(plain) => {
                self.imports_allowed = false;
                (plain.keep(), plain.extent())
            }
            None => self.selectors(rest, &mut Parser::new(rule.selectors.of(self.text)))?,
        };
        let sheets = &mut *self.sheet.sheets;
        let start = sheets.declarations.len();
        for declaration in &declarations[rule.declarations.start as usize..rule.declarations.end as usize] {
            if sheets.declarations.len() >= MAX_DECLARATIONS {
                sheets.truncated = true;
                break;
            }
            let PlainDeclaration { name, value, is_important, line } = declaration;
            let (name, value) = (name.of(self.text), value.of(self.text));
            sheets.declarations.push(self.sheet.interner.declaration(name, value, *is_important, *line));
        }
        let [start, end] = [start, sheets.declarations.len()].map(|at| u32::try_from(at).unwrap_or(u32::MAX));
        if start < end {
            self.pending_line = rule.line;
            self.push_rule(selectors, start..end, rule.is_marked);
        }
        Ok(())
    }

    /// Returns the context of the rules in the block of an at-rule.
    fn opened(&mut self, name: &str, prelude: &str) -> Result<Option<Context>, Failure> {
        let is_media = name == "media" && !prelude.trim_ascii_start().starts_with("/*");
        let prelude = if is_media {
            self.imports_allowed = false;
            self.condition(name, prelude)?
        } else {
            Parser::new(prelude).parse_entirely(|input| self.parse_prelude(CowRcStr::from(name), input))?
        };
        self.surroundings(prelude)
    }

    fn block(&mut self, context: Context, outline: &Outline, items: &mut Items<'_>) {
        let mut inner = Body::new(self.sheet, self.text, context, self.namespaces);
        inner.imports_allowed = false;
        inner.outlined(outline, items);
    }

    /// Parses one deferred rule.
    fn written(&mut self, text: &str, lines_before: u32) {
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
            Item::Open { .. } => depth += 1,
            Item::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return;
        }
    }
}
