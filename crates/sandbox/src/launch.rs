//! How the rivals around a launched token come and go: attention fades, trades come in bursts, and whoever bought wants to sell
//! again, sooner or later.
//!
//! How much happens next to a token depends on what happened before. Where its price goes does not: of a buyer and a seller who
//! come at the same time, the odds of a fair bet decide who trades. So no rule gains by what it has seen, and each pays the fees.
//!
//! Everything that happens next to a token is one draw of the time until then, by the rates of everything that could happen. So a
//! token that nobody looks at any more costs nothing.

use super::character::TraderKind;
use super::config::SandboxConfig;
use super::crowd::RivalOrder;
use super::draws::{Draws, doubled};
use super::launch_plan::Launch;
use super::market::MarketConfig;
use super::name;
use super::row::{Count, CrowdRow, RivalHolding, TokenRow};
use launchpad_desk::amount::Digits;
use launchpad_desk::launchpad::Launchpad;
use launchpad_desk::launchpad::quote::Side;

/// How many still come when all interest is gone, per billion milliseconds.
const FLOOR: u64 = 4;

/// By how much a buy of the typical size raises the number of those who come for a while: trades come in bursts.
const HEAT: u64 = 30_000;

/// The most that one buy raises it.
const MOST_HEAT: u64 = 4 * HEAT;

/// How long until half of that is gone, in milliseconds.
const HEAT_HALVES_MS: u64 = 8_000;

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

/// What a buy raises the price counts for so many percent while snipers come: who is faster than they are buys a little cheaper.
const SNIPED_PERCENT: u64 = 92;

/// By so many percent it counts for more once a launch has aged: who comes late pays a little too much.
const LATE_PERCENT: u64 = 9;

/// When a launch has aged, in milliseconds.
const LATE_MS: u64 = 120_000;

/// What a creator spends together with the launch, in typical spends.
const CREATOR: u64 = 3;

/// What each insider spends.
const INSIDER: u64 = 5;

/// How many more come when a curve's lamports have doubled, per billion milliseconds.
const NOTICED: u64 = 200_000;

/// The time after which a quarter of these still come, in milliseconds.
const NOTICED_FADES_MS: u64 = 7_200_000;

impl CrowdRow {
    /// The rivals around a new token, and when the first of them acts.
    pub(super) fn open(&mut self, launch: &Launch, market: &MarketConfig) {
        let mut draws = Draws::of(&["interest", &market.seed.digits(), &self.mint]);
        self.interest = Count::new(draws.log_normal(launch.interest, INTEREST_VARIES));
        self.due_ms = self.since_ms;
    }

    /// Splits what rivals hold at the start: a sixth to insiders, if there are any, half to holders, the rest to buyers.
    pub(super) fn settle(&mut self, launch: &Launch, tokens: u64) {
        let insiders = if launch.insiders > 0 { tokens / 6 } else { 0 };
        let groups = [
            (TraderKind::Insider, insiders, launch.insiders),
            (TraderKind::Holder, tokens / 2, 8),
            (TraderKind::Noise, tokens - insiders - tokens / 2, 16),
        ];
        for (trader, held, wallets) in groups {
            for number in 0..wallets {
                let tokens_each = held / wallets + if number == 0 { held % wallets } else { 0 };
                let wallet = match trader {
                    TraderKind::Insider => of_launch(&self.mint, number),
                    _ => name::rival(trader.as_str(), number),
                };
                if tokens_each > 0 {
                    self.rivals.push(RivalHolding { wallet, trader, tokens: tokens_each });
                }
            }
        }
    }

    /// What rivals do at the time that was drawn, and what that is drawn from next.
    pub(super) fn act(
        &mut self,
        launch: &Launch,
        config: &SandboxConfig,
        token: &TokenRow,
        now_ms: Count,
    ) -> Vec<RivalOrder> {
        let mut draws = self.draws(&config.market);
        let most = config.market.max_lamports;
        if self.drawn.get() == 1 && self.rivals.is_empty() {
            return self.opening(launch, most, &mut draws);
        }
        let now_ms = self.due_ms.min(now_ms);
        let leaving: Vec<u64> = self.leaving(launch, now_ms).collect();
        let rate = self.coming(launch, token, now_ms).saturating_add(leaving.iter().sum());
        // The time was drawn by a rate that may have fallen since.
        if draws.below(self.rate.get()) >= rate {
            return Vec::new();
        }
        let buy = self.buy(most, now_ms, &mut draws);
        let sells = self.sell(launch, &leaving, &mut draws);
        match self.rises(config.launchpad.at(now_ms.get()), token, &buy, &sells, now_ms, &mut draws) {
            Some(true) => vec![buy],
            Some(false) => sells,
            None => Vec::new(),
        }
    }

    /// Whether who wants to buy comes first, or those who want to sell; nothing if one of them cannot trade.
    ///
    /// The odds are those of a fair bet: by how much the buy would raise the price against by how much the sale would lower it. Bots
    /// that see the same tape trade until it is so. Many early buys tell that much will happen, not where the price will go.
    fn rises(
        &mut self,
        launchpad: &Launchpad,
        token: &TokenRow,
        buy: &RivalOrder,
        sells: &[RivalOrder],
        now_ms: Count,
        draws: &mut Draws,
    ) -> Option<bool> {
        let leaving = sells.iter().map(|order| order.amount).sum();
        let bought = token.buys_or_completes(launchpad, buy.amount).ok()?.curve_after.virtual_sol_reserves;
        let sold = token.sells(launchpad, leaving, leaving).ok()?.curve_after.virtual_sol_reserves;
        // The price is in proportion to the square of the virtual lamports. Quarters of them, so that all sums fit.
        let price = |lamports: u64| i128::from(lamports / 4).pow(2);
        let here = token.virtual_sol_reserves;
        let percent = match self.age_ms(now_ms) {
            ..SNIPING_MS => SNIPED_PERCENT,
            age_ms => 100 + LATE_PERCENT * age_ms.min(LATE_MS) / LATE_MS,
        };
        let up = (price(bought) - price(here)) / 100 * i128::from(percent);
        let down = price(here) - price(sold);
        // What wallets of the sandbox have moved is no news: by and by it is traded back.
        let back = self.moved_lamports / 8;
        self.moved_lamports -= back;
        let fair = (i128::from(here) - back).clamp(0, u64::MAX.into()) as u64;
        let lean = price(here) - price(fair);
        let (up, down) = ((up + lean).max(0) as u128, (down - lean).max(0) as u128);
        let shift = 65_u32.saturating_sub((up + down).leading_zeros());
        Some(draws.below(((up + down) >> shift) as u64) < (down >> shift) as u64)
    }

    /// Draws when rivals act next.
    pub(super) fn wait(&mut self, launch: &Launch, market: &MarketConfig, token: &TokenRow, now_ms: Count) {
        let leaving: u64 = self.leaving(launch, now_ms).fold(0, u64::saturating_add);
        let coming = self.coming(launch, token, now_ms);
        // Nobody sells what nobody holds.
        let rate = if self.rivals.is_empty() { 0 } else { coming.saturating_add(leaving) };
        self.rate = Count::new(rate);
        let gap = self.draws(market).exponential().saturating_mul(1_000_000_000) >> 16;
        self.due_ms = match gap.checked_div(rate) {
            Some(gap_ms) => now_ms.plus(gap_ms),
            None => Count::new(u64::MAX),
        };
    }

    /// More come after a buy.
    pub(super) fn heat_up(&mut self, market: &MarketConfig, lamports: u64, now_ms: Count) {
        let typical = market.max_lamports / 100 + 1;
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

    /// The trades in the launch's own step: the creator's, the insiders' and those of the first snipers.
    fn opening(&self, launch: &Launch, most: u64, draws: &mut Draws) -> Vec<RivalOrder> {
        let mut buys = |trader, wallet, typical| RivalOrder {
            trader,
            wallet,
            side: Side::Buy,
            amount: draws.log_normal(most / 100 * typical, SPENDS_VARY).clamp(1, most),
        };
        let mut orders = vec![buys(TraderKind::Holder, of_launch(&self.mint, launch.insiders), CREATOR)];
        for number in 0..launch.insiders {
            orders.push(buys(TraderKind::Insider, of_launch(&self.mint, number), INSIDER));
        }
        for _ in 0..draws.below(launch.snipers + 1) {
            orders.push(bought_by(TraderKind::Sniper, 80, most / 50, most, draws));
        }
        orders
    }

    /// How many come who may trade: for the launch, for how far the price is, and because others just bought.
    fn coming(&self, launch: &Launch, token: &TokenRow, now_ms: Count) -> u64 {
        let raised = token.real_sol_reserves;
        let start = token.virtual_sol_reserves.saturating_sub(raised).max(1);
        let share = ((u128::from(raised) << 16) / u128::from(start)).min(1 << 20) as u64;
        let noticed = (((NOTICED * share) >> 16) * share) >> 16;
        let age_ms = self.age_ms(now_ms);
        FLOOR
            + faded(self.interest.get().min(1 << 40), age_ms, launch.fades_ms)
            + faded(noticed, age_ms, NOTICED_FADES_MS)
            + self.heat_at(now_ms)
    }

    fn age_ms(&self, now_ms: Count) -> u64 {
        now_ms.get().saturating_sub(self.since_ms.get())
    }

    fn heat_at(&self, now_ms: Count) -> u64 {
        let since_ms = now_ms.get().saturating_sub(self.heat_ms.get()).min(1 << 30);
        doubled(self.heat.get().min(1 << 40), -(((since_ms << 16) / HEAT_HALVES_MS) as i64))
    }

    /// How often each of those who hold tokens wants to sell; most forget what they hold.
    fn leaving<'a>(&'a self, launch: &'a Launch, now_ms: Count) -> impl Iterator<Item = u64> + 'a {
        let age_ms = self.age_ms(now_ms);
        let forgotten = move |rate: u64| faded(rate, age_ms, launch.fades_ms);
        self.rivals.iter().map(move |rival| match rival.trader {
            // These do not forget.
            TraderKind::Insider => 15_000,
            TraderKind::Sniper => 14_000,
            TraderKind::Holder => forgotten(1_000),
            TraderKind::Scalper => forgotten(16_000),
            TraderKind::Momentum => forgotten(6_000),
            _ => forgotten(3_000),
        })
    }

    /// Who may buy, and for how much.
    fn buy(&self, most: u64, now_ms: Count, draws: &mut Draws) -> RivalOrder {
        let typical = most / 100;
        match draws.below(100) {
            ..40 if self.age_ms(now_ms) < SNIPING_MS => {
                bought_by(TraderKind::Sniper, 80, 2 * typical, most, draws)
            }
            ..15 => bought_by(TraderKind::Scalper, 40, typical, most, draws),
            15..40 if self.heat_at(now_ms) > HEAT / 4 => {
                bought_by(TraderKind::Momentum, 120, typical, most, draws)
            }
            _ => bought_by(TraderKind::Noise, 2_000, typical, most, draws),
        }
    }

    /// Who may sell: one of those who hold tokens, or many at once.
    fn sell(&self, launch: &Launch, leaving: &[u64], draws: &mut Draws) -> Vec<RivalOrder> {
        let all = |rival: &RivalHolding| RivalOrder {
            trader: rival.trader,
            wallet: rival.wallet.clone(),
            side: Side::Sell,
            amount: rival.tokens,
        };
        let mut drawn = draws.below(leaving.iter().sum());
        let is_it = |rate: &u64| {
            let before = drawn;
            drawn = drawn.saturating_sub(*rate);
            before < *rate
        };
        let index = leaving.iter().position(is_it).unwrap_or(0);
        let Some(seller) = self.rivals.get(index) else { return Vec::new() };
        if seller.trader == TraderKind::Insider && launch.together {
            let insiders = self.rivals.iter().filter(|rival| rival.trader == TraderKind::Insider);
            return insiders.map(all).collect();
        }
        if draws.below(100) < launch.panics {
            // Not everyone: one in four has not noticed.
            return self.rivals.iter().filter(|_| draws.below(4) > 0).map(all).collect();
        }
        let percent = match seller.trader {
            TraderKind::Noise if draws.below(10) < 4 => 20 + draws.below(60),
            _ => 100,
        };
        let amount = (u128::from(seller.tokens) * u128::from(percent) / 100) as u64;
        vec![RivalOrder { amount: amount.max(1), ..all(seller) }]
    }
}

/// A rate at some age, if a quarter of it is left at the age of `fades_ms`.
fn faded(rate: u64, age_ms: u64, fades_ms: u64) -> u64 {
    let left = (fades_ms << 16) / (fades_ms + age_ms);
    (((rate * left) >> 16) * left) >> 16
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

/// A wallet of the creator's or of an insider's: each launch has its own.
fn of_launch(mint: &str, number: u64) -> String {
    name::rival(&["insider ", mint].concat(), number)
}
