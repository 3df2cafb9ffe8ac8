//! A [`Launchpad`] as settings; absent ones have their default.

use super::config::{Completion, Launchpad};
use super::curve::Curve;
use super::fees::{BPS, FeeRates, FeeTier};
use crate::amount::MAX_TOKEN_DECIMALS;
use crate::reader::Reader;
use crate::record;

record! {
    /// A launchpad's rules. Tokens in base units.
    LaunchpadConfig {
        /// The date these numbers were read, `YYYY-MM-DD`.
        as_of: Option<String> => "string" optional,
        /// The fee tiers by market cap, at least one. Default: those of the day.
        fee_tiers: Option<Vec<FeeTierConfig>> => "FeeTierConfig[]" optional,
        /// The curve of a new token.
        start: Option<Curve> => "CurveConfig" optional,
        /// Total supply of a new token, in base units. Default: 10^15.
        token_supply: Option<u64> => "number | bigint | string" optional,
        /// Fraction digits of a whole token, at most 18. Default: 6.
        token_decimals: Option<u8> => "number" optional,
        /// Whether a buy past the end of the curve is refused, takes what is left, or is filled from the future pool, which is
        /// refused by a name of its own. Default: `reject`.
        completion: Option<Completion> => "Completion" optional,
        /// Lamports of rent for each byte of an account. Default: that of the day.
        rent_lamports_per_byte: Option<u64> => "number | bigint | string" optional,
        /// Bytes of a token account's data. Default: 165; an account of a token of the newer token program has 170.
        token_account_bytes: Option<u64> => "number | bigint | string" optional,
        /// Bytes of the account in which the launchpad counts what a wallet trades. Default: 137.
        volume_account_bytes: Option<u64> => "number | bigint | string" optional,
        /// What the network charges for a signature. Default: that of the day.
        lamports_per_signature: Option<u64> => "number | bigint | string" optional,
        /// Priority units paid for each trade if a request sets no limit. Default: 200000.
        default_units_per_trade: Option<u64> => "number | bigint | string" optional,
        /// Blocks for which a transaction may use a blockhash, at least 150. Until they are over, a trade of unknown outcome may still
        /// land. Default: 150.
        blockhash_blocks: Option<u32> => "number" optional,
    }
}
record! {
    /// The fee rates from a market cap upwards.
    #[derive(Default)]
    FeeTierConfig {
        /// The market cap from which they apply, in lamports.
        market_cap_threshold_lamports: u128 => "number | bigint | string",
        /// The protocol's rate, in basis points, at most 10000.
        protocol_bps: u16 => "number",
        /// The creator's rate, in basis points, at most 10000.
        creator_bps: u16 => "number",
    }
}

impl LaunchpadConfig {
    /// All settings of this launchpad.
    pub fn of(launchpad: &Launchpad) -> Self {
        LaunchpadConfig {
            as_of: Some(launchpad.as_of.clone()),
            fee_tiers: Some(launchpad.fee_tiers.iter().map(FeeTierConfig::of).collect()),
            start: Some(launchpad.start),
            token_supply: Some(launchpad.token_supply),
            token_decimals: Some(launchpad.token_decimals),
            completion: Some(launchpad.completion),
            rent_lamports_per_byte: Some(launchpad.rent_lamports_per_byte),
            token_account_bytes: Some(launchpad.token_account_bytes),
            volume_account_bytes: Some(launchpad.volume_account_bytes),
            lamports_per_signature: Some(launchpad.network.lamports_per_signature),
            default_units_per_trade: Some(launchpad.network.default_units_per_trade),
            blockhash_blocks: Some(launchpad.blockhash_blocks),
        }
    }

    /// Reads the settings into a launchpad; all of them may be absent.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader, launchpad: &mut Launchpad) {
        reader.set_text("asOf", &mut launchpad.as_of);
        if let Some(tiers) = reader.list("feeTiers", FeeTierConfig::read) {
            launchpad.fee_tiers = tiers.iter().filter_map(FeeTierConfig::tier).collect();
        }
        reader.within("start", &mut |r| launchpad.start = Curve::read(r));
        reader.set_whole("tokenSupply", &mut launchpad.token_supply);
        if let Some(decimals) = reader.whole_within("tokenDecimals", 0, MAX_TOKEN_DECIMALS.into()) {
            launchpad.token_decimals = decimals as u8;
        }
        if let Some(completion) = reader.choice("completion", Completion::NAMED) {
            launchpad.completion = completion;
        }
        reader.set_whole("rentLamportsPerByte", &mut launchpad.rent_lamports_per_byte);
        reader.set_whole("tokenAccountBytes", &mut launchpad.token_account_bytes);
        reader.set_whole("volumeAccountBytes", &mut launchpad.volume_account_bytes);
        reader.set_whole("lamportsPerSignature", &mut launchpad.network.lamports_per_signature);
        reader.set_whole("defaultUnitsPerTrade", &mut launchpad.network.default_units_per_trade);
        // A shorter life than the network's would call a trade that can still land `never`.
        let least = launchpad.blockhash_blocks;
        reader.set_count("blockhashBlocks", least, &mut launchpad.blockhash_blocks);
    }
}

impl FeeTierConfig {
    /// The settings of this tier.
    pub fn of(tier: &FeeTier) -> Self {
        FeeTierConfig {
            market_cap_threshold_lamports: tier.market_cap_threshold_lamports,
            protocol_bps: tier.rates.protocol_bps(),
            creator_bps: tier.rates.creator_bps(),
        }
    }

    fn read(reader: &mut Reader) -> Self {
        let bps = |r: &mut Reader, name| r.whole_within(name, 0, BPS).map(|bps| bps as u16);
        FeeTierConfig {
            market_cap_threshold_lamports: reader.need("marketCapThresholdLamports", Reader::wide),
            protocol_bps: reader.need("protocolBps", bps),
            creator_bps: reader.need("creatorBps", bps),
        }
    }

    fn tier(&self) -> Option<FeeTier> {
        Some(FeeTier {
            market_cap_threshold_lamports: self.market_cap_threshold_lamports,
            rates: FeeRates::new(self.protocol_bps, self.creator_bps)?,
        })
    }
}

impl Curve {
    /// Reads the four reserves, all of them required.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader) -> Self {
        Curve {
            virtual_token_reserves: reader.need("virtualTokenReserves", Reader::whole),
            virtual_sol_reserves: reader.need("virtualSolReserves", Reader::whole),
            real_token_reserves: reader.need("realTokenReserves", Reader::whole),
            real_sol_reserves: reader.need("realSolReserves", Reader::whole),
        }
    }
}
