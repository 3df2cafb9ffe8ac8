//! What the bindings to JS, and this crate's own tests, need besides the public interface: how settings are read, and the types as
//! TypeScript declares them. **Not part of the public interface**: any release may change it.

pub use crate::__object as object;
pub use crate::tape::write::object_of;

/// An object of named values, in the order written: `object! { "mint": mint, "tokens": 5u64 }`. An exported macro lies
/// at the root of the crate, whatever module has it: `bindings::object` is the name to use.
#[doc(hidden)]
#[macro_export]
macro_rules! __object {
    ($($name:literal : $value:expr),* $(,)?) => {
        $crate::bindings::object_of(concat!($($name, ","),*), &[$(&$value as &dyn $crate::tape::ToTape),*])
    };
}

/// Reads settings.
pub mod reader {
    pub use crate::reader::*;
}

/// Types as TypeScript declares them.
pub mod declaration {
    pub use crate::declaration::*;
}
