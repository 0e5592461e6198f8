//! Writes pages: each section in a file of its own, and the page that composes them. `jsx` and `vue` import the sections;
//! what several of them share is a component, too. Stores and page builders have no imports: there each section is complete.

mod modules;
mod shared_components;
mod split;

use super::{elementor, jsx, repeated_groups, setup_hint, shadow_layers, shopify, tailwind_html, vue};
use limner_component_model::html;
use limner_component_model::page::{EmittedPage, Page};
use limner_types::{CodeLanguage, Framework};
use std::borrow::Cow;

/// Writes a page, with the same requirements as [`emit`](super::emit).
pub fn emit_page(page: &Page, framework: Framework, language: CodeLanguage) -> EmittedPage {
    let plain = || match shadow_layers::remove_empty(&page.component) {
        Cow::Borrowed(_) => Cow::Borrowed(page),
        Cow::Owned(component) => Cow::Owned(Page { component, sections: page.sections.clone() }),
    };
    let mut emitted = match framework {
        Framework::Html => with_repeated_groups(page, html::emit_page(&plain())),
        Framework::Tailwind => EmittedPage { page: tailwind_html::emit(&page.component), ..EmittedPage::default() },
        Framework::Jsx => modules::emit(page, &jsx::Writer(language)),
        Framework::Vue => modules::emit(page, &vue::Writer(language)),
        Framework::Elementor => {
            with_repeated_groups(page, elementor::emit_page(&page.component, &split::split(&plain())))
        }
        Framework::Shopify => shopify::emit_page(&split::split(&plain())),
    };
    let hints: Vec<String> =
        emitted.page.setup_hint.into_iter().chain(setup_hint(&page.component, framework)).collect();
    emitted.page.setup_hint = (!hints.is_empty()).then(|| hints.join(" "));
    emitted
}

/// Adds the number of repeated structures to a page that is written without loops.
fn with_repeated_groups(page: &Page, mut emitted: EmittedPage) -> EmittedPage {
    emitted.page.repeated_groups = repeated_groups(&page.component);
    emitted
}
