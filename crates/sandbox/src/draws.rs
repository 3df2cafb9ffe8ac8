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

    /// An exponential draw with the mean 1, in 65,536ths.
    pub(super) fn exponential(&mut self) -> u64 {
        let bits = self.next() | 1;
        let zeros = bits.leading_zeros();
        // Squaring a number from 1 to 2 doubles its logarithm: each time it passes 2, the logarithm has a further bit.
        let (mut number, mut logarithm) = ((bits << zeros) >> 32, 0);
        for _ in 0..16 {
            number = (number * number) >> 31;
            logarithm <<= 1;
            if number >> 32 > 0 {
                number >>= 1;
                logarithm |= 1;
            }
        }
        let halvings = (u64::from(zeros + 1) << 16) - logarithm;
        (halvings * LN_2) >> 16
    }

    /// A normal draw with the mean 0 and the deviation 1, in 65,536ths: twelve even draws, added up.
    fn normal(&mut self) -> i64 {
        let mut sum = -6 * 65_536;
        for _ in 0..3 {
            let bits = self.next();
            for part in 0..4 {
                sum += ((bits >> (16 * part)) & 0xffff) as i64;
            }
        }
        sum
    }

    /// A log-normal draw around `median`; `doublings` is its deviation in powers of two, in 65,536ths.
    pub(super) fn log_normal(&mut self, median: u64, doublings: u64) -> u64 {
        let exponent = (self.normal() * doublings as i64) >> 16;
        doubled(median, exponent)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// ln 2, in 65,536ths.
const LN_2: u64 = 45_426;

/// A number doubled this many times, in 65,536ths, or halved if that is negative: within 0.3 %, the same on every machine.
pub(super) fn doubled(number: u64, times: i64) -> u64 {
    let (whole, rest) = (times >> 16, (times & 0xffff) as u64);
    let factor = 65_536 + ((rest * (43_027 + ((rest * 22_509) >> 16))) >> 16);
    let number = (u128::from(number) * u128::from(factor)) >> 16;
    match whole {
        0..=60 => u64::try_from(number << whole).unwrap_or(u64::MAX),
        ..0 => (number >> whole.unsigned_abs().min(100)) as u64,
        _ if number == 0 => 0,
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_gaps_have_their_distributions() {
        let mut draws = Draws::of(&["distributions"]);
        let count = 20_000;
        let mut gaps: Vec<u64> = (0..count).map(|_| draws.exponential()).collect();
        gaps.sort_unstable();
        let mean = gaps.iter().sum::<u64>() / count;
        assert!((64_500..66_500).contains(&mean), "{mean}");
        assert!((44_400..46_400).contains(&gaps[10_000]), "the median is ln 2: {}", gaps[10_000]);
        let mut sizes: Vec<u64> = (0..count).map(|_| draws.log_normal(1_000_000, 98_304)).collect();
        sizes.sort_unstable();
        assert!((970_000..1_030_000).contains(&sizes[10_000]), "{}", sizes[10_000]);
        // 84.13 % are below one deviation, which is 1.5 doublings.
        assert!((2_700_000..2_960_000).contains(&sizes[16_826]), "{}", sizes[16_826]);
    }

    #[test]
    fn numbers_are_doubled_and_halved() {
        for (times, result) in [(0, 1_000), (65_536, 2_000), (-65_536, 500), (32_768, 1_414), (-98_304, 353)]
        {
            assert!(doubled(1_000, times).abs_diff(result) <= 4, "{times}: {}", doubled(1_000, times));
        }
        assert_eq!((doubled(3, i64::MIN), doubled(3, i64::MAX), doubled(0, i64::MAX)), (0, u64::MAX, 0));
    }

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
