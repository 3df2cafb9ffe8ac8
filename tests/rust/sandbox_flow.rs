//! The sandbox from the outside: requests in, replies and balances out.

use crate::launchpads::{first_buy, reserves};
use crate::{rents, sandbox};

use launchpad_desk::amount::from_base_units;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::object;
use launchpad_desk::error::FieldError;
use launchpad_desk::tape::{Data, Item, json};
use launchpad_desk_sandbox::{Change, HttpRequest, Sandbox, SandboxConfig};
use sandbox::{ADA, BOB, CYD, MINT, at, body, buy, land, post, sandbox, sandbox_with, text, wallet};

fn names(value: Item<'_>) -> Vec<&str> {
    let fields = value.fields().unwrap_or_else(|| panic!("{value:?} has no fields"));
    fields.map(|(name, _)| name).collect()
}

#[test]
fn a_first_buy_needs_no_set_up() {
    let mut sandbox = sandbox();
    let answer = post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000_000));
    assert_eq!(answer.reply.status, 200);
    assert_eq!(answer.reply.header("content-type"), Some("application/json"));
    let reply = body(&answer);
    assert_eq!(names(reply.root()), ["result", "explorer", "launchpad"]);
    let result = at(reply.root(), "result");
    assert_eq!(
        names(result),
        [
            "mint",
            "wallet",
            "buyAmount",
            "preTokenBalance",
            "postTokenBalance",
            "signature",
            "transactionResult",
            "tokenAccount",
        ]
    );
    let (bought, whole) = first_buy(1_000_000_000);
    assert_eq!(text(result, "buyAmount"), whole);
    assert_eq!(text(result, "preTokenBalance"), "0");
    assert_eq!(text(result, "postTokenBalance"), whole);
    assert_eq!(at(result, "transactionResult.success"), Data::Bool(true));
    assert_eq!(text(result, "transactionResult.results"), "ok");
    let signature = text(result, "signature");
    assert!(signature.starts_with("SIM") && signature.len() == 88, "{signature}");
    assert_eq!(text(result, "transactionResult.signature"), signature);
    assert_eq!(names(at(reply.root(), "explorer")), ["mint", "wallet", "tx"]);
    assert_eq!(text(reply.root(), "explorer.mint"), format!("https://explorer.example/token/{MINT}"));
    assert_eq!(text(reply.root(), "explorer.wallet"), format!("https://explorer.example/account/{ADA}"));
    assert_eq!(text(reply.root(), "explorer.tx"), format!("https://explorer.example/tx/{signature}"));
    assert_eq!(text(reply.root(), "launchpad.mint"), format!("https://launchpad.example/coin/{MINT}"));

    let ada = wallet(&sandbox, ADA);
    assert_eq!(ada.lamports, 100_000_000_000 - 1_000_000_000 - rents::token_account() - 5_000);
    assert_eq!(ada.token_accounts[0].tokens, bought);
    assert_eq!(ada.token_accounts[0].lamports, rents::token_account());
    assert_eq!(ada.token_accounts[0].token_account, text(result, "tokenAccount"));
    assert_eq!((ada.level.get(), sandbox.account().level.get()), (1, 1));
    let token = &sandbox.tokens()[0];
    assert_eq!(token.real_token_reserves, 793_100_000_000_000 - bought);
    assert!(token.market_cap_lamports > sandbox.tokens()[1].market_cap_lamports);
    let trade = &sandbox.trades()[0];
    assert_eq!((trade.success, trade.network_fee_lamports, trade.at_ms.get()), (true, 5_000, 7));
    let fees = trade.legs[0].protocol_fee_lamports + trade.legs[0].creator_fee_lamports;
    assert_eq!(fees, token.protocol_fees_lamports + token.creator_fees_lamports);
    assert_eq!(trade.legs[0].rent_lamports, rents::token_account());
}

#[test]
fn selling_everything_closes_the_account_and_gives_its_rent_back() {
    let mut sandbox = sandbox();
    post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000_000));
    let before = wallet(&sandbox, ADA).lamports;
    let half = object! { "mint": MINT, "fromWallet": ADA, "percentage": 50u32 };
    let reply = land(&mut sandbox, "/v1/trade/sell-by-percentage", &half);
    let (bought, _) = first_buy(1_000_000_000);
    let [sold, left] = [bought / 2, bought - bought / 2].map(|tokens| from_base_units(tokens, 6));
    assert_eq!(text(reply.root(), "result.sellAmount"), sold);
    assert_eq!(at(reply.root(), "result.tokenAccountClosed"), Data::Bool(false));
    let rest = object! { "mint": MINT, "fromWallet": ADA, "amountInToken": left };
    let reply = land(&mut sandbox, "/v1/trade/sell", &rest);
    assert_eq!(names(at(reply.root(), "result")).last(), Some(&"tokenAccountClosed"));
    assert_eq!(at(reply.root(), "result.tokenAccountClosed"), Data::Bool(true));
    assert_eq!(text(reply.root(), "result.preTokenBalance"), left);
    assert_eq!(text(reply.root(), "result.postTokenBalance"), "0");
    let ada = wallet(&sandbox, ADA);
    assert!(ada.token_accounts.is_empty());
    let received: u64 = sandbox.trades()[1..].iter().map(|trade| trade.legs[0].lamports).sum();
    assert_eq!(ada.lamports, before + received + rents::token_account() - 2 * 5_000);
    assert_eq!(sandbox.trades()[2].legs[0].refund_lamports, rents::token_account());
    assert_eq!(ada.level.get(), 1, "selling levels nothing up");
    let tokens: u64 = sandbox.tokens()[0].real_token_reserves;
    assert_eq!(tokens, 793_100_000_000_000);
}

#[test]
fn a_bundle_is_all_or_none() {
    let mut sandbox = sandbox();
    let leg = |wallet: &str, lamports: u64| object! { "fromWallet": wallet, "amountInLamports": lamports };
    let request = |last: u64| {
        object! {
            "buys": vec![leg(ADA, 1_000_000), leg(BOB, 2_000_000), leg(CYD, last)], "mint": MINT, "feePayer": ADA,
            "priorityUnitPrice": 1_000_000u64,
        }
    };
    let fee = 3 * 5_000 + 3 * 200_000;
    let answer = post(&mut sandbox, "/v1/trade/bundle/buy", &json::write(&request(5_000_000_000)));
    let reply = body(&answer);
    assert_eq!(at(reply.root(), "result.transactionResult.success"), Data::Bool(false));
    let results = text(reply.root(), "result.transactionResult.results.message");
    assert_eq!(results, "insufficient_lamports: the wallet has too few lamports for this trade (buys[2])");
    assert_eq!(wallet(&sandbox, ADA).lamports, 100_000_000_000 - fee);
    assert_eq!(wallet(&sandbox, BOB).lamports, 10_000_000_000);
    assert_eq!(sandbox.account().level.get(), 0);

    let reply = land(&mut sandbox, "/v1/trade/bundle/buy", &request(3_000_000));
    assert_eq!(names(at(reply.root(), "result")), ["mint", "signature", "transactionResult"]);
    assert_eq!(names(at(reply.root(), "explorer")), ["mint", "tx"]);
    assert_eq!(sandbox.account().level.get(), 3);
    assert!(
        sandbox.wallets().iter().all(|wallet| wallet.level.get() == 1 && wallet.token_accounts.len() == 1)
    );
    assert_eq!(
        wallet(&sandbox, ADA).lamports,
        100_000_000_000 - 2 * fee - 1_000_000 - rents::token_account()
    );

    let leg = |wallet: &str, percentage: u32| object! { "fromWallet": wallet, "percentage": percentage };
    let sells = vec![leg(ADA, 100), leg(BOB, 100), leg(CYD, 40), leg(CYD, 100)];
    let request = object! { "sells": sells, "mint": MINT, "feePayer": BOB };
    land(&mut sandbox, "/v1/trade/bundle/sell/by-percentage", &request);
    assert!(sandbox.wallets().iter().all(|wallet| wallet.token_accounts.is_empty()));
    let legs = &sandbox.trades()[2].legs;
    assert_eq!(
        legs.iter().map(|leg| leg.refund_lamports).collect::<Vec<_>>(),
        [rents::token_account(), rents::token_account(), 0, rents::token_account()]
    );
    assert!(legs.iter().all(|leg| leg.tokens > 0));
    assert_eq!(sandbox.tokens()[0].real_token_reserves, 793_100_000_000_000);
}

#[test]
fn a_log_that_lacks_a_row_is_refused() {
    let mut sandbox = sandbox();
    let changes = post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000_000)).changes;
    assert_eq!(changes.len(), 7);
    for gone in 0..changes.len() {
        let mut fewer = changes.clone();
        let gone = fewer.remove(gone);
        let mut other = self::sandbox();
        let refused = other.apply(&fewer).is_err();
        // A transaction that is no longer in the list of the newest still counts.
        assert_eq!(refused, !matches!(gone, Change::Trade(_) | Change::MarketTrade(_)), "{gone:?}");
        assert_eq!(other == self::sandbox(), refused);
    }
}

#[test]
fn links_and_rules_are_as_configured() {
    let config = object! {
        "explorerBase": "https://scan.test/x/", "launchpadBase": "http://localhost:8080", "explorerTokenAccount": true,
        "identifiers": "base58", "maxBundleSize": 1u32, "slippageUnit": "bps",
        "launchpad": object! {
            "completion": "partial", "tokenDecimals": 0u32, "rentLamportsPerByte": 6_960u64, "lamportsPerSignature": 1u64,
            "feeTiers": vec![object! { "marketCapThresholdLamports": 0u64, "protocolBps": 0u32, "creatorBps": 10u32 }],
        },
        "tokens": vec![object! {
            "mint": MINT, "hasCreator": false, "curve": reserves([1_000_000, 1_000_000, 1_000, 0]),
        }],
    };
    let mut sandbox = sandbox_with(&config);
    let reply = body(&post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000)));
    assert_eq!(text(reply.root(), "result.buyAmount"), "1000", "base units, and no more than the curve has");
    let account = text(reply.root(), "result.tokenAccount");
    assert_eq!(text(reply.root(), "explorer.tokenAccount"), format!("https://scan.test/x/account/{account}"));
    assert_eq!(text(reply.root(), "launchpad.mint"), format!("http://localhost:8080/coin/{MINT}"));
    let token = &sandbox.tokens()[0];
    assert_eq!((token.complete, token.protocol_fees_lamports, token.creator_fees_lamports), (true, 0, 0));
    assert_eq!((token.symbol.as_str(), token.name.as_str()), ("SimM", "SimM"));
    // 1000 of a million tokens at a million lamports: 1000 · 10⁶ / 999000 + 1 = 1002.
    assert_eq!(wallet(&sandbox, ADA).lamports, 100_000_000_000 - 1_002 - (165 + 128) * 6_960 - 1);
    let reply = body(&post(&mut sandbox, "/v1/trade/buy", &buy(ADA, 1_000_000)));
    assert!(text(reply.root(), "result.transactionResult.results.message").starts_with("curve_complete: "));
    let legs = vec![object! { "fromWallet": ADA, "amountInLamports": 1u64 }; 2];
    let bundle = json::write(&object! { "buys": legs, "mint": MINT, "feePayer": ADA });
    assert_eq!(post(&mut sandbox, "/v1/trade/bundle/buy", &bundle).reply.status, 400);
}

#[test]
fn an_answer_moves_nothing_until_it_is_taken() {
    let mut sandbox = sandbox();
    let before = sandbox.clone();
    let request = HttpRequest {
        method: "POST",
        path: "/v1/trade/buy",
        headers: &[("content-type".into(), "application/json".into())],
        body: &buy(ADA, 1_000_000).into_bytes(),
        now_ms: 7,
    };
    let answer = sandbox.answer(&request);
    assert_eq!(sandbox, before);
    sandbox.take(&answer.changes);
    let mut other = before;
    assert_eq!(other.handle(&request), answer);
    assert_eq!(other, sandbox);
}

/// A market with a wallet that holds tokens before the first call.
fn with_holding(tokens: u64) -> Result<Sandbox, Vec<FieldError>> {
    let curve = reserves([1_000_000_000_000_000, 32_190_000_000, 720_100_000_000_000, 2_190_000_000]);
    let holdings = vec![object! { "mint": "M", "tokens": tokens }];
    let config = object! {
        "tokens": vec![object! { "mint": "M", "curve": curve }],
        "wallets": vec![object! { "wallet": "W", "lamports": 1_000_000u64, "holdings": holdings }],
    };
    Sandbox::new(SandboxConfig::read(config.root())?)
}

#[test]
fn a_holding_is_sold_and_its_account_closed() {
    let sandbox = with_holding(10_000_000).unwrap();
    let request = object! { "mint": "M", "fromWallet": "W", "percentage": Data::Number("100") };
    let run = sandbox.quote(Operation::SellByPercentage, request.root()).unwrap();
    let leg = &run.quote.unwrap().legs[0];
    // 10000000 · 32190000000 / (10^15 + 10000000), floored; then both fees, each ceiled.
    let fees: u64 = [leg.rates.protocol_bps(), leg.rates.creator_bps()]
        .map(|bps| (321 * u64::from(bps)).div_ceil(10_000))
        .iter()
        .sum();
    assert_eq!(
        (leg.fill.tokens, leg.fill.curve_lamports, leg.fill.wallet_lamports),
        (10_000_000, 321, 321 - fees)
    );
    assert_eq!(leg.account.wallet_lamports(), i128::from(rents::token_account()));
}

#[test]
fn more_than_there_is_cannot_be_held() {
    assert!(with_holding(279_900_000_000_000).is_ok());
    let message = &with_holding(279_900_000_000_001).unwrap_err()[0].message;
    assert_eq!(message, "tokens[0].supply is less than the curve, wallets and rivals hold in total");
}
