//! The exact amounts that reach a trader's goal: the answer reaches it, and the next amount does not.
//!
//! Each starts from a closed form and then corrects its rounding.

use super::curve::{Curve, Spend, after_fees, net_before_fees};
use super::div::{Ratio, mul_div_ceil, mul_div_floor, mul_div_scaled_floor};
use super::fees::{BPS, FeeRates};
use super::refusal::Refusal;

impl Curve {
    /// The fewest lamports, fees included, that buy at least `tokens`.
    ///
    /// The net is `ceil(tokens · vs / (vt − tokens)) + 1`. The spend is the net with its two fees: the smallest spend with such
    /// a net.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, fees::FeeRates};
    /// let curve = Launchpad::default().start;
    /// let rates = FeeRates::new(95, 30).unwrap();
    /// let spend = curve.smallest_spend_for(1_000_000_000_000, rates).unwrap();
    /// assert!(curve.buy_exact_in(spend, 1_000_000_000_000, rates).is_ok());
    /// assert!(curve.buy_exact_in(spend - 1, 1_000_000_000_000, rates).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::ZeroAmount`], [`Refusal::EmptyCurve`], [`Refusal::CurveComplete`],
    /// [`Refusal::NotEnoughTokensOnCurve`] (also if enough are left, but the last lamport would buy more than that),
    /// [`Refusal::Overflow`].
    pub fn smallest_spend_for(&self, tokens: u64, rates: FeeRates) -> Result<u64, Refusal> {
        self.smallest_buy_of(tokens, rates).map(|(spend_lamports, _)| spend_lamports)
    }

    /// Like [`smallest_spend_for`](Curve::smallest_spend_for), but a buy past the curve's end takes what is left, as
    /// [`buy_exact_in_or_rest`](Curve::buy_exact_in_or_rest) does.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, fees::FeeRates};
    /// let curve = Launchpad::default().start;
    /// let (all, rates) = (curve.real_token_reserves, FeeRates::new(95, 30).unwrap());
    /// assert!(curve.smallest_spend_for(all, rates).is_err());
    /// let spend = curve.smallest_spend_for_or_rest(all, rates).unwrap();
    /// assert_eq!(curve.buy_exact_in_or_rest(spend, all, rates).unwrap().tokens, all);
    /// assert!(curve.buy_exact_in_or_rest(spend - 1, all, rates).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// As [`smallest_spend_for`](Curve::smallest_spend_for), but [`Refusal::NotEnoughTokensOnCurve`] only for more than
    /// are left.
    pub fn smallest_spend_for_or_rest(&self, tokens: u64, rates: FeeRates) -> Result<u64, Refusal> {
        let refusal = match self.smallest_spend_for(tokens, rates) {
            Err(refusal) if (1..=self.real_token_reserves).contains(&tokens) => refusal,
            decided => return decided,
        };
        // That spend would buy more than is left, or overflow the reserves. So it buys the rest, if it pays for the rest.
        let rest = self.buy_exact_out(self.real_token_reserves, u64::MAX, rates).map_err(|_| refusal)?;
        let overflows = (u64::MAX - self.virtual_sol_reserves).saturating_add(2);
        let net = self.net_lamports_for(tokens).unwrap_or(u64::MAX).min(overflows);
        Ok(gross(net, rates).ok_or(refusal)?.max(rest.wallet_lamports))
    }

    /// [`smallest_spend_for`](Curve::smallest_spend_for), and the curve after that spend.
    pub(super) fn smallest_buy_of(&self, tokens: u64, rates: FeeRates) -> Result<(u64, Curve), Refusal> {
        let (net, curve_after) = self.smallest_net_for(tokens)?;
        Ok((gross(net, rates).ok_or(Refusal::Overflow)?, curve_after))
    }

    /// The fewest lamports before fees that buy at least `tokens`, and the curve after them.
    pub(super) fn smallest_net_for(&self, tokens: u64) -> Result<(u64, Curve), Refusal> {
        if tokens == 0 {
            return Err(Refusal::ZeroAmount);
        }
        self.check_open()?;
        if tokens > self.real_token_reserves || tokens >= self.virtual_token_reserves {
            return Err(Refusal::NotEnoughTokensOnCurve);
        }
        // A lamport more of spend adds at most one to the net, so there is a spend with exactly this net.
        let net = self.net_lamports_for(tokens).ok_or(Refusal::Overflow)?;
        if net > self.most_lamports_in() {
            return Err(Refusal::Overflow);
        }
        let bought = self.tokens_for(net)?;
        if bought > self.real_token_reserves {
            return Err(Refusal::NotEnoughTokensOnCurve);
        }
        Ok((net, self.after_buy(bought, net)?))
    }

    /// The most lamports to spend, fees included, at a price that is at most `impact_bps` over the spot price, before
    /// fees.
    ///
    /// A net `n` that buys `t` tokens is within it if `n · vt ≤ (1 + impact) · t · vs`: up to about
    /// `n = impact · vs − 1 / impact`.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, fees::FeeRates, quote::impact_bps};
    /// let curve = Launchpad::default().start;
    /// let rates = FeeRates::new(95, 30).unwrap();
    /// let spend = curve.largest_spend_within_impact(500, rates).unwrap();
    /// let impact = |spend| impact_bps(&curve, &curve.buy_exact_in(spend, 1, rates).unwrap());
    /// assert_eq!((spend, impact(spend), impact(spend + 1)), (1_518_749_979, 500, 501));
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::OutOfReach`] if even the smallest buy costs more than that (rounding counts), [`Refusal::EmptyCurve`],
    /// [`Refusal::CurveComplete`].
    pub fn largest_spend_within_impact(&self, impact_bps: u32, rates: FeeRates) -> Result<u64, Refusal> {
        self.check_open()?;
        let most = Ratio { numerator: BPS + u64::from(impact_bps), denominator: BPS as u32 };
        let mut net = self.net_lamports_within(impact_bps).min(self.most_net_lamports()).min(most_net(rates));
        // If a lamport buys many tokens, as on any real curve, the answer is this number or one less.
        for _ in 0..2 {
            match self.is_within(net, most) {
                Some(true) => return Ok(largest_spend_netting(net, rates)),
                Some(false) => net -= 1,
                None => break,
            }
        }
        // If a token costs many lamports, the tokens have the tighter bound: `impact / (1 + impact) · vt`.
        let tokens = mul_div_floor(u64::from(impact_bps), self.virtual_token_reserves, most.numerator);
        let by_tokens = self.lamports_at(tokens.unwrap_or(u64::MAX), most);
        let net = greatest(net.min(by_tokens), |net| {
            self.tokens_for(net).map_or(0, |tokens| self.lamports_at(tokens, most))
        });
        if net == 0 {
            return Err(Refusal::OutOfReach);
        }
        Ok(largest_spend_netting(net, rates))
    }

    /// The most base units to buy at a price that is at most `impact_bps` over the spot price, before fees.
    /// Fails as [`largest_spend_within_impact`](Curve::largest_spend_within_impact).
    pub fn largest_tokens_within_impact(&self, impact_bps: u32) -> Result<u64, Refusal> {
        self.check_open()?;
        let most = Ratio { numerator: BPS + u64::from(impact_bps), denominator: BPS as u32 };
        // The most tokens that cost no more than this many lamports.
        let tokens_up_to = |lamports: u64| {
            let divisor = self.virtual_sol_reserves.checked_add(lamports)?;
            mul_div_ceil(lamports, self.virtual_token_reserves, divisor)?.checked_sub(1)
        };
        let on_curve = self.real_token_reserves.min(self.virtual_token_reserves - 1);
        let all = mul_div_floor(on_curve, self.virtual_sol_reserves, self.virtual_token_reserves - on_curve);
        let all = all.map_or(u64::MAX, |lamports| lamports.saturating_add(1)).min(self.most_lamports_in());
        let within = mul_div_floor(u64::from(impact_bps), self.virtual_sol_reserves, BPS).unwrap_or(u64::MAX);
        let tokens_of = |lamports| tokens_up_to(lamports).unwrap_or(0).min(on_curve);
        let lamports = greatest(all.min(within), |lamports| self.lamports_at(tokens_of(lamports), most));
        match tokens_of(lamports) {
            0 => Err(Refusal::OutOfReach),
            tokens => Ok(tokens),
        }
    }

    /// The most base units to sell at a price that is at most `impact_bps` under the spot price, before fees. The curve
    /// must be able to pay for them, and the sale to cover its fees.
    /// Fails as [`largest_spend_within_impact`](Curve::largest_spend_within_impact).
    pub fn largest_sell_within_impact(&self, impact_bps: u32, rates: FeeRates) -> Result<u64, Refusal> {
        self.check_open()?;
        let paid_out = self.most_tokens_paid_out();
        let kept = BPS.saturating_sub(u64::from(impact_bps)) as u32;
        let least = Ratio { numerator: BPS, denominator: kept };
        // The most tokens that this many lamports are enough for; all, if the impact may be the whole price.
        let tokens_at = |lamports: u64| {
            let (vt, vs) = (self.virtual_token_reserves, self.virtual_sol_reserves);
            mul_div_scaled_floor(lamports, vt, vs, least).unwrap_or(u64::MAX)
        };
        let within = mul_div_floor(u64::from(impact_bps), self.virtual_token_reserves, u64::from(kept));
        let start = within.unwrap_or(u64::MAX).min(paid_out);
        let bound = |tokens: u64| {
            let Ok(sale) = self.lamports_for(tokens) else { return 0 };
            let within = tokens_at(sale);
            let covered = largest_covered_sale(sale, rates);
            if covered == sale {
                return within;
            }
            // No sale above the covered one and up to this one covers its fees.
            within.min(self.tokens_to_sell_for(covered + 1).map_or(tokens, |tokens| tokens - 1))
        };
        match greatest(start, bound) {
            0 => Err(Refusal::OutOfReach),
            tokens => Ok(tokens),
        }
    }

    /// The most lamports to spend so that the wallet pays at most `lamports`, fees included.
    ///
    /// A spend is not always used up, so the answer can be a lamport or two over `lamports`. It is under it only if the
    /// curve has too few tokens.
    ///
    /// # Errors
    ///
    /// [`Refusal::OutOfReach`] if `lamports` buy nothing, [`Refusal::EmptyCurve`], [`Refusal::CurveComplete`].
    pub fn largest_spend_within_cost(&self, lamports: u64, rates: FeeRates) -> Result<u64, Refusal> {
        self.check_open()?;
        // The wallet pays the spend or, if that is less, the uncut net with its fees. So the answer is `lamports`, or the
        // last spend whose uncut net costs no more.
        let mut net = net_before_fees(lamports, rates);
        while gross(net, rates).is_none_or(|cost| cost > lamports) {
            net -= 1;
        }
        let last = net_to_last_spend(net, rates);
        let spend = last.max(lamports).min(largest_spend_netting(self.most_net_lamports(), rates));
        let buys = Spend::split(spend, rates).and_then(|spend| self.tokens_for(spend.net_lamports));
        if buys.is_ok_and(|tokens| tokens > 0) { Ok(spend) } else { Err(Refusal::OutOfReach) }
    }

    /// The fewest base units whose sell brings at least `lamports` after fees.
    ///
    /// ```
    /// use launchpad_desk::launchpad::{Launchpad, fees::FeeRates};
    /// let rates = FeeRates::new(95, 30).unwrap();
    /// let curve = Launchpad::default().start.buy_exact_in(1_000_000_000, 1, rates).unwrap().curve_after;
    /// let tokens = curve.smallest_sell_for(500_000_000, rates).unwrap();
    /// assert!(curve.sell_exact_in(tokens, tokens, 500_000_000, rates).is_ok());
    /// assert!(curve.sell_exact_in(tokens - 1, tokens, 500_000_000, rates).is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Refusal::OutOfReach`] if no sell does: the curve holds too little, or the fees take it all;
    /// [`Refusal::EmptyCurve`], [`Refusal::CurveComplete`].
    pub fn smallest_sell_for(&self, lamports: u64, rates: FeeRates) -> Result<u64, Refusal> {
        self.check_open()?;
        let mut needed = smallest_sale_for(lamports, 0, rates).ok_or(Refusal::OutOfReach)?;
        loop {
            // If both fees round up at once, a larger sale can bring a lamport less. So check the sale itself.
            let tokens = self.tokens_to_sell_for(needed).ok_or(Refusal::OutOfReach)?.max(1);
            let sale = self.lamports_for(tokens).map_err(|_| Refusal::OutOfReach)?;
            if sale > self.real_sol_reserves || self.real_token_reserves.checked_add(tokens).is_none() {
                return Err(Refusal::OutOfReach);
            }
            if after_fees(sale, rates.on(sale)).is_some_and(|brings| brings >= lamports) {
                return Ok(tokens);
            }
            let past = sale.checked_add(1).ok_or(Refusal::OutOfReach)?;
            needed = smallest_sale_for(lamports, past, rates).ok_or(Refusal::OutOfReach)?;
        }
    }

    /// Whether this many net lamports buy at no more than the spot price times `most`. `None` for zero, and if the comparison
    /// needs more than 128 bits.
    fn is_within(&self, net_lamports: u64, most: Ratio) -> Option<bool> {
        let tokens = self.tokens_for(Some(net_lamports).filter(|net| *net > 0)?).ok()?;
        let paid = net_lamports.checked_mul(u64::from(most.denominator))?;
        let spot = self.virtual_sol_reserves.checked_mul(most.numerator)?;
        Some(
            u128::from(paid) * u128::from(self.virtual_token_reserves)
                <= u128::from(spot) * u128::from(tokens),
        )
    }

    /// Lamports that `tokens` may cost at the spot price times `most`, floored; `u64::MAX` past 64 bits.
    fn lamports_at(&self, tokens: u64, most: Ratio) -> u64 {
        let (vs, vt) = (self.virtual_sol_reserves, self.virtual_token_reserves);
        mul_div_scaled_floor(tokens, vs, vt, most).unwrap_or(u64::MAX)
    }

    /// An upper bound for the net lamports `n` within the impact; exact if tokens were not floored. With `m = n − 1` it
    /// is the larger root of `m² − (impact · vs − 1) · m + vs`, found from above by `m ← impact · vs − 1 − vs / m`.
    fn net_lamports_within(&self, impact_bps: u32) -> u64 {
        let Some(within) = mul_div_floor(u64::from(impact_bps), self.virtual_sol_reserves, BPS) else {
            return u64::MAX;
        };
        let sum = within.saturating_sub(1);
        let mut counted = sum;
        // One round is enough on a real curve. If the two roots are close, each round closes part of the gap.
        for _ in 0..32 {
            let Some(other) = self.virtual_sol_reserves.checked_div(counted) else { return 0 };
            let closer = sum.saturating_sub(other);
            if closer == counted {
                break;
            }
            counted = closer;
        }
        counted.saturating_add(1)
    }

    /// The most net lamports of a buy: more would take more tokens than are left, or pass 64 bits.
    pub(super) fn most_net_lamports(&self) -> u64 {
        let past = self.real_token_reserves.saturating_add(1);
        let by_tokens = match self.virtual_token_reserves.checked_sub(past) {
            // A buy counts its net minus one. The most counted lamports that buy fewer than `past` are `ceil − 1`.
            Some(left) => mul_div_ceil(past, self.virtual_sol_reserves, left).unwrap_or(u64::MAX),
            None => u64::MAX,
        };
        by_tokens.min(self.most_lamports_in())
    }

    /// The most tokens whose sale the curve can pay, within 64 bits of reserves.
    fn most_tokens_paid_out(&self) -> u64 {
        let room = u64::MAX - self.virtual_token_reserves.max(self.real_token_reserves);
        match self.real_sol_reserves.checked_add(1).and_then(|past| self.tokens_to_sell_for(past)) {
            Some(tokens) => room.min(tokens - 1),
            None => room,
        }
    }
}

/// The greatest `x` up to `start` with `x ≤ bound(x)`. An `x` over its bound must rule out everything down to that bound,
/// as it does if `bound` never falls while `x` grows.
fn greatest(start: u64, bound: impl Fn(u64) -> u64) -> u64 {
    let mut x = start;
    while x > 0 {
        let bound = bound(x);
        if bound >= x {
            break;
        }
        x = bound;
    }
    x
}

/// What a net costs with its fees: the smallest spend with such a net. `None` past 64 bits.
fn gross(net_lamports: u64, rates: FeeRates) -> Option<u64> {
    u64::try_from(u128::from(net_lamports) + rates.on(net_lamports).total()).ok()
}

/// The net of the largest spend in 64 bits: no spend brings more.
fn most_net(rates: FeeRates) -> u64 {
    Spend::split(u64::MAX, rates).map_or(0, |spend| spend.net_lamports)
}

/// The last spend whose net is not over `net_lamports`: one before the first that reaches the next lamport.
fn largest_spend_netting(net_lamports: u64, rates: FeeRates) -> u64 {
    let next = net_lamports.checked_add(1).and_then(|next| gross(next, rates));
    next.map_or(u64::MAX, |spend| spend - 1)
}

/// The last spend whose uncut net is `net_lamports`; `u64::MAX` past 64 bits.
fn net_to_last_spend(net_lamports: u64, rates: FeeRates) -> u64 {
    let next = net_lamports.checked_add(1).and_then(|next| mul_div_ceil(next, BPS + rates.total_bps(), BPS));
    next.map_or(u64::MAX, |spend| spend - 1)
}

/// The smallest sale of at least `from` that leaves at least `lamports` after its fees. `None` if the fees take all of it, or
/// past 64 bits.
pub(super) fn smallest_sale_for(lamports: u64, from: u64, rates: FeeRates) -> Option<u64> {
    if lamports == 0 && from == 0 {
        return Some(0);
    }
    let mut sale = match BPS.checked_sub(rates.total_bps())? {
        0 if lamports == 0 => return from.checked_next_multiple_of(period(rates)),
        kept => mul_div_ceil(lamports, BPS, kept)?.max(from),
    };
    // From below: a sale must be worth `lamports` and its own fees.
    loop {
        let needed = u64::try_from(u128::from(lamports) + rates.on(sale).total()).ok()?;
        if needed <= sale {
            return Some(sale);
        }
        sale = needed;
    }
}

/// The largest sale up to `sale` whose two fees do not exceed it.
fn largest_covered_sale(sale: u64, rates: FeeRates) -> u64 {
    match BPS.checked_sub(rates.total_bps()) {
        None => 0,
        Some(0) => sale - sale % period(rates),
        Some(_) => {
            // Each fee is rounded up by less than a lamport, so only small sales do not cover both.
            let mut sale = sale;
            while rates.on(sale).total() > u128::from(sale) {
                sale -= 1;
            }
            sale
        }
    }
}

/// If both rates together are 100 %, a sale covers its rounded-up fees only if it is a multiple of this.
fn period(rates: FeeRates) -> u64 {
    let (mut a, mut b) = (BPS, u64::from(rates.protocol_bps()));
    while b > 0 {
        (a, b) = (b, a % b);
    }
    BPS / a
}
