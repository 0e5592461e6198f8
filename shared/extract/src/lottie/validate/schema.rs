//! Defines the objects of the Lottie 1.0 specification.

use super::property::PropertyKind::{Bezier, Color, Gradient, Position, Scalar, SplittablePosition, Vector};
use super::{Checker, Rule, Shape};
use serde_json::{Map, Value};

const fn plain(name: &'static str) -> Shape {
    Shape { name, extends: &[], required: &[], optional: &[], also: None }
}

const SCALAR: Rule = Rule::Property(Scalar);
const POSITION: Rule = Rule::Property(Position);
const COLOR: Rule = Rule::Property(Color);

/// §Visual object.
const VISUAL: Shape = Shape { optional: &[("nm", Rule::Text)], ..plain("a visual object") };

/// §Composition.
const COMPOSITION: Shape = Shape { required: &[("layers", Rule::List(&Rule::Kind(layer)))], ..plain("a composition") };

/// §Animation.
pub(super) const ANIMATION: Shape = Shape {
    extends: &[&VISUAL, &COMPOSITION],
    required: &[
        ("w", Rule::IntegerFrom(0)),
        ("h", Rule::IntegerFrom(0)),
        ("fr", Rule::Positive),
        ("op", Rule::Number),
        ("ip", Rule::Number),
    ],
    optional: &[
        ("ver", Rule::IntegerFrom(10_000)),
        ("assets", Rule::List(&Rule::Kind(asset))),
        ("markers", Rule::List(&Rule::Object(&MARKER))),
        ("slots", Rule::Members(&SLOT)),
    ],
    ..plain("the animation")
};

const MARKER: Shape =
    Shape { optional: &[("cm", Rule::Text), ("tm", Rule::Number), ("dr", Rule::Number)], ..plain("a marker") };
const SLOT: Shape = Shape { required: &[("p", Rule::Anything)], ..plain("a slot") };

// Assets.

/// Returns the shape of an asset: a precomposition has layers; every other asset of the
/// specification is an image.
fn asset(object: &Map<String, Value>) -> Option<&'static Shape> {
    Some(if object.contains_key("layers") { &PRECOMPOSITION } else { &IMAGE })
}

const ASSET: Shape = Shape { extends: &[&VISUAL], required: &[("id", Rule::Text)], ..plain("an asset") };
const PRECOMPOSITION: Shape = Shape { extends: &[&ASSET, &COMPOSITION], ..plain("a precomposition") };
const IMAGE: Shape = Shape {
    extends: &[&ASSET],
    optional: &[
        ("w", Rule::Number),
        ("h", Rule::Number),
        ("p", Rule::Text),
        ("u", Rule::Text),
        ("e", Rule::IntBoolean),
        ("sid", Rule::Text),
    ],
    also: Some(image),
    ..plain("an image")
};

/// Checks an image. A slot may replace size and file; an embedded file is a `data:` URL.
fn image(checker: &mut Checker, object: &Map<String, Value>) {
    if !object.contains_key("sid") {
        for member in ["w", "h", "p"].iter().filter(|member| !object.contains_key(**member)) {
            checker.problem(&format!("an image lacks `{member}`"));
        }
    }
    let is_embedded = object.get("e").and_then(Value::as_f64) == Some(1.0);
    let is_data = |path: &str| path.starts_with("data:") && path.contains(',');
    if is_embedded && object.get("p").and_then(Value::as_str).is_some_and(|path| !is_data(path)) {
        checker.inside("p", |inner| inner.problem("must be a data: URL, because `e` is 1"));
    }
}

// Layers.

/// Returns the shape of a layer by `ty`; other types are allowed and not checked.
fn layer(object: &Map<String, Value>) -> Option<&'static Shape> {
    let Some(kind) = object.get("ty") else { return Some(&LAYER) };
    match super::integer(kind)? {
        0 => Some(&PRECOMPOSITION_LAYER),
        1 => Some(&SOLID_LAYER),
        2 => Some(&IMAGE_LAYER),
        3 => Some(&NULL_LAYER),
        4 => Some(&SHAPE_LAYER),
        _ => None,
    }
}

const LAYER: Shape = Shape {
    extends: &[&VISUAL],
    required: &[("ty", Rule::Integer), ("ip", Rule::Number), ("op", Rule::Number)],
    optional: &[("hd", Rule::Boolean), ("ind", Rule::Integer), ("parent", Rule::Integer)],
    ..plain("a layer")
};
const VISUAL_LAYER: Shape = Shape {
    extends: &[&LAYER],
    required: &[("ks", Rule::Object(&TRANSFORM))],
    optional: &[
        ("ao", Rule::IntBoolean),
        ("tt", Rule::OneOf(&[0, 1, 2, 3, 4])),
        ("tp", Rule::Integer),
        ("masksProperties", Rule::List(&Rule::Object(&MASK))),
    ],
    ..plain("a layer")
};
const PRECOMPOSITION_LAYER: Shape = Shape {
    extends: &[&VISUAL_LAYER],
    required: &[("refId", Rule::Text)],
    optional: &[("w", Rule::Integer), ("h", Rule::Integer), ("sr", Rule::Number), ("st", Rule::Number), ("tm", SCALAR)],
    ..plain("a precomposition layer")
};
const SOLID_LAYER: Shape = Shape {
    extends: &[&VISUAL_LAYER],
    required: &[("sw", Rule::Integer), ("sh", Rule::Integer), ("sc", Rule::HexColor)],
    ..plain("a solid layer")
};
const IMAGE_LAYER: Shape =
    Shape { extends: &[&VISUAL_LAYER], required: &[("refId", Rule::Text)], ..plain("an image layer") };
const NULL_LAYER: Shape = Shape { extends: &[&VISUAL_LAYER], ..plain("a null layer") };
const SHAPE_LAYER: Shape = Shape {
    extends: &[&VISUAL_LAYER],
    required: &[("shapes", Rule::List(&Rule::Kind(graphic)))],
    ..plain("a shape layer")
};

const MASK: Shape = Shape {
    required: &[("pt", Rule::Property(Bezier))],
    optional: &[("mode", Rule::OneOfWords(&["n", "a", "s", "i"])), ("o", SCALAR)],
    ..plain("a mask")
};
const TRANSFORM: Shape = Shape {
    optional: &[
        ("a", POSITION),
        ("p", Rule::Property(SplittablePosition)),
        ("r", SCALAR),
        ("s", Rule::Property(Vector)),
        ("o", SCALAR),
        ("sk", SCALAR),
        ("sa", SCALAR),
    ],
    ..plain("a transform")
};

// Shapes.

/// Returns the shape of a graphic by `ty`; other types are allowed and not checked.
fn graphic(object: &Map<String, Value>) -> Option<&'static Shape> {
    let Some(kind) = object.get("ty") else { return Some(&GRAPHIC) };
    match kind.as_str()? {
        "el" => Some(&ELLIPSE),
        "fl" => Some(&FILL),
        "gf" => Some(&GRADIENT_FILL),
        "gr" => Some(&GROUP),
        "gs" => Some(&GRADIENT_STROKE),
        "rc" => Some(&RECTANGLE),
        "sh" => Some(&PATH),
        "sr" => Some(&POLYSTAR),
        "st" => Some(&STROKE),
        "tm" => Some(&TRIM_PATH),
        "tr" => Some(&GRAPHIC_TRANSFORM),
        _ => None,
    }
}

const GRAPHIC: Shape = Shape {
    extends: &[&VISUAL],
    required: &[("ty", Rule::Text)],
    optional: &[("hd", Rule::Boolean)],
    ..plain("a graphic element")
};
const OUTLINE: Shape = Shape { extends: &[&GRAPHIC], optional: &[("d", Rule::OneOf(&[1, 3]))], ..plain("a shape") };
const PAINT: Shape = Shape { extends: &[&GRAPHIC], required: &[("o", SCALAR)], ..plain("a shape style") };

const ELLIPSE: Shape =
    Shape { extends: &[&OUTLINE], required: &[("p", POSITION), ("s", Rule::Property(Vector))], ..plain("an ellipse") };
const RECTANGLE: Shape = Shape {
    extends: &[&OUTLINE],
    required: &[("p", POSITION), ("s", Rule::Property(Vector))],
    optional: &[("r", SCALAR)],
    ..plain("a rectangle")
};
const PATH: Shape = Shape { extends: &[&OUTLINE], required: &[("ks", Rule::Property(Bezier))], ..plain("a path") };
const POLYSTAR: Shape = Shape {
    extends: &[&OUTLINE],
    required: &[("or", SCALAR), ("os", SCALAR), ("pt", SCALAR), ("p", POSITION), ("r", SCALAR)],
    optional: &[("sy", Rule::OneOf(&[1, 2])), ("ir", SCALAR), ("is", SCALAR)],
    also: Some(polystar),
    ..plain("a polystar")
};

/// Checks that a star has inner points. A polystar is a star unless it is declared a polygon.
fn polystar(checker: &mut Checker, object: &Map<String, Value>) {
    let is_star = object.get("sy").is_none_or(|kind| kind.as_f64() == Some(1.0));
    for member in ["ir", "is"].iter().filter(|member| is_star && !object.contains_key(**member)) {
        checker.problem(&format!("a star lacks `{member}`"));
    }
}

const GROUP: Shape = Shape {
    extends: &[&GRAPHIC],
    optional: &[("np", Rule::Number), ("it", Rule::List(&Rule::Kind(graphic)))],
    ..plain("a group")
};
const GRAPHIC_TRANSFORM: Shape = Shape { extends: &[&GRAPHIC, &TRANSFORM], ..plain("a transform") };
const TRIM_PATH: Shape = Shape {
    extends: &[&GRAPHIC],
    required: &[("o", SCALAR), ("s", SCALAR), ("e", SCALAR)],
    optional: &[("m", Rule::OneOf(&[1, 2]))],
    ..plain("a trim path")
};

const FILL: Shape = Shape {
    extends: &[&PAINT],
    required: &[("c", COLOR)],
    optional: &[("r", Rule::OneOf(&[1, 2]))],
    ..plain("a fill")
};
const LINE: Shape = Shape {
    required: &[("w", SCALAR)],
    optional: &[
        ("lc", Rule::OneOf(&[1, 2, 3])),
        ("lj", Rule::OneOf(&[1, 2, 3])),
        ("ml", Rule::Number),
        ("ml2", SCALAR),
        ("d", Rule::List(&Rule::Object(&DASH))),
    ],
    ..plain("a stroke")
};
const DASH: Shape = Shape {
    extends: &[&VISUAL],
    optional: &[("n", Rule::OneOfWords(&["d", "g", "o"])), ("v", SCALAR)],
    ..plain("a dash")
};
const STROKE: Shape = Shape { extends: &[&PAINT, &LINE], required: &[("c", COLOR)], ..plain("a stroke") };
const GRADIENT: Shape = Shape {
    required: &[("s", POSITION), ("e", POSITION), ("g", Rule::Property(Gradient)), ("t", Rule::OneOf(&[1, 2]))],
    optional: &[("h", SCALAR), ("a", SCALAR)],
    ..plain("a gradient")
};
const GRADIENT_FILL: Shape =
    Shape { extends: &[&PAINT, &GRADIENT], optional: &[("r", Rule::OneOf(&[1, 2]))], ..plain("a gradient fill") };
const GRADIENT_STROKE: Shape = Shape { extends: &[&PAINT, &LINE, &GRADIENT], ..plain("a gradient stroke") };
