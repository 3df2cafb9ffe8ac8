//! What a call changed: each changed row, in its new form.

use super::faults::FaultsRow;
use super::row::{
    AccountRow, CallRow, CrowdRow, MarketTradeRow, TokenAccountRow, TokenRow, TradeRow, TrafficRow,
    WalletRow, WorldRow,
};
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::tape::json;
use launchpad_desk::tape::{Tape, ToTape, Writer};

/// A row after a call. The state can be rebuilt from a log of all changes, or from a store that keeps the newest change of each
/// [`key`](Change::key) and drops all earlier ones at a [`Reset`](Change::Reset).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The caller's account.
    Account(AccountRow),
    /// The requests so far.
    Traffic(TrafficRow),
    /// A wallet's lamports or level.
    Wallet(WalletRow),
    /// A token's curve or fees.
    Token(TokenRow),
    /// A token account, opened, moved or closed.
    TokenAccount(TokenAccountRow),
    /// A transaction, which is new.
    Trade(TradeRow),
    /// The market's time.
    World(WorldRow),
    /// The rivals around a token.
    Crowd(CrowdRow),
    /// A trade of the market, which is new.
    MarketTrade(MarketTradeRow),
    /// A call, which is new.
    Call(CallRow),
    /// The faults that were set.
    Faults(FaultsRow),
    /// All earlier rows are gone. Those that follow are the whole state.
    Reset,
}

/// The name of each kind of row.
const KINDS: [&str; 12] = [
    "account",
    "traffic",
    "wallet",
    "token",
    "tokenAccount",
    "trade",
    "world",
    "crowd",
    "marketTrade",
    "call",
    "faults",
    "reset",
];

impl Change {
    fn kind(&self) -> &'static str {
        match self {
            Change::Account(_) => "account",
            Change::Traffic(_) => "traffic",
            Change::Wallet(_) => "wallet",
            Change::Token(_) => "token",
            Change::TokenAccount(_) => "tokenAccount",
            Change::Trade(_) => "trade",
            Change::World(_) => "world",
            Change::Crowd(_) => "crowd",
            Change::MarketTrade(_) => "marketTrade",
            Change::Call(_) => "call",
            Change::Faults(_) => "faults",
            Change::Reset => "reset",
        }
    }

    /// Identifies the row: its kind and its names, one per line (names contain no line breaks).
    pub fn key(&self) -> String {
        match self {
            Change::Account(_)
            | Change::Traffic(_)
            | Change::World(_)
            | Change::Faults(_)
            | Change::Reset => self.kind().to_owned(),
            Change::Call(row) => [self.kind(), "\n", &row.number.get().digits()].concat(),
            Change::Wallet(row) => [self.kind(), "\n", &row.wallet].concat(),
            Change::Token(row) => [self.kind(), "\n", &row.mint].concat(),
            Change::TokenAccount(row) => [self.kind(), "\n", &row.wallet, "\n", &row.mint].concat(),
            Change::Trade(row) => [self.kind(), "\n", &row.transaction.get().digits()].concat(),
            Change::Crowd(row) => [self.kind(), "\n", &row.mint].concat(),
            Change::MarketTrade(row) => [self.kind(), "\n", &row.number.get().digits()].concat(),
        }
    }

    /// The change as JSON text.
    pub fn to_json(&self) -> String {
        json::write(&self.to_tape())
    }

    /// Reads a change back from its JSON text.
    ///
    /// # Errors
    ///
    /// Every field that does not fit a change.
    pub fn from_json(text: &str) -> Result<Change, Vec<FieldError>> {
        let value = parse("the change", text)?;
        reader::read(value.root(), Change::read)?.ok_or_else(Vec::new)
    }

    fn read(reader: &mut Reader) -> Option<Change> {
        let kinds = KINDS.map(|kind| (kind, kind));
        let kind = reader.need("kind", |r, name| r.choice(name, &kinds).map(Some))?;
        Some(match kind {
            "account" => Change::Account(AccountRow::read(reader)),
            "traffic" => Change::Traffic(TrafficRow::read(reader)),
            "wallet" => Change::Wallet(WalletRow::read(reader)),
            "token" => Change::Token(TokenRow::read(reader)),
            "tokenAccount" => Change::TokenAccount(TokenAccountRow::read(reader)),
            "world" => Change::World(WorldRow::read(reader)),
            "crowd" => Change::Crowd(CrowdRow::read(reader)),
            "marketTrade" => Change::MarketTrade(MarketTradeRow::read(reader)),
            "call" => Change::Call(CallRow::read(reader)),
            "faults" => Change::Faults(FaultsRow::read(reader)),
            "reset" => Change::Reset,
            _ => Change::Trade(TradeRow::read(reader)),
        })
    }
}

impl ToTape for Change {
    fn write(&self, tape: &mut Writer) {
        let nothing = object! {};
        let row: &dyn ToTape = match self {
            Change::Account(row) => row,
            Change::Traffic(row) => row,
            Change::Wallet(row) => row,
            Change::Token(row) => row,
            Change::TokenAccount(row) => row,
            Change::Trade(row) => row,
            Change::World(row) => row,
            Change::Crowd(row) => row,
            Change::MarketTrade(row) => row,
            Change::Call(row) => row,
            Change::Faults(row) => row,
            Change::Reset => &nothing,
        };
        let row = row.to_tape();
        let kind = self.kind();
        let cells = row.root().fields().into_iter().flatten().collect::<Vec<_>>();
        let cells = cells.iter().map(|(name, cell)| (*name, cell as &dyn ToTape));
        tape.object(&mut [("kind", &kind as &dyn ToTape)].into_iter().chain(cells));
    }
}

/// Reads JSON text. If it is not JSON, the message begins with `what`.
pub(super) fn parse(what: &str, text: &str) -> Result<Tape, Vec<FieldError>> {
    json::parse(text.as_bytes()).map_err(|error| {
        let message = [what, " is not JSON: ", error.what, ", at byte ", &error.at.digits()].concat();
        vec![FieldError { field: String::new(), code: FieldCode::Unreadable, message }]
    })
}
