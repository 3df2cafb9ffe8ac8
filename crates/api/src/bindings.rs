//! What the project's other crates, the bindings to JS and the tests need besides the public interface: how settings are read, and the
//! types as TypeScript declares them. **Not part of the public interface**: any release may change it, so each of these crates
//! needs the others in its own version.

pub use crate::__debug_text as debug_text;
pub use crate::__error_text as error_text;
pub use crate::__object as object;
pub use crate::declaration::{record, settings};
pub use crate::tape::write::{camel, camel_case, camel_len, object_of, to_tape};
#[cfg(feature = "serde")]
pub use serde;

/// An object of named values, in the order written: `object! { "mint": mint, "tokens": 5u64 }`. An exported macro lies
/// at the root of the crate, whatever module has it: `bindings::object` is the name to use.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    ($($name:literal : $value:expr),* $(,)?) => {
        $crate::bindings::object_of(concat!($($name, ","),*), &[$(&$value as &dyn $crate::tape::ToTape),*])
    };
}

/// The text of an error: `error_text!(UnitError, |_| "not a number with its unit")`.
#[doc(hidden)]
#[macro_export]
macro_rules! __error_text {
    ($type:ty, |$error:pat_param| $text:expr) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $error = self;
                f.write_str($text)
            }
        }

        impl std::error::Error for $type {}
    };
}

/// What `Debug` shows of a type, and nothing else of it: it may hold a key, a header or a body.
/// `debug_text!(Reply, |reply| "Reply({})", reply.status)`; parameters of the type come first, in brackets.
#[doc(hidden)]
#[macro_export]
macro_rules! __debug_text {
    ([$($generics:tt)*] $type:ty, |$own:pat_param| $($text:tt)*) => {
        impl<$($generics)*> std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $own = self;
                write!(f, $($text)*)
            }
        }
    };
    ($type:ty, $($rest:tt)*) => { $crate::__debug_text!([] $type, $($rest)*); };
}

/// Enums with stable names.
pub mod codes {
    pub use crate::codes::*;
}

/// Types as TypeScript declares them.
pub mod declaration {
    pub use crate::declaration::*;
}

/// Characters that nobody sees.
pub mod hidden {
    pub use crate::hidden::*;
}

/// Reads settings.
pub mod reader {
    pub use crate::reader::*;
}

/// Trades, errors and plans through `serde`.
#[cfg(feature = "serde")]
pub mod through_serde {
    pub use crate::plain::through_serde::*;
}

/// Amounts through `serde`.
#[cfg(feature = "serde")]
pub mod serde_forms {
    pub use crate::serde_forms::*;
}
