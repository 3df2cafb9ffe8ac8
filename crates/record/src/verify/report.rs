//! What a record says, and what is wrong in it.

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::{record, to_tape};
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::recording::RecordedTrade;
use launchpad_desk::tape::Number;

use crate::line::Head;

codes! {
    /// What is wrong with a line of a record. Append-only.
    #[non_exhaustive]
    RecordProblemCode {
        /// It is not a line of a record.
        Unreadable = "unreadable",
        /// It was changed after it was written.
        Changed = "changed",
        /// Lines before it are missing.
        Missing = "missing",
        /// It belongs further up, or is there twice.
        Moved = "moved",
        /// The record does not end where its head says.
        CutOff = "cut_off",
        /// The plan is not as it was made, or its body is not what the core writes for its request.
        PlanAltered = "plan_altered",
        /// The price of the plan is not the one that the rules give in its market.
        PriceDiffers = "price_differs",
        /// Other bytes were sent than planned or approved.
        NotAsApproved = "not_as_approved",
        /// It was sent although it waited for a person who has not approved it.
        NotApproved = "not_approved",
        /// The limits of the client would have refused it.
        OverLimits = "over_limits",
        /// It was sent after its plan had expired.
        SentLate = "sent_late",
        /// It was sent a second time, although it was not proven unsent.
        SentTwice = "sent_twice",
        /// It was sent before it was begun.
        NotBegun = "not_begun",
        /// The recorded end is not what the answer says.
        AnswerDiffers = "answer_differs",
        /// The recorded end counts as proven, and no evidence says so.
        Unproven = "unproven",
        /// It landed at a price beyond the bound of its plan.
        PastBound = "past_bound",
        /// The receipt is not the one that plan and answer give.
        ReceiptDiffers = "receipt_differs",
        /// It counts as made by the transaction of another trade.
        SharedSignature = "shared_signature",
        /// It has an answer or an end that only a sent trade has, and no line says that it was sent.
        NeverSent = "never_sent",
        /// Its lines cannot have come in this order.
        OutOfOrder = "out_of_order",
        /// It was begun or has ended a second time.
        EndedTwice = "ended_twice",
        /// Plan and answer give a receipt, and there is none.
        ReceiptMissing = "receipt_missing",
        /// Its plan is of a sandbox, and its answer does not say that it is.
        ModeDiffers = "mode_differs",
        /// Evidence shows that a buy took more lamports than were counted for it.
        OverAmount = "over_amount",
    }
}

codes! {
    /// What a record says about the price at which a trade landed. Append-only.
    #[non_exhaustive]
    RecordPrice {
        /// Exactly the one that the rules give in the market of its plan.
        Exact = "exact",
        /// Another one, within the bound of its plan: the market had moved.
        Within = "within",
        /// One beyond the bound of its plan.
        Past = "past",
        /// Neither plan, answer nor evidence says it.
        Unknown = "unknown",
    }
}

record! {
    /// What is wrong in a record, and where.
    RecordProblem {
        /// The line, from one; one past the last if the end is missing.
        line: Number => "number",
        /// The trade's id, if it is about one.
        intent_id: Option<String> => "string | null",
        /// The stable code.
        code: RecordProblemCode => "RecordProblemCode",
        /// A sentence for a person.
        message: String => "string",
    }
}

record! {
    /// What a record says about one trade.
    RecordCheck {
        /// Its id.
        intent_id: String => "string",
        /// What was asked for; `null` if it was not begun.
        operation: Option<Operation> => "Operation | null",
        /// The line of its plan or its begin, from one.
        line: Number => "number",
        /// Whether its plan is in the record.
        planned: bool => "boolean",
        /// Whether a person approved it.
        approved: bool => "boolean",
        /// Whether it was sent.
        sent: bool => "boolean",
        /// How it ended; `null` if the record does not say.
        outcome: Option<IntentOutcome> => "IntentOutcome | null",
        /// Whether evidence in the record proves that.
        proven: bool => "boolean",
        /// Whether it was only said later how it ended, by a person or a gateway, without evidence.
        acknowledged: bool => "boolean",
        /// The signature of its transaction.
        signature: Option<String> => "string | null",
        /// The price at which it landed.
        price: RecordPrice => "RecordPrice",
        /// How many problems it has.
        problems: u32 => "number",
    }
}

/// What was found in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many lines were read.
    pub lines: Number,
    /// How many trades were begun.
    pub trades: Number,
    /// How many problems were found.
    pub problems: Number,
    /// The number and the hash of the last line.
    pub head: Option<Head>,
}
to_tape!(Report { lines, trades, problems, head });

/// The trades of a record that landed, as a market replays them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordTape {
    /// The trades, by the time of their answers, in milliseconds since 1970: one for each wallet.
    pub trades: Vec<RecordedTrade>,
    /// How many have no place on it, because the record does not say how much was sold.
    pub left_out: u32,
}
