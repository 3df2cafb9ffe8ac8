//! Accounts and transactions, from a sandbox's changes.

use std::collections::{BTreeMap, VecDeque};

use super::faults::ChainFaults;
use super::hash::hash;
use super::time;
use crate::row::{TokenAccountRow, TokenRow, TradeLeg, TradeRow, WalletRow};
use crate::{Change, Sandbox};
use launchpad_desk::chain::account::Account;
use launchpad_desk::chain::address::{
    Address, LAUNCHPAD_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, curve_address, derived_address,
    token_account_address, volume_account_address,
};
use launchpad_desk::chain::curve::ChainCurve;
use launchpad_desk::chain::encode;
use launchpad_desk::chain::global::Global;
use launchpad_desk::chain::mint::Mint;
use launchpad_desk::chain::token_account::Holding;
use launchpad_desk::evidence::{AccountChange, Change as Amounts, TokenChange, Transaction};
use launchpad_desk::launchpad::account::{TOKEN_ACCOUNT_BYTES, rent_lamports};
use launchpad_desk::launchpad::config::Completion;
use launchpad_desk::launchpad::fees::BPS;
use launchpad_desk::launchpad::{Curve, Launchpad};

/// The program that owns wallets.
const SYSTEM_PROGRAM: Address = Address::new([0; 32]);

/// For how many slots what an account was is kept, besides those that the node lags: about an hour. A finalized block is 32 slots old.
const KEPT_SLOTS: u64 = 10_000;

/// An account from a slot on, until the next version.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version {
    slot: u64,
    account: Option<Account>,
}

/// A transaction as it was carried out, with what a node tells of it besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CarriedOut {
    pub(super) transaction: Transaction,
    /// What it was; `None` if it brought funds.
    pub(super) trade: Option<TradeRow>,
}

/// A chain that follows a sandbox. See [the module](super).
///
/// ```
/// use launchpad_desk_sandbox::local_chain::{ChainFaults, LocalChain};
/// use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig};
///
/// let sandbox = Sandbox::new(SandboxConfig::default()).unwrap();
/// let mut chain = LocalChain::of(&sandbox, ChainFaults::default(), 40_000);
/// let reply = chain.answer(br#"{"jsonrpc":"2.0","id":1,"method":"getSlot","params":[{"commitment":"processed"}]}"#, 40_000);
/// assert_eq!(reply.body, br#"{"jsonrpc":"2.0","id":1,"result":100}"#);
/// ```
#[derive(Clone, Debug)]
pub struct LocalChain {
    pub(super) launchpad: Launchpad,
    pub(super) faults: ChainFaults,
    accounts: BTreeMap<Address, VecDeque<Version>>,
    /// Oldest first.
    transactions: Vec<CarriedOut>,
    /// The slot in which it began.
    pub(super) first_slot: u64,
    /// The newest slot so far: slots never fall, whatever the clock does.
    pub(super) newest_slot: u64,
    /// Requests so far, and those in the window of the rate limit, with its beginning.
    pub(super) requests: u64,
    pub(super) window: (u64, u32),
}

impl LocalChain {
    /// The chain of a sandbox from now on.
    pub fn of(sandbox: &Sandbox, faults: ChainFaults, now_ms: u64) -> LocalChain {
        let mut chain = LocalChain::new(sandbox.rules(), faults, now_ms);
        chain.follow(&sandbox.rows(), now_ms);
        chain
    }

    /// The chain of a sandbox with these rules, before it has any rows.
    pub fn new(launchpad: &Launchpad, faults: ChainFaults, now_ms: u64) -> LocalChain {
        let slot = time::slot_at(now_ms);
        LocalChain {
            launchpad: launchpad.clone(),
            faults,
            accounts: BTreeMap::new(),
            transactions: Vec::new(),
            first_slot: slot,
            newest_slot: slot,
            requests: 0,
            window: (0, 0),
        }
    }

    /// What goes wrong with its node from now on.
    pub fn set_faults(&mut self, faults: ChainFaults) {
        self.faults = faults;
    }

    /// Writes what a call of the sandbox changed into the block of this time.
    pub fn follow(&mut self, changes: &[Change], now_ms: u64) {
        self.newest_slot = self.newest_slot.max(time::slot_at(now_ms));
        let slot = self.newest_slot;
        // A wallet or account may change twice in one call; its transaction goes from before the call to after it.
        let before = |chain: &LocalChain, address: &Address| chain.at(address, u64::MAX).cloned();
        let mut earlier: BTreeMap<Address, Option<Account>> = BTreeMap::new();
        let (mut trades, mut is_taken_over) = (Vec::new(), false);
        for change in changes {
            let written = match change {
                Change::Reset => {
                    self.accounts.clear();
                    self.transactions.clear();
                    self.first_slot = slot;
                    earlier.clear();
                    is_taken_over = true;
                    for account in self.settings_accounts() {
                        self.write(slot, account.address, Some(account));
                    }
                    Vec::new()
                }
                Change::Wallet(row) => self.wallet(row),
                Change::Token(row) => self.token(row),
                Change::TokenAccount(row) => self.token_account(row).into_iter().collect(),
                Change::Trade(row) => {
                    trades.push(row);
                    Vec::new()
                }
                _ => Vec::new(),
            };
            for (address, account) in written {
                earlier.entry(address).or_insert_with(|| before(self, &address));
                self.write(slot, address, account);
            }
        }
        // Those of a state that is taken over are over: what they did is no longer known.
        match trades[..] {
            [trade] if !is_taken_over => self.record(slot, trade, &earlier),
            [_, ..] if !is_taken_over => {}
            _ => self.record_funds(slot, &earlier),
        }
    }

    /// Records how lamports came to wallets without a trade: somebody has sent them.
    fn record_funds(&mut self, slot: u64, earlier: &BTreeMap<Address, Option<Account>>) {
        for (address, before) in earlier {
            let Some(after) = self.at(address, slot).filter(|account| account.owner == SYSTEM_PROGRAM) else {
                continue;
            };
            let lamports = Amounts {
                before: before.as_ref().map_or(0, |account| account.lamports),
                after: after.lamports,
            };
            let Some(moved) = lamports.after.checked_sub(lamports.before).filter(|moved| *moved > 0) else {
                continue;
            };
            let number = self.transactions.len() as u64;
            let fee = self.launchpad.network.lamports_per_signature;
            let sender = Amounts { before: moved.saturating_add(fee), after: 0 };
            let change = |address: String, signed: bool, lamports: Amounts| AccountChange {
                address,
                signed,
                lamports,
            };
            let accounts = vec![
                change(hash("sender", number), true, sender),
                change(address.to_string(), false, lamports),
                change(SYSTEM_PROGRAM.to_string(), false, Amounts { before: 1, after: 1 }),
            ];
            let transaction = Transaction {
                signature: hash("funds", number),
                slot,
                time: Some(time::block_time(slot)),
                failed: false,
                fee,
                accounts,
                tokens: Vec::new(),
            };
            self.transactions.push(CarriedOut { transaction, trade: None });
        }
    }

    /// The account at an address as of a slot.
    pub(super) fn at(&self, address: &Address, slot: u64) -> Option<&Account> {
        let versions = self.accounts.get(address)?;
        versions.iter().rev().find(|version| version.slot <= slot)?.account.as_ref()
    }

    /// The transactions up to a slot, newest first.
    pub(super) fn transactions(&self, slot: u64) -> impl Iterator<Item = &CarriedOut> {
        self.transactions.iter().rev().filter(move |own| own.transaction.slot <= slot)
    }

    pub(super) fn rent(&self, bytes: u64) -> u64 {
        rent_lamports(bytes, self.launchpad.rent_lamports_per_byte).unwrap_or(u64::MAX)
    }

    fn write(&mut self, slot: u64, address: Address, account: Option<Account>) {
        let account = account.filter(|account| account.lamports > 0);
        let kept =
            KEPT_SLOTS.saturating_add(self.faults.lag_slots).saturating_add(self.faults.jump_back_slots);
        let versions = self.accounts.entry(address).or_default();
        if versions.back().is_some_and(|last| last.slot == slot) {
            versions.pop_back();
        }
        if versions.back().and_then(|last| last.account.as_ref()) != account.as_ref() {
            versions.push_back(Version { slot, account });
        }
        let oldest = slot.saturating_sub(kept);
        while versions.get(1).is_some_and(|next| next.slot <= oldest) {
            versions.pop_front();
        }
    }

    fn token_program(&self) -> Address {
        match self.launchpad.token_account_bytes {
            TOKEN_ACCOUNT_BYTES => TOKEN_PROGRAM,
            _ => TOKEN_2022_PROGRAM,
        }
    }

    fn settings_accounts(&self) -> [Account; 2] {
        let global = Global {
            initialized: true,
            start: Curve { real_sol_reserves: 0, ..self.launchpad.start },
            token_total_supply: self.launchpad.token_supply,
            pool_migration_fee_lamports: Some(0),
            create_v2_enabled: Some(true),
            mayhem_mode_enabled: Some(false),
            cashback_enabled: Some(false),
            creator_fee_configurable: Some(true),
            max_configurable_creator_fee_bps: Some(BPS),
            holder_reward_enabled: Some(false),
            max_curve_depth: Some(0),
        };
        let accounts =
            [encode::global_account(&global, 0), encode::fee_config_account(&self.launchpad.fee_tiers, 0)];
        accounts.map(|account| Account { lamports: self.rent(account.data.len() as u64), ..account })
    }

    /// A wallet is an account without data, and its volume account. One whose id is not an address is not on the chain.
    fn wallet(&self, row: &WalletRow) -> Vec<(Address, Option<Account>)> {
        let Ok(address) = row.wallet.parse() else { return Vec::new() };
        let account = Account { address, owner: SYSTEM_PROGRAM, lamports: row.lamports, data: Vec::new() };
        let volume = encode::volume_account(&address, self.rent(self.launchpad.volume_account_bytes));
        let is_open = !row.opens_volume_account;
        vec![(address, Some(account)), (volume.address, is_open.then_some(volume))]
    }

    /// A token is its mint and its curve.
    fn token(&self, row: &TokenRow) -> Vec<(Address, Option<Account>)> {
        let Ok(mint) = row.mint.parse::<Address>() else { return Vec::new() };
        let own = Mint {
            token_program: self.token_program(),
            supply: row.supply,
            decimals: self.launchpad.token_decimals,
        };
        let creator = derived_address(&[b"creator", mint.as_bytes()], &LAUNCHPAD_PROGRAM);
        let is_filled_from_pool = self.launchpad.completion == Completion::Pool;
        let curve = ChainCurve {
            reserves: Curve {
                virtual_token_reserves: row.virtual_token_reserves,
                virtual_sol_reserves: row.virtual_sol_reserves,
                real_token_reserves: row.real_token_reserves,
                real_sol_reserves: row.real_sol_reserves,
            },
            token_total_supply: row.supply,
            complete: row.token().is_complete(),
            creator_fee_bps: Some(row.creator_bps.get()),
            // By these a reader knows a launchpad that fills a buy past the curve from the future pool.
            post_complete_tokens_out: is_filled_from_pool.then_some(0),
            post_complete_lamports_in: is_filled_from_pool.then_some(0),
            creator: creator.filter(|_| row.has_creator).map(|(creator, _)| creator),
            creator_fee_lamports: Some(row.creator_fees_lamports),
            protocol_fees_lamports: Some(row.protocol_fees_lamports),
            ..ChainCurve::at_start(&self.launchpad)
        };
        // As the program has it: rent, what pays sellers, and the fees that wait to be collected.
        let held = [row.real_sol_reserves, row.creator_fees_lamports, row.protocol_fees_lamports];
        let account = encode::curve_account(&mint, &curve, 0);
        let rent = self.rent(account.data.len() as u64);
        let lamports = held.into_iter().fold(rent, u64::saturating_add);
        let mint_account = encode::mint_account(&mint, &own, self.rent(82));
        let holder = self.curve_holding(&mint, &account.address, row.real_token_reserves);
        let account = Account { lamports, ..account };
        [mint_account, account, holder].map(|account| (account.address, Some(account))).to_vec()
    }

    /// The token account of a curve: what it sells, and what the pool will start with.
    fn curve_holding(&self, mint: &Address, curve: &Address, real_tokens: u64) -> Account {
        let kept = self.launchpad.token_supply.saturating_sub(self.launchpad.start.real_token_reserves);
        let holding = Holding {
            mint: *mint,
            wallet: *curve,
            tokens: real_tokens.saturating_add(kept),
            lamports: self.rent(self.launchpad.token_account_bytes),
            is_frozen: false,
            delegate: None,
            delegated_tokens: 0,
            close_authority: None,
        };
        let address = token_account_address(curve, &self.token_program(), mint);
        encode::token_account(&address, &self.token_program(), &holding)
    }

    fn token_account(&self, row: &TokenAccountRow) -> Option<(Address, Option<Account>)> {
        let (wallet, mint) = (row.wallet.parse().ok()?, row.mint.parse().ok()?);
        let address = token_account_address(&wallet, &self.token_program(), &mint);
        let holding = Holding {
            mint,
            wallet,
            tokens: row.tokens,
            lamports: row.lamports,
            is_frozen: row.is_frozen,
            delegate: None,
            delegated_tokens: 0,
            // Anybody but the wallet.
            close_authority: row.stays_open.then_some(LAUNCHPAD_PROGRAM),
        };
        let account = encode::token_account(&address, &self.token_program(), &holding);
        Some((address, row.open.then_some(account)))
    }

    /// Records a trade as a transaction. One that was never carried out, because its fee could not be paid, is none.
    fn record(&mut self, slot: u64, trade: &TradeRow, earlier: &BTreeMap<Address, Option<Account>>) {
        let (Ok(mint), Ok(payer)) = (trade.mint.parse::<Address>(), trade.fee_payer.parse::<Address>())
        else {
            return;
        };
        let wallets: Option<Vec<Address>> = trade.legs.iter().map(|leg| leg.wallet.parse().ok()).collect();
        let Some(wallets) = wallets.filter(|_| trade.network_fee_lamports > 0) else { return };
        let mut signers = vec![payer];
        for wallet in &wallets {
            if !signers.contains(wallet) {
                signers.push(*wallet);
            }
        }
        let token_program = self.token_program();
        let holders = signers.iter().filter(|signer| wallets.contains(signer));
        let holdings: Vec<(Address, Address)> =
            holders.map(|wallet| (*wallet, token_account_address(wallet, &token_program, &mint))).collect();
        let now = |address: &Address| self.at(address, slot);
        let then = |address: &Address| earlier.get(address).map_or_else(|| now(address), Option::as_ref);
        let amounts = |of: &dyn Fn(&Account) -> u64, address: &Address| Amounts {
            before: then(address).map_or(0, of),
            after: now(address).map_or(0, of),
        };
        let lamports = |address: &Address| amounts(&|account| account.lamports, address);
        let change = |address: &Address, signed: bool, lamports: Amounts| AccountChange {
            address: address.to_string(),
            signed,
            lamports,
        };
        let mut accounts: Vec<AccountChange> =
            signers.iter().map(|signer| change(signer, true, lamports(signer))).collect();
        accounts.extend(holdings.iter().map(|(_, account)| change(account, false, lamports(account))));
        let buyers = holdings.iter().filter(|_| trade.operation.is_buy());
        let volumes: Vec<Address> = buyers.map(|(wallet, _)| volume_account_address(wallet)).collect();
        accounts.extend(volumes.iter().map(|volume| change(volume, false, lamports(volume))));
        // Rivals may have moved the curve in the same call: what this transaction moved is what the wallets paid.
        let curve = curve_address(&mint);
        let after = lamports(&curve).after;
        let is_buy = trade.operation.is_buy();
        let paid = |leg: &TradeLeg| if is_buy { i128::from(leg.lamports) } else { -i128::from(leg.lamports) };
        let moved: i128 = trade.legs.iter().map(paid).sum();
        let before = u64::try_from(i128::from(after) - moved).unwrap_or_default();
        accounts.push(change(&curve, false, Amounts { before, after }));
        let holder = token_account_address(&curve, &token_program, &mint);
        accounts.push(change(&holder, false, lamports(&holder)));
        let sold: i128 = trade.legs.iter().map(|leg| i128::from(leg.tokens)).sum();
        let after = now(&holder).map_or(0, tokens_of);
        let before = i128::from(after) + if is_buy { sold } else { -sold };
        let of_curve = Amounts { before: u64::try_from(before).unwrap_or_default(), after };
        for address in [mint, LAUNCHPAD_PROGRAM, token_program, SYSTEM_PROGRAM] {
            accounts.push(change(&address, false, lamports(&address)));
        }
        let token_change = |owner: &Address, account: &Address, tokens: Amounts| TokenChange {
            account: account.to_string(),
            owner: Some(owner.to_string()),
            mint: mint.to_string(),
            tokens,
        };
        let tokens = holdings
            .iter()
            .map(|(wallet, account)| token_change(wallet, account, amounts(&tokens_of, account)))
            .chain([token_change(&curve, &holder, of_curve)]);
        let transaction = Transaction {
            signature: trade.signature.clone(),
            slot,
            time: Some(time::block_time(slot)),
            failed: !trade.success,
            fee: trade.network_fee_lamports,
            tokens: tokens.collect(),
            accounts,
        };
        self.transactions.push(CarriedOut { transaction, trade: Some(trade.clone()) });
    }

    pub(super) fn token_decimals(&self) -> u8 {
        self.launchpad.token_decimals
    }
}

/// The tokens in a token account's bytes.
fn tokens_of(account: &Account) -> u64 {
    let bytes = account.data.get(64..72).and_then(|bytes| bytes.try_into().ok());
    bytes.map_or(0, u64::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_that_runs_for_long_keeps_what_a_reader_can_still_see() {
        let mut chain = LocalChain::new(&Launchpad::default(), ChainFaults::default(), 0);
        let address = Address::new([7; 32]);
        let wallet = |lamports| WalletRow {
            wallet: address.to_string(),
            label: String::new(),
            lamports,
            level: Default::default(),
            opens_volume_account: false,
        };
        for slot in 1..=30_000 {
            chain.follow(&[Change::Wallet(wallet(slot)), Change::Wallet(wallet(slot + 1))], slot * 400);
        }
        let lamports = |slot| chain.at(&address, slot).map(|account| account.lamports);
        assert_eq!((lamports(30_000), lamports(20_001)), (Some(30_001), Some(20_002)));
        assert!(chain.accounts.values().all(|versions| versions.len() <= 10_001), "and no more");
        let volume = chain.accounts.get(&volume_account_address(&address)).expect("an account");
        assert_eq!(volume.len(), 1, "what stays as it was is kept once");
    }
}
