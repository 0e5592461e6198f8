use super::problems;
use serde_json::{Value, json};

fn animation(layers: Value) -> Value {
    json!({ "v": "5.9.0", "fr": 30, "ip": 0, "op": 60, "w": 100, "h": 100, "layers": layers })
}

fn shape_layer(shapes: Value) -> Value {
    animation(json!([{ "ty": 4, "ip": 0, "op": 60, "ks": {}, "shapes": shapes }]))
}

fn property(value: Value) -> Value {
    json!({ "a": 0, "k": value })
}

#[test]
fn conforming_animations_are_valid() {
    let path = json!({ "c": true, "v": [[0, 0]], "i": [[0, 0]], "o": [[0, 0]] });
    let keyframes = json!([
        { "t": 0, "s": [0], "i": { "x": [0.5], "y": [1] }, "o": { "x": 0.5, "y": 0 } },
        { "t": 60, "s": [100], "h": 1 }
    ]);
    let shapes = json!([
        { "ty": "gr", "it": [
            { "ty": "rc", "p": property(json!([0, 0])), "s": property(json!([1, 1])), "r": property(json!(0)) },
            { "ty": "sh", "ks": { "a": 1, "k": [{ "t": 0, "s": [path] }] } },
            { "ty": "fl", "c": property(json!([1, 0, 0, 1])), "o": { "a": 1, "k": keyframes } },
            { "ty": "gf", "o": property(json!(100)), "s": property(json!([0, 0])), "e": property(json!([1, 1])), "t": 1,
              "g": { "p": 2, "k": property(json!([0, 1, 0, 0, 1, 0, 0, 1])) } },
            { "ty": "tr", "p": { "s": true, "x": property(json!(0)), "y": property(json!(0)) } }
        ] },
        { "ty": "sr", "sy": 2, "p": property(json!([0, 0])), "r": property(json!(0)), "or": property(json!(1)), "os": property(json!(0)), "pt": property(json!(5)) },
        { "ty": "zz", "anything": 1 },
        { "ty": "fl", "c": { "sid": "colour" }, "o": property(json!(100)) }
    ]);
    for valid in [
        animation(json!([])),
        shape_layer(shapes),
        animation(json!([{ "ty": 5, "whatever": [] }])),
        json!({ "w": 10.0, "h": 0, "fr": 0.5, "ip": -3, "op": 1.5, "layers": [], "ver": 10001, "markers": [{ "cm": "a", "tm": 1 }] }),
        json!({ "w": 1, "h": 1, "fr": 1, "ip": 0, "op": 1, "assets": [{ "id": "a", "layers": [] }, { "id": "b", "w": 1, "h": 1, "p": "data:image/png;base64,AA", "e": 1 }],
            "layers": [{ "ty": 0, "refId": "a", "ip": 0, "op": 1, "ks": {}, "ind": 1 }, { "ty": 2, "refId": "b", "ip": 0, "op": 1, "ks": {}, "parent": 1 }] }),
    ] {
        assert_eq!(problems(&valid), [""; 0], "{valid}");
    }
}

#[test]
fn violations_are_reported() {
    let fill = |c: Value, o: Value| shape_layer(json!([{ "ty": "fl", "c": c, "o": o }]));
    let opacity = || property(json!(100));
    let white = || property(json!([1, 1, 1]));
    for (invalid, problem) in [
        (json!([]), "/: must be an object"),
        (json!({ "h": 1, "fr": 1, "ip": 0, "op": 1, "layers": [] }), "/: the animation lacks `w`"),
        (json!({ "w": 1.5, "h": 1, "fr": 1, "ip": 0, "op": 1, "layers": [] }), "/w: must be an integer of at least 0"),
        (json!({ "w": 1, "h": 1, "fr": 0, "ip": 0, "op": 1, "layers": [] }), "/fr: must be a number above 0"),
        (json!({ "w": 1, "h": 1, "fr": 1, "ip": 0, "op": 1, "layers": {} }), "/layers: must be an array"),
        (
            json!({ "w": 1, "h": 1, "fr": 1, "ip": 0, "op": 1, "layers": [], "ver": 1 }),
            "/ver: must be an integer of at least 10000",
        ),
        (
            json!({ "w": 1, "h": 1, "fr": 1, "ip": 0, "op": 1, "layers": [], "slots": { "a": {} } }),
            "/slots/a: a slot lacks `p`",
        ),
        (
            json!({ "w": 1, "h": 1, "fr": 1, "ip": 0, "op": 1, "layers": [], "assets": [{ "id": "a", "p": "x.png" }] }),
            "/assets/0: an image lacks `w`",
        ),
        (
            json!({ "w": 1, "h": 1, "fr": 1, "ip": 0, "op": 1, "layers": [], "assets": [{ "id": "a", "w": 1, "h": 1, "p": "x.png", "e": 1 }] }),
            "/assets/0/p: must be a data: URL, because `e` is 1",
        ),
        (animation(json!([1])), "/layers/0: must be an object"),
        (animation(json!([{ "ip": 0, "op": 1 }])), "/layers/0: a layer lacks `ty`"),
        (animation(json!([{ "ty": 3, "ip": 0, "op": 1 }])), "/layers/0: a null layer lacks `ks`"),
        (
            animation(json!([{ "ty": 1, "ip": 0, "op": 1, "ks": {}, "sw": 1, "sh": 1, "sc": "red" }])),
            "/layers/0/sc: must be a colour such as #ff00aa",
        ),
        (
            animation(json!([{ "ty": 0, "ip": 0, "op": 1, "ks": {}, "refId": "x" }])),
            "/layers/0/refId: must be the id of an asset",
        ),
        (
            animation(json!([{ "ty": 3, "ip": 0, "op": 1, "ks": {}, "parent": 7 }])),
            "/layers/0/parent: must be the `ind` of a layer",
        ),
        (
            animation(json!([{ "ty": 3, "ip": 0, "op": 1, "ks": {}, "tt": 9 }])),
            "/layers/0/tt: must be one of [0, 1, 2, 3, 4]",
        ),
        (
            animation(json!([{ "ty": 3, "ip": 0, "op": 1, "ks": { "o": { "k": 100 } } }])),
            "/layers/0/ks/o: a property lacks `a`",
        ),
        (
            animation(json!([{ "ty": 3, "ip": 0, "op": 1, "ks": { "p": { "s": true, "x": property(json!(0)) } } }])),
            "/layers/0/ks/p: a split position lacks `y`",
        ),
        (
            fill(property(json!([255, 0, 0])), opacity()),
            "/layers/0/shapes/0/c/k: must be a colour of 3 or 4 numbers from 0 to 1",
        ),
        (fill(white(), property(json!([100]))), "/layers/0/shapes/0/o/k: must be a number"),
        (fill(white(), json!({ "a": 2, "k": 1 })), "/layers/0/shapes/0/o/a: must be 0 or 1"),
        (fill(white(), json!({ "a": 1, "k": 100 })), "/layers/0/shapes/0/o/k: must be an array of keyframes"),
        (fill(white(), json!({ "a": 1, "k": [{ "s": [1] }] })), "/layers/0/shapes/0/o/k/0: a keyframe lacks `t`"),
        (
            fill(white(), json!({ "a": 1, "k": [{ "t": 0 }] })),
            "/layers/0/shapes/0/o/k/0: a keyframe lacks `s` (files before Lottie 1.0 leave it out of the last one)",
        ),
        (
            fill(white(), json!({ "a": 1, "k": [{ "t": 0, "s": [1], "i": { "x": [2], "y": [0] } }] })),
            "/layers/0/shapes/0/o/k/0/i/x: must be numbers from 0 to 1",
        ),
        (shape_layer(json!([{ "ty": "fl", "c": white() }])), "/layers/0/shapes/0: a fill lacks `o`"),
        (
            shape_layer(json!([{ "ty": "gr", "it": [{ "ty": "sh", "ks": property(json!({ "v": [] })) }] }])),
            "/layers/0/shapes/0/it/0/ks/k: a bezier shape lacks `i`",
        ),
        (
            shape_layer(
                json!([{ "ty": "sr", "p": property(json!([0, 0])), "r": opacity(), "or": opacity(), "os": opacity(), "pt": opacity() }]),
            ),
            "/layers/0/shapes/0: a star lacks `ir`",
        ),
    ] {
        let found = problems(&invalid);
        assert_eq!(found.first().map(String::as_str), Some(problem), "{invalid}\n{found:?}");
    }
}

#[test]
fn problems_are_capped() {
    let many: Vec<Value> = vec![json!({}); 100_000];
    assert_eq!(problems(&animation(Value::from(many))).len(), 20);
}
