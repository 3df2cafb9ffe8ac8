//! The settings of a sandbox. Every setting has a default, and the default sandbox is ready for a first buy.

use super::character::Character;
use super::draws::Draws;
use super::faults::FaultConfig;
use super::market::MarketConfig;
use super::row::{Count, TokenAccountRow, TokenRow, WalletRow};
use launchpad_desk::amount::{Decimal, Digits, Slippage, SlippageUnit};
use launchpad_desk::api::validate::{Identifiers, Rules};
use launchpad_desk::bindings::reader::{self, MOST_TIMER_MS, Reader, set};
use launchpad_desk::bindings::{debug_text, settings};
use launchpad_desk::error::{FieldCode, FieldError};
use launchpad_desk::launchpad::dry_run::Terms;
use launchpad_desk::launchpad::fees::BPS;
use launchpad_desk::launchpad::rules::RulesByDay;
use launchpad_desk::launchpad::{Curve, Launchpad, Refusal};
use launchpad_desk::tape::Item;

settings! {
    /// The settings of a sandbox.
    SandboxConfig {
        /// The tokens that can be traded. Default: two; in a living market five, each at a different stage of its curve.
        tokens: Vec<SandboxTokenConfig> => "SandboxTokenConfig[]" optional,
        /// The wallets that can trade. Default: three, with 100, 10 and 1 SOL.
        wallets: Vec<SandboxWalletConfig> => "SandboxWalletConfig[]" optional,
        /// The launchpad's rules: those that are absent are the default rules of the market's day.
        launchpad: RulesByDay => "LaunchpadConfig" optional,
        /// The unit of a bare `slippage`. Default: `percent`.
        slippage_unit: SlippageUnit => "\"percent\" | \"bps\"" optional,
        /// What mints and wallet ids must look like. Default: `any`.
        identifiers: Identifiers => "\"any\" | \"base58\"" optional,
        /// The most elements of a bundle. Default: no bound.
        max_bundle_size: Option<u32> => "number" optional,
        /// The slippage of a single trade that does not set its own. Default: 0.5 %, which the spec gives for bundles.
        default_slippage: Slippage => "SlippageInput" optional,
        /// What explorer links begin with. Default: `https://explorer.example`.
        explorer_base: String => "string" optional,
        /// What launchpad links begin with. Default: `https://launchpad.example`.
        launchpad_base: String => "string" optional,
        /// Whether replies have `explorer.tokenAccount`, which the spec describes but its sample lacks. Default: false.
        explorer_token_account: bool => "boolean" optional,
        /// The key that every request must have. Default: none.
        api_key: Option<ApiKey> => "string" optional,
        /// The header that holds the key. Default: `x-api-key`.
        api_key_header: Option<String> => "string" optional,
        /// Whether the key is in `authorization: Bearer …` instead.
        authorization: Option<Authorization> => "\"bearer\"" optional,
        /// The origin whose pages may trade here, such as `http://localhost:5173`, or `*` for every page: for development.
        /// Default: none.
        cors_origin: Option<String> => "string" optional,
        /// The longest request body, in bytes. Default: 1048576.
        max_body_bytes: u32 => "number" optional,
        /// How many requests are answered in a window of time. Default: no bound.
        rate_limit: Option<RateLimit> => "RateLimit" optional,
        /// Rival traders who move the curves. Default: none.
        market: MarketConfig => "MarketConfig" optional,
        /// Faults to simulate. Default: none.
        faults: FaultConfig => "FaultConfig" optional,
        /// How long the answer of the outcomes `slow` and `slow-body` takes, in milliseconds, at most 2147483647.
        /// Default: 10000.
        slow_ms: u32 => "number" optional,
        /// Whether the sandbox can be inspected and changed under `/_sandbox/`: for tests. Default: false.
        control: bool => "boolean" optional,
        /// Whether anyone may read the market under `/_market/`, without the key. Default: true.
        watchable: bool => "boolean" optional,
        /// How many of the newest calls are logged with what really happened to them. Default: 10000 with `control`, otherwise
        /// none.
        max_calls: u32 => "number" optional,
        /// How many of the newest transactions are kept. Default: 1000.
        max_trades: u32 => "number" optional,
    }
}

settings! {
    /// A token of a sandbox.
    SandboxTokenConfig {
        /// Its mint address.
        mint: String => "string",
        /// Its ticker. Default: the mint's first four characters.
        symbol: String => "string" optional,
        /// What a page shows for it. Default: the symbol.
        name: String => "string" optional,
        /// Whether the token has a creator who earns a fee. Default: true.
        has_creator: bool => "boolean" optional,
        /// A creator rate of the token's own in basis points, at most 10000, in place of the tier's. Default: 0, none.
        creator_bps: u16 => "number" optional,
        /// Whether trading has ended, even if tokens are left. Default: false.
        complete: bool => "boolean" optional,
        /// Base units in all. Default: the launchpad's.
        supply: Option<u64> => "number | bigint | string" optional,
        /// Its curve. Default: the launchpad's curve of a new token.
        curve: Option<Curve> => "CurveConfig" optional,
        /// How its rivals behave in a living market. Default: it follows from the market's seed.
        character: Option<Character> => "Character" optional,
        /// How much of its curve's remaining tokens rivals have bought before the start, in basis points. Default: 0.
        sold_bps: u16 => "number" optional,
    }
}

settings! {
    /// A wallet of a sandbox.
    SandboxWalletConfig {
        /// Its id.
        wallet: String => "string",
        /// What a page shows for it. Default: the id.
        label: String => "string" optional,
        /// Lamports it begins with.
        lamports: u64 => "number | bigint | string",
        /// Whether its first buy also opens the account in which the launchpad counts what it trades, at its own cost. Default: false,
        /// it is open.
        opens_volume_account: bool => "boolean" optional,
        /// The tokens it begins with, each in an open token account. Default: none.
        holdings: Vec<SandboxHoldingConfig> => "SandboxHoldingConfig[]" optional,
    }
}

settings! {
    /// What a wallet of a sandbox holds of a token at the start.
    SandboxHoldingConfig {
        /// The token's mint address.
        mint: String => "string",
        /// Base units held; 0 for an account that is open and empty.
        tokens: u64 => "number | bigint | string",
        /// Lamports the account itself holds. Default: the launchpad's rent.
        lamports: Option<u64> => "number | bigint | string" optional,
        /// Whether the account is frozen: it can neither sell nor buy, so such a trade fails. Default: false.
        is_frozen: bool => "boolean" optional,
        /// Whether only somebody else may close the account: then it stays open when it is emptied. Default: false.
        stays_open: bool => "boolean" optional,
    }
}

settings! {
    /// How many requests are answered in a window of time.
    #[derive(Copy)]
    RateLimit {
        /// Requests, at least one.
        requests: u32 => "number",
        /// The window's length in milliseconds. Default: 1000.
        per_ms: u32 => "number" optional,
    }
}

impl RateLimit {
    pub(super) fn read(reader: &mut Reader) -> Self {
        RateLimit {
            requests: reader.need("requests", |r, name| r.count(name, 1)),
            per_ms: reader.count("perMs", 1).unwrap_or(1_000),
        }
    }
}

/// Where a key is, if not in a header of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authorization {
    /// `authorization: Bearer …`
    Bearer,
}

/// A secret: `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// Whether `given` is the key, compared in constant time.
    pub fn is(&self, given: &str) -> bool {
        let pairs = self.0.bytes().zip(given.bytes());
        let differing = pairs.fold(0, |differing, (ours, theirs)| differing | (ours ^ theirs));
        self.0.len() == given.len() && differing == 0
    }
}

debug_text!(ApiKey, |_| "ApiKey");

impl Default for SandboxConfig {
    fn default() -> Self {
        let token = SandboxTokenConfig::new;
        let wallet = |wallet: &str, label: &str, lamports| SandboxWalletConfig {
            wallet: wallet.into(),
            label: label.into(),
            lamports,
            opens_volume_account: false,
            holdings: Vec::new(),
        };
        // Each name is also valid base58 of 32 bytes.
        SandboxConfig {
            tokens: vec![
                token("SimMoonRabbit111111111111111111111111111111", "RABBIT", "Moon Rabbit"),
                token("SimPaperBoat1111111111111111111111111111111", "BOAT", "Paper Boat"),
            ],
            wallets: vec![
                wallet("SimTraderAda1111111111111111111111111111111", "Ada", 100_000_000_000),
                wallet("SimTraderBob1111111111111111111111111111111", "Bob", 10_000_000_000),
                wallet("SimTraderCyd1111111111111111111111111111111", "Cyd", 1_000_000_000),
            ],
            launchpad: RulesByDay::default(),
            slippage_unit: SlippageUnit::default(),
            identifiers: Identifiers::default(),
            max_bundle_size: None,
            default_slippage: Slippage::Bps(Decimal::from_units(50, 0)),
            explorer_base: "https://explorer.example".into(),
            launchpad_base: "https://launchpad.example".into(),
            explorer_token_account: false,
            api_key: None,
            api_key_header: None,
            authorization: None,
            cors_origin: None,
            max_body_bytes: 1 << 20,
            rate_limit: None,
            market: MarketConfig::default(),
            faults: FaultConfig::default(),
            slow_ms: 10_000,
            control: false,
            watchable: true,
            max_calls: 0,
            max_trades: 1_000,
        }
    }
}

impl SandboxConfig {
    /// Reads the settings; an empty object is the default.
    ///
    /// # Errors
    ///
    /// Every bad setting, by path; unknown ones with the nearest known name.
    ///
    /// ```
    /// use launchpad_desk::tape::json;
    /// use launchpad_desk_sandbox::SandboxConfig;
    /// let read = |text: &str| SandboxConfig::read(json::parse(text.as_bytes()).unwrap().root());
    /// assert_eq!(read("{}"), Ok(SandboxConfig::default()));
    /// let problems = read(r#"{ "apiKye": "k" }"#).unwrap_err();
    /// assert_eq!(problems[0].message, "apiKye is unknown; did you mean apiKey?");
    /// ```
    pub fn read(value: Item) -> Result<Self, Vec<FieldError>> {
        reader::read(value, |r| {
            let mut config = SandboxConfig::default();
            config.read_world(r);
            config.read_service(r);
            config
        })
    }

    /// What requests are checked against.
    pub fn rules(&self) -> Rules {
        Rules {
            identifiers: self.identifiers,
            max_bundle_size: self.max_bundle_size,
            slippage_unit: self.slippage_unit,
            token_decimals: self.token_decimals(),
            ..Rules::default()
        }
    }

    /// The slippage of a single trade that does not set its own, in parts per million; `None` if it is too wide for that.
    pub fn default_slippage_ppm(&self) -> Option<u32> {
        self.default_slippage.to_ppm(self.slippage_unit)
    }

    /// Fraction digits of a whole token: no day changes those of tokens that there are.
    pub fn token_decimals(&self) -> u8 {
        self.launchpad.newest().token_decimals
    }

    /// What holds for every request at a time of the market.
    pub(super) fn terms(&self, now_ms: Count) -> Terms<'_> {
        let default_slippage_ppm = self.default_slippage_ppm();
        Terms { launchpad: self.launchpad.at(now_ms.get()), rules: self.rules(), default_slippage_ppm }
    }

    /// How the rivals around a token behave.
    pub(super) fn character(&self, mint: &str) -> Character {
        let given = self.tokens.iter().find(|token| token.mint == mint).and_then(|token| token.character);
        given.unwrap_or_else(|| {
            let mut draws = Draws::of(&["character", &self.market.seed.digits(), mint]);
            Character::drawn(&mut draws)
        })
    }

    fn read_world(&mut self, reader: &mut Reader) {
        let tokens = reader.list("tokens", read_token);
        set(&mut self.wallets, reader.list("wallets", read_wallet));
        reader.within("launchpad", &mut |r| self.launchpad = RulesByDay::read(r));
        reader.within("market", &mut |r| self.market.read(r));
        set(&mut self.tokens, tokens.or_else(|| self.market.alive.then(first_tokens)));
        reader.set_count("maxTrades", 0, &mut self.max_trades);
    }

    fn read_service(&mut self, reader: &mut Reader) {
        let rules = Rules::read(reader);
        self.slippage_unit = rules.slippage_unit;
        self.identifiers = rules.identifiers;
        self.max_bundle_size = rules.max_bundle_size;
        set(&mut self.default_slippage, reader.slippage("defaultSlippage"));
        if self.default_slippage_ppm().is_none() {
            reader.refuse("defaultSlippage", FieldCode::OutOfRange, Slippage::TOO_WIDE);
        }
        set(&mut self.explorer_base, read_base(reader, "explorerBase"));
        set(&mut self.launchpad_base, read_base(reader, "launchpadBase"));
        set(&mut self.explorer_token_account, reader.boolean("explorerTokenAccount"));
        set(&mut self.control, reader.boolean("control"));
        set(&mut self.watchable, reader.boolean("watchable"));
        self.max_calls = reader.count("maxCalls", 0).unwrap_or(if self.control { 10_000 } else { 0 });
        self.cors_origin = read_origin(reader, "corsOrigin");
        reader.set_count("maxBodyBytes", 1, &mut self.max_body_bytes);
        self.rate_limit = reader.object("rateLimit", RateLimit::read);
        reader.within("faults", &mut |r| self.faults.read(r));
        set(&mut self.slow_ms, reader.whole_within("slowMs", 0, MOST_TIMER_MS).map(|ms| ms as u32));
        self.read_key(reader);
    }

    fn read_key(&mut self, reader: &mut Reader) {
        let visible = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if let Some(key) = reader.text("apiKey") {
            if !visible(key) {
                reader.refuse("apiKey", FieldCode::OutOfRange, "must be visible ASCII characters");
            }
            self.api_key = Some(ApiKey(key.to_owned()));
        }
        if let Some(header) = reader.text("apiKeyHeader") {
            if !visible(header) {
                reader.refuse("apiKeyHeader", FieldCode::OutOfRange, "must be visible ASCII characters");
            }
            self.api_key_header = Some(header.to_ascii_lowercase());
        }
        self.authorization = reader.choice("authorization", &[("bearer", Authorization::Bearer)]);
        if self.authorization.is_some() && self.api_key_header.is_some() {
            let what = "and apiKeyHeader contradict each other";
            reader.refuse("authorization", FieldCode::Conflict, what);
        }
    }
}

impl SandboxTokenConfig {
    /// A token at the launchpad's start, with a creator.
    pub(super) fn new(mint: &str, symbol: &str, name: &str) -> Self {
        SandboxTokenConfig {
            mint: mint.into(),
            symbol: symbol.into(),
            name: name.into(),
            has_creator: true,
            creator_bps: 0,
            complete: false,
            supply: None,
            curve: None,
            character: None,
            sold_bps: 0,
        }
    }

    /// The token at the start.
    /// Fails with why the launchpad refuses the purchase of the tokens that are already sold.
    pub(super) fn row(&self, launchpad: &Launchpad) -> Result<TokenRow, Refusal> {
        let supply = self.supply.unwrap_or(launchpad.token_supply);
        let curve = self.curve.unwrap_or(launchpad.start);
        let (mint, symbol, name) = (self.mint.clone(), self.symbol.clone(), self.name.clone());
        let mut row = TokenRow::new(mint, symbol, name, self.has_creator, supply, &curve);
        row.creator_bps = Count::new(self.creator_bps.into());
        row.complete = self.complete;
        let sold = u128::from(curve.real_token_reserves) * u128::from(self.sold_bps) / 10_000;
        if sold > 0 {
            let fill = row.buys_exactly(launchpad, sold as u64, u64::MAX)?;
            row.rival_tokens = fill.tokens;
            row.rival_lamports = i128::from(fill.wallet_lamports);
            row.trade(&fill.curve_after, fill.fees);
        }
        Ok(row)
    }
}

impl SandboxWalletConfig {
    pub(super) fn row(&self) -> WalletRow {
        WalletRow {
            wallet: self.wallet.clone(),
            label: self.label.clone(),
            lamports: self.lamports,
            level: Count::default(),
            opens_volume_account: self.opens_volume_account,
        }
    }

    /// Its open token accounts.
    pub(super) fn open_accounts(&self, launchpad: &Launchpad) -> impl Iterator<Item = TokenAccountRow> {
        // With a rent past 64 bits no account can be opened, so there are none at the start.
        let rent = launchpad.token_account_rent_lamports().unwrap_or(0);
        self.holdings.iter().map(move |holding| TokenAccountRow {
            wallet: self.wallet.clone(),
            mint: holding.mint.clone(),
            open: true,
            tokens: holding.tokens,
            lamports: holding.lamports.unwrap_or(rent),
            is_frozen: holding.is_frozen,
            stays_open: holding.stays_open,
        })
    }
}

/// The tokens that a living market begins with, if the settings name none: each at a different stage, and with a different
/// character.
fn first_tokens() -> Vec<SandboxTokenConfig> {
    // The mints are base58 texts of 32 bytes. The last number is how much of its curve rivals hold, in basis points.
    let token = |mint, symbol, name, character, sold_bps| SandboxTokenConfig {
        character: Some(character),
        sold_bps,
        ..SandboxTokenConfig::new(mint, symbol, name)
    };
    vec![
        token("SimMoonRabbit111111111111111111111111111111", "RABBIT", "Moon Rabbit", Character::Fading, 0),
        token("SimPaperBoat1111111111111111111111111111111", "BOAT", "Paper Boat", Character::Runner, 5_000),
        token(
            "SimGrassHeron111111111111111111111111111111",
            "HERON",
            "Grass Heron",
            Character::Breakout,
            9_600,
        ),
        token("SimTinTrumpet111111111111111111111111111111", "TRUMPET", "Tin Trumpet", Character::Rug, 3_000),
        token("SimWinterBear111111111111111111111111111111", "BEAR", "Winter Bear", Character::Fading, 1_200),
    ]
}

pub(super) fn read_token(reader: &mut Reader) -> SandboxTokenConfig {
    let mint = reader.need("mint", Reader::text).to_owned();
    let symbol =
        reader.text("symbol").map_or_else(|| mint.chars().take(4).collect::<String>(), str::to_owned);
    SandboxTokenConfig {
        name: reader.text("name").map_or_else(|| symbol.clone(), str::to_owned),
        has_creator: reader.boolean("hasCreator").unwrap_or(true),
        creator_bps: reader.whole_within("creatorBps", 0, BPS).unwrap_or(0) as u16,
        complete: reader.boolean("complete").unwrap_or(false),
        supply: reader.whole("supply"),
        character: reader.choice("character", Character::NAMED),
        sold_bps: reader.whole_within("soldBps", 0, 10_000).unwrap_or(0) as u16,
        curve: reader.object("curve", Curve::read),
        symbol,
        mint,
    }
}

fn read_wallet(reader: &mut Reader) -> SandboxWalletConfig {
    let wallet = reader.need("wallet", Reader::text);
    SandboxWalletConfig {
        wallet: wallet.to_owned(),
        label: reader.text("label").unwrap_or(wallet).to_owned(),
        lamports: reader.need("lamports", Reader::whole),
        opens_volume_account: reader.boolean("opensVolumeAccount").unwrap_or(false),
        holdings: reader.list("holdings", read_holding).unwrap_or_default(),
    }
}

fn read_holding(reader: &mut Reader) -> SandboxHoldingConfig {
    SandboxHoldingConfig {
        mint: reader.need("mint", Reader::text).to_owned(),
        tokens: reader.need("tokens", Reader::whole),
        lamports: reader.whole("lamports"),
        is_frozen: reader.boolean("isFrozen").unwrap_or(false),
        stays_open: reader.boolean("staysOpen").unwrap_or(false),
    }
}

/// The start of links, without a trailing slash: the spec's paths begin with one.
fn read_base(reader: &mut Reader, name: &'static str) -> Option<String> {
    let base = reader.text(name)?;
    let address = base.strip_prefix("https://").or_else(|| base.strip_prefix("http://"));
    if address.is_none_or(|rest| rest.is_empty() || !rest.bytes().all(|byte| byte.is_ascii_graphic())) {
        reader.refuse(name, FieldCode::OutOfRange, "must be an http or https address");
        return None;
    }
    Some(base.trim_end_matches('/').to_owned())
}

/// An origin as a browser names it, or `*`.
fn read_origin(reader: &mut Reader, name: &'static str) -> Option<String> {
    let origin = reader.text(name)?;
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://")).unwrap_or_default();
    let is_host = !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'/');
    if origin != "*" && !is_host {
        reader.refuse(name, FieldCode::OutOfRange, "must be * or an origin, as https://example.com");
    }
    Some(origin.to_owned())
}
