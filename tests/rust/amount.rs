//! Decimals hold exactly the number that their text says, checked with num-bigint.

use crate::seeded;

use launchpad_desk::amount::{Decimal, DecimalError, ExactText, decimal_text};
use num_bigint::BigUint;
use proptest::prelude::*;

/// A number without sign: its digits times ten to a power.
#[derive(Clone, Debug)]
struct Number {
    digits: BigUint,
    power: i64,
}

impl Number {
    /// The number in a text of digits, a fraction and an exponent.
    fn of(text: &str) -> Number {
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let exponent: i64 = exponent.trim_start_matches('+').parse().unwrap();
        let digits = [whole, fraction].concat().parse().unwrap();
        Number { digits, power: exponent - fraction.len() as i64 }
    }

    /// How many units it is if a whole has this many decimals, and whether there is a remainder.
    fn units(&self, decimals: i64) -> (BigUint, bool) {
        let places = self.power + decimals;
        let ten = BigUint::from(10u8).pow(places.unsigned_abs() as u32);
        if places >= 0 {
            return (&self.digits * ten, false);
        }
        (&self.digits / &ten, &self.digits % &ten != BigUint::ZERO)
    }

    fn plain(&self) -> String {
        let decimals = self.power.min(0).unsigned_abs() as usize;
        let mut text = self.units(decimals as i64).0.to_string();
        if decimals > 0 {
            let padded = "0".repeat((decimals + 1).saturating_sub(text.len())) + &text;
            let (whole, fraction) = padded.split_at(padded.len() - decimals);
            text = format!("{whole}.{fraction}").trim_end_matches('0').trim_end_matches('.').to_owned();
        }
        text
    }
}

/// Numbers of every size around the limits of 64 and 128 bits, written in every way.
fn numbers() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[0-9]{1,12}(\\.[0-9]{1,9})?",
        2 => "0{0,3}[0-9]{15,24}(\\.[0-9]{0,4}0{1,3})?",
        2 => "[0-9]{1,42}(\\.[0-9]{1,42})?",
        2 => "[0-9]{1,20}(\\.[0-9]{1,20})?[eE][+-]?[0-9]{1,2}",
        1 => "0{1,4}(\\.0{1,4})?([eE][+-]?[0-9]{1,5})?",
        1 => (any::<u128>(), 0..4u8).prop_map(|(units, more)| format!("{}{}", units, "0".repeat(more.into()))),
    ]
}

proptest! {
    #![proptest_config(seeded::cases(1_000))]

    #[test]
    fn a_number_is_what_its_text_says(text in numbers()) {
        let number = Number::of(&text);
        let plain = number.plain();
        let read = Decimal::from_number(&text);
        let significant = plain.replace('.', "").trim_start_matches('0').to_owned();
        let fits = significant.parse::<u128>().is_ok() || significant.is_empty();
        match read {
            Ok(read) => {
                prop_assert_eq!(read.text(), plain.clone());
                prop_assert_eq!(read, Decimal::from_number(&plain).unwrap());
                prop_assert_eq!(read.is_integer(), !plain.contains('.'));
                prop_assert_eq!(read.is_zero(), plain == "0");
            }
            Err(error) => {
                prop_assert_eq!(error, DecimalError::TooLarge);
                prop_assert!(!fits || plain.len() > 128, "{} is refused", plain);
            }
        }
        match ExactText::from_number(&text) {
            Ok(exact) => prop_assert_eq!(exact.as_str(), plain),
            Err(error) => {
                prop_assert_eq!(error, DecimalError::TooLarge);
                prop_assert!(plain.len() > 126 || text.len() > 128);
            }
        }
    }

    #[test]
    fn units_are_exact_or_refused(text in numbers(), decimals in 0..20u8) {
        let Ok(read) = Decimal::from_number(&text) else { return Ok(()) };
        let (units, rest) = Number::of(&text).units(decimals.into());
        let exact = if rest { Err(DecimalError::TooPrecise) } else { u64::try_from(&units).map_err(|_| DecimalError::TooLarge) };
        prop_assert_eq!(read.to_units(decimals), exact);
        prop_assert_eq!(read.to_units_floor(decimals).ok(), u64::try_from(&units).ok());
    }

    #[test]
    fn a_shift_moves_the_point(text in numbers(), places in -9..9i32) {
        let Ok(read) = Decimal::from_number(&text) else { return Ok(()) };
        let mut number = Number::of(&text);
        number.power += i64::from(places);
        if let Ok(shifted) = read.shift(places) {
            prop_assert_eq!(shifted.text(), number.plain());
        }
    }

    #[test]
    fn order_is_that_of_the_numbers(one in numbers(), other in numbers()) {
        let (Ok(a), Ok(b)) = (Decimal::from_number(&one), Decimal::from_number(&other)) else { return Ok(()) };
        let of = |text: &str| Number::of(text).units(200).0;
        prop_assert_eq!(a.cmp(&b), of(&one).cmp(&of(&other)));
    }

    #[test]
    fn units_are_written_as_their_decimal(units in prop_oneof![any::<u128>(), (0..40u32).prop_map(|power| 10u128.saturating_pow(power)), (any::<u128>(), 0..128u32).prop_map(|(n, bits)| n >> bits)], decimals in any::<u8>()) {
        let plain = Number { digits: units.into(), power: -i64::from(decimals) }.plain();
        prop_assert_eq!(decimal_text(units, decimals), plain.clone());
        prop_assert_eq!(Decimal::from_wide_units(units, decimals).text(), plain);
    }
}
