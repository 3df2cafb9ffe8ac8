//! What the answers of a client, a journal and a market mean for the exits that a client carries out: one set of rules for the clients
//! in Rust and in JavaScript, which only ask and wait.

use crate::amount::{Decimal, Digits};
use crate::error::Code;
use crate::evidence::Seen;
use crate::intent::{IntentOutcome, IntentState};
use crate::tape::{Data, json};

/// What counts for an exit once a client has ended its sell. A client refuses an id that it knows: then another process has sent the
/// exit, or this one has before it lost its state.
pub(super) fn outcome_of_sell(outcome: IntentOutcome, code: Option<Code>) -> IntentOutcome {
    match (outcome, code) {
        (_, Some(Code::IntentLanded)) => IntentOutcome::Landed,
        (IntentOutcome::NotSent, Some(Code::IntentUnknown | Code::IntentInFlight)) => IntentOutcome::Unknown,
        (outcome, _) => outcome,
    }
}

/// What a journal says before the first look of an exit that the state may not know; `None` if it says nothing. One that is proven not
/// sold has used up its id.
pub(super) fn recalled_outcome(state: IntentState, ended: Option<IntentOutcome>) -> Option<IntentOutcome> {
    match state {
        IntentState::Ended if ended == Some(IntentOutcome::Unconfirmed) => Some(IntentOutcome::Unconfirmed),
        IntentState::Ended => Some(IntentOutcome::Landed),
        IntentState::InDoubt | IntentState::InFlight => Some(IntentOutcome::Unknown),
        IntentState::NotRecorded => ended.filter(|ended| {
            use IntentOutcome::{DidNotLand, Failed, Rejected};
            matches!(ended, DidNotLand | Failed | Rejected)
        }),
        IntentState::Planned | IntentState::AwaitingApproval => None,
    }
}

/// What became of an exit of unknown outcome, by its client; `None` if that is still unknown. One that `ended` may only have been
/// accepted. A client without a journal has no state for an
/// intent that it does not know: that proves something only of one that `was_in_doubt` in this run.
pub(super) fn found_outcome(
    state: Option<IntentState>,
    ended: Option<IntentOutcome>,
    was_in_doubt: bool,
) -> Option<IntentOutcome> {
    match state {
        Some(state @ IntentState::Ended) => recalled_outcome(state, ended),
        Some(IntentState::NotRecorded) => Some(IntentOutcome::DidNotLand),
        None if was_in_doubt => Some(IntentOutcome::DidNotLand),
        _ => None,
    }
}

/// What became of an exit that the service took without saying whether it landed: by its transaction, if the market was asked for that,
/// and otherwise by a wallet that holds at least `ordered` base units fewer than at the order, if it held fewer than that beside the `left` ones
/// of the position: others may have sold those. A final transaction is not the exit, whatever the service has named, if the wallet still holds what
/// it held at the order; one that failed proves nothing of it if the wallet holds less, because the service may have tried again.
pub(super) fn confirmed_outcome(
    seen: Option<Seen>,
    at_order: Option<u64>,
    left: u64,
    ordered: u64,
    wallet_tokens: Option<u64>,
) -> Option<IntentOutcome> {
    match seen {
        Some(Seen::Finalized) => {
            (at_order.is_none() || wallet_tokens != at_order).then_some(IntentOutcome::Landed)
        }
        Some(Seen::Failed) => {
            let has_all = at_order.is_none_or(|held| wallet_tokens.is_some_and(|tokens| tokens >= held));
            has_all.then_some(IntentOutcome::DidNotLand)
        }
        Some(Seen::NotSeen) => None,
        None => {
            // An order that only the journal remembers was made when the wallet held at least what is left.
            let held = at_order.unwrap_or(left);
            let after = held.checked_sub(ordered).filter(|_| held.saturating_sub(left) < ordered)?;
            wallet_tokens.is_some_and(|tokens| tokens <= after).then_some(IntentOutcome::Landed)
        }
    }
}

/// Base units that the sell with this body is of, for a client that counts the token by so many decimals; `None` if it does not say.
pub(super) fn tokens_of_sell(body: &str, token_decimals: u8) -> Option<u64> {
    let body = json::parse(body.as_bytes()).ok()?;
    let (Data::String(text) | Data::Number(text)) = body.root().get("amountInToken")?.data() else {
        return None;
    };
    base_units(text, token_decimals)
}

/// Whole tokens in base units, if that is a whole number.
pub(super) fn base_units(tokens: &str, token_decimals: u8) -> Option<u64> {
    Decimal::from_plain(tokens).ok()?.to_units(token_decimals).ok()
}

/// Why a client that counts a token by other decimals than the token itself has cannot carry out its exits: an order is in base units, and
/// what is sent is in whole tokens.
pub(super) fn other_decimals(client: u8, token: u8) -> Option<String> {
    let (client_has, token_has) = (u64::from(client).digits(), u64::from(token).digits());
    let told = ["tokenDecimals of the client is ", &client_has, ", and the token has ", &token_has];
    (client != token).then(|| [told.concat().as_str(), ": an exit would sell another amount"].concat())
}

/// Whether a client that refuses an exit by this code would refuse every order of its plan.
pub(super) fn is_lasting(code: Code) -> bool {
    matches!(
        code,
        Code::MintNotAllowed | Code::WalletNotAllowed | Code::OverTradeLimit | Code::OverSlippageLimit
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sell_that_the_client_knows_is_not_made_again() {
        assert_eq!(outcome_of_sell(IntentOutcome::NotSent, Some(Code::IntentLanded)), IntentOutcome::Landed);
        assert_eq!(
            outcome_of_sell(IntentOutcome::NotSent, Some(Code::IntentUnknown)),
            IntentOutcome::Unknown
        );
        assert_eq!(outcome_of_sell(IntentOutcome::NotSent, Some(Code::Halted)), IntentOutcome::NotSent);
    }

    #[test]
    fn a_journal_says_what_counts_before_the_first_look() {
        let of = |state, ended| recalled_outcome(state, ended);
        assert_eq!(
            of(IntentState::Ended, Some(IntentOutcome::Unconfirmed)),
            Some(IntentOutcome::Unconfirmed)
        );
        assert_eq!(of(IntentState::Ended, None), Some(IntentOutcome::Landed));
        assert_eq!(of(IntentState::InDoubt, None), Some(IntentOutcome::Unknown));
        assert_eq!(
            of(IntentState::NotRecorded, Some(IntentOutcome::DidNotLand)),
            Some(IntentOutcome::DidNotLand)
        );
        assert_eq!(of(IntentState::NotRecorded, None), None);
    }

    #[test]
    fn what_became_of_an_exit_in_doubt_is_what_its_client_knows() {
        let accepted = Some(IntentOutcome::Unconfirmed);
        assert_eq!(found_outcome(Some(IntentState::Ended), accepted, false), accepted);
        assert_eq!(found_outcome(Some(IntentState::Ended), None, false), Some(IntentOutcome::Landed));
        assert_eq!(
            found_outcome(Some(IntentState::NotRecorded), None, false),
            Some(IntentOutcome::DidNotLand)
        );
        assert_eq!(
            (found_outcome(None, None, true), found_outcome(None, None, false)),
            (Some(IntentOutcome::DidNotLand), None)
        );
    }

    #[test]
    fn an_exit_that_was_accepted_is_confirmed_by_its_transaction_or_by_the_wallet() {
        let failed = |at_order, tokens| confirmed_outcome(Some(Seen::Failed), at_order, 8, 5, tokens);
        let still = [failed(Some(8), Some(8)), failed(Some(8), Some(9)), failed(None, Some(8))];
        assert_eq!(still, [Some(IntentOutcome::DidNotLand); 3]);
        assert_eq!([failed(Some(8), Some(3)), failed(Some(8), None)], [None; 2]);
        assert_eq!(confirmed_outcome(Some(Seen::NotSeen), Some(8), 8, 5, Some(0)), None);
        let finalized = |tokens| confirmed_outcome(Some(Seen::Finalized), Some(8), 8, 5, tokens);
        assert_eq!([Some(7), None].map(finalized), [Some(IntentOutcome::Landed); 2]);
        assert_eq!(finalized(Some(8)), None);
        // After a restart nobody knows what the wallet held; and it may have bought more.
        let recalled = confirmed_outcome(Some(Seen::Finalized), None, 8, 5, Some(20));
        assert_eq!([recalled, finalized(Some(20))], [Some(IntentOutcome::Landed); 2]);
        assert_eq!(confirmed_outcome(None, Some(8), 8, 5, Some(3)), Some(IntentOutcome::Landed));
        assert_eq!(confirmed_outcome(None, Some(8), 8, 5, Some(4)), None);
        let beside = |others: u64| confirmed_outcome(None, Some(8 + others), 8, 5, Some(3 + others));
        assert_eq!((beside(4), beside(5)), (Some(IntentOutcome::Landed), None));
    }

    #[test]
    fn a_body_says_how_much_it_sells() {
        assert_eq!(
            tokens_of_sell(r#"{"mint":"M","fromWallet":"W","amountInToken":"17.5"}"#, 6),
            Some(17_500_000)
        );
        assert_eq!(tokens_of_sell(r#"{"mint":"M","fromWallet":"W","amountInToken":17.5}"#, 0), None);
    }

    #[test]
    fn a_client_that_counts_by_other_decimals_is_refused() {
        assert_eq!(other_decimals(6, 6), None);
        let why = "tokenDecimals of the client is 6, and the token has 9: an exit would sell another amount";
        assert_eq!(other_decimals(6, 9).as_deref(), Some(why));
    }
}
