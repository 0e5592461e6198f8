//! The configuration as a documented file.

use super::layered_reader::EffectiveValue;
use toml::Value;

/// Writes every setting with its description; unset ones as comments.
pub(super) fn dump(settings: &[EffectiveValue]) -> String {
    let mut text = String::new();
    let mut section = "";
    for setting in settings {
        let (parent, name) = setting.key.rsplit_once('.').unwrap_or(("", setting.key));
        if parent != section {
            section = parent;
            text.push_str(&format!("\n[{section}]\n"));
        }
        let line = match &setting.value {
            None => format!("# {name} ="),
            Some(value) => format!("{name} = {}", inline(value)),
        };
        text.push_str(&format!("{line:<44} # {}\n", setting.about));
    }
    text
}

fn inline(value: &Value) -> String {
    match value {
        Value::Table(table) if table.is_empty() => "{}".to_owned(),
        Value::Table(table) => {
            let entries: Vec<String> =
                table.iter().map(|(name, value)| format!("{} = {value}", Value::String(name.clone()))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        value => value.to_string(),
    }
}
