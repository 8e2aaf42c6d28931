//! The words of an expression.

use super::Mistake;
use crate::read::unit::number_end;
use std::ops::Range;

/// A word of an expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Token {
    Number(f64),
    /// A parameter, a unit, a constant or a function.
    Name,
    Plus,
    Minus,
    Times,
    Divide,
    Power,
    /// A power in small digits above the line, such as ².
    Superscript(i32),
    Open,
    Close,
    Comma,
}

/// A word and where it stands in the text.
pub(super) type Placed = (Token, Range<usize>);

/// The words of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, Mistake> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = next(&text[at..], first).map_err(|mut mistake| {
            mistake.span = at + mistake.span.start..at + mistake.span.end;
            mistake
        })?;
        found.push((token, at..at + length));
        at += length;
    }
    Ok(found)
}

/// The first word of a text that does not begin with a blank, and its length.
fn next(text: &str, first: char) -> Result<(Token, usize), Mistake> {
    let token = match first {
        '+' => Token::Plus,
        '-' | '−' => Token::Minus,
        '*' | '·' | '×' | '⋅' => Token::Times,
        '/' | '÷' => Token::Divide,
        '^' => Token::Power,
        '(' => Token::Open,
        ')' => Token::Close,
        ',' => Token::Comma,
        '0'..='9' | '.' => return number(text),
        _ if digit(first).is_some() || first == '⁻' => return superscript(text),
        _ if begins_name(first) => {
            let end = text.find(|c: char| !continues_name(c)).unwrap_or(text.len());
            return Ok((Token::Name, end));
        }
        _ => {
            let message = format!("found `{first}`; expected a number, a name, an operator or a parenthesis");
            // Powers are written with ^ here.
            let help = text.starts_with("**").then(|| "write `^` for powers".to_owned());
            return Err(Mistake { span: 0..first.len_utf8(), message, help });
        }
    };
    Ok((token, first.len_utf8()))
}

fn number(text: &str) -> Result<(Token, usize), Mistake> {
    let end = number_end(text);
    let number = text[..end].parse::<f64>();
    number.map(|value| (Token::Number(value), end)).map_err(|_| Mistake {
        span: 0..end,
        message: format!("found `{}`, which is no number", &text[..end]),
        help: None,
    })
}

fn superscript(text: &str) -> Result<(Token, usize), Mistake> {
    let end = text.find(|c: char| digit(c).is_none() && c != '⁻').unwrap_or(text.len());
    let (sign, digits) = text[..end].strip_prefix('⁻').map_or((1, &text[..end]), |rest| (-1, rest));
    let value = digits.chars().try_fold(0_i32, |value, c| {
        let digit = digit(c)?;
        value.checked_mul(10)?.checked_add(digit)
    });
    match value.filter(|_| !digits.is_empty()) {
        Some(value) => Ok((Token::Superscript(sign * value), end)),
        None => Err(Mistake {
            span: 0..end,
            message: format!("found `{}`, which is no power", &text[..end]),
            help: None,
        }),
    }
}

/// The value of a small digit above the line.
fn digit(c: char) -> Option<i32> {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|other| other == c).and_then(|value| i32::try_from(value).ok())
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '_' | '°')
}

fn continues_name(c: char) -> bool {
    (c.is_alphanumeric() || c == '_') && digit(c).is_none()
}

/// Whether a text can be the name of a parameter.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| begins_name(c) && c != '°') && text.chars().all(continues_name)
}
