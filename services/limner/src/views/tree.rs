//! `limner inspect`: the page as a tree, each element with its box, its role in layout, and the colours and fonts that
//! differ from its parent's.

use super::terminal::{bold, dim, ellipsize};
use super::text;
use owo_colors::{OwoColorize, Stream};
use serde_json::Value;
use std::fmt::Write;

/// Maximum length of an element's name, and of a line.
const NAME: usize = 48;

/// Formats a report as a tree.
pub(crate) fn view(report: &Value) -> String {
    let none = Vec::new();
    let rows: Vec<TreeRow<'_>> =
        report["elements"].as_array().unwrap_or(&none).iter().map(TreeRow::from_value).collect();
    let mut shown = String::new();
    let mut ancestors: Vec<usize> = Vec::new();
    let mut hidden: Option<usize> = None;
    for (at, row) in rows.iter().enumerate() {
        ancestors.truncate(row.depth);
        if hidden.is_some_and(|depth| row.depth > depth) {
            continue;
        }
        hidden = (row.style("display") == "none").then_some(row.depth);
        let parent = ancestors.last().map(|parent| &rows[*parent]);
        ancestors.push(at);
        let branch = "│ ".repeat(row.depth);
        let name = ellipsize(row.name, NAME);
        if hidden.is_some() {
            // Writing to a String cannot fail.
            let _ = writeln!(shown, "{}{}", dim(&branch), dim(&format!("{name}  not shown")));
            continue;
        }
        let _ = writeln!(shown, "{}{}  {}", dim(&branch), bold(&name), row.facts(parent).join("  "));
        for (pseudo, member) in [("::before", "before"), ("::after", "after")] {
            let content = text(&row.value[member], "content");
            if !content.is_empty() {
                let _ = writeln!(shown, "{}{pseudo} {}", dim(&format!("{branch}│ ")), ellipsize(content, NAME));
            }
        }
    }
    shown
}

struct TreeRow<'r> {
    value: &'r Value,
    name: &'r str,
    depth: usize,
}

impl<'r> TreeRow<'r> {
    fn from_value(value: &'r Value) -> Self {
        Self { value, name: text(value, "name"), depth: text(value, "path").matches('/').count() }
    }

    fn style(&self, property: &str) -> &'r str {
        self.value["style"][property].as_str().unwrap_or_default()
    }

    /// Returns the values in which it differs from its parent.
    fn facts(&self, parent: Option<&TreeRow<'_>>) -> Vec<String> {
        let differs = |property: &str| parent.is_none_or(|parent| parent.style(property) != self.style(property));
        let mut facts = vec![self.style("display").to_owned()];
        if let Some([x, y, width, height]) = self.rect() {
            facts.push(dim(&format!("{width:.0}×{height:.0} at {x:.0},{y:.0}")));
        }
        for (property, usual) in
            [("position", "static"), ("float", "none"), ("visibility", "visible"), ("opacity", "1")]
        {
            let value = self.style(property);
            if value != usual && (property != "visibility" || differs(property)) {
                facts.push(if property == "opacity" { format!("opacity {value}") } else { value.to_owned() });
            }
        }
        if differs("color") {
            facts.push(format!("{} {}", patch(self.style("color")), self.style("color")));
        }
        let ground = self.style("background-color");
        if !ground.is_empty() && ground != "rgba(0, 0, 0, 0)" {
            facts.push(format!("on {} {ground}", patch(ground)));
        }
        if ["font-family", "font-size", "font-weight", "line-height"].into_iter().any(differs) {
            let family = ellipsize(self.style("font-family").split(',').next().unwrap_or_default(), NAME);
            let (size, line) = (self.style("font-size"), self.style("line-height"));
            facts.push(format!("{family} {size}/{line} {}", self.style("font-weight")));
        }
        facts
    }

    fn rect(&self) -> Option<[f64; 4]> {
        let sides = self.value["box"].as_array()?;
        let side = |at: usize| sides.get(at)?.as_f64();
        Some([side(0)?, side(1)?, side(2)?, side(3)?])
    }
}

/// Returns two columns in a computed colour.
fn patch(color: &str) -> String {
    let inner = color.strip_prefix("rgb(").or_else(|| color.strip_prefix("rgba(")).unwrap_or_default();
    let channels: Vec<u8> = inner.split([',', ')']).map_while(|channel| channel.trim().parse().ok()).take(3).collect();
    match channels.as_slice() {
        [red, green, blue] => {
            let (red, green, blue) = (*red, *green, *blue);
            "██".if_supports_color(Stream::Stdout, |blocks| blocks.truecolor(red, green, blue)).to_string()
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn element_shows_only_differences_from_its_parent() {
        let style = |display: &str, color: &str, size: &str, ground: &str| {
            json!({
                "display": display, "position": "static", "float": "none", "visibility": "visible", "opacity": "1",
                "color": color, "background-color": ground, "font-family": "Inter, serif", "font-size": size,
                "line-height": "24px", "font-weight": "400",
            })
        };
        let (black, clear) = ("rgb(0, 0, 0)", "rgba(0, 0, 0, 0)");
        let report = json!({ "elements": [
            { "path": "html", "name": "html", "box": [0, 0, 800, 600.4], "style": style("block", black, "16px", clear) },
            { "path": "html/0head", "name": "head", "box": null, "style": style("none", black, "16px", clear) },
            { "path": "html/0head/0title", "name": "title", "box": null, "style": style("none", black, "16px", clear) },
            { "path": "html/1body", "name": "body.wide", "box": [8, 8, 784, 20], "style": style("flex", black, "20px", "rgb(255, 0, 0)"),
              "before": { "content": "\"→\"" } },
            { "path": "html/1body/0a", "name": "a#top", "box": [8, 8, 10, 20], "style": style("inline", "rgb(1, 2, 3)", "20px", clear) },
        ] });
        assert_eq!(
            view(&report),
            "html  block  800×600 at 0,0  ██ rgb(0, 0, 0)  Inter 16px/24px 400\n\
             │ head  not shown\n\
             │ body.wide  flex  784×20 at 8,8  on ██ rgb(255, 0, 0)  Inter 20px/24px 400\n\
             │ │ ::before \"→\"\n\
             │ │ a#top  inline  10×20 at 8,8  ██ rgb(1, 2, 3)\n"
        );
        assert_eq!(view(&json!({})), "");
    }
}
