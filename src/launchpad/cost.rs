//! What the network charges for a transaction, whether or not its trade succeeds.

/// The priority a transaction bids with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Priority {
    /// Compute units to pay for; if absent, the launchpad's default for each trade.
    pub unit_limit: Option<u64>,
    /// Micro-lamports per unit; no priority fee if absent.
    pub unit_price_micro_lamports: Option<u64>,
}

/// The network's prices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkRates {
    /// Lamports per signature: 5,000.
    pub lamports_per_signature: u64,
    /// Compute units that are paid for each trade if a transaction sets no limit: 200,000.
    pub default_units_per_trade: u64,
}

/// Micro-lamports in a lamport.
const MICRO: u128 = 1_000_000;

impl NetworkRates {
    /// The network fee of a transaction with this many signatures and trades, in lamports:
    /// `5000 · signatures + ceil(unit limit · unit price / 10⁶)`. `None` past 64 bits.
    ///
    /// The fee payer pays it even when the transaction fails.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, cost::Priority};
    /// let network = Launchpad::default().network;
    /// assert_eq!(network.fee_lamports(1, 1, Priority::default()), Some(5_000));
    /// let priority = Priority { unit_limit: Some(100_000), unit_price_micro_lamports: Some(1_001) };
    /// assert_eq!(network.fee_lamports(1, 1, priority), Some(5_101));
    /// ```
    #[inline(always)]
    pub fn fee_lamports(&self, signatures: u64, trades: u64, priority: Priority) -> Option<u64> {
        let base = self.lamports_per_signature.checked_mul(signatures)?;
        base.checked_add(self.priority_fee_lamports(trades, priority)?)
    }

    /// The priority part of the fee alone.
    #[inline(always)]
    pub fn priority_fee_lamports(&self, trades: u64, priority: Priority) -> Option<u64> {
        match priority.unit_price_micro_lamports {
            None => Some(0),
            Some(price) => self.bid_lamports(trades, priority.unit_limit, price),
        }
    }

    fn bid_lamports(&self, trades: u64, unit_limit: Option<u64>, price: u64) -> Option<u64> {
        let limit = match unit_limit {
            Some(limit) => limit,
            None => self.default_units_per_trade.checked_mul(trades)?,
        };
        u64::try_from(price_of_units(limit.into(), price.into())).ok()
    }
}

/// Lamports that priority units cost at a price in micro-lamports: `ceil(units · price / 10⁶)`.
#[inline(always)]
pub fn price_of_units(units: u128, micro_lamports: u128) -> u128 {
    units.saturating_mul(micro_lamports).div_ceil(MICRO)
}
