//! What a driver is asked to do, and what it reports.

use std::borrow::Cow;

use crate::api::request::SellRequest;
use crate::error::{Code, FieldError, WarningCode};
use crate::evidence::Seen;
use crate::intent::{IntentOutcome, IntentState};
use crate::launchpad::{Launchpad, Token};
use crate::strategy::happening::ExitHappening;
use crate::strategy::state::ExitOrder;

/// What to do next. A driver carries it out, and reports the [`Event`] that is named. Text is the id of an intent, and a number the longest
/// wait, in milliseconds: then the event is [`Late`](Event::Late).
#[derive(Clone, Debug, PartialEq)]
pub enum ManageStep<E> {
    /// Ask the client about these intents: [`Recalled`](Event::Recalled).
    Recall(Vec<String>),
    /// Plan this sell, which is not sent: [`Checked`](Event::Checked).
    Check(SellRequest, u32),
    /// Ask the client how an intent has ended: [`Known`](Event::Known), without its state.
    Ended(String),
    /// Ask the client all about an intent: [`Known`](Event::Known).
    Known(String),
    /// Look at the market: [`Looked`](Event::Looked). Whether a person who closes the position meanwhile cuts it: then it is late at once.
    Look(u32, bool),
    /// Show the price of that look: [`Priced`](Event::Priced).
    Price,
    /// Keep the state as it is now: [`Done`](Event::Done).
    Keep,
    /// Sell, under the order's id: [`Sold`](Event::Sold).
    Send(ExitOrder, SellRequest),
    /// Ask the market whether the transaction of this signature is final: [`Confirmed`](Event::Confirmed).
    Confirm(String, u32),
    /// Have the client find out what became of its trades in doubt: [`Done`](Event::Done). An earlier answer that was late is forgotten.
    Settle(u32),
    /// Wait on for that late answer: [`Done`](Event::Done).
    SettleOn(u32),
    /// Ask the market of the exits what is proven of an intent: [`Found`](Event::Found).
    Find(String, u32),
    /// Tell the client how an intent ended: [`Done`](Event::Done).
    Acknowledge(String, IntentOutcome),
    /// Ask the market what a sell has brought: [`Received`](Event::Received).
    Receive(String, u32),
    Done,
    /// It ends with what the last step threw.
    Throw(E),
    /// It ends: these exits cannot be carried out.
    Refuse(Refusal),
}

/// What has happened. `E` is what a driver's functions throw, which is only passed on.
#[derive(Clone, Debug)]
pub enum Event<'a, E> {
    /// A look is due.
    Begin,
    /// A person says how the order in doubt ended. If the first step is [`ManageStep::Done`], none was in doubt.
    Acknowledge(IntentOutcome),
    /// The intents of which the client knows [something](Known::is_of_some_trade).
    Recalled(Vec<(String, Known)>),
    /// What the client's limits say of the sell; `None` if it has none.
    Checked(Option<Checked>),
    /// What the client knows.
    Known(Known),
    /// What the look shows.
    Looked(Looked<E>),
    /// The launchpad's rules and the token, by the look.
    Priced(&'a Launchpad, &'a Token),
    /// How the sell ended.
    Sold(Sold<E>),
    /// What the market sees of the transaction.
    Confirmed(Seen),
    /// How the intent ended, if that is proven.
    Found(Option<IntentOutcome>),
    /// What the sell has brought.
    Received(Received),
    /// The step was carried out.
    Done,
    /// It was not within its time.
    Late,
    Threw(E),
}

/// What a client knows of an intent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// How far it is; `None` if only a journal could know, and there is none.
    pub state: Option<IntentState>,
    /// How it ended, if it was sent and that is known.
    pub ended: Option<IntentOutcome>,
    /// Whether the chain proves that.
    pub proven: bool,
    /// The signature of its transaction, if it was reported.
    pub signature: Option<String>,
    /// Its body, ended or in doubt.
    pub body: Option<String>,
}

impl Known {
    /// Whether it says anything of a trade: most ids that are asked about were never sent.
    pub fn is_of_some_trade(&self) -> bool {
        self.ended.is_some() || self.state.is_some_and(|state| state != IntentState::NotRecorded)
    }
}

/// What a client's limits say of a sell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Why they would refuse it.
    pub refused: Option<Code>,
    /// What they warn of.
    pub warnings: Vec<(WarningCode, String)>,
}

/// What a look shows of a wallet, and of itself.
#[derive(Clone, Debug)]
pub struct Looked<E> {
    /// When it was taken; `None`: now.
    pub at_ms: Option<u64>,
    /// Base units that the wallet holds, if the look says so.
    pub wallet_tokens: Option<u64>,
    /// Why its price may be an old one, if its market stands still.
    pub stale: Option<Why<E>>,
}

/// How a sell ended.
#[derive(Clone, Debug)]
pub struct Sold<E> {
    /// How; `None` if what was thrown is no error of a trade.
    pub outcome: Option<IntentOutcome>,
    /// The error's code.
    pub code: Option<Code>,
    /// Whole tokens that it sold, as its reply says.
    pub amount: Option<String>,
    /// What was thrown.
    pub error: Option<E>,
}

/// What a market shows of a sell that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Nothing yet.
    NotYet,
    /// Nothing, ever: it has no transaction, or shows none.
    Never,
    /// What its transaction has moved in the wallet: base units, which are below zero, and lamports after every fee and without rent.
    Moved(i128, i128),
}

/// Why something happened to an exit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why<E> {
    /// In words.
    Says(Cow<'static, str>),
    /// What the client or the market threw.
    Threw(E),
}

/// What happened to an exit.
#[derive(Clone, Debug, PartialEq)]
pub struct Happened<E> {
    /// What.
    pub what: ExitHappening,
    /// The order, if it is about one.
    pub order: Option<ExitOrder>,
    pub why: Option<Why<E>>,
    /// Base units sold, if they are known: of [`Over`](ExitHappening::Over) by all sells.
    pub sold_tokens: Option<u64>,
    /// Lamports received, if they are known.
    pub received_lamports: Option<i128>,
}

/// Why exits cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What the position says of itself cannot be true by the look.
    Position(FieldError),
    /// The client cannot send what the plan asks for: the setting or the field, and why.
    Client(FieldError),
    /// The client's limits would refuse every order, by the refusal that the driver has reported.
    Always,
}

impl Refusal {
    /// What [`Always`](Refusal::Always) says, before the refusal's own message.
    pub const ALWAYS: &str = "the client would refuse every order of these exits";
}
