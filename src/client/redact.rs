//! A text without the API key, for a service that echoes what it was sent.

/// The text without the secret, in whatever way JSON or a URL spells it.
///
/// ```
/// use launchpad_desk::client::redacted;
/// let clean = redacted(br#"{"message":"bad key \u0073ecret"}"#.to_vec(), b"secret");
/// assert_eq!(clean, br#"{"message":"bad key [redacted]"}"#);
/// ```
pub fn redacted(text: Vec<u8>, secret: &[u8]) -> Vec<u8> {
    if secret.is_empty() {
        return text;
    }
    let mut clean = Vec::with_capacity(text.len());
    let mut rest = text.as_slice();
    while let Some((first, others)) = rest.split_first() {
        match rest.strip_prefix(secret).or_else(|| after_spelling(rest, secret)) {
            Some(after) => {
                clean.extend_from_slice(b"[redacted]");
                rest = after;
            }
            None => {
                clean.push(*first);
                rest = others;
            }
        }
    }
    clean
}

/// What follows `secret` at the start of `json`, each of its bytes plain, after a backslash, as `\u00xx`, or as `%xx`
/// of a URL.
fn after_spelling<'a>(mut json: &'a [u8], secret: &[u8]) -> Option<&'a [u8]> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    for &byte in secret {
        json = match json {
            [b'\\', b'u', b'0', b'0', high, low, rest @ ..] | [b'%', high, low, rest @ ..]
                if digit(*high).zip(digit(*low)) == Some((u32::from(byte >> 4), u32::from(byte & 15))) =>
            {
                rest
            }
            // The three that JSON may put a backslash before, and still mean themselves.
            [b'\\', next @ (b'"' | b'\\' | b'/'), rest @ ..] if *next == byte => rest,
            [next, rest @ ..] if *next == byte => rest,
            _ => return None,
        };
    }
    Some(json)
}
