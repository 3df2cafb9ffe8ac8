//! Simulated faults: from a script, or at random from a seed.

use super::draws::Draws;
use super::fault_plan::{Delivery, EarlyReply, Execution, FaultPlan, ReplyCut};
use super::row::Count;
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::reader::{MOST_TIMER_MS, Reader};
use launchpad_desk::bindings::record;
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::Refusal;

record! {
    /// What goes wrong, and how.
    Fault {
        /// What goes wrong. `none`: nothing but the delays. Nothing is executed: `refused` (no connection), `dropped` (it ends
        /// without an answer), `rateLimited` (429 with `retry-after`), `errorBefore` (`status`). Executed: `errorAfter`
        /// (`status`, although it was executed), `noAnswer` (the connection ends first), `truncated` (it ends in the middle of
        /// the body), `garbled` (the body has a byte that is not UTF-8). `transactionFails`: it fails with `refusal`; the
        /// network fee is charged.
        kind: FaultKind => "FaultKind",
        /// Milliseconds before the answer begins, at most 2147483647. Default: 0.
        latency_ms: u32 => "number" optional,
        /// Milliseconds that the body takes from its first byte to its last, at most 2147483647. Default: 0.
        body_ms: u32 => "number" optional,
        /// The status of `errorBefore` and `errorAfter`, 400 to 599. Default: 503.
        status: u16 => "number" optional,
        /// Why the transaction of `transactionFails` fails. Default: as if the price had moved past the slippage.
        refusal: Option<Refusal> => "RefusalCode" optional,
        /// What `rateLimited` asks to wait, in milliseconds. Default: 1000.
        retry_after_ms: u32 => "number" optional,
    }
}

codes! {
    /// What goes wrong with one request.
    #[non_exhaustive]
    FaultKind {
        /// Nothing but the delays.
        None = "none",
        /// The connection is refused. Nothing is executed.
        Refused = "refused",
        /// 429 with `retry-after` (`retryAfterMs`). Nothing is executed.
        RateLimited = "rateLimited",
        /// An error (`status`). Nothing is executed.
        ErrorBefore = "errorBefore",
        /// An error (`status`), although the trade was executed.
        ErrorAfter = "errorAfter",
        /// The trade is executed, and the connection ends without an answer.
        NoAnswer = "noAnswer",
        /// The trade is executed, and the connection ends in the middle of the body.
        Truncated = "truncated",
        /// The trade is executed, and the body has a byte that is not UTF-8.
        Garbled = "garbled",
        /// The transaction fails (`refusal`): the network fee is charged.
        TransactionFails = "transactionFails",
        /// The connection ends without an answer. Nothing is executed.
        Dropped = "dropped",
    }
}

record! {
    /// The faults of a sandbox: first the script, one for each request in turn; after its end, at random.
    #[derive(Default)]
    FaultConfig {
        /// One fault for each request in turn; kind `none` for no fault. Default: none.
        script: Vec<Fault> => "Fault[]" optional,
        /// The faults to choose from at random, after the script. Default: none.
        one_of: Vec<Fault> => "Fault[]" optional,
        /// How often a fault occurs, in basis points of the requests. Default: 10000, every request.
        chance_bps: u16 => "number" optional,
        /// The seed of the random choice. Default: 0.
        seed: u64 => "number | bigint | string" optional,
    }
}

/// A time to wait; 0 if absent.
fn wait(reader: &mut Reader, name: &'static str) -> u32 {
    reader.whole_within(name, 0, MOST_TIMER_MS).unwrap_or(0) as u32
}

/// The service behaves normally.
impl Default for Fault {
    fn default() -> Self {
        let (latency_ms, body_ms, retry_after_ms) = (0, 0, 1_000);
        Fault { kind: FaultKind::None, latency_ms, body_ms, status: 503, refusal: None, retry_after_ms }
    }
}

record! {
    /// The faults that were set while the sandbox ran. They replace those in its settings.
    #[derive(Default)]
    FaultsRow {
        /// What goes wrong; nothing if there are no faults in it.
        faults: FaultConfig => "FaultConfig",
        /// How many requests came before: the script begins with the next.
        since: Count => "number",
    }
}

impl FaultsRow {
    pub(super) fn read(reader: &mut Reader) -> Self {
        FaultsRow {
            faults: reader.need("faults", |r, name| r.object(name, FaultConfig::read_any)),
            since: Count::new(reader.need("since", |r, name| r.whole_within(name, 0, (1 << 53) - 1))),
        }
    }
}

impl Fault {
    fn read(reader: &mut Reader) -> Self {
        let kind = reader.need("kind", |r, name| r.choice(name, FaultKind::NAMED).map(Some));
        Fault {
            kind: kind.unwrap_or(FaultKind::None),
            latency_ms: wait(reader, "latencyMs"),
            body_ms: wait(reader, "bodyMs"),
            status: reader.whole_within("status", 400, 599).map_or(503, |status| status as u16),
            refusal: reader.choice("refusal", Refusal::NAMED),
            retry_after_ms: reader.count("retryAfterMs", 0).unwrap_or(1_000),
        }
    }

    /// What happens to a request with this fault.
    pub(super) fn plan(&self) -> FaultPlan {
        let (latency_ms, body_ms) = (self.latency_ms, self.body_ms);
        let plan = FaultPlan {
            delivery: Delivery { latency_ms, body_ms, ..Delivery::default() },
            ..FaultPlan::default()
        };
        let cut = |cut| FaultPlan { delivery: Delivery { cut, ..plan.delivery }, ..plan };
        let dropped = |to| FaultPlan { early: Some(EarlyReply::Status(503)), ..cut(to) };
        match self.kind {
            FaultKind::None => plan,
            FaultKind::Refused => dropped(ReplyCut::NoConnection),
            FaultKind::Dropped => dropped(ReplyCut::BeforeReply),
            FaultKind::RateLimited => {
                FaultPlan { early: Some(EarlyReply::TooMany { retry_after_ms: self.retry_after_ms }), ..plan }
            }
            FaultKind::ErrorBefore => FaultPlan { early: Some(EarlyReply::Status(self.status)), ..plan },
            FaultKind::ErrorAfter => FaultPlan { status_after: Some(self.status), ..plan },
            FaultKind::NoAnswer => cut(ReplyCut::BeforeReply),
            FaultKind::Truncated => cut(ReplyCut::WithinBody),
            FaultKind::Garbled => FaultPlan { is_garbled: true, ..plan },
            FaultKind::TransactionFails => FaultPlan { execution: Execution::Fails(self.refusal), ..plan },
        }
    }
}

impl FaultConfig {
    /// Reads faults; there may be none.
    pub(super) fn read_any(reader: &mut Reader) -> Self {
        FaultConfig {
            script: reader.list("script", Fault::read).unwrap_or_default(),
            one_of: reader.list("oneOf", Fault::read).unwrap_or_default(),
            chance_bps: reader.whole_within("chanceBps", 0, 10_000).map_or(10_000, |bps| bps as u16),
            seed: reader.whole("seed").unwrap_or(0),
        }
    }

    /// Reads faults; there must be at least one.
    pub(super) fn read(&mut self, reader: &mut Reader) {
        *self = FaultConfig::read_any(reader);
        if self.is_empty() {
            reader.refuse("script", FieldCode::Required, "or oneOf must have a fault");
        }
    }

    /// Whether any request may go wrong.
    pub(super) fn is_empty(&self) -> bool {
        self.script.is_empty() && self.one_of.is_empty()
    }

    /// What goes wrong with a request, given how many came before it.
    pub(super) fn of(&self, earlier: Count) -> Option<&Fault> {
        let place = usize::try_from(earlier.get()).ok();
        if let Some(scripted) = place.and_then(|place| self.script.get(place)) {
            return Some(scripted);
        }
        let mut draws = Draws::of(&["fault", &self.seed.digits(), &earlier.get().digits()]);
        let struck = draws.below(10_000) < u64::from(self.chance_bps);
        let chosen = draws.below(self.one_of.len() as u64) as usize;
        self.one_of.get(chosen).filter(|_| struck)
    }
}
