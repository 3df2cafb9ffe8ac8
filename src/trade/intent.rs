//! A trade that is sent, as everything around it keeps it.

use crate::amount::Digits;
use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::api::validate::{Rules, Valid, validate};
use crate::error::Error;
use crate::reader::Reader;
use crate::tape::{Number, ToTape, Writer, json};
use crate::trade::reconcile::WalletBalances;

/// A trade as journals and hooks get it: everything that is sent except the key. `Debug` leaves its body out.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "camelCase"))]
pub struct TradeIntent {
    /// The trade's id.
    pub intent_id: String,
    /// What is asked for.
    pub operation: Operation,
    /// The exact body.
    pub body: String,
    /// When it was admitted or, if it then waited for over five seconds, sent, in milliseconds since 1970. It counts for the day (UTC) of
    /// this time.
    pub started_at_ms: u64,
    /// What its wallets held before it was sent, if the caller said so.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub before: Option<Vec<WalletBalances>>,
    /// Whether it went to a gateway, which may send it much later: once a person has approved it. Then only that it landed can be
    /// proven from outside.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "std::ops::Not::not"))]
    pub through_gateway: bool,
    /// What limits have counted for it: every client says so.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub counted: Option<Counted>,
    /// The signature that its service named while its outcome stayed unknown: no other trade has it. A journal keeps it from the settlement.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub named_signature: Option<String>,
}

impl TradeIntent {
    /// What was asked for, from the body. It was checked when it was sent, by the rules of that time.
    ///
    /// # Errors
    ///
    /// `invalid_request`: no such body was ever sent.
    pub fn request(&self) -> Result<Valid<Request>, Box<Error>> {
        request_of(self.operation, &self.body)
    }

    /// Reads what [`ToTape`] writes.
    #[doc(hidden)]
    pub fn read(r: &mut Reader) -> TradeIntent {
        let trade = TradeIntent {
            intent_id: r.need_text("intentId"),
            operation: r
                .needed("operation", |r, name| r.choice(name, Operation::NAMED))
                .unwrap_or(Operation::Buy),
            body: r.need_text("body"),
            started_at_ms: r.need("startedAtMs", Reader::whole),
            ..TradeIntent::from("")
        };
        trade.noted(r)
    }

    /// The same trade with what else is noted of it.
    #[doc(hidden)]
    pub fn noted(self, r: &mut Reader) -> TradeIntent {
        TradeIntent {
            before: WalletBalances::read_list(r, "before"),
            through_gateway: r.boolean("throughGateway").unwrap_or(false),
            counted: r.object("counted", Counted::read),
            named_signature: r.text("namedSignature").filter(|named| !named.is_empty()).map(str::to_owned),
            ..self
        }
    }

    /// Writes it with more fields after those that every trade has.
    pub(super) fn write_with(&self, more: &[(&str, &dyn ToTape)], tape: &mut Writer) {
        let started_at_ms = Number(self.started_at_ms.into());
        let mut fields: Vec<(&str, &dyn ToTape)> = vec![
            ("intentId", &self.intent_id),
            ("operation", &self.operation),
            ("startedAtMs", &started_at_ms),
            ("body", &self.body),
        ];
        fields.extend(more);
        fields.extend(self.before.as_ref().map(|before| ("before", before as &dyn ToTape)));
        fields.extend(self.through_gateway.then_some(("throughGateway", &true as &dyn ToTape)));
        fields.extend(self.counted.as_ref().map(|counted| ("counted", counted as &dyn ToTape)));
        fields.extend(self.named_signature.as_ref().map(|named| ("namedSignature", named as &dyn ToTape)));
        tape.object(&mut fields.into_iter());
    }
}

/// A trade of which only the id is known yet: the rest is filled in from its request, once that is admitted.
impl From<&str> for TradeIntent {
    fn from(intent_id: &str) -> Self {
        TradeIntent {
            intent_id: intent_id.to_owned(),
            operation: Operation::Buy,
            body: String::new(),
            started_at_ms: 0,
            before: None,
            through_gateway: false,
            counted: None,
            named_signature: None,
        }
    }
}

impl std::fmt::Debug for TradeIntent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TradeIntent { intent_id, operation, started_at_ms, .. } = self;
        write!(f, "TradeIntent({} {intent_id} at {started_at_ms})", operation.as_str())
    }
}

/// As a journal writes it; `before` only if the caller gave it, `throughGateway` only if it is true, `counted` and `namedSignature` only if they
/// are known.
impl ToTape for TradeIntent {
    fn write(&self, tape: &mut Writer) {
        self.write_with(&[], tape);
    }
}

/// The request of a trade that was sent, from its body.
pub fn request_of(operation: Operation, body: &str) -> Result<Valid<Request>, Box<Error>> {
    let body = json::parse(body.as_bytes()).unwrap_or_default();
    validate(operation, body.root(), &Rules::default())
        .map_err(|problems| Box::new(Error::invalid_request(problems)))
}

/// What limits count for a trade, as journals and plans keep it: as text in JSON, which has no whole numbers of that size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counted {
    /// All of it, in lamports.
    #[cfg_attr(feature = "serde", serde(with = "wide_digits"))]
    pub lamports: u128,
    /// The part of it that a transaction pays even if it fails.
    #[cfg_attr(feature = "serde", serde(with = "wide_digits"))]
    pub fees: u128,
}

#[cfg(feature = "serde")]
mod wide_digits {
    use crate::amount::Digits;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&number.digits())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::custom("is not a whole number of at most 128 bits"))
    }
}

impl ToTape for Counted {
    fn write(&self, tape: &mut Writer) {
        let (lamports, fees) = (self.lamports.digits(), self.fees.digits());
        let fields: [(&str, &dyn ToTape); 2] = [("lamports", &lamports), ("fees", &fees)];
        tape.object(&mut fields.into_iter());
    }
}

impl Counted {
    /// Reads what [`ToTape`] writes.
    #[doc(hidden)]
    pub fn read(r: &mut Reader) -> Counted {
        Counted { lamports: r.need("lamports", Reader::wide), fees: r.need("fees", Reader::wide) }
    }
}
