//! A trade that the record has not ended: what its lines have said so far.

use launchpad_desk::api::request::Request;
use launchpad_desk::api::response::Trade;
use launchpad_desk::api::validate::Valid;
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::tape::{Item, json};
use launchpad_desk::trade::journal::TradeIntent;
use launchpad_desk::trade::plan::Plan;

/// A trade that the record has not ended.
#[derive(Default)]
pub(super) struct Open {
    pub(super) line: u64,
    pub(super) plan: Option<Plan>,
    /// The line of a plan that is not as it was made. It counts only if it is sent.
    pub(super) altered: Option<u64>,
    pub(super) has_market: bool,
    /// The checksum of the plan that a person was asked for.
    pub(super) asked: Option<String>,
    pub(super) approved: Option<String>,
    pub(super) begun: Option<TradeIntent>,
    /// What its body asks for, if it can be read.
    pub(super) request: Option<Valid<Request>>,
    pub(super) is_in_flight: bool,
    pub(super) is_sent: bool,
    pub(super) is_unsent: bool,
    /// What was sent last has neither an answer nor a loss yet.
    pub(super) awaits: bool,
    /// What was sent last was lost.
    pub(super) is_lost: bool,
    /// In which run its plan, its begin and its evidence are: a program that was started again does not know what came before.
    pub(super) planned_in: u64,
    pub(super) begun_in: u64,
    pub(super) evidence_in: u64,
    pub(super) answers: Vec<Settlement>,
    pub(super) trade: Option<Trade>,
    pub(super) evidence: Option<Evidence>,
    pub(super) ended: Option<Settlement>,
    pub(super) answered_ms: Option<u64>,
    /// The status of an answer whose body was not read to the end.
    pub(super) unread_status: Option<u16>,
    pub(super) problems: u32,
}

/// What a line of evidence says.
pub(super) struct Evidence {
    pub(super) outcome: IntentOutcome,
    pub(super) reason: Option<String>,
    pub(super) signature: Option<String>,
    /// By how much each wallet's lamports moved.
    pub(super) moved: Vec<(String, Option<i128>)>,
}

/// Whether both are the same in JSON. Most are the same value, which is seen without writing them.
pub(super) fn are_alike(one: Option<Item>, other: Option<Item>) -> bool {
    one == other || one.map(json_of) == other.map(json_of)
}

fn json_of(item: Item) -> String {
    let mut text = String::new();
    json::write_item(item, &mut text);
    text
}
