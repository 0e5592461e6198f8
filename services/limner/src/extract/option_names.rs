//! Messages of the API in the words of the command line.

use limner_types::operation::RENDER_SURCHARGE;
use limner_types::request::known_parameters;
use limner_types::{Operation, WireEnum};

/// Returns a message with the API's parameters as options: `render=true` becomes `--render`, in hints also where it is
/// not quoted. The price of a browser is left out: only calls with `--api` are charged.
pub(super) fn with_option_names(message: &str) -> String {
    // The first quotation in such a message is the caller's own value.
    let first = if message.contains("` is not a valid value of `") { 3 } else { 1 };
    let parts = message.split('`').enumerate().map(|(index, part)| {
        let is_quoted = index % 2 == 1 && index >= first;
        as_option(part).filter(|_| is_quoted).unwrap_or_else(|| part.to_owned())
    });
    let text = parts.collect::<Vec<_>>().join("`");
    let price = format!(" (+{RENDER_SURCHARGE} credits)");
    text.replace("The parameter `--", "`--").replace("render=true", "--render").replace(&price, "")
}

/// Returns the option for `name` or `name=value`, if it is a parameter of an operation.
fn as_option(quoted: &str) -> Option<String> {
    let (name, value) = quoted.split_once('=').map_or((quoted, None), |(name, value)| (name, Some(value)));
    let is_known = name != "url" && Operation::ALL.iter().any(|operation| known_parameters(*operation).contains(&name));
    is_known.then(|| match value {
        None | Some("true") => format!("--{name}"),
        Some(value) => format!("--{name}={value}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_become_options() {
        for (message, shown) in [
            (
                "The parameter `screenshot` needs a browser: add `render=true` (+5 credits) or leave `screenshot` out.",
                "`--screenshot` needs a browser: add `--render` or leave `--screenshot` out.",
            ),
            (
                "`theme` is not a valid value of `fields`. Valid values: colors.",
                "`theme` is not a valid value of `--fields`. Valid values: colors.",
            ),
            (
                "`scope=page` is the whole page: leave `selector` and `section` out, or leave `scope` out.",
                "`--scope=page` is the whole page: leave `--selector` and `--section` out, or leave `--scope` out.",
            ),
            ("Retry with render=true (+5 credits).", "Retry with --render."),
            ("Add `@custom-variant dark` to `main.css`.", "Add `@custom-variant dark` to `main.css`."),
            ("", ""),
        ] {
            assert_eq!(with_option_names(message), shown);
        }
    }
}
