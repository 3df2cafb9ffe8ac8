//! The settings of a client.

use std::future::Future;
#[cfg(feature = "record")]
use std::sync::{Arc, Mutex, OnceLock};

use super::error::{TradeError, bad_option};
use super::hooks::Hooks;
use super::journal::Journal;
use super::market::Market;
use super::options::SendOptions;
#[cfg(feature = "record")]
use super::record::{DeskRecord, OWN_HEADER, OwnHeaders, Recorded, RecordedJournal};
use super::shared::{AskKey, Sending, Shared};
use super::transport::{BoxError, MaybeSend, MaybeSync, Transport};
#[cfg(feature = "record")]
use launchpad_desk::bindings::object;
use launchpad_desk::error::FieldCode;
use launchpad_desk::trade::flow::{GATEWAY_INTENT, KeySource, MOST_RETRIES, Terms};
use launchpad_desk::trade::guard::{self, BuysMayExceed};
use launchpad_desk::trade::{Dialect, Key};

/// Makes a [`Client`](super::Client).
///
/// ```no_run
/// use launchpad_desk::prelude::*;
/// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
/// use launchpad_desk_client::{Client, FileJournal, SandboxTransport, TradeError};
/// use launchpad_desk::trade::guard::Settings;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let transport = SandboxTransport::new(Sandbox::new(SandboxConfig::default()).unwrap());
/// let limits = Settings { max_lamports_per_day: Some(5_000_000_000), ..Settings::default() };
/// let client = Client::builder(transport)
///     .api_key(std::env::var("LAUNCHPAD_KEY")?)
///     .guards(limits)
///     .journal(FileJournal::open("trades.journal")?)
///     .build()?;
/// # Ok(())
/// # }
/// ```
pub struct ClientBuilder<T> {
    transport: T,
    parts: Parts,
    /// With the header by which it knows a trade.
    #[cfg(feature = "record")]
    record: Option<(DeskRecord, Arc<OnceLock<OwnHeaders>>)>,
}

/// What a client has, whatever its transport.
#[derive(Default)]
struct Parts {
    terms: Terms,
    key_problem: Option<TradeError>,
    allows_browser: bool,
    guards: guard::Settings,
    sending: SendOptions,
    journal: Option<Box<dyn Journal>>,
    hooks: Option<Box<dyn Hooks>>,
    market: Option<Box<dyn Market>>,
    ask_key: Option<AskKey>,
}

impl<T: Transport> ClientBuilder<T> {
    pub(super) fn new(transport: T) -> Self {
        ClientBuilder {
            transport,
            parts: Parts::default(),
            #[cfg(feature = "record")]
            record: None,
        }
    }

    /// The API key: visible ASCII, at least 8 characters. If none is given, none is sent.
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        match Key::new(key) {
            Ok(key) => self.parts.terms.key = KeySource::Fixed(key),
            Err((code, what)) => self.parts.key_problem = Some(bad_option("api_key", code, what)),
        }
        self
    }

    /// Calls this function for the API key at each trade. If that fails, the trade is not sent.
    pub fn api_key_from<F, W>(mut self, ask: F) -> Self
    where
        F: Fn() -> W + MaybeSend + MaybeSync + 'static,
        W: Future<Output = Result<Key, BoxError>> + MaybeSend + 'static,
    {
        self.parts.terms.key = KeySource::Asked;
        self.parts.ask_key = Some(Box::new(move || Box::pin(ask())));
        self
    }

    /// Allows a key in a page, where anyone who opens the page can read it.
    pub fn dangerously_allow_browser(mut self) -> Self {
        self.parts.allows_browser = true;
        self
    }

    /// The header of the API key. Default: `x-api-key`.
    pub fn api_key_header(mut self, name: impl Into<String>) -> Self {
        (self.parts.terms.headers.key, self.parts.terms.headers.key_scheme) = (name.into(), "");
        self
    }

    /// Sends the API key as `authorization: Bearer <key>` instead.
    pub fn bearer(mut self) -> Self {
        (self.parts.terms.headers.key, self.parts.terms.headers.key_scheme) =
            ("authorization".to_owned(), "Bearer ");
        self
    }

    /// The header of each trade's intent id, such as `idempotency-key`. Default: none.
    pub fn intent_header(mut self, name: impl Into<String>) -> Self {
        self.parts.terms.headers.intent = Some(name.into());
        self
    }

    /// Sends to a gateway that forwards each intent once, such as `launchpad-desk/gateway`. If an outcome is unknown, the
    /// client asks again under the same intent id, until the gateway knows it or the deadline passes. The API key is the token
    /// that the gateway gave this caller, sent as a bearer token. Do not use this with a service, which would make the trade
    /// again.
    pub fn gateway(mut self) -> Self {
        self.parts.terms.ask_again = MOST_RETRIES;
        self.bearer().intent_header(GATEWAY_INTENT)
    }

    /// What the service does where the spec leaves a choice.
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.parts.terms.dialect = dialect;
        self
    }

    /// The limits that are checked before money may move. Their slippage unit is the dialect's, and buys may exceed their amounts if one of
    /// the two says so.
    pub fn guards(mut self, guards: guard::Settings) -> Self {
        self.parts.guards = guards;
        self
    }

    /// How trades are sent.
    pub fn sending(mut self, sending: SendOptions) -> Self {
        self.parts.sending = sending;
        self
    }

    /// Records each trade before it is sent, and how it ended. A trade that it cannot record is not sent.
    pub fn journal(mut self, journal: impl Journal + 'static) -> Self {
        self.parts.terms.has_journal = true;
        self.parts.journal = Some(Box::new(journal));
        self
    }

    /// Your own code, called before and after each trade.
    pub fn hooks(mut self, hooks: impl Hooks + 'static) -> Self {
        (self.parts.terms.has_before_send, self.parts.terms.has_after_settle) = (true, true);
        self.parts.hooks = Some(Box::new(hooks));
        self
    }

    /// Where prices come from. Plans are priced by it, what the wallets hold is recorded before each trade, and
    /// [`settle`](super::Client::settle) finds out how unknown trades ended. If it does not say what the wallets hold, the trade is sent all
    /// the same.
    pub fn market(mut self, market: impl Market + 'static) -> Self {
        (self.parts.terms.has_before_send, self.parts.terms.has_market) = (true, true);
        self.parts.market = Some(Box::new(market));
        self
    }

    /// Records what it does: each begin, send, answer, end and piece of evidence, and with [`DeskRecord::plan`] each plan. A trade whose send
    /// cannot be recorded is not sent. It needs a journal beside it. Other clients of it have the same limits and dialect.
    #[cfg(feature = "record")]
    pub fn record(self, record: DeskRecord) -> ClientBuilder<Recorded<T>> {
        let headers = Arc::new(OnceLock::new());
        ClientBuilder {
            transport: Recorded::new(self.transport, record.clone(), Arc::clone(&headers)),
            parts: self.parts,
            record: Some((record, headers)),
        }
    }

    /// Checks the settings, and makes the parts of the client.
    pub(super) fn parts(self) -> Result<(Shared<T>, Sending), TradeError> {
        #[cfg(feature = "record")]
        let record = self.record;
        let ClientBuilder { transport, parts, .. } = self;
        let Parts { terms, key_problem, allows_browser, guards, sending, journal, hooks, market, ask_key } =
            parts;
        if let Some(problem) = key_problem {
            return Err(problem);
        }
        let is_gateway = terms.is_gateway();
        if is_gateway && transport.destination().is_simulated {
            let what = "and a sandbox contradict each other: a sandbox makes a trade each time it is sent";
            return Err(bad_option("gateway", FieldCode::Conflict, what));
        }
        let has_own_header = terms.headers.intent.as_deref() == Some(GATEWAY_INTENT);
        if is_gateway && !has_own_header {
            // A gateway that is asked again without it would make the trade again.
            let what = "and gateway contradict each other: a gateway has a header of its own";
            return Err(bad_option("intent_header", FieldCode::Conflict, what));
        }
        if transport.is_public() && !allows_browser && !is_gateway && terms.key != KeySource::None {
            let what =
                "can be read by anyone who opens this page; use a gateway, or call dangerously_allow_browser";
            return Err(bad_option("api_key", FieldCode::Conflict, what));
        }
        #[cfg(feature = "record")]
        let terms = match &record {
            Some((_, headers)) => {
                let mut terms = terms;
                let intent = terms.headers.intent.get_or_insert_with(|| OWN_HEADER.to_owned()).clone();
                headers.get_or_init(|| OwnHeaders { intent, key: terms.headers.key.clone() });
                terms
            }
            None => terms,
        };
        let sending = sending.applied(&terms)?;
        let slippage_unit = sending.terms.dialect.rules.slippage_unit;
        let guards = match sending.terms.dialect.buys_may_exceed {
            BuysMayExceed::Nothing => guard::Settings { slippage_unit, ..guards },
            buys_may_exceed => guard::Settings { slippage_unit, buys_may_exceed, ..guards },
        };
        #[cfg(feature = "record")]
        if let Some((record, _)) = record {
            let Some(journal) = journal else {
                return Err(bad_option("record", FieldCode::Required, "needs a journal beside it"));
            };
            let settings = object! {
                "baseURL": transport.destination().base_url,
                "gateway": is_gateway,
                "dialect": sending.terms.dialect,
                "limits": guards,
            };
            if !record.start(&settings) {
                let what = "is of a client with other settings: give this one a record of its own";
                return Err(bad_option("record", FieldCode::Conflict, what));
            }
            let kept = RecordedJournal { journal, record: record.clone(), last_mode: Mutex::default() };
            let (journal, record) = (Some(Box::new(kept) as Box<dyn Journal>), Some(record));
            let shared = Shared::new(transport, guards);
            return Ok((Shared { journal, hooks, market, ask_key, record, ..shared }, sending));
        }
        Ok((Shared { journal, hooks, market, ask_key, ..Shared::new(transport, guards) }, sending))
    }
}
