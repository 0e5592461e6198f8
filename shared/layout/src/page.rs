//! One page in one environment, from snapshot to boxes.

use crate::boxes;
use crate::fonts::Fonts;
use crate::natural::Pictures;
use crate::tree::Builder;
use blitz_dom::{BaseDocument, DocumentConfig, StyleThreading};
use blitz_traits::shell::{ColorScheme, Viewport};
use limner_page::{Document, PageSnapshot};
use limner_style::layout::Boxes;
use limner_style::{Environment, StyleIndex};

/// Lays a page out on the calling thread, which needs a large stack: the engine recurses with the depth of the document.
pub(crate) fn lay_out(page: &PageSnapshot, environment: &Environment, fonts: &mut Fonts) -> Option<Boxes> {
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(page, &document);
    let mut engine = BaseDocument::new(DocumentConfig {
        viewport: Some(viewport(environment)),
        // Every value is declared.
        ua_stylesheets: Vec::new(),
        font_ctx: Some(fonts.context()),
        // Several documents are laid out side by side.
        style_threading: StyleThreading::Sequential,
        ..DocumentConfig::default()
    });
    let root = engine.root_node().id;
    let pictures = Pictures::new(page, &document);
    let styles = index.styles(environment);
    let builder = Builder::new(&document, styles, index.flat_tree(), pictures, fonts, engine.mutate());
    let mapping = builder.run(root)?;
    engine.resolve(0.0);
    Some(boxes::read(&engine, &mapping, document.len()))
}

fn viewport(environment: &Environment) -> Viewport {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds after clamping")]
    let side = |length: f64| length.clamp(1.0, 32_000.0) as u32;
    Viewport::new(side(environment.width), side(environment.height), 1.0, ColorScheme::Light)
}
