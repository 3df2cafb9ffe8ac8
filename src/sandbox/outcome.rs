//! Outcomes on demand: a request may ask for its own outcome, as with the test cards of payment services.
//!
//! The name of an outcome goes into the header [`OUTCOME_HEADER`], or after [`OUTCOME_PREFIX`] into `feePayer`, which all six
//! operations have. Then the first wallet of the request pays the network fee.

use super::fault_plan::{Delivery, EarlyReply, Execution, FaultPlan, ReplyCut};
use crate::codes::codes;
use crate::error::{FieldCode, FieldError};
use crate::launchpad::Refusal;
use crate::launchpad::dry_run::OUTCOME_PREFIX;
use crate::reader::{nearest, printable};
use crate::record;
use crate::tape::{Data, Item};

/// The header that names an outcome.
pub const OUTCOME_HEADER: &str = "x-sandbox-outcome";

codes! {
    /// The outcomes that a request to the sandbox may ask for. Append-only.
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
        Refusal::from_name(&self.as_str().strip_prefix("failed-")?.replace('-', "_"))
    }

    /// What happens to a request that asks for it.
    pub(super) fn plan(self, slow_ms: u32) -> FaultPlan {
        let plan = FaultPlan { execution: Execution::Calm, ..FaultPlan::default() };
        let cut = |cut| FaultPlan { delivery: Delivery { cut, ..Delivery::default() }, ..plan };
        let dropped = |to| FaultPlan { early: Some(EarlyReply::Status(503)), ..cut(to) };
        match self {
            SandboxOutcome::ExecutedNoAnswer => cut(ReplyCut::BeforeReply),
            SandboxOutcome::NotExecutedNoAnswer => dropped(ReplyCut::BeforeReply),
            SandboxOutcome::ConnectionRefused => dropped(ReplyCut::NoConnection),
            SandboxOutcome::Truncated => cut(ReplyCut::WithinBody),
            SandboxOutcome::Garbled => FaultPlan { is_garbled: true, ..plan },
            SandboxOutcome::Slow => {
                FaultPlan { delivery: Delivery { latency_ms: slow_ms, ..Delivery::default() }, ..plan }
            }
            SandboxOutcome::SlowBody => {
                FaultPlan { delivery: Delivery { body_ms: slow_ms, ..Delivery::default() }, ..plan }
            }
            _ => match (self.refusal(), self.status()) {
                (Some(refusal), _) => FaultPlan { execution: Execution::Fails(Some(refusal)), ..plan },
                (None, Some(("executed", status))) => FaultPlan { status_after: Some(status), ..plan },
                (None, Some((_, status))) => FaultPlan { early: Some(EarlyReply::Status(status)), ..plan },
                (None, None) => plan,
            },
        }
    }

    /// The status in its name, and the part before it: `executed-503`.
    fn status(self) -> Option<(&'static str, u16)> {
        let (kind, status) = self.as_str().rsplit_once('-')?;
        Some((kind, status.parse().ok()?))
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
    use super::*;

    #[test]
    fn every_reason_for_a_failed_transaction_can_be_asked_for() {
        // Reasons of a plan or a price: no transaction fails for them.
        let ours =
            [Refusal::OutOfReach, Refusal::TooManyWallets, Refusal::FilledFromPool, Refusal::HoldingsUnknown];
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
            let plain = plan == FaultPlan { execution: Execution::Calm, ..FaultPlan::default() };
            assert_eq!(plain, name == "landed", "{name}");
        }
    }
}
