//! Declarations of tables, choices and words: one text from which come the Rust type, its reader and its schema.
//!
//! ```ignore
//! entry! {
//!     /// A ball about the origin.
//!     pub struct SphereSpec {
//!         /// Its radius.
//!         radius: Length,
//!         /// Added all around.
//!         offset: Length = Length(0.0),
//!     }
//! }
//! choice! {
//!     /// A shape by its type.
//!     pub enum ShapeSpec by "type" {
//!         "sphere" => Sphere(SphereSpec),
//!     }
//! }
//! words! {
//!     /// The axes in which a vector is given.
//!     pub enum AxesSpec {
//!         /// The world's.
//!         "world" => World,
//!         /// The body's own.
//!         "body" => Body,
//!     }
//! }
//! ```
//!
//! A key without a default must be there, unless its type says otherwise (`Option`, [`super::Named`]). Every table
//! knows its `place`.

/// A table with given keys.
#[macro_export]
macro_rules! entry {
    (@default) => { None };
    (@default $default:expr) => { Some(|| $default) };
    (
        $(#[doc = $doc:literal])+
        $vis:vis struct $name:ident {
            $( $(#[doc = $meaning:literal])+ $field:ident : $type:ty $(= $default:expr)? ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq)]
        $vis struct $name {
            $( $(#[doc = $meaning])+ pub $field: $type, )*
            /// Where it stands.
            pub place: $crate::read::Place,
        }

        impl $crate::read::Field for $name {
            fn read(node: &$crate::read::SourceValue, reader: &mut $crate::read::Reader) -> Option<Self> {
                <Self as $crate::read::Entry>::read_tagged(node, "", reader)
            }

            fn schema(definitions: &mut $crate::read::Definitions) -> $crate::read::Json {
                definitions.entry::<Self>(stringify!($name))
            }
        }

        impl $crate::read::Entry for $name {
            const MEANING: &'static str = concat!($($doc),+);

            fn read_tagged(
                node: &$crate::read::SourceValue,
                tag: &str,
                reader: &mut $crate::read::Reader,
            ) -> Option<Self> {
                let fields = $crate::read::Fields::of(node, &[$(stringify!($field)),*], tag, reader)?;
                $( let $field: Option<$type> =
                    fields.take(stringify!($field), $crate::read::entry!(@default $($default)?), reader); )*
                let place = fields.place(reader);
                Some(Self { $( $field: $field?, )* place })
            }

            fn properties(definitions: &mut $crate::read::Definitions) -> Vec<$crate::read::Property> {
                vec![$( $crate::read::Property::new::<$type>(
                    stringify!($field),
                    concat!($($meaning),+),
                    $crate::read::entry!(@default $($default)?),
                    definitions,
                ) ),*]
            }
        }
    };
}

/// One of several tables, told apart by the value of a key.
macro_rules! choice {
    (
        $(#[doc = $doc:literal])+
        $vis:vis enum $name:ident by $tag:literal {
            $( $word:literal => $variant:ident($type:ty) ),+ $(,)?
        }
        $( else $more:ident($other:ty) )?
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, PartialEq)]
        $vis enum $name {
            $( #[doc = concat!("`", $tag, " = \"", $word, "\"`.")] $variant($type), )+
            $( /// What an application adds.
            $more($other), )?
        }

        impl $crate::read::Field for $name {
            fn read(node: &$crate::read::SourceValue, reader: &mut $crate::read::Reader) -> Option<Self> {
                let words: &[&str] = &[$($word),+];
                $( let all: Vec<&str> = words.iter().copied().chain(<$other>::words(reader)).collect();
                let words = all.as_slice(); )?
                let word = $crate::read::Fields::tag(node, $tag, words, reader)?;
                match word {
                    $( $word => <$type as $crate::read::Entry>::read_tagged(node, $tag, reader).map(Self::$variant), )+
                    $( _ if <$other>::words(reader).any(|other| other == word) => {
                        <$other>::read_tagged(node, $tag, word, reader).map(Self::$more)
                    } )?
                    _ => None,
                }
            }

            fn schema(definitions: &mut $crate::read::Definitions) -> serde_json::Value {
                definitions.choice(stringify!($name), concat!($($doc),+), |definitions| {
                    #[allow(unused_mut, reason = "only some choices have more")]
                    let mut tables = vec![$( definitions.tagged::<$type>($tag, $word) ),+];
                    $( tables.extend(<$other>::schemas(definitions, $tag)); )?
                    tables
                })
            }
        }
    };
}

/// One of several words.
macro_rules! words {
    (
        $(#[doc = $doc:literal])+
        $vis:vis enum $name:ident {
            $( $(#[doc = $meaning:literal])+ $word:literal => $variant:ident ),+ $(,)?
        }
    ) => {
        $(#[doc = $doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name {
            $( $(#[doc = $meaning])+ $variant, )+
        }

        impl $crate::read::Field for $name {
            fn read(node: &$crate::read::SourceValue, reader: &mut $crate::read::Reader) -> Option<Self> {
                match $crate::read::Fields::word(node, &[$($word),+], reader)? {
                    $( $word => Some(Self::$variant), )+
                    _ => None,
                }
            }

            fn schema(definitions: &mut $crate::read::Definitions) -> serde_json::Value {
                definitions.words(stringify!($name), concat!($($doc),+), &[$( ($word, concat!($($meaning),+)) ),+])
            }
        }
    };
}

pub use entry;
pub(crate) use {choice, words};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use crate::read::{Definitions, Field, Length, Reader, SourceValue};
    use std::path::PathBuf;

    entry! {
        /// A ball.
        pub struct Ball {
            /// Its radius.
            radius: Length,
            /// Added all around.
            offset: Length = Length(0.5),
            /// A remark.
            remark: Option<String>,
        }
    }
    entry! {
        /// A body from a file.
        pub struct Other {
            /// Where it is.
            file: PathBuf,
        }
    }
    choice! {
        /// A thing.
        pub enum Thing by "type" {
            "ball" => Ball(Ball),
            "other" => Other(Other),
        }
    }

    fn read(text: &str) -> (Option<Thing>, Vec<String>) {
        let (node, complaints) = SourceValue::from_toml(text);
        let mut reader = Reader::with(complaints);
        let thing = Thing::read(&node, &mut reader);
        (thing, reader.into_complaints().iter().map(|c| c.sentence()).collect())
    }

    #[test]
    fn a_table_is_read_with_its_defaults() {
        let (thing, complaints) = read("type = \"ball\"\nradius = \"37.5 mm\"\n");
        assert!(complaints.is_empty(), "{complaints:?}");
        let Some(Thing::Ball(ball)) = thing else { panic!("no ball") };
        assert_eq!((ball.radius, ball.offset, ball.remark), (Length(0.0375), Length(0.5), None));
    }

    #[test]
    fn all_mistakes_are_told_at_once() {
        let (thing, complaints) = read("type = \"ball\"\nradus = 1\nremark = 3\n");
        assert!(thing.is_none());
        assert_eq!(
            complaints,
            [
                "missing key `radius`",
                "unknown key `radus`; expected `radius`, `offset` or `remark`",
                "remark: found the number 3; expected text in quotation marks",
            ]
        );
        let (_, complaints) = read("type = \"bal\"\n");
        assert_eq!(complaints, ["type: found the text \"bal\"; expected `ball` or `other`"]);
        let (_, complaints) = read("radius = 1\n");
        assert_eq!(complaints, ["missing key `type`; expected `ball` or `other`"]);
    }

    #[test]
    fn the_schema_comes_from_the_same_lines() {
        let mut definitions = Definitions::default();
        let schema = definitions.document::<Thing>("thing");
        let defs = &schema["$defs"];
        assert_eq!(defs["Thing"]["anyOf"][0]["properties"]["type"]["const"], "ball");
        let ball = &defs["Thing"]["anyOf"][0];
        assert_eq!(ball["required"], serde_json::json!(["type", "radius"]));
        assert_eq!(ball["additionalProperties"], false);
        assert_eq!(ball["properties"]["radius"]["description"], "Its radius.");
    }
}
