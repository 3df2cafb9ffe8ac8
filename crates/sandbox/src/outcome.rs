//! Outcomes on demand: a request may ask for its own outcome, as with the test cards of payment services.
//!
//! The name of an outcome goes into the header [`OUTCOME_HEADER`], or after [`OUTCOME_PREFIX`] into `feePayer`, which all six
//! operations have. Then the first wallet of the request pays the network fee.

use super::fault_plan::{Execution, FaultPlan};
use super::faults::{Fault, FaultKind};
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::reader::{nearest, printable};
use launchpad_desk::bindings::record;
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::Refusal;
use launchpad_desk::launchpad::dry_run::OUTCOME_PREFIX;
use launchpad_desk::tape::{Data, Item};

/// The header that names an outcome.
pub const OUTCOME_HEADER: &str = "x-sandbox-outcome";

codes! {
    /// The outcomes that a request to the sandbox may ask for. Append-only.
    #[non_exhaustive]
    SandboxOutcome {
        /// The launchpad decides: there is no other fault, and no rival moves the price in flight.
        Landed = "landed",
        /// The transaction fails: the amount is zero.
        FailedZeroAmount = "failed-zero-amount",
        /// The transaction fails: the curve has no price.
        FailedEmptyCurve = "failed-empty-curve",
        /// The transaction fails: all tokens of the curve are sold.
        FailedCurveComplete = "failed-curve-complete",
        /// The transaction fails: the curve has fewer tokens left than this buys.
        FailedNotEnoughTokensOnCurve = "failed-not-enough-tokens-on-curve",
        /// The transaction fails: the spend is used up by its own fees.
        FailedSpendDoesNotCoverFees = "failed-spend-does-not-cover-fees",
        /// The transaction fails: the price of a buy moved past its slippage.
        FailedBelowMinimumTokens = "failed-below-minimum-tokens",
        /// The transaction fails: the buy costs more than its maximum.
        FailedAboveMaximumCost = "failed-above-maximum-cost",
        /// The transaction fails: the wallet holds fewer tokens than this sells.
        FailedNotEnoughTokensHeld = "failed-not-enough-tokens-held",
        /// The transaction fails: the fees exceed the sale, or the sale exceeds the curve's lamports.
        FailedFeesOrReservesExceeded = "failed-fees-or-reserves-exceeded",
        /// The transaction fails: the price of a sell moved past its slippage.
        FailedBelowMinimumLamports = "failed-below-minimum-lamports",
        /// The transaction fails: the percentage is less than one base unit.
        FailedPercentageSellsNothing = "failed-percentage-sells-nothing",
        /// The transaction fails: a number does not fit into 64 bits.
        FailedOverflow = "failed-overflow",
        /// The transaction fails: the wallet has too few lamports for this trade.
        FailedInsufficientLamports = "failed-insufficient-lamports",
        /// The transaction fails: the wallet has too few lamports for its token account's rent.
        FailedInsufficientLamportsForRent = "failed-insufficient-lamports-for-rent",
        /// The transaction is never processed, and no network fee is charged: the fee payer cannot pay it.
        FailedInsufficientLamportsForNetworkFee = "failed-insufficient-lamports-for-network-fee",
        /// The transaction fails: the wallet's token account is not open.
        FailedTokenAccountNotOpen = "failed-token-account-not-open",
        /// The transaction fails: the token account still holds tokens.
        FailedTokenAccountNotEmpty = "failed-token-account-not-empty",
        /// The transaction fails: the wallet is not part of it.
        FailedUnknownWallet = "failed-unknown-wallet",
        /// The transaction fails: the launchpad has no fee tier.
        FailedNoFeeTier = "failed-no-fee-tier",
        /// The transaction fails: a wallet would be left with less than an empty account's rent.
        FailedBelowRentMinimum = "failed-below-rent-minimum",
        /// The transaction fails: the wallet's token account is frozen.
        FailedTokenAccountFrozen = "failed-token-account-frozen",
        /// The service answers 400. Nothing is executed.
        Rejected400 = "rejected-400",
        /// The service answers 401. Nothing is executed.
        Rejected401 = "rejected-401",
        /// The service answers 403. Nothing is executed.
        Rejected403 = "rejected-403",
        /// The service answers 404. Nothing is executed.
        Rejected404 = "rejected-404",
        /// The service answers 405. Nothing is executed.
        Rejected405 = "rejected-405",
        /// The service answers 413. Nothing is executed.
        Rejected413 = "rejected-413",
        /// The service answers 415. Nothing is executed.
        Rejected415 = "rejected-415",
        /// The service answers 422. Nothing is executed.
        Rejected422 = "rejected-422",
        /// The service answers 429 with `retry-after: 1`. Nothing is executed.
        Rejected429 = "rejected-429",
        /// The service answers 500, although the trade was executed.
        Executed500 = "executed-500",
        /// The service answers 502, although the trade was executed.
        Executed502 = "executed-502",
        /// The service answers 503, although the trade was executed.
        Executed503 = "executed-503",
        /// The service answers 504, although the trade was executed.
        Executed504 = "executed-504",
        /// The service answers 500. Nothing is executed.
        NotExecuted500 = "not-executed-500",
        /// The service answers 502. Nothing is executed.
        NotExecuted502 = "not-executed-502",
        /// The service answers 503. Nothing is executed.
        NotExecuted503 = "not-executed-503",
        /// The service answers 504. Nothing is executed.
        NotExecuted504 = "not-executed-504",
        /// The trade is executed, and the connection ends without an answer.
        ExecutedNoAnswer = "executed-no-answer",
        /// The connection ends without an answer, and nothing is executed.
        NotExecutedNoAnswer = "not-executed-no-answer",
        /// The connection is refused: the service never saw the request.
        ConnectionRefused = "connection-refused",
        /// The trade is executed, and the body of the answer has a byte that is not UTF-8.
        Garbled = "garbled",
        /// The trade is executed, and the connection ends in the middle of the answer's body.
        Truncated = "truncated",
        /// The trade is executed, and its answer begins after `slowMs`.
        Slow = "slow",
        /// The trade is executed, and the body of its answer takes `slowMs` from its first byte to its last.
        SlowBody = "slow-body",
    }
}

record! {
    /// One row of the table of outcomes.
    OutcomeRow {
        /// Its name, as the header takes it.
        outcome: SandboxOutcome => "SandboxOutcome",
        /// The id that asks for it in `feePayer`.
        fee_payer: String => "string",
        /// What happens to the request.
        meaning: &'static str => "string",
    }
}

impl SandboxOutcome {
    /// Every outcome and how to ask for it: the table of `docs/sandbox.md`.
    pub fn table() -> Vec<OutcomeRow> {
        let row = |outcome: SandboxOutcome| OutcomeRow {
            outcome,
            fee_payer: outcome.fee_payer(),
            meaning: outcome.meaning(),
        };
        SandboxOutcome::ALL.into_iter().map(row).collect()
    }

    /// The id that asks for it in `feePayer`.
    pub fn fee_payer(self) -> String {
        [OUTCOME_PREFIX, self.as_str()].concat()
    }

    /// Why the transaction fails, if this outcome makes it fail.
    pub fn refusal(self) -> Option<Refusal> {
        self.fault(0).refusal
    }

    /// What happens to a request that asks for it: its fault, and no rival that trades between quote and execution.
    pub(super) fn plan(self, slow_ms: u32) -> FaultPlan {
        let plan = self.fault(slow_ms).plan();
        let execution = if plan.execution == Execution::Open { Execution::Calm } else { plan.execution };
        FaultPlan { execution, ..plan }
    }

    /// What goes wrong.
    fn fault(self, slow_ms: u32) -> Fault {
        let of = |kind| Fault { kind, ..Fault::default() };
        let fails = |refusal| Fault { refusal: Some(refusal), ..of(FaultKind::TransactionFails) };
        let before = |status| Fault { status, ..of(FaultKind::ErrorBefore) };
        let after = |status| Fault { status, ..of(FaultKind::ErrorAfter) };
        match self {
            SandboxOutcome::Landed => of(FaultKind::None),
            SandboxOutcome::FailedZeroAmount => fails(Refusal::ZeroAmount),
            SandboxOutcome::FailedEmptyCurve => fails(Refusal::EmptyCurve),
            SandboxOutcome::FailedCurveComplete => fails(Refusal::CurveComplete),
            SandboxOutcome::FailedNotEnoughTokensOnCurve => fails(Refusal::NotEnoughTokensOnCurve),
            SandboxOutcome::FailedSpendDoesNotCoverFees => fails(Refusal::SpendDoesNotCoverFees),
            SandboxOutcome::FailedBelowMinimumTokens => fails(Refusal::BelowMinimumTokens),
            SandboxOutcome::FailedAboveMaximumCost => fails(Refusal::AboveMaximumCost),
            SandboxOutcome::FailedNotEnoughTokensHeld => fails(Refusal::NotEnoughTokensHeld),
            SandboxOutcome::FailedFeesOrReservesExceeded => fails(Refusal::FeesOrReservesExceeded),
            SandboxOutcome::FailedBelowMinimumLamports => fails(Refusal::BelowMinimumLamports),
            SandboxOutcome::FailedPercentageSellsNothing => fails(Refusal::PercentageSellsNothing),
            SandboxOutcome::FailedOverflow => fails(Refusal::Overflow),
            SandboxOutcome::FailedInsufficientLamports => fails(Refusal::InsufficientLamports),
            SandboxOutcome::FailedInsufficientLamportsForRent => fails(Refusal::InsufficientLamportsForRent),
            SandboxOutcome::FailedInsufficientLamportsForNetworkFee => {
                fails(Refusal::InsufficientLamportsForNetworkFee)
            }
            SandboxOutcome::FailedTokenAccountNotOpen => fails(Refusal::TokenAccountNotOpen),
            SandboxOutcome::FailedTokenAccountNotEmpty => fails(Refusal::TokenAccountNotEmpty),
            SandboxOutcome::FailedUnknownWallet => fails(Refusal::UnknownWallet),
            SandboxOutcome::FailedNoFeeTier => fails(Refusal::NoFeeTier),
            SandboxOutcome::FailedBelowRentMinimum => fails(Refusal::BelowRentMinimum),
            SandboxOutcome::FailedTokenAccountFrozen => fails(Refusal::TokenAccountFrozen),
            SandboxOutcome::Rejected400 => before(400),
            SandboxOutcome::Rejected401 => before(401),
            SandboxOutcome::Rejected403 => before(403),
            SandboxOutcome::Rejected404 => before(404),
            SandboxOutcome::Rejected405 => before(405),
            SandboxOutcome::Rejected413 => before(413),
            SandboxOutcome::Rejected415 => before(415),
            SandboxOutcome::Rejected422 => before(422),
            SandboxOutcome::Rejected429 => of(FaultKind::RateLimited),
            SandboxOutcome::Executed500 => after(500),
            SandboxOutcome::Executed502 => after(502),
            SandboxOutcome::Executed503 => after(503),
            SandboxOutcome::Executed504 => after(504),
            SandboxOutcome::NotExecuted500 => before(500),
            SandboxOutcome::NotExecuted502 => before(502),
            SandboxOutcome::NotExecuted503 => before(503),
            SandboxOutcome::NotExecuted504 => before(504),
            SandboxOutcome::ExecutedNoAnswer => of(FaultKind::NoAnswer),
            SandboxOutcome::NotExecutedNoAnswer => of(FaultKind::Dropped),
            SandboxOutcome::ConnectionRefused => of(FaultKind::Refused),
            SandboxOutcome::Garbled => of(FaultKind::Garbled),
            SandboxOutcome::Truncated => of(FaultKind::Truncated),
            SandboxOutcome::Slow => Fault { latency_ms: slow_ms, ..of(FaultKind::None) },
            SandboxOutcome::SlowBody => Fault { body_ms: slow_ms, ..of(FaultKind::None) },
        }
    }
}

/// The outcome that a request asks for, in its `feePayer` or in the header. If both do, the field counts.
///
/// # Errors
///
/// There is no outcome of that name.
pub(super) fn asked(header: Option<&str>, body: Option<Item>) -> Result<Option<SandboxOutcome>, FieldError> {
    let payer = match body.and_then(|body| body.get("feePayer")).map(Item::data) {
        Some(Data::String(payer)) => payer.strip_prefix(OUTCOME_PREFIX),
        _ => None,
    };
    match (payer, header) {
        (Some(name), _) => named("feePayer", name).map(Some),
        (None, Some(name)) => named(OUTCOME_HEADER, name).map(Some),
        (None, None) => Ok(None),
    }
}

fn named(field: &str, name: &str) -> Result<SandboxOutcome, FieldError> {
    SandboxOutcome::from_name(name).ok_or_else(|| {
        let near = nearest(name, &SandboxOutcome::ALL.map(SandboxOutcome::as_str));
        let hint = near.map(|near| ["; did you mean ", near, "?"].concat()).unwrap_or_default();
        let message =
            [field, " asks for the outcome ", &printable(name), ", which does not exist", &hint].concat();
        FieldError { field: field.to_owned(), code: FieldCode::OutOfRange, message }
    })
}

#[cfg(test)]
mod tests {
    use super::super::fault_plan::EarlyReply;
    use super::*;

    #[test]
    fn every_reason_for_a_failed_transaction_can_be_asked_for() {
        // Reasons of a plan or a price, and of a transaction that no service makes.
        let ours = [
            Refusal::OutOfReach,
            Refusal::TooManyWallets,
            Refusal::FilledFromPool,
            Refusal::HoldingsUnknown,
            Refusal::TokenAccountStaysOpen,
        ];
        let asked: Vec<Refusal> =
            SandboxOutcome::ALL.into_iter().filter_map(SandboxOutcome::refusal).collect();
        let reasons = Refusal::ALL.into_iter().filter(|refusal| !ours.contains(refusal));
        assert_eq!(asked, reasons.collect::<Vec<_>>());
    }

    #[test]
    fn a_name_says_what_happens() {
        for outcome in SandboxOutcome::ALL {
            let (name, plan) = (outcome.as_str(), outcome.plan(7));
            let executes = plan.early.is_none();
            assert_eq!(
                !executes,
                name.starts_with("rejected")
                    || name.starts_with("not-executed")
                    || name == "connection-refused",
                "{name}"
            );
            assert_eq!(
                matches!(plan.execution, Execution::Fails(Some(_))),
                name.starts_with("failed"),
                "{name}"
            );
            let fails_for =
                outcome.refusal().map(|refusal| ["failed-", refusal.as_str()].concat().replace('_', "-"));
            assert!(fails_for.is_none_or(|named| named == name), "{name}");
            let status = match plan.early {
                Some(EarlyReply::Status(status)) => Some(status),
                Some(EarlyReply::TooMany { .. }) => Some(429),
                None => plan.status_after,
            };
            let named: Option<u16> = name.rsplit_once('-').and_then(|(_, status)| status.parse().ok());
            assert!(named.is_none() || status == named, "{name} answers {status:?}");
            let plain = plan == FaultPlan { execution: Execution::Calm, ..FaultPlan::default() };
            assert_eq!(plain, name == "landed", "{name}");
        }
    }
}
