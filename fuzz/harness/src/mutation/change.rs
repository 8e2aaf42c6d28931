//! Changes of values, keys and branches of a tree.

use super::grammar::Grammar;
use super::token;
use super::tree::Tree;
use crate::random::Random;

/// How deep what is nested on purpose goes: parsers bound their recursion at about a hundred.
const DEEP: usize = 400;

/// Changes a tree in a few places. `others` are trees from which branches are taken.
pub fn mutate_tree(tree: &mut Tree, grammar: &Grammar, others: &[Tree], random: &mut Random) {
    // One change as a rule: two mistakes hide each other.
    let changes = [1, 1, 1, 2, 2, 3, 5][random.below(7)];
    for _ in 0..changes {
        change(tree, grammar, others, random);
    }
}

fn change(tree: &mut Tree, grammar: &Grammar, others: &[Tree], random: &mut Random) {
    let place = random.below(tree.count());
    let Some((found, key)) = tree.find(place) else { return };
    // Numbers are most of a file and most of what goes wrong.
    match (found, random.below(10)) {
        (found, 0) => branch(found, &key, grammar, others, random),
        (Tree::Token(text), _) => *text = token::near(text, random),
        (Tree::Text(text), _) => words(text, random),
        (Tree::List(list), _) => change_list(list, random),
        (Tree::Table(entries), _) => change_table(entries, grammar, random),
    }
}

/// Puts something else in the place of a value.
fn branch(found: &mut Tree, key: &str, grammar: &Grammar, others: &[Tree], random: &mut Random) {
    *found = match random.below(8) {
        0 => Tree::Token(token::extreme(random)),
        1 => Tree::Text(token::name(random)),
        2 => Tree::List(vec![found.clone()]),
        3 => nested(found.clone(), random),
        4 | 5 => match grammar.value(key, random) {
            Some(value) => value,
            None => Tree::Text(format!("{} {}", token::number(random), token::unit(random))),
        },
        _ => {
            let mut other = random.pick(others).clone();
            // The same key of another file, where it has one: then it may even fit.
            let count = other.count();
            let begin = random.below(count);
            let place = (0..count)
                .map(|k| (begin + k) % count)
                .find(|&k| other.find(k).is_some_and(|(_, name)| name == key));
            other.find(place.unwrap_or(begin)).map_or_else(|| found.clone(), |(value, _)| value.clone())
        }
    };
}

fn nested(mut tree: Tree, random: &mut Random) -> Tree {
    let table = random.once_in(2);
    let depth = if random.once_in(4) { DEEP } else { random.below(12) };
    for _ in 0..depth {
        tree = if table { Tree::Table(vec![("parts".to_owned(), tree)]) } else { Tree::List(vec![tree]) };
    }
    tree
}

fn words(text: &mut String, random: &mut Random) {
    match random.below(6) {
        0 => *text = token::name(random),
        1 => *text = format!("{} {}", token::number(random), token::unit(random)),
        2 => *text = format!("{} {}", token::extreme(random), token::unit(random)),
        3 => text.push('\u{0}'),
        // A quantity: its number changes, its unit stays.
        4 => {
            let number = text.split_whitespace().next().unwrap_or_default().to_owned();
            *text = text.replacen(&number, &token::near(&number, random), 1);
        }
        // A word of the scene cut short.
        _ => {
            let length = random.below(text.chars().count() + 1);
            *text = text.chars().take(length).collect();
        }
    }
}

fn change_list(list: &mut Vec<Tree>, random: &mut Random) {
    if list.is_empty() {
        return list.push(Tree::Token(token::number(random)));
    }
    let (k, j) = (random.below(list.len()), random.below(list.len()));
    match random.below(6) {
        0 => drop(list.remove(k)),
        1 => list.insert(j, list[k].clone()),
        2 => list.swap(k, j),
        3 => list.clear(),
        4 => list.push(list[k].clone()),
        // Long enough to show what is not linear, short enough to be a small file.
        _ => {
            let each = list[k].clone();
            let room = 200 / each.count();
            list.extend(std::iter::repeat_n(each, random.below(room + 1)));
        }
    }
}

fn change_table(entries: &mut Vec<(String, Tree)>, grammar: &Grammar, random: &mut Random) {
    let (k, j) = (random.below(entries.len()), random.below(entries.len()));
    match random.below(8) {
        0 if !entries.is_empty() => drop(entries.remove(k)),
        1 if !entries.is_empty() => entries.push(entries[k].clone()),
        // The values of two keys change places.
        2 if k != j => {
            let (low, high) = (k.min(j), k.max(j));
            let (left, right) = entries.split_at_mut(high);
            std::mem::swap(&mut left[low].1, &mut right[0].1);
        }
        3 if !entries.is_empty() => entries[k].0 = token::name(random),
        _ => {
            if let Some(entry) = grammar.addition(entries, random) {
                entries.push(entry);
            }
        }
    }
}
