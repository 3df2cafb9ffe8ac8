//! The way of a trade: validate → encode → send → judge, once, for every transport.
//!
//! ```text
//! Value ─ prepare ─▶ Prepared (checked, exact bytes) ─ carry_out ─▶ Trade
//!                                                          │        or Error, which says whether
//!                                     Transport: fetch, or the sandbox     money may have moved
//! ```

pub mod guard;
mod judge;
pub mod reconcile;
mod retry_after;

use std::future::Future;

use crate::api::decode::ReplyNames;
use crate::api::encode::encode;
use crate::api::endpoint::{Call, Operation, Reply};
use crate::api::response::Trade;
use crate::api::validate::{Rules, validate};
use crate::error::{Error, Warning};
use crate::reader::Reader;
use crate::value::Value;

pub use judge::{Lost, judge, service_message};
pub use retry_after::retry_after_ms;

/// How a client reads and writes the service's language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dialect {
    /// What requests are checked against.
    pub rules: Rules,
    /// What the reply's two branded fields are called.
    pub reply_names: ReplyNames,
}

impl Dialect {
    /// Reads the settings that concern the dialect: `slippageUnit`, `identifiers`, `maxBundleSize`,
    /// `replyNames`.
    pub fn read(reader: &mut Reader) -> Self {
        let mut dialect = Dialect { rules: Rules::read(reader), reply_names: ReplyNames::default() };
        let names = &mut dialect.reply_names;
        reader.within("replyNames", &mut |r| {
            r.set_text("explorer", &mut names.explorer);
            r.set_text("launchpad", &mut names.launchpad);
        });
        dialect
    }
}

/// A trade that is checked and written, and not yet sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The exact bytes and where they go.
    pub call: Call,
    /// What is odd about the request.
    pub warnings: Vec<Warning>,
}

/// Checks a request and writes its bytes. Nothing is sent.
///
/// # Errors
///
/// [`crate::error::Code::InvalidRequest`], with every bad field.
pub fn prepare(operation: Operation, request: &Value, dialect: &Dialect) -> Result<Prepared, Box<Error>> {
    let valid = validate(operation, request, &dialect.rules).map_err(Error::invalid_request)?;
    Ok(Prepared { call: encode(&valid, dialect.rules.slippage_unit), warnings: valid.warnings().to_vec() })
}

/// What carries a call to a service and its reply back.
pub trait Transport {
    /// Sends the call, once.
    ///
    /// # Errors
    ///
    /// [`Lost`] where no complete reply came back; it says whether the call may have arrived.
    fn send(&self, call: &Call) -> impl Future<Output = Result<Reply, Lost>>;
}

/// Sends a prepared trade, once, and reads what became of it.
///
/// # Errors
///
/// [`Error`]: its outcome says whether money may have moved.
pub async fn carry_out(
    transport: &impl Transport,
    prepared: &Prepared,
    dialect: &Dialect,
) -> Result<Trade, Box<Error>> {
    let reply = transport.send(&prepared.call).await;
    judge(prepared.call.operation, reply, &dialect.reply_names)
}
