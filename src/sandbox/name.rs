//! Names the sandbox makes up: the same for the same past, and never to be taken for real ones.

const BASE58: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/// The address of a wallet's account of a token: `Sim` and 40 digits, the base58 text of 32 bytes.
pub(super) fn token_account_address(wallet: &str, mint: &str) -> String {
    made_up("Sim", &[wallet, mint], 40)
}

/// The signature of a transaction: `SIM` and 85 digits. As base58 has no `I`, no network can have given it.
pub(super) fn signature(transaction: u64, fee_payer: &str, mint: &str) -> String {
    made_up("SIM", &[&transaction.to_string(), fee_payer, mint], 85)
}

fn made_up(prefix: &str, of: &[&str], digits: usize) -> String {
    let mut draws = Draws::of(of);
    let mut name = String::with_capacity(prefix.len() + digits);
    name.push_str(prefix);
    name.extend((0..digits).map(|_| draws.digit()));
    name
}

/// Numbers that look random and follow from a text alone: FNV-1a of the text, spread by SplitMix64.
struct Draws(u64);

impl Draws {
    fn of(parts: &[&str]) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for part in parts {
            // 0xff ends each part: it is no byte of UTF-8, so "ab","c" is not "a","bc".
            for byte in part.bytes().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Draws(hash)
    }

    fn digit(&mut self) -> char {
        let draw = ((self.next() >> 32) * BASE58.len() as u64) >> 32;
        BASE58.get(draw as usize).map_or('1', |digit| char::from(*digit))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
