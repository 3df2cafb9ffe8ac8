//! When a landed trade is compared with its quote: some seconds after it has landed, and later again while the market does not show it.

/// The most landed trades that wait to be compared.
pub const MOST_COMPARED: usize = 16;
/// After how many milliseconds a landed trade is compared, and then after each time its transaction was not seen.
const AFTER_MS: [u32; 4] = [2_000, 4_000, 8_000, 16_000];

/// One landed trade, until it is compared. A machine: [`next`](Comparison::next) takes what came of the last question, and says what to do.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    asked: usize,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompareStep {
    /// Wait so many milliseconds, and ask the market.
    AskAfter(u32),
    /// Ask no more, and say why the trade is not compared.
    Report,
    /// Ask no more: a market that knows no transactions, or none of this wallet, is no reason to write of each trade.
    Drop,
}

impl Comparison {
    /// What to do once the trade has landed, or after the market was asked in vain: with an error of this code, if it has one.
    pub fn next(&mut self, code: Option<&str>) -> CompareStep {
        let may_pass = self.asked == 0 || matches!(code, Some("no_transaction" | "unreachable"));
        let after_ms = AFTER_MS.get(self.asked).filter(|_| may_pass);
        self.asked += 1;
        match (after_ms, code) {
            (Some(ms), _) => CompareStep::AskAfter(*ms),
            (None, Some("no_history" | "no_address")) => CompareStep::Drop,
            (None, _) => CompareStep::Report,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CompareStep::*, Comparison};

    #[test]
    fn a_transaction_that_is_not_seen_is_asked_for_four_times() {
        let mut comparison = Comparison::default();
        let unseen = Some("no_transaction");
        let steps = [None, unseen, Some("unreachable"), unseen, unseen].map(|code| comparison.next(code));
        assert_eq!(steps, [AskAfter(2_000), AskAfter(4_000), AskAfter(8_000), AskAfter(16_000), Report]);
    }

    #[test]
    fn another_failure_ends_it_and_a_market_without_transactions_says_nothing() {
        for (code, end) in [
            (None, Report),
            (Some("no_such_code"), Report),
            (Some("no_history"), Drop),
            (Some("no_address"), Drop),
        ] {
            let mut comparison = Comparison::default();
            assert_eq!(comparison.next(None), AskAfter(2_000));
            assert_eq!(comparison.next(code), end);
        }
    }
}
