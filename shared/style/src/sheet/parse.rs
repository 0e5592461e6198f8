//! Parses stylesheets to rules.

mod from_shallow;
mod rule_body;

use super::declaration::{DeclarationError, DeclarationInterner, failure};
use super::lazy_selectors::{LazySelectorList, plain};
use super::property_filter::Filter;
use super::shallow_parser::ShallowSheet;
use super::{
    AtRule, LayerId, MAX_DECLARATIONS, MAX_DEPTH, MAX_RULES, MAX_SELECTORS, MAX_SIMPLE_SELECTORS_IN_ALL, Origin,
    Registration, Rule, Scope, Sheets,
};
use crate::condition::container::ContainerQuery;
use crate::condition::media::MediaQueryList;
use crate::condition::{ConditionId, ConditionTest, supports};
use crate::selector::refers_to_scope;
use crate::selector::{Atom, Extent, Namespaces, SelectorParser, nests_too_deep};
use cssparser::{Parser, ParserState, RuleBodyParser, StyleSheetParser};
use limner_page::NodeId;
use rule_body::NestedStylesheet;
use selectors::parser::{ParseRelative, SelectorList};
use std::sync::Arc;

/// Maximum length of a chain of imports.
const MAX_IMPORT_DEPTH: usize = 8;
/// Maximum number of `@import` rules followed for a page: a few stylesheets that import each other multiply to
/// millions.
pub(super) const MAX_IMPORTS: usize = 1_000;
/// Maximum size of imported stylesheets in bytes, each counted as often as it is imported: as many as are read for a
/// page.
pub(super) const MAX_IMPORTED_BYTES: usize = 20_000_000;

/// Finds an imported stylesheet by the importing one's base URL and the written URL: returns its base URL and text.
pub(super) type Imports<'p> = &'p dyn Fn(&str, &str) -> Option<(&'p str, &'p str)>;

/// The conditions, layer, scope and parent that apply to a rule.
#[derive(Debug, Clone)]
struct Context {
    condition: ConditionId,
    layer: LayerId,
    scope: Option<u32>,
    parent: Option<LazySelectorList>,
    parent_extent: Extent,
    depth: usize,
    /// True if declarations are allowed here.
    in_rule: bool,
}

/// Parses one stylesheet and adds its rules to those of the page.
pub(super) struct SheetParser<'a, 'p> {
    pub(super) sheets: &'a mut Sheets,
    pub(super) interner: &'a mut DeclarationInterner,
    pub(super) imports: Imports<'p>,
    pub(super) origin: Origin,
    pub(super) tree: NodeId,
    pub(super) owner_parent: Option<NodeId>,
    pub(super) sheet: u32,
    /// Indexes of the stylesheets that import this one, from the outermost.
    pub(super) importers: Vec<u32>,
    /// The requested properties; `None` for all.
    pub(super) filter: Option<&'p Filter<'p>>,
}

impl SheetParser<'_, '_> {
    pub(super) fn parse(&mut self, text: &str, condition: ConditionId, layer: LayerId) {
        let is_about_scheme = self.sheets.conditions.facts(condition).scheme.is_some();
        let outline = ShallowSheet::parse(text, self.filter.filter(|_| !is_about_scheme));
        match outline {
            Some(outline) => {
                let (rules, declarations) = (&mut self.sheets.rules, &mut self.sheets.declarations);
                make_room(rules, outline.items.len(), MAX_RULES);
                make_room(declarations, outline.declarations.len(), MAX_DECLARATIONS);
                self.parse_in_context(text, condition, layer, |body| {
                    body.outlined(&outline, &mut outline.items.iter())
                });
            }
            None => self.parse_whole(text, condition, layer),
        }
    }

    /// Parses the text without an outline.
    pub(super) fn parse_whole(&mut self, text: &str, condition: ConditionId, layer: LayerId) {
        self.parse_in_context(text, condition, layer, |body| body.rules());
    }

    fn parse_in_context(
        &mut self,
        text: &str,
        condition: ConditionId,
        layer: LayerId,
        read: impl FnOnce(&mut Body<'_, '_, '_>),
    ) {
        let (scope, parent, parent_extent) = (None, None, Extent::ONE);
        let context = Context { condition, layer, scope, parent, parent_extent, depth: 0, in_rule: false };
        let mut namespaces = Namespaces::default();
        read(&mut Body::new(self, text, context, &mut namespaces));
    }
}

/// The contents of a stylesheet or of a block.
struct Body<'b, 'a, 'p> {
    sheet: &'b mut SheetParser<'a, 'p>,
    /// The text to parse: the stylesheet, or a rule of it.
    text: &'b str,
    /// Number of lines of the stylesheet before the text.
    lines_before: u32,
    context: Context,
    namespaces: &'b mut Namespaces,
    pending: u32,
    pending_line: u32,
    /// True while `@import` is still allowed.
    imports_allowed: bool,
}

/// The parsed name and prelude of an at-rule.
enum Prelude {
    Condition(ConditionId),
    Layers(Vec<String>),
    Scope(u32),
    Import(String),
    Namespace(Option<Box<str>>, Box<str>),
    Raw { name: Box<str>, prelude: Box<str> },
    Ignored,
}

impl<'b, 'a, 'p> Body<'b, 'a, 'p> {
    fn new(
        sheet: &'b mut SheetParser<'a, 'p>,
        text: &'b str,
        context: Context,
        namespaces: &'b mut Namespaces,
    ) -> Self {
        let pending = u32::try_from(sheet.sheets.declarations.len()).unwrap_or(u32::MAX);
        Self { sheet, text, lines_before: 0, context, namespaces, pending, pending_line: 0, imports_allowed: true }
    }

    /// Parses the text as rules.
    fn rules(&mut self) {
        let mut parser = Parser::new(self.text);
        for _ in StyleSheetParser::new(&mut parser, self) {}
    }

    /// Returns the line of a position, from 1.
    fn line_at(&self, place: &ParserState) -> u32 {
        self.lines_before + place.source_location().line + 1
    }

    /// Makes a rule of the declarations since the last one (Nesting, "nested declarations").
    fn flush(&mut self) {
        let end = u32::try_from(self.sheet.sheets.declarations.len()).unwrap_or(u32::MAX);
        let range = std::mem::replace(&mut self.pending, end)..end;
        if range.is_empty() {
            return;
        }
        let own_scope = self.context.scope.map(|_| LazySelectorList::Parsed(SelectorList::implicit_scope()));
        let Some(selectors) = self.context.parent.clone().or(own_scope) else { return };
        self.push_rule((selectors, self.context.parent_extent), range, true);
    }

    /// Adds a rule with its selectors and their extent.
    fn push_rule(
        &mut self,
        (selectors, extent): (LazySelectorList, Extent),
        declarations: std::ops::Range<u32>,
        is_marked: bool,
    ) {
        let sheets = &mut *self.sheet.sheets;
        sheets.selectors += selectors.len();
        sheets.simple_selectors += extent.simple;
        let is_full = sheets.selectors > MAX_SELECTORS || sheets.simple_selectors > MAX_SIMPLE_SELECTORS_IN_ALL;
        if is_full || sheets.rules.len() >= MAX_RULES {
            sheets.truncated = true;
            return;
        }
        sheets.rules.push(Rule {
            selectors,
            declarations,
            condition: self.context.condition,
            layer: self.context.layer,
            origin: self.sheet.origin,
            scope: self.context.scope,
            tree: self.sheet.tree,
            sheet: self.sheet.sheet,
            line: self.pending_line,
            is_marked,
        });
    }

    /// Parses a block inside this one.
    fn nested(&mut self, context: Context, line: u32, input: &mut Parser<'_>) -> Result<(), DeclarationError> {
        self.flush();
        if context.depth > MAX_DEPTH {
            self.sheet.sheets.truncated = true;
            return Err(failure());
        }
        let in_rule = context.in_rule;
        let mut body = Body::new(self.sheet, self.text, context, self.namespaces);
        body.lines_before = self.lines_before;
        body.imports_allowed = false;
        body.pending_line = line;
        if in_rule {
            for _ in RuleBodyParser::new(input, &mut body) {}
            body.flush();
        } else {
            for () in (NestedStylesheet { input, body: &mut body }) {}
        }
        self.pending = u32::try_from(self.sheet.sheets.declarations.len()).unwrap_or(u32::MAX);
        Ok(())
    }

    /// Returns true if a selector list can be parsed lazily: it does not depend on its context, and few rules are
    /// matched.
    fn can_defer_selectors(&self) -> bool {
        let is_alone = self.context.parent.is_none() && self.context.scope.is_none();
        is_alone && self.namespaces.default.is_none() && self.sheet.filter.is_some_and(Filter::has_lazy_selectors)
    }

    /// Parses the selectors before a block and returns their extent as well; `rest` is the text from their start on.
    fn selectors(
        &mut self,
        rest: &str,
        input: &mut Parser<'_>,
    ) -> Result<(LazySelectorList, Extent), DeclarationError> {
        self.imports_allowed = false;
        let start = input.state();
        if !is_flat(rest) {
            let text = remaining_text(input);
            if text.len() > crate::selector::MAX_SELECTOR_BYTES || nests_too_deep(text) {
                self.sheet.sheets.dropped_rules += 1;
                return Err(failure());
            }
            input.reset(&start);
        }
        let relative = match (&self.context.parent, self.context.scope) {
            (Some(_), _) => ParseRelative::ForNesting,
            (None, Some(_)) => ParseRelative::ForScope,
            (None, None) => ParseRelative::No,
        };
        let grammar = SelectorParser::new(self.namespaces);
        let parsed =
            input.parse_entirely(|input| SelectorList::parse(&grammar, input, relative).map_err(|_| failure()));
        let Ok(list) = parsed else {
            // An invalid declaration is tried as a rule too.
            remaining_text(input);
            let end = input.position().byte_index() - start.position().byte_index();
            self.sheet.sheets.dropped_rules += usize::from(rest.as_bytes().get(end) == Some(&b'{'));
            return Err(failure());
        };
        let extent = Extent::measure(list.slice(), self.context.parent_extent);
        let Some(parent) = self.context.parent.as_ref().map(LazySelectorList::list) else {
            return Ok((LazySelectorList::Parsed(list), extent));
        };
        if extent.exceeds_limits() {
            self.sheet.sheets.truncated = true;
            return Err(failure());
        }
        Ok((LazySelectorList::Parsed(list.replace_parent_selector(parent)), extent))
    }

    fn inner(&self) -> Context {
        Context { depth: self.context.depth + 1, ..self.context.clone() }
    }

    /// Returns the context of the rules in an at-rule's block; `None` if its rules do not apply.
    fn block_context(&mut self, prelude: Prelude) -> Result<Option<Context>, DeclarationError> {
        let mut inner = self.inner();
        match prelude {
            Prelude::Condition(condition) => inner.condition = condition,
            Prelude::Layers(names) => {
                let layers = &mut self.sheet.sheets.layers;
                inner.layer = match names.as_slice() {
                    [] => layers.unnamed(inner.layer),
                    [name] => layers.layer_by_name(inner.layer, name),
                    _ => return Err(failure()),
                };
            }
            Prelude::Scope(scope) => {
                inner.scope = Some(scope);
                inner.parent = None;
                inner.in_rule = true;
            }
            _ => return Ok(None),
        }
        Ok(Some(inner))
    }

    /// Returns the condition of an at-rule, by its name in lower case.
    fn condition(&mut self, name: &str, says: &str) -> Result<Prelude, DeclarationError> {
        let (outer, mode) = (self.context.condition, self.sheet.interner.mode());
        let conditions = &mut self.sheet.sheets.conditions;
        let condition = match name {
            "media" => conditions.state(outer, "media", says, |says| Some(MediaQueryList::test(says))),
            "supports" => conditions
                .state(outer, "supports", says, |says| Some(ConditionTest::Supports(supports::supports(says, mode)))),
            "container" => {
                let read = |says: &str| Some(ConditionTest::Container(ContainerQuery::parse(says)?.into()));
                conditions.state(outer, "container", says, read)
            }
            _ => conditions.state(outer, "starting-style", "", |_| Some(ConditionTest::Starting)),
        };
        condition.map(Prelude::Condition).ok_or_else(failure)
    }

    fn scope(&mut self, input: &mut Parser<'_>) -> Result<Prelude, DeclarationError> {
        let list = |input: &mut Parser<'_>, namespaces: &Namespaces, relative: ParseRelative| {
            input.expect_parenthesis_block()?;
            let grammar = SelectorParser::new(namespaces);
            input.parse_nested_block(|inner| SelectorList::parse(&grammar, inner, relative).map_err(|_| failure()))
        };
        let mut start = input.try_parse(|input| list(input, self.namespaces, ParseRelative::ForNesting)).ok();
        if let (Some(own), Some(parent)) = (&start, self.context.parent.as_ref().map(LazySelectorList::list)) {
            if Extent::measure(own.slice(), self.context.parent_extent).exceeds_limits() {
                return Err(failure());
            }
            start = Some(own.replace_parent_selector(parent));
        }
        let end = if input.try_parse(|input| input.expect_ident_matching("to")).is_ok() {
            Some(list(input, self.namespaces, ParseRelative::ForScope)?)
        } else {
            None
        };
        input.expect_exhausted()?;
        let end_refers_to_root = end.iter().flat_map(|list| list.slice()).any(refers_to_scope);
        let scopes = &mut self.sheet.sheets.scopes;
        scopes.push(Scope { start, end, end_refers_to_root, implicit_root: self.sheet.owner_parent });
        Ok(Prelude::Scope(u32::try_from(scopes.len() - 1).unwrap_or(u32::MAX)))
    }

    fn import(&mut self, prelude: &str) {
        let mut parser = Parser::new(prelude);
        let Ok(address) = parser.expect_url_or_string() else { return };
        if self.sheet.sheets.imports >= MAX_IMPORTS {
            self.sheet.sheets.truncated = true;
            return;
        }
        self.sheet.sheets.imports += 1;
        let mut layer = self.context.layer;
        let mut condition = self.context.condition;
        if parser.try_parse(|p| p.expect_function_matching("layer")).is_ok() {
            let name = parser.parse_nested_block(|p| Ok::<_, DeclarationError>(layer_names(p)?.pop()));
            if let Ok(Some(name)) = name {
                layer = self.sheet.sheets.layers.layer_by_name(layer, &name);
            }
        } else if parser.try_parse(|p| p.expect_ident_matching("layer")).is_ok() {
            layer = self.sheet.sheets.layers.unnamed(layer);
        }
        if parser.try_parse(|p| p.expect_function_matching("supports")).is_ok() {
            let inner = parser
                .parse_nested_block(|p| Ok::<_, DeclarationError>(remaining_text(p).to_owned()))
                .unwrap_or_default();
            let mode = self.sheet.interner.mode();
            let holds = supports::supports(&inner, mode) || supports::supports(&format!("({inner})"), mode);
            let text = format!("@supports ({inner})");
            condition = self.sheet.sheets.conditions.push(condition, ConditionTest::Supports(holds), text.into());
        }
        let media = remaining_text(&mut parser).trim_ascii().to_owned();
        if !media.is_empty() {
            let read = |media: &str| Some(MediaQueryList::test(media));
            let within = self.sheet.sheets.conditions.state(condition, "media", &media, read);
            condition = within.unwrap_or(condition);
        }
        self.import_sheet(&address, condition, layer);
    }

    fn import_sheet(&mut self, address: &str, condition: ConditionId, layer: LayerId) {
        if self.sheet.importers.len() >= MAX_IMPORT_DEPTH {
            self.sheet.sheets.truncated = true;
            return;
        }
        let base = self.sheet.sheets.infos[self.sheet.sheet as usize].clone();
        let Some((base_url, text)) = (self.sheet.imports)(&base.base_url, address) else { return };
        let infos = &self.sheet.sheets.infos;
        let own = std::iter::once(&self.sheet.sheet);
        let mut importing = self.sheet.importers.iter().chain(own).map(|sheet| &infos[*sheet as usize].base_url);
        if importing.any(|importer| **importer == *base_url) {
            // A stylesheet that imports itself, directly or indirectly, is not loaded again (CSSOM 1 §6.2).
            return;
        }
        let bytes = self.sheet.sheets.imported_bytes + text.len();
        if bytes > MAX_IMPORTED_BYTES {
            self.sheet.sheets.truncated = true;
            return;
        }
        self.sheet.sheets.imported_bytes = bytes;
        let base_url: Arc<str> = Arc::from(base_url);
        let mut importers = self.sheet.importers.clone();
        importers.push(self.sheet.sheet);
        let info = super::SheetInfo { href: Some(base_url.clone()), base_url, ..base };
        self.sheet.sheets.infos.push(info);
        let sheet = u32::try_from(self.sheet.sheets.infos.len() - 1).unwrap_or(u32::MAX);
        let mut parser = SheetParser {
            sheets: &mut *self.sheet.sheets,
            interner: &mut *self.sheet.interner,
            imports: self.sheet.imports,
            origin: self.sheet.origin,
            tree: self.sheet.tree,
            owner_parent: self.sheet.owner_parent,
            sheet,
            importers,
            filter: self.sheet.filter,
        };
        parser.parse(text, condition, layer);
    }

    fn store_at_rule(&mut self, name: &str, prelude: &str, body: &str, line: u32) {
        if name == "property" {
            let registration =
                Some(prelude.trim()).filter(|name| name.starts_with("--")).zip(Registration::parse(body));
            self.sheet.sheets.registrations.extend(registration.map(|(name, own)| (Atom::from(name), own)));
        }
        let (condition, sheet) = (self.context.condition, self.sheet.sheet);
        self.sheet.sheets.at_rules.push(AtRule {
            name: name.into(),
            prelude: prelude.trim().into(),
            body: Arc::from(body),
            condition,
            sheet,
            line,
        });
    }
}

/// Makes room for more items, up to `most`. [`Vec::reserve`] would double a full list, even for the few rules of a sheet after
/// a large one.
fn make_room<T>(list: &mut Vec<T>, more: usize, most: usize) {
    let more = more.min(most.saturating_sub(list.len()));
    if list.capacity() - list.len() < more {
        list.reserve_exact(more.max(list.len() / 8));
    }
}

fn remaining_text<'i>(input: &mut Parser<'i>) -> &'i str {
    input.skip_whitespace();
    let start = input.position();
    while input.next_including_whitespace_and_comments().is_ok() {}
    input.slice_from(start)
}

/// Returns true if a rule's selectors are certainly of reasonable length and without brackets: most are, and need not
/// be scanned twice.
fn is_flat(rest: &str) -> bool {
    let bytes = rest.as_bytes();
    let bytes = &bytes[..bytes.len().min(crate::selector::MAX_SELECTOR_BYTES)];
    bytes.iter().find(|byte| matches!(byte, b'{' | b'(' | b'[' | b'"' | b'\'' | b'/' | b'\\')) == Some(&b'{')
}

fn layer_names(input: &mut Parser<'_>) -> Result<Vec<String>, DeclarationError> {
    input.parse_comma_separated(|input| {
        let mut name = input.expect_ident()?.to_string();
        while input.try_parse(|input| input.expect_delim('.')).is_ok() {
            name.push('.');
            name.push_str(input.expect_ident()?);
        }
        Ok(name)
    })
}
