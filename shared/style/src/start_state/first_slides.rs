//! Sliders whose sheet stacks or hides all slides until a script shows the first: of Smart Slider 3, Nivo Slider, FlexSlider
//! (MetaSlider), Soliloquy, Qode, Shopify's themes, Camera, Cycle 2, Superslides, Skitter, Slider Pro, Master Slider and RoyalSlider, by their
//! classes; of others by the call that starts them.

use super::script_calls::{self, ScriptCall};
use super::{StartEvidence, StartState, slider_sizes};
use crate::index::StyleIndex;
use crate::sheet::DeclarationInterner;
use limner_page::dom::Element;
use limner_page::{Document, NodeId};

/// Marks of a library's sliders, and the declarations with which their parts end.
struct Library {
    /// Class of the slider; empty if only the call says that it is one.
    slider: &'static str,
    /// The method that starts a slider.
    method: &'static str,
    /// Classes that the script adds to the slider or to parts of it.
    started: &'static [&'static str],
    slider_end: &'static str,
    /// The size that attributes or the call give a slider.
    size: fn(&Element, Option<&ScriptCall>) -> String,
    /// Marks of slides: `.class`, `name`, `.class-of-parent>name`, `>name` for a child of the slider; `*` is any name. There
    /// is a first one of each.
    slides: &'static [&'static str],
    slide_end: &'static str,
    /// The attribute with the picture that a slide has as background.
    image: &'static str,
    /// Ends of what is in the first slide or around it, by mark.
    parts: &'static [(&'static str, &'static str)],
}

const SHOWN: &str = "display: block; visibility: visible; opacity: 1";
const FILLING: &str = "display: block; visibility: visible; opacity: 1; position: absolute; inset: 0; width: 100%; \
                       height: 100%; margin: 0; transform: none";
/// The end of a slide that would fill a slider of which nothing says the size.
const IN_FLOW: &str =
    "display: block; visibility: visible; opacity: 1; position: relative; width: 100%; transform: none";
const COVERING: &str = "position: absolute; inset: 0; width: 100%; max-width: none; height: 100%; object-fit: cover";

const BASE: Library = Library {
    slider: "",
    method: "",
    started: &[],
    slider_end: "visibility: visible; opacity: 1",
    size: slider_sizes::leave_size,
    slides: &[],
    slide_end: SHOWN,
    image: "",
    parts: &[],
};

const LIBRARIES: &[Library] = &[
    Library {
        slider: "n2-ss-slider",
        started: &["n2-ss-loaded", "n2-ss-slide-active"],
        slides: &[".n2-ss-slide", ".n2-ss-slide-background"],
        slide_end: "opacity: 1; visibility: visible; transform: none",
        parts: &[
            (".n2-ss-layers-container", "opacity: 1; visibility: visible"),
            (".n2-ss-layer", "opacity: 1; visibility: visible"),
        ],
        ..BASE
    },
    Library {
        slider: "nivoSlider",
        method: ".nivoSlider",
        started: &["nivo-main-image", "nivo-slice"],
        slider_end: "visibility: visible; height: auto",
        slides: &["img"],
        slide_end: "display: block; position: relative; width: 100%; height: auto",
        ..BASE
    },
    Library {
        slider: "flexslider",
        method: ".flexslider",
        started: &["flex-active-slide", "flex-viewport"],
        slides: &[".slides>li"],
        ..BASE
    },
    Library {
        slider: "soliloquy-container",
        started: &["soliloquy-ready", "soliloquy-viewport"],
        slider_end: "visibility: visible; opacity: 1; height: auto",
        slides: &[".soliloquy-item"],
        ..BASE
    },
    Library {
        slider: "camera_wrap",
        method: ".camera",
        started: &["camera_fakehover", "camerasrc"],
        slider_end: "display: block; position: relative; width: 100%; overflow: hidden",
        size: slider_sizes::camera,
        slides: &[">div"],
        slide_end: FILLING,
        image: "data-src",
        parts: &[(".camera_caption", "display: block; position: absolute; opacity: 1; visibility: visible")],
    },
    Library {
        slider: "q_slider",
        started: &["active"],
        slides: &[".carousel-inner>.item"],
        slide_end: "display: block; visibility: visible; opacity: 1; height: 100%",
        parts: &[
            (".thumb", "opacity: 1"),
            (".text", "opacity: 1"),
            (".full_screen", "height: 100vh"),
            (".carousel-inner", "height: 100%"),
            (".qode_slider_preloader", "display: none"),
        ],
        ..BASE
    },
    Library {
        slider: "slideshow",
        started: &["slick-slide"],
        slides: &[".slideshow__slide"],
        parts: &[(".slideshow__image", "display: block; visibility: visible; opacity: 1")],
        ..BASE
    },
    Library { slider: "cycle-slideshow", started: &["cycle-slide", "cycle-sentinel"], slides: &[">img"], ..BASE },
    Library { method: ".cycle", slides: &[">*"], ..BASE },
    Library {
        slider: "slides-container",
        started: &["slides-control"],
        slider_end: "display: block; position: relative; width: 100vw; height: 100vh; margin: 0; padding: 0; \
                     overflow: hidden; list-style: none",
        slides: &[">*"],
        slide_end: FILLING,
        parts: &[("li>img", COVERING)],
        ..BASE
    },
    Library {
        slider: "skitter",
        method: ".skitter",
        started: &["container_skitter", "box_clone"],
        slides: &["li"],
        parts: &[
            ("ul", "display: block; height: 100%; margin: 0; padding: 0; list-style: none"),
            (".label_text", "display: block; position: absolute; bottom: 0; left: 0"),
        ],
        ..BASE
    },
    Library {
        slider: "slider-pro",
        method: ".sliderPro",
        started: &["sp-horizontal", "sp-vertical"],
        slider_end: "position: relative; overflow: hidden",
        size: slider_sizes::slider_pro,
        slides: &[".sp-slide"],
        slide_end: FILLING,
        parts: &[
            (".sp-slides", "position: relative; width: 100%; height: 100%"),
            (".sp-image", COVERING),
            (".sp-layer", "visibility: visible; opacity: 1"),
        ],
        ..BASE
    },
    Library {
        slider: "master-slider",
        method: ".setup",
        started: &["ms-container", "ms-view"],
        slider_end: "visibility: visible; opacity: 1; position: relative; overflow: hidden",
        size: slider_sizes::master_slider,
        slides: &[".ms-slide"],
        slide_end: FILLING,
        parts: &[(".ms-layer", "visibility: visible; opacity: 1"), (".ms-slide>img", COVERING)],
        ..BASE
    },
    Library {
        slider: "royalSlider",
        method: ".royalSlider",
        started: &["rsOverflow", "rsContainer"],
        slider_end: "visibility: visible; opacity: 1; overflow: hidden",
        size: slider_sizes::royal_slider,
        slides: &[">*"],
        slide_end: "display: block; visibility: visible; opacity: 1; float: none; width: 100%; height: 100%",
        parts: &[(".rsImg", "width: 100%; height: 100%; object-fit: cover")],
        ..BASE
    },
    Library { method: ".slider", size: slider_sizes::pixels, slides: &[">*"], ..BASE },
    Library { method: ".bxSlider", started: &["bx-viewport"], slides: &[">*"], ..BASE },
    Library {
        method: ".owlCarousel",
        started: &["owl-stage", "owl-wrapper"],
        slider_end: "display: block; visibility: visible; opacity: 1",
        slides: &[">*"],
        ..BASE
    },
    Library { method: ".slick", started: &["slick-track"], slides: &[">*"], ..BASE },
    Library { method: ".unslider", started: &["unslider-wrap"], slides: &["li"], ..BASE },
    Library { method: ".lightSlider", started: &["lSSlideWrapper", "lslide"], slides: &[">*"], ..BASE },
];

/// Words in the classes of sliders that show several slides at once.
const SEVERAL: &[&str] = &["carousel", "thumbnails", "filmstrip"];

/// Maximum number of parts of a slider that are looked at.
const MAX_PARTS: usize = 400;

/// Returns the states in which the sliders of a page end.
pub(super) fn find(index: &StyleIndex<'_>, interner: &mut DeclarationInterner) -> Vec<StartState> {
    let document = index.document();
    let methods: Vec<&str> = LIBRARIES.iter().map(|library| library.method).filter(|own| !own.is_empty()).collect();
    let calls = script_calls::find(document, &methods);
    let mut ends: Vec<(NodeId, String)> = Vec::new();
    let mut end_of_slider = 0;
    for (node, element) in document.elements() {
        // Sliders in slides are parts of them.
        if node.index() < end_of_slider || !element.in_html() {
            continue;
        }
        if let Some((library, call)) = library_of(element, &calls) {
            end_of_slider = document.subtree_end(node);
            ends.extend(ends_of(document, node, library, call));
        }
    }
    ends.into_iter().map(|(node, end)| StartState::with_added(node, StartEvidence::Slider, &end, interner)).collect()
}

/// Returns the library of a slider that shows one slide at a time, and the call that starts it.
fn library_of<'c>(element: &Element, calls: &'c [ScriptCall]) -> Option<(&'static Library, Option<&'c ScriptCall>)> {
    let call = calls.iter().find(|call| call.is_about(element) && (!call.is_command() || call.method == ".setup"));
    let is_named = |library: &&Library| !library.slider.is_empty() && element.attr_has_token("class", library.slider);
    let named = || LIBRARIES.iter().find(is_named).filter(|_| !shows_several(element, call));
    let called = || {
        let call = call.filter(|call| !shows_several_by_call(call))?;
        LIBRARIES.iter().find(|library| library.method == call.method)
    };
    let library = named().or_else(called)?;
    Some((library, call.filter(|call| call.method == library.method)))
}

/// Returns true for a slider whose name or call says that it shows several slides at once.
fn shows_several(element: &Element, call: Option<&ScriptCall>) -> bool {
    let is_named = || SEVERAL.iter().any(|word| element.attr("class").is_some_and(|own| own.contains(word)));
    is_named() || call.is_some_and(|call| call.number("itemWidth").is_some())
}

/// Returns true unless a call says, or its library assumes, that a slider shows one slide at a time.
fn shows_several_by_call(call: &ScriptCall) -> bool {
    let says = |key: &str| call.text(key).is_some();
    // At all widths for which it names a number.
    let is_one = |key: &str| call.texts(key).all(|value| value == "1");
    match call.method {
        ".owlCarousel" => !(says("items") && is_one("items") || call.text("singleItem") == Some("true")),
        ".lightSlider" => !(says("item") && is_one("item")),
        ".slick" => !is_one("slidesToShow") || says("asNavFor"),
        ".bxSlider" => !is_one("maxSlides") || call.text("ticker") == Some("true"),
        ".flexslider" => says("itemWidth"),
        ".setup" => true,
        // Sliderman, and not a range of jQuery UI.
        ".slider" => !says("container"),
        _ => false,
    }
}

fn ends_of(document: &Document, slider: NodeId, library: &Library, call: Option<&ScriptCall>) -> Vec<(NodeId, String)> {
    let Some(own) = document.element(slider) else { return Vec::new() };
    let has_started = |node: NodeId| {
        let element = document.element(node);
        element.is_some_and(|element| library.started.iter().any(|class| element.attr_has_token("class", class)))
    };
    // Cycle gives its slides a place in the stack.
    let is_stacked = |own: &Element| own.attr("style").is_some_and(|style| style.contains("z-index"));
    if library.method == ".cycle" && document.child_elements(slider).any(|(_, child)| is_stacked(child)) {
        return Vec::new();
    }
    if has_started(slider) || document.light_descendants(slider).take(MAX_PARTS).any(has_started) {
        return frozen_flexslider(document, slider).unwrap_or_default();
    }
    let size = (library.size)(own, call);
    let is_sized = !size.is_empty() || library.slider_end.contains("height:");
    let slide_end = if library.slide_end == FILLING && !is_sized { IN_FLOW } else { library.slide_end };
    let mut found = vec![(slider, format!("{}; {size}", library.slider_end))];
    let declared = cycle_slides(own);
    let marks: Vec<&str> = declared.as_deref().map_or_else(|| library.slides.to_vec(), |mark| vec![mark]);
    let mut seen = vec![0; marks.len()];
    let mut skipped = 0;
    for node in document.light_descendants(slider).take(MAX_PARTS) {
        let Some(element) = document.element(node).filter(|_| node.index() >= skipped) else { continue };
        let parent = document.parent(node);
        let is = |mark: &&str| is_marked(document, element, parent, slider, mark);
        if let Some(at) = marks.iter().position(&is).filter(|_| is_slide(element)) {
            seen[at] += 1;
            if seen[at] > 1 {
                skipped = document.subtree_end(node);
                found.push((node, "display: none".to_owned()));
                continue;
            }
            let image = element.attr(library.image).and_then(super::lazy_backgrounds::image);
            let image = image.map_or_else(String::new, |image| format!("; background: {image} center / cover"));
            let covers = if element.is_html("img") && slide_end == FILLING { "; object-fit: cover" } else { "" };
            found.push((node, format!("{slide_end}{image}{covers}")));
        } else {
            let end = library.parts.iter().find(|(mark, _)| is(mark));
            found.extend(end.map(|(_, end)| (node, (*end).to_owned())));
        }
    }
    found
}

/// Returns true for an element that can be a slide.
fn is_slide(element: &Element) -> bool {
    const NONE: [&str; 4] = ["cycle-pager", "cycle-prev", "cycle-next", "cycle-caption"];
    !matches!(element.name(), "script" | "style" | "noscript" | "nav" | "template")
        && !NONE.iter().any(|class| element.attr_has_token("class", class))
}

/// Returns the mark of the slides that an attribute of Cycle 2 names: `> div`, `> .slide`, `li`.
fn cycle_slides(slider: &Element) -> Option<String> {
    let selector = slider.attr("data-cycle-slides")?.trim();
    let (child, simple) = selector.strip_prefix('>').map_or(("", selector), |simple| (">", simple.trim()));
    let name = simple.split_once('.').map_or(simple.to_owned(), |(_, class)| format!(".{class}"));
    Some(format!("{child}{name}"))
}

/// Returns the ends of a FlexSlider that was saved while it ran: its script starts anew, in the width of the window.
fn frozen_flexslider(document: &Document, slider: NodeId) -> Option<Vec<(NodeId, String)>> {
    let has = |node: NodeId, class: &str| document.element(node).is_some_and(|own| own.attr_has_token("class", class));
    if !has(slider, "flexslider") {
        return None;
    }
    let inner: Vec<NodeId> = document.light_descendants(slider).take(MAX_PARTS).collect();
    let active: Vec<NodeId> = inner.iter().copied().filter(|node| has(*node, "flex-active-slide")).collect();
    let [active] = active[..] else { return None };
    let track = document.parent(active).filter(|track| has(*track, "slides"))?;
    let is_fixed = |node: NodeId| document.element(node)?.attr("style")?.contains("width").then_some(());
    is_fixed(active)?;
    let others = document.child_elements(track).map(|(slide, _)| slide).filter(|slide| *slide != active);
    let hidden = others.map(|slide| (slide, "display: none !important".to_owned()));
    let shown = [
        (track, "width: auto !important; transform: none !important".to_owned()),
        (active, "width: auto !important; float: none !important".to_owned()),
    ];
    Some(shown.into_iter().chain(hidden).collect())
}

/// Returns true if a mark names an element of a slider.
fn is_marked(document: &Document, element: &Element, parent: Option<NodeId>, slider: NodeId, mark: &str) -> bool {
    let Some((outer, inner)) = mark.rsplit_once('>') else {
        return match mark.strip_prefix('.') {
            Some(class) => element.attr_has_token("class", class),
            None => mark == "*" || element.is_html(mark),
        };
    };
    let is_in_place = || match outer {
        "" => parent == Some(slider),
        _ => parent.is_some_and(|parent| {
            let around = document.parent(parent);
            document.element(parent).is_some_and(|own| is_marked(document, own, around, slider, outer))
        }),
    };
    is_marked(document, element, None, slider, inner) && is_in_place()
}
