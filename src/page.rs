//! A web page that came in place of an answer: from a proxy, a firewall, or a provider.

/// The most characters of a title that are kept.
const MOST_TITLE: usize = 80;

/// What to say of a body that is a web page: it comes from a proxy or a firewall, and not from the service.
pub fn page_in(body: &[u8]) -> Option<String> {
    let title = title_of(body)?;
    let title = if title.is_empty() { title } else { [": \"", &title, "\""].concat() };
    Some(["a web page came in place of the answer", &title].concat())
}

/// What a page has near its beginning.
const TAGS: [&[u8]; 5] = [b"<!doctype html", b"<html", b"<head", b"<title", b"<body"];

/// The title of a web page, or the start of it, in one line; empty without one. `None` if it is no page.
pub fn title_of(body: &[u8]) -> Option<String> {
    // Bytes, since searching texts brings kilobytes of the library into each module.
    let text = body.get(..1 << 16).unwrap_or(body);
    if first_of(text) != Some(b'<') {
        return None;
    }
    TAGS.iter().find(|tag| find(text, tag).is_some())?;
    let title = find(text, b"<title").and_then(|at| text.get(at..)?.split(|byte| *byte == b'>').nth(1));
    let title = title.and_then(|title| title.split(|byte| *byte == b'<').next()).unwrap_or_default();
    let mut line = String::new();
    for word in readable(title).split(is_no_letter).filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    Some(line.chars().take(MOST_TITLE).collect())
}

/// The first byte of a body that is neither white space nor of the mark of UTF-8.
pub fn first_of(body: &[u8]) -> Option<u8> {
    let body = body.trim_ascii_start();
    body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body).trim_ascii_start().first().copied()
}

/// The text of a body before its first broken byte.
pub fn readable(body: &[u8]) -> &str {
    match str::from_utf8(body) {
        Ok(text) => text,
        Err(error) => str::from_utf8(body.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default(),
    }
}

/// Where this is in a text, in small or capital letters.
pub fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|part| part.eq_ignore_ascii_case(wanted))
}

/// Whether it separates words, or turns the line around it.
fn is_no_letter(c: char) -> bool {
    let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_whitespace() || c.is_control() || reorders
}
