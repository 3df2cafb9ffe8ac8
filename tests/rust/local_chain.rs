//! The chain around the sandbox: what it says is what the sandbox holds, and it misbehaves as it is told. How trades
//! are settled by it, `gateway_proof.rs` and `client/market.rs` show.

use crate::rents;

use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::chain::account::Account;
use launchpad_desk::chain::address::{
    Address, FEE_CONFIG, GLOBAL, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, curve_address, token_account_address,
};
use launchpad_desk::chain::curve::ChainCurve;
use launchpad_desk::chain::fee_config::read_fee_tiers;
use launchpad_desk::chain::global::Global;
use launchpad_desk::chain::look::{Look, addresses, read_wallets};
use launchpad_desk::chain::mint::Mint;
use launchpad_desk::chain::rpc::{Replies, read_accounts, read_number, read_signatures};
use launchpad_desk::chain::token_account::read_holding;
use launchpad_desk::chain::wallets::Wallets;
use launchpad_desk::evidence::Listing;
use launchpad_desk::tape::{Item, json};
use launchpad_desk_sandbox::local_chain::{ChainFaults, LocalChain};
use launchpad_desk_sandbox::{Answer, HttpRequest, RateLimit, Sandbox, SandboxConfig};

const START_MS: u64 = 1_800_000_000_000;

/// A sandbox, the chain around it, and the time.
struct World {
    sandbox: Sandbox,
    chain: LocalChain,
    now_ms: u64,
}

/// What was read, or why the node did not answer.
type Read<T> = Result<T, String>;

fn result(replies: &Replies, id: u64) -> Read<Item<'_>> {
    replies.result(id).map_err(|error| error.to_string())
}

fn number(replies: &Replies, id: u64) -> Read<u64> {
    read(read_number(result(replies, id)?))
}

fn read<T>(read: Result<T, launchpad_desk::chain::ReadError>) -> Read<T> {
    read.map_err(|error| error.to_string())
}

impl World {
    fn new(settings: &str, faults: ChainFaults) -> World {
        let settings = json::parse(settings.as_bytes()).expect("JSON");
        let sandbox =
            Sandbox::new(SandboxConfig::read(settings.root()).expect("settings")).expect("a sandbox");
        let chain = LocalChain::of(&sandbox, faults, START_MS);
        World { sandbox, chain, now_ms: START_MS }
    }

    fn send(&mut self, operation: Operation, body: &str) -> Answer {
        let headers = [("content-type".into(), "application/json".into())];
        let request = HttpRequest {
            method: "POST",
            path: operation.path(),
            headers: &headers,
            body: body.as_bytes(),
            now_ms: self.now_ms,
        };
        let answer = self.sandbox.answer(&request);
        self.chain.follow(&answer.changes, self.now_ms);
        self.sandbox.take(&answer.changes);
        answer
    }

    /// A buy of the first token by the first wallet: the mint and the wallet.
    fn buy(&mut self, lamports: u64) -> (String, String) {
        let (mint, wallet) =
            (self.sandbox.tokens()[0].mint.clone(), self.sandbox.wallets()[0].wallet.clone());
        let body = format!(r#"{{"mint":"{mint}","fromWallet":"{wallet}","amountInLamports":{lamports}}}"#);
        assert_eq!(self.send(Operation::Buy, &body).reply.status, 200);
        (mint, wallet)
    }

    fn ask(&mut self, calls: &[(&str, String)]) -> Read<Replies> {
        self.now_ms += 1;
        let calls = calls.iter().enumerate().map(|(id, (method, params))| {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":[{params}]}}"#)
        });
        let body = format!("[{}]", calls.collect::<Vec<_>>().join(","));
        let reply = self.chain.answer(body.as_bytes(), self.now_ms);
        if reply.status != 200 {
            return Err(reply.status.to_string());
        }
        read(Replies::parse(&reply.body))
    }

    fn accounts(&mut self, addresses: &[Address], commitment: &str) -> Read<(u64, Vec<Option<Account>>)> {
        let list: Vec<String> = addresses.iter().map(|address| format!("\"{address}\"")).collect();
        let params = format!(r#"[{}],{{"encoding":"base64","commitment":"{commitment}"}}"#, list.join(","));
        let replies = self.ask(&[("getMultipleAccounts", params)])?;
        read(read_accounts(addresses, result(&replies, 0)?))
    }
}

#[test]
fn its_accounts_are_what_the_sandbox_holds() {
    for (bytes, program) in [(165, TOKEN_PROGRAM), (170, TOKEN_2022_PROGRAM)] {
        let settings = format!(r#"{{"launchpad":{{"tokenAccountBytes":{bytes}}}}}"#);
        let mut world = World::new(&settings, ChainFaults::default());
        let (mint, wallet) = world.buy(1_000_000_000);
        let (mint, own): (Address, Address) = (mint.parse().unwrap(), wallet.parse().unwrap());
        let account = token_account_address(&own, &program, &mint);
        let addresses = [curve_address(&mint), mint, own, account, GLOBAL, FEE_CONFIG];
        let (_, read) = world.accounts(&addresses, "processed").unwrap();
        let token = world.sandbox.state().token(&mint.to_string()).unwrap();
        let curve = ChainCurve::read(&mint, read[0].as_ref()).unwrap();
        assert_eq!(curve.reserves.real_sol_reserves, token.real_sol_reserves);
        assert_eq!(curve.reserves.virtual_token_reserves, token.virtual_token_reserves);
        assert!(curve.trades() && curve.creator.is_some());
        let read_mint = Mint::read(&mint, read[1].as_ref()).unwrap();
        assert_eq!(
            (read_mint.supply, read_mint.decimals, read_mint.token_program),
            (token.supply, 6, program)
        );
        let holding = read_holding(&account, read[3].as_ref()).unwrap().unwrap();
        let row = world.sandbox.state().token_account(&wallet, &mint.to_string()).unwrap();
        assert_eq!((holding.tokens, holding.lamports), (row.tokens, row.lamports));
        assert_eq!(read[3].as_ref().unwrap().data.len(), bytes);
        assert_eq!(read[2].as_ref().unwrap().lamports, world.sandbox.wallets()[0].lamports);
        let launchpad = world.sandbox.rules();
        assert_eq!(Global::read(read[4].as_ref()).unwrap().start, launchpad.start);
        assert_eq!(read_fee_tiers(read[5].as_ref()).unwrap(), launchpad.fee_tiers);
        // 32 slots later it is finalized, and not before.
        assert_eq!(world.accounts(&[account], "finalized").unwrap().1, [None]);
        world.now_ms += 33 * 400;
        assert!(world.accounts(&[account], "finalized").unwrap().1[0].is_some());
    }
}

#[test]
fn a_look_at_the_chain_sees_the_token_and_the_rules_by_which_the_sandbox_trades() {
    for completion in ["reject", "partial", "pool"] {
        let settings = format!(
            r#"{{"launchpad":{{"completion":"{completion}"}},"tokens":[
                {{"mint":"SimMoonRabbit111111111111111111111111111111","creatorBps":500}},
                {{"mint":"SimPaperBoat1111111111111111111111111111111","complete":true}},
                {{"mint":"SimGrassHeron111111111111111111111111111111","hasCreator":false}}]}}"#
        );
        let mut world = World::new(&settings, ChainFaults::default());
        let rules = world.sandbox.rules().clone();
        let rows: Vec<_> = world.sandbox.state().tokens.iter().cloned().collect();
        for row in rows {
            let mint: Address = row.mint.parse().unwrap();
            let addresses = addresses(&mint, &Wallets::default());
            let (slot, read) = world.accounts(&addresses, "processed").unwrap();
            let look = Look::read(&mint, &Wallets::default(), &addresses, slot, &read, &rules).unwrap();
            assert_eq!((look.token, &look.launchpad), (row.token(), &rules), "{completion} {}", row.mint);
        }
    }
}

/// A look at a token with one wallet that holds some of it, and its accounts.
fn held() -> (World, Address, Wallets, Vec<Address>, u64, Vec<Option<Account>>) {
    let mut world = World::new("{}", ChainFaults::default());
    let (mint, wallet) = world.buy(1_000_000_000);
    let (mint, wallet): (Address, Address) = (mint.parse().unwrap(), wallet.parse().unwrap());
    let wallets = Wallets::from(&[wallet][..]);
    let addresses = addresses(&mint, &wallets);
    let (slot, read) = world.accounts(&addresses, "processed").unwrap();
    (world, mint, wallets, addresses, slot, read)
}

#[test]
fn lamports_that_a_stranger_sends_to_an_address_make_no_account_there() {
    let (world, mint, wallets, addresses, slot, read) = held();
    let rules = world.sandbox.rules();
    let gift = |at: usize| {
        let owner = Address::default();
        Some(Account { address: addresses[at], owner, lamports: 1, data: Vec::new() })
    };
    let look = |read: &[Option<Account>]| Look::read(&mint, &wallets, &addresses, slot, read, rules);
    let holdings = |read: &[Option<Account>]| read_wallets(&mint, &wallets, &addresses, read);
    let own = look(&read).unwrap();
    assert!(own.wallets[0].holding.is_some());
    // Each of the wallet's two possible token accounts, and its volume account.
    for at in 5..8 {
        let mut without = read.clone();
        without[at] = None;
        let mut sent = read.clone();
        sent[at] = gift(at);
        assert_eq!(look(&sent), look(&without), "{at}");
        assert_eq!(holdings(&sent), holdings(&without), "{at}");
    }
    // A token that is not made yet.
    let mut future = read.clone();
    for at in [0, 3, 5, 6] {
        future[at] = gift(at);
    }
    let why = look(&future).unwrap_err().to_string();
    assert_eq!(why, "the token's curve does not exist, or not yet at this commitment");
    future[0] = read[0].clone();
    assert_eq!(
        look(&future).unwrap_err().to_string(),
        "the mint does not exist, or not yet at this commitment"
    );
    assert_eq!(holdings(&future).unwrap()[0].holding, None);
}

#[test]
fn a_token_account_that_was_given_away_is_said_to_be_of_another_wallet() {
    let (world, mint, wallets, addresses, slot, read) = held();
    let rules = world.sandbox.rules();
    let at = if read[5].is_some() { 5 } else { 6 };
    for (from, why) in
        [(32, "the token account belongs to another wallet"), (0, "the token account is of another token")]
    {
        let mut given = read.clone();
        given[at].as_mut().unwrap().data[from] ^= 1;
        let refused = Look::read(&mint, &wallets, &addresses, slot, &given, rules).unwrap_err();
        assert_eq!(refused.to_string(), why);
        assert_eq!(read_wallets(&mint, &wallets, &addresses, &given).unwrap_err(), refused);
    }
}

#[test]
fn an_account_that_only_somebody_else_may_close_is_one_in_a_sandbox_of_the_look_and_on_its_chain() {
    let (world, mint, wallets, addresses, slot, mut read) = held();
    let at = if read[5].is_some() { 5 } else { 6 };
    for stays_open in [false, true] {
        let data = &mut read[at].as_mut().unwrap().data;
        (data[129], data[140]) = (stays_open.into(), stays_open.into());
        let look = |slot, read: &[Option<Account>]| {
            Look::read(&mint, &wallets, &addresses, slot, read, world.sandbox.rules()).unwrap()
        };
        let first = look(slot, &read);
        assert_eq!(first.wallets[0].wallet().token_account.unwrap().stays_open, stays_open);
        let mut local = World::new(&json::write(&first.sandbox_settings()), ChainFaults::default());
        let (slot, read) = local.accounts(&addresses, "processed").unwrap();
        assert_eq!(look(slot, &read).wallets[0].wallet(), first.wallets[0].wallet());
    }
}

#[test]
fn a_block_that_is_only_processed_has_no_history() {
    let mut world = World::new("{}", ChainFaults::default());
    let (_, wallet) = world.buy(1_000_000_000);
    let signature = world.sandbox.trades()[0].signature.clone();
    let calls = [
        ("getSignaturesForAddress", format!(r#""{wallet}",{{"commitment":"processed"}}"#)),
        ("getTransaction", format!(r#""{signature}",{{"commitment":"processed"}}"#)),
        (
            "getBlock",
            format!(r#"{},{{"transactionDetails":"none","commitment":"processed"}}"#, START_MS / 400),
        ),
    ];
    let replies = world.ask(&calls).unwrap();
    for id in 0..3 {
        let why = "the node refused: Method does not support commitment below `confirmed` (-32602)";
        assert_eq!(result(&replies, id).err().as_deref(), Some(why));
    }
}

#[test]
fn a_node_misbehaves_as_it_is_told() {
    let ask = |faults: ChainFaults, times: usize| -> Vec<String> {
        let mut world = World::new("{}", faults);
        world.now_ms += 400_000;
        let answers =
            (0..times).map(|_| match world.ask(&[("getSlot", r#"{"commitment":"processed"}"#.into())]) {
                Err(status) => status,
                Ok(replies) => {
                    number(&replies, 0).map_or_else(|why| why, |slot| (slot - START_MS / 400).to_string())
                }
            });
        answers.collect()
    };
    let of = ChainFaults::default;
    assert_eq!(ask(of(), 2), ["1000", "1000"]);
    assert_eq!(ask(ChainFaults { lag_slots: 7, ..of() }, 1), ["993"]);
    let jumps = ChainFaults { jump_back_every: Some(3), jump_back_slots: 50, ..of() };
    assert_eq!(ask(jumps, 4), ["1000", "1000", "950", "1000"]);
    let refuses = ChainFaults { refuse_methods: vec!["getSlot".into()], ..of() };
    assert_eq!(ask(refuses, 1), ["the node refused: Method not found (-32601)"]);
    let limits = ChainFaults { rate_limit: Some(RateLimit { requests: 2, per_ms: 1_000 }), ..of() };
    assert_eq!(ask(limits, 4), ["1000", "1000", "429", "429"]);
    let mut world = World::new("{}", ChainFaults { prune_after_slots: Some(100), ..of() });
    world.now_ms += 400_000;
    let first = world.ask(&[("getFirstAvailableBlock", String::new())]).unwrap();
    assert_eq!(number(&first, 0), Ok(START_MS / 400 + 900));
}

#[test]
fn an_invalid_call_is_refused_by_its_code() {
    let mut world = World::new("{}", ChainFaults::default());
    let mut answer = |body: &str| {
        let reply = world.chain.answer(body.as_bytes(), START_MS);
        String::from_utf8(reply.body).unwrap()
    };
    let of = |method: &str, params: &str| {
        format!(r#"{{"jsonrpc":"2.0","id":"a","method":"{method}","params":{params}}}"#)
    };
    let no_address = "Invalid params: expected an address: base58 of 32 bytes";
    let late = r#"[{"minContextSlot":9007199254740993}]"#;
    for (call, id, code, message) in [
        ("{".to_owned(), "null", -32_700, "Parse error"),
        ("[]".to_owned(), "null", -32_600, "Invalid request"),
        (of("sendTransaction", "[]"), "\"a\"", -32_601, "Method not found"),
        (of("getAccountInfo", r#"["W",{"encoding":"base64"}]"#), "\"a\"", -32_602, no_address),
        (of("getSlot", r#"[{"commitment":"max"}]"#), "\"a\"", -32_602, "Invalid params: unknown commitment"),
        (of("getSlot", late), "\"a\"", -32_016, "Minimum context slot has not been reached"),
    ] {
        let error = format!(r#"{{"code":{code},"message":"{message}"}}"#);
        assert_eq!(answer(&call), format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#));
    }
    let rent = format!(r#"{{"jsonrpc":"2.0","id":"a","result":{}}}"#, rents::token_account());
    assert_eq!(answer(&of("getMinimumBalanceForRentExemption", "[165]")), rent);
}

#[test]
fn pages_of_signatures_are_the_whole_list() {
    let mut world = World::new("{}", ChainFaults::default());
    let wallet = world.sandbox.wallets()[0].wallet.clone();
    for lamports in 1_000_000..1_000_005 {
        world.buy(lamports);
        world.now_ms += 400;
    }
    world.now_ms += 60_000;
    let mut listed = |limit: usize| {
        let mut listing = Listing::new(&wallet, 0);
        while let Some(before) = listing.next() {
            let before = before.map_or(String::new(), |before| format!(r#","before":"{before}""#));
            let page = world
                .ask(&[("getSignaturesForAddress", format!(r#""{wallet}",{{"limit":{limit}{before}}}"#))]);
            listing.add(read_signatures(result(&page.unwrap(), 0).unwrap()).unwrap(), limit);
        }
        listing.finish(Some(0), 1)
    };
    let whole = listed(1_000);
    // The five, and what brought the wallet its lamports.
    assert_eq!((whole.entries.len(), whole.is_complete), (6, true));
    assert_eq!([1, 2, 3, 6].map(&mut listed), [(); 4].map(|()| whole.clone()));
}
