//! The API key: what one must be, and a type that shows it nowhere.

use crate::debug_text;
use crate::error::FieldCode;

/// The fewest characters of a key. A shorter one would also be removed from replies where it is ordinary text.
pub const MIN_KEY: usize = 8;

/// An API key. `Debug` does not show it.
///
/// ```
/// use launchpad_desk::trade::Key;
/// assert_eq!(format!("{:?}", Key::new("sk-12345678").unwrap()), "Key");
/// assert_eq!(Key::new("two words").unwrap_err().1, "must be visible ASCII, without white space");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// A key that a header can hold: visible ASCII, at least 8 characters.
    ///
    /// # Errors
    ///
    /// What is wrong with it, in words that follow its name.
    pub fn new(text: impl Into<String>) -> Result<Key, (FieldCode, &'static str)> {
        let text = text.into();
        match key_problem(&text) {
            None => Ok(Key(text)),
            Some(problem) => Err(problem),
        }
    }

    /// The key itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

debug_text!(Key, |_| "Key");

/// What is wrong with a key, in words that follow its name.
pub fn key_problem(key: &str) -> Option<(FieldCode, &'static str)> {
    if key.is_empty() {
        Some((FieldCode::Empty, "is empty"))
    } else if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        Some((FieldCode::WhiteSpace, "must be visible ASCII, without white space"))
    } else if key.len() < MIN_KEY {
        Some((FieldCode::OutOfRange, "must have at least 8 characters"))
    } else {
        None
    }
}
