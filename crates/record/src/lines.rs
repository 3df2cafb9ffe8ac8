//! The lines of a record that comes in pieces.

use launchpad_desk::bindings::drivers::MAX_LINE;

/// Puts pieces of a record together to lines.
#[derive(Default)]
pub(super) struct Lines {
    /// The begin of a line whose end has not come.
    torn: Vec<u8>,
}

impl Lines {
    /// Passes on each line that ends within the next bytes, without its line end.
    pub fn add(&mut self, bytes: &[u8], take: &mut dyn FnMut(&str)) {
        let mut rest = bytes;
        while let Some(at) = rest.iter().position(|byte| *byte == b'\n') {
            let (line, after) = rest.split_at(at);
            rest = after.get(1..).unwrap_or_default();
            if self.torn.is_empty() {
                take(text_of(line));
            } else {
                self.torn.extend_from_slice(line);
                take(text_of(&std::mem::take(&mut self.torn)));
            }
        }
        // The rest of a line that is far longer than any says nothing.
        if self.torn.len() < MAX_LINE {
            self.torn.extend_from_slice(rest);
        }
    }

    /// Passes on a last line that has no line end.
    pub fn end(&mut self, take: &mut dyn FnMut(&str)) {
        if !self.torn.is_empty() {
            take(text_of(&std::mem::take(&mut self.torn)));
        }
    }
}

/// The text of a line. What is no text is none: were a byte replaced, the line could have the hash of another.
fn text_of(line: &[u8]) -> &str {
    std::str::from_utf8(line).unwrap_or_default()
}
