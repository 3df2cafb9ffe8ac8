//! The trading desk for a token launchpad's `/v1/trade` service.

pub mod launchpad;
