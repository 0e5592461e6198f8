//! Parses the references in a property value.

use super::url_properties::{ValueCheck, is_layer_keyword};
use cssparser::{ParseError, Parser, Token};

/// A URL as written, with its options in `image-set()`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct RawUrl {
    pub(super) url: String,
    pub(super) descriptor: Option<String>,
    pub(super) media_type: Option<String>,
}

/// A valid value.
#[derive(Debug, Default)]
pub(super) struct ValueUrls {
    pub(super) references: Vec<RawUrl>,
    pub(super) important: bool,
}

/// The reason why a declaration is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InvalidDeclaration {
    /// A `{}` block: this is a nested rule, not a declaration.
    Block,
    /// The value is invalid.
    Invalid,
}

/// Parses a value to its end.
pub(super) fn parse_value(
    parser: &mut Parser<'_>,
    grammar: ValueCheck,
    blocks: bool,
) -> Result<ValueUrls, InvalidDeclaration> {
    let mut reading = ValueReader { grammar, blocks, ..ValueReader::default() };
    reading.read_value(parser)?;
    Ok(ValueUrls { references: reading.references, important: reading.important })
}

/// Skips a value without references of interest.
pub(super) fn skip(parser: &mut Parser<'_>) -> Result<(), InvalidDeclaration> {
    loop {
        match parser.next() {
            Ok(Token::CurlyBracketBlock) => return Err(InvalidDeclaration::Block),
            Ok(_) => {}
            Err(_) => return Ok(()),
        }
    }
}

impl Default for ValueReader {
    fn default() -> Self {
        Self {
            grammar: ValueCheck::Free,
            blocks: false,
            references: Vec::new(),
            important: false,
            substitutes: false,
            layer: LayerState::default(),
            sound: true,
            first_layer: true,
        }
    }
}

struct ValueReader {
    grammar: ValueCheck,
    /// True if `{}` blocks are valid in the value (custom properties).
    blocks: bool,
    references: Vec<RawUrl>,
    important: bool,
    /// True if `var()` or the like makes any value valid at parse time.
    substitutes: bool,
    layer: LayerState,
    sound: bool,
    first_layer: bool,
}

/// The contents of the current layer.
#[derive(Default)]
struct LayerState {
    images: usize,
    none: usize,
    wide_keyword: bool,
    others: usize,
}

impl ValueReader {
    fn read_value(&mut self, parser: &mut Parser<'_>) -> Result<(), InvalidDeclaration> {
        let mut empty = true;
        while let Ok(token) = parser.next() {
            let token = token.clone();
            if self.important {
                return Err(InvalidDeclaration::Invalid);
            }
            empty = false;
            self.top_level(parser, &token)?;
        }
        self.end_layer();
        let kept = self.substitutes || self.blocks || (self.sound && !empty);
        if kept { Ok(()) } else { Err(InvalidDeclaration::Invalid) }
    }

    fn top_level(&mut self, parser: &mut Parser<'_>, token: &Token<'_>) -> Result<(), InvalidDeclaration> {
        match token {
            Token::CurlyBracketBlock if !self.blocks => return Err(InvalidDeclaration::Block),
            Token::CurlyBracketBlock | Token::SquareBracketBlock | Token::ParenthesisBlock => {
                self.layer.others += 1;
                self.nested(parser)?;
            }
            Token::BadUrl(_)
            | Token::BadString(_)
            | Token::CloseParenthesis
            | Token::CloseSquareBracket
            | Token::CloseCurlyBracket => return Err(InvalidDeclaration::Invalid),
            Token::Delim('!') => {
                parser.expect_ident_matching("important").map_err(|_| InvalidDeclaration::Invalid)?;
                self.important = true;
            }
            Token::UnquotedUrl(address) => {
                self.layer.images += 1;
                self.push(address);
            }
            Token::Function(name) => self.top_level_function(parser, name)?,
            Token::Ident(word) => self.keyword(word),
            Token::Comma => self.end_layer(),
            _ => self.layer.others += 1,
        }
        Ok(())
    }

    fn keyword(&mut self, word: &str) {
        let is_wide = |keyword: &&str| keyword.eq_ignore_ascii_case(word);
        if word.eq_ignore_ascii_case("none") {
            self.layer.none += 1;
        } else if ["inherit", "initial", "unset", "revert", "revert-layer"].iter().any(is_wide) {
            self.layer.wide_keyword = true;
        } else {
            self.layer.others += 1;
            self.sound &= self.grammar != ValueCheck::Layers || is_layer_keyword(word);
        }
    }

    fn top_level_function(&mut self, parser: &mut Parser<'_>, name: &str) -> Result<(), InvalidDeclaration> {
        match function(name) {
            Function::Image(_) | Function::Url => self.layer.images += 1,
            Function::Substitution => {}
            Function::Foreign => self.sound = false,
            Function::Other => self.layer.others += 1,
        }
        self.function(parser, name)
    }

    /// Parses the arguments of a function whose name has been read.
    fn function(&mut self, parser: &mut Parser<'_>, name: &str) -> Result<(), InvalidDeclaration> {
        match function(name) {
            Function::Url => self.url_function(parser),
            Function::Image(ImageFunction::Set) => self.image_set(parser),
            Function::Image(ImageFunction::Strings) => self.nested_with_strings(parser),
            Function::Substitution => {
                self.substitutes = true;
                self.nested(parser)
            }
            Function::Image(ImageFunction::Nested) | Function::Foreign | Function::Other => self.nested(parser),
        }
    }

    fn push(&mut self, address: &str) {
        self.references.push(RawUrl { url: address.to_owned(), ..RawUrl::default() });
    }

    /// Parses `url("…")` and `src("…")`.
    fn url_function(&mut self, parser: &mut Parser<'_>) -> Result<(), InvalidDeclaration> {
        parse_block(parser, |parser| {
            if let Ok(address) = parser.expect_string() {
                let address = address.clone();
                self.push(&address);
            }
            Ok(())
        })
    }

    /// Collects references anywhere in a block.
    fn nested(&mut self, parser: &mut Parser<'_>) -> Result<(), InvalidDeclaration> {
        parse_block(parser, |parser| self.arguments(parser, false))
    }

    /// Like [`Self::nested`], but strings are URLs as well.
    fn nested_with_strings(&mut self, parser: &mut Parser<'_>) -> Result<(), InvalidDeclaration> {
        parse_block(parser, |parser| self.arguments(parser, true))
    }

    fn arguments(&mut self, parser: &mut Parser<'_>, strings: bool) -> Result<(), InvalidDeclaration> {
        while let Ok(token) = parser.next() {
            let token = token.clone();
            self.argument(parser, &token, strings)?;
        }
        Ok(())
    }

    fn argument(
        &mut self,
        parser: &mut Parser<'_>,
        token: &Token<'_>,
        strings: bool,
    ) -> Result<(), InvalidDeclaration> {
        match token {
            Token::BadUrl(_) | Token::BadString(_) => return Err(InvalidDeclaration::Invalid),
            Token::UnquotedUrl(address) => self.push(address),
            Token::QuotedString(address) if strings => self.push(address),
            Token::Function(name) => self.function(parser, name)?,
            Token::CurlyBracketBlock | Token::SquareBracketBlock | Token::ParenthesisBlock => self.nested(parser)?,
            _ => {}
        }
        Ok(())
    }

    /// Parses `image-set()` (CSS Images 4): options of an image, followed by a resolution and a
    /// type in any order.
    fn image_set(&mut self, parser: &mut Parser<'_>) -> Result<(), InvalidDeclaration> {
        parse_block(parser, |parser| {
            let mut option = ImageOption::default();
            let mut start = self.references.len();
            while let Ok(token) = parser.next() {
                match token.clone() {
                    Token::Comma => {
                        std::mem::take(&mut option).describe(&mut self.references[start..]);
                        start = self.references.len();
                    }
                    Token::Dimension { value, unit, .. } => option.descriptor = resolution(value, &unit),
                    Token::Function(name) if name.eq_ignore_ascii_case("type") => {
                        option.media_type = type_function(parser)?;
                    }
                    token => self.argument(parser, &token, true)?,
                }
            }
            option.describe(&mut self.references[start..]);
            Ok(())
        })
    }

    fn end_layer(&mut self) {
        let layer = std::mem::take(&mut self.layer);
        let keyword_alone = layer.images + layer.none + layer.others == 0 && self.first_layer;
        self.sound &= match self.grammar {
            ValueCheck::Free => true,
            _ if layer.wide_keyword => keyword_alone,
            ValueCheck::Images => layer.images + layer.none == 1 && layer.others == 0,
            ValueCheck::Layers => layer.images + layer.none <= 1 && layer.images + layer.none + layer.others > 0,
        };
        self.first_layer = false;
    }
}

/// The resolution and type of an option of `image-set()`.
#[derive(Default)]
struct ImageOption {
    descriptor: Option<String>,
    media_type: Option<String>,
}

impl ImageOption {
    /// Applies them to the first references of the option, which has one image.
    fn describe(self, references: &mut [RawUrl]) {
        for reference in references.iter_mut().take(MAX_DESCRIBED_REFERENCES) {
            if self.descriptor.is_some() {
                reference.descriptor.clone_from(&self.descriptor);
            }
            if self.media_type.is_some() {
                reference.media_type.clone_from(&self.media_type);
            }
        }
    }
}

/// Maximum number of references that an option describes: `cross-fade()` has two or three,
/// fallbacks of `var()` some more.
const MAX_DESCRIBED_REFERENCES: usize = 16;
/// Maximum length of a media type, in bytes.
const MAX_TYPE_BYTES: usize = 255;

/// Returns a resolution: `2x`, `192dpi`.
fn resolution(value: f32, unit: &str) -> Option<String> {
    let unit = ["x", "dppx", "dpi", "dpcm"].into_iter().find(|known| known.eq_ignore_ascii_case(unit))?;
    Some(format!("{value}{unit}"))
}

/// Runs `read` on the block that was just opened. A block nested too deeply is skipped.
fn parse_block<'i>(
    parser: &mut Parser<'i>,
    read: impl FnOnce(&mut Parser<'i>) -> Result<(), InvalidDeclaration>,
) -> Result<(), InvalidDeclaration> {
    let mut outcome = Ok(());
    let _: Result<(), ParseError<()>> = parser.parse_nested_block(|parser| {
        outcome = read(parser);
        while parser.next().is_ok() {}
        Ok(())
    });
    outcome
}

fn type_function(parser: &mut Parser<'_>) -> Result<Option<String>, InvalidDeclaration> {
    let mut media_type = None;
    parse_block(parser, |parser| {
        let text = parser.expect_string().ok().filter(|text| text.len() <= MAX_TYPE_BYTES);
        media_type = text.map(|text| text.to_ascii_lowercase());
        Ok(())
    })?;
    Ok(media_type)
}

enum Function {
    Url,
    Image(ImageFunction),
    /// Replaced before the value is parsed.
    Substitution,
    /// A function of another engine, which the supported browsers do not parse.
    Foreign,
    Other,
}

enum ImageFunction {
    Set,
    /// Strings in it are URLs.
    Strings,
    /// May contain images.
    Nested,
}

fn function(name: &str) -> Function {
    if is_foreign(name) {
        return Function::Foreign;
    }
    cssparser::match_ignore_ascii_case! { name,
        "url" | "src" => Function::Url,
        "image-set" | "-webkit-image-set" => Function::Image(ImageFunction::Set),
        "image" => Function::Image(ImageFunction::Strings),
        "cross-fade" | "-webkit-cross-fade" | "element" | "paint" | "-webkit-canvas"
        | "linear-gradient" | "radial-gradient" | "conic-gradient"
        | "repeating-linear-gradient" | "repeating-radial-gradient" | "repeating-conic-gradient"
        | "-webkit-gradient" | "-webkit-linear-gradient" | "-webkit-radial-gradient"
        | "-webkit-repeating-linear-gradient" | "-webkit-repeating-radial-gradient" => {
            Function::Image(ImageFunction::Nested)
        },
        "var" | "env" | "attr" | "if" | "inherit" => Function::Substitution,
        _ => Function::Other,
    }
}

fn is_foreign(name: &str) -> bool {
    let prefixed = |prefix: &&str| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    ["-moz-", "-ms-", "-o-", "-khtml-", "progid", "expression"].iter().any(prefixed)
}
