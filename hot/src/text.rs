//! What mints, wallet ids and amounts are made of, eight bytes at a time.

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// Whether `text` is visible ASCII that JSON writes as it is.
pub fn is_plain(text: &[u8]) -> bool {
    let is_odd = |word: u64| {
        let bad =
            word | !above(word, b' ') | above(word, b'~') | !differs(word, b'"') | !differs(word, b'\\');
        bad & HIGHS != 0
    };
    !any_word(text, is_odd)
}

/// Whether `text` is base58 (the Bitcoin alphabet) of exactly 32 bytes.
///
/// The alphabet is in the order of ASCII, so that numbers of as many digits are in the order of their texts: without
/// leading ones, each of which is a leading zero byte, one comparison with 256^31 or 256^32 − 1 judges.
pub fn is_base58_of_32_bytes(text: &[u8]) -> bool {
    const LEAST: &[u8] = b"4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM";
    const GREATEST: &[u8] = b"JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG";
    let is_odd = |word: u64| {
        let small = word | 0x2020_2020_2020_2020;
        let is_letter = above(small, b'a' - 1) & !above(small, b'z');
        let is_digit = above(word, b'0') & !above(word, b'9');
        let is_other = differs(word, b'I') & differs(word, b'O') & differs(word, b'l');
        (word | !((is_letter | is_digit) & is_other)) & HIGHS != 0
    };
    match text {
        [b'1', ..] => (32..=44).contains(&text.len()) && count_to_32_bytes(text),
        // The first digit nearly always says it.
        [first, ..] if text.len() == GREATEST.len() => {
            (*first < b'J' || text <= GREATEST) && !any_word(text, is_odd)
        }
        _ => text.len() == LEAST.len() && text >= LEAST && !any_word(text, is_odd),
    }
}

/// Whether a numeric text is above zero and in its one shortest form.
pub fn is_shortest_amount(text: &[u8]) -> bool {
    let whole = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match text.split_at_checked(whole) {
        None | Some(([], _) | ([b'0'], []) | ([b'0', _, ..], _)) => false,
        Some((_, [])) => true,
        Some((_, [b'.', digits @ .., b'1'..=b'9'])) => digits.iter().all(u8::is_ascii_digit),
        Some(_) => false,
    }
}

/// How many bytes from the start a JSON string holds as they are: up to a quote, a backslash, a control character, or
/// what is not ASCII.
pub fn plain_length(text: &[u8]) -> usize {
    let mut words = text.chunks_exact(8);
    let mut length = 0;
    for word in words.by_ref().filter_map(|word| word.first_chunk()) {
        let ends = ends(u64::from_le_bytes(*word));
        if ends != 0 {
            return length + ends.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let is_plain = |byte: &&u8| matches!(byte, 0x20..=0x7f if !matches!(byte, b'"' | b'\\'));
    length + words.remainder().iter().take_while(is_plain).count()
}

/// Marks the first byte that is not plain, and perhaps some after it.
const fn ends(word: u64) -> u64 {
    let quote = word ^ (b'"' as u64 * ONES);
    let backslash = word ^ (b'\\' as u64 * ONES);
    // A difference that borrows has its highest bit set.
    let below = word.wrapping_sub(0x20 * ONES);
    (word | below | quote.wrapping_sub(ONES) | backslash.wrapping_sub(ONES)) & HIGHS
}

// Eight bytes at a time; the highest bit of each gives the answer, which holds for ASCII.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x80 * ONES;

/// Which bytes are above `bound`.
const fn above(word: u64, bound: u8) -> u64 {
    // What is not ASCII is odd anyway: its highest bit would carry into the next byte's sum.
    (word & !HIGHS) + (0x7f - bound as u64) * ONES
}

/// Which bytes are not `byte`.
const fn differs(word: u64, byte: u8) -> u64 {
    above(word ^ (byte as u64 * ONES), 0)
}

/// Whether any eight bytes are odd. Less than eight are filled up with the first of them.
fn any_word(text: &[u8], is_odd: impl Fn(u64) -> bool) -> bool {
    let Some(last) = text.last_chunk() else {
        let mut word = [text.first().copied().unwrap_or(b'?'); 8];
        word.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
        return is_odd(u64::from_le_bytes(word));
    };
    let mut words = text.chunks_exact(8).filter_map(|word| word.first_chunk());
    is_odd(u64::from_le_bytes(*last)) || words.any(|word| is_odd(u64::from_le_bytes(*word)))
}

/// The same by arithmetic.
fn count_to_32_bytes(text: &[u8]) -> bool {
    let mut bytes = [0u8; 32];
    for byte in text {
        let Some(digit) = ALPHABET.iter().position(|digit| digit == byte) else { return false };
        let mut carry = digit as u32;
        for byte in bytes.iter_mut().rev() {
            carry += u32::from(*byte) * 58;
            *byte = carry as u8;
            carry >>= 8;
        }
        if carry != 0 {
            return false;
        }
    }
    // Each leading zero byte is one leading 1, and no other 1 leads.
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let ones = text.iter().take_while(|digit| **digit == b'1').count();
    zeros == ones
}
