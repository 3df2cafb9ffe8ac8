//! How the rivals around a launched token come and go: attention fades, trades come in bursts, insiders
//! leave, and whoever bought sells again, sooner or later.
//!
//! Everything that happens next to a token is one draw of the time until then, by the rates of everything that could happen. So a
//! token that nobody looks at any more costs nothing.

use super::character::TraderKind;
use super::crowd::RivalOrder;
use super::draws::{Draws, doubled};
use super::launch_plan::Launch;
use super::market::MarketConfig;
use super::name;
use super::row::{Count, CrowdRow, RivalHolding, TokenRow};
use launchpad_desk::amount::Digits;
use launchpad_desk::launchpad::quote::Side;

/// How many buyers still come when all interest is gone, per billion milliseconds.
const FLOOR: u64 = 4;

/// By how much a buy of the typical size raises the number of buyers for a while: buyers follow buyers.
const HEAT: u64 = 18_000;

/// The most that one buy raises it.
const MOST_HEAT: u64 = 4 * HEAT;

/// How long until half of that is gone, in milliseconds.
const HEAT_HALVES_MS: u64 = 15_000;

/// How far interest in launches of one character varies: its deviation in doublings, in 65,536ths.
const INTEREST_VARIES: u64 = 65_536;

/// How far spends vary: the deviation in doublings, in 65,536ths.
const SPENDS_VARY: u64 = 108_000;

/// How many of 100 spends are from the heavy tail.
const TAIL_PERCENT: u64 = 4;

/// How heavy the tail is: doublings for each exponential draw, in 65,536ths. Its exponent is 1.44 divided by this.
const TAIL: u64 = 72_000;

/// For how long after a launch snipers come, in milliseconds.
const SNIPING_MS: u64 = 4_000;

/// Who sells less often than this never sells: the token is forgotten. Per billion milliseconds.
const GIVEN_UP: u64 = 60;

/// What happens next to a token.
enum Next {
    Buyer,
    Seller(usize),
    Nothing,
}

impl CrowdRow {
    /// The rivals around a new token, and when the first of them acts.
    pub(super) fn open(&mut self, launch: &Launch, market: &MarketConfig) {
        let mut draws = Draws::of(&["interest", &market.seed.digits(), &self.mint]);
        self.interest = Count::new(draws.log_normal(launch.interest, INTEREST_VARIES));
        self.due_ms = self.since_ms;
    }

    /// Splits what rivals hold at the start: a sixth to insiders, half to holders, the rest to buyers. Each paid the same price.
    pub(super) fn settle(&mut self, launch: &Launch, tokens: u64, paid_lamports: u64) {
        let groups = [
            (TraderKind::Insider, tokens / 6, launch.insiders),
            (TraderKind::Holder, tokens / 2, 8),
            (TraderKind::Noise, tokens - tokens / 6 - tokens / 2, 16),
        ];
        for (trader, held, wallets) in groups {
            for number in 0..wallets {
                let tokens_each = held / wallets + if number == 0 { held % wallets } else { 0 };
                let spent = u128::from(paid_lamports) * u128::from(tokens_each) / u128::from(tokens.max(1));
                let wallet = match trader {
                    TraderKind::Insider => insider(&self.mint, number),
                    _ => name::rival(trader.as_str(), number),
                };
                if tokens_each > 0 {
                    let spent_lamports = spent as u64;
                    self.rivals.push(RivalHolding { wallet, trader, tokens: tokens_each, spent_lamports });
                }
            }
        }
    }

    /// What rivals do at the time that was drawn, and what that is drawn from next.
    pub(super) fn act(
        &mut self,
        launch: &Launch,
        market: &MarketConfig,
        token: &TokenRow,
        now_ms: Count,
    ) -> Vec<RivalOrder> {
        let mut draws = self.draws(market);
        let most = market.most_lamports();
        if self.drawn.get() == 1 && self.rivals.is_empty() && token.real_sol_reserves == 0 {
            return self.opening(launch, most, &mut draws);
        }
        let now_ms = self.due_ms.min(now_ms);
        let buying = self.buying(launch, token, now_ms);
        let selling: Vec<u64> = self.selling(launch, token, now_ms).collect();
        // The time was drawn by rates that may have fallen since.
        match next(&mut draws, buying, &selling, self.rate.get()) {
            Next::Buyer => vec![self.buy(token, most, now_ms, &mut draws)],
            Next::Seller(index) => self.sell(launch, index, &mut draws),
            Next::Nothing => Vec::new(),
        }
    }

    /// Draws when rivals act next. Whoever else trades must call it, too: the rates follow the price.
    pub(super) fn wait(&mut self, launch: &Launch, market: &MarketConfig, token: &TokenRow, now_ms: Count) {
        self.anchor_lamports = self.anchor_lamports.max(token.virtual_sol_reserves);
        let selling: u64 = self.selling(launch, token, now_ms).fold(0, u64::saturating_add);
        let rate = self.buying(launch, token, now_ms).saturating_add(selling);
        self.rate = Count::new(rate);
        let gap = self.draws(market).exponential().saturating_mul(1_000_000_000) >> 16;
        self.due_ms = match gap.checked_div(rate) {
            Some(gap_ms) => now_ms.plus(gap_ms),
            None => Count::new(u64::MAX),
        };
    }

    /// Buyers follow a buyer.
    pub(super) fn heat_up(&mut self, market: &MarketConfig, lamports: u64, now_ms: Count) {
        let typical = market.most_lamports() / 100 + 1;
        let more =
            (u128::from(HEAT) * u128::from(lamports) / u128::from(typical)).min(MOST_HEAT.into()) as u64;
        self.heat = Count::new(self.heat_at(now_ms) + more);
        self.heat_ms = now_ms;
    }

    fn draws(&mut self, market: &MarketConfig) -> Draws {
        let draws = Draws::of(&["act", &market.seed.digits(), &self.mint, &self.drawn.get().digits()]);
        self.drawn = self.drawn.plus(1);
        draws
    }

    /// The trades in the launch's own step: the insiders' and those of the first snipers.
    fn opening(&self, launch: &Launch, most: u64, draws: &mut Draws) -> Vec<RivalOrder> {
        let spend = draws.log_normal(most / 100 * launch.bundle, SPENDS_VARY / 2) / launch.insiders;
        let insiders = (0..launch.insiders).map(|number| RivalOrder {
            trader: TraderKind::Insider,
            wallet: insider(&self.mint, number),
            side: Side::Buy,
            amount: spend.min(most),
        });
        let mut orders: Vec<RivalOrder> = insiders.collect();
        for _ in 0..draws.below(launch.snipers + 1) {
            orders.push(bought_by(TraderKind::Sniper, 80, most / 50, most, draws));
        }
        orders
    }

    /// How many buyers come now.
    fn buying(&self, launch: &Launch, token: &TokenRow, now_ms: Count) -> u64 {
        let age_ms = now_ms.get().saturating_sub(self.since_ms.get());
        let faded = (launch.fades_ms << 16) / (launch.fades_ms + age_ms);
        let interest = (((self.interest.get().min(1 << 40) * faded) >> 16) * faded) >> 16;
        let (raised, start) = (
            token.real_sol_reserves,
            token.virtual_sol_reserves - token.real_sol_reserves.min(token.virtual_sol_reserves),
        );
        let pulled = u128::from(interest)
            * (100 + u128::from(launch.pull) * u128::from(raised) / u128::from(start.max(1)))
            / 100;
        // Who sees a fallen price stays away: by the square of what is left of the lamports that were raised at the top.
        let least = start / 30;
        let top = self.anchor_lamports.saturating_sub(start);
        let left = ((u128::from(raised) + u128::from(least)) << 16)
            / (u128::from(top.max(raised)) + u128::from(least)).max(1);
        let mood = (left * left) >> 16;
        let heat = u128::from(self.heat_at(now_ms));
        FLOOR + ((((pulled + heat) * mood) >> 16).min(1 << 40)) as u64
    }

    fn heat_at(&self, now_ms: Count) -> u64 {
        let since_ms = now_ms.get().saturating_sub(self.heat_ms.get()).min(1 << 30);
        doubled(self.heat.get().min(1 << 40), -(((since_ms << 16) / HEAT_HALVES_MS) as i64))
    }

    /// How soon each of those who hold tokens sells.
    fn selling<'a>(
        &'a self,
        launch: &'a Launch,
        token: &'a TokenRow,
        now_ms: Count,
    ) -> impl Iterator<Item = u64> + 'a {
        let age_ms = now_ms.get().saturating_sub(self.since_ms.get());
        // Those who are left forget what they hold.
        let faded = (launch.fades_ms << 16) / (launch.fades_ms + age_ms);
        let (lamports, tokens) =
            (u128::from(token.virtual_sol_reserves), u128::from(token.virtual_token_reserves.max(1)));
        self.rivals.iter().map(move |rival| {
            let worth = u128::from(rival.tokens) * lamports / tokens;
            let gain = worth * 100 / u128::from(rival.spent_lamports.max(1));
            match rival.trader {
                TraderKind::Holder => (300 * faded) >> 16,
                TraderKind::Insider if gain >= 125 => launch.leaving * 4,
                TraderKind::Insider if gain >= 102 => launch.leaving,
                TraderKind::Insider => launch.leaving / 3,
                TraderKind::Sniper if gain >= 120 => 360_000,
                TraderKind::Sniper => 120_000,
                TraderKind::Scalper if gain >= 108 => 500_000,
                TraderKind::Scalper => 12_000,
                TraderKind::Momentum if !(85..150).contains(&gain) => 80_000,
                TraderKind::Momentum => 25_000,
                _ => {
                    let rate: u64 = match gain {
                        300.. => 60_000,
                        150.. => 30_000,
                        60.. => 16_000,
                        _ => 20_000,
                    };
                    ((rate * faded) >> 16).saturating_sub(GIVEN_UP)
                }
            }
        })
    }

    /// Who buys, and for how much.
    fn buy(&self, token: &TokenRow, most: u64, now_ms: Count, draws: &mut Draws) -> RivalOrder {
        let age_ms = now_ms.get().saturating_sub(self.since_ms.get());
        let typical = most / 100;
        // Within one percent of the top.
        let rises = token.virtual_sol_reserves >= self.anchor_lamports / 100 * 99;
        match draws.below(100) {
            ..40 if age_ms < SNIPING_MS => bought_by(TraderKind::Sniper, 80, 2 * typical, most, draws),
            ..15 => bought_by(TraderKind::Scalper, 40, typical, most, draws),
            15..40 if rises => bought_by(TraderKind::Momentum, 120, typical, most, draws),
            _ => bought_by(TraderKind::Noise, 2_000, typical, most, draws),
        }
    }

    /// What one of those who hold tokens sells; the insiders of a rug all sell at once.
    fn sell(&self, launch: &Launch, index: usize, draws: &mut Draws) -> Vec<RivalOrder> {
        let Some(seller) = self.rivals.get(index) else { return Vec::new() };
        let all = |rival: &RivalHolding| RivalOrder {
            trader: rival.trader,
            wallet: rival.wallet.clone(),
            side: Side::Sell,
            amount: rival.tokens,
        };
        if seller.trader == TraderKind::Insider && launch.together {
            let insiders = self.rivals.iter().filter(|rival| rival.trader == TraderKind::Insider);
            return insiders.map(all).collect();
        }
        let percent = match seller.trader {
            TraderKind::Noise if draws.below(10) < 4 => 20 + draws.below(60),
            _ => 100,
        };
        let amount = (u128::from(seller.tokens) * u128::from(percent) / 100) as u64;
        vec![RivalOrder { amount: amount.max(1), ..all(seller) }]
    }
}

/// What happens at a drawn time, by the rates of now; they may be less than `drawn_by`, by which the time was drawn.
fn next(draws: &mut Draws, buying: u64, selling: &[u64], drawn_by: u64) -> Next {
    let mut drawn = draws.below(drawn_by);
    if drawn < buying {
        return Next::Buyer;
    }
    drawn -= buying;
    for (index, rate) in selling.iter().enumerate() {
        match drawn.checked_sub(*rate) {
            Some(left) => drawn = left,
            None => return Next::Seller(index),
        }
    }
    Next::Nothing
}

/// A buy by one of `wallets` rivals of that kind, of a size around `median`.
fn bought_by(trader: TraderKind, wallets: u64, median: u64, most: u64, draws: &mut Draws) -> RivalOrder {
    let spend = draws.log_normal(median, SPENDS_VARY);
    let heavy = draws.below(100) < TAIL_PERCENT;
    let times = (draws.exponential() * TAIL) >> 16;
    let spend = if heavy { doubled(spend, times as i64) } else { spend };
    let wallet = name::rival(trader.as_str(), draws.below(wallets));
    RivalOrder { trader, wallet, side: Side::Buy, amount: spend.clamp(1, most) }
}

/// The wallet of an insider: each launch has its own.
fn insider(mint: &str, number: u64) -> String {
    name::rival(&["insider ", mint].concat(), number)
}
