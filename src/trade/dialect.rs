//! What one service does where the spec leaves a choice.

use std::borrow::Cow;

use crate::amount::{Digits, MAX_TOKEN_DECIMALS, SlippageUnit};
use crate::api::decode::ReplyNames;
use crate::api::validate::{Identifiers, Rules};
use crate::error::{FieldCode, Outcome};
use crate::object;
use crate::reader::{Reader, set};
use crate::tape::{Data, Tape, ToTape, Writer};
use crate::trade::guard::BuysMayExceed;

/// What the service does where the spec leaves a choice: units, names, the meaning of a status, of a reported failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// What requests are checked against.
    pub rules: Rules,
    /// What the reply's two branded fields are called.
    pub reply_names: ReplyNames,
    /// What a status means with this service, where it differs from the table.
    pub status_policy: Vec<(u16, Outcome)>,
    /// Whether `success: false` alone proves that the transaction failed. By default only the chain's own error proves it, because services
    /// also say it when a confirmation took too long.
    pub trusts_failure: bool,
    /// Whether it may spend more on a buy than `amountInLamports`.
    pub buys_may_exceed: BuysMayExceed,
}

impl Dialect {
    /// Reads the settings that concern the dialect: `slippageUnit`, `identifiers`, `maxBundleSize`,
    /// `tokenDecimals`, `replyNames`, `statusPolicy`, `trustsFailure`, `buysMayExceed`.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader) -> Self {
        let mut dialect = Dialect { rules: Rules::read(reader), ..Dialect::default() };
        if let Some(decimals) = reader.whole_within("tokenDecimals", 0, MAX_TOKEN_DECIMALS.into()) {
            dialect.rules.token_decimals = decimals as u8;
        }
        if let Some(may) = reader.choice("buysMayExceed", BuysMayExceed::NAMED) {
            dialect.buys_may_exceed = may;
        }
        read_status_policy(reader, &mut dialect.status_policy);
        dialect.trusts_failure = reader.boolean("trustsFailure").unwrap_or_default();
        let names = &mut dialect.reply_names;
        reader.within("replyNames", &mut |r| {
            let own = |text: &str| Cow::Owned(text.to_owned());
            set(&mut names.explorer, r.text("explorer").map(own));
            set(&mut names.launchpad, r.text("launchpad").map(own));
        });
        dialect
    }
}

/// As [`Dialect::read`] takes it.
impl ToTape for Dialect {
    fn write(&self, tape: &mut Writer) {
        let Rules { identifiers, max_bundle_size, slippage_unit, token_decimals, .. } = &self.rules;
        let ReplyNames { explorer, launchpad } = &self.reply_names;
        let policy = self.status_policy.iter().map(|(status, outcome)| (status.digits(), *outcome));
        let unit = if *slippage_unit == SlippageUnit::Bps { "bps" } else { "percent" };
        let identifiers = if *identifiers == Identifiers::Base58 { "base58" } else { "any" };
        let fields = object! {
            "slippageUnit": unit,
            "identifiers": identifiers,
            "maxBundleSize": max_bundle_size,
            "tokenDecimals": token_decimals,
            "buysMayExceed": self.buys_may_exceed,
            "replyNames": object! { "explorer": &**explorer, "launchpad": &**launchpad },
            "statusPolicy": Tape::object(&policy.collect::<Vec<_>>()),
            "trustsFailure": self.trusts_failure,
        };
        fields.write(tape);
    }
}

/// Reads `statusPolicy`: statuses other than success, as text, and what each means.
fn read_status_policy(reader: &mut Reader, policy: &mut Vec<(u16, Outcome)>) {
    const NAME: &str = "statusPolicy";
    let Some(given) = reader.value(NAME) else { return };
    let Some(fields) = given.fields() else {
        return reader.refuse(NAME, FieldCode::WrongType, "must be an object");
    };
    for (status, outcome) in fields {
        let number = status.parse::<u16>().ok().filter(|status| (300..=599).contains(status));
        let outcome = match outcome.data() {
            Data::String(word) => Outcome::from_name(word),
            _ => None,
        };
        match (number, outcome) {
            (Some(number), Some(outcome @ (Outcome::Rejected | Outcome::Unknown))) => {
                policy.push((number, outcome))
            }
            _ => {
                let what = "must map a status from 300 to 599 to \"rejected\" or \"unknown\"";
                return reader.refuse(NAME, FieldCode::OutOfRange, what);
            }
        }
    }
}
