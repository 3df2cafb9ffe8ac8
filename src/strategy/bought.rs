//! The position that a buy has opened, from what its client and journal know of the buy, and what its transaction has moved.

use super::plan::ExitPosition;
use super::units::Millis;
use crate::api::request::Request;
use crate::codes::codes;
use crate::error_text;
use crate::evidence::Moved;
use crate::intent::{IntentOutcome, IntentState};
use crate::tape::ToTape;

/// For how long a position's buy is waited for until the market shows it, and how often that is asked, in milliseconds.
pub const SHOWN_WITHIN_MS: u32 = 15_000;
/// See [`SHOWN_WITHIN_MS`].
pub const SHOWN_EVERY_MS: u32 = 500;

codes! {
    /// Why the position of a buy is not known. Append-only.
    #[non_exhaustive]
    NoPosition {
        /// Neither this client nor its journal knows a trade of this id that was sent.
        NotRecorded = "not_recorded",
        /// The trade is still on its way: it is in flight, or waits for an approval.
        InFlight = "in_flight",
        /// Whether the trade landed is unknown, and the market has not proven it: settle it first.
        InDoubt = "in_doubt",
        /// The trade bought nothing: it was refused, failed or did not land.
        DidNotLand = "did_not_land",
        /// The trade is a sell.
        NotABuy = "not_a_buy",
        /// The trade bought for several wallets: name one of them.
        SeveralWallets = "several_wallets",
        /// The trade did not buy for the named wallet.
        OtherWallet = "other_wallet",
        /// The trade counts as landed, but its signature is missing: the service named none, or the trade is no longer remembered.
        NoSignature = "no_signature",
        /// The client has no market that shows transactions: what the trade cost is in no reply.
        NoMarket = "no_market",
        /// The market does not show the transaction of the trade yet, or has forgotten it.
        NotShown = "not_shown",
        /// The transaction that was named for the trade is not its own: it does something else, or is older.
        OtherTransaction = "other_transaction",
        /// The position's id, with which the ids of its exits begin, would be longer than 100 characters.
        IdTooLong = "id_too_long",
    }
}

error_text!(NoPosition, |why| why.meaning());

impl NoPosition {
    /// Whether the position may be known a moment later.
    pub fn may_pass(self) -> bool {
        matches!(self, NoPosition::InFlight | NoPosition::NotShown)
    }
}

/// What a client and its journal know of the trade that may have opened a position.
#[derive(Clone, Copy, Debug)]
pub struct Bought<'a> {
    /// The trade's id.
    pub intent_id: &'a str,
    /// How far it is; `None` if only a journal could know.
    pub state: Option<IntentState>,
    /// How it ended, if that is remembered.
    pub outcome: Option<IntentOutcome>,
    /// What it asked for, if that is remembered.
    pub request: Option<&'a Request>,
    /// The signature of its transaction, if it was named.
    pub signature: Option<&'a str>,
    /// The wallet whose position it is; it may be left out if the trade bought for one wallet.
    pub wallet: Option<&'a str>,
}

impl<'a> Bought<'a> {
    /// The transaction that has to be asked for.
    ///
    /// # Errors
    ///
    /// [`NoPosition`]: no transaction would say more.
    pub fn transaction(&self) -> Result<&'a str, NoPosition> {
        match self.state {
            Some(IntentState::InFlight | IntentState::Planned | IntentState::AwaitingApproval) => {
                return Err(NoPosition::InFlight);
            }
            Some(IntentState::InDoubt) => return Err(NoPosition::InDoubt),
            Some(IntentState::Ended | IntentState::NotRecorded) | None => {}
        }
        match self.outcome {
            Some(IntentOutcome::Landed | IntentOutcome::Unconfirmed) => {}
            Some(IntentOutcome::Unknown) => return Err(NoPosition::InDoubt),
            Some(_) => return Err(NoPosition::DidNotLand),
            None if self.state == Some(IntentState::Ended) => return Err(NoPosition::NoSignature),
            None => return Err(NoPosition::NotRecorded),
        }
        self.wallet()?;
        self.signature.ok_or(NoPosition::NoSignature)
    }

    fn wallet(&self) -> Result<(&'a Request, &'a str), NoPosition> {
        let request = self.request.ok_or(NoPosition::NotRecorded)?;
        if !request.operation.is_buy() {
            return Err(NoPosition::NotABuy);
        }
        let mut wallets = request.legs.iter().map(|leg| leg.from_wallet.as_str());
        let first = wallets.next().ok_or(NoPosition::NotABuy)?;
        match self.wallet {
            Some(named) if named == first || wallets.any(|own| own == named) => Ok((request, named)),
            Some(_) => Err(NoPosition::OtherWallet),
            None if wallets.any(|own| own != first) => Err(NoPosition::SeveralWallets),
            None => Ok((request, first)),
        }
    }

    /// The position, from what the transaction has moved; `None` if the market does not show it. Its id is that of the trade; each wallet of a
    /// bundle has a position of its own, whose id is that of the trade, a slash, and the wallet.
    ///
    /// ```
    /// use launchpad_desk::api::endpoint::Operation;
    /// use launchpad_desk::evidence::{Moved, WalletMoved};
    /// use launchpad_desk::intent::{IntentOutcome, IntentState};
    /// use launchpad_desk::strategy::bought::{Bought, NoPosition};
    /// use launchpad_desk::trade::guard::request_of;
    ///
    /// let buy = request_of(Operation::Buy, r#"{"mint":"M","fromWallet":"W","amountInLamports":1000000000}"#).unwrap();
    /// let (intent_id, state, outcome) = ("signal-1", Some(IntentState::Ended), Some(IntentOutcome::Landed));
    /// let (request, signature) = (Some(&*buy), Some("S"));
    /// let bought = Bought { intent_id, state, outcome, request, signature, wallet: None };
    /// assert_eq!(bought.transaction(), Ok("S"));
    /// assert_eq!(bought.position(None), Err(NoPosition::NotShown));
    ///
    /// let wallet = WalletMoved { wallet: "W".into(), tokens: 34_199_203_120_618, lamports: -1_000_005_000, rent_lamports: 1_488_440 };
    /// let moved = Moved { fits: true, failed: false, at_ms: None, wallets: vec![wallet] };
    /// let position = bought.position(Some(&moved)).unwrap();
    /// assert_eq!((position.tokens, position.cost_lamports), (34_199_203_120_618, 1_000_005_000));
    /// assert_eq!(position.rent_locked_lamports, 1_488_440);
    /// ```
    pub fn position(&self, moved: Option<&Moved>) -> Result<ExitPosition, NoPosition> {
        self.transaction()?;
        let (request, wallet) = self.wallet()?;
        let moved = moved.ok_or(NoPosition::NotShown)?;
        let own = moved.wallets.iter().find(|own| own.wallet == wallet).filter(|_| moved.fits);
        let own = own.ok_or(NoPosition::OtherTransaction)?;
        if moved.failed {
            return Err(NoPosition::DidNotLand);
        }
        let of = |amount: i128| u64::try_from(amount).ok().filter(|amount| *amount > 0);
        let amounts = of(own.tokens).zip(of(-own.lamports));
        let (tokens, cost_lamports) = amounts.ok_or(NoPosition::OtherTransaction)?;
        let id = match request.operation.is_bundle() {
            true => [self.intent_id, "/", wallet].concat(),
            false => self.intent_id.to_owned(),
        };
        let opened_at_ms = moved.at_ms.and_then(|at_ms| u64::try_from(at_ms.0).ok()).map(Millis);
        let position = ExitPosition {
            id,
            mint: request.mint.clone(),
            wallet: wallet.to_owned(),
            tokens,
            cost_lamports,
            rent_locked_lamports: of(own.rent_lamports).unwrap_or(0),
            opened_at_ms,
            fee_payer: Some(request.payer()).filter(|payer| *payer != wallet).map(str::to_owned),
        };
        ExitPosition::from_data(position.to_tape().root()).map_err(|_| NoPosition::IdTooLong)
    }
}
