//! The admitted trades: in flight, unresolved or settled.

use std::fmt;

use crate::amount::Digits;
use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::api::validate::{Rules, Valid, validate};
use crate::error::{Error, FieldCode, FieldError};
use crate::intent::IntentOutcome;
use crate::tape::json;
use crate::tape::{Number, ToTape, Writer};
use crate::trade::guard::day::DayNumber;
use crate::trade::guard::names::Latest;
use crate::trade::guard::worst::{Counted, Worst};
use crate::trade::reconcile::WalletBalances;

/// What is kept of a trade besides its request. An id is enough, but then nobody knows later what was
/// sent. `Debug` shows only the id.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Record {
    /// The id that its caller gave, or a generated one.
    pub intent_id: String,
    /// The exact body.
    pub body: Option<String>,
    /// What its wallets held before it was sent, if the caller said so.
    pub before: Option<Vec<WalletBalances>>,
    /// Whether it went to a gateway.
    pub through_gateway: bool,
    /// What limits have counted for it, if that is known: a journal keeps it. Otherwise it is counted again.
    pub counted: Option<Counted>,
    /// The signature that its service named while its outcome stayed unknown: no other trade has it.
    pub named_signature: Option<String>,
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Record({})", self.intent_id)
    }
}

impl From<&str> for Record {
    fn from(intent_id: &str) -> Self {
        Record { intent_id: intent_id.to_owned(), ..Record::default() }
    }
}

/// An admitted trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// Its id, and what is kept with it.
    pub record: Record,
    /// What is asked for.
    pub operation: Operation,
    /// Mint address of the token.
    pub mint: String,
    /// The wallets that trade, in order, then the fee payer; each of them once.
    pub wallets: Vec<String>,
    /// Lamports that it may take in all: what limits count.
    pub lamports: u128,
    /// The part of them that is the network's fee, which a transaction that fails pays as well.
    pub fee_lamports: u128,
    /// When it was admitted, in milliseconds since 1970. It counts for the day of this time.
    pub started_ms: u64,
}

impl Intent {
    /// The intent of a request, which may take this at most, unless the record says what was counted.
    pub fn new(record: Record, request: &Request, started_ms: u64, worst: Worst) -> Self {
        let Counted { lamports, fees } = record.counted.unwrap_or_else(|| worst.into());
        let mut names: Vec<String> = Vec::new();
        for (_, wallet) in wallets(request) {
            if names.iter().all(|name| name != wallet) {
                names.push(wallet.to_owned());
            }
        }
        Intent {
            record,
            operation: request.operation,
            mint: request.mint.clone(),
            wallets: names,
            lamports,
            fee_lamports: fees.min(lamports),
            started_ms,
        }
    }

    /// Lamports that it has not spent once it ended so, without landing: a transaction that failed has paid the network's fee.
    pub(super) fn unspent(&self, outcome: IntentOutcome) -> u128 {
        let paid = if outcome == IntentOutcome::Failed { self.fee_lamports } else { 0 };
        self.lamports - paid
    }

    /// Its id.
    pub fn id(&self) -> &str {
        &self.record.intent_id
    }

    /// What was asked for, from its body. It was checked when it was sent, by the rules of that time.
    ///
    /// # Errors
    ///
    /// `invalid_request`: there is no body, or one that cannot have been sent.
    pub fn request(&self) -> Result<Valid<Request>, Box<Error>> {
        request_of(self.operation, self.record.body.as_deref().unwrap_or_default())
    }
}

/// As a journal writes it, with what its body says; `before` only if the caller gave it, `throughGateway` only if it is true, `namedSignature`
/// only if there is one.
impl ToTape for Intent {
    fn write(&self, tape: &mut Writer) {
        let Record { intent_id, body, before, through_gateway, counted, named_signature } = &self.record;
        let started_ms = Number(self.started_ms.into());
        let mut fields: Vec<(&str, &dyn ToTape)> = vec![
            ("intentId", intent_id),
            ("operation", &self.operation),
            ("startedAtMs", &started_ms),
            ("body", body),
            ("mint", &self.mint),
            ("wallets", &self.wallets),
            ("lamports", &self.lamports),
        ];
        fields.extend(before.as_ref().map(|before| ("before", before as &dyn ToTape)));
        fields.extend(through_gateway.then_some(("throughGateway", &true as &dyn ToTape)));
        fields.extend(counted.as_ref().map(|counted| ("counted", counted as &dyn ToTape)));
        fields.extend(named_signature.as_ref().map(|named| ("namedSignature", named as &dyn ToTape)));
        tape.object(&mut fields.into_iter());
    }
}

/// The request of a trade that was sent, from its body.
pub fn request_of(operation: Operation, body: &str) -> Result<Valid<Request>, Box<Error>> {
    let body = json::parse(body.as_bytes()).unwrap_or_default();
    validate(operation, body.root(), &Rules::default())
        .map_err(|problems| Box::new(Error::invalid_request(problems)))
}

/// Every wallet of a request with its leg; the fee payer, if one is named, has none.
pub fn wallets(request: &Request) -> impl Iterator<Item = (Option<usize>, &str)> {
    let legs = request.legs.iter().enumerate().map(|(index, leg)| (Some(index), leg.from_wallet.as_str()));
    legs.chain(request.fee_payer.iter().map(|payer| (None, payer.as_str())))
}

/// What is wrong with the balances seen before a trade: the first wallet that does not belong to it. If that were kept, the
/// balance of the real one would be missing later.
pub fn stranger_in(before: &[WalletBalances], request: &Request) -> Option<FieldError> {
    let is_own = |name: &str| wallets(request).any(|(_, wallet)| wallet == name);
    let at = before.iter().position(|balances| !is_own(&balances.wallet))?;
    let field = ["before[", &at.digits(), "].wallet"].concat();
    let message = [&field, " is not a wallet of this trade"].concat();
    Some(FieldError { field, code: FieldCode::Conflict, message })
}

/// An intent whose money is reserved.
#[derive(Clone, Debug)]
pub struct Held {
    /// The caller's ticket while it is in flight.
    pub ticket: u64,
    /// The day that its lamports count for.
    pub day: DayNumber,
    /// What it is about.
    pub intent: Intent,
    /// Whether it was unresolved, and is being asked about again.
    pub is_taken_up: bool,
    /// Whether somebody is recording what happened to it. Meanwhile nobody takes it up.
    pub is_claimed: bool,
}

/// All the intents of a client.
#[derive(Clone, Debug, Default)]
pub struct Intents {
    /// In flight.
    pub in_flight: Vec<Held>,
    /// Unresolved: of unknown outcome, until they are acknowledged.
    pub unresolved: Vec<Held>,
    landed: Latest,
}

impl Intents {
    /// The intent in flight with this id.
    pub fn is_in_flight(&self, intent_id: &str) -> bool {
        self.in_flight.iter().any(|held| held.intent.id() == intent_id)
    }

    /// Whether the intent with this id is unresolved.
    pub fn is_unresolved(&self, intent_id: &str) -> bool {
        self.unresolved.iter().any(|held| held.intent.id() == intent_id)
    }

    /// Whether the intent with this id is unresolved and claimed.
    pub fn is_claimed(&self, intent_id: &str) -> bool {
        self.unresolved.iter().any(|held| held.is_claimed && held.intent.id() == intent_id)
    }

    /// Whether the intent with this id is remembered as landed.
    pub fn has_landed(&self, intent_id: &str) -> bool {
        self.landed.contains(intent_id)
    }

    /// Whether the intent with this id is in flight, unresolved or landed.
    pub fn is_known(&self, intent_id: &str) -> bool {
        self.is_in_flight(intent_id) || self.is_unresolved(intent_id) || self.has_landed(intent_id)
    }

    /// Remembers that the intent with this id has landed.
    pub fn land(&mut self, intent_id: &str) {
        self.landed.insert(intent_id);
    }

    /// Records that the intent with this id has not landed after all.
    pub fn unland(&mut self, intent_id: &str) {
        self.landed.remove(intent_id);
    }

    /// How many trades in flight use the wallet.
    pub fn flights_of(&self, wallet: &str) -> usize {
        self.in_flight.iter().filter(|held| held.intent.wallets.iter().any(|own| own == wallet)).count()
    }

    /// The intent in flight with this ticket.
    pub fn flight(&mut self, ticket: u64) -> Option<&mut Held> {
        self.in_flight.iter_mut().find(|held| held.ticket == ticket)
    }

    /// Removes an intent from those in flight.
    pub fn take_flight(&mut self, ticket: u64) -> Option<Held> {
        let at = self.in_flight.iter().position(|held| held.ticket == ticket)?;
        Some(self.in_flight.swap_remove(at))
    }

    /// The unresolved intent with this id.
    pub fn unresolved_mut(&mut self, intent_id: &str) -> Option<&mut Held> {
        self.unresolved.iter_mut().find(|held| held.intent.id() == intent_id)
    }

    /// Removes an intent from the unresolved ones.
    pub fn take_unresolved(&mut self, intent_id: &str) -> Option<Held> {
        let at = self.unresolved.iter().position(|held| held.intent.id() == intent_id)?;
        Some(self.unresolved.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::guard::names::REMEMBERED;

    #[test]
    fn the_latest_that_landed_are_remembered_and_no_end_of_them_is_not() {
        let mut intents = Intents::default();
        for n in 0..5 * REMEMBERED {
            intents.land(&n.to_string());
            assert!(intents.has_landed(&n.to_string()));
        }
        let remembered = (0..5 * REMEMBERED).filter(|n| intents.has_landed(&n.to_string())).count();
        assert!((REMEMBERED..=2 * REMEMBERED).contains(&remembered), "{remembered}");
        assert!((4 * REMEMBERED..5 * REMEMBERED).all(|n| intents.has_landed(&n.to_string())));
    }
}
