//! The rivals around one token of a living market, and what each of them holds.

use super::character::{Character, TraderKind};
use super::market::MarketConfig;
use super::row::{Count, CrowdRow, RivalHolding, TokenRow};
use launchpad_desk::launchpad::quote::Side;

/// What a rival wants to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RivalOrder {
    pub(super) trader: TraderKind,
    pub(super) wallet: String,
    pub(super) side: Side,
    /// Lamports of a buy, fees included; base units of a sell.
    pub(super) amount: u64,
}

impl CrowdRow {
    /// The rivals around a token as it is now, with the tokens that rivals already hold.
    pub(super) fn gather(
        token: &mut TokenRow,
        character: Character,
        market: &MarketConfig,
        now_ms: Count,
    ) -> CrowdRow {
        let mut crowd =
            CrowdRow { mint: token.mint.clone(), character, since_ms: now_ms, ..CrowdRow::default() };
        let held = std::mem::take(&mut token.rival_tokens);
        let launch = character.launch();
        crowd.open(launch, market);
        crowd.settle(launch, held);
        crowd
    }

    /// All base units that they hold.
    pub(super) fn tokens(&self) -> u128 {
        self.rivals.iter().map(|rival| u128::from(rival.tokens)).sum()
    }

    /// What one of them holds; adds an empty holding if there is none.
    pub(super) fn rival(&mut self, trader: TraderKind, wallet: &str) -> &mut RivalHolding {
        let at = self.rivals.iter().position(|rival| rival.wallet == wallet).unwrap_or_else(|| {
            self.rivals.push(RivalHolding { wallet: wallet.to_owned(), trader, tokens: 0 });
            self.rivals.len() - 1
        });
        &mut self.rivals[at]
    }
}
