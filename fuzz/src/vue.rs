//! Emitted single-file components: the template as html5ever reads it, its expressions and its script as oxc reads them.

use crate::jsx;
use crate::markup::{check_attribute, squeeze};
use crate::texts::{NAMES, Texts};
use scraper::{Html, Node};

/// Stands for a brace that is written as a reference, which begins no interpolation.
const WRITTEN_BRACE: char = '\u{e000}';
/// Stands for an interpolation, which the compiler finds before it looks for tags.
const INTERPOLATION: char = '\u{e001}';
/// Directives that emitters write, and attributes that are bound.
const DIRECTIVES: [&str; 3] = ["v-for", "v-if", "v-html"];

/// Holds an emitted component against the texts that are in it.
///
/// # Panics
/// When a part of it is not valid, or has what no emitted component has.
pub fn check(texts: &Texts, code: &str) {
    let opening = code.strip_prefix("<script setup>").or_else(|| code.strip_prefix("<script setup lang=\"ts\">"));
    let (script, rest) = match opening {
        Some(rest) => rest.split_once("</script>").expect("the script ends"),
        None => ("", code),
    };
    let template = rest.trim_start().strip_prefix("<template>").unwrap_or_else(|| panic!("no template in {code}"));
    let (template, style) = template.rsplit_once("</template>").expect("the template ends");
    if let Some(style) = style.trim().strip_prefix("<style>") {
        let sheet = style.strip_suffix("</style>").expect("the sheet ends");
        assert!(!sheet.to_ascii_lowercase().contains("</style") && !sheet.contains("v-bind"), "{code}");
    }
    let mut found = jsx::read(script, texts.language);
    let markup: Vec<String> = found.texts.iter().filter(|text| text.contains('<')).map(|text| shown(text)).collect();
    found.texts.extend(markup);
    read_template(template, code, texts.language, &mut found);
    texts.check_shown(&found.texts, code);
    texts.check_titles(&found.values, code);
}

/// The text of markup in a string, and of a string that only looks like some.
fn shown(markup: &str) -> String {
    Html::parse_fragment(markup).root_element().text().collect()
}

fn read_template(template: &str, code: &str, language: &str, found: &mut jsx::Found) {
    let template = template.replace("&#123;", WRITTEN_BRACE.encode_utf8(&mut [0; 4]));
    let (markup, interpolations) = apart(&template);
    let mut interpolations = interpolations.into_iter();
    let document = Html::parse_fragment(&markup);
    let mut text = String::new();
    for node in document.root_element().descendants() {
        match node.value() {
            Node::Element(element) => {
                assert!(NAMES.contains(&element.name()), "<{}> in {code}", element.name());
                for (name, value) in element.attrs() {
                    check_attribute(name.trim_start_matches(':'), value, code);
                    attribute(name, &value.replace(WRITTEN_BRACE, "{"), language, found);
                }
            }
            Node::Text(own) => {
                for c in own.chars() {
                    match c {
                        INTERPOLATION => {
                            let inside = interpolations.next().unwrap_or_else(|| panic!("too few in {code}"));
                            let from = found.texts.len();
                            expression(&inside.replace(WRITTEN_BRACE, "{"), language, found);
                            text.extend(found.texts[from..].iter().map(String::as_str));
                        }
                        WRITTEN_BRACE => text.push('{'),
                        c => text.push(c),
                    }
                }
            }
            Node::Comment(comment) => panic!("a comment {:?} in {code}", &**comment),
            _ => {}
        }
    }
    found.texts.push(squeeze(&text));
}

fn attribute(name: &str, value: &str, language: &str, found: &mut jsx::Found) {
    assert!(!name.starts_with(['@', '#', '[']), "the directive {name}");
    if name == "v-for" {
        let (item, list) = value.split_once(" in ").expect("a list");
        expression(item, language, found);
        expression(list, language, found);
    } else if name.starts_with(':') || DIRECTIVES.contains(&name) {
        expression(value, language, found);
    } else {
        assert!(!name.starts_with("v-"), "the directive {name}");
        found.values.push(value.to_owned());
    }
}

/// Takes interpolations out of a template: those outside of tags, as the compiler's tokenizer does.
fn apart(template: &str) -> (String, Vec<String>) {
    let (mut markup, mut interpolations) = (String::new(), Vec::new());
    let (mut rest, mut quote, mut is_in_tag) = (template, None, false);
    while let Some(c) = rest.chars().next() {
        if !is_in_tag && let Some(after) = rest.strip_prefix("{{") {
            let (inside, after) =
                after.split_once("}}").unwrap_or_else(|| panic!("an interpolation without end: {rest}"));
            interpolations.push(inside.to_owned());
            markup.push(INTERPOLATION);
            rest = after;
            continue;
        }
        match (c, quote) {
            ('<', None) => is_in_tag = true,
            ('>', None) => is_in_tag = false,
            ('"' | '\'', None) if is_in_tag => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            _ => {}
        }
        markup.push(c);
        rest = &rest[c.len_utf8()..];
    }
    (markup, interpolations)
}

fn expression(text: &str, language: &str, found: &mut jsx::Found) {
    let read = jsx::read(&format!("({text})"), language);
    found.texts.extend(read.texts);
    found.values.extend(read.values);
}
