//! Turns orders of this module into the service's requests.

use super::cost::Priority;
use super::quote::Order;
use crate::amount::{Decimal, Slippage};
use crate::api::endpoint::Operation;
use crate::tape::{Tape, ToTape};
use crate::{error_text, object};

/// What one wallet orders, by the wallet's id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<'a> {
    /// Id of the wallet that trades.
    pub from_wallet: &'a str,
    /// What it trades.
    pub order: Order,
    /// Its own slippage; if absent, that of the terms.
    pub slippage: Option<Slippage>,
}

/// The terms of a transaction besides its orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms<'a> {
    /// Mint address of the token.
    pub mint: &'a str,
    /// Id of the wallet that pays the network fee; if absent, a single trade's own wallet.
    pub fee_payer: Option<&'a str>,
    /// Slippage; if absent, the service's default.
    pub slippage: Option<Slippage>,
    /// The priority the transaction bids with.
    pub priority: Priority,
}

/// Why orders cannot become a request of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoRequest {
    /// The service cannot buy an exact amount of tokens.
    BuyExactOut,
    /// The service has no bundle that mixes buys and sells, or sells by amount and by percentage.
    Mixed,
    /// A bundle without orders.
    Empty,
    /// A share whose percentage has infinitely many digits.
    EndlessPercentage,
}

impl NoRequest {
    /// The reason as the end of a sentence, after its subject.
    pub const fn message(self) -> &'static str {
        match self {
            NoRequest::BuyExactOut => {
                "buys an exact number of tokens, which the service cannot do: spend what smallestBuyFor returns"
            }
            NoRequest::Mixed => "must all be buys, all sells of an amount or all sells of a percentage",
            NoRequest::Empty => "must have at least one element",
            NoRequest::EndlessPercentage => "has infinitely many digits as a percentage",
        }
    }
}

error_text!(NoRequest, |why| why.message());

/// One order as a single trade.
///
/// # Errors
///
/// [`NoRequest::BuyExactOut`], [`NoRequest::EndlessPercentage`].
pub fn trade_request(terms: &Terms, placed: &Placed) -> Result<(Operation, Tape), NoRequest> {
    let (operation, field, amount) = amount_of(placed.order)?;
    let slippage = placed.slippage.as_ref().or(terms.slippage.as_ref());
    let mut request =
        vec![("mint", terms.mint.to_tape()), ("fromWallet", placed.from_wallet.to_tape()), (field, amount)];
    add_terms(&mut request, terms, slippage);
    Ok((operation, Tape::object(&request)))
}

/// Several orders as one bundle, in their order.
/// Fails as [`trade_request`], with the index of the order; [`NoRequest::Mixed`] and [`NoRequest::Empty`] for the bundle.
pub fn bundle_request(
    terms: &Terms,
    orders: &[Placed],
) -> Result<(Operation, Tape), (Option<usize>, NoRequest)> {
    let mut elements = Vec::new();
    let mut single = None;
    for (index, placed) in orders.iter().enumerate() {
        let (operation, field, amount) = amount_of(placed.order).map_err(|reason| (Some(index), reason))?;
        if *single.get_or_insert(operation) != operation {
            return Err((None, NoRequest::Mixed));
        }
        let mut element = vec![("fromWallet", placed.from_wallet.to_tape()), (field, amount)];
        element.extend(placed.slippage.as_ref().map(|own| ("slippage", slippage_value(own))));
        elements.push(Tape::object(&element));
    }
    let (bundle, list) = match single.ok_or((None, NoRequest::Empty))? {
        Operation::Buy => (Operation::BundleBuy, "buys"),
        Operation::Sell => (Operation::BundleSell, "sells"),
        _ => (Operation::BundleSellByPercentage, "sells"),
    };
    let mut request = vec![(list, elements.to_tape()), ("mint", terms.mint.to_tape())];
    add_terms(&mut request, terms, terms.slippage.as_ref());
    Ok((bundle, Tape::object(&request)))
}

/// The single trade that an order is, the field of its amount, and that.
fn amount_of(order: Order) -> Result<(Operation, &'static str, Tape), NoRequest> {
    match order {
        Order::BuyExactIn { lamports } => Ok((Operation::Buy, "amountInLamports", lamports.to_tape())),
        Order::BuyExactOut { .. } => Err(NoRequest::BuyExactOut),
        Order::SellExactIn { tokens } => {
            Ok((Operation::Sell, "amountInToken", object! { "baseUnits": tokens }))
        }
        Order::SellShare { share } => {
            let percent = share.percent().ok_or(NoRequest::EndlessPercentage)?;
            Ok((Operation::SellByPercentage, "percentage", number(&percent)))
        }
    }
}

fn add_terms(request: &mut Vec<(&str, Tape)>, terms: &Terms, slippage: Option<&Slippage>) {
    let priority = terms.priority;
    for (name, value) in [
        ("feePayer", terms.fee_payer.map(ToTape::to_tape)),
        ("slippage", slippage.map(slippage_value)),
        ("priorityUnitLimit", priority.unit_limit.map(|limit| limit.to_tape())),
        ("priorityUnitPrice", priority.unit_price_micro_lamports.map(|price| price.to_tape())),
    ] {
        request.extend(value.map(|value| (name, value)));
    }
}

fn slippage_value(slippage: &Slippage) -> Tape {
    match slippage {
        Slippage::Bare(bare) => number(bare),
        Slippage::Percent(percent) => object! { "percent": number(percent) },
        Slippage::Bps(bps) => object! { "bps": number(bps) },
    }
}

/// A number, or text where a JS number might not hold it.
fn number(decimal: &Decimal) -> Tape {
    const EXACT: usize = 15;
    let text = decimal.text();
    if text.len() <= EXACT { decimal.to_tape() } else { text.to_tape() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::validate::{Rules, validate};
    use crate::launchpad::account::Share;
    use crate::tape::json;

    fn percent_of(text: &str) -> Slippage {
        Slippage::Percent(Decimal::from_plain(text).unwrap())
    }

    fn terms() -> Terms<'static> {
        Terms {
            mint: "M",
            fee_payer: Some("P"),
            slippage: Some(percent_of("200")),
            priority: Priority { unit_limit: Some(200_000), unit_price_micro_lamports: Some(7) },
        }
    }

    fn placed(from_wallet: &str, order: Order) -> Placed<'_> {
        Placed { from_wallet, order, slippage: None }
    }

    fn percent(text: &str) -> Order {
        Order::SellShare { share: Share::of_percent(text).unwrap() }
    }

    #[test]
    fn each_order_is_the_operation_that_does_it() {
        let buy = Order::BuyExactIn { lamports: 5 };
        let sell = Order::SellExactIn { tokens: 16_996_189 };
        let tail =
            r#""feePayer":"P","slippage":{"percent":200},"priorityUnitLimit":200000,"priorityUnitPrice":7}"#;
        for (order, operation, bundled, amount) in [
            (buy, Operation::Buy, Operation::BundleBuy, r#""amountInLamports":5"#),
            (sell, Operation::Sell, Operation::BundleSell, r#""amountInToken":{"baseUnits":16996189}"#),
            (
                percent("12.5"),
                Operation::SellByPercentage,
                Operation::BundleSellByPercentage,
                r#""percentage":12.5"#,
            ),
        ] {
            let (found, request) = trade_request(&terms(), &placed("W", order)).unwrap();
            assert_eq!(found, operation);
            let expected = format!(r#"{{"mint":"M","fromWallet":"W",{amount},{tail}"#);
            assert_eq!(json::write(&request), expected);
            assert!(validate(operation, request.root(), &Rules::default()).is_ok());

            let own = Placed { slippage: Some(percent_of("0.1234567890123456")), ..placed("V", order) };
            let (found, request) = bundle_request(&terms(), &[placed("W", order), own]).unwrap();
            assert_eq!(found, bundled);
            let list = if order == buy { "buys" } else { "sells" };
            let expected = format!(
                r#"{{"{list}":[{{"fromWallet":"W",{amount}}},{{"fromWallet":"V",{amount},"slippage":{{"percent":"0.1234567890123456"}}}}],"mint":"M",{tail}"#
            );
            assert_eq!(json::write(&request), expected);
            assert!(validate(bundled, request.root(), &Rules::default()).is_ok());
        }
    }

    #[test]
    fn what_the_service_does_not_do_is_no_request() {
        let out = Order::BuyExactOut { tokens: 5 };
        let buy = Order::BuyExactIn { lamports: 5 };
        let sell = Order::SellExactIn { tokens: 5 };
        let third = Order::SellShare { share: Share::new(1, 3).unwrap() };
        assert_eq!(trade_request(&terms(), &placed("W", out)), Err(NoRequest::BuyExactOut));
        assert_eq!(trade_request(&terms(), &placed("W", third)), Err(NoRequest::EndlessPercentage));
        let bundle = |orders: &[Order]| {
            let orders: Vec<_> = orders.iter().map(|order| placed("W", *order)).collect();
            bundle_request(&terms(), &orders).unwrap_err()
        };
        assert_eq!(bundle(&[buy, out]), (Some(1), NoRequest::BuyExactOut));
        assert_eq!(bundle(&[buy, sell]), (None, NoRequest::Mixed));
        assert_eq!(bundle(&[sell, percent("5")]), (None, NoRequest::Mixed));
        assert_eq!(bundle(&[]), (None, NoRequest::Empty));
    }

    #[test]
    fn a_percentage_is_the_one_that_was_asked_for() {
        for text in ["100", "0.1", "33.333333333333333333", "0.000000000000000000000000000000000001"] {
            assert_eq!(Share::of_percent(text).unwrap().percent().unwrap().text(), text);
        }
        assert_eq!(Share::new(1, 8).unwrap().percent().unwrap().text(), "12.5");
        assert_eq!(Share::new(2, 3).unwrap().percent(), None);
        let most = (1 << 127) - 1;
        assert_eq!(Share::new(1, most).unwrap().percent(), None);
        assert_eq!(Share::new(most - 1, most).unwrap().percent(), None);
    }
}
