//! Defines the objects of the Lottie 1.0 specification.

use super::property::PropertyKind::{Bezier, Color, Gradient, Position, Scalar, SplittablePosition, Vector};
use super::{FieldSchema, ObjectSchema, Validator};
use serde_json::{Map, Value};

const fn plain(name: &'static str) -> ObjectSchema {
    ObjectSchema { name, extends: &[], required: &[], optional: &[], also: None }
}

const SCALAR: FieldSchema = FieldSchema::Property(Scalar);
const POSITION: FieldSchema = FieldSchema::Property(Position);
const COLOR: FieldSchema = FieldSchema::Property(Color);

/// §Visual object.
const VISUAL: ObjectSchema = ObjectSchema { optional: &[("nm", FieldSchema::Text)], ..plain("a visual object") };

/// §Composition.
const COMPOSITION: ObjectSchema =
    ObjectSchema { required: &[("layers", FieldSchema::List(&FieldSchema::Kind(layer)))], ..plain("a composition") };

/// §Animation.
pub(super) const ANIMATION: ObjectSchema = ObjectSchema {
    extends: &[&VISUAL, &COMPOSITION],
    required: &[
        ("w", FieldSchema::IntegerFrom(0)),
        ("h", FieldSchema::IntegerFrom(0)),
        ("fr", FieldSchema::Positive),
        ("op", FieldSchema::Number),
        ("ip", FieldSchema::Number),
    ],
    optional: &[
        ("ver", FieldSchema::IntegerFrom(10_000)),
        ("assets", FieldSchema::List(&FieldSchema::Kind(asset))),
        ("markers", FieldSchema::List(&FieldSchema::Object(&MARKER))),
        ("slots", FieldSchema::Members(&SLOT)),
    ],
    ..plain("the animation")
};

const MARKER: ObjectSchema = ObjectSchema {
    optional: &[("cm", FieldSchema::Text), ("tm", FieldSchema::Number), ("dr", FieldSchema::Number)],
    ..plain("a marker")
};
const SLOT: ObjectSchema = ObjectSchema { required: &[("p", FieldSchema::Anything)], ..plain("a slot") };

// Assets.

/// Returns the shape of an asset: a precomposition has layers; every other asset of the
/// specification is an image.
fn asset(object: &Map<String, Value>) -> Option<&'static ObjectSchema> {
    Some(if object.contains_key("layers") { &PRECOMPOSITION } else { &IMAGE })
}

const ASSET: ObjectSchema =
    ObjectSchema { extends: &[&VISUAL], required: &[("id", FieldSchema::Text)], ..plain("an asset") };
const PRECOMPOSITION: ObjectSchema = ObjectSchema { extends: &[&ASSET, &COMPOSITION], ..plain("a precomposition") };
const IMAGE: ObjectSchema = ObjectSchema {
    extends: &[&ASSET],
    optional: &[
        ("w", FieldSchema::Number),
        ("h", FieldSchema::Number),
        ("p", FieldSchema::Text),
        ("u", FieldSchema::Text),
        ("e", FieldSchema::IntBoolean),
        ("sid", FieldSchema::Text),
    ],
    also: Some(image),
    ..plain("an image")
};

/// Checks an image. A slot may replace size and file; an embedded file is a `data:` URL.
fn image(checker: &mut Validator, object: &Map<String, Value>) {
    if !object.contains_key("sid") {
        for member in ["w", "h", "p"].iter().filter(|member| !object.contains_key(**member)) {
            checker.problem(&format!("an image lacks `{member}`"));
        }
    }
    let is_embedded = object.get("e").and_then(Value::as_f64) == Some(1.0);
    let is_data = |path: &str| path.starts_with("data:") && path.contains(',');
    if is_embedded && object.get("p").and_then(Value::as_str).is_some_and(|path| !is_data(path)) {
        checker.check_part("p", |inner| inner.problem("must be a data: URL, because `e` is 1"));
    }
}

// Layers.

/// Returns the shape of a layer by `ty`; other types are allowed and not checked.
fn layer(object: &Map<String, Value>) -> Option<&'static ObjectSchema> {
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

const LAYER: ObjectSchema = ObjectSchema {
    extends: &[&VISUAL],
    required: &[("ty", FieldSchema::Integer), ("ip", FieldSchema::Number), ("op", FieldSchema::Number)],
    optional: &[("hd", FieldSchema::Boolean), ("ind", FieldSchema::Integer), ("parent", FieldSchema::Integer)],
    ..plain("a layer")
};
const VISUAL_LAYER: ObjectSchema = ObjectSchema {
    extends: &[&LAYER],
    required: &[("ks", FieldSchema::Object(&TRANSFORM))],
    optional: &[
        ("ao", FieldSchema::IntBoolean),
        ("tt", FieldSchema::OneOf(&[0, 1, 2, 3, 4])),
        ("tp", FieldSchema::Integer),
        ("masksProperties", FieldSchema::List(&FieldSchema::Object(&MASK))),
    ],
    ..plain("a layer")
};
const PRECOMPOSITION_LAYER: ObjectSchema = ObjectSchema {
    extends: &[&VISUAL_LAYER],
    required: &[("refId", FieldSchema::Text)],
    optional: &[
        ("w", FieldSchema::Integer),
        ("h", FieldSchema::Integer),
        ("sr", FieldSchema::Number),
        ("st", FieldSchema::Number),
        ("tm", SCALAR),
    ],
    ..plain("a precomposition layer")
};
const SOLID_LAYER: ObjectSchema = ObjectSchema {
    extends: &[&VISUAL_LAYER],
    required: &[("sw", FieldSchema::Integer), ("sh", FieldSchema::Integer), ("sc", FieldSchema::HexColor)],
    ..plain("a solid layer")
};
const IMAGE_LAYER: ObjectSchema =
    ObjectSchema { extends: &[&VISUAL_LAYER], required: &[("refId", FieldSchema::Text)], ..plain("an image layer") };
const NULL_LAYER: ObjectSchema = ObjectSchema { extends: &[&VISUAL_LAYER], ..plain("a null layer") };
const SHAPE_LAYER: ObjectSchema = ObjectSchema {
    extends: &[&VISUAL_LAYER],
    required: &[("shapes", FieldSchema::List(&FieldSchema::Kind(graphic)))],
    ..plain("a shape layer")
};

const MASK: ObjectSchema = ObjectSchema {
    required: &[("pt", FieldSchema::Property(Bezier))],
    optional: &[("mode", FieldSchema::OneOfWords(&["n", "a", "s", "i"])), ("o", SCALAR)],
    ..plain("a mask")
};
const TRANSFORM: ObjectSchema = ObjectSchema {
    optional: &[
        ("a", POSITION),
        ("p", FieldSchema::Property(SplittablePosition)),
        ("r", SCALAR),
        ("s", FieldSchema::Property(Vector)),
        ("o", SCALAR),
        ("sk", SCALAR),
        ("sa", SCALAR),
    ],
    ..plain("a transform")
};

// Shapes.

/// Returns the shape of a graphic by `ty`; other types are allowed and not checked.
fn graphic(object: &Map<String, Value>) -> Option<&'static ObjectSchema> {
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

const GRAPHIC: ObjectSchema = ObjectSchema {
    extends: &[&VISUAL],
    required: &[("ty", FieldSchema::Text)],
    optional: &[("hd", FieldSchema::Boolean)],
    ..plain("a graphic element")
};
const OUTLINE: ObjectSchema =
    ObjectSchema { extends: &[&GRAPHIC], optional: &[("d", FieldSchema::OneOf(&[1, 3]))], ..plain("a shape") };
const PAINT: ObjectSchema = ObjectSchema { extends: &[&GRAPHIC], required: &[("o", SCALAR)], ..plain("a shape style") };

const ELLIPSE: ObjectSchema = ObjectSchema {
    extends: &[&OUTLINE],
    required: &[("p", POSITION), ("s", FieldSchema::Property(Vector))],
    ..plain("an ellipse")
};
const RECTANGLE: ObjectSchema = ObjectSchema {
    extends: &[&OUTLINE],
    required: &[("p", POSITION), ("s", FieldSchema::Property(Vector))],
    optional: &[("r", SCALAR)],
    ..plain("a rectangle")
};
const PATH: ObjectSchema =
    ObjectSchema { extends: &[&OUTLINE], required: &[("ks", FieldSchema::Property(Bezier))], ..plain("a path") };
const POLYSTAR: ObjectSchema = ObjectSchema {
    extends: &[&OUTLINE],
    required: &[("or", SCALAR), ("os", SCALAR), ("pt", SCALAR), ("p", POSITION), ("r", SCALAR)],
    optional: &[("sy", FieldSchema::OneOf(&[1, 2])), ("ir", SCALAR), ("is", SCALAR)],
    also: Some(polystar),
    ..plain("a polystar")
};

/// Checks that a star has inner points. A polystar is a star unless it is declared a polygon.
fn polystar(checker: &mut Validator, object: &Map<String, Value>) {
    let is_star = object.get("sy").is_none_or(|kind| kind.as_f64() == Some(1.0));
    for member in ["ir", "is"].iter().filter(|member| is_star && !object.contains_key(**member)) {
        checker.problem(&format!("a star lacks `{member}`"));
    }
}

const GROUP: ObjectSchema = ObjectSchema {
    extends: &[&GRAPHIC],
    optional: &[("np", FieldSchema::Number), ("it", FieldSchema::List(&FieldSchema::Kind(graphic)))],
    ..plain("a group")
};
const GRAPHIC_TRANSFORM: ObjectSchema = ObjectSchema { extends: &[&GRAPHIC, &TRANSFORM], ..plain("a transform") };
const TRIM_PATH: ObjectSchema = ObjectSchema {
    extends: &[&GRAPHIC],
    required: &[("o", SCALAR), ("s", SCALAR), ("e", SCALAR)],
    optional: &[("m", FieldSchema::OneOf(&[1, 2]))],
    ..plain("a trim path")
};

const FILL: ObjectSchema = ObjectSchema {
    extends: &[&PAINT],
    required: &[("c", COLOR)],
    optional: &[("r", FieldSchema::OneOf(&[1, 2]))],
    ..plain("a fill")
};
const LINE: ObjectSchema = ObjectSchema {
    required: &[("w", SCALAR)],
    optional: &[
        ("lc", FieldSchema::OneOf(&[1, 2, 3])),
        ("lj", FieldSchema::OneOf(&[1, 2, 3])),
        ("ml", FieldSchema::Number),
        ("ml2", SCALAR),
        ("d", FieldSchema::List(&FieldSchema::Object(&DASH))),
    ],
    ..plain("a stroke")
};
const DASH: ObjectSchema = ObjectSchema {
    extends: &[&VISUAL],
    optional: &[("n", FieldSchema::OneOfWords(&["d", "g", "o"])), ("v", SCALAR)],
    ..plain("a dash")
};
const STROKE: ObjectSchema = ObjectSchema { extends: &[&PAINT, &LINE], required: &[("c", COLOR)], ..plain("a stroke") };
const GRADIENT: ObjectSchema = ObjectSchema {
    required: &[
        ("s", POSITION),
        ("e", POSITION),
        ("g", FieldSchema::Property(Gradient)),
        ("t", FieldSchema::OneOf(&[1, 2])),
    ],
    optional: &[("h", SCALAR), ("a", SCALAR)],
    ..plain("a gradient")
};
const GRADIENT_FILL: ObjectSchema = ObjectSchema {
    extends: &[&PAINT, &GRADIENT],
    optional: &[("r", FieldSchema::OneOf(&[1, 2]))],
    ..plain("a gradient fill")
};
const GRADIENT_STROKE: ObjectSchema =
    ObjectSchema { extends: &[&PAINT, &LINE, &GRADIENT], ..plain("a gradient stroke") };
