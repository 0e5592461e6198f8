//! `@import` rules of a sheet.

use cssparser::{ParseError, Parser, Token};
use url::Url;

/// The addresses of the `@import` rules that count: those before any other rule than `@charset` and `@layer`
/// statements. In order, repeats included. Conditions are the style engine's business: every sheet is wanted.
pub fn imports(css: &str, base: &Url) -> Vec<Url> {
    let mut parser = Parser::new(css);
    let mut found = Vec::new();
    loop {
        match next_statement(&mut parser) {
            Statement::Import(address) => {
                let url =
                    base.join(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https" | "data"));
                found.extend(url.filter(|_| !address.trim().is_empty()));
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
        // An `@import` with a block is no rule at all, and neither is one without address.
        Some(address) if !has_block => Statement::Import(address),
        _ if is_import => Statement::PassedOver,
        _ if name.eq_ignore_ascii_case("charset") => Statement::PassedOver,
        _ if name.eq_ignore_ascii_case("layer") && !has_block => Statement::PassedOver,
        _ => Statement::End,
    }
}

/// Goes past the end of an at-rule; says whether that was a block.
fn finish_at_rule(parser: &mut Parser<'_>) -> bool {
    loop {
        match parser.next() {
            Ok(Token::Semicolon) | Err(_) => return false,
            Ok(Token::CurlyBracketBlock) => {
                // Entering the block is what makes the parser skip it.
                let _: Result<(), ParseError<()>> = parser.parse_nested_block(|_| Ok(()));
                return true;
            }
            Ok(_) => {}
        }
    }
}
