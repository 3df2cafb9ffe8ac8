//! The tests of the crate: one binary, so that it links once. `cargo test --test rust NAME::` runs one file.
#![cfg(not(target_arch = "wasm32"))]

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

mod amount;
mod backtest;
mod chain_accounts;
mod client;
mod exits;
mod flow_gateway;
mod flow_machine;
mod flow_scripts;
mod gateway;
mod gateway_and_client;
mod gateway_machine;
mod gateway_proof;
// The pages name the codes of the chain and of records, too.
mod generated;
mod guard_model;
mod launchpad_batch;
mod launchpad_bundle;
mod launchpad_capacity;
mod launchpad_curve;
mod launchpad_div;
mod launchpad_goal;
mod launchpad_inverse;
mod launchpad_plan;
mod launchpad_quote;
mod launchpad_receipt;
mod launchpad_rent;
mod launchpad_rules;
mod launchpad_token;
mod launchpad_vectors;
mod launchpads;
mod layering;
mod local_chain;
mod manage_model;
mod market_facts;
mod market_rules;
mod market_settler;
mod oracle;
mod plans;
mod reconcile_model;
mod record;
mod recording_columns;
mod redact;
mod rents;
mod reported_failure;
mod sandbox;
mod sandbox_audit;
mod sandbox_books;
mod sandbox_control;
mod sandbox_flow;
mod sandbox_living;
mod sandbox_market;
mod sandbox_outcomes;
mod sandbox_replay;
mod sandbox_service;
mod seeded;
mod seeds;
mod serde;
mod settle_model;
mod tape;
mod typed;
