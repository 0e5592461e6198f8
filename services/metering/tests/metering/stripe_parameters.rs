//! Stripe's parameters: names, types and permitted values by endpoint, from its published specification.

use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static SPECIFICATION: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("stripe_parameters.json")).unwrap());

/// The version of the API that the specification describes.
pub(crate) fn version() -> &'static str {
    SPECIFICATION["version"].as_str().unwrap()
}

/// Returns the endpoint that serves a request, such as `GET invoices/*`. A literal path takes precedence over a pattern.
pub(crate) fn endpoint(method: &str, path: &str) -> Option<&'static str> {
    let parts: Vec<&str> = path.split('/').collect();
    let is_served = |pattern: &str| {
        let pattern: Vec<&str> = pattern.split('/').collect();
        pattern.len() == parts.len()
            && pattern.iter().zip(&parts).all(|(wanted, part)| *wanted == "*" || wanted == part)
    };
    let endpoints = SPECIFICATION["endpoints"].as_object().unwrap().keys().map(String::as_str);
    let fitting = endpoints
        .filter(|endpoint| endpoint.split_once(' ').is_some_and(|(of, pattern)| of == method && is_served(pattern)));
    fitting.min_by_key(|endpoint| endpoint.contains('*'))
}

/// A parsed form: `a[b]=c` is a node `a` with a leaf `b`.
#[derive(Debug)]
enum Parameter {
    Leaf(String),
    Node(BTreeMap<String, Parameter>),
}

/// Checks that an endpoint accepts a form. `Err` says what Stripe would say.
pub(crate) fn check(endpoint: &str, form: &BTreeMap<String, String>) -> Result<(), String> {
    let mut root = Parameter::Node(BTreeMap::new());
    for (name, value) in form {
        let path: Vec<&str> = name.split('[').map(|part| part.trim_end_matches(']')).collect();
        insert(&mut root, &path, value).ok_or_else(|| format!("Invalid parameter name: {name}"))?;
    }
    check_value(&SPECIFICATION["endpoints"][endpoint], &root, "")
}

fn insert(at: &mut Parameter, path: &[&str], value: &str) -> Option<()> {
    let Parameter::Node(fields) = at else { return None };
    let (first, rest) = path.split_first()?;
    if rest.is_empty() {
        return fields.insert((*first).to_owned(), Parameter::Leaf(value.to_owned())).is_none().then_some(());
    }
    insert(fields.entry((*first).to_owned()).or_insert_with(|| Parameter::Node(BTreeMap::new())), rest, value)
}

fn check_value(schema: &Value, given: &Parameter, name: &str) -> Result<(), String> {
    let nested = |field: &str| if name.is_empty() { field.to_owned() } else { format!("{name}[{field}]") };
    let invalid = |expected: &str| Err(format!("Invalid {expected}: {name}"));
    if let Some(any) = schema["any"].as_array() {
        let checked: Vec<_> = any.iter().map(|schema| check_value(schema, given, name)).collect();
        return checked.iter().find(|checked| checked.is_ok()).unwrap_or(&checked[0]).clone();
    }
    match (schema, given) {
        (Value::String(kind), Parameter::Leaf(value)) => {
            let fits = match kind.as_str() {
                "string" => true,
                "integer" => value.parse::<i64>().is_ok(),
                "number" | "decimal" => value.parse::<f64>().is_ok(),
                "boolean" => matches!(value.as_str(), "true" | "false"),
                other => panic!("{name} is `{other}`"),
            };
            if fits { Ok(()) } else { invalid(kind) }
        }
        (Value::String(kind), Parameter::Node(_)) if kind == "object" => {
            panic!("{name} is sent but not in stripe_parameters.json: extract it")
        }
        (Value::Object(of), Parameter::Leaf(value)) => match of.get("enum").and_then(Value::as_array) {
            Some(members) if members.contains(&Value::String(value.clone())) => Ok(()),
            Some(_) => invalid("value"),
            None => invalid("hash"),
        },
        (Value::Object(of), Parameter::Node(fields)) => {
            if let Some(item) = of.get("map") {
                return fields.iter().try_for_each(|(field, value)| check_value(item, value, &nested(field)));
            }
            if let Some(item) = of.get("list") {
                let mut items = fields.iter();
                return items.try_for_each(|(index, value)| match index.parse::<usize>() {
                    Ok(_) => check_value(item, value, &nested(index)),
                    Err(_) => invalid("array"),
                });
            }
            let Some(known) = of.get("object") else { return invalid("string") };
            let required = of.get("required").and_then(Value::as_array).into_iter().flatten();
            if let Some(missing) = required.filter_map(Value::as_str).find(|field| !fields.contains_key(*field)) {
                return Err(format!("Missing required param: {}", nested(missing)));
            }
            fields.iter().try_for_each(|(field, value)| match known.get(field) {
                Some(schema) => check_value(schema, value, &nested(field)),
                None => Err(format!("Received unknown parameter: {}", nested(field))),
            })
        }
        _ => invalid("parameter"),
    }
}

#[test]
fn forms_are_checked_by_name_type_and_value() {
    for (endpoint, form, expected) in [
        ("POST prices", "currency=eur&unit_amount=500&recurring[interval]=month&product_data[name]=A", Ok(())),
        ("POST prices", "unit_amount=500", Err("Missing required param: currency")),
        ("POST prices", "currency=eur&unit_amount=5.5", Err("Invalid integer: unit_amount")),
        ("POST prices", "currency=eur&recurring[interval]=decade", Err("Invalid value: recurring[interval]")),
        ("POST prices", "currency=eur&recurring[interval_count]=1", Err("Missing required param: recurring[interval]")),
        ("POST prices", "currency=eur&recurring=month", Err("Invalid hash: recurring")),
        ("POST prices", "currency[a]=eur", Err("Invalid parameter: currency")),
        ("POST customers", "metadata[limner_account]=acc_1&email=a@b.test", Ok(())),
        ("POST customers", "e_mail=a@b.test", Err("Received unknown parameter: e_mail")),
        ("GET prices", "lookup_keys[0]=a&active=true", Ok(())),
        ("GET prices", "lookup_keys[a]=a", Err("Invalid array: lookup_keys")),
        ("GET prices", "active=yes", Err("Invalid boolean: active")),
        ("GET invoices", "created[gte]=1&limit=100", Ok(())),
    ] {
        let form = url::form_urlencoded::parse(form.as_bytes()).into_owned().collect();
        assert_eq!(check(endpoint, &form), expected.map_err(str::to_owned), "{endpoint} {form:?}");
    }
    assert_eq!(endpoint("POST", "checkout/sessions/cs_1/expire"), Some("POST checkout/sessions/*/expire"));
    assert_eq!(endpoint("GET", "checkout/sessions"), Some("GET checkout/sessions"));
    assert_eq!(endpoint("GET", "charges"), None);
}
