//! Tests each pass with a fixture (`fixtures/NAME.html`): a section with its stylesheet, then the component before and
//! after the pass. With `UPDATE_FIXTURES=1` the tests write the components that they get.

use super::{Draft, Part, Pass, PassContext};
use crate::capture::{CaptureRequest, CaptureResult, Observer, PASSES, capture_with};
use crate::root_theme::RootTheme;
use limner_assets::svg::svg_sources::SvgSources;
use limner_component_model::html;
use limner_component_model::model::{Baseline, Child, Component, Element, Namespace};
use limner_page::dom::categories::is_void;
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
        let mut steps: Vec<(&'static str, Component)> = Vec::new();
        let result = self.capture_with(passes, &mut |name, component| {
            // The passes run again after each repair.
            if steps.first().is_some_and(|(first, _)| *first == name) {
                steps.clear();
            }
            steps.push((name, component.clone()));
        });
        (steps, result)
    }

    /// Returns the component after the passes, before any repair.
    fn capture_once(&self, passes: &[Pass]) -> Component {
        let mut steps = Vec::new();
        self.capture_with(passes, &mut |_, component| steps.push(component.clone()));
        steps.swap_remove(passes.len())
    }

    fn capture_with(&self, passes: &[Pass], observer: Observer<'_>) -> CaptureResult {
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
        capture_with(&view, &SvgSources::from_page(&view), &request, passes, observer)
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
    let differs = |part: &Part| written_part(before, *part) != written_part(after, *part);
    let of_elements = [Part::Text, Part::Attributes, Part::Rules];
    let is_same_tree = !differs(&Part::Tree);
    WRITTEN.iter().copied().filter(|part| (is_same_tree || !of_elements.contains(part)) && differs(part)).collect()
}

/// The parts that a component has; the others are only passed on.
const WRITTEN: &[Part] = &[
    Part::Tree,
    Part::Text,
    Part::Attributes,
    Part::Rules,
    Part::Keyframes,
    Part::Registrations,
    Part::FontFaces,
    Part::CounterStyles,
];

fn written_part(component: &Component, part: Part) -> String {
    let of_elements =
        |value: &dyn Fn(&Element) -> String| component.elements.iter().map(value).collect::<Vec<_>>().join("\n");
    match part {
        Part::Tree => of_elements(&|own| own.tag.clone()),
        Part::Text => of_elements(&|own| {
            let texts = own.children.iter().filter(|child| matches!(child, Child::Text(_)));
            let flags = [
                own.preserves_whitespace,
                own.is_block_level,
                own.edge_whitespace_insignificant,
                own.whitespace_insignificant,
            ];
            format!("{:?} {flags:?}", texts.collect::<Vec<_>>())
        }),
        Part::Attributes => of_elements(&|own| format!("{:?}", own.attributes)),
        Part::Rules => of_elements(&|own| format!("{:?}", own.rules)),
        Part::Keyframes => format!("{:?}", component.keyframes),
        Part::Registrations => format!("{:?}", component.registrations),
        Part::FontFaces => format!("{:?}", component.font_faces),
        Part::CounterStyles => format!("{:?}", component.counter_styles),
        Part::Animations => String::new(),
    }
}

/// A pass that removes or changes one part, so that a pass that reads it has another result.
type Change = fn(&PassContext<'_, '_>, &mut Draft);

const CHANGES: &[(Part, Change)] = &[
    (Part::Tree, |_, draft| {
        // The result has to be read back as it is written.
        let elements = draft.component.elements.iter_mut();
        let renamed = elements.filter(|own| own.namespace == Namespace::Html && !is_void(&own.tag));
        renamed.for_each(|own| own.tag = "x-part".to_owned());
    }),
    (Part::Text, |_, draft| {
        for own in &mut draft.component.elements {
            own.children.retain(|child| matches!(child, Child::Element(_)));
        }
    }),
    (Part::Attributes, |_, draft| draft.component.elements.iter_mut().for_each(|own| own.attributes.clear())),
    (Part::Rules, |_, draft| draft.component.elements.iter_mut().for_each(|own| own.rules.clear())),
    (Part::Animations, |_, draft| {
        draft.animations.clear();
        draft.unresolved_vars.clear();
    }),
    (Part::Keyframes, |_, draft| draft.component.keyframes.clear()),
    (Part::Registrations, |_, draft| draft.component.registrations.clear()),
];

/// Returns true if a change of a part has an effect on another part that the pass writes, in its fixture.
fn depends_on(fixture: &Fixture, at: usize, change: Change) -> bool {
    let pass = &PASSES[at];
    let after = |changes: &[Pass]| {
        let passes: Vec<Pass> = PASSES[..at].iter().chain(changes).chain([pass]).copied().collect();
        fixture.capture_once(&passes)
    };
    let changed_before = after(&[Pass::new("change", change, &[], &[])]);
    let expected = after(&[]);
    let differs = |part: &&Part| written_part(&changed_before, **part) != written_part(&expected, **part);
    let changed = CHANGES.iter().find(|(_, own)| std::ptr::fn_addr_eq(*own, change)).map(|(part, _)| *part);
    pass.writes.iter().filter(|part| Some(**part) != changed).any(|part| differs(&part))
}

/// Reads that no fixture shows: tables of `src/tests` have their cases.
const NOT_IN_FIXTURES: &[(&str, Part)] = &[
    ("collect-at-rules", Part::Attributes),
    ("prune-transitions", Part::Registrations),
    ("prune-wrappers", Part::Attributes),
    ("mark-up-contents", Part::Rules),
];

#[test]
fn parts_that_passes_read_are_those_that_they_declare() {
    let mut wrong = Vec::new();
    for (at, pass) in PASSES.iter().enumerate() {
        let own = Fixture::of_pass(pass);
        for (part, change) in CHANGES {
            let is_seen = || PASSES.iter().any(|other| depends_on(&Fixture::of_pass(other), at, *change));
            if !pass.reads.contains(part) && depends_on(&own, at, *change) {
                wrong.push(format!("{} reads {part:?}", pass.name));
            }
            // A pass changes a part in place, and thus reads it.
            let is_read = || pass.writes.contains(part) || depends_on(&own, at, *change) || is_seen();
            let is_unshown = NOT_IN_FIXTURES.contains(&(pass.name, *part));
            if pass.reads.contains(part) && is_read() == is_unshown {
                wrong.push(format!("{} reads {part:?} in a fixture: {}", pass.name, is_read()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn headers_of_passes_name_the_order_that_they_have() {
    let place = |name: &str| PASSES.iter().position(|pass| pass.name == name);
    for (at, pass) in PASSES.iter().enumerate() {
        let path = folder().join(format!("{}.rs", pass.name.replace('-', "_")));
        let source = std::fs::read_to_string(&path).unwrap();
        let header = source.lines().map_while(|line| line.strip_prefix("//!")).collect::<String>();
        assert_eq!(header.contains("is the first pass"), at == 0, "{}", pass.name);
        assert!(!header.contains("is the last pass"), "{}: say after which one", pass.name);
        let mut named = usize::from(at == 0 || header.contains("depends on no other pass"));
        let words: Vec<&str> = header.split_whitespace().collect();
        for (start, direction) in words.iter().enumerate().filter(|(_, word)| matches!(**word, "after" | "before")) {
            let listed = words[start + 1..].iter().filter(|word| **word != "and");
            let names = listed.map_while(|word| word.strip_prefix('`')?.split_once('`').map(|(name, _)| name));
            for other in names.map_while(place) {
                named += 1;
                let is_true = if *direction == "after" { at > other } else { at < other };
                assert!(is_true, "{} does not stand {direction} {}", pass.name, PASSES[other].name);
            }
        }
        assert!(named > 0, "{} does not say why it stands where it does", pass.name);
    }
}
