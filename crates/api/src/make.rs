//! Makes requests in Rust: first the required fields, then the optional ones.

use crate::amount::{Percentage, Slippage, TokenInput};
use crate::request::{
    BundleBuyElement, BundleBuyRequest, BundleSellByPercentageElement, BundleSellByPercentageRequest,
    BundleSellElement, BundleSellRequest, BuyRequest, SellByPercentageRequest, SellRequest,
};

/// The optional fields of every request.
macro_rules! may_have {
    ($($request:ident)+) => { $(
        impl $request {
            /// The slippage; on a bundle, for trades without their own.
            pub fn slippage(mut self, slippage: Slippage) -> Self {
                self.slippage = Some(slippage);
                self
            }

            /// The most priority (compute) units to pay for, and the price of one.
            pub fn priority(mut self, unit_limit: u64, unit_price: u64) -> Self {
                (self.priority_unit_limit, self.priority_unit_price) = (Some(unit_limit), Some(unit_price));
                self
            }
        }
    )+ };
}
may_have!(BuyRequest SellRequest SellByPercentageRequest);
may_have!(BundleBuyRequest BundleSellRequest BundleSellByPercentageRequest);

/// A single trade.
macro_rules! single {
    ($request:ident, $amount:ident: $given:ty, $doc:literal) => {
        impl $request {
            #[doc = $doc]
            pub fn new(mint: impl Into<String>, from_wallet: impl Into<String>, $amount: $given) -> Self {
                $request::required(mint.into(), from_wallet.into(), $amount.into(), None)
            }

            /// The wallet that pays for the transaction. Default: the one that trades.
            pub fn fee_payer(mut self, wallet: impl Into<String>) -> Self {
                self.fee_payer = Some(wallet.into());
                self
            }
        }
    };
}
single!(BuyRequest, amount_in_lamports: u64, "Spends lamports on a token, fees included.");
single!(SellRequest, amount_in_token: impl Into<TokenInput>, "Sells an amount of a token.");
single!(SellByPercentageRequest, percentage: Percentage, "Sells a share of what a wallet holds of a token.");

/// A bundle, and one of its legs.
macro_rules! bundle {
    ($request:ident, $list:ident, $leg:ident, $element:ident, $amount:ident: $given:ty, $doc:literal) => {
        impl $request {
            #[doc = $doc]
            pub fn new(mint: impl Into<String>, fee_payer: impl Into<String>) -> Self {
                $request::required(mint.into(), Vec::new(), fee_payer.into())
            }

            /// Adds one wallet's trade.
            pub fn $leg(self, from_wallet: impl Into<String>, $amount: $given) -> Self {
                self.with($element::new(from_wallet, $amount))
            }

            /// Adds one wallet's trade, with its optional fields.
            pub fn with(mut self, element: $element) -> Self {
                self.$list.push(element);
                self
            }
        }

        impl $element {
            /// One wallet's trade.
            pub fn new(from_wallet: impl Into<String>, $amount: $given) -> Self {
                $element::required(from_wallet.into(), $amount.into())
            }

            /// Its own slippage, instead of the bundle's.
            pub fn slippage(mut self, slippage: Slippage) -> Self {
                self.slippage = Some(slippage);
                self
            }
        }
    };
}
bundle!(
    BundleBuyRequest, buys, buy, BundleBuyElement, amount_in_lamports: u64,
    "Buys a token from several wallets in one transaction, which `fee_payer` pays for."
);
bundle!(
    BundleSellRequest, sells, sell, BundleSellElement, amount_in_token: impl Into<TokenInput>,
    "Sells amounts of a token from several wallets in one transaction, which `fee_payer` pays for."
);
bundle!(
    BundleSellByPercentageRequest, sells, sell, BundleSellByPercentageElement, percentage: Percentage,
    "Sells shares of what several wallets hold in one transaction, which `fee_payer` pays for."
);
