//! From words to operations in postfix order.
//!
//!   sum     = product (("+" | "-") product)*
//!   product = signed (("*" | "/") signed)*
//!   signed  = ("+" | "-") signed | number unit* | power
//!   power   = atom ("^" signed)?
//!   atom    = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
//!
//! Units stand beside their number and bind tighter than a slash: `2 mm/3 s` is (2 mm)/(3 s).

use super::token::{Placed, Token};
use super::{Item, Kind, Mistake, TIME};
use crate::read::unit::{known, scaled};
use rattleback_dynamics::formula::Function;
use std::ops::Range;

/// The deepest nesting of parentheses, signs and powers.
const MAX_DEPTH: usize = 100;

/// A text under way.
pub(super) struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Placed],
    at: usize,
    depth: usize,
    items: Vec<Item>,
    /// Whether `t` is the time and no unit.
    has_time: bool,
}

type Parsed<T> = Result<T, Mistake>;

/// The operations of a text.
pub(super) fn parse(text: &str, tokens: &[Placed], has_time: bool) -> Parsed<Vec<Item>> {
    let mut parser = Parser { text, tokens, at: 0, depth: 0, items: Vec::new(), has_time };
    parser.sum()?;
    match parser.tokens.get(parser.at) {
        None => Ok(parser.items),
        Some((token, span)) => Err(parser.unexpected(*token, span.clone())),
    }
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).map(|(token, _)| *token)
    }

    fn take(&mut self, wanted: Token) -> Option<Range<usize>> {
        let (token, span) = self.tokens.get(self.at)?;
        (*token == wanted).then(|| {
            self.at += 1;
            span.clone()
        })
    }

    /// The name that stands here.
    fn name(&self) -> Option<&'t str> {
        let (token, span) = self.tokens.get(self.at)?;
        (*token == Token::Name).then(|| &self.text[span.clone()])
    }

    /// The unit that stands here, as its factor to SI and its dimension.
    fn unit(&self) -> Option<(f64, [f64; 4])> {
        self.name().filter(|name| !(self.has_time && *name == TIME)).and_then(known)
    }

    fn push(&mut self, kind: Kind, span: Range<usize>) {
        self.items.push(Item { kind, span });
    }

    /// Where the operand that begins at a word ends.
    fn since(&self, first: usize) -> Range<usize> {
        let begin = self.tokens.get(first).map_or(self.text.len(), |(_, span)| span.start);
        let end = self.tokens[..self.at].last().map_or(begin, |(_, span)| span.end);
        begin..end.max(begin)
    }

    /// What stands where an operator or the end is expected.
    fn unexpected(&self, token: Token, span: Range<usize>) -> Mistake {
        let found = &self.text[span.clone()];
        let operand = matches!(token, Token::Number(_) | Token::Name | Token::Open);
        Mistake {
            span,
            message: format!("found `{found}`; expected an operator or the end"),
            help: operand.then(|| "write `*` to multiply".to_owned()),
        }
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            let span = self.since(self.at);
            let message = format!("nested more than {MAX_DEPTH} deep");
            return Err(Mistake { span, message, help: None });
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn sum(&mut self) -> Parsed<()> {
        let first = self.at;
        self.product()?;
        loop {
            let function = match self.peek() {
                Some(Token::Plus) => Function::Add,
                Some(Token::Minus) => Function::Subtract,
                _ => return Ok(()),
            };
            self.at += 1;
            self.product()?;
            self.push(Kind::Call(function), self.since(first));
        }
    }

    fn product(&mut self) -> Parsed<()> {
        let first = self.at;
        self.signed()?;
        loop {
            let function = match self.peek() {
                Some(Token::Times) => Function::Multiply,
                Some(Token::Divide) => Function::Divide,
                _ => return Ok(()),
            };
            self.at += 1;
            self.signed()?;
            self.push(Kind::Call(function), self.since(first));
        }
    }

    fn signed(&mut self) -> Parsed<()> {
        let first = self.at;
        if self.take(Token::Plus).is_some() {
            return self.deeper(Self::signed);
        }
        if self.take(Token::Minus).is_some() {
            self.deeper(Self::signed)?;
            self.push(Kind::Call(Function::Negate), self.since(first));
            return Ok(());
        }
        if matches!(self.peek(), Some(Token::Number(_))) { self.measured() } else { self.power() }
    }

    /// A number and the units beside it.
    fn measured(&mut self) -> Parsed<()> {
        let first = self.at;
        let is_bare = self.tokens.get(first + 1).is_none_or(|(token, _)| *token != Token::Name);
        if is_bare {
            return self.power();
        }
        self.quantity()?;
        while self.unit().is_some() {
            self.power()?;
            self.push(Kind::Call(Function::Multiply), self.since(first));
        }
        Ok(())
    }

    /// A number and the first unit beside it, as text with a unit is read: a power of ten moves the point.
    fn quantity(&mut self) -> Parsed<()> {
        let (first, number) = (self.at, self.tokens[self.at].1.clone());
        let Token::Number(value) = self.tokens[self.at].0 else { return self.power() };
        self.at += 1;
        let Some((factor, dimension)) = self.unit() else {
            self.push(Kind::Number(value), number);
            return Ok(());
        };
        if matches!(self.tokens.get(self.at + 1), Some((Token::Power | Token::Superscript(_), _))) {
            self.push(Kind::Number(value), number);
            self.power()?;
            self.push(Kind::Call(Function::Multiply), self.since(first));
            return Ok(());
        }
        self.at += 1;
        let value = scaled(&self.text[number], value, factor);
        self.push(Kind::Measured(value, dimension), self.since(first));
        Ok(())
    }

    fn power(&mut self) -> Parsed<()> {
        let first = self.at;
        self.atom()?;
        if self.take(Token::Power).is_some() {
            self.deeper(Self::signed)?;
            self.push(Kind::Call(Function::Power), self.since(first));
        } else if let Some((Token::Superscript(power), span)) = self.tokens.get(self.at).cloned() {
            self.at += 1;
            self.push(Kind::Number(f64::from(power)), span);
            self.push(Kind::Call(Function::Power), self.since(first));
        }
        Ok(())
    }

    fn atom(&mut self) -> Parsed<()> {
        let Some((token, span)) = self.tokens.get(self.at).cloned() else {
            let end = self.text.len();
            let message = "it ends where a number, a name or a parenthesis is expected".to_owned();
            return Err(Mistake { span: end.saturating_sub(1)..end, message, help: None });
        };
        self.at += 1;
        match token {
            Token::Number(value) => self.push(Kind::Number(value), span),
            Token::Name if self.peek() == Some(Token::Open) => self.call(span)?,
            Token::Name => self.push(Kind::Name(self.text[span.clone()].to_owned()), span),
            Token::Open => {
                self.deeper(Self::sum)?;
                self.close(span)?;
            }
            _ => {
                let found = &self.text[span.clone()];
                let message = format!("found `{found}`; expected a number, a name or a parenthesis");
                let help = found.starts_with('*').then(|| "write `^` for powers".to_owned());
                return Err(Mistake { span, message, help });
            }
        }
        Ok(())
    }

    /// The end of a parenthesis that was opened at `open`.
    fn close(&mut self, open: Range<usize>) -> Parsed<()> {
        if self.take(Token::Close).is_some() {
            return Ok(());
        }
        match self.tokens.get(self.at).cloned() {
            Some((Token::Comma, span)) => {
                Err(Mistake { span, message: "found `,` outside of a function".to_owned(), help: None })
            }
            Some((token, span)) => Err(self.unexpected(token, span)),
            None => {
                Err(Mistake { span: open, message: "this parenthesis is not closed".to_owned(), help: None })
            }
        }
    }

    fn call(&mut self, name: Range<usize>) -> Parsed<()> {
        let word = &self.text[name.clone()];
        let found = Function::NAMED.iter().find(|(known, _)| *known == word);
        let Some((_, function)) = found else {
            let names = Function::NAMED.map(|(name, _)| name);
            let near = crate::read::nearest(word, &names);
            let message = format!("there is no function `{word}`; expected one of {}", names.join(", "));
            return Err(Mistake {
                span: name,
                message,
                help: near.map(|near| format!("did you mean `{near}`?")),
            });
        };
        let first = self.at - 1;
        let open = self.take(Token::Open).unwrap_or_else(|| name.clone());
        let mut count = 0;
        if self.peek() != Some(Token::Close) {
            loop {
                self.deeper(Self::sum)?;
                count += 1;
                if self.take(Token::Comma).is_none() {
                    break;
                }
            }
        }
        self.close(open)?;
        let span = self.since(first);
        if count != function.arguments() {
            let wanted = function.arguments();
            let message = format!("found {count} arguments of `{word}`; expected {wanted}");
            return Err(Mistake { span, message, help: None });
        }
        self.push(Kind::Call(*function), span);
        Ok(())
    }
}
