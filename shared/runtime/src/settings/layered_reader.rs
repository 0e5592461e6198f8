//! Reads settings one by one from the given sources, and records everything to report: invalid values, unknown names,
//! and each setting's effective value.

use super::values::Setting;
use super::{SettingsError, SettingsErrors};
use std::collections::BTreeMap;
use std::path::Path;
use toml::Value;

/// Prefix of environment variables.
const ENV_PREFIX: &str = "LIMNER__";
/// Suffix of a name whose value is the path of a file with the value.
const FILE_SUFFIX: &str = "_file";

/// An unparsed value.
enum RawValue {
    File(Value),
    Environment { name: String, text: String },
}

/// The effective value of a setting, for `config dump`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EffectiveValue {
    pub(super) key: &'static str,
    pub(super) value: Option<Value>,
    pub(super) about: &'static str,
}

/// The values that have not been read yet, by dotted key.
pub(super) struct LayeredReader {
    raw_values: BTreeMap<String, RawValue>,
    /// Files of secrets named in the environment, by dotted key.
    secret_files: BTreeMap<String, (String, String)>,
    file: String,
    faults: Vec<SettingsError>,
    effective: Vec<EffectiveValue>,
}

impl LayeredReader {
    /// Collects a file's text and the environment. `tables` are the keys whose value is a table.
    pub(super) fn new(
        file: Option<(&Path, &str)>,
        environment: impl IntoIterator<Item = (String, String)>,
        tables: &[&str],
    ) -> Self {
        let path = file.map_or_else(String::new, |(path, _)| path.display().to_string());
        let mut reader = Self {
            raw_values: BTreeMap::new(),
            secret_files: BTreeMap::new(),
            file: path,
            faults: Vec::new(),
            effective: Vec::new(),
        };
        if let Some((_, text)) = file {
            match text.parse::<toml::Table>() {
                Ok(table) => reader.add_table("", table, tables),
                Err(cause) => reader.faults.push(SettingsError::new(&reader.file, syntax_fault(text, &cause))),
            }
        }
        for (name, text) in environment {
            reader.add_variable(name, text);
        }
        reader
    }

    fn add_table(&mut self, prefix: &str, table: toml::Table, tables: &[&str]) {
        for (name, value) in table {
            let key = if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
            match value {
                Value::Table(inner) if !tables.contains(&key.as_str()) => self.add_table(&key, inner, tables),
                value => drop(self.raw_values.insert(key, RawValue::File(value))),
            }
        }
    }

    /// An empty variable counts as unset: container files often pass them on.
    fn add_variable(&mut self, name: String, text: String) {
        let Some(path) = name.strip_prefix(ENV_PREFIX) else { return };
        if text.is_empty() {
            return;
        }
        let key = path.to_ascii_lowercase().replace("__", ".");
        match key.strip_suffix(FILE_SUFFIX) {
            Some(secret) => drop(self.secret_files.insert(secret.to_owned(), (name, text))),
            None => drop(self.raw_values.insert(key, RawValue::Environment { name, text })),
        }
    }

    /// Returns the value of a setting, or its default.
    pub(super) fn value<T: Setting>(&mut self, key: &'static str, default: T, about: &'static str) -> T {
        let value = self.take(key).unwrap_or(default);
        self.effective.push(EffectiveValue { key, value: Some(value.to_toml()), about });
        value
    }

    /// Returns the value of a setting that may be unset.
    pub(super) fn optional<T: Setting>(&mut self, key: &'static str, about: &'static str) -> Option<T> {
        let value = self.take::<T>(key);
        self.effective.push(EffectiveValue { key, value: value.as_ref().map(Setting::to_toml), about });
        value
    }

    /// Like [`LayeredReader::optional`]; the environment may also name a file with the value.
    pub(super) fn secret<T: Setting>(&mut self, key: &'static str, about: &'static str) -> Option<T> {
        if let Some((name, path)) = self.secret_files.remove(key) {
            if let Some(RawValue::Environment { name: other, .. }) = self.raw_values.get(key) {
                self.faults.push(SettingsError::new(&name, format!("{other} is set as well: set one of the two")));
            }
            match std::fs::read_to_string(&path) {
                Ok(text) => {
                    self.raw_values.insert(key.to_owned(), RawValue::Environment { name, text });
                }
                Err(cause) => self.faults.push(SettingsError::new(&name, format!("{path} cannot be read: {cause}"))),
            }
        }
        if let Some(RawValue::Environment { text, .. }) = self.raw_values.get_mut(key) {
            // Secrets are often stored with a newline at their end.
            *text = text.trim().to_owned();
        }
        self.optional(key, about)
    }

    fn take<T: Setting>(&mut self, key: &str) -> Option<T> {
        // The variable of a setting that is a path itself looks like that of a secret's file.
        if let Some((name, text)) = key.strip_suffix(FILE_SUFFIX).and_then(|stem| self.secret_files.remove(stem)) {
            self.raw_values.insert(key.to_owned(), RawValue::Environment { name, text });
        }
        let (value, place, shown) = match self.raw_values.remove(key)? {
            RawValue::File(value) => (T::from_toml(&value), format!("{}: {key}", self.file), value.to_string()),
            RawValue::Environment { name, text } => (T::from_text(&text), name, text),
        };
        if value.is_none() {
            self.faults.push(SettingsError::new(&place, format!("{} is not {}", redact::<T>(&shown), T::EXPECTED)));
        }
        value
    }

    /// Records an error in a combination of settings.
    pub(super) fn record_error(&mut self, place: &str, problem: impl Into<String>) {
        self.faults.push(SettingsError::new(place, problem));
    }

    /// Returns the effective values, or all errors.
    pub(super) fn finish(mut self) -> Result<Vec<EffectiveValue>, SettingsErrors> {
        self.record_unknown();
        if self.faults.is_empty() { Ok(self.effective) } else { Err(SettingsErrors(self.faults)) }
    }

    /// Records unknown names.
    fn record_unknown(&mut self) {
        let known: Vec<&str> = self.effective.iter().map(|setting| setting.key).collect();
        let in_file_or_environment = self.raw_values.iter().map(|(key, given)| match given {
            RawValue::File(_) => (key, format!("{}: {key}", self.file)),
            RawValue::Environment { name, .. } => (key, name.clone()),
        });
        let files = self.secret_files.iter().map(|(key, (name, _))| (key, name.clone()));
        let faults: Vec<SettingsError> = in_file_or_environment
            .chain(files)
            .map(|(key, place)| SettingsError::new(&place, unknown(key, &known)))
            .collect();
        self.faults.extend(faults);
    }
}

/// Returns the position of a TOML syntax error, without the line itself: it may contain a secret.
fn syntax_fault(text: &str, cause: &toml::de::Error) -> String {
    let before = cause.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!("TOML parse error at line {line}: {}", cause.message())
}

/// Masks a malformed secret, and a value that looks like a URL with more than a host and a path.
fn redact<T: Setting>(shown: &str) -> String {
    let may_hold_secret = shown.contains('@') || shown.contains("://") && shown.contains(['?', '#', ' ']);
    if T::IS_SECRET || may_hold_secret {
        return "the value (not shown)".to_owned();
    }
    format!("`{}`", shown.trim_matches('"'))
}

fn unknown(key: &str, known: &[&str]) -> String {
    let nearest = known
        .iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(key, candidate), candidate))
        .filter(|(similarity, _)| *similarity >= 0.6)
        .max_by(|one, other| one.0.total_cmp(&other.0));
    match nearest {
        Some((_, candidate)) => format!("there is no setting `{key}`; did you mean `{candidate}`?"),
        None => format!("there is no setting `{key}`; `limner config dump` lists all"),
    }
}
