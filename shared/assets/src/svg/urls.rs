//! Resolves and sanitizes URLs in attributes and in CSS.

/// Returns true if navigating to a URL would run a script. Browsers ignore white space and control
/// characters in a scheme.
pub fn runs_script(address: &str) -> bool {
    let letters = || address.chars().filter(|c| !c.is_ascii_control() && *c != ' ').map(|c| c.to_ascii_lowercase());
    let starts_with = |scheme: &str| letters().take(scheme.len()).eq(scheme.chars());
    ["javascript:", "vbscript:", "data:text/html", "data:application/xhtml", "data:text/xml", "data:application/xml"]
        .iter()
        .any(|scheme| starts_with(scheme))
}

/// Rewrites the URL of each `url()` in CSS. If `rewrite` returns `None`, the URL stays as written.
pub fn rewrite_urls(css: &str, mut rewrite: impl FnMut(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(start) = find_url(rest) {
        let (before, inside) = rest.split_at(start + "url(".len());
        let (address, length) = read_address(inside);
        out.push_str(before);
        match rewrite(address) {
            Some(rewritten) => push_quoted(&mut out, &rewritten),
            None => out.push_str(&inside[..length]),
        }
        rest = &inside[length..];
    }
    out.push_str(rest);
    out
}

fn find_url(css: &str) -> Option<usize> {
    css.as_bytes().windows(4).position(|window| window.eq_ignore_ascii_case(b"url("))
}

/// Returns the URL after `url(` and the number of bytes before the closing parenthesis.
fn read_address(inside: &str) -> (&str, usize) {
    let leading = inside.len() - inside.trim_start().len();
    let rest = &inside[leading..];
    if let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) {
        let end = rest[1..].find(quote).map_or(rest.len(), |end| end + 1);
        let closing = rest[end..].find(')').map_or(rest.len(), |closing| end + closing);
        return (&rest[1.min(end)..end], leading + closing);
    }
    let end = rest.find(')').unwrap_or(rest.len());
    (rest[..end].trim_end(), leading + end)
}

fn push_quoted(out: &mut String, address: &str) {
    let plain = !address.contains(['(', ')', '\'', '"', '\\', ' ']);
    if plain {
        out.push_str(address);
    } else {
        out.push('\'');
        out.extend(address.chars().flat_map(|c| if matches!(c, '\'' | '\\') { vec!['\\', c] } else { vec![c] }));
        out.push('\'');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disguised_script_urls_are_detected() {
        for (address, expected) in [
            ("javascript:alert(1)", true),
            (" JaVa\tScript:x", true),
            ("\u{1}javascript:x", true),
            ("vbscript:x", true),
            ("data:text/html,x", true),
            ("data:image/png;base64,x", false),
            ("https://a/javascript:", false),
            ("#a", false),
        ] {
            assert_eq!(runs_script(address), expected, "{address}");
        }
    }

    #[test]
    fn urls_in_css_are_rewritten() {
        let rewrite = |css: &str| {
            rewrite_urls(css, |address| (!address.starts_with('#')).then(|| format!("https://x/{address}")))
        };
        for (css, expected) in [
            ("fill:url(#a)", "fill:url(#a)"),
            ("fill:URL( '#a' ) red", "fill:URL( '#a' ) red"),
            ("a url(b.png) c url(\"d.png\") e", "a url(https://x/b.png) c url(https://x/d.png) e"),
            ("url(b(.png)", "url('https://x/b(.png')"),
            ("url(", "url(https://x/"),
            ("url('", "url(https://x/"),
            ("none", "none"),
        ] {
            assert_eq!(rewrite(css), expected);
        }
    }
}
