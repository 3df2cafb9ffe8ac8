//! What the project's other crates, the bindings to JS and the tests need besides the public interface. **Not part of the public
//! interface**: any release may change it.

pub use launchpad_desk_api::bindings::*;
