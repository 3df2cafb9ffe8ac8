//! The curve against an oracle in big integers, on random curves over all of 64 bits and on every small one.

use crate::{oracle, seeded};

use launchpad_desk::launchpad::curve::Price;
use launchpad_desk::launchpad::fees::FeeRates;
use launchpad_desk::launchpad::plan::SplitMix64;
use launchpad_desk::launchpad::{Curve, Fill, Refusal};
use oracle::{Amounts, amounts, any_size, big, curves, rates};
use proptest::prelude::*;

fn ours(filled: Result<Fill, Refusal>) -> Result<Amounts, &'static str> {
    filled.as_ref().map(amounts).map_err(|refusal| refusal.as_str())
}

/// What a trade moves out of the wallet is in the curve or a fee, and nowhere else.
fn conserved(before: &Curve, fill: &Fill, buys: bool) -> bool {
    let after = &fill.curve_after;
    let sign = if buys { 1 } else { -1 };
    let moved = |after: u64, before: u64| i128::from(after) - i128::from(before);
    let (tokens, lamports) = (sign * i128::from(fill.tokens), sign * i128::from(fill.curve_lamports));
    moved(after.virtual_token_reserves, before.virtual_token_reserves) == -tokens
        && moved(after.real_token_reserves, before.real_token_reserves) == -tokens
        && moved(after.virtual_sol_reserves, before.virtual_sol_reserves) == lamports
        && moved(after.real_sol_reserves, before.real_sol_reserves) == lamports
        && i128::from(fill.wallet_lamports)
            == i128::from(fill.curve_lamports) + sign * fill.fees.total() as i128
}

/// The product of the virtual reserves never falls: no rounding favours the trader.
fn product_kept(before: &Curve, after: &Curve) -> bool {
    let product =
        |curve: &Curve| u128::from(curve.virtual_token_reserves) * u128::from(curve.virtual_sol_reserves);
    product(after) >= product(before)
}

proptest! {
    #![proptest_config(seeded::cases(2_000))]

    #[test]
    fn buys_exact_in_agree(curve in curves(), spend in any_size(), min in any_size(), rates in rates()) {
        for min in [0, 1, min] {
            let filled = curve.buy_exact_in(spend, min, rates);
            prop_assert_eq!(ours(filled), oracle::buy_exact_in(&curve, spend, min, rates));
            if let Ok(fill) = filled {
                prop_assert!(fill.wallet_lamports <= spend && spend - fill.wallet_lamports <= 2);
                prop_assert!(conserved(&curve, &fill, true));
                prop_assert!(product_kept(&curve, &fill.curve_after));
            }
        }
    }

    #[test]
    fn buys_exact_out_agree(curve in curves(), tokens in any_size(), max in any_size(), rates in rates()) {
        for max in [max, u64::MAX] {
            let filled = curve.buy_exact_out(tokens, max, rates);
            prop_assert_eq!(ours(filled), oracle::buy_exact_out(&curve, tokens, max, rates));
            if let Ok(fill) = filled {
                prop_assert!(conserved(&curve, &fill, true));
                prop_assert!(product_kept(&curve, &fill.curve_after));
            }
        }
    }

    #[test]
    fn sells_exact_in_agree(
        curve in curves(), tokens in any_size(), held in any_size(), min in any_size(), rates in rates()
    ) {
        for (held, min) in [(held, min), (tokens, 0), (u64::MAX, min)] {
            let filled = curve.sell_exact_in(tokens, held, min, rates);
            prop_assert_eq!(ours(filled), oracle::sell_exact_in(&curve, tokens, held, min, rates));
            if let Ok(fill) = filled {
                prop_assert!(conserved(&curve, &fill, false));
                prop_assert!(product_kept(&curve, &fill.curve_after));
            }
        }
    }

    #[test]
    fn buying_and_selling_again_never_profits(curve in curves(), spend in any_size(), rates in rates()) {
        if let Ok(bought) = curve.buy_exact_in(spend, 1, rates)
            && let Ok(sold) = bought.curve_after.sell_exact_in(bought.tokens, bought.tokens, 0, rates)
        {
            prop_assert!(sold.wallet_lamports < bought.wallet_lamports);
        }
    }

    #[test]
    fn buying_exactly_and_selling_again_never_profits(curve in curves(), tokens in any_size(), rates in rates()) {
        if let Ok(bought) = curve.buy_exact_out(tokens, u64::MAX, rates)
            && let Ok(sold) = bought.curve_after.sell_exact_in(tokens, tokens, 0, rates)
        {
            prop_assert!(sold.wallet_lamports < bought.wallet_lamports);
        }
    }

    #[test]
    fn selling_and_buying_back_never_profits(curve in curves(), tokens in any_size(), rates in rates()) {
        if let Ok(sold) = curve.sell_exact_in(tokens, tokens, 0, rates)
            && let Ok(bought) = sold.curve_after.buy_exact_in(sold.wallet_lamports, 0, rates)
        {
            prop_assert!(bought.tokens < tokens);
        }
    }

    #[test]
    fn a_buy_in_two_parts_never_brings_more(
        curve in curves(), first in any_size(), second in any_size(), rates in rates()
    ) {
        let Some(both) = first.checked_add(second) else { return Ok(()) };
        if let (Ok(one), Ok(part)) = (curve.buy_exact_in(both, 0, rates), curve.buy_exact_in(first, 0, rates))
            && let Ok(rest) = part.curve_after.buy_exact_in(second, 0, rates)
        {
            // The parts together may pay a lamport or two less, but at equal prices they never bring more.
            let paid = part.wallet_lamports + rest.wallet_lamports;
            prop_assert!(part.curve_lamports + rest.curve_lamports > one.curve_lamports
                || part.tokens + rest.tokens <= one.tokens, "{} {}", paid, both);
        }
    }

    #[test]
    fn partial_buys_take_the_remainder_within_the_spend(curve in curves(), spend in any_size(), rates in rates()) {
        let whole = curve.buy_exact_in(spend, 1, rates);
        let partial = curve.buy_exact_in_or_rest(spend, 1, rates);
        match (whole, partial) {
            (Ok(whole), partial) => prop_assert_eq!(Ok(whole), partial),
            (Err(Refusal::NotEnoughTokensOnCurve), Err(refusal)) => {
                // Only reserves at the end of 64 bits have no room for what is left.
                prop_assert_eq!(refusal, Refusal::Overflow);
                prop_assert!(curve.real_sol_reserves.checked_add(spend).is_none());
            }
            (Err(Refusal::NotEnoughTokensOnCurve), Ok(fill)) => {
                prop_assert_eq!(fill.tokens, curve.real_token_reserves);
                prop_assert!(fill.wallet_lamports <= spend);
                prop_assert!(fill.curve_after.is_complete());
            }
            (Err(Refusal::Overflow), Ok(fill)) => {
                prop_assert_eq!(fill.tokens, curve.real_token_reserves);
                prop_assert!(fill.wallet_lamports <= spend);
            }
            (Err(refusal), partial) => prop_assert_eq!(partial, Err(refusal)),
        }
    }

    #[test]
    fn market_caps_agree(curve in curves(), supply in any_size()) {
        let cap = curve.market_cap_lamports(supply);
        if curve.virtual_token_reserves == 0 {
            prop_assert_eq!(cap, Err(Refusal::EmptyCurve));
        } else {
            let expected = big(curve.virtual_sol_reserves) * supply / curve.virtual_token_reserves;
            prop_assert_eq!(cap.map(Into::into), Ok(expected));
        }
    }
}

/// Every curve with reserves up to 2⁴ and every amount that means anything on it, and every curve with reserves up to
/// 2⁶ whose real reserves are all or half of the virtual ones.
#[test]
fn every_small_curve_agrees() {
    let curves = |most: u64, part: fn(u64) -> Vec<u64>| {
        let pairs = (0..=most).flat_map(move |vt| (0..=most).map(move |vs| (vt, vs)));
        pairs.flat_map(move |(vt, vs)| {
            let reals = part(vt).into_iter().flat_map(move |rt| part(vs).into_iter().map(move |rs| (rt, rs)));
            reals.map(move |(rt, rs)| Curve {
                virtual_token_reserves: vt,
                virtual_sol_reserves: vs,
                real_token_reserves: rt,
                real_sol_reserves: rs,
            })
        })
    };
    let every = curves(8, |of| (0..=of + 1).collect());
    let larger = curves(64, |of| vec![of / 2, of]);
    let rates = [(95, 30), (0, 0), (5_000, 2_500)].map(|(p, c)| FeeRates::new(p, c).expect("rates"));
    let mut trades = 0u64;
    for (index, curve) in every.chain(larger).enumerate() {
        let rates = rates[index % rates.len()];
        for amount in 0..=curve.virtual_token_reserves.max(curve.virtual_sol_reserves) + 3 {
            // Small integers do not need big ones: the formulas again, in i128.
            let small = Small::of(&curve, rates);
            assert_eq!(
                small.buy_exact_in(amount),
                codes(curve.buy_exact_in(amount, 0, rates)),
                "{curve:?} {amount}"
            );
            assert_eq!(
                small.buy_exact_out(amount),
                codes(curve.buy_exact_out(amount, u64::MAX, rates)),
                "{curve:?} {amount}"
            );
            assert_eq!(
                small.sell_exact_in(amount),
                codes(curve.sell_exact_in(amount, amount, 0, rates)),
                "{curve:?} {amount}"
            );
            trades += 3;
        }
    }
    assert!(trades > 2_000_000, "{trades}");
}

type Moved = Result<(i128, i128), &'static str>;

fn codes(filled: Result<Fill, Refusal>) -> Moved {
    filled
        .map(|fill| (i128::from(fill.tokens), i128::from(fill.wallet_lamports)))
        .map_err(|refusal| refusal.as_str())
}

struct Small {
    vt: i128,
    vs: i128,
    rt: i128,
    rs: i128,
    p: i128,
    c: i128,
}

impl Small {
    fn of(curve: &Curve, rates: FeeRates) -> Small {
        Small {
            vt: curve.virtual_token_reserves.into(),
            vs: curve.virtual_sol_reserves.into(),
            rt: curve.real_token_reserves.into(),
            rs: curve.real_sol_reserves.into(),
            p: rates.protocol_bps().into(),
            c: rates.creator_bps().into(),
        }
    }

    fn fees(&self, x: i128) -> i128 {
        let ceil = |bps: i128| (x * bps + 9_999).div_euclid(10_000);
        ceil(self.p) + ceil(self.c)
    }

    fn open(&self) -> Result<(), &'static str> {
        if self.rt == 0 {
            Err("curve_complete")
        } else if self.vt == 0 || self.vs == 0 {
            Err("empty_curve")
        } else {
            Ok(())
        }
    }

    fn buy_exact_in(&self, spend: u64) -> Moved {
        let spend = i128::from(spend);
        self.open()?;
        let uncut = spend * 10_000 / (10_000 + self.p + self.c);
        let fees = self.fees(uncut);
        let net = uncut - (uncut + fees - spend).max(0);
        if uncut == 0 || net < 1 {
            return Err("spend_does_not_cover_fees");
        }
        let tokens = (net - 1) * self.vt / (self.vs + net - 1);
        if tokens > self.rt { Err("not_enough_tokens_on_curve") } else { Ok((tokens, net + fees)) }
    }

    fn buy_exact_out(&self, tokens: u64) -> Moved {
        let tokens = i128::from(tokens);
        if tokens == 0 {
            return Err("zero_amount");
        }
        self.open()?;
        if tokens > self.rt || tokens >= self.vt {
            return Err("not_enough_tokens_on_curve");
        }
        let sol = tokens * self.vs / (self.vt - tokens) + 1;
        Ok((tokens, sol + self.fees(sol)))
    }

    fn sell_exact_in(&self, tokens: u64) -> Moved {
        let tokens = i128::from(tokens);
        if tokens == 0 {
            return Err("zero_amount");
        }
        self.open()?;
        let sol = tokens * self.vs / (self.vt + tokens);
        let out = sol - self.fees(sol);
        if out < 0 || sol > self.rs { Err("fees_or_reserves_exceeded") } else { Ok((tokens, out)) }
    }
}

#[test]
fn a_price_is_the_floored_ratio_whatever_its_decimals() {
    /// By the definition, if each product fits 128 bits.
    fn plain(Price { lamports, tokens }: Price, decimals: u8) -> Option<u128> {
        let (lamports, tokens) = (u128::from(lamports), u128::from(tokens));
        let scale = 10u128.pow(u32::from(decimals) + 9);
        let part = (lamports % tokens).checked_mul(scale)? / tokens;
        (lamports / tokens).checked_mul(scale)?.checked_add(part)
    }
    let mut random = SplitMix64 { state: 8 };
    for _ in 0..20_000 {
        let mut number = || random.draw() >> random.below(64);
        let price = Price { lamports: number(), tokens: number().max(1) };
        for decimals in [0, 6, 9, 10, 11, 18] {
            assert_eq!(
                price.nano_lamports_per_token(decimals),
                plain(price, decimals),
                "{price:?} {decimals}"
            );
        }
    }
    assert_eq!(Price { lamports: 1, tokens: 0 }.nano_lamports_per_token(6), None);
    assert_eq!(Price { lamports: 1, tokens: 1 }.nano_lamports_per_token(19), None);
}
