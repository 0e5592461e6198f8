//! Writes attributes of blocks: URLs and images become settings; classes and the like depend on the
//! index of a block, as on the page.

use super::fields::{join_classes, text};
use super::template::{SettingUse, TemplateWriter};
use crate::loops::Cell;
use crate::shopify::liquid::without_liquid;
use crate::shopify::settings::TEXT;
use limner_component_model::html_syntax::attribute_text;
use limner_component_model::ir::{ConditionalClasses, ItemCondition, OutputAttribute, OutputElement, Value};

/// Maximum number of distinct values by index; more would be hard to follow.
const MAX_CHOICES: usize = 12;
/// Attributes with text for the visitor.
const READ: [&str; 5] = ["alt", "aria-label", "datetime", "placeholder", "title"];
/// Attributes that name an element or refer to one.
const NAMES: [&str; 7] = ["aria-controls", "aria-describedby", "aria-labelledby", "for", "headers", "id", "name"];
/// The help text below the URL of an image in the editor.
const IMAGE_URL_HELP: &str = "Shown until an image is chosen.";

impl TemplateWriter<'_> {
    pub(super) fn attributes(&mut self, tag: &mut OutputElement, alive: &[bool]) -> Option<()> {
        for attribute in &mut tag.attributes {
            let name = attribute.name.clone();
            match &attribute.value {
                Value::Field(expression) if is_expression(expression) => {
                    *attribute = self.attribute(&name, &expression.clone(), alive)?;
                }
                Value::FixedAndField(fixed, expression) => {
                    *attribute = self.positional_attribute(&name, fixed, expression, alive)?;
                }
                Value::Conditional(switch) if switch.condition.depends_on_position() => {
                    *attribute = self.switch(&switch.clone(), alive)?;
                }
                Value::Fixed(_) | Value::Field(_) | Value::Conditional(_) => {}
            }
        }
        Some(())
    }

    fn attribute(&mut self, name: &str, expression: &str, alive: &[bool]) -> Option<OutputAttribute> {
        let cells = self.fields.get(expression)?;
        if cells.iter().flatten().all(|cell| *cell == Cell::Flag) {
            let condition = self.condition(expression)?;
            return Some(raw_attribute(format!("{{% if {condition} %}}{name}{{% endif %}}")));
        }
        if let Some(value) = aria_current(name, cells) {
            let values = cells.iter().map(|cell| cell.as_ref().map(|_| true.into())).collect();
            let condition = self.flag(expression, "is_current", values)?;
            return Some(raw_attribute(format!(
                "{{% if {condition} %}}{name}=\"{}\"{{% endif %}}",
                literal(name, value)
            )));
        }
        if !READ.contains(&name) {
            return self.positional_attribute(name, "", expression, alive);
        }
        let setting = self.textual(expression, name)?;
        self.optional_attribute(name, expression, &setting, format!("{{{{ {setting} | escape }}}}"), alive)
    }

    /// Writes an attribute that is present only if its setting has a value.
    fn optional_attribute(
        &self,
        name: &str,
        expression: &str,
        setting: &str,
        value: String,
        alive: &[bool],
    ) -> Option<OutputAttribute> {
        if self.is_in_all_rows(expression, alive) {
            return Some(OutputAttribute { name: name.to_owned(), value: Value::Field(value) });
        }
        // An empty value could not be distinguished from a missing one.
        let is_empty = |cell: &Option<Cell>| matches!(cell, Some(Cell::Text(text)) if text.is_empty());
        let can_be_told = !self.fields.get(expression)?.iter().any(is_empty);
        can_be_told.then(|| raw_attribute(format!("{{% if {setting} != blank %}}{name}=\"{value}\"{{% endif %}}")))
    }

    /// Writes an attribute whose value depends on the index of the block.
    fn positional_attribute(
        &mut self,
        name: &str,
        fixed: &str,
        expression: &str,
        alive: &[bool],
    ) -> Option<OutputAttribute> {
        let own = |row: usize| match self.fields.cell(expression, row) {
            Some(cell) => text(cell).map(|text| Some(join_classes(fixed, text))),
            None => Some(Some(fixed.to_owned()).filter(|fixed| !fixed.is_empty())),
        };
        let values: Option<Vec<Option<String>>> = (0..alive.len()).map(own).collect();
        // An empty class attribute is omitted.
        let is_there = |value: &String| name != "class" || !value.is_empty();
        let values: Vec<Option<String>> = values?.into_iter().map(|value| value.filter(is_there)).collect();
        // Blocks added later need distinct names.
        let otherwise =
            NAMES.contains(&name).then(|| format!("{{{{ block.id }}}}-{}", self.fields.name(expression, name)));
        case_attribute(name, &values, alive, otherwise)
    }

    /// Writes classes of the first, the last or every other item.
    fn switch(&mut self, switch: &ConditionalClasses, alive: &[bool]) -> Option<OutputAttribute> {
        let ConditionalClasses { fixed, condition: test, if_true: then, if_false: otherwise, .. } = switch;
        match test {
            ItemCondition::First => Some(conditional_classes("forloop.first", fixed, then, otherwise)),
            ItemCondition::Last(_) => Some(conditional_classes("forloop.last", fixed, then, otherwise)),
            ItemCondition::Flag(_) => None,
            ItemCondition::Odd => {
                let [odd, even] = [join_classes(fixed, then), join_classes(fixed, otherwise)];
                let is_literal = |text: &str| !text.contains(['\'', '{', '}', '%']);
                if alive.contains(&false)
                    || odd.is_empty()
                    || even.is_empty()
                    || !(is_literal(then) && is_literal(otherwise))
                {
                    let values = (0..alive.len()).map(|row| Some(if row % 2 == 0 { &odd } else { &even }));
                    let values: Vec<_> = values.map(|own| own.filter(|own| !own.is_empty()).cloned()).collect();
                    return case_attribute("class", &values, alive, None);
                }
                self.cycles += 1;
                let space = if fixed.is_empty() { "" } else { " " };
                let own = |own: &str| {
                    if own.is_empty() { String::new() } else { attribute_text("class", &format!("{space}{own}")) }
                };
                let cycle =
                    format!("{{% cycle '{}_{}': '{}', '{}' %}}", self.prefix, self.cycles, own(then), own(otherwise));
                let value = Value::Field(literal("class", fixed) + &cycle);
                Some(OutputAttribute { name: "class".to_owned(), value })
            }
        }
    }

    /// Writes the URL of a link.
    pub(super) fn address(&mut self, tag: &mut OutputElement, alive: &[bool]) -> Option<()> {
        let Some(attribute) = tag.attributes.iter_mut().find(|own| own.name == "href") else { return Some(()) };
        let Value::Field(expression) = &attribute.value else {
            self.settings.address(tag);
            return Some(());
        };
        let expression = expression.clone();
        let values = self.texts(&expression)?;
        let can_be_one = |text: &str| !text.contains(|c: char| c.is_whitespace() || "'\"\\{}<>".contains(c));
        if !values.iter().flatten().all(|value| value.as_str().is_some_and(can_be_one)) {
            return None;
        }
        let is_full = !self.fields.get(&expression)?.iter().flatten().any(|cell| text(cell) == Some(""));
        let setting = self.setting_for(&expression, SettingUse::Url, |own| {
            let around = own.fields.name(&expression, "").replace("href", "").replace("image", "");
            let around = around.trim_matches('_');
            let name = if around.is_empty() || around == "link" { "link".to_owned() } else { format!("{around}_link") };
            let setting = own.add("url", &name, values)?;
            own.record_presence(&expression, format!("{setting} != blank"));
            Some(setting)
        })?;
        let default = if is_full { " | default: '#'" } else { "" };
        let value = format!("{{{{ {setting}{default} | escape }}}}");
        *attribute = self.optional_attribute("href", &expression, &setting, value, alive)?;
        Some(())
    }

    /// Writes a `picture` with its sources.
    pub(super) fn pictures(&mut self, tag: &mut OutputElement, alive: &[bool]) -> Option<()> {
        let all_are_there = tag.tags().all(|child| child.condition.is_none() && child.repeat.is_none());
        let parts = tag.tags_mut().filter(|child| matches!(child.name.as_str(), "img" | "source"));
        let mut parts: Vec<&mut OutputElement> = parts.collect();
        let has_own = parts.iter().any(|part| part.name == "img");
        if has_own && all_are_there { self.picture(&mut parts, alive) } else { None }
    }

    /// Writes the chosen image, or else the page's, whose URL is a text setting of the block: when
    /// blocks are reordered in the editor, the image moves along.
    pub(super) fn picture(&mut self, tags: &mut [&mut OutputElement], alive: &[bool]) -> Option<()> {
        let is_own = |own: &OutputAttribute| matches!(&own.value, Value::Field(field) if is_expression(field));
        let is_about = |own: &OutputAttribute| matches!(own.name.as_str(), "alt" | "src" | "srcset");
        let mut all = tags.iter().flat_map(|tag| &tag.attributes);
        if !all.clone().any(|own| is_about(own) && is_own(own)) {
            // Part of a `picture` whose attributes are already written.
            if !all.any(|own| is_about(own) && matches!(own.value, Value::Field(_))) {
                self.settings.picture(tags);
            }
            return Some(());
        }
        let is_literal = |own: &OutputAttribute| matches!(&own.value, Value::Fixed(text) if !text.is_empty());
        if !all.filter(|own| own.name.starts_with("src")).all(|own| is_own(own) || is_literal(own)) {
            return None;
        }
        let image = self.settings.add("image_picker", "image", None)?;
        for attribute in tags.iter_mut().flat_map(|tag| &mut tag.attributes).filter(|own| is_about(own)) {
            *attribute = self.image_attribute(attribute, &image, alive)?;
        }
        Some(())
    }

    fn image_attribute(&mut self, attribute: &OutputAttribute, image: &str, alive: &[bool]) -> Option<OutputAttribute> {
        let name = attribute.name.as_str();
        let chosen = match name {
            "alt" => format!("{{{{ {image}.alt | escape }}}}"),
            _ => format!("{{{{ {image} | image_url: width: 1920 }}}}"),
        };
        let either = |own: &str| format!("{{% if {image} %}}{chosen}{{% else %}}{own}{{% endif %}}");
        let field = match &attribute.value {
            Value::Field(expression) => expression.clone(),
            Value::Fixed(own) => {
                let value = Value::Field(either(&literal(name, own)));
                return Some(OutputAttribute { name: name.to_owned(), value });
            }
            Value::FixedAndField(..) | Value::Conditional(_) => return None,
        };
        let setting = match name {
            "alt" => self.textual(&field, "image_alt")?,
            _ => self.setting_for(&field, SettingUse::Image, |own| {
                let texts = own.texts(&field)?;
                let thing = if name == "src" { "image_address" } else { "image_sources" };
                let setting = own.add(TEXT, thing, texts)?;
                let at = own.settings.list.len() - 1;
                own.settings.list[at]["info"] = IMAGE_URL_HELP.into();
                own.record_presence(&field, format!("{image} != blank or {setting} != blank"));
                Some(setting)
            })?,
        };
        self.optional_attribute(name, &field, &setting, either(&format!("{{{{ {setting} | escape }}}}")), alive)
    }
}

/// Returns the value of `aria-current` if all items that have the attribute share it.
fn aria_current<'c>(name: &str, cells: &'c [Option<Cell>]) -> Option<&'c str> {
    let mut present = cells.iter().flatten().filter_map(text);
    let first = present.next().filter(|value| name == "aria-current" && !value.is_empty())?;
    present.all(|value| value == first).then_some(first)
}

/// Returns true if a field is a template expression rather than Liquid.
fn is_expression(field: &str) -> bool {
    !field.is_empty() && !field.starts_with('{') && !field.contains("{%") && !field.contains("{{")
}

/// Returns Liquid to be written into a start tag verbatim.
fn raw_attribute(liquid: String) -> OutputAttribute {
    OutputAttribute { name: liquid, value: Value::Field(String::new()) }
}

fn literal(name: &str, value: &str) -> String {
    without_liquid(&attribute_text(name, value))
}

/// Returns a class attribute that depends on a condition; it is omitted if it would be empty.
pub(super) fn conditional_classes(condition: &str, fixed: &str, then: &str, otherwise: &str) -> OutputAttribute {
    let name = "class";
    let space = if fixed.is_empty() { "" } else { " " };
    let choice = |then: &str, otherwise: &str| match (then.is_empty(), otherwise.is_empty()) {
        (true, _) => format!("{{% unless {condition} %}}{otherwise}{{% endunless %}}"),
        (_, true) => format!("{{% if {condition} %}}{then}{{% endif %}}"),
        _ => format!("{{% if {condition} %}}{then}{{% else %}}{otherwise}{{% endif %}}"),
    };
    let own = |own: &str| if own.is_empty() { String::new() } else { format!("{space}{}", literal(name, own)) };
    if fixed.is_empty() && (then.is_empty() || otherwise.is_empty()) {
        let whole =
            |own: &str| if own.is_empty() { String::new() } else { format!("{name}=\"{}\"", literal(name, own)) };
        return raw_attribute(choice(&whole(then), &whole(otherwise)));
    }
    let value = Value::Field(literal(name, fixed) + &choice(&own(then), &own(otherwise)));
    OutputAttribute { name: name.to_owned(), value }
}

/// Returns an attribute with a value per index. New blocks get `otherwise`, or else the most
/// frequent value.
fn case_attribute(
    name: &str,
    values: &[Option<String>],
    alive: &[bool],
    otherwise: Option<String>,
) -> Option<OutputAttribute> {
    let rows = || values.iter().zip(alive).enumerate().filter(|(_, (_, alive))| **alive);
    let mut places: Vec<(&Option<String>, Vec<String>)> = Vec::new();
    for (row, (value, _)) in rows() {
        match places.iter_mut().find(|(own, _)| *own == value) {
            Some((_, own)) => own.push(row.to_string()),
            None => places.push((value, vec![row.to_string()])),
        }
    }
    let all: Option<Vec<(usize, &str)>> = rows().map(|(row, (value, _))| Some((row, value.as_deref()?))).collect();
    if let Some(value) = all.and_then(|all| numbered_value(name, &all)) {
        return Some(OutputAttribute { name: name.to_owned(), value: Value::Field(value) });
    }
    if places.len() > MAX_CHOICES {
        return None;
    }
    let is_whole = rows().any(|(_, (value, _))| value.is_none());
    let shown = |value: &Option<String>| match value {
        None => String::new(),
        Some(own) if is_whole => format!("{name}=\"{}\"", literal(name, own)),
        Some(own) => literal(name, own),
    };
    let most = places.iter().map(|(_, rows)| rows.len()).max().unwrap_or(0);
    let usual = if otherwise.is_some() { None } else { places.iter().position(|(_, rows)| rows.len() == most) };
    let rest = match (usual, &otherwise) {
        (Some(usual), _) => shown(&places.remove(usual).0.clone()),
        (None, Some(otherwise)) if is_whole => format!("{name}=\"{otherwise}\""),
        (None, otherwise) => otherwise.clone().unwrap_or_default(),
    };
    let mut liquid = "{% case forloop.index0 %}".to_owned();
    for (value, rows) in &places {
        liquid.push_str(&format!("{{% when {} %}}{}", rows.join(", "), shown(value)));
    }
    let liquid = match (places.is_empty(), rest.is_empty()) {
        (true, _) => rest,
        (_, true) => format!("{liquid}{{% endcase %}}"),
        _ => format!("{liquid}{{% else %}}{rest}{{% endcase %}}"),
    };
    match is_whole {
        true => Some(raw_attribute(liquid)),
        false => Some(OutputAttribute { name: name.to_owned(), value: Value::Field(liquid) }),
    }
}

/// Returns values that contain the item's number as a Liquid expression: `question-1`,
/// `question-2`.
fn numbered_value(name: &str, values: &[(usize, &str)]) -> Option<String> {
    let (row, first) = *values.first().filter(|_| values.len() > 1)?;
    let digit = |c: char| c.is_ascii_digit();
    let (start, end) = first.match_indices(digit).fold(None, |found: Option<(usize, usize)>, (at, _)| match found {
        // The last number.
        Some((start, end)) if end == at => Some((start, at + 1)),
        _ => Some((at, at + 1)),
    })?;
    let from = first[start..end].parse::<usize>().ok()?.checked_sub(row)?;
    let (before, after) = (&first[..start], &first[end..]);
    let is_so = |(row, value): &(usize, &str)| {
        from.checked_add(*row).is_some_and(|number| *value == format!("{before}{number}{after}"))
    };
    let number = match from {
        0 => "forloop.index0".to_owned(),
        1 => "forloop.index".to_owned(),
        more => format!("forloop.index0 | plus: {more}"),
    };
    let [before, after] = [before, after].map(|own| literal(name, own));
    values.iter().all(is_so).then(|| format!("{before}{{{{ {number} }}}}{after}"))
}

#[cfg(test)]
mod tests {
    use super::numbered_value;

    #[test]
    fn values_counting_up_with_the_item_use_its_number() {
        for (first, second, expected) in [
            ("question-1", "question-2", Some("question-{{ forloop.index }}")),
            ("q0-x", "q1-x", Some("q{{ forloop.index0 }}-x")),
            ("1-9", "1-10", Some("1-{{ forloop.index0 | plus: 9 }}")),
            ("a-1", "a-1", None),
            ("a", "b", None),
            // The largest integer has no successor.
            ("a-18446744073709551615", "a-0", None),
            ("a-99999999999999999999", "a-0", None),
        ] {
            assert_eq!(numbered_value("id", &[(0, first), (1, second)]).as_deref(), expected, "{first}, {second}");
        }
    }
}
