//! Numbers of what drivers do in Rust and in TypeScript alike. `pkg/src/generated.ts` is written from them.

/// How many days' sums a journal keeps: far more than any limit looks back.
pub const SUMS_OF_DAYS: usize = 400;
/// The longest line of a file, in bytes: far longer than that of any trade.
pub const MAX_LINE: usize = 1 << 24;
/// By how many bytes a journal has grown, besides having doubled, when it is shortened.
pub const JOURNAL_GROWTH: u64 = 8 << 20;
/// How long a trade may take, in milliseconds, if no setting says so.
pub const TRADE_TIMEOUT_MS: u32 = 30_000;
/// How old a look of a market may be, in milliseconds, if no setting says so.
pub const MAX_AGE_MS: u64 = 10_000;
/// How long a node may take, in milliseconds, if no setting says so.
pub const NODE_TIMEOUT_MS: u64 = 10_000;
/// How often a node is asked for a new look, in milliseconds, if no setting says so.
pub const LOOK_EVERY_MS: u64 = 2_000;
/// The most bytes of a node's reply, if no setting says so: enough for a full page of signatures for each account of a large bundle.
pub const MOST_NODE_BYTES: u32 = 64 << 20;
/// The most bytes of a refusal that are read: a page has its title in them.
pub const MOST_REFUSAL_BYTES: u32 = 1 << 16;
/// How many empty pieces of a body may come in a row: an endless stream of them would starve the deadline.
pub const MOST_EMPTY: u32 = 1_000;
/// How long connecting may take, in milliseconds: shorter than the deadline of a trade, so that a failure to connect proves that nothing was
/// sent.
pub const CONNECT_TIMEOUT_MS: u64 = 10_000;
/// How long a trade may be asked for again under its id, in milliseconds: a gateway remembers ids for at least a day, and would make one that it
/// has forgotten as a new trade.
pub const REMEMBERED_MS: u64 = 12 * 3_600_000;
/// How long an idle connection is kept, in milliseconds. Services close theirs after 5 seconds and more; one that closes under a request
/// leaves its outcome unknown.
pub const KEEP_ALIVE_MS: u64 = 4_000;
