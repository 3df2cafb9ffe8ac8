//! SHA-256 as `sha256sum` prints it.

use sha2::{Digest, Sha256};

/// A hash of bytes.
pub type Hash = [u8; 32];

/// The plain hash of a text, as `sha256sum` prints it.
pub fn sha256(text: &[u8]) -> Hash {
    Sha256::digest(text).into()
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    let digit = |four: u8| char::from_digit(four.into(), 16).unwrap_or('0');
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

/// Reads bytes from their hexadecimal digits.
pub fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> =
        text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect::<Option<_>>()?;
    let two = |two: &[u8]| Some(two.first()? << 4 | two.get(1)?);
    digits.chunks(2).map(two).collect()
}

/// Reads a hash from its hexadecimal digits.
pub fn from_hex(text: &str) -> Option<Hash> {
    if text.len() == 64 { bytes_of(text)?.try_into().ok() } else { None }
}
