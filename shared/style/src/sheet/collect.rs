//! Collects the stylesheets of a page in cascade order.

use super::declaration::DeclarationInterner;
use super::parse::SheetParser;
use super::property_filter::Filter;
use super::{LayerId, Origin, SheetInfo, Sheets};
use crate::condition::ConditionId;
use crate::condition::media::MediaQueryList;
use limner_page::dom::NodeKind;
use limner_page::{Document, NodeId, PageSnapshot, SheetOwner};
use std::sync::Arc;
use url::Url;

/// Parses the user agent's stylesheets.
pub(crate) fn user_agent(
    sheets: &mut Sheets,
    interner: &mut DeclarationInterner,
    document: &Document,
    filter: Option<&Filter<'_>>,
) {
    let info = SheetInfo { href: None, base_url: Arc::from("about:blank"), snapshot_index: None };
    sheets.infos.push(info);
    let number = u32::try_from(sheets.infos.len() - 1).unwrap_or(u32::MAX);
    for text in crate::ua::sheets(document.quirks_mode()) {
        let mut parser = SheetParser {
            sheets,
            interner,
            imports: &|_, _| None,
            origin: Origin::UserAgent,
            tree: document.root(),
            owner_parent: None,
            sheet: number,
            importers: Vec::new(),
            filter,
        };
        parser.parse(text, ConditionId::default(), LayerId::NONE);
    }
}

/// Parses every stylesheet of the page, imported ones in place. Alternate stylesheets apply only once the visitor
/// selects them: they are included under a condition that never holds, or left out.
pub(crate) fn collect(
    sheets: &mut Sheets,
    interner: &mut DeclarationInterner,
    page: &PageSnapshot,
    document: &Document,
    with_alternate: bool,
    filter: Option<&Filter<'_>>,
) {
    let elements = document.sheet_elements();
    let imports = |base: &str, address: &str| {
        let mut url = Url::parse(base).ok()?.join(address.trim()).ok()?;
        let found = page.imports.get(url.as_str()).or_else(|| {
            url.set_fragment(None);
            page.imports.get(url.as_str())
        })?;
        Some((found.base_url.as_str(), found.text.as_str()))
    };
    for (index, sheet) in page.sheets.iter().enumerate().filter(|(_, sheet)| with_alternate || !sheet.alternate) {
        let Some(text) = &sheet.text else { continue };
        let owner = sheet.element.and_then(|at| elements.get(at as usize)).copied();
        sheets.infos.push(SheetInfo {
            href: sheet.href.as_deref().map(Arc::from),
            base_url: Arc::from(sheet.base_url.as_str()),
            snapshot_index: Some(index),
        });
        let number = u32::try_from(sheets.infos.len() - 1).unwrap_or(u32::MAX);
        let mut condition = media_condition(sheets, ConditionId::default(), &sheet.media);
        if sheet.alternate {
            condition = media_condition(sheets, condition, "not all");
        }
        let tree = owner.map_or(document.root(), |node| tree_root(document, node));
        let is_style = sheet.owner == SheetOwner::Style;
        let mut parser = SheetParser {
            sheets,
            interner,
            imports: &imports,
            origin: Origin::Author,
            tree,
            owner_parent: owner.filter(|_| is_style).and_then(|node| document.parent(node)),
            sheet: number,
            importers: Vec::new(),
            filter,
        };
        parser.parse(text, condition, LayerId::NONE);
    }
}

/// Returns the condition of a media query list inside another condition.
fn media_condition(sheets: &mut Sheets, outer: ConditionId, media: &str) -> ConditionId {
    if media.trim_ascii().is_empty() {
        return outer;
    }
    let read = |media: &str| Some(MediaQueryList::test(media));
    sheets.conditions.state(outer, "media", media, read).unwrap_or(outer)
}

/// Returns the document, or the shadow root that contains a node.
pub(crate) fn tree_root(document: &Document, node: NodeId) -> NodeId {
    let root = document.ancestors(node).find(|n| matches!(document.kind(*n), NodeKind::ShadowRoot));
    root.unwrap_or(document.root())
}
