//! SHA-256 in the forms that a gateway needs.

use sha2::{Digest, Sha256};

pub use launchpad_desk_record::hash::{Hash, from_hex, hex, sha256};

/// The hash of several texts. Each is preceded by its length, so that no two lists of texts have the same hash.
pub fn hash_of(texts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    }
    hasher.finalize().into()
}

/// The `tokenSha256` of a token: its SHA-256 in hexadecimal.
///
/// ```
/// assert!(launchpad_desk_gateway::token_hash("abc").starts_with("ba7816bf"));
/// ```
pub fn token_hash(token: &str) -> String {
    hex(&sha256(token.as_bytes()))
}

/// Whether two hashes are equal, in constant time.
pub fn is_same(one: &Hash, other: &Hash) -> bool {
    let differs = one.iter().zip(other).fold(0, |differs, (one, other)| differs | (one ^ other));
    std::hint::black_box(differs) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_everybody_else() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hex(&sha256(b"abc")), abc);
        assert_eq!(from_hex(abc), Some(sha256(b"abc")));
        assert_eq!(from_hex(&abc.to_uppercase()), Some(sha256(b"abc")));
        for broken in ["", "ba", &abc[1..], &abc.replace('b', "g"), &"é".repeat(32)] {
            assert_eq!(from_hex(broken), None);
        }
        assert!(is_same(&sha256(b"a"), &sha256(b"a")) && !is_same(&sha256(b"a"), &sha256(b"b")));
        assert_ne!(hash_of(&[b"ab", b"c"]), hash_of(&[b"a", b"bc"]));
    }
}
