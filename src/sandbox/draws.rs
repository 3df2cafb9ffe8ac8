//! Numbers that look random but are derived from their purpose: there is no stored seed and no clock.

/// A sequence of draws: FNV-1a of some texts, spread by SplitMix64.
pub(super) struct Draws(u64);

impl Draws {
    /// The draws for these texts, the same each time.
    pub(super) fn of(parts: &[&str]) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325;
        for part in parts {
            // 0xff ends each part. UTF-8 never contains it, so "ab", "c" differs from "a", "bc".
            for byte in part.bytes().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Draws(hash)
    }

    /// The next draw, from 0 up to but not including `bound`; 0 for a bound of 0.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_from_the_texts_and_stay_in_bounds() {
        let draw = |parts: &[&str]| {
            let mut draws = Draws::of(parts);
            (0..200).map(|_| draws.below(58)).collect::<Vec<_>>()
        };
        assert_eq!(draw(&["a", "b"]), draw(&["a", "b"]));
        assert_ne!(draw(&["ab", "c"]), draw(&["a", "bc"]));
        assert!(draw(&["a"]).iter().all(|draw| *draw < 58));
        assert!((0..58).all(|digit| (0..9).any(|n: u8| draw(&[&n.to_string()]).contains(&digit))));
        assert_eq!(Draws::of(&[]).below(0), 0);
    }
}
