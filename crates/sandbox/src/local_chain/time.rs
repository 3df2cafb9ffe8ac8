//! Slots and blocks by the clock.

use launchpad_desk::market::read::Commitment;

/// How long a slot takes.
const SLOT_MS: u64 = 400;
/// One slot in so many has no block, as on the real chain: code that confuses slots with heights is wrong by that much.
const SKIPPED: u64 = 20;
/// Slots until a block is finalized.
const FINAL_SLOTS: u64 = 32;

/// The newest block that is this sure, when the newest of all is in this slot.
pub(super) fn newest_of(sure: Commitment, newest: u64) -> u64 {
    let behind = match sure {
        Commitment::Processed => 0,
        Commitment::Confirmed => 2,
        Commitment::Finalized => FINAL_SLOTS,
    };
    with_block(newest.saturating_sub(behind))
}

/// How sure the block of a slot is.
pub(super) fn how_sure(slot: u64, newest: u64) -> Commitment {
    let sure = Commitment::ALL.into_iter().rev().find(|sure| slot <= newest_of(*sure, newest));
    sure.unwrap_or(Commitment::Processed)
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
