//! The equity over time, how far it fell, and how much of it was exposed.

use launchpad_desk::strategy::units::{Millis, Part};

use super::run::{BacktestDrawdown, BacktestPoint, part_of};

/// The equity over time.
#[derive(Clone, Debug)]
pub(super) struct EquityCurve {
    pub(super) points: Vec<BacktestPoint>,
    /// Every how many changes is kept as a point: a power of two.
    stride: u32,
    since: u32,
    at_ms: u64,
    equity: u64,
    pub(super) exposed: u64,
    /// How many positions are open.
    pub(super) open: u32,
    high: BacktestPoint,
    pub(super) drawdown: BacktestDrawdown,
    pub(super) most_exposed: u64,
    /// Lamports times milliseconds.
    pub(super) exposed_time: u128,
    pub(super) equity_time: u128,
    pub(super) in_market_ms: u64,
}

/// Lamports times milliseconds.
#[inline(always)]
fn over_time(lamports: u64, ms: u64) -> u128 {
    // A product of 128 bits is a library call in WebAssembly.
    if lamports >> 40 == 0 && ms >> 24 == 0 {
        u128::from(lamports * ms)
    } else {
        u128::from(lamports) * u128::from(ms)
    }
}

/// The most points that are kept.
const MOST_POINTS: usize = 1_024;

impl EquityCurve {
    pub(super) fn new(at_ms: u64, lamports: u64) -> EquityCurve {
        let start = BacktestPoint { at_ms: Millis(at_ms), lamports };
        EquityCurve {
            points: vec![start],
            stride: 1,
            since: 0,
            at_ms,
            equity: lamports,
            exposed: 0,
            open: 0,
            high: start,
            drawdown: BacktestDrawdown::default(),
            most_exposed: 0,
            exposed_time: 0,
            equity_time: 0,
            in_market_ms: 0,
        }
    }

    pub(super) fn pass(&mut self, at_ms: u64) {
        let passed = at_ms.saturating_sub(self.at_ms);
        if passed == 0 {
            return;
        }
        self.equity_time += over_time(self.equity, passed);
        self.exposed_time += over_time(self.exposed, passed);
        self.in_market_ms += if self.open > 0 { passed } else { 0 };
        self.at_ms = at_ms;
    }

    pub(super) fn see(&mut self, at_ms: u64, lamports: u64, exposed: u64) {
        let equity = lamports.saturating_add(exposed);
        (self.equity, self.exposed) = (equity, exposed);
        self.most_exposed = self.most_exposed.max(exposed);
        let point = BacktestPoint { at_ms: Millis(at_ms.min(Millis::MOST)), lamports: equity };
        if equity > self.high.lamports {
            self.high = point;
        }
        let fall = self.high.lamports - equity;
        if fall > self.drawdown.lamports {
            self.drawdown = BacktestDrawdown {
                lamports: fall,
                part: Part::default(),
                from_ms: self.high.at_ms,
                to_ms: point.at_ms,
            };
            self.drawdown.part = part_of(fall.into(), self.high.lamports.into());
        }
        self.keep(point);
    }

    fn keep(&mut self, point: BacktestPoint) {
        self.since += 1;
        match self.points.last_mut() {
            // Every change is seen, until the next one that is kept.
            Some(last) if self.since & (self.stride - 1) != 0 => *last = point,
            _ => self.points.push(point),
        }
        if self.points.len() > MOST_POINTS {
            let mut at = 0;
            self.points.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.stride *= 2;
        }
    }
}
