//! What the rivals around one token of a calm market want to do, step by step. That follows only from the seed, the token, the
//! step and what the curve did.

use super::character::{Behaviour, Character, TraderKind};
use super::draws::Draws;
use super::market::MarketConfig;
use super::name;
use super::row::{Count, CrowdRow, RivalHolding, TokenRow};
use crate::launchpad::Launchpad;
use crate::launchpad::quote::Side;

/// For how many steps after a launch snipers buy.
const SNIPING_STEPS: u64 = 6;

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
        let mut crowd = CrowdRow {
            mint: token.mint.clone(),
            character,
            since_ms: now_ms,
            anchor_lamports: token.virtual_sol_reserves,
            ..CrowdRow::default()
        };
        let held = std::mem::take(&mut token.rival_tokens);
        if let Some(launch) = character.behaviour().launch() {
            crowd.open(launch, market);
            crowd.settle(launch, held, u64::try_from(token.rival_lamports).unwrap_or(0));
            return crowd;
        }
        let dumpers = held / 6;
        for (trader, tokens) in [(TraderKind::Dumper, dumpers), (TraderKind::Holder, held - dumpers)] {
            if tokens > 0 {
                crowd.rival(trader, &name::rival(trader.as_str(), 0)).tokens = tokens;
            }
        }
        crowd
    }

    /// All base units that they hold.
    pub(super) fn tokens(&self) -> u128 {
        self.rivals.iter().map(|rival| u128::from(rival.tokens)).sum()
    }

    /// What one of them holds; adds an empty holding if there is none.
    pub(super) fn rival(&mut self, trader: TraderKind, wallet: &str) -> &mut RivalHolding {
        let at = self.rivals.iter().position(|rival| rival.wallet == wallet).unwrap_or_else(|| {
            self.rivals.push(RivalHolding {
                wallet: wallet.to_owned(),
                trader,
                tokens: 0,
                spent_lamports: 0,
            });
            self.rivals.len() - 1
        });
        &mut self.rivals[at]
    }

    fn holding(&self, trader: TraderKind, wallet: u64) -> Option<&RivalHolding> {
        let id = name::rival(trader.as_str(), wallet);
        self.rivals
            .iter()
            .find(|rival| rival.trader == trader && rival.wallet == id)
            .filter(|rival| rival.tokens > 0)
    }

    /// How far the curve has moved recently, in basis points of its lamports.
    fn movement_bps(&self, token: &TokenRow) -> i128 {
        let (now, then) = (i128::from(token.virtual_sol_reserves), i128::from(self.anchor_lamports.max(1)));
        (now - then) * 10_000 / then
    }

    /// What a rival of this kind wants to do in a step, if anything. `age` is the number of steps since its launch.
    pub(super) fn order(
        &self,
        trader: TraderKind,
        launchpad: &Launchpad,
        token: &TokenRow,
        max_lamports: u64,
        age: u64,
        draws: &mut Draws,
    ) -> Option<RivalOrder> {
        let Behaviour::Steady(activity) = self.character.behaviour() else { return None };
        let mut happens = |of_10_000: u64| draws.below(10_000) < of_10_000;
        let order = |wallet, side, amount: u64| {
            let wallet = name::rival(trader.as_str(), wallet);
            Some(RivalOrder { trader, wallet, side, amount }).filter(|order| order.amount > 0)
        };
        let part = |tokens: u64, percent: u64| (u128::from(tokens) * u128::from(percent) / 100) as u64;
        match trader {
            TraderKind::Sniper if age < SNIPING_STEPS => {
                let wallet = age % trader.wallets();
                // Snipers buy only new tokens.
                let is_fresh = token.real_token_reserves / 9 >= token.issued_tokens / 10;
                let buys = is_fresh && self.holding(trader, wallet).is_none() && happens(6_000);
                let lamports = max_lamports / 2 + 1 + draws.below(max_lamports / 2);
                order(wallet, Side::Buy, lamports).filter(|_| buys)
            }
            TraderKind::Sniper => {
                let tires = happens(20);
                let wallet = draws.below(trader.wallets());
                let held = self.holding(trader, wallet)?;
                let sold = token.sells(launchpad, held.tokens, held.tokens).ok()?;
                let has_doubled = sold.wallet_lamports / 2 >= held.spent_lamports;
                order(wallet, Side::Sell, held.tokens).filter(|_| has_doubled || tires)
            }
            TraderKind::Dumper => {
                let dumps = happens(activity.dump);
                let buys = age < 50 && happens(400);
                let percent = 10 + draws.below(30);
                match self.holding(trader, 0) {
                    Some(held) if dumps && self.movement_bps(token) >= 0 => {
                        // A small remainder is sold at once.
                        let all = held.tokens < token.issued_tokens / 2_000;
                        order(0, Side::Sell, part(held.tokens, if all { 100 } else { percent }))
                    }
                    None if buys => order(0, Side::Buy, max_lamports),
                    _ => None,
                }
            }
            TraderKind::Momentum => {
                let movement = self.movement_bps(token);
                let (rises, falls) = (happens(activity.momentum), happens(2 * activity.momentum));
                let wallet = draws.below(trader.wallets());
                if movement > 150 && rises {
                    return order(wallet, Side::Buy, 1 + draws.below(max_lamports));
                }
                let percent = 30 + draws.below(71);
                let held = self.holding(trader, wallet).filter(|_| movement < -150 && falls)?;
                order(wallet, Side::Sell, part(held.tokens, percent))
            }
            TraderKind::Noise => {
                if !happens(activity.noise) {
                    return None;
                }
                let buys = happens(activity.buys);
                let wallet = draws.below(trader.wallets());
                let percent = 1 + draws.below(activity.sells_percent);
                match self.holding(trader, wallet) {
                    Some(held) if !buys => order(wallet, Side::Sell, part(held.tokens, percent)),
                    _ => order(wallet, Side::Buy, 1 + draws.below(max_lamports / activity.spends_one_of + 1)),
                }
            }
            _ => None,
        }
    }
}
