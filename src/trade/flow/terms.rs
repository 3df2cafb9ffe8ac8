//! What applies to every trade of a client: how it is sent, and what is called on the way.

use std::fmt;

use crate::error::FieldCode;
use crate::trade::{Dialect, Key};

/// How a client sends.
#[derive(Clone, Debug)]
pub struct Terms {
    /// What the service does where the spec leaves a choice.
    pub dialect: Dialect,
    /// Where the key comes from.
    pub key: KeySource,
    pub headers: Headers,
    /// Whether a journal records each trade.
    pub has_journal: bool,
    /// Whether a hook is called before sending.
    pub has_before_send: bool,
    /// Whether a market is asked for prices: then it also says how many decimals a token has.
    pub has_market: bool,
    /// Whether a hook is called after a trade.
    pub has_after_settle: bool,
    /// Whether to run every check, but send nothing.
    pub dry_run: bool,
    /// How often a trade that is proven unsent is tried again; at most 10.
    pub retry_not_sent: u32,
    /// How often a gateway is asked again for an unknown answer; at most 10. 0 for a service, which might make the trade again.
    pub ask_again: u32,
    /// How long a gateway that has not confirmed a trade may still get it, from the first send on, in milliseconds. Asking repeats
    /// the request: if the first one never arrived, a later one would make the trade at a later price.
    pub ask_again_within_ms: u32,
    /// The most bytes of a reply that are read.
    pub max_reply_bytes: u32,
}

impl Default for Terms {
    fn default() -> Self {
        Terms {
            dialect: Dialect::default(),
            key: KeySource::None,
            headers: Headers::default(),
            has_journal: false,
            has_before_send: false,
            has_market: false,
            has_after_settle: false,
            dry_run: false,
            retry_not_sent: 0,
            ask_again: 0,
            ask_again_within_ms: ASK_AGAIN_WITHIN_MS,
            max_reply_bytes: 1 << 20,
        }
    }
}

impl Terms {
    /// Whether it sends to a gateway, which forwards each intent once.
    pub fn is_gateway(&self) -> bool {
        self.ask_again > 0
    }
}

/// Where the key of a trade comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// No key is sent.
    None,
    /// The same key for every trade.
    Fixed(Key),
    /// The driver is asked for it at each trade.
    Asked,
}

/// The headers of every trade. `Debug` shows no value.
#[derive(Clone, PartialEq, Eq)]
pub struct Headers {
    /// The header of the key.
    pub key: String,
    /// What stands before the key in it.
    pub key_scheme: &'static str,
    /// The header of the intent id, if one is sent.
    pub intent: Option<String>,
    /// Other headers.
    pub more: Vec<(String, String)>,
}

/// The default of [`Terms::ask_again_within_ms`].
pub const ASK_AGAIN_WITHIN_MS: u32 = 5_000;

/// How long a trade waits until a market has said what its wallets hold, in milliseconds, and at most half of its own time: a sale must
/// not wait for a node.
pub const NOTE_WITHIN_MS: u32 = 2_000;
/// How long a market that has not is left alone, in milliseconds: trades do not wait for it one after the other.
pub const MARKET_RESTS_MS: u64 = 30_000;

/// Whether such a market is still left alone. A longer rest than that means that the clock was set back: it does not count.
pub fn market_rests(until_ms: u64, now_ms: u64) -> bool {
    (1..=MARKET_RESTS_MS).contains(&until_ms.saturating_sub(now_ms))
}

/// The default header of the key.
pub const KEY_HEADER: &str = "x-api-key";

/// The most bytes of a reply that a setting may let in.
pub const MOST_REPLY_BYTES: u32 = 1 << 24;

/// The header in which a gateway expects the intent id.
pub const GATEWAY_INTENT: &str = "idempotency-key";

impl Default for Headers {
    fn default() -> Self {
        Headers { key: KEY_HEADER.to_owned(), key_scheme: "", intent: None, more: Vec::new() }
    }
}

impl Headers {
    /// All headers of a trade.
    pub(super) fn of(&self, intent_id: &str, key: Option<&Key>) -> Vec<(String, String)> {
        let mut all = self.more.clone();
        let mut add = |name: &str, value: &str| all.push((name.to_owned(), value.to_owned()));
        add("content-type", "application/json");
        add("accept", "application/json");
        if let Some(key) = key {
            add(&self.key, &[self.key_scheme, key.expose()].concat());
        }
        if let Some(name) = &self.intent {
            add(name, intent_id);
        }
        all
    }
}

impl Headers {
    /// All headers of a request that only asks.
    pub(super) fn of_get(&self, key: Option<&Key>) -> Vec<(String, String)> {
        let mut all = self.more.clone();
        all.push(("accept".to_owned(), "application/json".to_owned()));
        all.extend(key.map(|key| (self.key.clone(), [self.key_scheme, key.expose()].concat())));
        all
    }
}

/// A header that cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeaderProblem {
    /// Which setting has it.
    pub which: &'static str,
    pub code: FieldCode,
    /// What is wrong, in words that follow the setting's name.
    pub what: &'static str,
}

impl Headers {
    /// The first header that cannot be sent.
    pub fn problem(&self) -> Option<HeaderProblem> {
        let of_name = |which, name: &str| {
            header_name_problem(name).map(|(code, what)| HeaderProblem { which, code, what })
        };
        of_name("api_key_header", &self.key)
            .or_else(|| of_name("intent_header", self.intent.as_deref()?))
            .or_else(|| self.problem_of_intent())
            .or_else(|| self.problem_of_more())
    }

    /// Why the intent id cannot be sent in its header: the key uses the same one.
    pub fn problem_of_intent(&self) -> Option<HeaderProblem> {
        self.intent.as_ref().filter(|intent| intent.eq_ignore_ascii_case(&self.key)).map(|_| HeaderProblem {
            which: "intent_header",
            code: FieldCode::Conflict,
            what: "is the header of the API key",
        })
    }

    /// The first of the other headers that cannot be sent.
    pub fn problem_of_more(&self) -> Option<HeaderProblem> {
        let problem = |code, what| Some(HeaderProblem { which: "headers", code, what });
        let is_own = |name: &str| {
            [Some(&self.key), self.intent.as_ref()]
                .into_iter()
                .flatten()
                .any(|own| own.eq_ignore_ascii_case(name))
        };
        for (at, (name, value)) in self.more.iter().enumerate() {
            let is_text = value.bytes().all(|byte| matches!(byte, b' '..=b'~'));
            if header_name_problem(name).is_some() || !is_text {
                let what = "must map header names, other than the client's own, to visible ASCII";
                return problem(FieldCode::OutOfRange, what);
            }
            // One would replace the other, or both would be sent.
            let is_twice = self.more.iter().take(at).any(|(other, _)| other.eq_ignore_ascii_case(name));
            if is_own(name) || is_twice {
                let what = "must not name a header twice, nor the header of the API key or the intent id";
                return problem(FieldCode::Conflict, what);
            }
        }
        None
    }
}

/// Headers that the request sets itself, that runtimes set or drop on their own, or that no request can send.
const RESERVED: &str = "content-type accept host content-length connection keep-alive transfer-encoding te upgrade expect cookie __proto__";

/// Why a given header may not have this name: a code, and words that follow the setting's name.
pub fn header_name_problem(name: &str) -> Option<(FieldCode, &'static str)> {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
    if name.is_empty() || !name.bytes().all(is_part) {
        Some((FieldCode::OutOfRange, "must be a header name"))
    } else if RESERVED.split(' ').any(|own| name.eq_ignore_ascii_case(own)) {
        Some((FieldCode::Conflict, "is a header that the request needs for itself"))
    } else {
        None
    }
}

impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = self.more.iter().map(|(name, _)| name.as_str());
        let names = [self.key.as_str()].into_iter().chain(self.intent.as_deref()).chain(more);
        f.debug_list().entries(names).finish()
    }
}
