//! States of form controls at rest and under assumed states: placeholder shown, valid, in range, default.

use super::super::state::State;
use super::ElementRef;

impl ElementRef<'_> {
    pub(super) fn placeholder_shown(&self) -> bool {
        self.has_placeholder() && self.is_empty_field() != self.is_inverted_by_states(State::PlaceholderShown)
    }

    pub(super) fn has_placeholder(&self) -> bool {
        let takes_text = match self.name() {
            "input" => is_text_like(&self.input_type()),
            name => name == "textarea",
        };
        takes_text && self.element.attr("placeholder").is_some_and(|text| !text.is_empty())
    }

    pub(super) fn is_empty_field(&self) -> bool {
        match self.name() {
            "input" => self.element.attr("value").unwrap_or_default().is_empty(),
            "textarea" => self.has_no_text(),
            _ => false,
        }
    }

    fn has_no_text(&self) -> bool {
        self.descendants(self.node).all(|node| self.document.text(node).is_none_or(str::is_empty))
    }

    /// Returns `Some(valid)` for elements that can be validated.
    pub(super) fn validity(&self) -> Option<bool> {
        self.validity_at_rest().map(|valid| valid != self.is_inverted_by_states(State::Valid))
    }

    pub(super) fn validity_at_rest(&self) -> Option<bool> {
        if !self.element.in_html() {
            return None;
        }
        if matches!(self.name(), "form" | "fieldset") {
            let inside = self.descendants(self.node).take(10_000);
            let mut controls = inside.filter_map(|node| Self::new(self.document, node, self.walk));
            return Some(controls.all(|control| control.is_form_owner() || control.validity() != Some(false)));
        }
        let validates = matches!(self.name(), "input" | "select" | "textarea" | "button" | "output" | "object");
        if !validates || self.is_disabled() || self.has_attribute("readonly") {
            return None;
        }
        match self.name() {
            "input" if matches!(self.input_type().as_str(), "hidden" | "reset" | "button") => None,
            "button"
                if self
                    .element
                    .attr("type")
                    .is_some_and(|t| t.eq_ignore_ascii_case("reset") || t.eq_ignore_ascii_case("button")) =>
            {
                None
            }
            "input" if self.has_attribute("required") => Some(match self.input_type().as_str() {
                "checkbox" | "radio" => self.has_attribute("checked"),
                _ => self.element.attr("value").is_some_and(|value| !value.is_empty()),
            }),
            "select" if self.has_attribute("required") => Some(!self.chosen_value().is_empty()),
            "textarea" if self.has_attribute("required") => Some(!self.has_no_text()),
            _ => Some(true),
        }
    }

    /// Returns the value of the option that a `select` shows.
    pub(super) fn chosen_value(&self) -> String {
        let nodes = self.descendants(self.node).take(1_000);
        let options = nodes.filter_map(|n| Some((n, self.document.element(n).filter(|e| e.is_html("option"))?)));
        let options: Vec<_> = options.collect();
        let selected = options.iter().find(|(_, option)| option.attr("selected").is_some());
        let Some((node, option)) = selected.or(options.first()) else { return String::new() };
        option.attr("value").map_or_else(|| self.document.text_content(*node).trim().to_owned(), str::to_owned)
    }

    pub(super) fn is_form_owner(&self) -> bool {
        matches!(self.name(), "form" | "fieldset")
    }

    pub(super) fn range(&self) -> Option<bool> {
        let limits = self.has_attribute("min") || self.has_attribute("max");
        if self.name() != "input" || !limits {
            return None;
        }
        let number = |name: &str| self.element.attr(name).and_then(|value| value.trim().parse::<f64>().ok());
        let Some(value) = number("value") else { return Some(true) };
        Some(number("min").is_none_or(|min| value >= min) && number("max").is_none_or(|max| value <= max))
    }

    pub(super) fn is_default(&self) -> bool {
        match self.name() {
            "option" => self.has_attribute("selected"),
            "input" => match self.input_type().as_str() {
                "checkbox" | "radio" => self.has_attribute("checked"),
                "submit" | "image" => self.is_first_submit(),
                _ => false,
            },
            "button" => self.is_submit_button() && self.is_first_submit(),
            _ => false,
        }
    }

    pub(super) fn is_submit_button(&self) -> bool {
        !matches!(self.element.attr("type").map(str::to_ascii_lowercase).as_deref(), Some("button" | "reset"))
    }

    pub(super) fn is_first_submit(&self) -> bool {
        let form = self.ancestors().find(|n| self.document.element(*n).is_some_and(|e| e.is_html("form")));
        let Some(form) = form else { return false };
        let inside = self.descendants(form).take(10_000);
        let mut buttons = inside.filter_map(|node| Self::new(self.document, node, self.walk)).filter(|control| {
            match control.name() {
                "button" => control.is_submit_button(),
                "input" => matches!(control.input_type().as_str(), "submit" | "image"),
                _ => false,
            }
        });
        buttons.next().is_some_and(|first| first.node == self.node)
    }

    pub(super) fn supports_required(&self) -> bool {
        self.element.in_html() && matches!(self.name(), "input" | "select" | "textarea")
    }
}

/// Returns true for input types that take text.
pub(super) fn is_text_like(input_type: &str) -> bool {
    !matches!(
        input_type,
        "hidden" | "range" | "color" | "checkbox" | "radio" | "file" | "submit" | "image" | "reset" | "button"
    )
}
