//! Expressions where they stand in a file: what their names are there, and where their mistakes are.

use super::complaint::Complaint;
use super::expression::{Evaluated, Expression, Mistake, Scope};
use super::reader::{Reader, is_expression};
use super::source_value::{SourceValue, Span, Value};
use super::unit::Measured;

impl Reader {
    /// Says the text that places are in, so that those inside of expressions are found.
    pub(crate) fn set_text(&mut self, text: impl Into<String>) {
        self.text = text.into();
    }

    /// What the names in expressions stand for.
    pub(crate) fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The same, to be changed.
    pub(crate) fn scope_mut(&mut self) -> &mut Scope {
        &mut self.scope
    }

    /// Notes that a loop repeats what stands in a part of the tree.
    pub(crate) fn repeats(&mut self, node: &SourceValue) {
        self.repeated.insert((node.span.start, node.span.end));
        match &node.value {
            Value::Table(entries) => entries.iter().for_each(|(key, node)| {
                self.repeated.insert((key.span.start, key.span.end));
                self.repeats(node);
            }),
            Value::List(list) => list.iter().for_each(|node| self.repeats(node)),
            _ => {}
        }
    }

    /// The value of text that begins with `=`, an expression of parameters; nothing where it is wrong.
    pub(crate) fn evaluate(&mut self, node: &SourceValue, text: &str) -> Option<Measured> {
        let begin = text.find('=').map_or(0, |at| at + 1);
        let value =
            Expression::parse(&text[begin..]).and_then(|expression| expression.value(&self.scope, node.turn));
        value.unwrap_or_else(|mistake| {
            self.refuse_expression(node, text, begin, &mistake);
            None
        })
    }

    /// The formula of text, an expression of parameters and of the time `t`, with or without `=` before it.
    pub(crate) fn formula(&mut self, node: &SourceValue, text: &str) -> Option<Evaluated> {
        let begin = if is_expression(text) { text.find('=').map_or(0, |at| at + 1) } else { 0 };
        let found = Expression::parse_of_time(&text[begin..])
            .and_then(|expression| expression.evaluate(&self.scope, node.turn));
        found.unwrap_or_else(|mistake| {
            self.refuse_expression(node, text, begin, &mistake);
            None
        })
    }

    /// Complains of a mistake in the expression that begins at a byte of a node's text. What is wrong in every turn of
    /// a loop is told of the first.
    pub(crate) fn refuse_expression(
        &mut self,
        node: &SourceValue,
        text: &str,
        begin: usize,
        mistake: &Mistake,
    ) {
        let span = self.place_within(node, text, begin + mistake.span.start..begin + mistake.span.end);
        let known =
            |complaint: &Complaint| complaint.span == span && complaint.message.starts_with(&mistake.message);
        if node.turn > 0 && self.complaints.iter().any(known) {
            return;
        }
        let indices = self.scope.indices(node.turn).iter().map(|(name, value)| format!("{name} = {value}"));
        let turn = indices.collect::<Vec<_>>().join(", ");
        let message = &mistake.message;
        let message = if turn.is_empty() { message.clone() } else { format!("{message} (where {turn})") };
        self.complain(&span, message, mistake.help.clone());
    }

    /// Where a part of a node's text stands; all of the node where the file does not have it letter by letter.
    pub(crate) fn place_within(&self, node: &SourceValue, text: &str, part: Span) -> Span {
        let Some(written) = self.text.get(node.span.clone()) else { return node.span.clone() };
        // Quotation marks, three of them, or three and a line break.
        let quoted = [1, 3, 4, 5].into_iter().find(|&skipped| {
            let marks = if skipped == 1 { 1 } else { 3 };
            written.len() == text.len() + skipped + marks
                && written.get(skipped..skipped + text.len()) == Some(text)
        });
        match quoted {
            Some(skipped) => {
                let begin = node.span.start + skipped;
                // An empty place is shown as one character.
                begin + part.start..begin + part.end.max(part.start + 1).min(text.len() + 1)
            }
            None => node.span.clone(),
        }
    }
}
