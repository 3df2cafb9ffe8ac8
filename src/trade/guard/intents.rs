//! The admitted trades: in flight, unresolved or settled.

use crate::amount::Digits;
use crate::api::request::Request;
use crate::error::{FieldCode, FieldError};
use crate::intent::IntentOutcome;
use crate::tape::{ToTape, Writer};
use crate::trade::guard::day::DayNumber;
use crate::trade::guard::latest::Latest;
use crate::trade::guard::worst::Worst;
use crate::trade::intent::{Counted, TradeIntent};
use crate::trade::reconcile::WalletBalances;
use crate::trade::wallets::{wallets, wallets_of};

/// An admitted trade.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intent {
    /// The trade as journals and hooks have it.
    pub trade: TradeIntent,
    /// Mint address of the token.
    pub mint: String,
    /// The wallets that trade, in order, then the fee payer; each of them once.
    pub wallets: Vec<String>,
    /// Lamports that it may take in all: what limits count.
    pub lamports: u128,
    /// The part of them that is the network's fee, which a transaction that fails pays as well.
    pub fee_lamports: u128,
}

impl Intent {
    /// The intent of a request, which may take this at most, unless the trade says what was counted.
    pub fn new(trade: TradeIntent, request: &Request, started_at_ms: u64, worst: Worst) -> Self {
        let Counted { lamports, fees } = trade.counted.unwrap_or_else(|| worst.into());
        Intent {
            trade: TradeIntent { operation: request.operation, started_at_ms, ..trade },
            mint: request.mint.clone(),
            wallets: wallets_of(request).into_iter().map(str::to_owned).collect(),
            lamports,
            fee_lamports: fees.min(lamports),
        }
    }

    /// Lamports that it has not spent once it ended so, without landing: a transaction that failed has paid the network's fee.
    pub(super) fn unspent(&self, outcome: IntentOutcome) -> u128 {
        let paid = if outcome == IntentOutcome::Failed { self.fee_lamports } else { 0 };
        self.lamports - paid
    }

    pub fn id(&self) -> &str {
        &self.trade.intent_id
    }
}

/// As a journal writes it, with what its body says.
impl ToTape for Intent {
    fn write(&self, tape: &mut Writer) {
        let more: [(&str, &dyn ToTape); 3] =
            [("mint", &self.mint), ("wallets", &self.wallets), ("lamports", &self.lamports)];
        self.trade.write_with(&more, tape);
    }
}

/// What is wrong with the balances seen before a trade: the first wallet that does not belong to it. If that were kept, the
/// balance of the real one would be missing later.
pub fn stranger_in(before: &[WalletBalances], request: &Request) -> Option<FieldError> {
    let is_own = |name: &str| wallets(request).any(|(_, wallet)| wallet == name);
    let at = before.iter().position(|balances| !is_own(&balances.wallet))?;
    let field = ["before[", &at.digits(), "].wallet"].concat();
    Some(FieldError::of(&field, FieldCode::Conflict, "is not a wallet of this trade"))
}

/// An intent whose money is reserved.
#[derive(Clone, Debug)]
pub struct Reserved {
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
    pub in_flight: Vec<Reserved>,
    /// Unresolved: of unknown outcome, until they are acknowledged.
    pub unresolved: Vec<Reserved>,
    landed: Latest,
}

impl Intents {
    pub fn is_in_flight(&self, intent_id: &str) -> bool {
        self.in_flight.iter().any(|held| held.intent.id() == intent_id)
    }

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
    pub fn flight(&mut self, ticket: u64) -> Option<&mut Reserved> {
        self.in_flight.iter_mut().find(|held| held.ticket == ticket)
    }

    /// Removes an intent from those in flight.
    pub fn take_flight(&mut self, ticket: u64) -> Option<Reserved> {
        let at = self.in_flight.iter().position(|held| held.ticket == ticket)?;
        Some(self.in_flight.swap_remove(at))
    }

    pub fn unresolved_mut(&mut self, intent_id: &str) -> Option<&mut Reserved> {
        self.unresolved.iter_mut().find(|held| held.intent.id() == intent_id)
    }

    /// Removes an intent from the unresolved ones.
    pub fn take_unresolved(&mut self, intent_id: &str) -> Option<Reserved> {
        let at = self.unresolved.iter().position(|held| held.intent.id() == intent_id)?;
        Some(self.unresolved.remove(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::guard::latest::REMEMBERED;

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
