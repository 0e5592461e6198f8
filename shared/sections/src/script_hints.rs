//! Hints about a section whose scripts do more than its HTML and stylesheets tell.
//!
//! `styledCoverage` compares the component with the page as it was read. If a script draws or writes a part of the
//! section, both lack it.

use limner_page::dom::Element;
use limner_page::{Document, NodeId};
use limner_style::computed::Display;
use limner_style::property::Longhand;
use limner_style::selector::PseudoElement;
use limner_style::{Environment, StyleIndex, Styles};
use std::collections::BTreeSet;

/// Attributes and classes of elements that icon libraries replace by a drawing.
const ICON_ATTRIBUTES: &[&str] =
    &["data-eva", "data-feather", "data-iconify", "data-lucide", "data-uk-icon", "uk-icon"];
const ICON_CLASSES: &[&str] = &["iconify"];

/// Classes by which Font Awesome's script finds the icons that it draws; other classes of its icons begin with `fa-`.
const FONT_AWESOME: &[&str] = &[
    "fa",
    "fab",
    "fad",
    "fal",
    "far",
    "fas",
    "fat",
    "fa-brands",
    "fa-duotone",
    "fa-light",
    "fa-regular",
    "fa-sharp",
    "fa-solid",
    "fa-thin",
];

/// Attributes of elements in which a script writes a number that grows, or words one after the other.
const TEXT_ATTRIBUTES: &[&str] = &[
    "data-count",
    "data-counter",
    "data-countup",
    "data-purecounter-end",
    "data-to-value",
    "data-typed-items",
    "data-typing",
    "data-words",
];
const TEXT_CLASSES: &[&str] = &["typed", "typed-text", "typewriter", "typing-text", "txt-rotate"];

/// Classes, attributes and elements of libraries that place and size what is in them by script: sliders of Divi, LayerSlider
/// and Smart Slider, rows of Slider Revolution, Masonry, Isotope, Divi's contents for other widths, and sections of Squarespace's templates.
const LAYOUT_CLASSES: &[&str] = &[
    "et_pb_fullscreen",
    "et_pb_slider",
    "isotope",
    "ls-wp-container",
    "masonry",
    "n2-ss-slider",
    "rev_slider",
    "tmpl-loading",
    "vc_row-o-full-height",
];
const LAYOUT_ATTRIBUTES: &[&str] = &["data-et-multi-view", "data-isotope", "data-masonry"];
const LAYOUT_ELEMENTS: &[&str] = &["rs-row", "sr7-module"];

/// The attribute of Tilda's artboards that grow with the window, with its value, and UIkit's of heights less an offset.
const SCALED: (&str, &str) = ("data-artboard-upscale", "window");
const OFFSET: (&str, &str) = ("uk-height-viewport", "offset");

/// Attributes of parts that move: pictures of Slider Revolution that pan and zoom, and elements of Jarallax that follow the
/// page.
const RIDES: &[(&str, &str)] = &[("data-panzoom", ""), ("data-kenburns", "on"), ("data-jarallax-element", "")];

/// Attributes with the time after which Bootstrap's carousels move on, and the number of milliseconds below which a visitor
/// hardly sees the first slide.
const INTERVALS: [&str; 2] = ["data-bs-interval", "data-interval"];
const SHORT: u32 = 5_000;

/// Settings of Elementor: of a section whose background is a slide show or of a widget that moves on by itself, and the
/// time that each slide stays. Without a time it is [`SHORT`].
const SLIDE_SHOWS: [(&str, &str); 2] = [
    ("\"background_slideshow_gallery\"", "\"background_slideshow_slide_duration\":"),
    ("\"autoplay\":\"yes\"", "\"autoplay_speed\":"),
];

/// Maximum number of names in a hint.
const MAX_NAMES: usize = 4;

/// Maximum number of nodes inside an element that are looked at.
const MAX_INNER: usize = 24;

/// Elements of one kind, and the names by which they were recognised.
#[derive(Default)]
struct Parts {
    count: usize,
    names: BTreeSet<String>,
}

impl Parts {
    fn add(&mut self, name: Option<String>) {
        if let Some(name) = name {
            self.count += 1;
            self.names.insert(name);
        }
    }

    /// Returns the number of parts with their names: `3 parts (`canvas`)`.
    fn described(&self, noun: &str) -> String {
        let names: Vec<String> = self.names.iter().take(MAX_NAMES).map(|name| format!("`{name}`")).collect();
        let plural = if self.count == 1 { "" } else { "s" };
        format!("{} {noun}{plural} of this section ({})", self.count, names.join(", "))
    }
}

/// Returns the hints about a section.
pub fn hints(index: &StyleIndex<'_>, section: NodeId) -> Vec<String> {
    let document = index.document();
    let mut styles = index.styles(&Environment::default());
    let has_icon_script = has_icon_script(document);
    let (mut drawn, mut written) = (Parts::default(), Parts::default());
    let (mut placed, mut moved) = (Parts::default(), Parts::default());
    let mut has_fixed = false;
    for node in std::iter::once(section).chain(document.light_descendants(section)) {
        let Some(element) = document.element(node).filter(|element| element.in_html()) else { continue };
        has_fixed |= has_fixed_background(&mut styles, node) && has_box(document, &mut styles, node, section);
        let by_drawing = drawn_by(element).or_else(|| {
            font_awesome_icon(element)
                .filter(|_| has_icon_script && styles.pseudo(node, PseudoElement::Before).is_none())
        });
        let by_drawing = by_drawing.filter(|_| is_empty(document, node));
        let by_writing = written_by(element).filter(|_| by_drawing.is_none() && is_incomplete(document, node, element));
        let by_layout = laid_out_by(element);
        let by_moving = moved_by(element);
        let found = [&by_drawing, &by_writing, &by_layout, &by_moving].into_iter().any(Option::is_some);
        if found && has_box(document, &mut styles, node, section) {
            drawn.add(by_drawing.filter(|_| by_layout.is_none()));
            written.add(by_writing);
            placed.add(by_layout);
            moved.add(by_moving);
        }
    }
    let assumed = index.start_states().into_iter().filter(|state| state.evidence.is_assumed());
    let assumed = assumed.filter(|state| document.is_inclusive_descendant(state.node, section)).count();
    let mut hints = Vec::new();
    if drawn.count > 0 {
        hints.push(format!("A script draws {}: the component only has their place.", drawn.described("part")));
    }
    if written.count > 0 {
        hints.push(format!("A script writes {}: the component has what the HTML says.", written.described("text")));
    }
    if placed.count > 0 {
        hints.push(format!(
            "A script lays out {}: the component has them as the stylesheets do.",
            placed.described("part")
        ));
    }
    if moved.count > 0 {
        hints.push(format!("A script moves {}: the component shows their start.", moved.described("part")));
    }
    if has_fixed {
        hints.push(
            "A background of this section stays in place while the page scrolls: it shows another part of its picture \
             where the component stands elsewhere."
                .to_owned(),
        );
    }
    if assumed > 0 {
        hints.push(format!(
            "The page hides {assumed} of this section's elements without saying when it shows them: the component shows them."
        ));
    }
    hints
}

/// Returns true for a background image with `background-attachment: fixed`.
fn has_fixed_background(styles: &mut Styles<'_>, node: NodeId) -> bool {
    styles.get(node).is_some_and(|style| {
        style.get(Longhand::BackgroundAttachment).contains("fixed")
            && style.get(Longhand::BackgroundImage).contains("url(")
    })
}

fn is_empty(document: &Document, node: NodeId) -> bool {
    document.shadow_root(node).is_none()
        && document.child_elements(node).next().is_none()
        && text_of(document, node).trim().is_empty()
}

/// Returns the first texts in an element.
fn text_of(document: &Document, node: NodeId) -> String {
    document.light_descendants(node).take(MAX_INNER).filter_map(|inner| document.text(inner)).collect()
}

/// Returns the name of an element that is empty until a script draws it.
fn drawn_by(element: &Element) -> Option<String> {
    let name = element.name();
    if name == "canvas" || name.contains('-') && !name.starts_with("rs-") {
        return Some(name.to_owned());
    }
    let is_lottie = element.attr("data-animation-type") == Some("lottie");
    let by_attribute = ICON_ATTRIBUTES.iter().find(|name| element.attr(name).is_some()).copied();
    by_attribute.or(is_lottie.then_some("lottie")).map(str::to_owned).or_else(|| class_of(element, ICON_CLASSES))
}

/// Returns the name of an icon of Font Awesome.
fn font_awesome_icon(element: &Element) -> Option<String> {
    let is_icon = class_of(element, FONT_AWESOME).is_some();
    let named = element.classes().iter().find(|class| class.starts_with("fa-") && !FONT_AWESOME.contains(&&***class));
    named.filter(|_| is_icon).map(|class| class.to_string())
}

/// Returns true if the page loads Font Awesome as a script: from its kits, or as a file of a site's own.
fn has_icon_script(document: &Document) -> bool {
    document.elements_named("script").any(|(_, script)| {
        let address = script.attr("src").unwrap_or_default().to_ascii_lowercase();
        address.contains("fontawesome") || address.contains("font-awesome")
    })
}

/// Returns the attribute or class by which a script finds an element whose text it writes.
fn written_by(element: &Element) -> Option<String> {
    let by_attribute = TEXT_ATTRIBUTES.iter().find(|name| element.attr(name).is_some_and(|value| !value.is_empty()));
    by_attribute.map(|name| (*name).to_owned()).or_else(|| class_of(element, TEXT_CLASSES))
}

/// Returns the name of an element whose contents a library places by script.
fn laid_out_by(element: &Element) -> Option<String> {
    let name = LAYOUT_ELEMENTS.iter().find(|name| element.name() == **name);
    let by_attribute = || LAYOUT_ATTRIBUTES.iter().find(|name| element.attr(name).is_some());
    let says = |(name, part): &(&str, &str)| element.attr(name).is_some_and(|value| value.contains(part));
    let by_value = || [&SCALED, &OFFSET].into_iter().find(|setting| says(setting)).map(|(name, _)| name);
    name.or_else(by_attribute)
        .or_else(by_value)
        .map(|name| (*name).to_owned())
        .or_else(|| class_of(element, LAYOUT_CLASSES))
}

/// Returns the name of an element that a script changes or moves again and again.
fn moved_by(element: &Element) -> Option<String> {
    let settings = element.attr("data-settings").unwrap_or_default();
    let by_settings = SLIDE_SHOWS.iter().find(|show| is_fast_slide_show(settings, show)).map(|(name, _)| *name);
    let says = |(name, part): &&(&str, &str)| element.attr(name).is_some_and(|value| value.contains(part));
    let by_attribute = || RIDES.iter().find(says).map(|(name, _)| *name);
    let is_short = |name: &&&str| {
        let interval = element.attr(name).and_then(|value| value.parse::<u32>().ok());
        interval.is_some_and(|interval| (1..SHORT).contains(&interval))
    };
    let by_interval = || INTERVALS.iter().find(is_short).copied();
    let by_video = || (element.is_html("video") && element.attr("autoplay").is_some()).then_some("video");
    let by_time = by_interval().or_else(by_video);
    by_settings.or(by_time).or_else(by_attribute).map(|name| name.replace('"', ""))
}

/// Returns true if Elementor's settings have a slide show whose first slide stays for less than [`SHORT`].
fn is_fast_slide_show(settings: &str, (name, duration): &(&str, &str)) -> bool {
    let milliseconds = settings.split(duration).nth(1).and_then(|rest| {
        let rest = rest.trim_start_matches('"');
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse::<u32>().ok()
    });
    settings.contains(name) && milliseconds.is_some_and(|milliseconds| milliseconds < SHORT)
}

fn class_of(element: &Element, classes: &[&str]) -> Option<String> {
    element.classes().iter().find(|class| classes.contains(&&***class)).map(|class| class.to_string())
}

/// Returns true if the text of an element is empty, or a number other than the one that its attribute says.
fn is_incomplete(document: &Document, node: NodeId, element: &Element) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let text = text_of(document, node);
    let is_number = |value: &str| !digits(value).is_empty() && value.trim().len() <= 20;
    let ends = TEXT_ATTRIBUTES.iter().filter_map(|name| element.attr(name)).find(|value| is_number(value));
    text.trim().is_empty() || ends.is_some_and(|end| digits(end) != digits(&text) && text.trim().len() <= 20)
}

fn has_box(document: &Document, styles: &mut Styles<'_>, node: NodeId, section: NodeId) -> bool {
    let around = std::iter::once(node).chain(document.ancestors(node));
    around
        .take_while(|around| *around != section)
        .chain([section])
        .all(|node| styles.get(node).is_some_and(|style| style.display() != Display::None))
}
