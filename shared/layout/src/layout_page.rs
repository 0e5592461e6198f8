//! Lays out one page in one environment.

use crate::engine_stylesheet::ClassTable;
use crate::engine_tree::Builder;
use crate::fonts::Fonts;
use crate::measure::Measurements;
use crate::natural_size::ImageSizes;
use crate::read_boxes;
use crate::web_font_metrics::WebFonts;
use blitz_dom::{BaseDocument, DocumentConfig, StyleThreading};
use blitz_traits::shell::{ColorScheme, Viewport};
use limner_page::{Document, PageSnapshot};
use limner_style::layout::Boxes;
use limner_style::{Environment, StyleIndex, Styles};

/// Lays a page out on the calling thread, which needs a large stack: the engine recurses with the depth of the
/// document.
pub(crate) fn lay_out(page: &PageSnapshot, environment: &Environment, fonts: &mut Fonts) -> Option<Boxes> {
    let document = Document::parse(&page.html);
    let index = StyleIndex::new(page, &document).with_digit_widths(fonts.digit_widths()).with_start_states_ended();
    let mut styles = index.styles(environment);
    let mut pass = |columns, styles: &mut Styles<'_>| {
        let mut engine = engine(environment, fonts);
        let root = engine.root_node().id;
        let pictures = ImageSizes::new(page, &document, environment);
        let rules = ClassTable::new(fonts, WebFonts::from_rules(&index));
        let builder = Builder::new(&document, styles, index.flat_tree(), pictures, rules, columns, engine.mutate());
        let built = builder.build(root)?;
        engine.resolve(0.0);
        Some((read_boxes::collect_boxes(&engine, &built.mapping, document.len()), built.columns))
    };
    let mut columns = Measurements::default();
    loop {
        let (measured, built) = pass(columns, &mut styles)?;
        columns = built.measured(&document, &mut styles, &measured);
        if columns.is_done() {
            return Some(measured.boxes);
        }
    }
}

fn engine(environment: &Environment, fonts: &Fonts) -> BaseDocument {
    BaseDocument::new(DocumentConfig {
        viewport: Some(viewport(environment)),
        // Every value is declared.
        ua_stylesheets: Vec::new(),
        font_ctx: Some(fonts.context()),
        // Several documents are laid out in parallel.
        style_threading: StyleThreading::Sequential,
        ..DocumentConfig::default()
    })
}

fn viewport(environment: &Environment) -> Viewport {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds after clamping")]
    let side = |length: f64| length.clamp(1.0, 32_000.0) as u32;
    Viewport::new(side(environment.width), side(environment.height), 1.0, ColorScheme::Light)
}
