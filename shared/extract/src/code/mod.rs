//! `/code`: a section of a page as a self-contained component.
//!
//! A section is captured into the framework-neutral [`model`], once against the browser's own sheet (`html`,
//! `elementor`, `shopify`) or against Tailwind's preflight (`tailwind`, `jsx`, `vue`), and written by one emitter of
//! [`emit`] for each framework.
#![allow(dead_code, reason = "loops and states of the model are written before they are captured")]

mod assets;
mod capture;
mod choose;
mod emit;
mod model;
mod sections;

use crate::svg::library::Library;
use crate::{ExtractError, Extraction, PageView};
use capture::Order;
use limner_page::PageSnapshot;
use limner_style::StyleIndex;
use limner_style::color::Scheme;
use limner_types::result::{CodeResult, CodeSummary};
use limner_types::{CodeOptions, Framework, OperationOptions, Request, Theme};
use model::Baseline;

/// The result of `/code`.
pub(crate) fn extract(view: &PageView<'_>, request: &Request) -> Result<Extraction, ExtractError> {
    let OperationOptions::Code(options) = &request.options else {
        return Err(ExtractError::Unprocessable("This call has no parameters of `/code`.".to_owned()));
    };
    let index = StyleIndex::new(view.page, &view.document);
    let sections = sections::find(view, &index);
    let chosen = choose::section(view, options, &sections)?;
    let scheme = if options.theme == Theme::Dark { Scheme::Dark } else { Scheme::Light };
    let library = Library::of_page(view);
    let order = Order {
        section: chosen.node,
        baseline: baseline(options.framework),
        name: name(options, &chosen),
        index: &index,
        scheme,
        dark: (options.theme == Theme::Light).then_some(&index),
    };
    let component = capture::capture(view, &library, &order);
    let emitted = emit::emit(&component, options.framework);
    let mut common = view.common();
    if common.hint.is_none() {
        common.hint = chosen.hint;
    }
    let result = CodeResult {
        common,
        code: emitted.code,
        css: emitted.css,
        tokens: limner_types::result::TokenGroups::default(),
        theme: component.theme,
        assets: assets::of(&component, &index),
        selector: chosen.selector,
        auto_detected: chosen.auto_detected,
        sections: sections.into_iter().map(|section| section.reference).collect(),
        framework: options.framework,
        summary: CodeSummary {
            elements: component.elements.len(),
            mapped_to_tailwind: emitted.mapped_to_tailwind,
            arbitrary: emitted.arbitrary,
            styled_coverage: 100.0,
            repeated_groups: emitted.repeated_groups,
            truncated: component.truncated,
        },
    };
    Extraction::json(&result)
}

/// Side resources `/code` reads: sprites that `use` elements refer to.
pub(crate) fn needs(page: &PageSnapshot) -> Vec<String> {
    if !page.html.contains("<use") {
        return Vec::new();
    }
    let view = PageView::new(page);
    Library::of_page(&view).wanted_sprites(page)
}

fn baseline(framework: Framework) -> Baseline {
    match framework {
        Framework::Tailwind | Framework::Jsx | Framework::Vue => Baseline::Preflight,
        Framework::Html | Framework::Elementor | Framework::Shopify => Baseline::Browser,
    }
}

/// What the component is called: as asked for, or what the section is.
fn name(options: &CodeOptions, chosen: &choose::Chosen) -> String {
    options.name.clone().unwrap_or_else(|| chosen.name.clone())
}
