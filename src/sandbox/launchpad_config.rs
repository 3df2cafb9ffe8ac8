//! A [`Launchpad`] read from settings: what is absent is as it is by default.

use crate::error::FieldCode;
use crate::launchpad::fees::{BPS, FeeRates, FeeTier};
use crate::launchpad::{Completion, Curve, Launchpad};
use crate::reader::Reader;

/// More fraction digits than this have no price in whole nano-lamports.
const MAX_DECIMALS: u64 = 18;

/// Reads a launchpad's settings, those of [`LaunchpadConfig`].
pub(super) fn read(reader: &mut Reader) -> Launchpad {
    let mut launchpad = Launchpad::default();
    if let Some(as_of) = reader.text("asOf") {
        launchpad.as_of = as_of.to_owned();
    }
    if let Some(tiers) = reader.list("feeTiers", read_tier) {
        if tiers.is_empty() {
            reader.refuse("feeTiers", FieldCode::Empty, "must have at least one tier");
        }
        launchpad.fee_tiers = tiers.into_iter().flatten().collect();
    }
    if let Some(start) = reader.object("start", read_curve) {
        launchpad.start = start;
    }
    let completions = [("reject", Completion::Reject), ("partial", Completion::Partial)];
    if let Some(completion) = reader.choice("completion", &completions) {
        launchpad.completion = completion;
    }
    if let Some(decimals) = reader.whole_within("tokenDecimals", 0, MAX_DECIMALS) {
        launchpad.token_decimals = decimals as u8;
    }
    let network = &mut launchpad.network;
    for (name, setting) in [
        ("tokenSupply", &mut launchpad.token_supply),
        ("rentLamportsPerByte", &mut launchpad.rent_lamports_per_byte),
        ("tokenAccountBytes", &mut launchpad.token_account_bytes),
        ("lamportsPerSignature", &mut network.lamports_per_signature),
        ("defaultUnitsPerTrade", &mut network.default_units_per_trade),
    ] {
        if let Some(given) = reader.whole(name) {
            *setting = given;
        }
    }
    launchpad
}

fn read_tier(reader: &mut Reader) -> Option<FeeTier> {
    let threshold = reader.need("marketCapThresholdLamports", Reader::whole);
    let protocol = reader.need("protocolBps", |r, name| r.whole_within(name, 0, BPS));
    let creator = reader.need("creatorBps", |r, name| r.whole_within(name, 0, BPS));
    let rates = FeeRates::new(protocol as u16, creator as u16)?;
    Some(FeeTier { market_cap_threshold_lamports: u128::from(threshold), rates })
}

/// Reads the four reserves of a curve, all of which are needed.
pub(super) fn read_curve(reader: &mut Reader) -> Curve {
    Curve {
        virtual_token_reserves: reader.need("virtualTokenReserves", Reader::whole),
        virtual_sol_reserves: reader.need("virtualSolReserves", Reader::whole),
        real_token_reserves: reader.need("realTokenReserves", Reader::whole),
        real_sol_reserves: reader.need("realSolReserves", Reader::whole),
    }
}
