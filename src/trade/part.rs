//! A text within a text. Rust's own search is made for long texts, and its code is larger than all that looks for one here.

/// Where a text has another, which is not empty.
pub(super) fn places(text: &[u8], part: &str) -> impl Iterator<Item = usize> {
    let windows = text.windows(part.len()).enumerate();
    windows.filter(move |(_, window)| *window == part.as_bytes()).map(|(at, _)| at)
}

/// Whether a text has another, which is not empty.
pub fn has_part(text: &str, part: &str) -> bool {
    places(text.as_bytes(), part).next().is_some()
}
