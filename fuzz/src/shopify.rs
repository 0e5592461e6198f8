//! Emitted theme sections, rendered by liquid as a shop would, with the settings of their preset.

use crate::markup;
use crate::texts::Texts;
use liquid::model::{Object, Value};
use liquid_core::{
    Display_filter, Expression, Filter, FilterParameters, FilterReflection, ParseFilter, Runtime, ValueView,
};
use serde_json::Value as Json;

#[derive(Debug, FilterParameters)]
struct ImageArguments {
    #[parameter(description = "pixels", mode = "keyword", arg_type = "integer")]
    width: Option<Expression>,
}

#[derive(Clone, ParseFilter, FilterReflection)]
#[filter(
    name = "image_url",
    description = "the address of a picture",
    parameters(ImageArguments),
    parsed(ImageUrlFilter)
)]
struct ImageUrl;

#[derive(Debug, liquid_core::FromFilterParameters, Display_filter)]
#[name = "image_url"]
struct ImageUrlFilter {
    #[parameters]
    _arguments: ImageArguments,
}

impl Filter for ImageUrlFilter {
    fn evaluate(&self, _: &dyn ValueView, _: &dyn Runtime) -> liquid_core::Result<Value> {
        Ok(Value::scalar("https://a.test/chosen.png"))
    }
}

/// Holds an emitted section against the texts that are in it.
///
/// # Panics
/// When it is not valid, or has what no emitted section has.
pub fn check(texts: &Texts, code: &str) {
    let (body, rest) = code.split_once("{% schema %}").expect("a schema");
    let (schema, after) = rest.split_once("{% endschema %}").expect("the schema ends");
    assert!(after.trim().is_empty(), "{after:?} after the schema of {code}");
    let schema: Json =
        serde_json::from_str(schema).unwrap_or_else(|cause| panic!("the schema is no JSON: {cause} in {code}"));
    let parser = liquid::ParserBuilder::with_stdlib().filter(ImageUrl).build().expect("a parser");
    let template = parser.parse(body).unwrap_or_else(|cause| panic!("{cause} in {code}"));
    let html = template.render(&globals(&schema)).unwrap_or_else(|cause| panic!("{cause} in {code}"));
    markup::check(texts, &html);
}

fn globals(schema: &Json) -> Object {
    let kinds = schema["blocks"].as_array();
    let preset = schema["presets"][0]["blocks"].as_array();
    let blocks = preset.into_iter().flatten().map(|block| {
        let kind =
            kinds.into_iter().flatten().find(|kind| kind["type"] == block["type"]).expect("a block of a known type");
        let mut settings = defaults(&kind["settings"]);
        for (id, value) in block["settings"].as_object().into_iter().flatten() {
            settings.insert(id.clone().into(), of_json(value));
        }
        let mut own = Object::new();
        own.insert("settings".into(), Value::Object(settings));
        own.insert("type".into(), of_json(&block["type"]));
        own.insert("shopify_attributes".into(), Value::scalar(""));
        Value::Object(own)
    });
    let mut section = Object::new();
    section.insert("id".into(), Value::scalar("1"));
    section.insert("settings".into(), Value::Object(defaults(&schema["settings"])));
    section.insert("blocks".into(), Value::Array(blocks.collect()));
    let mut globals = Object::new();
    globals.insert("section".into(), Value::Object(section));
    globals
}

/// The settings as they are before anybody changes them.
fn defaults(settings: &Json) -> Object {
    let settings = settings.as_array().into_iter().flatten();
    settings
        .map(|setting| (setting["id"].as_str().unwrap_or_default().to_owned().into(), of_json(&setting["default"])))
        .collect()
}

fn of_json(value: &Json) -> Value {
    match value {
        Json::String(text) => Value::scalar(text.clone()),
        Json::Bool(flag) => Value::scalar(*flag),
        Json::Number(number) => Value::scalar(number.as_f64().unwrap_or_default()),
        _ => Value::Nil,
    }
}
