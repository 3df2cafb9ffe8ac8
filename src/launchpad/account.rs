//! A wallet's token account: its rent, and shares of what it holds.

use crate::amount::{Decimal, Digits, halves};

/// Bytes that the network counts for every account in addition to its data.
pub const ACCOUNT_OVERHEAD_BYTES: u64 = 128;
/// Bytes of a token account of the first token program, whose accounts have no extensions.
pub const TOKEN_ACCOUNT_BYTES: u64 = 165;
/// Bytes of a token account of the newer token program, for the tokens that the launchpad creates: their accounts have an owner that
/// cannot change. A look reads from the mint which program it is.
pub const NEWER_TOKEN_ACCOUNT_BYTES: u64 = 170;

/// An open token account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TokenAccount {
    /// Base units held.
    pub tokens: u64,
    /// Lamports the account itself holds; refunded in full when the wallet closes it.
    pub lamports: u64,
    /// Whether its tokens are frozen: none go out of it or into it.
    pub is_frozen: bool,
    /// Whether only somebody else may close it, such as a service that has paid for it: then no sale closes it, and none is quoted a refund.
    pub stays_open: bool,
}

/// What opening an account of `data_bytes` costs: `(bytes + 128) · lamports per byte`. `None` past 64 bits.
///
/// ```
/// use launchpad_desk::launchpad::account::rent_lamports;
/// assert_eq!(rent_lamports(165, 5_080), Some(1_488_440));
/// assert_eq!(rent_lamports(165, 6_960), Some(2_039_280));
/// ```
pub fn rent_lamports(data_bytes: u64, lamports_per_byte: u64) -> Option<u64> {
    data_bytes.checked_add(ACCOUNT_OVERHEAD_BYTES)?.checked_mul(lamports_per_byte)
}

/// A share of a holding as an exact ratio: more than zero, at most the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    numerator: u128,
    denominator: u128,
}

/// Fraction digits a percentage may have: 10³⁶ times a hundred is the largest power of ten in 127 bits.
const MAX_PERCENT_DECIMALS: usize = 36;

impl Share {
    /// Everything.
    pub const WHOLE: Share = Share { numerator: 1, denominator: 1 };

    /// `numerator / denominator` of the holding. `None` unless 0 < numerator ≤ denominator < 2¹²⁷.
    pub const fn new(numerator: u128, denominator: u128) -> Option<Self> {
        if numerator == 0 || numerator > denominator || denominator >= 1 << 127 {
            return None;
        }
        Some(Share { numerator, denominator })
    }

    /// A percentage in plain digits: `"12.5"` is 125 / 1000.
    ///
    /// `None` for anything but digits with an optional fraction, for zero, for over 100, and for more than
    /// 36 fraction digits.
    ///
    /// ```
    /// use launchpad_desk::launchpad::account::Share;
    /// assert_eq!(Share::of_percent("33.3").unwrap().of(1_000), 333);
    /// assert_eq!(Share::of_percent("100").unwrap().of(u64::MAX), u64::MAX);
    /// assert_eq!(Share::of_percent("100.1"), None);
    /// ```
    pub fn of_percent(percent: &str) -> Option<Self> {
        let (whole, fraction) = halves(percent).unwrap_or((percent, "0"));
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(fraction) || fraction.len() > MAX_PERCENT_DECIMALS {
            return None;
        }
        let mut numerator: u128 = 0;
        for digit in whole.bytes().chain(fraction.bytes()) {
            numerator = numerator.checked_mul(10)?.checked_add(u128::from(digit - b'0'))?;
        }
        let denominator = fraction.bytes().fold(100, |denominator: u128, _| denominator * 10);
        Share::new(numerator, denominator)
    }

    /// This share in percent; `None` if that has more than 36 fraction digits, or infinitely many.
    ///
    /// ```
    /// use launchpad_desk::launchpad::account::Share;
    /// assert_eq!(Share::new(1, 8).unwrap().percent().unwrap().text(), "12.5");
    /// assert_eq!(Share::new(1, 3).unwrap().percent(), None);
    /// ```
    pub fn percent(self) -> Option<Decimal> {
        let mut digits = String::new();
        // Long division of the share itself, whose digits after the point are two more than the percentage's.
        let (whole, mut rest) = (self.numerator / self.denominator, self.numerator % self.denominator);
        digits.push_str(&whole.digits());
        let mut places = 0;
        while rest > 0 {
            if places == MAX_PERCENT_DECIMALS + 2 {
                return None;
            }
            // Ten times the rest, by doubling and adding: the product itself may pass 128 bits.
            let (mut digit, mut tenfold) = (0, 0);
            for more in [rest, 0, rest, 0] {
                digit <<= 1;
                for addend in [tenfold, more] {
                    tenfold += addend;
                    if tenfold >= self.denominator {
                        tenfold -= self.denominator;
                        digit += 1;
                    }
                }
            }
            digits.push_str(&u8::digits(digit));
            rest = tenfold;
            places += 1;
        }
        let digits = digits.parse::<u128>().ok()?;
        Decimal::from_wide_units(digits, places as u8).shift(2).ok()
    }

    /// This share of `held`, floored; the whole is exactly `held`.
    pub fn of(self, held: u64) -> u64 {
        // Long multiplication and division in one, a bit at a time: no product wider than the ratio itself.
        let (mut quotient, mut remainder) = (0u64, 0u128);
        for bit in (0..u64::BITS).rev() {
            quotient <<= 1;
            remainder <<= 1;
            if remainder >= self.denominator {
                remainder -= self.denominator;
                quotient += 1;
            }
            if held >> bit & 1 == 1 {
                remainder += self.numerator;
                if remainder >= self.denominator {
                    remainder -= self.denominator;
                    quotient += 1;
                }
            }
        }
        quotient
    }
}
