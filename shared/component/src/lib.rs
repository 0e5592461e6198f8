//! Implements `/code`: extracts a section of a page as a self-contained component.
//!
//! A section is captured into the framework-neutral [model](limner_component_model::model) against a baseline: the browser's
//! default stylesheet (`html`, `elementor`, `shopify`) or Tailwind's preflight (`tailwind`, `jsx`, `vue`). The caller's
//! [`Emit`] writes the model as code.
//!
//! ```
//! use limner_page::PageSnapshot;
//! use limner_page_view::PageView;
//! use limner_types::{Operation, request};
//!
//! let html = "<!doctype html><nav style='display: flex'><a href='/docs'>Documents</a></nav>".to_owned();
//! let page = PageSnapshot { url: "https://example.com/".to_owned(), html, ..PageSnapshot::default() };
//! let query = [("url", "example.com"), ("selector", "nav"), ("framework", "tailwind")];
//! let query = query.map(|(name, value)| (name.to_owned(), value.to_owned()));
//! let request = request::parse(Operation::Code, &query).unwrap().request;
//! let emit = limner_component_emit::emit;
//! let extraction = limner_component::extract(&PageView::new(&page), &request, emit).unwrap();
//! let result = String::from_utf8(extraction.body).unwrap();
//! assert!(result.contains(r#"<nav class=\"flex "#), "{result}");
//! ```

mod assets;
mod capture;
mod page_ground;
mod page_sections;
mod preview;
mod root_theme;
mod select_section;
mod themes;

use capture::{CaptureRequest, CaptureResult};
use limner_assets::svg::svg_sources::SvgSources;
use limner_component_model::html;
use limner_component_model::model::{Baseline, Component, Emitted};
use limner_component_model::page::{EmittedPage, Page};
use limner_component_model::second_reader;
use limner_page::{PageSnapshot, WorkBudget};
use limner_page_view::{ExtractError, Extraction, PageView};
use limner_sections::{FoundSections, script_hints, unread_parts};
use limner_style::StyleIndex;
use limner_style::color::Scheme;
use limner_style::layout::NoLayout;
use limner_types::result::{CodeFile, CodeResult, CodeSummary};
use limner_types::{CodeLanguage, CodeOptions, CodeScope, Framework, OperationOptions, OperationRequest, Theme};
use page_ground::RootBackground;
use root_theme::RootTheme;
use themes::Themes;

/// The hint for a requested dark theme for which the page has no rule.
const NO_DARK_THEME: &str = "This page declares no dark theme in its style sheets, so its default look is returned. A theme that only a script switches cannot be selected.";

/// The hint for container queries whose containers the component does not have.
const ASSUMED_CONTAINERS: &str = "Container queries of this section are about elements around it, or too many to compare: the component answers them by the width of the viewport.";
/// The hint for a page of which only the beginning is returned.
const TRUNCATED_PAGE: &str = "This page has more elements or text than a component may have: its end is missing. Ask for its sections one by one.";

/// The function that writes a component as code for a framework.
pub type Emit = fn(&Component, Framework, CodeLanguage) -> Emitted;

/// The function that writes a page as code for a framework.
pub type EmitPage = fn(&Page, Framework, CodeLanguage) -> EmittedPage;

/// Writes what was captured; a section is a page without sections.
type Write<'w> = &'w dyn Fn(&Page, &CodeOptions) -> EmittedPage;

/// Returns the result of `/code`.
///
/// # Errors
/// Returns [`ExtractError::NotFound`] if the requested section does not exist, and [`ExtractError::TooCostly`] if the page's
/// work budget is exhausted.
pub fn extract(view: &PageView<'_>, request: &OperationRequest, emit: Emit) -> Result<Extraction, ExtractError> {
    extract_observed(view, request, emit, &mut |_, _| {})
}

/// Returns the result of `/code` with `scope=page`: the page's sections, and what composes them.
///
/// # Errors
/// [`ExtractError::TooCostly`] if the page's work budget is exhausted.
pub fn extract_page(
    view: &PageView<'_>,
    request: &OperationRequest,
    emit: EmitPage,
) -> Result<Extraction, ExtractError> {
    let write = |page: &Page, options: &CodeOptions| emit(page, options.framework, options.language);
    extract_with(view, request, &write, &mut |_, _| {})
}

/// The component after one of the passes that shorten it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PassOutput {
    /// The name of the pass; the first output is that of `tree-and-rules`, before all passes.
    pub name: &'static str,
    /// The component as HTML.
    pub markup: String,
    /// Its stylesheet.
    pub css: String,
}

/// Returns the component of a `/code` request after each pass, the last time that the passes run.
///
/// # Errors
/// As [`extract`].
pub fn trace_passes(
    view: &PageView<'_>,
    request: &OperationRequest,
    emit: Emit,
) -> Result<Vec<PassOutput>, ExtractError> {
    let mut outputs: Vec<PassOutput> = Vec::new();
    let mut observer = |name, component: &Component| {
        if outputs.first().is_some_and(|first| first.name == name) {
            outputs.clear();
        }
        let (markup, css) = html::markup_and_sheet(component);
        outputs.push(PassOutput { name, markup, css });
    };
    extract_observed(view, request, emit, &mut observer)?;
    Ok(outputs)
}

fn extract_observed(
    view: &PageView<'_>,
    request: &OperationRequest,
    emit: Emit,
    observer: capture::Observer<'_>,
) -> Result<Extraction, ExtractError> {
    let write = |page: &Page, options: &CodeOptions| {
        let page = emit(&page.component, options.framework, options.language);
        EmittedPage { page, files: Vec::new() }
    };
    extract_with(view, request, &write, observer)
}

fn extract_with(
    view: &PageView<'_>,
    request: &OperationRequest,
    write: Write<'_>,
    observer: capture::Observer<'_>,
) -> Result<Extraction, ExtractError> {
    let OperationOptions::Code(options) = &request.options else {
        return Err(ExtractError::Unprocessable("This call has no parameters of `/code`.".to_owned()));
    };
    let index = StyleIndex::new(view.page, &view.document).with_start_states_ended();
    view.check_budget()?;
    let FoundSections { sections, left_out } = limner_sections::find(view, &index);
    let is_page = options.scope == CodeScope::Page;
    let chosen = match options.scope {
        CodeScope::Section => select_section::section(view, options, &sections)?,
        CodeScope::Page => page_sections::select_page(view, left_out)?,
    };
    let kept = if is_page { page_sections::section_nodes(&sections) } else { Vec::new() };
    let library = SvgSources::from_page(view);
    let themes = Themes::from_rules(&index);
    let has_dark = themes.has_dark() || themes::root_supports_dark(&index);
    let rides_along = options.theme == Theme::Light && (has_dark || themes.may_differ());
    let scheme = if options.theme == Theme::Dark { Scheme::Dark } else { Scheme::Light };
    let base_document = themes.marked(&view.document, scheme);
    let base_index = themes::build_index(view.page, base_document.as_ref());
    let dark_document = themes.marked(&view.document, Scheme::Dark).filter(|_| options.theme == Theme::Light);
    let dark_index = themes::build_index(view.page, dark_document.as_ref());
    let base = base_index.as_ref().unwrap_or(&index);
    let order = CaptureRequest {
        section: chosen.node,
        kept: &kept,
        baseline: baseline(options.framework),
        name: name(options, &chosen),
        role: chosen.role,
        index: base,
        scheme,
        root_theme: RootTheme::detect(&themes, &view.document, scheme, base_document.is_some()),
        dark_switch: themes.switch().cloned().filter(|_| options.theme == Theme::Light),
        dark: rides_along.then(|| dark_index.as_ref().unwrap_or(&index)),
    };
    let CaptureResult { component, nodes, coverage, tokens, left_out_alternatives, assumes_containers } =
        capture::capture(view, &library, &order, observer);
    let page = if is_page {
        let behind = RootBackground::detect(view, base, scheme, order.dark);
        page_sections::page(&view.document, &sections, component, nodes, behind)
    } else {
        Page { component, sections: Vec::new() }
    };
    let EmittedPage { page: emitted, files } = write(&page, options);
    let component = page.component;
    let styled_coverage = written_coverage(coverage, &emitted);
    debug_assert_eq!(second_reader::fault(&component, options.framework, &emitted.code, &files), None);
    let mut common = view.common();
    let is_dark = component.theme == Some(Theme::Dark);
    let unknown = (options.theme == Theme::Dark && !(has_dark || is_dark)).then(|| NO_DARK_THEME.to_owned());
    let mut hints: Vec<String> = common.hint.take().into_iter().chain(chosen.hints).chain(unknown).collect();
    hints.extend((is_page && component.truncated).then(|| TRUNCATED_PAGE.to_owned()));
    hints.extend(script_hints::hints(base, chosen.node));
    hints.extend(unread_parts::hints(view.page, base, chosen.node));
    hints.extend((left_out_alternatives > 0).then(|| alternatives_hint(left_out_alternatives)));
    hints.extend(assumes_containers.then(|| ASSUMED_CONTAINERS.to_owned()));
    hints.extend(emitted.setup_hint);
    common.hint = (!hints.is_empty()).then(|| hints.join(" "));
    let result = CodeResult {
        common,
        code: emitted.code,
        files: files.into_iter().map(|(path, code)| CodeFile { path, code }).collect(),
        default_name: chosen.name,
        css: emitted.css,
        preview: options.preview.then(|| preview::document(&component)),
        tokens,
        theme: component.theme,
        assets: assets::collect_assets(view, chosen.node, &component, base),
        selector: chosen.selector,
        auto_detected: chosen.auto_detected,
        sections: sections.into_iter().map(|section| section.reference).collect(),
        framework: options.framework,
        summary: CodeSummary {
            elements: component.elements.len(),
            mapped_to_tailwind: emitted.mapped_to_tailwind,
            arbitrary: emitted.arbitrary,
            styled_coverage,
            repeated_groups: emitted.repeated_groups,
            truncated: component.truncated,
        },
    };
    Extraction::json(&result)
}

/// Returns the URLs of the subresources that `/code` reads: sprites that `use` elements refer to.
pub fn required_subresources(page: &PageSnapshot, budget: &WorkBudget) -> Vec<String> {
    if !page.html.contains("<use") {
        return Vec::new();
    }
    let view = PageView::within(page, &NoLayout, budget);
    SvgSources::from_page(&view).missing_sprites(page)
}

/// Returns the hint about slides, panels and steps that only a script shows.
fn alternatives_hint(count: usize) -> String {
    let parts =
        if count == 1 { "1 part of this section is".to_owned() } else { format!("{count} parts of this section are") };
    format!(
        "{parts} hidden until a script shows them in place of others like them (slides, panels): the component has those that are shown at first."
    )
}

fn baseline(framework: Framework) -> Baseline {
    match framework {
        Framework::Tailwind | Framework::Jsx | Framework::Vue => Baseline::Preflight,
        Framework::Html | Framework::Elementor | Framework::Shopify => Baseline::Browser,
    }
}

/// Returns the share of the section's styles that the code has, in percent, without the declarations that were dropped.
fn written_coverage(coverage: f64, emitted: &Emitted) -> f64 {
    if emitted.dropped == 0 {
        return coverage;
    }
    let written = emitted.mapped_to_tailwind + emitted.arbitrary;
    (10.0 * coverage * written as f64 / (written + emitted.dropped) as f64).floor() / 10.0
}

/// Returns the name of the component: the requested one, or the section's.
fn name(options: &CodeOptions, chosen: &select_section::SelectedSection) -> String {
    options.name.clone().unwrap_or_else(|| chosen.name.clone())
}

#[cfg(test)]
mod tests;
