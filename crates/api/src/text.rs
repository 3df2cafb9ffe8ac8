//! A text that may be a part of a longer one: what a reply says stays where it stands in the reply.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// A text, or a part of one that it shares with others. It reads as a `str`. As long as it is kept, so is the whole: of a trade, its reply.
/// `to_string` makes a text of its own.
#[derive(Clone, Default)]
pub struct Text {
    whole: Arc<str>,
    start: u32,
    len: u32,
}

impl Text {
    /// The part of a text that is `len` bytes long.
    pub(crate) fn part(whole: &Arc<str>, start: u32, len: u32) -> Text {
        Text { whole: whole.clone(), start, len }
    }

    /// The text that it is a part of.
    pub(crate) fn whole(&self) -> &Arc<str> {
        &self.whole
    }

    /// Where it stands there, and how long it is.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.start, self.len)
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        let start = self.start as usize;
        self.whole.get(start..start.saturating_add(self.len as usize)).unwrap_or_default()
    }
}

impl From<Arc<str>> for Text {
    fn from(whole: Arc<str>) -> Self {
        Text { start: 0, len: whole.len() as u32, whole }
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Arc::<str>::from(text).into()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Arc::<str>::from(text).into()
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Text {}

impl Hash for Text {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
