//! Limits on the price of a buy. A sell is not held up by them: to leave the market must always be possible.

use crate::amount::Digits;
use crate::error::Code;
use crate::tape::Item;
use crate::trade::guard::Settings;
use crate::trade::guard::refusal::{Refusal, refuse};
use crate::trade::plan_price::{PlanPrice, whole};

/// What a plan's price says that guards ask about: figures, so that a gateway, which has no price, has no reader of one either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Priced {
    /// The price impact in basis points: the highest of a leg, or that of all legs as if they were one trade. `None` if it is not known.
    pub impact_bps: Option<u64>,
    /// When the price was read, in milliseconds since 1970.
    pub at_ms: u64,
    /// How many decimals the token has by it. `None` if it does not say.
    pub token_decimals: Option<u8>,
}

impl Priced {
    /// Reads a price: `legs` with `priceImpactBps`, `curveLamports` and `tokens`, or `priceImpactBps` itself, and `atMs`. A price that does not say when it was read
    /// is as old as the plan, which was made at `made_at_ms`.
    pub fn of(price: &PlanPrice, made_at_ms: u64) -> Priced {
        let token_decimals = price.token_decimals();
        let price = price.data();
        let impact = |quote: Item| quote.get("priceImpactBps").and_then(whole);
        let impact_bps = match price.get("legs").and_then(Item::items) {
            // All of them, or it is not known.
            Some(legs) => {
                let legs: Vec<Item> = legs.collect();
                let each: Option<Vec<u64>> = legs.iter().copied().map(impact).collect();
                each.unwrap_or_default().into_iter().max().and_then(|most| Some(most.max(together(&legs)?)))
            }
            None => impact(price),
        };
        let at_ms = price.get("atMs").and_then(whole).unwrap_or(made_at_ms);
        Priced { impact_bps, at_ms, token_decimals }
    }
}

/// The impact of the legs of a bundle together, whose each leg is priced on the curve that those before it leave: their average price,
/// compared with the spot price before the first. That follows from the first leg's average price and its impact.
fn together(legs: &[Item]) -> Option<u64> {
    let [first, _, ..] = legs else { return Some(0) };
    let sides =
        |leg: &Item| Some((leg.get("curveLamports").and_then(whole)?, leg.get("tokens").and_then(whole)?));
    let (first_lamports, first_tokens) = sides(first)?;
    let (mut lamports, mut tokens) = (0u64, 0u64);
    for leg in legs {
        let (more_lamports, more_tokens) = sides(leg)?;
        (lamports, tokens) = (lamports.checked_add(more_lamports)?, tokens.checked_add(more_tokens)?);
    }
    let before = u128::from(first_lamports).checked_mul(tokens.into())?;
    let first_impact = first.get("priceImpactBps").and_then(whole)?;
    let after = u128::from(lamports)
        .checked_mul(first_tokens.into())?
        .checked_mul(u128::from(first_impact) + 10_000)?;
    u64::try_from(after.checked_div(before)?).ok()?.checked_sub(10_000)
}

impl Settings {
    /// Whether buys need a price.
    pub(super) fn limit_prices(&self) -> bool {
        self.max_impact_bps.is_some() || self.max_price_age_ms.is_some()
    }
}

pub(super) fn check(settings: &Settings, now_ms: u64, price: Option<Priced>) -> Refusal {
    let Some(price) = price else {
        return refuse(
            Code::NoPrice,
            "maxImpactBps and maxPriceAgeMs need a price, and the client has no market that gave one",
        );
    };
    if let Some(limit) = settings.max_price_age_ms {
        // A price of the future is of another clock, so that its age is not known.
        let age = now_ms.abs_diff(price.at_ms);
        if age > limit {
            let (age, limit) = (age.digits(), limit.digits());
            let what = ["the price is ", &age, " ms old, over maxPriceAgeMs (", &limit, "); make a new plan"];
            return refuse(Code::PriceTooOld, &what.concat());
        }
    }
    match (settings.max_impact_bps, price.impact_bps) {
        (Some(_), None) => {
            refuse(Code::NoPrice, "the price has no priceImpactBps, which maxImpactBps limits")
        }
        (Some(limit), Some(impact)) if impact > limit => {
            let (impact, limit) = (impact.digits(), limit.digits());
            let what = ["the price impact is ", &impact, " bps, over maxImpactBps (", &limit, ")"];
            refuse(Code::OverImpactLimit, &what.concat())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::json;

    fn priced(text: &str) -> Priced {
        Priced::of(&PlanPrice::of(&json::parse(text.as_bytes()).unwrap()), 7)
    }

    #[test]
    fn the_highest_impact_counts_and_one_that_is_not_known_is_not_small() {
        // The second leg costs 1.5 times as much as the first for as many tokens, and the first 0.4 % above spot.
        let leg = |impact, lamports| {
            format!(r#"{{"priceImpactBps":{impact},"curveLamports":"{lamports}","tokens":"1000000"}}"#)
        };
        let bundle = |first: &str, second: &str| {
            priced(&format!(r#"{{"legs":[{first},{second}],"atMs":1800000000000}}"#))
        };
        let whole = bundle(&leg("\"40\"", "2000"), &leg("300", "3000"));
        assert_eq!(whole, Priced { impact_bps: Some(2_550), at_ms: 1_800_000_000_000, token_decimals: None });
        assert_eq!(bundle(&leg("40", "2000"), &leg("300", "2000")).impact_bps, Some(300));
        let most = u64::MAX.to_string();
        assert_eq!(bundle(&leg("40", &most), &leg("300", &most)).impact_bps, None);
        assert_eq!(bundle(&leg("40", "0"), &leg("300", "2")).impact_bps, None);
        assert_eq!(priced(r#"{"legs":[{"priceImpactBps":300}]}"#).impact_bps, Some(300));
        assert_eq!(
            priced(r#"{"priceImpactBps":5}"#),
            Priced { impact_bps: Some(5), at_ms: 7, token_decimals: None }
        );
        for unknown in [
            "{}",
            "null",
            r#"{"legs":[]}"#,
            r#"{"legs":[{"priceImpactBps":5},{}]}"#,
            r#"{"legs":[{"priceImpactBps":5},{"priceImpactBps":5}]}"#,
            r#"{"legs":[{"priceImpactBps":-5}]}"#,
        ] {
            assert_eq!(priced(unknown).impact_bps, None, "{unknown}");
        }
    }

    #[test]
    fn a_price_is_refused_above_a_limit_and_not_at_it() {
        let limits =
            Settings { max_impact_bps: Some(300), max_price_age_ms: Some(5_000), ..Settings::default() };
        let of = |impact_bps, at_ms| {
            check(&limits, 10_000, Some(Priced { impact_bps, at_ms, token_decimals: None }))
        };
        assert!(of(Some(300), 5_000).is_ok() && of(Some(0), 15_000).is_ok());
        let text = |refused: Refusal| refused.map_err(|error| (error.code, error.message)).unwrap_err();
        let wide = "not sent: the price impact is 301 bps, over maxImpactBps (300)";
        assert_eq!(text(of(Some(301), 10_000)), (Code::OverImpactLimit, wide.to_owned()));
        let old = "not sent: the price is 5001 ms old, over maxPriceAgeMs (5000); make a new plan";
        assert_eq!(text(of(Some(1), 4_999)), (Code::PriceTooOld, old.to_owned()));
        assert_eq!(text(of(Some(1), 15_001)), (Code::PriceTooOld, old.to_owned()));
        assert_eq!(text(of(None, 10_000)).0, Code::NoPrice);
        let none = "not sent: maxImpactBps and maxPriceAgeMs need a price, and the client has no market that gave one";
        assert_eq!(text(check(&limits, 10_000, None)), (Code::NoPrice, none.to_owned()));
    }
}
