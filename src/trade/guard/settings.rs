//! The settings of the guards, under their JS names.

use std::collections::BTreeSet;

use crate::amount::{Decimal, Digits, Slippage, SlippageUnit};
use crate::api::validate::{Identifiers, identifier_problem};
use crate::error::FieldCode;
use crate::launchpad::Launchpad;
use crate::object;
use crate::reader::{MOST_TIMER_MS, Reader};
use crate::tape::{Data, ToTape, Writer};
use crate::trade::guard::bucket::RateLimit;
use crate::trade::guard::worst::{BuysMayExceed, Charges, Rates};

/// The fastest rate, in trades a second.
const MAX_PER_SECOND: u32 = 1_000_000;

/// The limits of a client. `None` means no limit; two limits have a default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The most lamports that one request may take: by all its buys, with the accounts that they may open and the network's fees; of a sell,
    /// for priority.
    pub max_lamports_per_trade: Option<u64>,
    /// The most lamports that the trades of one day (UTC) may take, counted so. Sells count with their priority fees, and are never refused for it.
    pub max_lamports_per_day: Option<u64>,
    /// The widest slippage that any leg may have.
    pub max_slippage: Option<Slippage>,
    /// The largest price impact of a buy, in basis points. Buys then need a plan with a price.
    pub max_impact_bps: Option<u64>,
    /// The oldest price of a buy, in milliseconds. Buys then need a plan with a price.
    pub max_price_age_ms: Option<u64>,
    /// The mints that may be traded.
    pub allow_mints: Option<BTreeSet<String>>,
    /// The wallets that may trade and pay fees.
    pub allow_wallets: Option<BTreeSet<String>>,
    /// How often trades may be sent.
    pub rate_limit: Option<RateLimit>,
    /// The most trades of one wallet in flight. Default 1.
    pub in_flight_per_wallet: u32,
    /// Unknown outcomes in a row that open the breaker. Default 3.
    pub breaker_unknowns: u32,
    /// Whether an open breaker stops sells, too; otherwise it stops only buys. Default true.
    pub breaker_stops_sells: bool,
    /// The unit that the service counts slippage in.
    pub slippage_unit: SlippageUnit,
    /// Whether the service may spend more on a buy than its amount.
    pub buys_may_exceed: BuysMayExceed,
    /// Whether limits also count what the launchpad's rules say of accounts and signatures, besides what a request itself says. Default:
    /// true.
    pub count_charges: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            max_lamports_per_trade: None,
            max_lamports_per_day: None,
            max_slippage: None,
            max_impact_bps: None,
            max_price_age_ms: None,
            allow_mints: None,
            allow_wallets: None,
            rate_limit: None,
            in_flight_per_wallet: 1,
            breaker_unknowns: 3,
            breaker_stops_sells: true,
            slippage_unit: SlippageUnit::default(),
            buys_may_exceed: BuysMayExceed::default(),
            count_charges: true,
        }
    }
}

impl Settings {
    /// Reads the settings of the guards: `maxLamportsPerTrade`, `maxLamportsPerDay`, `maxSlippage`, `maxImpactBps`,
    /// `maxPriceAgeMs`, `allowMints`, `allowWallets`, `rateLimit: { perSecond, burst, maxQueueMs }`, `inFlightPerWallet`,
    /// `breaker: { unknowns, stopsSells }`. [`buys_may_exceed`](Settings::buys_may_exceed) is the service's own: its owner sets it.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader, slippage_unit: SlippageUnit) -> Self {
        let mut settings = Settings {
            max_lamports_per_trade: reader.whole("maxLamportsPerTrade"),
            max_lamports_per_day: reader.whole("maxLamportsPerDay"),
            max_slippage: reader.slippage("maxSlippage"),
            max_impact_bps: reader.whole("maxImpactBps"),
            max_price_age_ms: reader.whole("maxPriceAgeMs"),
            allow_mints: read_names(reader, "allowMints"),
            allow_wallets: read_names(reader, "allowWallets"),
            slippage_unit,
            ..Settings::default()
        };
        reader.within("rateLimit", &mut |r| settings.rate_limit = Some(read_rate(r)));
        reader.set_count("inFlightPerWallet", 1, &mut settings.in_flight_per_wallet);
        reader.within("breaker", &mut |r| {
            r.set_count("unknowns", 1, &mut settings.breaker_unknowns);
            settings.breaker_stops_sells = r.boolean("stopsSells").unwrap_or(true);
        });
        settings
    }

    /// By what a worst case is counted, at a time of these rules.
    pub(super) fn rates(&self, launchpad: &Launchpad) -> Rates {
        let Settings { slippage_unit, buys_may_exceed, count_charges, .. } = *self;
        let charges = if count_charges { Charges::of(launchpad) } else { Charges::NONE };
        Rates {
            slippage_unit,
            buys_may_exceed,
            charges,
            units_per_trade: launchpad.network.default_units_per_trade,
        }
    }
}

/// As [`Settings::read`] takes them.
impl ToTape for Settings {
    fn write(&self, tape: &mut Writer) {
        let rate = self.rate_limit.as_ref().map(|rate| {
            let RateLimit { per_1000_seconds, burst, max_queue_ms } = *rate;
            let per_second = Decimal::from_units(per_1000_seconds.into(), 3);
            object! { "perSecond": per_second, "burst": burst, "maxQueueMs": max_queue_ms }
        });
        let names = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>();
        let fields = object! {
            "maxLamportsPerTrade": self.max_lamports_per_trade,
            "maxLamportsPerDay": self.max_lamports_per_day,
            "maxSlippage": self.max_slippage,
            "maxImpactBps": self.max_impact_bps,
            "maxPriceAgeMs": self.max_price_age_ms,
            "allowMints": self.allow_mints.as_ref().map(names),
            "allowWallets": self.allow_wallets.as_ref().map(names),
            "rateLimit": rate,
            "inFlightPerWallet": self.in_flight_per_wallet,
            "breaker": object! { "unknowns": self.breaker_unknowns, "stopsSells": self.breaker_stops_sells },
        };
        fields.write(tape);
    }
}

/// A list of mints or wallet ids. An empty one allows none.
fn read_names(reader: &mut Reader, list: &'static str) -> Option<BTreeSet<String>> {
    let value = reader.value(list)?;
    let Data::Array(items) = value.data() else {
        reader.refuse(list, FieldCode::WrongType, &["must be an array, not ", value.kind()].concat());
        return None;
    };
    let mut names = BTreeSet::new();
    for (index, item) in items.enumerate() {
        let problem = match item.data() {
            Data::String(name) => {
                names.insert(name.to_owned());
                identifier_problem(name, Identifiers::Any)
            }
            _ => Some((FieldCode::WrongType, "must be a string")),
        };
        if let Some((code, what)) = problem {
            reader.refuse(&[list, "[", &index.digits(), "]"].concat(), code, what);
        }
    }
    Some(names)
}

fn read_rate(reader: &mut Reader) -> RateLimit {
    let mut per_1000_seconds = 0;
    if let Some(rate) = reader.need("perSecond", |r, name| r.decimal(name).map(Some)) {
        match rate.to_units(3) {
            Ok(rate) if (1..=1_000 * u64::from(MAX_PER_SECOND)).contains(&rate) => {
                per_1000_seconds = rate as u32;
            }
            _ => {
                let what = "must be from 0.001 to 1000000, in steps of 0.001";
                reader.refuse("perSecond", FieldCode::OutOfRange, what);
            }
        }
    }
    RateLimit {
        per_1000_seconds,
        // One second's worth, so that the full rate can be used.
        burst: reader.count("burst", 1).unwrap_or(per_1000_seconds.div_ceil(1_000)),
        max_queue_ms: reader.whole_within("maxQueueMs", 0, MOST_TIMER_MS).unwrap_or(0) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amount::Decimal;
    use crate::object;
    use crate::reader::read;
    use crate::tape::{Tape, ToTape};

    fn settings(value: &Tape) -> Result<Settings, Vec<String>> {
        read(value.root(), |r| Settings::read(r, SlippageUnit::Percent))
            .map_err(|problems| problems.into_iter().map(|problem| problem.message).collect())
    }

    #[test]
    fn without_settings_only_two_limits_have_a_default() {
        assert_eq!(settings(&object! {}), Ok(Settings::default()));
        assert_eq!((Settings::default().in_flight_per_wallet, Settings::default().breaker_unknowns), (1, 3));
    }

    #[test]
    fn every_setting_is_read() {
        let given = object! {
            "maxLamportsPerTrade": 5u64,
            "maxLamportsPerDay": "18446744073709551615",
            "maxSlippage": object! { "bps": 150u32 },
            "maxImpactBps": 300u32,
            "maxPriceAgeMs": "5000",
            "allowMints": vec!["M"],
            "allowWallets": Vec::<String>::new(),
            "rateLimit": object! { "perSecond": Data::Double("0.5"), "burst": 4u32, "maxQueueMs": 9u32 },
            "inFlightPerWallet": 2u32,
            "breaker": object! { "unknowns": 7u32, "stopsSells": false },
        };
        let expected = Settings {
            max_lamports_per_trade: Some(5),
            max_lamports_per_day: Some(u64::MAX),
            max_slippage: Some(Slippage::Bps(Decimal::from_units(150, 0))),
            max_impact_bps: Some(300),
            max_price_age_ms: Some(5_000),
            allow_mints: Some(["M".to_owned()].into()),
            allow_wallets: Some(BTreeSet::new()),
            rate_limit: Some(RateLimit { per_1000_seconds: 500, burst: 4, max_queue_ms: 9 }),
            in_flight_per_wallet: 2,
            breaker_unknowns: 7,
            breaker_stops_sells: false,
            slippage_unit: SlippageUnit::Percent,
            ..Settings::default()
        };
        assert_eq!(settings(&given), Ok(expected));
    }

    #[test]
    fn a_limit_that_cannot_hold_is_refused() {
        let given = object! {
            "maxLamportsPerTrade": Data::Double("1.5"),
            "maxLamportsPerDay": Data::Double("9007199254740992"),
            "maxSlippage": "wide",
            "allowMints": "M",
            "allowWallets": vec!["W".to_tape(), " W".to_tape(), 5u32.to_tape()],
            "rateLimit": object! { "perSecond": Data::Double("0.0001"), "maxQueueMs": 1u64 << 31 },
            "inFlightPerWallet": 0u32,
            "breaker": object! { "unknown": 2u32 },
        };
        assert_eq!(
            settings(&given).unwrap_err(),
            [
                "maxLamportsPerTrade must be a whole number of at most 64 bits",
                "maxLamportsPerDay is over 2^53 - 1; pass a bigint or a string",
                "maxSlippage must be a decimal number, zero or above",
                "allowMints must be an array, not a string",
                "allowWallets[1] has white space, a control character or broken text in it",
                "allowWallets[2] must be a string",
                "rateLimit.perSecond must be from 0.001 to 1000000, in steps of 0.001",
                "rateLimit.maxQueueMs must be from 0 to 2147483647",
                "inFlightPerWallet must be from 1 to 4294967295",
                "breaker.unknown is unknown; did you mean unknowns?",
            ]
        );
        let no_rate = settings(&object! { "rateLimit": object! {} }).unwrap_err();
        assert_eq!(no_rate, ["rateLimit.perSecond is missing"]);
    }
}
