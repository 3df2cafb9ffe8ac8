//! The exports of `launchpad-desk/sandbox`: the sandbox, a chain around it, backtests. JS sees them through `pkg/src/sandbox.ts` and the
//! folder beside it. A curve crosses as data: its class is the market's.

mod backtest;
mod local_chain;
mod world;
