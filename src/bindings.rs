//! What the bindings to JS, and this crate's own tests, need besides the public interface: how settings are read, and the types as
//! TypeScript declares them. **Not part of the public interface**: any release may change it.

pub use crate::object;

/// Reads settings.
pub mod reader {
    pub use crate::reader::*;
}

/// Types as TypeScript declares them.
pub mod declaration {
    pub use crate::declaration::*;
}
