//! The rules that change, in one place: what each is, from which day, and where that comes from.
//!
//! Everything else asks here: [`RulesByDay::at`] gives the rules at a time.
//!
//! ```
//! use launchpad_desk::launchpad::rules::{RULES, RulesByDay};
//! let rents = RULES.iter().filter(|rule| rule.setting == "rentLamportsPerByte");
//! assert_eq!(rents.map(|rule| rule.as_of).collect::<Vec<_>>(), ["2020-03-16", "2026-11-20"]);
//! // The first of October 2026, and the first of December.
//! let rent = |at_ms| RulesByDay::default().at(at_ms).rent_lamports_per_byte;
//! assert_eq!([rent(1_790_812_800_000), rent(1_796_083_200_000)], [6_960, 5_080]);
//! ```

use super::account::TOKEN_ACCOUNT_BYTES;
use super::config::{Completion, Launchpad};
use super::cost::NetworkRates;
use super::curve::Curve;
use super::fees::{FeeRates, FeeTier};
use super::settings::LaunchpadConfig;
use crate::amount::TOKEN_DECIMALS;
use crate::reader::Reader;
use crate::record;

/// Bytes of the account in which the launchpad counts what a wallet trades.
pub const VOLUME_ACCOUNT_BYTES: u64 = 137;

record! {
    /// A rule of the launchpad or of the network: from when it holds, and where it comes from.
    #[derive(Copy)]
    LaunchpadRule {
        /// The setting of a launchpad that has it.
        setting: &'static str => "keyof LaunchpadConfig",
        /// The day from which it holds, at 00:00 UTC, `YYYY-MM-DD`. The first rule of a setting is known as of that day, and holds before
        /// it, too.
        as_of: &'static str => "string",
        /// Where it comes from.
        source: &'static str => "string",
    }
}

/// When the numbers of the chain's own accounts and of the network were read.
const READ: &str = "2026-11-20";
/// When the launchpad program's own build was last executed, and agreed to the lamport.
const EXECUTED: &str = "2026-11-26";
/// The day of the chain's first block.
const FIRST_BLOCK: &str = "2020-03-16";

const GLOBAL: &str = "the launchpad's account of settings (Global)";
const PROGRAM: &str = "the launchpad program's build 0.5.0, executed";
const NETWORK_RULES: &str = "the network's rules";

/// A rule, and what it sets.
struct DatedRule {
    rule: LaunchpadRule,
    set: fn(&mut Launchpad),
}

const fn row(
    setting: &'static str,
    as_of: &'static str,
    source: &'static str,
    set: fn(&mut Launchpad),
) -> DatedRule {
    DatedRule { rule: LaunchpadRule { setting, as_of, source }, set }
}

/// Every rule that changes, in the order of the settings, and those of a setting in the order of their days. A rule that changes gets a row
/// with its day; the row before it stays.
const ROWS: [DatedRule; 12] = [
    row("feeTiers", READ, "the fee program's account of rates (FeeConfig)", |l| {
        l.fee_tiers = vec![const { tier(0, 95, 30) }];
    }),
    row("start", READ, GLOBAL, |l| {
        l.start = Curve {
            virtual_token_reserves: 1_073_000_000_000_000,
            virtual_sol_reserves: 30_000_000_000,
            real_token_reserves: 793_100_000_000_000,
            real_sol_reserves: 0,
        };
    }),
    row("tokenSupply", READ, GLOBAL, |l| l.token_supply = 1_000_000_000_000_000),
    row("tokenDecimals", EXECUTED, PROGRAM, |l| l.token_decimals = TOKEN_DECIMALS),
    row("completion", EXECUTED, PROGRAM, |l| l.completion = Completion::Reject),
    row("rentLamportsPerByte", FIRST_BLOCK, NETWORK_RULES, |l| l.rent_lamports_per_byte = 6_960),
    // The day of this step is in no source that we have: it was in force when the rules were read.
    row("rentLamportsPerByte", READ, NETWORK_RULES, |l| l.rent_lamports_per_byte = 5_080),
    row("tokenAccountBytes", EXECUTED, PROGRAM, |l| l.token_account_bytes = TOKEN_ACCOUNT_BYTES),
    row("volumeAccountBytes", EXECUTED, PROGRAM, |l| l.volume_account_bytes = VOLUME_ACCOUNT_BYTES),
    row("lamportsPerSignature", READ, NETWORK_RULES, |l| l.network.lamports_per_signature = 5_000),
    row("defaultUnitsPerTrade", READ, NETWORK_RULES, |l| l.network.default_units_per_trade = 200_000),
    row("blockhashBlocks", READ, NETWORK_RULES, |l| l.blockhash_blocks = 150),
];

/// The rates from a market cap upwards.
const fn tier(market_cap_threshold_lamports: u128, protocol_bps: u16, creator_bps: u16) -> FeeTier {
    match FeeRates::new(protocol_bps, creator_bps) {
        Some(rates) => FeeTier { market_cap_threshold_lamports, rates },
        None => panic!("a rate over 10,000 bps"),
    }
}

/// Every rule, in the order of the settings, and those of a setting in the order of their days.
pub const RULES: [LaunchpadRule; ROWS.len()] = {
    let mut rules = [ROWS[0].rule; ROWS.len()];
    let mut at = 1;
    while at < ROWS.len() {
        rules[at] = ROWS[at].rule;
        at += 1;
    }
    rules
};

/// A launchpad's rules over time, each in force from its day. It is made of a [`Launchpad`]: a number that is the newest rule's is that of
/// each day, and any other number is a setting of your own, which holds at every time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesByDay {
    newest: Launchpad,
    /// Those in force until a time, in milliseconds since 1970, earliest first.
    earlier: Vec<(u64, Launchpad)>,
}

impl RulesByDay {
    /// The rules at a time, in milliseconds since 1970. A time before the chain's first block is one of a market's own clock, which has no
    /// days: there the newest rules hold.
    #[inline]
    pub fn at(&self, at_ms: u64) -> &Launchpad {
        let is_later = |(until_ms, _): &&(u64, Launchpad)| at_ms < *until_ms;
        match self.earlier.iter().find(is_later) {
            Some((_, rules)) if at_ms >= FIRST_BLOCK_MS => rules,
            _ => &self.newest,
        }
    }

    /// The newest rules.
    pub fn newest(&self) -> &Launchpad {
        &self.newest
    }

    /// The rules of each time, earliest first.
    pub fn each(&self) -> impl Iterator<Item = &Launchpad> {
        self.earlier.iter().map(|(_, rules)| rules).chain([&self.newest])
    }

    /// Reads the settings of a launchpad.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader) -> Self {
        let mut newest = Launchpad::default();
        LaunchpadConfig::read(reader, &mut newest);
        newest.into()
    }
}

impl From<Launchpad> for RulesByDay {
    fn from(newest: Launchpad) -> Self {
        let is_own = |row: &DatedRule| {
            let mut default = newest.clone();
            (row.set)(&mut default);
            default != newest
        };
        let own: Vec<&str> =
            in_force(None).into_iter().filter(|row| is_own(row)).map(|row| row.rule.setting).collect();
        let earlier = days().into_iter().map(|(day, until_ms)| {
            let mut rules = newest.clone();
            let rows = in_force(Some(day));
            if newest.as_of == as_of(&in_force(None)) {
                rules.as_of = as_of(&rows).into();
            }
            let rows = rows.into_iter().filter(|row| !own.contains(&row.rule.setting));
            rows.for_each(|row| (row.set)(&mut rules));
            (until_ms, rules)
        });
        RulesByDay { earlier: earlier.collect(), newest }
    }
}

/// The launchpad's and the network's own.
impl Default for RulesByDay {
    fn default() -> Self {
        let earlier = days().into_iter().map(|(day, until_ms)| (until_ms, Launchpad::before(Some(day))));
        RulesByDay { earlier: earlier.collect(), newest: Launchpad::default() }
    }
}

/// The newest rules.
impl Default for Launchpad {
    fn default() -> Self {
        Launchpad::before(None)
    }
}

impl Launchpad {
    /// The own rules that are in force just before a day; the newest, without one.
    fn before(day: Option<&str>) -> Launchpad {
        let rows = in_force(day);
        let mut rules = Launchpad {
            as_of: as_of(&rows).into(),
            fee_tiers: Vec::new(),
            start: Curve::default(),
            token_supply: 0,
            token_decimals: 0,
            completion: Completion::default(),
            rent_lamports_per_byte: 0,
            token_account_bytes: 0,
            volume_account_bytes: 0,
            network: NetworkRates::default(),
            blockhash_blocks: 0,
        };
        rows.into_iter().for_each(|row| (row.set)(&mut rules));
        rules
    }
}

/// The days on which a rule changes, earliest first, each with its first millisecond.
fn days() -> Vec<(&'static str, u64)> {
    let changes = ROWS.iter().zip(ROWS.iter().skip(1));
    let changes = changes.filter(|(earlier, later)| earlier.rule.setting == later.rule.setting);
    let mut days = Vec::new();
    for day in changes.map(|(_, later)| (later.rule.as_of, later.rule.from_ms())) {
        if let Err(place) = days.binary_search(&day) {
            days.insert(place, day);
        }
    }
    days
}

/// The row of each setting that is in force just before a day; the newest, without one.
fn in_force(before: Option<&str>) -> Vec<&'static DatedRule> {
    let mut rows: Vec<&'static DatedRule> = Vec::new();
    for row in &ROWS {
        match rows.last_mut().filter(|last| last.rule.setting == row.rule.setting) {
            Some(last) if before.is_none_or(|day| row.rule.as_of < day) => *last = row,
            Some(_) => {}
            None => rows.push(row),
        }
    }
    rows
}

/// The date of the oldest of the rules that are in force: a launchpad's own date.
fn as_of(rows: &[&'static DatedRule]) -> &'static str {
    rows.iter().map(|row| row.rule.as_of).min().unwrap_or(FIRST_BLOCK)
}

/// The first millisecond of the day of the chain's first block.
const FIRST_BLOCK_MS: u64 = 1_584_316_800_000;

impl LaunchpadRule {
    /// The first millisecond of its day, since 1970.
    pub fn from_ms(&self) -> u64 {
        let mut parts = self.as_of.split('-').map(|part| part.parse::<u64>().unwrap_or(0));
        let mut next = || parts.next().unwrap_or(0);
        let (year, month, day) = (next(), next(), next());
        (days_since_1970(year, month) + day).saturating_sub(1) * 86_400_000
    }
}

/// Days from 1970 to the first of a month, in the Gregorian calendar; 0 before that.
#[doc(hidden)]
pub fn days_since_1970(year: u64, month: u64) -> u64 {
    // Years begin in March here, so that a leap day is a year's last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year.saturating_sub(1), month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5;
    // Those up to 1970-01-01.
    days.saturating_sub(719_468)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_setting_stand_together_in_the_order_of_their_days() {
        for (earlier, later) in ROWS.iter().zip(ROWS.iter().skip(1)) {
            let (earlier, later) = (&earlier.rule, &later.rule);
            assert!(earlier.setting != later.setting || earlier.as_of < later.as_of, "{}", later.setting);
        }
        let newest = in_force(None);
        let distinct: std::collections::BTreeSet<&str> = newest.iter().map(|row| row.rule.setting).collect();
        assert_eq!(distinct.len(), newest.len(), "the rows of a setting stand together");
        assert!(RULES.iter().all(|rule| rule.as_of.len() == 10 && rule.from_ms() >= FIRST_BLOCK_MS));
        let days = [FIRST_BLOCK, READ].map(|as_of| LaunchpadRule { as_of, ..RULES[0] }.from_ms());
        assert_eq!(days, [FIRST_BLOCK_MS, 1_795_132_800_000]);
        assert_eq!(RulesByDay::default(), Launchpad::default().into());
    }
}
