//! A market as settings: the rules, tokens and wallets of a look, of a plan in a record, or of a sandbox's config.

use super::account::TokenAccount;
use super::config::{Launchpad, Token};
use super::curve::Curve;
use super::curve_settings;
use super::dry_run::Market;
use super::rules::RulesByDay;
use super::settings::LaunchpadConfig;
use super::transaction::Wallet;
use crate::error::{FieldCode, FieldError};
use crate::reader::{self, Reader};
use crate::tape::Item;

/// A market that was read from settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketSettings {
    /// The launchpad's rules.
    pub launchpad: Launchpad,
    tokens: Vec<(String, Token)>,
    wallets: Vec<WalletSettings>,
    /// Wallets of which nothing is known.
    pub unknown_wallets: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct WalletSettings {
    id: String,
    wallet: Wallet,
    /// Each under its mint.
    holdings: Vec<(String, TokenAccount)>,
}

impl MarketSettings {
    /// Reads `launchpad`, `tokens` and `wallets`, as a sandbox's config has them. Rules that are absent are those of this time, in milliseconds
    /// since 1970. What moves no price is not read.
    ///
    /// # Errors
    ///
    /// Every part that prices depend on and that cannot be read.
    pub fn read(market: Item, at_ms: u64) -> Result<Self, Vec<FieldError>> {
        reader::read(market, |r| {
            let mut launchpad = RulesByDay::default().at(at_ms).clone();
            r.within("launchpad", &mut |r| LaunchpadConfig::read(r, &mut launchpad));
            let rent = launchpad.token_account_rent_lamports().unwrap_or(0);
            let tokens = r.list("tokens", |r| read_token(r, &launchpad)).unwrap_or_default();
            let wallets = r.list("wallets", |r| read_wallet(r, rent)).unwrap_or_default();
            // A sandbox's other settings move no price.
            r.ignore_rest();
            MarketSettings { launchpad, tokens, wallets, unknown_wallets: Vec::new() }
        })
    }
}

fn read_token(reader: &mut Reader, launchpad: &Launchpad) -> (String, Token) {
    let mut token = launchpad.new_token();
    let mint = reader.need("mint", Reader::text).to_owned();
    reader.within("curve", &mut |r| token.curve = Curve::read(r));
    curve_settings::read_token(reader, &mut token);
    if reader.whole("soldBps").is_some_and(|sold| sold > 0) {
        reader.refuse("soldBps", FieldCode::Conflict, "and curve contradict each other");
    }
    reader.ignore_rest();
    (mint, token)
}

fn read_wallet(reader: &mut Reader, rent: u64) -> WalletSettings {
    let read_holding = |r: &mut Reader| {
        let mint = r.need("mint", Reader::text).to_owned();
        let account = TokenAccount {
            tokens: r.need("tokens", Reader::whole),
            lamports: r.whole("lamports").unwrap_or(rent),
            is_frozen: r.boolean("isFrozen").unwrap_or(false),
            stays_open: r.boolean("staysOpen").unwrap_or(false),
        };
        (mint, account)
    };
    let read = WalletSettings {
        id: reader.need("wallet", Reader::text).to_owned(),
        wallet: Wallet {
            lamports: reader.need("lamports", Reader::whole),
            token_account: None,
            opens_volume_account: reader.boolean("opensVolumeAccount").unwrap_or(false),
        },
        holdings: reader.list("holdings", read_holding).unwrap_or_default(),
    };
    reader.ignore_rest();
    read
}

impl Market for MarketSettings {
    fn token(&self, mint: &str) -> Option<Token> {
        self.tokens.iter().find(|(known, _)| known == mint).map(|(_, token)| *token)
    }

    fn wallet(&self, id: &str, mint: &str) -> Option<Wallet> {
        let WalletSettings { wallet, holdings, .. } = self.wallets.iter().find(|known| known.id == id)?;
        let token_account = holdings.iter().find(|(known, _)| known == mint).map(|(_, account)| *account);
        Some(Wallet { token_account, ..*wallet })
    }

    fn unknown_wallets(&self) -> &[String] {
        &self.unknown_wallets
    }

    fn whose(&self) -> &'static str {
        "the market's"
    }
}
