//! Tests each pass with a fixture (`fixtures/NAME.html`): a section with its stylesheet, then the component before and
//! after the pass. With `UPDATE_FIXTURES=1` the tests write the components that they get.

use super::{Draft, Part, Pass, PassContext};
use crate::capture::{CaptureRequest, CaptureResult, PASSES, capture_with};
use crate::root_theme::RootTheme;
use limner_assets::svg::svg_sources::SvgSources;
use limner_component_model::html;
use limner_component_model::model::{Baseline, Child, Component, Element};
use limner_page::{PageSnapshot, SheetOwner, Stylesheet};
use limner_page_view::PageView;
use limner_style::StyleIndex;
use limner_style::color::Scheme;
use std::path::{Path, PathBuf};

const BEFORE: &str = "<!-- before -->\n";
const AFTER: &str = "<!-- after -->\n";
/// The first line of fixtures whose component is made in the dark theme.
const DARK: &str = "<!-- dark -->\n";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/capture/passes")
}

/// A fixture, up to its expected components.
struct Fixture {
    path: PathBuf,
    text: String,
}

impl Fixture {
    fn of_pass(pass: &Pass) -> Self {
        let path = folder().join(format!("fixtures/{}.html", pass.name));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        Self { path, text }
    }

    /// Returns the page, without the expected components.
    fn page(&self) -> &str {
        self.text.split_once(BEFORE).map_or(self.text.as_str(), |(page, _)| page)
    }

    /// Captures the `section` of the page, and returns the component before the passes and after each of them.
    fn capture(&self, passes: &[Pass]) -> (Vec<(&'static str, Component)>, CaptureResult) {
        let (_, styled) = self.page().split_once("<style>\n").unwrap();
        let (css, html) = styled.split_once("</style>\n").unwrap();
        let scheme = if self.text.starts_with(DARK) { Scheme::Dark } else { Scheme::Light };
        let sheet = Stylesheet { owner: SheetOwner::Adopted, text: Some(css.to_owned()), ..Stylesheet::default() };
        let html = format!("<!doctype html><body>{html}");
        let page = PageSnapshot { url: "https://a.test/".into(), html, sheets: vec![sheet], ..PageSnapshot::default() };
        let view = PageView::new(&page);
        let index = StyleIndex::new(&page, &view.document);
        let mut all = view.document.elements();
        let (section, _) = all.find(|(_, element)| element.is_html("section")).unwrap();
        let request = CaptureRequest {
            section,
            kept: &[],
            baseline: Baseline::Browser,
            name: "Part".to_owned(),
            role: None,
            index: &index,
            scheme,
            root_theme: RootTheme::default(),
            dark: None,
            dark_switch: None,
        };
        let mut steps: Vec<(&'static str, Component)> = Vec::new();
        let mut observer = |name, component: &Component| {
            // The passes run again after each repair.
            if steps.first().is_some_and(|(first, _)| *first == name) {
                steps.clear();
            }
            steps.push((name, component.clone()));
        };
        let result = capture_with(&view, &SvgSources::from_page(&view), &request, passes, &mut observer);
        (steps, result)
    }
}

/// Returns the component as a page.
fn written(component: &Component) -> String {
    let (markup, css) = html::markup_and_sheet(component);
    format!("<style>\n{}\n</style>\n{}\n", css.trim_end(), markup.trim_end())
}

/// Returns the component before and after a pass.
fn before_and_after<'s>(steps: &'s [(&'static str, Component)], pass: &Pass) -> (&'s Component, &'s Component) {
    let at = steps.iter().position(|(name, _)| *name == pass.name).unwrap();
    (&steps[at - 1].1, &steps[at].1)
}

#[test]
fn each_pass_turns_its_fixture_into_the_expected_output() {
    for pass in PASSES {
        let fixture = Fixture::of_pass(pass);
        let (steps, _) = fixture.capture(PASSES);
        let (before, after) = before_and_after(&steps, pass);
        assert_ne!(before, after, "{} changes nothing in its fixture", pass.name);
        let page = fixture.page();
        let actual = format!("{page}{BEFORE}{}{AFTER}{}", written(before), written(after));
        if std::env::var_os("UPDATE_FIXTURES").is_some() {
            std::fs::write(&fixture.path, &actual).unwrap();
        }
        assert_eq!(actual, std::fs::read_to_string(&fixture.path).unwrap(), "{}", fixture.path.display());
    }
}

#[test]
fn passes_change_only_the_parts_that_they_declare() {
    for fixture in PASSES.iter().map(Fixture::of_pass) {
        let (steps, _) = fixture.capture(PASSES);
        for pass in PASSES {
            let (before, after) = before_and_after(&steps, pass);
            let changed = changed_parts(before, after);
            assert!(
                changed.iter().all(|part| pass.writes.contains(part)),
                "{} changes {changed:?} in {}",
                pass.name,
                fixture.path.display()
            );
        }
    }
}

#[test]
fn passes_read_only_what_earlier_ones_have_written() {
    let only_by_passes = [Part::Animations, Part::Keyframes, Part::Registrations, Part::FontFaces, Part::CounterStyles];
    for (at, pass) in PASSES.iter().enumerate() {
        for part in pass.reads.iter().filter(|part| only_by_passes.contains(part)) {
            let mut earlier = PASSES[..at].iter();
            assert!(earlier.any(|other| other.writes.contains(part)), "{} reads {part:?} too early", pass.name);
        }
        // The last pass knows no element by its number.
        let is_at_end = at + 2 >= PASSES.len();
        assert!(is_at_end || !pass.writes.contains(&Part::Tree), "{}: a later pass finds other elements", pass.name);
    }
}

#[test]
fn each_pass_has_a_file_with_an_example() {
    for pass in PASSES {
        let path = folder().join(format!("{}.rs", pass.name.replace('-', "_")));
        let source = std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
        assert!(source.contains("//! Before → after"), "{} shows no example", path.display());
    }
}

/// Removes all declarations of `color` but the root's.
fn lose_colors(_: &PassContext<'_, '_>, draft: &mut Draft) {
    for rule in draft.component.elements.iter_mut().skip(1).flat_map(|element| &mut element.rules) {
        rule.declarations.retain(|own| own.name != "color");
    }
}

#[test]
fn coverage_is_that_of_the_component_after_all_passes() {
    let page =
        "<style>\nsection { color: red } p { color: blue }\n</style>\n<section><div><p>Words</p></div></section>\n";
    let fixture = Fixture { path: PathBuf::new(), text: page.to_owned() };
    let (_, all) = fixture.capture(PASSES);
    assert_eq!((all.component.elements.len(), all.coverage), (2, 100.0), "the wrapper is removed, the rest verified");
    let broken: Vec<Pass> = PASSES.iter().copied().chain([Pass::new("lose-colors", lose_colors, &[], &[])]).collect();
    let (_, result) = fixture.capture(&broken);
    assert!(result.coverage < 100.0, "the last pass lost a colour, and the coverage is {}", result.coverage);
}

/// Returns the parts that differ. If elements were removed, their other parts are not compared.
fn changed_parts(before: &Component, after: &Component) -> Vec<Part> {
    let tree = |component: &Component| component.elements.iter().map(|own| own.tag.clone()).collect::<Vec<_>>();
    let text = |own: &Element| {
        let texts = own.children.iter().filter_map(|child| match child {
            Child::Text(text) => Some(text.clone()),
            Child::Element(_) => None,
        });
        let flags = [
            own.preserves_whitespace,
            own.is_block_level,
            own.edge_whitespace_insignificant,
            own.whitespace_insignificant,
        ];
        (texts.collect::<Vec<_>>(), flags)
    };
    let differ = |is_same: &dyn Fn(&Element, &Element) -> bool| {
        before.elements.iter().zip(&after.elements).any(|(one, other)| !is_same(one, other))
    };
    let is_same_tree = tree(before) == tree(after);
    let parts = [
        (Part::Tree, !is_same_tree),
        (Part::Text, is_same_tree && differ(&|one, other| text(one) == text(other))),
        (Part::Attributes, is_same_tree && differ(&|one, other| one.attributes == other.attributes)),
        (Part::Rules, is_same_tree && differ(&|one, other| one.rules == other.rules)),
        (Part::Keyframes, before.keyframes != after.keyframes),
        (Part::Registrations, before.registrations != after.registrations),
        (Part::FontFaces, before.font_faces != after.font_faces),
        (Part::CounterStyles, before.counter_styles != after.counter_styles),
    ];
    parts.into_iter().filter(|(_, differs)| *differs).map(|(part, _)| part).collect()
}
