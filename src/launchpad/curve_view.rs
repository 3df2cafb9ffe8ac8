//! A bundle's quote on a curve, and a receipt, as JS and JSON see them; the parts of a quote are in [`view`](super::view). A quote of one
//! trade on a curve crosses as numbers: `pkg/src/market/quote.ts` declares it.

use super::capacity::Fit;
use super::curve::Curve;
use super::quote::Side;
use super::receipt::{Finding, Receipt};
use super::view::{LegQuote, WalletQuote, account_change, price};
use crate::api::response::Status;
use crate::codes::codes;
use crate::record;

record! {
    /// What a bundle would do: all its trades, or none.
    CurveBundleQuote {
        /// Each trade, in order, on the curve that those before it leave.
        legs: Vec<LegQuote> => "LegQuote[]",
        /// The net result for each wallet, in their order; the fee payer's includes the network fee.
        wallets: Vec<WalletQuote> => "WalletQuote[]",
        /// Id of the wallet that pays the network fee.
        fee_payer: String => "string",
        /// How many sign: each trading wallet and the fee payer, once.
        signatures: u32 => "number",
        /// Paid by the fee payer, even when the bundle fails.
        network_fee_lamports: u64 => "bigint",
        /// Whether the legs fit one transaction, by the table of `capacities`: with every address written out, only with an address
        /// lookup table, or not at all. The service decides. `splitBundle` splits one that does not fit.
        fits: Fit => "TransactionFit",
        /// The curve's reserves afterwards.
        reserves_after: Curve => "CurveReserves",
    }
}

codes! {
    /// A figure of a receipt that may be an estimate.
    ReceiptFigure {
        /// The tokens bought or sold.
        Tokens = "tokens",
        /// The lamports paid or received for them.
        Lamports = "lamports",
        /// The price of the fill.
        Price = "price",
        /// How much worse than quoted it was.
        SlippageUsedPpm = "slippageUsedPpm",
        /// Both trading fees.
        Fees = "fees",
        /// What happened to the token account, and its rent.
        TokenAccount = "tokenAccount",
        /// The rent paid for opening the wallet's volume account.
        VolumeRentLamports = "volumeRentLamports",
        /// What the trading wallet paid of the network fee.
        NetworkFeeLamports = "networkFeeLamports",
        /// What the trading wallet gained or spent in all.
        NetLamports = "netLamports",
    }
}

record! {
    /// What a trade did to one wallet. Plain data: you can keep it, and add it to a position later.
    TradeReceipt {
        /// Id of that wallet; `null` if the reply does not say.
        wallet: Option<String> => "string | null",
        /// `landed`, `failed`, or `unconfirmed` if the service does not say.
        status: Status => "TradeStatus",
        /// `buy` or `sell`.
        side: Side => "Side",
        /// Base units bought or sold; zero if it failed.
        tokens: u64 => "bigint",
        /// Lamports paid (a buy) or received (a sell) for them, trading fees included; zero if it failed.
        lamports: u64 => "bigint",
        /// The price of the fill, trading fees included, in lamports per whole token; `null` if nothing was traded, and in a
        /// bundle.
        price: Option<String> => "string | null",
        /// How much worse than quoted, in parts per million of the quote; negative if better. For a buy in tokens, for a sell
        /// in lamports.
        slippage_used_ppm: i128 => "bigint",
        /// Fee to the protocol within `lamports`.
        protocol_fee_lamports: u64 => "bigint",
        /// Fee to the token's creator within `lamports`.
        creator_fee_lamports: u64 => "bigint",
        /// What happened to the wallet's token account.
        token_account: &'static str => "\"opens\" | \"closes\" | \"stays\" | \"unknown\"",
        /// Rent paid for opening it, or refunded by closing it.
        rent_lamports: u64 => "bigint",
        /// Rent paid for opening the wallet's volume account, as quoted. No trade gives it back.
        volume_rent_lamports: u64 => "bigint",
        /// What the trading wallet paid of the network fee. A transaction that failed may not have been charged it.
        network_fee_lamports: u64 => "bigint",
        /// Lamports the trading wallet gained (negative: spent) in total.
        net_lamports: i128 => "bigint",
        /// The figures that come from the quote, because they were not observed or reported and do not follow from those that were.
        estimated: Vec<ReceiptFigure> => "ReceiptFigure[]",
        /// Every disagreement, as stable codes.
        findings: Vec<Finding> => "ReceiptFinding[]",
    }
}

impl TradeReceipt {
    /// A receipt as JS and JSON see it. A bundle's quote does not say how many decimals its token has, so its prices are left out.
    pub fn of(wallet: Option<String>, receipt: &Receipt, decimals: Option<u8>) -> TradeReceipt {
        let (token_account, rent_lamports) = account_change(receipt.account.value());
        let figures = [
            (ReceiptFigure::Tokens, receipt.tokens.is_estimated()),
            (ReceiptFigure::Lamports, receipt.lamports.is_estimated()),
            (ReceiptFigure::Price, receipt.price.is_estimated()),
            (ReceiptFigure::SlippageUsedPpm, receipt.slippage_used_ppm.is_estimated()),
            (ReceiptFigure::Fees, receipt.fees.is_estimated()),
            (ReceiptFigure::TokenAccount, receipt.account.is_estimated()),
            (ReceiptFigure::VolumeRentLamports, receipt.volume_rent_lamports.is_estimated()),
            (ReceiptFigure::NetworkFeeLamports, receipt.network_fee_lamports.is_estimated()),
            (ReceiptFigure::NetLamports, receipt.net_lamports.is_estimated()),
        ];
        let fees = receipt.fees.value();
        TradeReceipt {
            wallet,
            status: receipt.landing,
            side: receipt.side,
            tokens: receipt.tokens.value(),
            lamports: receipt.lamports.value(),
            price: decimals.and_then(|decimals| price(receipt.price.value(), decimals)),
            slippage_used_ppm: receipt.slippage_used_ppm.value().into(),
            protocol_fee_lamports: fees.protocol_lamports,
            creator_fee_lamports: fees.creator_lamports,
            token_account,
            rent_lamports,
            volume_rent_lamports: receipt.volume_rent_lamports.value(),
            network_fee_lamports: receipt.network_fee_lamports.value(),
            net_lamports: receipt.net_lamports.value(),
            estimated: figures.into_iter().filter_map(|(figure, is)| is.then_some(figure)).collect(),
            findings: receipt.findings.clone(),
        }
    }
}
