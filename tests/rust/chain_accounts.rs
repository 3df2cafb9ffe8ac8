//! Accounts of the chain against the recorded ones: what must be read from each, or why it is refused.

use crate::seeded;

use base64ct::{Base64, Encoding};
use launchpad_desk::chain::account::Account;
use launchpad_desk::chain::address::{
    Address, FEE_CONFIG, FEE_PROGRAM, GLOBAL, LAUNCHPAD_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM,
    curve_address, derived_address, token_account_address,
};
use launchpad_desk::chain::curve::ChainCurve;
use launchpad_desk::chain::encode;
use launchpad_desk::chain::fee_config::read_fee_tiers;
use launchpad_desk::chain::global::Global;
use launchpad_desk::chain::mint::Mint;
use launchpad_desk::chain::token_account::read_holding;
use launchpad_desk::chain::unreadable::{AccountRefusal, Unreadable};
use launchpad_desk::launchpad::fees::{FeeTier, tier_at};
use proptest::prelude::*;
use serde_json::Value;

const CURVES: &str = include_str!("../vectors/chain/curve-accounts.json");
const CONFIGS: &str = include_str!("../vectors/chain/config-accounts.json");
const TOKEN_ACCOUNTS: &str = include_str!("../vectors/chain/token-accounts.json");

fn file(text: &str) -> Value {
    serde_json::from_str(text).expect("the vectors are JSON")
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().expect("a list")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn address(value: &Value) -> Address {
    text(value).parse().expect("an address")
}

fn number(value: &Value) -> u64 {
    text(value).parse().expect("a number")
}

/// A field that a case leaves out when it is zero or absent.
fn rest(value: &Value) -> u64 {
    if value.is_null() { 0 } else { number(value) }
}

fn bytes(base64: &Value) -> Vec<u8> {
    Base64::decode_vec(text(base64)).expect("base64")
}

/// The account of a case, filled up with the zeros that the file leaves out; `None` where nothing is there.
fn account(case: &Value) -> Option<Account> {
    let mut data = bytes(Some(&case["dataBase64"]).filter(|data| data.is_string())?);
    let [address, owner] = [["address", "curveAddress"], ["owner", "tokenProgram"]].map(|names| {
        address(names.map(|name| &case[name]).into_iter().find(|value| value.is_string()).expect("one"))
    });
    if let Some(length) = case["padZerosTo"].as_u64() {
        data.resize(length as usize, 0);
    }
    // What is published of mainnet are bytes alone.
    let lamports = if case["lamports"].is_string() { number(&case["lamports"]) } else { 1 };
    Some(Account { address, owner, lamports, data })
}

fn refusal<T: std::fmt::Debug>(read: Result<T, Unreadable>) -> AccountRefusal {
    read.expect_err("a refusal").refusal
}

fn assert_is(curve: &ChainCurve, recorded: &Value, id: &str) {
    let reserves = &curve.reserves;
    let zero_or = |value: Option<u64>| value.unwrap_or(0);
    for (name, ours) in [
        ("virtualTokenReserves", reserves.virtual_token_reserves),
        ("virtualSolReserves", reserves.virtual_sol_reserves),
        ("realTokenReserves", reserves.real_token_reserves),
        ("realSolReserves", reserves.real_sol_reserves),
        ("tokenTotalSupply", curve.token_total_supply),
        ("creatorFeeBps", zero_or(curve.creator_fee_bps)),
        ("creatorFee", zero_or(curve.creator_fee_lamports)),
        ("protocolFees", zero_or(curve.protocol_fees_lamports)),
        ("initialVirtualQuoteReserves", zero_or(curve.initial_virtual_sol_reserves)),
        ("postCompleteBaseOut", zero_or(curve.post_complete_tokens_out)),
        ("postCompleteQuoteIn", zero_or(curve.post_complete_lamports_in)),
    ] {
        assert_eq!(ours, rest(&recorded[name]), "{id}: {name}");
    }
    for (name, ours) in [
        ("complete", curve.complete),
        ("isMayhem", curve.is_mayhem == Some(true)),
        ("isCashback", curve.is_cashback == Some(true)),
        ("canEditCreatorFee", curve.can_edit_creator_fee == Some(true)),
        ("isHolderReward", curve.is_holder_reward == Some(true)),
    ] {
        assert_eq!(ours, recorded[name] == true, "{id}: {name}");
    }
    let creator = Some(&recorded["creator"]).filter(|creator| !creator.is_null()).map(address);
    assert_eq!(curve.creator, creator, "{id}");
    let depth = recorded["depth"].as_u64().unwrap_or_else(|| rest(&recorded["depth"]));
    assert_eq!(u64::from(curve.depth.unwrap_or(0)), depth, "{id}");
}

#[test]
fn every_recorded_curve_is_read() {
    let file = file(CURVES);
    let mut read = 0;
    for case in list(&file, "cases") {
        let id = text(&case["id"]);
        for when in ["before", "after"] {
            if case["dataBase64"][when].is_null() {
                continue;
            }
            let at = match (&case["mint"], &case["curveAddress"]) {
                (Value::Null, Value::Null) => Address::new([7; 32]),
                (Value::Null, at) => address(at),
                (mint, at) => {
                    assert_eq!(curve_address(&address(mint)), address(at), "{id}");
                    address(at)
                }
            };
            let account = curve_of(at, bytes(&case["dataBase64"][when]));
            assert_eq!(account.owner, address(&case["owner"]), "{id}");
            let length = case["length"][usize::from(when == "after")].as_u64();
            assert_eq!(Some(account.data.len() as u64), length, "{id}");
            let curve = ChainCurve::read_at(&at, Some(&account)).unwrap_or_else(|why| panic!("{id}: {why}"));
            assert_is(&curve, &case["decoded"][when], id);
            // A rewritten account reads as the same curve, whatever its address.
            let written = encode::curve_account(&Address::new([7; 32]), &curve, account.lamports);
            assert_eq!(ChainCurve::read_at(&written.address, Some(&written)), Ok(curve), "{id}");
            read += 1;
        }
    }
    assert!(read >= 60, "{read}");
}

#[test]
fn every_wrong_curve_is_refused_by_name() {
    let file = file(CURVES);
    for case in list(&file, "bad") {
        let id = text(&case["id"]);
        let refused = refusal(ChainCurve::read(&address(&case["mint"]), account(case).as_ref()));
        assert_eq!(refused.as_str(), text(&case["refuse"]), "{id}");
    }
    assert_eq!(list(&file, "bad").len(), 15);
    let mint = address(&list(&file, "pdas")[0]["mint"]);
    assert_eq!(refusal(ChainCurve::read(&mint, None)), AccountRefusal::Missing);
}

/// A live curve of 166 bytes, its address and its bytes.
fn long_curve() -> (Address, Vec<u8>) {
    let file = file(CURVES);
    let case = list(&file, "cases").iter().find(|case| case["id"] == "0.5.0/sell_v3").expect("the case");
    (address(&case["curveAddress"]), bytes(&case["dataBase64"]["before"]))
}

fn curve_of(at: Address, data: Vec<u8>) -> Account {
    Account { address: at, owner: LAUNCHPAD_PROGRAM, lamports: 1, data }
}

#[test]
fn a_curve_is_read_at_any_length_but_a_cut_one() {
    let (at, whole) = long_curve();
    let first = ChainCurve::read_at(&at, Some(&curve_of(at, whole.clone()))).expect("a curve");
    for length in 0..300 {
        let mut data = whole.clone();
        data.resize(length, 0);
        let read = ChainCurve::read_at(&at, Some(&curve_of(at, data)));
        let is_cut = length < 49 || (50..=80).contains(&length) || (84..=114).contains(&length);
        if is_cut {
            assert_eq!(refusal(read), AccountRefusal::Length, "{length}");
            continue;
        }
        let read = read.unwrap_or_else(|why| panic!("{length}: {why}"));
        assert_eq!(read.reserves, first.reserves);
        // A field exists once its last byte does, and never before.
        assert_eq!(read.is_mayhem.is_some(), length >= 82, "{length}");
        assert_eq!(read.is_cashback.is_some(), length >= 83, "{length}");
        assert_eq!(read.creator_fee_bps.is_some(), length >= 123, "{length}");
        assert_eq!(read.depth.is_some(), length >= 142, "{length}");
        assert_eq!(read.post_complete_lamports_in.is_some(), length >= 166, "{length}");
    }
}

#[test]
fn each_flag_of_a_curve_is_zero_or_one() {
    let (at, whole) = long_curve();
    for flag in [48, 81, 82, 123, 124] {
        for byte in [2, 255] {
            let mut data = whole.clone();
            data[flag] = byte;
            assert_eq!(
                refusal(ChainCurve::read_at(&at, Some(&curve_of(at, data)))),
                AccountRefusal::Bool,
                "{flag}"
            );
        }
    }
}

#[test]
fn derived_addresses_agree_with_the_recorded_ones() {
    let file = file(CURVES);
    for pda in list(&file, "pdas") {
        let mint = address(&pda["mint"]);
        let (at, bump) =
            derived_address(&[b"bonding-curve", mint.as_bytes()], &LAUNCHPAD_PROGRAM).expect("one");
        assert_eq!((at, Some(u64::from(bump))), (address(&pda["curveAddress"]), pda["bump"].as_u64()));
        assert_eq!(curve_address(&mint), at);
    }
    assert_eq!(derived_address(&[b"global"], &LAUNCHPAD_PROGRAM), Some((GLOBAL, 255)));
    let fee_seeds: [&[u8]; 2] = [b"fee_config", LAUNCHPAD_PROGRAM.as_bytes()];
    assert_eq!(derived_address(&fee_seeds, &FEE_PROGRAM), Some((FEE_CONFIG, 253)));
    let tokens = self::file(TOKEN_ACCOUNTS);
    for case in list(&tokens, "associatedAddresses") {
        let [wallet, program, mint] = ["wallet", "tokenProgram", "mint"].map(|name| address(&case[name]));
        assert_eq!(token_account_address(&wallet, &program, &mint), address(&case["address"]), "{case}");
    }
}

#[test]
fn an_address_is_base58_of_32_bytes() {
    let file = file(CURVES);
    for pda in list(&file, "pdas") {
        assert_eq!(address(&pda["mint"]).to_string(), text(&pda["mint"]));
    }
    for wrong in ["", "1", "1111111111111111111111111111111", "l1111111111111111111111111111111", " ", "é"] {
        assert!(wrong.parse::<Address>().is_err(), "{wrong}");
    }
    assert!("11111111111111111111111111111111".parse::<Address>().expect("one").is_zero());
}

fn tiers_of(config: &Value) -> Vec<FeeTier> {
    let tiers = read_fee_tiers(account(config).as_ref()).expect("fee tiers");
    assert_eq!(read_fee_tiers(Some(&encode::fee_config_account(&tiers, 1))).as_ref(), Ok(&tiers));
    tiers
}

#[test]
fn every_recorded_configuration_is_read() {
    let file = file(CONFIGS);
    for case in list(&file, "feeConfigs") {
        let tiers = tiers_of(case);
        let recorded = list(&case["decoded"], "feeTiers");
        assert_eq!(tiers.len(), recorded.len(), "{}", case["id"]);
        for (tier, recorded) in tiers.iter().zip(recorded) {
            assert_eq!(tier.market_cap_threshold_lamports.to_string(), text(&recorded["threshold"]));
            assert_eq!(tier.rates.protocol_bps().to_string(), text(&recorded["protocolFeeBps"]));
            assert_eq!(tier.rates.creator_bps().to_string(), text(&recorded["creatorFeeBps"]));
        }
    }
    for case in list(&file, "globals") {
        let global = Global::read(account(case).as_ref()).expect("the settings");
        assert_eq!(Global::read(Some(&encode::global_account(&global, 1))).as_ref(), Ok(&global));
        let recorded = &case["decoded"];
        assert_eq!(Some(global.initialized), recorded["initialized"].as_bool());
        assert_eq!(global.start.virtual_token_reserves, number(&recorded["initialVirtualTokenReserves"]));
        assert_eq!(global.start.virtual_sol_reserves, number(&recorded["initialVirtualSolReserves"]));
        assert_eq!(global.start.real_token_reserves, number(&recorded["initialRealTokenReserves"]));
        assert_eq!(global.token_total_supply, number(&recorded["tokenTotalSupply"]));
        for (name, ours) in [
            ("poolMigrationFee", global.pool_migration_fee_lamports),
            ("maxConfigurableCreatorFeeBps", global.max_configurable_creator_fee_bps),
            ("maxCurveDepth", global.max_curve_depth.map(u64::from)),
        ] {
            let recorded = recorded.get(name).map(number);
            assert_eq!(ours, recorded, "{}: {name}", case["id"]);
        }
        for (name, ours) in [
            ("createV2Enabled", global.create_v2_enabled),
            ("mayhemModeEnabled", global.mayhem_mode_enabled),
            ("isCashbackEnabled", global.cashback_enabled),
            ("creatorFeeConfigurable", global.creator_fee_configurable),
            ("isHolderRewardEnabled", global.holder_reward_enabled),
        ] {
            assert_eq!(ours, recorded.get(name).and_then(Value::as_bool), "{}: {name}", case["id"]);
        }
    }
}

#[test]
fn every_wrong_configuration_is_refused() {
    let file = file(CONFIGS);
    for case in list(&file, "bad") {
        let account = account(case);
        let refused = match text(&case["account"]) {
            "FeeConfig" => refusal(read_fee_tiers(account.as_ref())),
            "Global" => refusal(Global::read(account.as_ref())),
            other => panic!("{other}"),
        };
        let due =
            if text(&case["id"]).contains("owner") { AccountRefusal::Owner } else { AccountRefusal::Length };
        assert_eq!(refused, due, "{}", case["id"]);
    }
    // A count of tiers that the bytes do not hold takes no memory.
    let config =
        list(&file, "feeConfigs").iter().find(|case| case["id"] == "0.5.0/three-tiers").expect("the case");
    let mut account = account(config).expect("bytes");
    account.data[65..69].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(refusal(read_fee_tiers(Some(&account))), AccountRefusal::Length);
}

#[test]
fn the_tier_of_each_executed_trade_is_the_one_that_it_paid() {
    let file = file(CONFIGS);
    let mut tried = 0;
    for case in list(&file, "tierSelection") {
        let Some(config) = list(&file, "feeConfigs").iter().find(|config| {
            // Builds store the same table under their own name.
            text(&config["id"]).rsplit('/').next() == text(&case["feeConfig"]).rsplit('/').next()
        }) else {
            continue;
        };
        let mayhem = case["isMayhem"] == true;
        let supply = number(if mayhem { &case["tokenTotalSupply"] } else { &case["mintSupply"] });
        let cap = u128::from(number(&case["virtualSolReserves"])) * u128::from(supply);
        let tier = tier_at(&tiers_of(config), cap, number(&case["virtualTokenReserves"])).expect("a tier");
        let result = &case["result"];
        assert_eq!(tier.rates.protocol_bps().to_string(), text(&result["protocolFeeBps"]), "{}", case["id"]);
        assert_eq!(tier.rates.creator_bps().to_string(), text(&result["creatorFeeBps"]), "{}", case["id"]);
        tried += 1;
    }
    assert!(tried >= 6, "{tried}");
}

#[test]
fn every_recorded_token_account_is_read() {
    let file = file(TOKEN_ACCOUNTS);
    for case in list(&file, "cases") {
        let (id, at) = (text(&case["id"]), address(&case["address"]));
        let account = account(case).expect("bytes");
        let holding = read_holding(&at, Some(&account)).expect("readable").expect("a holding");
        let written = encode::token_account(&at, &account.owner, &holding);
        assert_eq!(read_holding(&at, Some(&written)), Ok(Some(holding)), "{id}");
        let recorded = &case["decoded"];
        assert_eq!(holding.mint, address(&recorded["mint"]), "{id}");
        assert_eq!(holding.wallet, address(&recorded["owner"]), "{id}");
        assert_eq!(holding.tokens, number(&recorded["amount"]), "{id}");
        assert_eq!(holding.delegated_tokens, number(&recorded["delegatedAmount"]), "{id}");
        assert_eq!(holding.lamports, number(&case["lamports"]), "{id}");
        assert_eq!(holding.is_frozen, recorded["state"] == "frozen", "{id}");
        let optional = |value: &Value| (!value.is_null()).then(|| address(value));
        assert_eq!(holding.delegate, optional(&recorded["delegate"]), "{id}");
        assert_eq!(holding.close_authority, optional(&recorded["closeAuthority"]), "{id}");
        if case["associated"] == true {
            assert_eq!(token_account_address(&holding.wallet, &account.owner, &holding.mint), at, "{id}");
        }
    }
}

#[test]
fn anything_but_a_token_account_is_refused() {
    let file = file(TOKEN_ACCOUNTS);
    for case in list(&file, "bad") {
        let (id, at) = (text(&case["id"]), address(&case["address"]));
        let Some(account) = account(case) else {
            assert_eq!(read_holding(&at, None), Ok(None), "{id}");
            continue;
        };
        assert_eq!(refusal(read_holding(&at, Some(&account))), AccountRefusal::Length, "{id}");
        let other = Account { owner: LAUNCHPAD_PROGRAM, ..account };
        assert_eq!(refusal(read_holding(&at, Some(&other))), AccountRefusal::Owner, "{id}");
    }
}

#[test]
fn a_mint_says_its_supply_and_its_program() {
    let file = file(TOKEN_ACCOUNTS);
    let case = list(&file, "bad").iter().find(|case| case["id"] == "mint-spl").expect("the case");
    let (at, account) = (address(&case["address"]), account(case).expect("bytes"));
    let mint = Mint::read(&at, Some(&account)).expect("a mint");
    assert_eq!((mint.supply, mint.decimals, mint.token_program), (1_000_000_000_000_000, 6, TOKEN_PROGRAM));
    assert_eq!(Mint::read(&at, Some(&encode::mint_account(&at, &mint, 1))), Ok(mint));
    // The newer program's mints have extensions behind byte 165; the first program's never do.
    let mut longer = account.clone();
    longer.data.resize(234, 0);
    assert_eq!(refusal(Mint::read(&at, Some(&longer))), AccountRefusal::Length);
    longer.owner = TOKEN_2022_PROGRAM;
    assert_eq!(refusal(Mint::read(&at, Some(&longer))), AccountRefusal::Discriminator);
    longer.data[165] = 1;
    assert_eq!(Mint::read(&at, Some(&longer)).expect("a mint").token_program, TOKEN_2022_PROGRAM);
    // A unit that no amount has room for.
    for (decimals, read) in
        [(18, Ok(18)), (19, Err(AccountRefusal::Range)), (255, Err(AccountRefusal::Range))]
    {
        longer.data[44] = decimals;
        let mint = Mint::read(&at, Some(&longer));
        assert_eq!(mint.map(|mint| mint.decimals).map_err(|error| error.refusal), read);
    }
    // A token account is not a mint, nor the other way round.
    longer.data[165] = 2;
    assert_eq!(refusal(Mint::read(&at, Some(&longer))), AccountRefusal::Discriminator);
}

proptest! {
    #![proptest_config(seeded::cases(256))]
    #[test]
    fn no_bytes_make_it_panic(data in proptest::collection::vec(any::<u8>(), 0..4200), mark in 0usize..4, known in any::<bool>()) {
        let at = Address::new([3; 32]);
        let mut data = data;
        // Some begin as the program's accounts do.
        let marks = [[0x17u8, 0xb7, 0xf8, 0x37, 0x60, 0xd8, 0xac, 0x60], [0xa7, 0xe8, 0xe8, 0xb1, 0xc8, 0x6c, 0x72, 0x7f], [0x8f, 0x34, 0x92, 0xbb, 0xdb, 0x7b, 0x4c, 0x9b]];
        if let (Some(mark), Some(start)) = (marks.get(mark), data.get_mut(..8)) {
            start.copy_from_slice(mark);
        }
        let account = |address, owner| Account { address, owner, lamports: 1, data: data.clone() };
        let token_program = if known { TOKEN_PROGRAM } else { TOKEN_2022_PROGRAM };
        let _ = ChainCurve::read_at(&at, Some(&account(at, LAUNCHPAD_PROGRAM)));
        let _ = Global::read(Some(&account(GLOBAL, LAUNCHPAD_PROGRAM)));
        let _ = read_fee_tiers(Some(&account(FEE_CONFIG, FEE_PROGRAM)));
        let _ = Mint::read(&at, Some(&account(at, token_program)));
        let _ = read_holding(&at, Some(&account(at, token_program)));
    }
}
