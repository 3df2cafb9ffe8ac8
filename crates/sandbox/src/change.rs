//! What a call changed: each changed row, in its new form.

use super::faults::FaultsRow;
use super::row::{
    AccountRow, CallRow, CrowdRow, MarketTradeRow, TokenAccountRow, TokenRow, TradeRow, TrafficRow,
    WalletRow, WorldRow,
};
use super::rows::Named;
use launchpad_desk::amount::Digits;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::FieldError;
use launchpad_desk::tape::{Tape, ToTape, Writer, json};

/// Declares the kinds of changes, each once: what it is, its row, and its name.
macro_rules! changes {
    ($( $(#[$doc:meta])* $kind:ident($row:ident) = $name:literal ),* $(,)?) => {
        /// A row after a call. The state can be rebuilt from a log of all changes, or from a store that keeps the newest
        /// change of each [`key`](Change::key) and drops all earlier ones at a [`Reset`](Change::Reset).
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Change {
            $( $(#[$doc])* $kind($row), )*
            /// All earlier rows are gone. Those that follow are the whole state.
            Reset,
        }

        impl Change {
            fn kind(&self) -> &'static str {
                match self {
                    $( Change::$kind(_) => $name, )*
                    Change::Reset => RESET,
                }
            }

            /// Its row; a reset has none.
            fn row(&self) -> Option<&dyn ToTape> {
                match self {
                    $( Change::$kind(row) => Some(row), )*
                    Change::Reset => None,
                }
            }

            fn read(reader: &mut Reader) -> Option<Change> {
                let kinds = [$($name,)* RESET].map(|kind| (kind, kind));
                Some(match reader.need("kind", |r, name| r.choice(name, &kinds).map(Some))? {
                    $( $name => Change::$kind($row::read(reader)), )*
                    _ => Change::Reset,
                })
            }
        }
    };
}

const RESET: &str = "reset";

changes! {
    /// The caller's account.
    Account(AccountRow) = "account",
    /// The requests so far.
    Traffic(TrafficRow) = "traffic",
    /// A wallet's lamports or level.
    Wallet(WalletRow) = "wallet",
    /// A token's curve or fees.
    Token(TokenRow) = "token",
    /// A token account, opened, moved or closed.
    TokenAccount(TokenAccountRow) = "tokenAccount",
    /// A transaction, which is new.
    Trade(TradeRow) = "trade",
    /// The market's time.
    World(WorldRow) = "world",
    /// The rivals around a token.
    Crowd(CrowdRow) = "crowd",
    /// A trade of the market, which is new.
    MarketTrade(MarketTradeRow) = "marketTrade",
    /// A call, which is new.
    Call(CallRow) = "call",
    /// The faults that were set.
    Faults(FaultsRow) = "faults",
}

impl Change {
    /// Identifies the row: its kind and its names, one per line (names contain no line breaks).
    pub fn key(&self) -> String {
        let name = match self {
            Change::Account(_)
            | Change::Traffic(_)
            | Change::World(_)
            | Change::Faults(_)
            | Change::Reset => return self.kind().to_owned(),
            Change::Wallet(row) => row.name(),
            Change::Token(row) => row.name(),
            Change::TokenAccount(row) => row.name(),
            Change::Crowd(row) => row.name(),
            Change::Call(row) => row.number.get().digits(),
            Change::Trade(row) => row.transaction.get().digits(),
            Change::MarketTrade(row) => row.number.get().digits(),
        };
        [self.kind(), "\n", &name].concat()
    }

    /// The change as JSON text.
    pub fn to_json(&self) -> String {
        json::write(&self.to_tape())
    }

    /// Reads a change back from its JSON text.
    /// Fails with every field that does not fit a change.
    pub fn from_json(text: &str) -> Result<Change, Vec<FieldError>> {
        let value = parse("the change", text)?;
        reader::read(value.root(), Change::read)?.ok_or_else(Vec::new)
    }
}

impl ToTape for Change {
    fn write(&self, tape: &mut Writer) {
        let row = self.row().map(|row| row.to_tape()).unwrap_or_default();
        let cells = row.root().fields().into_iter().flatten().collect::<Vec<_>>();
        let cells = cells.iter().map(|(name, cell)| (*name, cell as &dyn ToTape));
        tape.object(&mut [("kind", &self.kind() as &dyn ToTape)].into_iter().chain(cells));
    }
}

/// Reads JSON text. If it is not JSON, the message begins with `what`.
pub(super) fn parse(what: &str, text: &str) -> Result<Tape, Vec<FieldError>> {
    json::parse(text.as_bytes())
        .map_err(|error| vec![FieldError::of_json(&[what, " is not JSON: "].concat(), error)])
}
