//! How trades are sent.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::error::{TradeError, bad_option};
use super::shared::Sending;
use launchpad_desk::bindings::reader::MOST_TIMER_MS;
use launchpad_desk::error::FieldCode;
use launchpad_desk::trade::flow::{HeaderProblem, MOST_REPLY_BYTES, MOST_RETRIES, Terms};

/// The longest deadline.
const MAX_TIMEOUT: Duration = Duration::from_millis(MOST_TIMER_MS);

/// How trades are sent. [`Client::with`](super::Client::with) changes these for some trades. `Debug` shows no header's value.
#[derive(Clone, PartialEq, Eq)]
pub struct SendOptions {
    /// The deadline for queueing, sending and reading the reply: 1 ms to 2,147,483,647 ms. Default: 30 s.
    pub timeout: Duration,
    /// The most bytes of a reply that are read, at most 16,777,216. Default: 1,048,576.
    pub max_reply_bytes: u32,
    /// How often a trade is tried again if its transport proves that it was not sent, at most 10. Default: 0. Nothing else is
    /// ever tried again.
    pub retry_not_sent: u32,
    /// How long a [gateway](super::ClientBuilder::gateway) that has not confirmed the trade may be asked again, from the first
    /// send on, in whole milliseconds up to 2,147,483,647. Default: 5 s. Asking repeats the request: if the first one never
    /// arrived, the repeated one makes the trade, at the price of that moment. After this time the outcome is unknown.
    pub ask_again_within: Duration,
    /// Checks everything and sends nothing: each trade ends as `not_sent`, with the code `dry_run`.
    pub dry_run: bool,
    /// Headers for every trade, in addition to the client's own.
    pub headers: Vec<(String, String)>,
}

impl fmt::Debug for SendOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SendOptions { timeout, max_reply_bytes, retry_not_sent, ask_again_within, dry_run, headers } =
            self;
        let names: Vec<&str> = headers.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("SendOptions")
            .field("timeout", timeout)
            .field("max_reply_bytes", max_reply_bytes)
            .field("retry_not_sent", retry_not_sent)
            .field("ask_again_within", ask_again_within)
            .field("dry_run", dry_run)
            .field("headers", &names)
            .finish()
    }
}

impl Default for SendOptions {
    fn default() -> Self {
        SendOptions::of(&Sending::default())
    }
}

impl SendOptions {
    pub(super) fn of(sending: &Sending) -> Self {
        let terms = &sending.terms;
        SendOptions {
            timeout: Duration::from_millis(sending.timeout_ms.into()),
            max_reply_bytes: terms.max_reply_bytes,
            retry_not_sent: terms.retry_not_sent,
            ask_again_within: Duration::from_millis(terms.ask_again_within_ms.into()),
            dry_run: terms.dry_run,
            headers: terms.headers.more.clone(),
        }
    }

    /// Checks the options, and returns `terms` with them in place.
    pub(super) fn applied(self, terms: &Terms) -> Result<Sending, TradeError> {
        let out_of_range = |option, what| Err(bad_option(option, FieldCode::OutOfRange, what));
        let timeout_ms = timeout_ms(self.timeout)?;
        if !(1..=MOST_REPLY_BYTES).contains(&self.max_reply_bytes) {
            return out_of_range("max_reply_bytes", "must be from 1 to 16777216");
        }
        if self.retry_not_sent > MOST_RETRIES {
            return out_of_range("retry_not_sent", "must be from 0 to 10");
        }
        if self.ask_again_within > MAX_TIMEOUT {
            return out_of_range("ask_again_within", "must be at most 2147483647 ms");
        }
        let mut terms = terms.clone();
        terms.ask_again_within_ms = self.ask_again_within.as_millis() as u32;
        terms.max_reply_bytes = self.max_reply_bytes;
        terms.retry_not_sent = self.retry_not_sent;
        terms.dry_run = self.dry_run;
        terms.headers.more = self.headers;
        if let Some(HeaderProblem { which, code, what }) = terms.headers.problem() {
            return Err(bad_option(which, code, what));
        }
        Ok(Sending { terms: Arc::new(terms), timeout_ms })
    }
}

/// A deadline in whole milliseconds.
pub(super) fn timeout_ms(timeout: Duration) -> Result<u32, TradeError> {
    if !(Duration::from_millis(1)..=MAX_TIMEOUT).contains(&timeout) {
        return Err(bad_option("timeout", FieldCode::OutOfRange, "must be from 1 ms to 2147483647 ms"));
    }
    Ok(timeout.as_millis() as u32)
}
