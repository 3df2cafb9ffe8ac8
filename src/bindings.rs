//! What the project's other crates, the bindings to JS and the tests need besides the public interface. **Not part of the public
//! interface**: any release may change it.

pub use crate::launchpad::rules::days_since_1970;
pub use crate::trade::guard::day::DAY_MS;
pub use crate::trade::guard::ended::{DAY_SLOTS, Forgotten, is_a_day_older, slot_of};
pub use crate::trade::guard::latest::Latest;
pub use crate::trade::key::MIN_KEY;
pub use crate::trade::part::has_part;
pub use launchpad_desk_api::bindings::*;

/// Numbers of drivers in both languages.
pub mod drivers {
    pub use crate::drivers::*;
}

/// When the chain is asked about trades without a call of its own.
pub mod settling {
    pub use crate::trade::settling::*;
}

/// Lines of cells.
pub mod cells {
    pub use crate::typed::cells::*;
}

/// Web pages in place of answers.
pub mod page {
    pub use crate::page::page_in;
}
