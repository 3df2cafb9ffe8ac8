//! What the answers of a client, a journal and a market mean for the exits that a client carries out: one set of rules for the clients
//! in Rust and in JavaScript, which only ask and wait.

use crate::amount::{Decimal, Digits};
use crate::codes::codes;
use crate::error::Code;
use crate::evidence::Seen;
use crate::intent::{IntentOutcome, IntentState};
use crate::tape::{Data, json};

codes! {
    /// What happened to an exit.
    ExitHappening {
        /// It is about to be sent.
        Ordered = "ordered",
        /// It was sold.
        Landed = "landed",
        /// Nothing was sent; it is tried again under the same id.
        NotSent = "not_sent",
        /// It is proven not sold; it is tried again under a new id.
        DidNotLand = "did_not_land",
        /// Its outcome is unknown; nothing else is ordered until it is settled.
        InDoubt = "in_doubt",
        /// The market said nothing in time, or stands still, so nothing was decided.
        NoLook = "no_look",
        /// Nothing is left to sell: all of it is sold, or the wallet does not hold it any more, which its error says.
        Over = "over",
        /// The curve is complete: no rule sells any more. A person's wish to close is tried once.
        Completed = "completed",
        /// The wallet does not hold a part of the position any more, so that is not sold. It is again once the wallet holds as much as before.
        Gone = "gone",
        /// The market shows what a sell has brought that had ended before: its event says how much.
        Received = "received",
    }
}

/// What an order that ended so means for its exit.
impl From<IntentOutcome> for ExitHappening {
    fn from(outcome: IntentOutcome) -> Self {
        match outcome {
            IntentOutcome::Landed => ExitHappening::Landed,
            IntentOutcome::NotSent => ExitHappening::NotSent,
            IntentOutcome::Rejected | IntentOutcome::Failed | IntentOutcome::DidNotLand => {
                ExitHappening::DidNotLand
            }
            IntentOutcome::Unknown | IntentOutcome::Unconfirmed => ExitHappening::InDoubt,
        }
    }
}

/// How often the client's market is asked what became of an exit in doubt, at most, in milliseconds.
pub const ASK_EVERY_MS: u64 = 2_000;

/// For how long the client's market is asked what sells have brought once nothing is left to sell, in milliseconds. So long, that the
/// position is over is not told.
pub const RECEIVED_WITHIN_MS: u64 = 60_000;

/// How long a look may wait for that while the position has to be protected, in milliseconds.
pub const RECEIVED_SOON_MS: u32 = 250;

/// How long the client may take to say whether its limits would ever let the exits through, in milliseconds.
pub const CHECK_MS: u32 = 2_000;

/// What counts for an exit once a client has ended its sell. A client refuses an id that it knows: then another process has sent the
/// exit, or this one has before it lost its state.
///
/// ```
/// use launchpad_desk::error::Code;
/// use launchpad_desk::intent::IntentOutcome;
/// use launchpad_desk::strategy::manage::outcome_of_sell;
/// assert_eq!(outcome_of_sell(IntentOutcome::NotSent, Some(Code::IntentLanded)), IntentOutcome::Landed);
/// assert_eq!(outcome_of_sell(IntentOutcome::NotSent, Some(Code::IntentUnknown)), IntentOutcome::Unknown);
/// assert_eq!(outcome_of_sell(IntentOutcome::NotSent, Some(Code::Halted)), IntentOutcome::NotSent);
/// ```
pub fn outcome_of_sell(outcome: IntentOutcome, code: Option<Code>) -> IntentOutcome {
    match (outcome, code) {
        (_, Some(Code::IntentLanded)) => IntentOutcome::Landed,
        (IntentOutcome::NotSent, Some(Code::IntentUnknown | Code::IntentInFlight)) => IntentOutcome::Unknown,
        (outcome, _) => outcome,
    }
}

/// What a journal says before the first look of an exit that the state may not know; `None` if it says nothing. One that is proven not
/// sold has used up its id.
///
/// ```
/// use launchpad_desk::intent::{IntentOutcome, IntentState};
/// use launchpad_desk::strategy::manage::recalled_outcome;
/// let of = |state, ended| recalled_outcome(state, ended);
/// assert_eq!(of(IntentState::Ended, Some(IntentOutcome::Unconfirmed)), Some(IntentOutcome::Unconfirmed));
/// assert_eq!(of(IntentState::Ended, None), Some(IntentOutcome::Landed));
/// assert_eq!(of(IntentState::InDoubt, None), Some(IntentOutcome::Unknown));
/// assert_eq!(of(IntentState::NotRecorded, Some(IntentOutcome::DidNotLand)), Some(IntentOutcome::DidNotLand));
/// assert_eq!(of(IntentState::NotRecorded, None), None);
/// ```
pub fn recalled_outcome(state: IntentState, ended: Option<IntentOutcome>) -> Option<IntentOutcome> {
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
///
/// ```
/// use launchpad_desk::intent::{IntentOutcome, IntentState};
/// use launchpad_desk::strategy::manage::found_outcome;
/// let accepted = Some(IntentOutcome::Unconfirmed);
/// assert_eq!(found_outcome(Some(IntentState::Ended), accepted, false), accepted);
/// assert_eq!(found_outcome(Some(IntentState::Ended), None, false), Some(IntentOutcome::Landed));
/// assert_eq!(found_outcome(Some(IntentState::NotRecorded), None, false), Some(IntentOutcome::DidNotLand));
/// assert_eq!((found_outcome(None, None, true), found_outcome(None, None, false)), (Some(IntentOutcome::DidNotLand), None));
/// ```
pub fn found_outcome(
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
/// and otherwise by a wallet that held `held` base units at the order and holds at least `ordered` fewer now.
///
/// ```
/// use launchpad_desk::evidence::Seen;
/// use launchpad_desk::intent::IntentOutcome;
/// use launchpad_desk::strategy::manage::confirmed_outcome;
/// assert_eq!(confirmed_outcome(Some(Seen::Failed), 8, 5, Some(0)), Some(IntentOutcome::DidNotLand));
/// assert_eq!(confirmed_outcome(Some(Seen::NotSeen), 8, 5, Some(0)), None);
/// assert_eq!(confirmed_outcome(None, 8, 5, Some(3)), Some(IntentOutcome::Landed));
/// assert_eq!(confirmed_outcome(None, 8, 5, Some(4)), None);
/// ```
pub fn confirmed_outcome(
    seen: Option<Seen>,
    held: u64,
    ordered: u64,
    wallet_tokens: Option<u64>,
) -> Option<IntentOutcome> {
    match seen {
        Some(Seen::Finalized) => Some(IntentOutcome::Landed),
        Some(Seen::Failed) => Some(IntentOutcome::DidNotLand),
        Some(Seen::NotSeen) => None,
        None => {
            let left = held.checked_sub(ordered)?;
            wallet_tokens.is_some_and(|tokens| tokens <= left).then_some(IntentOutcome::Landed)
        }
    }
}

/// Base units that the sell with this body is of, for a client that counts the token by so many decimals; `None` if it does not say.
///
/// ```
/// use launchpad_desk::strategy::manage::tokens_of_sell;
/// assert_eq!(tokens_of_sell(r#"{"mint":"M","fromWallet":"W","amountInToken":"17.5"}"#, 6), Some(17_500_000));
/// assert_eq!(tokens_of_sell(r#"{"mint":"M","fromWallet":"W","amountInToken":17.5}"#, 0), None);
/// ```
pub fn tokens_of_sell(body: &str, token_decimals: u8) -> Option<u64> {
    let body = json::parse(body.as_bytes()).ok()?;
    let (Data::String(text) | Data::Number(text)) = body.root().get("amountInToken")?.data() else {
        return None;
    };
    Decimal::from_plain(text).ok()?.to_units(token_decimals).ok()
}

/// Why a client that counts a token by other decimals than the token itself has cannot carry out its exits: an order is in base units, and
/// what is sent is in whole tokens.
///
/// ```
/// use launchpad_desk::strategy::manage::other_decimals;
/// assert_eq!(other_decimals(6, 6), None);
/// let why = "tokenDecimals of the client is 6, and the token has 9: an exit would sell another amount";
/// assert_eq!(other_decimals(6, 9).as_deref(), Some(why));
/// ```
pub fn other_decimals(client: u8, token: u8) -> Option<String> {
    let (client_has, token_has) = (u64::from(client).digits(), u64::from(token).digits());
    let told = ["tokenDecimals of the client is ", &client_has, ", and the token has ", &token_has];
    (client != token).then(|| [told.concat().as_str(), ": an exit would sell another amount"].concat())
}

/// Whether a client that refuses an exit by this code would refuse every order of its plan.
pub fn is_lasting(code: Code) -> bool {
    matches!(
        code,
        Code::MintNotAllowed | Code::WalletNotAllowed | Code::OverTradeLimit | Code::OverSlippageLimit
    )
}
