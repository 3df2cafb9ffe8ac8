//! Characters that nobody sees: with one of them, two names that look alike are two names. An id is refused for one, any other text of
//! others is shown with where it is.

/// Whether a character is invisible: of no width, blank, a mark of direction, or one that only says how to show another.
pub fn is_hidden(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffc}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d159}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

/// What is wrong with a name that has one.
pub const HIDDEN: &str = "has an invisible character or a mark of direction in it";

/// A text of others as it is shown: on one line, and of at most `most` characters. What is invisible, turns the line around, or
/// moves the cursor stands there as `\u{fffd}`; only within an emoji it belongs there.
///
/// ```
/// use launchpad_desk_api::bindings::hidden::shown_text;
/// assert_eq!(shown_text("Sim\u{202e}Trader", 64), "Sim\u{fffd}Trader");
/// assert_eq!(shown_text("❤\u{fe0f} a name", 4), "❤\u{fe0f} a…");
/// ```
pub fn shown_text(text: &str, most: usize) -> String {
    let mut before = ' ';
    let mut rest = text.chars();
    let one = |c: char| {
        // At most one of each after a picture: a row of them could be a message to who reads the characters.
        let is_of_emoji = match c {
            '\u{200d}' => before == '\u{fe0f}' || is_picture(before),
            '\u{fe0f}' => is_picture(before),
            _ => false,
        };
        before = if is_harmless(c) || is_of_emoji { c } else { '\u{fffd}' };
        before
    };
    let shown: String = rest.by_ref().take(most).map(one).collect();
    if rest.next().is_some() { shown + "…" } else { shown }
}

/// Whether a character neither hides nor moves what is beside it.
pub fn is_harmless(c: char) -> bool {
    !(c.is_control() || is_hidden(c) || matches!(c, '\u{2028}' | '\u{2029}'))
}

/// Whether a character may be a picture, which a joiner or a selector after it makes another: by its block, because Rust's tables of
/// letters are large.
fn is_picture(c: char) -> bool {
    let is_symbol = matches!(
        c,
        '\u{a9}' | '\u{ae}' | '\u{203c}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
    );
    (is_symbol || matches!(c, '\u{1f000}'..='\u{1faff}')) && is_harmless(c)
}
