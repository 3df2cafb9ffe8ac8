//! What a test may do to a sandbox while it runs: in code, and under `/_sandbox/` if a setting allows it.
//!
//! Nothing is changed here: each control returns its changes, so a store keeps them like those of a trade.

use super::candles::candles;
use super::change::Change;
use super::config::{SandboxConfig, SandboxTokenConfig, read_token};
use super::faults::{FaultConfig, FaultsRow};
use super::moving_market::{self, MovingMarket};
use super::outcome::SandboxOutcome;
use super::problem::{bad, bad_request, reply, typed};
use super::replay::Replay;
use super::row::{CallRow, CrowdRow, WalletRow, WorldRow};
use super::state::{Kept, State};
use super::view;
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::api::validate::identifier_problem;
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::tape::{Item, Tape, ToTape, json};

/// The start of all paths of the control surface.
pub(super) const CONTROL_PREFIX: &str = "/_sandbox/";

/// What is at a path of the control surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Control {
    Outcomes,
    State,
    Reset,
    Time,
    Faults,
    Wallets,
    Tokens,
    Trades,
    Calls,
    Tape,
    Replay,
    Candles { mint: String, interval_ms: u64 },
}

/// The answer and the changes of a control, or every bad field of its request.
type Done = Result<(Tape, Vec<Change>), Vec<FieldError>>;

impl Control {
    /// What is at a path, given what follows the prefix.
    pub(super) fn at(path: &str) -> Option<Control> {
        Some(match path {
            "outcomes" => Control::Outcomes,
            "state" => Control::State,
            "reset" => Control::Reset,
            "time" => Control::Time,
            "faults" => Control::Faults,
            "wallets" => Control::Wallets,
            "tokens" => Control::Tokens,
            "trades" => Control::Trades,
            "calls" => Control::Calls,
            "tape" => Control::Tape,
            "replay" => Control::Replay,
            _ => {
                let (mint, interval_ms) = path.strip_prefix("candles/")?.rsplit_once('/')?;
                Control::Candles { mint: mint.to_owned(), interval_ms: interval_ms.parse().ok()? }
            }
        })
    }

    pub(super) const fn methods(&self) -> &'static [&'static str] {
        match self {
            Control::Reset => &["POST"],
            Control::Time | Control::Wallets | Control::Tokens => &["GET", "POST"],
            Control::State | Control::Faults => &["GET", "PUT"],
            _ => &["GET"],
        }
    }

    /// The longest body that a request of this method may have; `None` if its body does not matter.
    pub(super) fn body_limit(&self, config: &SandboxConfig, method: &str) -> Option<u32> {
        match self {
            _ if method == "GET" => None,
            Control::Reset => None,
            // A state may be much longer than a trade.
            Control::State => Some(u32::MAX),
            _ => Some(config.max_body_bytes),
        }
    }

    /// The answer to a request with one of its methods; `body` reads the body if one is needed.
    pub(super) fn answer(
        &self,
        config: &SandboxConfig,
        state: &State,
        method: &str,
        body: &dyn Fn() -> Result<Tape, Reply>,
    ) -> (Reply, Vec<Change>) {
        if method == "GET" {
            return (self.shown(config, state), Vec::new());
        }
        let done = match self {
            Control::Reset => reset(config).map(|changes| (object! {}, changes)),
            _ => match body() {
                Ok(body) => self.done(config, state, &body),
                Err(reply) => return (reply, Vec::new()),
            },
        };
        match done {
            Ok((answer, changes)) => (reply(200, json::write(&answer)), changes),
            Err(problems) => (bad_request(&problems), Vec::new()),
        }
    }

    fn shown(&self, config: &SandboxConfig, state: &State) -> Reply {
        let decimals = config.token_decimals();
        let shown = match self {
            Control::State => return reply(200, state.snapshot(config)),
            Control::Calls => return typed(200, "application/x-ndjson", lines(state.calls.iter())),
            Control::Outcomes => SandboxOutcome::table().to_tape(),
            Control::Time => time(&state.world),
            Control::Faults => state.faults.as_ref().map_or(&config.faults, |set| &set.faults).to_tape(),
            Control::Wallets => {
                state.wallets.iter().map(|row| view::wallet(state, row)).collect::<Vec<_>>().to_tape()
            }
            Control::Tokens => {
                state.tokens.iter().map(|row| view::token(row, decimals)).collect::<Vec<_>>().to_tape()
            }
            Control::Trades => state.trades.to_tape(),
            Control::Tape => state
                .market_trades
                .iter()
                .map(|row| view::market_trade(row, decimals))
                .collect::<Vec<_>>()
                .to_tape(),
            Control::Replay => Replay::of(config, state).to_tape(),
            Control::Candles { mint, interval_ms } => {
                let trades = state.market_trades.iter().filter(|row| row.mint == *mint);
                candles(trades, *interval_ms, decimals).to_tape()
            }
            Control::Reset => Tape::default(),
        };
        reply(200, json::write(&shown))
    }

    fn done(&self, config: &SandboxConfig, state: &State, body: &Tape) -> Done {
        match self {
            Control::State => {
                let changes = put_state(State::of(body.root(), config)?);
                Ok((object! {}, changes))
            }
            Control::Time => {
                let ms = reader::read(body.root(), |r| r.need("advanceMs", Reader::whole))?;
                let changes = advance(config, state, "advanceMs", ms)?;
                let world = changes.iter().find_map(|change| match change {
                    Change::World(row) => Some(row),
                    _ => None,
                });
                Ok((time(world.unwrap_or(&state.world)), changes))
            }
            Control::Faults => {
                let faults = read_faults(body.root())?;
                Ok((faults.to_tape(), set_faults(state, faults)))
            }
            Control::Wallets => {
                let Funds { wallet, label, lamports } = Funds::read(body.root())?;
                let changes = fund(config, state, &wallet, label.as_deref(), lamports)?;
                let after = after(config, state, &changes);
                Ok((after.wallet(&wallet).map(|row| view::wallet(&after, row)).to_tape(), changes))
            }
            Control::Tokens => {
                let token = read_launch(body.root())?;
                let changes = launch(config, state, &token)?;
                let after = after(config, state, &changes);
                let decimals = config.token_decimals();
                Ok((after.token(&token.mint).map(|row| view::token(row, decimals)).to_tape(), changes))
            }
            _ => Ok((Tape::default(), Vec::new())),
        }
    }
}

/// Lamports for a wallet, which may be new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Funds {
    /// The wallet's id.
    pub wallet: String,
    /// What a page shows for it from now on; `None` to leave that as it is.
    pub label: Option<String>,
    /// What it gets, in lamports.
    pub lamports: u64,
}

impl Funds {
    /// Reads `{ wallet, label, lamports }`.
    /// Fails with every field that is wrong.
    pub fn read(given: Item) -> Result<Funds, Vec<FieldError>> {
        reader::read(given, |r| Funds {
            wallet: r.need("wallet", Reader::text).to_owned(),
            label: r.text("label").map(str::to_owned),
            lamports: r.need("lamports", Reader::whole),
        })
    }
}

/// Reads the token to launch, in the form of the setting `tokens`.
/// Fails with every setting that is wrong.
pub fn read_launch(given: Item) -> Result<SandboxTokenConfig, Vec<FieldError>> {
    reader::read(given, read_token)
}

/// Reads faults to set; there may be none.
/// Fails with every setting that is wrong.
pub fn read_faults(given: Item) -> Result<FaultConfig, Vec<FieldError>> {
    reader::read(given, FaultConfig::read_any)
}

/// One line of JSON for each call.
pub(super) fn lines<'a>(calls: impl Iterator<Item = &'a CallRow>) -> String {
    calls.map(|row| json::write(&row.to_tape()) + "\n").collect()
}

fn time(world: &WorldRow) -> Tape {
    object! { "nowMs": world.now_ms }
}

fn after(config: &SandboxConfig, state: &State, changes: &[Change]) -> State {
    let mut after = state.clone();
    after.apply(changes, Kept::of(config));
    after
}

/// The changes when time passes in the market; `field` is the field that says how much.
pub(super) fn advance(
    config: &SandboxConfig,
    state: &State,
    field: &str,
    ms: u64,
) -> Result<Vec<Change>, Vec<FieldError>> {
    config.market.may_pass(ms).map_err(|what| bad(field, FieldCode::OutOfRange, &what))?;
    let mut market = MovingMarket::of(config, state);
    market.advance(ms);
    Ok(market.changes())
}

/// The changes that return everything to the start.
pub(super) fn reset(config: &SandboxConfig) -> Result<Vec<Change>, Vec<FieldError>> {
    Ok(put_state(moving_market::begin(config)?))
}

/// The changes that replace the current state with this one.
pub(super) fn put_state(state: State) -> Vec<Change> {
    let mut changes = vec![Change::Reset];
    changes.extend(state.rows(0, usize::MAX));
    changes
}

/// The changes that replace the current faults.
pub(super) fn set_faults(state: &State, faults: FaultConfig) -> Vec<Change> {
    vec![Change::Faults(FaultsRow { faults, since: state.traffic.requests })]
}

/// The changes that give lamports to a wallet, which may be new.
pub(super) fn fund(
    config: &SandboxConfig,
    state: &State,
    wallet: &str,
    label: Option<&str>,
    lamports: u64,
) -> Result<Vec<Change>, Vec<FieldError>> {
    if let Some((code, what)) = identifier_problem(wallet, config.identifiers) {
        return Err(bad("wallet", code, what));
    }
    let too_many = || bad("lamports", FieldCode::OutOfRange, "would add up to more than 64 bits");
    let granted_lamports = state.world.granted_lamports.checked_add(lamports).ok_or_else(too_many)?;
    if state.lamports_room() < lamports {
        return Err(too_many());
    }
    let known = state.wallet(wallet).cloned();
    let mut row = known.unwrap_or_else(|| WalletRow {
        wallet: wallet.to_owned(),
        label: wallet.to_owned(),
        lamports: 0,
        level: Default::default(),
        opens_volume_account: false,
    });
    row.lamports += lamports;
    if let Some(label) = label {
        row.label = label.to_owned();
    }
    Ok(vec![Change::World(WorldRow { granted_lamports, ..state.world.clone() }), Change::Wallet(row)])
}

/// The changes that launch a token.
pub(super) fn launch(
    config: &SandboxConfig,
    state: &State,
    token: &SandboxTokenConfig,
) -> Result<Vec<Change>, Vec<FieldError>> {
    if state.token(&token.mint).is_some() {
        return Err(bad("mint", FieldCode::Conflict, "already exists"));
    }
    let sold = |refusal: launchpad_desk::launchpad::Refusal| {
        bad("soldBps", FieldCode::OutOfRange, &["cannot be sold: ", &refusal.message()].concat())
    };
    let mut row = token.row(config.launchpad.at(state.world.now_ms.get())).map_err(sold)?;
    let too_many = || bad("curve", FieldCode::OutOfRange, "would bring more lamports than 64 bits hold");
    // The lamports that the curve begins with come from outside; what rivals paid is counted with the token.
    let before = i128::from(row.real_sol_reserves) + i128::from(row.protocol_fees_lamports);
    let put_in = before + i128::from(row.creator_fees_lamports) - row.rival_lamports;
    let put_in = u64::try_from(put_in).map_err(|_| too_many())?;
    let granted_lamports = state.world.granted_lamports.checked_add(put_in).ok_or_else(too_many)?;
    let mut changes = vec![Change::World(WorldRow { granted_lamports, ..state.world.clone() })];
    if config.market.alive {
        let character = token.character.unwrap_or_else(|| config.character(&token.mint));
        let crowd = CrowdRow::gather(&mut row, character, &config.market, state.world.now_ms);
        changes.extend([Change::Token(row), Change::Crowd(crowd)]);
    } else {
        changes.push(Change::Token(row));
    }
    let after = after(config, state, &changes);
    after.check(&config.rules())?;
    after.check_books()?;
    Ok(changes)
}
