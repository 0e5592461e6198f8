//! Finds the `@import` rules of a stylesheet.

use cssparser::{ParseError, Parser, Token};
use url::Url;

/// Maximum number of `@import` rules of one stylesheet; the style engine follows no more of a page.
const MAX_IMPORTS: usize = 1_000;
/// Maximum number of bytes of their URLs together, beyond those that the stylesheet itself has: each repeats the base.
const MAX_ADDED_BYTES: usize = 1_000_000;

/// Returns the URLs of the valid `@import` rules: those before any rule other than `@charset` and `@layer` statements.
/// In order, with repetitions, and whatever their conditions, which the style engine evaluates. At most
/// 1,000, and a limited number of bytes.
pub fn imports(css: &str, base: &Url) -> Vec<Url> {
    let mut parser = Parser::new(css);
    let mut found: Vec<Url> = Vec::new();
    let mut bytes_left = css.len() + MAX_ADDED_BYTES;
    loop {
        match next_statement(&mut parser) {
            Statement::Import(_) if found.len() >= MAX_IMPORTS => return found,
            Statement::Import(address) => {
                let url =
                    base.join(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https" | "data"));
                let Some(url) = url.filter(|_| !address.trim().is_empty()) else { continue };
                let Some(left) = bytes_left.checked_sub(url.as_str().len()) else { return found };
                bytes_left = left;
                found.push(url);
            }
            Statement::PassedOver => {}
            Statement::End => return found,
        }
    }
}

enum Statement {
    Import(String),
    /// Does not end the imports.
    PassedOver,
    End,
}

fn next_statement(parser: &mut Parser<'_>) -> Statement {
    let name = match parser.next() {
        Ok(Token::CDO | Token::CDC) => return Statement::PassedOver,
        Ok(Token::AtKeyword(name)) => name.clone(),
        _ => return Statement::End,
    };
    let is_import = name.eq_ignore_ascii_case("import");
    let address =
        if is_import { parser.try_parse(|p| p.expect_url_or_string().map(|url| url.to_string())).ok() } else { None };
    let has_block = finish_at_rule(parser);
    match address {
        // An `@import` with a block, or without URL, is invalid.
        Some(address) if !has_block => Statement::Import(address),
        _ if is_import => Statement::PassedOver,
        _ if name.eq_ignore_ascii_case("charset") => Statement::PassedOver,
        _ if name.eq_ignore_ascii_case("layer") && !has_block => Statement::PassedOver,
        _ => Statement::End,
    }
}

/// Consumes an at-rule; returns true if it ends with a block.
fn finish_at_rule(parser: &mut Parser<'_>) -> bool {
    loop {
        match parser.next() {
            Ok(Token::Semicolon) | Err(_) => return false,
            Ok(Token::CurlyBracketBlock) => {
                // Entering the block makes the parser skip it.
                let _: Result<(), ParseError<()>> = parser.parse_nested_block(|_| Ok(()));
                return true;
            }
            Ok(_) => {}
        }
    }
}
