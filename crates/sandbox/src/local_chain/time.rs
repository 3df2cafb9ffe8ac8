//! Slots and blocks by the clock.

/// How long a slot takes.
const SLOT_MS: u64 = 400;
/// One slot in so many has no block, as on the real chain: code that confuses slots with heights is wrong by that much.
const SKIPPED: u64 = 20;
/// Slots until a block is finalized.
const FINAL_SLOTS: u64 = 32;

/// How sure the chain is of what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commitment {
    Processed,
    Confirmed,
    Finalized,
}

impl Commitment {
    pub(super) const NAMED: &[(&str, Commitment)] = &[
        ("processed", Commitment::Processed),
        ("confirmed", Commitment::Confirmed),
        ("finalized", Commitment::Finalized),
    ];

    /// The newest block that is this sure, when the newest of all is in this slot.
    pub(super) fn slot(self, newest: u64) -> u64 {
        let behind = match self {
            Commitment::Processed => 0,
            Commitment::Confirmed => 2,
            Commitment::Finalized => FINAL_SLOTS,
        };
        with_block(newest.saturating_sub(behind))
    }

    /// How sure a block is.
    pub(super) fn of(slot: u64, newest: u64) -> &'static str {
        let sure = Commitment::NAMED.iter().rev().find(|(_, commitment)| slot <= commitment.slot(newest));
        sure.map_or("processed", |(name, _)| name)
    }
}

/// The newest slot with a block at a time.
pub(super) fn slot_at(ms: u64) -> u64 {
    with_block(ms / SLOT_MS)
}

/// This slot, or the one before if it has no block.
fn with_block(slot: u64) -> u64 {
    if is_skipped(slot) { slot - 1 } else { slot }
}

pub(super) fn is_skipped(slot: u64) -> bool {
    slot % SKIPPED == SKIPPED - 1
}

/// How many blocks come before this one.
pub(super) fn height(slot: u64) -> u64 {
    slot - slot / SKIPPED
}

/// When a block was made, in seconds.
pub(super) fn block_time(slot: u64) -> u64 {
    slot * SLOT_MS / 1_000
}
