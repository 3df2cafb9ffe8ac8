//! What a trader asks for: the six requests with the spec's names, and the one shape they share inside.

use crate::amount::{Decimal, Form, Percentage, Slippage, TokenAmount, TokenInput};
use crate::api::endpoint::Operation;
use crate::tape::{ToTape, Writer};
use crate::{object, record};

/// Any of the six requests once its fields are read: a single trade is a bundle of one leg.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Which of the six.
    pub operation: Operation,
    /// Mint address of the token.
    pub mint: String,
    /// Wallet that pays for the transaction; on a single trade the trading wallet pays when this is absent.
    pub fee_payer: Option<String>,
    /// Main slippage.
    pub slippage: Option<Slippage>,
    /// Most priority (compute) units the caller is willing to pay for.
    pub priority_unit_limit: Option<u64>,
    /// Price of one priority (compute) unit. The spec names no unit; the network's is the micro-lamport.
    pub priority_unit_price: Option<u64>,
    /// The trades, in order: one for a single operation, one or more for a bundle.
    pub legs: Vec<Leg>,
}

/// One wallet's trade in a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leg {
    /// Wallet that buys or sells.
    pub from_wallet: String,
    /// How much.
    pub amount: Amount,
    /// On a bundle, overrides the main slippage for this leg.
    pub slippage: Option<Slippage>,
}

/// How much a leg trades.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Lamports to spend, fees included.
    Lamports(u64),
    /// Tokens to sell.
    Tokens(TokenAmount),
    /// Share of the wallet's holdings to sell.
    Percentage(Percentage),
}

impl Request {
    /// The slippage that holds for a leg: its own, else the main one.
    pub fn slippage_of<'a>(&'a self, leg: &'a Leg) -> Option<&'a Slippage> {
        leg.slippage.as_ref().or(self.slippage.as_ref())
    }

    /// The wallet that pays for the transaction.
    pub fn payer(&self) -> &str {
        match (&self.fee_payer, self.legs.first()) {
            (Some(payer), _) => payer,
            (None, Some(leg)) => &leg.from_wallet,
            (None, None) => "",
        }
    }
}

/// One of the six requests: its own fields, then those that all six have.
macro_rules! request {
    ($(#[$doc:meta])* $name:ident { $($own:tt)* }) => {
        record! {
            $(#[$doc])*
            $name {
                /// Mint address of the token.
                mint: String => "string",
                $($own)*
                /// A bare number is sent unchanged, in the service's unit; `{ percent }` and `{ bps }` are
                /// converted to it. On a bundle it is the main slippage, 0.5 % when absent.
                slippage: Option<Slippage> => "SlippageInput | null" optional,
                /// Most priority (compute) units to pay for.
                priority_unit_limit: Option<u64> => "number | bigint | string | null" optional,
                /// Price of one priority (compute) unit. The interface names no unit; the network's is the
                /// micro-lamport, a millionth of a lamport.
                priority_unit_price: Option<u64> => "number | bigint | string | null" optional,
            }
        }
    };
}

/// One element of a bundle's `buys` or `sells`.
macro_rules! element {
    ($(#[$doc:meta])* $name:ident { $($own:tt)* }) => {
        record! {
            $(#[$doc])*
            $name {
                /// Id of the wallet that trades.
                from_wallet: String => "string",
                $($own)*
                /// Overrides the main slippage for this element.
                slippage: Option<Slippage> => "SlippageInput | null" optional,
            }
        }
    };
}

request! {
    /// Buys a token from one wallet: `POST /v1/trade/buy`.
    BuyRequest {
        /// Id of the wallet that buys.
        from_wallet: String => "string",
        /// Lamports to spend, fees included: a whole number above zero. A number must be a safe integer.
        amount_in_lamports: u64 => "number | bigint | string",
        /// Id of the wallet that pays for the transaction. Default: the wallet that buys.
        fee_payer: Option<String> => "string | null" optional,
    }
}
request! {
    /// Sells an amount of a token from one wallet: `POST /v1/trade/sell`.
    SellRequest {
        /// Id of the wallet that sells.
        from_wallet: String => "string",
        /// What to sell, above zero. A number or a numeric string is whole tokens and sent in the form given.
        /// `{ baseUnits }` takes the base units that the launchpad's maths answer in, `{ tokens }` whole tokens no finer
        /// than those; both are converted exactly or refused. A bare bigint is refused: it does not say its unit.
        amount_in_token: TokenInput => "TokenInput",
        /// Id of the wallet that pays for the transaction. Default: the wallet that sells.
        fee_payer: Option<String> => "string | null" optional,
    }
}
request! {
    /// Sells a percentage of one wallet's holdings: `POST /v1/trade/sell-by-percentage`.
    SellByPercentageRequest {
        /// Id of the wallet that sells.
        from_wallet: String => "string",
        /// Percentage of the holdings to sell: 0 < p ≤ 100. 100 sells all and closes the token account.
        percentage: Percentage => "number | bigint | string",
        /// Id of the wallet that pays for the transaction. Default: the wallet that sells.
        fee_payer: Option<String> => "string | null" optional,
    }
}
request! {
    /// Buys a token from several wallets in one transaction: `POST /v1/trade/bundle/buy`.
    BundleBuyRequest {
        /// The buys, in order; one or more.
        buys: Vec<BundleBuyElement> => "BundleBuyElement[]",
        /// Id of the wallet that pays for the transaction.
        fee_payer: String => "string",
    }
}
request! {
    /// Sells amounts of a token from several wallets in one transaction: `POST /v1/trade/bundle/sell`.
    BundleSellRequest {
        /// The sells, in order; one or more.
        sells: Vec<BundleSellElement> => "BundleSellElement[]",
        /// Id of the wallet that pays for the transaction.
        fee_payer: String => "string",
    }
}
request! {
    /// Sells percentages of several wallets' holdings in one transaction:
    /// `POST /v1/trade/bundle/sell/by-percentage`.
    BundleSellByPercentageRequest {
        /// The sells, in order; one or more.
        sells: Vec<BundleSellByPercentageElement> => "BundleSellByPercentageElement[]",
        /// Id of the wallet that pays for the transaction.
        fee_payer: String => "string",
    }
}
element! {
    /// One buy of a bundle.
    BundleBuyElement {
        /// Lamports to spend, fees included: a whole number above zero. A number must be a safe integer.
        amount_in_lamports: u64 => "number | bigint | string",
    }
}
element! {
    /// One sell of a bundle.
    BundleSellElement {
        /// What to sell, above zero. A number or a numeric string is whole tokens and sent in the form given.
        /// `{ baseUnits }` takes the base units that the launchpad's maths answer in, `{ tokens }` whole tokens no finer
        /// than those; both are converted exactly or refused. A bare bigint is refused: it does not say its unit.
        amount_in_token: TokenInput => "TokenInput",
    }
}
element! {
    /// One sell by percentage of a bundle.
    BundleSellByPercentageElement {
        /// Percentage of the holdings to sell: 0 < p ≤ 100.
        percentage: Percentage => "number | bigint | string",
    }
}

impl ToTape for Decimal {
    fn write(&self, tape: &mut Writer) {
        tape.number(self.as_str());
    }
}

impl ToTape for Percentage {
    fn write(&self, tape: &mut Writer) {
        self.0.write(tape);
    }
}

impl ToTape for TokenAmount {
    fn write(&self, tape: &mut Writer) {
        match self.form {
            Form::Number => self.tokens.write(tape),
            Form::String => tape.string(self.tokens.as_str()),
        }
    }
}

impl ToTape for TokenInput {
    fn write(&self, tape: &mut Writer) {
        match self {
            TokenInput::Bare(amount) => amount.write(tape),
            TokenInput::Tokens(amount) => object! { "tokens": amount }.write(tape),
            TokenInput::BaseUnits(units) => object! { "baseUnits": units }.write(tape),
        }
    }
}

impl ToTape for Slippage {
    fn write(&self, tape: &mut Writer) {
        match self {
            Slippage::Bare(number) => number.write(tape),
            Slippage::Percent(percent) => object! { "percent": percent }.write(tape),
            Slippage::Bps(bps) => object! { "bps": bps }.write(tape),
        }
    }
}
