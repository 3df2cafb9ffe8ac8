//! How a trade ended: what answers, evidence and its recorded end say, and whether they fit.

use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::bindings::reader;
use launchpad_desk::error::Code;
use launchpad_desk::intent::{IntentOutcome, Settlement};
use launchpad_desk::tape::{Data, Item};

use super::open::{Evidence, Open};
use super::report::RecordProblemCode as Problem;
use crate::hash::bytes_of;

/// The answer, and whether its body was read to the end.
pub(super) fn reply_of(data: Item) -> Option<(Reply, bool)> {
    let status = reader::read(data, |r| {
        let status = r.need("status", |r, name| r.whole_within(name, 0, 65_535)) as u16;
        r.ignore_rest();
        status
    });
    let headers = data.get("headers").and_then(Item::fields).into_iter().flatten();
    let headers =
        headers.filter_map(|(name, value)| Some((name.to_owned(), value.text()?.to_owned()))).collect();
    let body = match (data.text_of("body"), data.text_of("bodyHex")) {
        (Some(body), _) => Some(body.as_bytes().to_vec()),
        (None, Some(hex)) => Some(bytes_of(hex)?),
        (None, None) => None,
    };
    let is_whole = body.is_some();
    Some((Reply { status: status.ok()?, headers, body: body.unwrap_or_default() }, is_whole))
}

pub(super) fn settlement_of(data: Item) -> Option<Settlement> {
    let read = reader::read(data, |r| {
        let outcome = r.needed("outcome", |r, name| r.choice(name, IntentOutcome::NAMED));
        Settlement {
            outcome: outcome.unwrap_or(IntentOutcome::Unknown),
            code: r.choice("code", Code::NAMED),
            status: r.whole_within("status", 0, 65_535).map(|status| status as u16),
            signature: r.text("signature").map(str::to_owned),
            proven: r.boolean("proven").unwrap_or(false),
        }
    });
    read.ok()
}

pub(super) fn evidence_of(data: Item) -> Option<Evidence> {
    let outcome = IntentOutcome::from_name(data.text_of("outcome")?)?;
    let findings = data.get("reconciled").and_then(|reconciled| reconciled.get("findings"));
    let findings = findings.and_then(Item::items);
    let signed = |item: Item| match item.data() {
        Data::String(text) | Data::BigInt(text) | Data::Number(text) => text.parse().ok(),
        Data::Integer(integer) => Some(i128::from(integer)),
        _ => None,
    };
    let moved = findings.into_iter().flatten().filter_map(|finding| {
        let lamports = finding.get("lamportsMoved").and_then(signed);
        Some((finding.text_of("wallet")?.to_owned(), lamports))
    });
    let moved = moved.collect();
    let text = |name| data.text_of(name).map(str::to_owned);
    Some(Evidence { outcome, reason: text("reason"), signature: text("signature"), moved })
}

/// What no trade that was begun can end with, whatever its answers say.
pub(super) fn end_problem(
    open: &Open,
    settlement: &Settlement,
    run: u64,
    is_gateway: bool,
) -> Option<(Problem, &'static str)> {
    use IntentOutcome::{DidNotLand, NotSent, Unknown};
    let Settlement { outcome, code, status, proven, .. } = settlement;
    let is_first = open.ended.is_none();
    if open.ended.as_ref().is_some_and(|ended| ended.outcome != Unknown || *outcome == Unknown)
        && !is_gateway
        && !proven
    {
        return Some((Problem::EndedTwice, "it had ended before"));
    }
    // A program that was killed before it sent may have left a trade that did not land.
    if !open.is_sent && !matches!(outcome, NotSent | DidNotLand) {
        return Some((Problem::NeverSent, "it has an end of a trade that was sent, and was not sent"));
    }
    if is_gateway {
        return None;
    }
    if open.is_unsent && !matches!(outcome, NotSent | DidNotLand) {
        return Some((Problem::AnswerDiffers, "nothing of it was sent, and it counts as sent"));
    }
    let is_lost = *outcome == Unknown && status.is_none() && *code == Some(Code::NetworkError);
    if is_first && is_lost && !open.is_lost {
        return Some((Problem::AnswerDiffers, "it counts as lost, and no line says so"));
    }
    let is_told = status.is_none() && code.is_none() && !proven;
    if is_first && is_told && open.is_in_flight && open.begun_in == run {
        return Some((Problem::AnswerDiffers, "a person has ended it before its program did"));
    }
    let is_known =
        open.evidence_in == run && open.evidence.as_ref().is_some_and(|evidence| proves(evidence, *outcome));
    if is_told && is_known {
        return Some((Problem::Unproven, "evidence proves it, and it does not count as proven"));
    }
    None
}

pub(super) fn proves(evidence: &Evidence, outcome: IntentOutcome) -> bool {
    use IntentOutcome::{DidNotLand, Failed, Landed, NotSent};
    matches!(
        (evidence.outcome, outcome),
        (Landed, Landed) | (Failed, Failed | DidNotLand) | (DidNotLand, DidNotLand | NotSent)
    )
}

/// What is wrong with how a trade is said to have ended.
pub(super) fn settle_problem(open: &Open, settlement: &Settlement) -> Option<(Problem, &'static str)> {
    let Settlement { outcome, status, proven, .. } = settlement;
    if *proven {
        let fits = open.evidence.as_ref().is_some_and(|evidence| {
            proves(evidence, *outcome)
                && (evidence.signature.is_none() || evidence.signature == settlement.signature)
        });
        return (!fits).then_some((Problem::Unproven, "it counts as proven, and no evidence says so"));
    }
    if status.is_some() {
        let says = |answer: &Settlement| {
            answer.outcome == *outcome
                && answer.code == settlement.code
                && answer.signature == settlement.signature
                && answer.status == *status
        };
        // Without its whole body an answer may leave it open.
        let is_unread = *outcome == IntentOutcome::Unknown && open.unread_status == *status;
        // Its signature may be that of a trade before this record.
        let is_anothers = *outcome == IntentOutcome::Unknown
            && settlement.code == Some(Code::ContradictoryReply)
            && settlement.signature.is_none()
            && open.answers.iter().any(|answer| answer.signature.is_some() && answer.status == *status);
        let fits = is_unread || is_anothers || open.answers.iter().any(says);
        return (!fits).then_some((Problem::AnswerDiffers, "no answer in the record says so"));
    }
    match outcome {
        // A deadline may end the wait for an answer that comes all the same.
        IntentOutcome::Unknown => None,
        IntentOutcome::NotSent if open.is_in_flight && !open.is_unsent => {
            Some((Problem::AnswerDiffers, "it counts as not sent, and nothing proves that"))
        }
        IntentOutcome::NotSent => None,
        // A person said so, of a trade without an answer, or with one that leaves it open.
        _ if settlement.code.is_none() => open
            .answers
            .iter()
            .any(|answer| answer.outcome != IntentOutcome::Unknown && answer.outcome != *outcome)
            .then_some((Problem::AnswerDiffers, "an answer in the record says otherwise")),
        _ => Some((Problem::AnswerDiffers, "no answer in the record says so")),
    }
}
