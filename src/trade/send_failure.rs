//! What it means if no complete reply comes back.

use crate::error::{Code, Error, Outcome};
use crate::trade::guard::{Mode, Suspension};

/// The error of a trade that got no complete reply. `detail` completes the code's sentence: an error code, a number of
/// milliseconds or bytes, or what a runtime lacks.
///
/// ```
/// use launchpad_desk::trade::send_failure;
/// use launchpad_desk::error::{Code, Outcome};
/// assert_eq!(send_failure(Code::ConnectFailed, "ECONNREFUSED").outcome, Outcome::NotSent);
/// assert_eq!(send_failure(Code::Timeout, "30000").outcome, Outcome::Unknown);
/// ```
pub fn send_failure(code: Code, detail: &str) -> Error {
    let (before, after) = match code {
        Code::UnsupportedRuntime => ("", detail),
        Code::AbortedBeforeSend => ("aborted before sending", ""),
        Code::TimeoutBeforeSend => ("the deadline passed before sending", ""),
        Code::JournalFailed => ("the journal could not record it", ""),
        Code::HookFailed if detail.is_empty() => ("the hook before the send threw", ""),
        Code::HookFailed => ("the hook before the send returned something that cannot be used", detail),
        Code::ApiKeyUnavailable => ("there is no usable API key", ""),
        Code::DryRun => ("this was a dry run, and every check passed", ""),
        Code::ConnectFailed => ("no connection to the service", detail),
        Code::NetworkError => ("the connection gave no answer", detail),
        Code::Timeout => ("no complete answer within ", detail),
        Code::Aborted => ("aborted after it was sent", ""),
        Code::ReplyTooLarge => ("the reply is over ", detail),
        // No other code is about a lost reply, so assume that the trade may have been made.
        _ => return send_failure(Code::NetworkError, detail),
    };
    sentence(code, before, after)
}

/// The error of a trade whose reply broke off.
pub(super) fn answer_broke_off(detail: &str) -> Error {
    sentence(Code::NetworkError, "the answer broke off", detail)
}

/// The error of a journal that could not record what stops trading, which now is this.
pub fn suspension_not_kept(now: Suspension) -> Error {
    let mode = now.mode.unwrap_or(Mode::Active).as_str();
    let message = ["not recorded: the client is ", mode, ", but a restart may undo that"].concat();
    Error::new(Code::JournalFailed, message)
}

fn sentence(code: Code, before: &str, after: &str) -> Error {
    let prefix = if code.outcome() == Outcome::NotSent { "not sent: " } else { "outcome unknown: " };
    let message = match code {
        Code::Timeout => [prefix, before, after, " ms"].concat(),
        Code::ReplyTooLarge => [prefix, before, after, " bytes"].concat(),
        _ if before.is_empty() || after.is_empty() => [prefix, before, after].concat(),
        _ => [prefix, before, " (", after, ")"].concat(),
    };
    Error::new(code, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_lost_before_the_wire_was_not_sent() {
        let not_sent = [
            (Code::UnsupportedRuntime, "no fetch", "not sent: no fetch"),
            (Code::AbortedBeforeSend, "", "not sent: aborted before sending"),
            (Code::TimeoutBeforeSend, "", "not sent: the deadline passed before sending"),
            (Code::JournalFailed, "", "not sent: the journal could not record it"),
            (Code::HookFailed, "", "not sent: the hook before the send threw"),
            (
                Code::HookFailed,
                "before[0].tokens is missing",
                "not sent: the hook before the send returned something that cannot be used (before[0].tokens is missing)",
            ),
            (Code::ApiKeyUnavailable, "", "not sent: there is no usable API key"),
            (Code::DryRun, "", "not sent: this was a dry run, and every check passed"),
            (Code::ConnectFailed, "ENOTFOUND", "not sent: no connection to the service (ENOTFOUND)"),
        ];
        let unknown = [
            (Code::Timeout, "5", "outcome unknown: no complete answer within 5 ms"),
            (Code::Aborted, "", "outcome unknown: aborted after it was sent"),
            (Code::ReplyTooLarge, "9", "outcome unknown: the reply is over 9 bytes"),
            (Code::NetworkError, "", "outcome unknown: the connection gave no answer"),
            (Code::NetworkError, "EPIPE", "outcome unknown: the connection gave no answer (EPIPE)"),
        ];
        for (outcome, cases) in [(Outcome::NotSent, &not_sent[..]), (Outcome::Unknown, &unknown[..])] {
            for (code, detail, message) in cases {
                let error = send_failure(*code, detail);
                assert_eq!((error.outcome, error.code, error.message.as_str()), (outcome, *code, *message));
            }
        }
        assert_eq!(answer_broke_off("EPIPE").message, "outcome unknown: the answer broke off (EPIPE)");
        assert_eq!(answer_broke_off("").outcome, Outcome::Unknown);
        // A code that is not about a lost reply does not turn a trade that may have been made into one that was not.
        assert_eq!(send_failure(Code::Halted, ""), send_failure(Code::NetworkError, ""));
    }
}
