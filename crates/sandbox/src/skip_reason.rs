//! Why recorded trades are not made.

use launchpad_desk::launchpad::Refusal;
use launchpad_desk::tape::{ToTape, Writer};

/// Why a recorded trade was not made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SkipReason {
    /// The sandbox had no token of that mint when the trade was due.
    NoSuchToken,
    /// The sell brings tokens from outside, and with those the token would have more than its supply.
    AboveSupply,
    /// The launchpad refused it on the curve as it was then.
    Refused(Refusal),
}

impl SkipReason {
    /// The stable name: `no_such_token`, `above_supply`, or the refusal's.
    pub const fn as_str(self) -> &'static str {
        match self {
            SkipReason::NoSuchToken => "no_such_token",
            SkipReason::AboveSupply => "above_supply",
            SkipReason::Refused(refusal) => refusal.as_str(),
        }
    }

    pub fn from_name(name: &str) -> Option<SkipReason> {
        match name {
            "no_such_token" => Some(SkipReason::NoSuchToken),
            "above_supply" => Some(SkipReason::AboveSupply),
            _ => Refusal::from_name(name).map(SkipReason::Refused),
        }
    }
}

impl ToTape for SkipReason {
    fn write(&self, tape: &mut Writer) {
        tape.string(self.as_str());
    }
}

impl From<Refusal> for SkipReason {
    fn from(refusal: Refusal) -> Self {
        SkipReason::Refused(refusal)
    }
}
