//! What the maths read beside [`input`](crate::input): wallets, shares, thresholds.

use crate::crossing::Failure;
use crate::input::{ppm, read_slippage};
use launchpad_desk::amount::{Slippage, SlippageUnit};
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::FieldCode;
use launchpad_desk::launchpad::account::{Share, TokenAccount};
use launchpad_desk::launchpad::quote::WarningThresholds;
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::tape::{Tape, ToTape};

/// Reads the fields of these names from the argument `what`, and ignores any others.
pub fn read_some<T>(
    what: &str,
    args: &Tape,
    names: &[&str],
    read: impl FnMut(&mut Reader) -> T,
) -> Result<T, Failure> {
    let value = args.root().get(what).unwrap_or_default();
    let chosen = match value.fields() {
        Some(fields) => {
            let chosen = fields.filter(|(name, _)| names.contains(name));
            Tape::object(&chosen.map(|(name, value)| (name, value.to_tape())).collect::<Vec<_>>())
        }
        None => value.to_tape(),
    };
    reader::read(chosen.root(), read).map_err(|problems| Failure::of_options(what, problems))
}

/// A share of a holding in percent.
pub fn read_share(reader: &mut Reader, name: &'static str) -> Option<Share> {
    let percent = reader.decimal(name)?;
    let share = Share::of_percent(&percent.text());
    if share.is_none() {
        reader.refuse(name, FieldCode::OutOfRange, "must be above 0 and at most 100");
    }
    share
}

/// A part of a whole that names its unit, in parts per million.
pub fn read_portion(reader: &mut Reader, name: &'static str) -> Option<u32> {
    let (percent, bps) = reader.object(name, |r| (r.decimal("percent"), r.decimal("bps")))?;
    match (percent, bps) {
        (Some(percent), None) => ppm(reader, name, Slippage::Percent(percent), SlippageUnit::default()),
        (None, Some(bps)) => ppm(reader, name, Slippage::Bps(bps), SlippageUnit::default()),
        _ => {
            reader.refuse(name, FieldCode::Required, "must be { percent } or { bps }");
            None
        }
    }
}

/// The thresholds of warnings. A slippage that does not name its unit is in `unit`.
pub fn read_warning_thresholds(reader: &mut Reader, unit: SlippageUnit) -> WarningThresholds {
    let mut warn_above = WarningThresholds::default();
    reader.within("warnAbove", &mut |r| {
        r.set_whole("impactBps", &mut warn_above.impact_bps);
        warn_above.slippage_ppm = read_slippage(r, "slippage", unit).unwrap_or(warn_above.slippage_ppm);
    });
    warn_above
}

/// A wallet. If its token account does not name its lamports, it holds the launchpad's rent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalletState {
    lamports: u64,
    /// Its lamports apart: they may not be given.
    token_account: Option<(TokenAccount, Option<u64>)>,
    opens_volume_account: bool,
}

impl WalletState {
    /// Reads the settings of a wallet.
    pub fn read(reader: &mut Reader) -> Self {
        let lamports = reader.need("lamports", |r, name| r.whole(name));
        let account = |r: &mut Reader| {
            let account = TokenAccount {
                tokens: r.need("tokens", |r, name| r.whole(name)),
                is_frozen: r.boolean("isFrozen").unwrap_or(false),
                stays_open: r.boolean("staysOpen").unwrap_or(false),
                ..TokenAccount::default()
            };
            (account, r.whole("lamports"))
        };
        WalletState {
            lamports,
            token_account: reader.object("tokenAccount", account),
            opens_volume_account: reader.boolean("opensVolumeAccount").unwrap_or(false),
        }
    }

    /// The wallet, on a launchpad where an account's rent is `rent_lamports`.
    pub fn wallet(&self, rent_lamports: u64) -> Wallet {
        let account = |(account, lamports): (TokenAccount, Option<u64>)| TokenAccount {
            lamports: lamports.unwrap_or(rent_lamports),
            ..account
        };
        Wallet {
            lamports: self.lamports,
            token_account: self.token_account.map(account),
            opens_volume_account: self.opens_volume_account,
        }
    }
}
