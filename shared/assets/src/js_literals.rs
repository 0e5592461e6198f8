//! Reads JavaScript and JSON literals without running anything: strings with the names of their
//! members, and object literals as JSON.
//!
//! Pages hold settings as JSON, as JSON with single quotes, and as object literals; the tokens of
//! all three are those of JavaScript.

/// Maximum length of a number, in bytes.
const MAX_NUMBER_BYTES: usize = 400;

/// The subset of JavaScript tokens needed to find members.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum JsToken {
    /// `{`, `[` or `(`.
    Open(char),
    /// `}`, `]` or `)`.
    Close(char),
    Colon,
    Comma,
    /// An identifier or keyword.
    Word(String),
    /// A number as written.
    Number(String),
    /// A string, or a template without substitutions.
    Text(String),
    /// Any other character, or a literal without a constant value.
    Other(char),
}

/// Maximum size of a regular expression, in bytes: each `/` that may begin one is tried.
const MAX_REGULAR_EXPRESSION_BYTES: usize = 1_000;

/// Maximum length of the code in `\u{…}`, in bytes, with the closing brace.
const MAX_CODE_BYTES: usize = 8;

/// Splits source text into tokens; linear in its length.
#[derive(Debug, Clone)]
pub(crate) struct JsLexer<'a> {
    source: &'a str,
    position: usize,
    /// True if a `/` at this position begins a regular expression.
    expects_value: bool,
}

impl<'a> JsLexer<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        Self { source, position: 0, expects_value: true }
    }

    /// Returns the position behind the last token.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    fn rest(&self) -> &'a str {
        &self.source[self.position..]
    }

    /// Returns the next token; `None` at the end.
    pub(crate) fn next_token(&mut self) -> Option<JsToken> {
        self.skip_blank();
        let first = self.rest().chars().next()?;
        let token = match first {
            '"' | '\'' | '`' => self.text(first),
            c if is_identifier_part(c) && !c.is_ascii_digit() => JsToken::Word(self.take_while(is_identifier_part)),
            c if c.is_ascii_digit() || (c == '.' && self.rest()[1..].starts_with(|c: char| c.is_ascii_digit())) => {
                self.number()
            }
            '/' if self.expects_value && self.skip_regular_expression() => JsToken::Other('/'),
            _ => {
                self.position += first.len_utf8();
                match first {
                    '{' | '[' | '(' => JsToken::Open(first),
                    '}' | ']' | ')' => JsToken::Close(first),
                    ':' => JsToken::Colon,
                    ',' => JsToken::Comma,
                    other => JsToken::Other(other),
                }
            }
        };
        self.expects_value = match &token {
            JsToken::Open(_) | JsToken::Colon | JsToken::Comma => true,
            JsToken::Word(word) => matches!(word.as_str(), "return" | "typeof" | "case" | "in" | "of" | "else"),
            JsToken::Other(c) => *c != '/' && *c != '`',
            JsToken::Close(_) | JsToken::Number(_) | JsToken::Text(_) => false,
        };
        Some(token)
    }

    /// Returns true if a colon follows, so that the last token was the name of a member.
    pub(crate) fn is_before_colon(&mut self) -> bool {
        self.skip_blank();
        self.rest().starts_with(':')
    }

    fn take_while(&mut self, is_part: fn(char) -> bool) -> String {
        let rest = self.rest();
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.position += end;
        rest[..end].to_owned()
    }

    fn number(&mut self) -> JsToken {
        let bytes = self.rest().as_bytes();
        let mut end = 0;
        while let Some(byte) = bytes.get(end) {
            let is_exponent_sign =
                matches!(byte, b'+' | b'-') && end > 0 && matches!(bytes[end - 1], b'e' | b'E') && bytes[1] != b'x';
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || is_exponent_sign) {
                break;
            }
            end += 1;
        }
        let number = self.rest()[..end.min(MAX_NUMBER_BYTES)].to_owned();
        self.position += end;
        JsToken::Number(number)
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            let comment = match () {
                () if trimmed.starts_with("//") => trimmed.find('\n'),
                () if trimmed.starts_with("/*") => trimmed[2..].find("*/").map(|at| at + 4),
                () => return,
            };
            self.position += comment.unwrap_or(trimmed.len());
        }
    }

    /// Skips a regular expression; false if the line has none here.
    fn skip_regular_expression(&mut self) -> bool {
        let (mut is_escaped, mut in_class) = (false, false);
        for (at, byte) in self.rest().bytes().enumerate().take(MAX_REGULAR_EXPRESSION_BYTES).skip(1) {
            match byte {
                b'\n' => return false,
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = true,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => {
                    self.position += at + 1;
                    return true;
                }
                _ => {}
            }
        }
        false
    }

    /// Parses a string; a template with a substitution has no constant value.
    fn text(&mut self, quote: char) -> JsToken {
        let start = self.position;
        self.position += quote.len_utf8();
        let mut text = String::new();
        while let Some(letter) = self.rest().chars().next() {
            self.position += letter.len_utf8();
            match letter {
                '\\' => self.escape(&mut text),
                letter if letter == quote => {
                    let is_template = quote == '`' && self.source[start..self.position].contains("${");
                    return if is_template { JsToken::Other('`') } else { JsToken::Text(text) };
                }
                letter => text.push(letter),
            }
        }
        JsToken::Other(quote)
    }

    /// Appends the character that an escape stands for.
    fn escape(&mut self, text: &mut String) {
        let Some(letter) = self.rest().chars().next() else { return };
        self.position += letter.len_utf8();
        match letter {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'v' => text.push('\u{b}'),
            '\n' => {}
            'x' => text.extend(self.hexadecimal(2).and_then(char::from_u32)),
            'u' => text.extend(self.unicode_escape()),
            other => text.push(other),
        }
    }

    fn unicode_escape(&mut self) -> Option<char> {
        if let Some(rest) = self.rest().strip_prefix('{')
            && let Some(length) = rest.bytes().take(MAX_CODE_BYTES).position(|byte| byte == b'}')
        {
            self.position += length + 2;
            return char::from_u32(u32::from_str_radix(&rest[..length], 16).ok()?);
        }
        let unit = self.hexadecimal(4)?;
        let is_high = (0xd800..0xdc00).contains(&unit);
        if !is_high || !self.rest().starts_with("\\u") {
            return char::from_u32(unit);
        }
        self.position += 2;
        let low = self.hexadecimal(4).filter(|low| (0xdc00..0xe000).contains(low))?;
        char::from_u32(0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let number = u32::from_str_radix(self.rest().get(..digits)?, 16).ok()?;
        self.position += digits;
        Some(number)
    }
}

fn is_identifier_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// A string in a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedString {
    /// The name of the member that holds it, in an array that of the array; empty if there is none.
    pub(crate) name: String,
    pub(crate) value: String,
}

/// Returns the strings in a literal, in order. Names of members are not among them.
pub(crate) fn strings(literal: &str) -> Vec<NamedString> {
    let mut reader = StringReader::default();
    let mut lexer = JsLexer::new(literal);
    while let Some(token) = lexer.next_token() {
        reader.token(token, &mut lexer);
    }
    reader.strings
}

/// Returns the strings in the arguments of a call, of which `arguments` begins behind the opening
/// parenthesis.
pub(crate) fn strings_in_arguments(arguments: &str) -> Vec<NamedString> {
    let mut reader = StringReader::default();
    let mut lexer = JsLexer::new(arguments);
    while let Some(token) = lexer.next_token() {
        if matches!(token, JsToken::Close(_)) && reader.open.is_empty() {
            break;
        }
        reader.token(token, &mut lexer);
    }
    reader.strings
}

#[derive(Default)]
struct StringReader {
    /// The name of each open bracket's member, and whether it is an array.
    open: Vec<(String, bool)>,
    name: String,
    strings: Vec<NamedString>,
}

impl StringReader {
    fn token(&mut self, token: JsToken, lexer: &mut JsLexer<'_>) {
        match token {
            JsToken::Open(bracket) => {
                let is_array = bracket == '[';
                self.open.push((self.name.clone(), is_array));
                if !is_array {
                    self.name.clear();
                }
            }
            JsToken::Close(_) => self.name = self.open.pop().map(|(name, _)| name).unwrap_or_default(),
            JsToken::Comma => {
                // Elements of an array share its name.
                let is_array = self.open.last().is_some_and(|(_, is_array)| *is_array);
                self.name = self.open.last().filter(|_| is_array).map(|(name, _)| name.clone()).unwrap_or_default();
            }
            JsToken::Text(text) | JsToken::Word(text) if lexer.is_before_colon() => self.name = text,
            JsToken::Text(value) => self.strings.push(NamedString { name: self.name.clone(), value }),
            _ => {}
        }
    }
}

/// Returns an object or array literal as JSON; `None` if it has anything but constants.
pub(crate) fn to_json(literal: &str) -> Option<String> {
    let mut json = String::with_capacity(literal.len());
    let mut lexer = JsLexer::new(literal);
    let mut depth = 0_usize;
    while let Some(token) = lexer.next_token() {
        match token {
            JsToken::Open('(') | JsToken::Close(')') => return None,
            JsToken::Open(bracket) => {
                depth += 1;
                json.push(bracket);
            }
            JsToken::Close(bracket) => {
                if json.ends_with(',') {
                    json.pop();
                }
                json.push(bracket);
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(json);
                }
            }
            JsToken::Colon => json.push(':'),
            JsToken::Comma => json.push(','),
            JsToken::Text(text) => json.push_str(&serde_json::to_string(&text).ok()?),
            JsToken::Number(number) if lexer.is_before_colon() => json.push_str(&format!("\"{number}\"")),
            JsToken::Number(number) => json.push_str(&json_number(&number)?),
            JsToken::Word(word) if lexer.is_before_colon() => json.push_str(&serde_json::to_string(&word).ok()?),
            JsToken::Word(word) => json.push_str(match word.as_str() {
                "true" => "true",
                "false" => "false",
                "null" | "undefined" | "NaN" => "null",
                _ => return None,
            }),
            // Minifiers write `true` as `!0`.
            JsToken::Other('!') => match lexer.next_token()? {
                JsToken::Number(number) => json.push_str(if number == "0" { "true" } else { "false" }),
                _ => return None,
            },
            JsToken::Other('-') => json.push('-'),
            JsToken::Other(_) => return None,
        }
    }
    None
}

/// Writes a number as JSON, which has no `.5`, `5.` and `05`.
fn json_number(number: &str) -> Option<String> {
    if let Some(digits) = number.strip_prefix("0x").or_else(|| number.strip_prefix("0X")) {
        return Some(u64::from_str_radix(digits, 16).ok()?.to_string());
    }
    let (mantissa, exponent) = match number.find(['e', 'E']) {
        Some(at) => number.split_at(at),
        None => (number, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() { format!("{whole}{exponent}") } else { format!("{whole}.{fraction}{exponent}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pairs(literal: &str) -> Vec<(String, String)> {
        strings(literal).into_iter().map(|string| (string.name, string.value)).collect()
    }

    #[test]
    fn strings_have_the_names_of_their_members() {
        for (literal, expected) in [
            (r#"{"a":"x","b":{"c":"y"},"d":"z"}"#, vec![("a", "x"), ("c", "y"), ("d", "z")]),
            ("{src: 'a b.mp4', n: 1}", vec![("src", "a b.mp4")]),
            (r#"{"urls":["x","y"],"z":"w"}"#, vec![("urls", "x"), ("urls", "y"), ("z", "w")]),
            (r#"["x",{"a":"y"},"z"]"#, vec![("", "x"), ("a", "y"), ("", "z")]),
            (r#"{"a":"It\u0027s \/on\x41\u{42}\ud83d\ude00"}"#, vec![("a", "It's /onAB\u{1f600}")]),
            ("{a: `x`, b: `${x}`, c: /\"/.test(d), e: 'f'}", vec![("a", "x"), ("e", "f")]),
            ("{a: 'x', // 'no'\n /* 'no' */ b: 'y'}", vec![("a", "x"), ("b", "y")]),
            ("{a: 'x", vec![]),
        ] {
            let expected: Vec<(String, String)> =
                expected.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            assert_eq!(pairs(literal), expected, "{literal}");
        }
        let arguments: Vec<String> =
            strings_in_arguments("'a', {b: ['c']}); f('d')").into_iter().map(|string| string.value).collect();
        assert_eq!(arguments, ["a", "c"]);
    }

    #[test]
    fn unfinished_literals_take_bounded_time() {
        for part in ["(/[", "\\u{", "`${", "/*/"] {
            assert!(strings(&format!("{{a:\"{}", part.repeat(300_000))).is_empty(), "{part}");
            assert!(strings(&format!("{{a:{}", part.repeat(300_000))).is_empty(), "{part}");
        }
    }

    #[test]
    fn object_literals_become_json() {
        for (literal, expected) in [
            (
                "{v:'5.7',fr:30,a:[.5,-.25,5.,1e3,0x10],b:!0,c:!1,d:null,'e':{},}",
                Some(r#"{"v":"5.7","fr":30,"a":[0.5,-0.25,5,1e3,16],"b":true,"c":false,"d":null,"e":{}}"#),
            ),
            ("{a:1}; more", Some(r#"{"a":1}"#)),
            ("{a:b}", None),
            ("{a:f(1)}", None),
            ("{a:1", None),
        ] {
            assert_eq!(to_json(literal).as_deref(), expected, "{literal}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_scripts_do_not_panic_the_literal_parser(text in "(?s)([{}\\[\\]():,'\"`/\\\\ux!0-9.e-]|.){0,80}") {
            strings(&text);
            strings_in_arguments(&text);
            to_json(&text);
        }
    }
}
