//! A type as TypeScript declares it: `tests/rust/generated` writes `pkg/src/generated.ts` from these.
//!
//! A type that JS sees is declared once, in Rust, by [`record!`], [`settings!`](crate::settings) or `codes!`. Its
//! doc comments become TSDoc.
//!
//! [`record!`]: crate::record

/// A type as TypeScript has it.
#[derive(Clone, Copy, Debug)]
pub struct Declaration {
    /// Its name in TypeScript.
    pub name: &'static str,
    /// Its doc comment, line by line.
    pub doc: &'static [&'static str],
    /// What its values are.
    pub shape: Shape,
}

/// What the values of a type are.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// One of these names, each with its meaning.
    Names(&'static [(&'static str, &'static str)]),
    /// An object of these fields.
    Object(&'static [Property]),
}

/// A field of an object.
#[derive(Clone, Copy, Debug)]
pub struct Property {
    pub name: &'static str,
    /// Its doc comment, line by line.
    pub doc: &'static [&'static str],
    /// Its TypeScript type.
    pub ts: &'static str,
    /// Whether JS may leave it out.
    pub is_optional: bool,
}

/// The lines of a doc comment, from the attributes of what it documents.
#[doc(hidden)]
#[macro_export]
macro_rules! __doc_lines {
    (@ [$($line:literal)*]) => { &[$($line),*] };
    (@ [$($line:literal)*] [doc = $next:literal] $($rest:tt)*) => {
        $crate::__doc_lines!(@ [$($line)* $next] $($rest)*)
    };
    (@ [$($line:literal)*] [$($other:tt)*] $($rest:tt)*) => {
        $crate::__doc_lines!(@ [$($line)*] $($rest)*)
    };
    ($($attrs:tt)*) => { $crate::__doc_lines!(@ [] $($attrs)*) };
}

/// Declares settings that JS gives: each field once, with its meaning, its TypeScript type and, after that,
/// `optional` if JS may leave it out. `as` gives them another name in TypeScript.
#[doc(hidden)]
#[macro_export]
macro_rules! __settings {
    (
        $(#[$($attr:tt)*])*
        $name:ident $(as $ts_name:literal)? {
            $( $(#[$($field_attr:tt)*])* $field:ident : $type:ty => $ts:literal $($optional:ident)? ),* $(,)?
        }
    ) => {
        $(#[$($attr)*])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $(
                $(#[$($field_attr)*])*
                pub $field: $type,
            )*
        }

        impl $name {
            #[doc(hidden)]
            pub const DECLARATION: $crate::bindings::declaration::Declaration = $crate::bindings::declaration::Declaration {
                name: $crate::__codes!(@name $name $($ts_name)?),
                doc: $crate::__doc_lines!($([$($attr)*])*),
                shape: $crate::bindings::declaration::Shape::Object(&[$(
                    $crate::bindings::declaration::Property {
                        name: $crate::__camel_case!(stringify!($field)),
                        doc: $crate::__doc_lines!($([$($field_attr)*])*),
                        ts: $ts,
                        is_optional: !concat!("" $(, stringify!($optional))?).is_empty(),
                    },
                )*]),
            };
        }
    };
}

/// Declares a struct that JS sees, as [`settings!`](crate::settings) does, which is also
/// [`ToTape`](crate::tape::ToTape).
#[doc(hidden)]
#[macro_export]
macro_rules! __record {
    (
        $(#[$($attr:tt)*])*
        $name:ident $(as $ts_name:literal)? {
            $( $(#[$($field_attr:tt)*])* $field:ident : $type:ty => $ts:literal $($optional:ident)? ),* $(,)?
        }
    ) => {
        $crate::__settings! {
            $(#[$($attr)*])*
            $name $(as $ts_name)? { $( $(#[$($field_attr)*])* $field: $type => $ts $($optional)? ),* }
        }
        $crate::__to_tape!($name { $($field),* });
    };
}

pub use {__doc_lines as doc_lines, __record as record, __settings as settings};
