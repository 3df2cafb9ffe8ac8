//! How far the replay of a recording is.

use super::config::SandboxConfig;
use super::row::{Count, SkippedTrades};
use super::rows::Places;
use super::state::State;
use launchpad_desk::bindings::record;

record! {
    /// How far the replay of a recording is.
    Replay {
        /// How many of its trades were made.
        made: Count => "number",
        /// How many of its trades were not made, by reason.
        skipped: Vec<SkippedTrades> => "SkippedTrades[]",
        /// How many of its trades are not due yet.
        left: Count => "number",
        /// The mints among those that the sandbox has no token of now, in their order there. Unless one is
        /// launched, their trades will be skipped.
        without_token: Vec<TradesWithoutToken> => "TradesWithoutToken[]",
    }
}

record! {
    /// Recorded trades of a mint that the sandbox has no token of.
    TradesWithoutToken {
        /// The mint address.
        mint: String => "string",
        /// How many there are.
        trades: Count => "number",
    }
}

impl Replay {
    pub(super) fn of(config: &SandboxConfig, state: &State) -> Replay {
        let (recording, world) = (&config.market.replay, &state.world);
        let place = usize::try_from(world.replayed.get()).unwrap_or(usize::MAX);
        let left = recording.get(place..).unwrap_or_default();
        let mut without_token: Vec<TradesWithoutToken> = Vec::new();
        let mut places = Places::new();
        for trade in left.iter().filter(|trade| state.token(&trade.mint).is_none()) {
            let place = *places.entry(trade.mint.clone()).or_insert(without_token.len());
            match without_token.get_mut(place) {
                Some(row) => row.trades = row.trades.plus(1),
                None => {
                    without_token.push(TradesWithoutToken { mint: trade.mint.clone(), trades: Count::new(1) })
                }
            }
        }
        Replay {
            made: Count::new(world.replayed.get().saturating_sub(world.skipped_trades())),
            skipped: world.skipped.clone(),
            left: Count::new(left.len() as u64),
            without_token,
        }
    }
}

#[cfg(test)]
mod tests {
    use launchpad_desk::bindings::object;
    use launchpad_desk::tape::{ToTape, json};

    use crate::recording::{RecordedTrade, recording};
    use crate::{Sandbox, SandboxConfig};

    /// A market that lived for a minute.
    fn lived() -> Sandbox {
        let config = SandboxConfig::read(object! { "market": object! { "alive": true } }.root()).unwrap();
        let mut sandbox = Sandbox::new(config).unwrap();
        let changes = sandbox.advance(60_000).unwrap();
        sandbox.take(&changes);
        sandbox
    }

    #[test]
    fn a_tape_is_a_recording_as_it_is() {
        let trades = lived().market_trades();
        let found = recording(&json::write(&trades.to_tape())).unwrap();
        assert!(trades.len() > 100);
        let columns = |one: &RecordedTrade| (one.at_ms, one.mint.clone(), one.side, one.lamports, one.tokens);
        let due = trades
            .iter()
            .map(|one| (one.at_ms, one.mint.clone(), one.side, Some(one.lamports), Some(one.tokens)));
        assert!(found.iter().map(columns).eq(due));
        let given = object! { "market": object! { "replay": trades.to_tape() } };
        assert_eq!(SandboxConfig::read(given.root()).unwrap().market.replay, found, "as a list, too");
    }
}
