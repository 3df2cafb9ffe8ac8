//! A line of the journal: JSON with a checksum, which tells damage from content. `fileJournal` in the npm package writes the
//! same lines.
//!
//! ```text
//! {"crc32":"89abcdef","settle":"…","outcome":"landed"}
//! ```

use launchpad_desk::tape::{Tape, json};

const HEAD: &[u8] = b"{\"crc32\":\"";
const HEAD_END: &[u8] = b"\",";
const DIGITS: usize = 8;

/// For each byte, its part of a CRC-32.
const PARTS: [u32; 256] = {
    let mut parts = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut part, mut bit) = (byte as u32, 0);
        while bit < 8 {
            part = if part & 1 == 1 { (part >> 1) ^ 0xEDB8_8320 } else { part >> 1 };
            bit += 1;
        }
        parts[byte] = part;
        byte += 1;
    }
    parts
};

/// The CRC-32 of bytes, as in zip and PNG.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| (crc >> 8) ^ PARTS[(crc as u8 ^ byte) as usize])
}

/// A line with a checksum, and its line end. It covers all that follows it.
pub(super) fn checked_line(record: &Tape) -> String {
    let text = json::write(record);
    let rest = text.get(1..).unwrap_or_default();
    format!("{{\"crc32\":\"{:08x}\",{rest}\n", crc32(rest.as_bytes()))
}

/// Reads a line without its end.
pub(super) fn read_checked(line: &[u8]) -> Result<Tape, String> {
    let (crc, rest) = parts_of(line).ok_or("it has no checksum")?;
    if format!("{:08x}", crc32(rest)).as_bytes() != crc {
        return Err("its checksum is wrong".to_owned());
    }
    json::parse(&[b"{", rest].concat()).map_err(|_| "it is not JSON".to_owned())
}

/// The checksum of a line, and what it covers.
fn parts_of(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let (crc, rest) = line.strip_prefix(HEAD)?.split_at_checked(DIGITS)?;
    Some((crc, rest.strip_prefix(HEAD_END)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use launchpad_desk::bindings::object;

    #[test]
    fn the_check_value_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926, "as the catalogue of CRCs gives it");
        assert_eq!(crc32(b""), 0);
        assert_eq!(checked_line(&object! { "settle": "é" }), "{\"crc32\":\"a4ee0aa0\",\"settle\":\"é\"}\n");
    }
}
