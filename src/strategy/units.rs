//! The units of an exit plan. Each is text that names its unit, so that no number can be taken for another: `"2x"`, `"50%"`.

use crate::amount::{Decimal, Digits, decimal_text};
use crate::error::FieldCode;
use crate::error_text;
use crate::launchpad::div::mul_div_floor;
use crate::reader::Reader;
use crate::tape::{ToTape, Writer};

/// What something is worth, as a multiple of what was paid for it: `"2x"` in JSON, to nine places.
///
/// ```
/// use launchpad_desk::strategy::units::Multiple;
/// assert_eq!("1.5x".parse::<Multiple>().unwrap().billionths(), 1_500_000_000);
/// assert_eq!(Multiple::of(3, 2).to_string(), "1.5x");
/// assert!("1.5".parse::<Multiple>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Multiple(u64);

/// What a multiple is, for who gave something else.
const MULTIPLE: &str = "a multiple of what was paid, as text such as \"2x\"";
/// The same of a part.
const PART: &str = "a percentage, as text such as \"50%\"";

/// Digits after the point of a multiple.
const PLACES: u8 = 9;
const BILLION: u64 = 1_000_000_000;

impl Multiple {
    /// Once what was paid: neither gain nor loss.
    pub const ONE: Multiple = Multiple(BILLION);

    /// The largest that a plan may name: a million times what was paid.
    pub const MOST: Multiple = Multiple(1_000_000 * BILLION);

    /// A multiple of this many billionths.
    pub const fn from_billionths(billionths: u64) -> Self {
        Multiple(billionths)
    }

    /// The multiple in billionths.
    pub const fn billionths(self) -> u64 {
        self.0
    }

    /// What `lamports` are of what was `paid`, rounded down to nine places. What was free has the largest multiple there is.
    pub fn of(lamports: u64, paid: u64) -> Self {
        // Past 64 bits, or a division by zero.
        Multiple(mul_div_floor(lamports, BILLION, paid).unwrap_or(u64::MAX))
    }

    /// This multiple less a part of it, rounded down.
    pub fn less(self, part: Part) -> Self {
        // Never more than this multiple, so that it has 64 bits.
        let kept = mul_div_floor(self.0, (Part::WHOLE.0 - part.0).into(), Part::WHOLE.0.into());
        Multiple(kept.unwrap_or(self.0))
    }

    /// Reads one that must be there.
    pub(super) fn need(reader: &mut Reader, name: &'static str) -> Self {
        let is_there = reader.value(name).is_some();
        let read = |reader: &mut Reader| reader.need(name, Multiple::read);
        if is_there { read(reader) } else { reader.in_unit(name, MULTIPLE, read) }
    }

    /// Reads one of a plan.
    pub(super) fn read(reader: &mut Reader, name: &'static str) -> Option<Self> {
        let multiple: Option<Multiple> = reader.text_of(name, MULTIPLE)?.parse().ok();
        let multiple = multiple.filter(|of| (1..=Multiple::MOST.0).contains(&of.0));
        if multiple.is_none() {
            let what = "must be a multiple of what was paid, such as \"2x\": above 0, at most 1000000x, to nine places";
            reader.refuse(name, FieldCode::OutOfRange, what);
        }
        multiple
    }

    /// Reads one of a state, which may be any.
    pub(super) fn read_any(reader: &mut Reader, name: &'static str) -> Option<Self> {
        let multiple = reader.text(name)?.parse().ok();
        if multiple.is_none() {
            reader.refuse(name, FieldCode::NotANumber, "must be a multiple, such as \"2x\"");
        }
        multiple
    }
}

/// A text that is not a [`Multiple`] or a [`Part`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitError;

error_text!(UnitError, |_| "not a number with its unit");

impl std::str::FromStr for Multiple {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let number = text.strip_suffix('x').ok_or(UnitError)?;
        let number = Decimal::from_plain(number).map_err(|_| UnitError)?;
        number.to_units(PLACES).map(Multiple).map_err(|_| UnitError)
    }
}

/// A number with its unit, as text and in JSON.
macro_rules! written {
    ($name:ident, $places:expr, $unit:literal) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&[&decimal_text(self.0.into(), $places), $unit].concat())
            }
        }

        impl ToTape for $name {
            fn write(&self, tape: &mut Writer) {
                tape.string(&self.to_string());
            }
        }
    };
}
written!(Multiple, PLACES, "x");
written!(Part, 4, "%");

/// A part of a whole: `"50%"` in JSON, to four places.
///
/// ```
/// use launchpad_desk::strategy::units::Part;
/// let third: Part = "33.3333%".parse().unwrap();
/// assert_eq!((third.millionths(), third.of(1_000)), (333_333, 333));
/// assert!("33.33333%".parse::<Part>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Part(u32);

impl Part {
    /// All of it.
    pub const WHOLE: Part = Part(1_000_000);

    /// The part in millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    /// A part of this many millionths; `None` for more than the whole.
    pub const fn from_millionths(millionths: u32) -> Option<Self> {
        if millionths <= Part::WHOLE.0 { Some(Part(millionths)) } else { None }
    }

    /// This part of an amount, rounded down.
    pub fn of(self, amount: u64) -> u64 {
        // Never more than the amount, so that it has 64 bits.
        mul_div_floor(amount, self.0.into(), Part::WHOLE.0.into()).unwrap_or(amount)
    }

    /// Reads one that must be there.
    pub(super) fn need(reader: &mut Reader, name: &'static str, most: Part) -> Self {
        let is_there = reader.value(name).is_some();
        let read = |reader: &mut Reader| reader.need(name, |r, name| Part::read(r, name, most));
        if is_there { read(reader) } else { reader.in_unit(name, PART, read) }
    }

    /// Reads one that is above 0 % and at most `most`.
    pub(super) fn read(reader: &mut Reader, name: &'static str, most: Part) -> Option<Self> {
        let part: Option<Part> = reader.text_of(name, PART)?.parse().ok();
        let part = part.filter(|part| (1..=most.0).contains(&part.0));
        if part.is_none() {
            let bound = if most == Part::WHOLE { "at most" } else { "below" };
            let what = ["must be a percentage, such as \"50%\": above 0%, ", bound, " 100%, to four places"];
            reader.refuse(name, FieldCode::OutOfRange, &what.concat());
        }
        part
    }

    /// The largest part that is not the whole.
    pub(super) const BELOW_WHOLE: Part = Part(999_999);
}

impl std::str::FromStr for Part {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        let number = text.strip_suffix('%').ok_or(UnitError)?;
        let number = Decimal::from_plain(number).map_err(|_| UnitError)?;
        let millionths = number.to_units(4).map_err(|_| UnitError)?;
        u32::try_from(millionths).ok().and_then(Part::from_millionths).ok_or(UnitError)
    }
}

/// Milliseconds, since 1970 or of a time: a number in JS, at most 2^53 - 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Millis(pub u64);

impl Millis {
    /// The most that a JS number holds exactly.
    pub const MOST: u64 = (1 << 53) - 1;

    pub(super) fn read(reader: &mut Reader, name: &'static str) -> Option<Self> {
        reader.whole_within(name, 0, Millis::MOST).map(Millis)
    }
}

impl ToTape for Millis {
    fn write(&self, tape: &mut Writer) {
        tape.number(&self.0.digits());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launchpad::plan::SplitMix64;

    #[test]
    fn a_part_is_the_product_of_128_bits_rounded_down() {
        let mut random = SplitMix64 { state: 27 };
        let whole = u128::from(Part::WHOLE.0);
        for round in 0..20_000 {
            let amount = random.below(u64::MAX) >> (round % 64);
            let part = Part(random.below(1_000_001) as u32);
            for amount in [amount, u64::MAX, u64::MAX - amount] {
                assert_eq!(u128::from(part.of(amount)), u128::from(amount) * u128::from(part.0) / whole);
                let kept = u128::from(amount) * (whole - u128::from(part.0)) / whole;
                assert_eq!(u128::from(Multiple(amount).less(part).0), kept);
            }
        }
    }
}
