//! A web page that came in place of an answer: from a proxy, a firewall, or a provider.

/// The most characters of a title that are kept.
const MOST_TITLE: usize = 80;

/// What to say of a body that is a web page: it comes from a proxy or a firewall, and not from the service.
pub(crate) fn page_in(body: &[u8]) -> Option<String> {
    let title = title_of(body)?;
    let title = if title.is_empty() { title } else { [": \"", &title, "\""].concat() };
    Some(["a web page came in place of the answer", &title].concat())
}

/// The title of a web page, or the start of it, in one line; empty without one. `None` if it is no page.
pub(crate) fn title_of(body: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(body.get(..1 << 16).unwrap_or(body));
    let text = text.trim_start_matches(is_blank);
    if !text.starts_with('<') {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    ["<!doctype html", "<html", "<head", "<title", "<body"].iter().find(|tag| lower.contains(**tag))?;
    let title = lower.find("<title").and_then(|at| Some(at + lower.get(at..)?.find('>')? + 1));
    let title = title.and_then(|from| text.get(from..from + lower.get(from..)?.find('<')?));
    let words: Vec<&str> =
        title.unwrap_or_default().split(is_no_letter).filter(|word| !word.is_empty()).collect();
    Some(words.join(" ").chars().take(MOST_TITLE).collect())
}

/// Whether it may stand before markup: white space, or the mark of UTF-8.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

/// Whether it separates words, or turns the line around it.
fn is_no_letter(c: char) -> bool {
    let reorders = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_whitespace() || c.is_control() || reorders
}
