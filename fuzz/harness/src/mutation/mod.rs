//! How inputs are changed.
//!
//! | file | changes |
//! |---|---|
//! | `tree.rs` | – : the tree of a TOML or JSON file whose numbers are texts, so that it can hold what no number is |
//! | `change.rs` | values, keys and branches of a tree |
//! | `grammar.rs` | – : tables and values grown from a JSON Schema |
//! | `sense.rs` | – : values that make sense under their keys |
//! | `token.rs` | – : numbers, units and names at the edge of what is allowed and beyond |
//! | `bytes.rs` | bytes, whatever they mean |

mod bytes;
mod change;
mod grammar;
mod sense;
mod token;
mod tree;

pub use bytes::{mutate_bytes, mutate_numbers};
pub use change::mutate_tree;
pub use grammar::Grammar;
pub use tree::Tree;
