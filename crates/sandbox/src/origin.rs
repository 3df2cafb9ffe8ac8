//! Which sandbox a state belongs to: the settings that decide the results of calls, so that a store does not continue with
//! another sandbox's state.

use super::change::Change;
use super::config::SandboxConfig;
use super::draws::Draws;
use super::state::{State, VERSION};
use launchpad_desk::amount::{Digits, SlippageUnit};
use launchpad_desk::error::FieldError;
use launchpad_desk::launchpad::settings::LaunchpadConfig;
use launchpad_desk::tape::{ToTape, json};

/// Each setting that decides the results of calls, as a path and JSON text; long ones as a checksum. It contains no key, and no
/// settings that only affect how a request travels: limits, links, faults.
pub(super) fn origin(config: &SandboxConfig) -> Result<Vec<(String, String)>, Vec<FieldError>> {
    let market = &config.market;
    let unit = match config.slippage_unit {
        SlippageUnit::Percent => "percent",
        SlippageUnit::Bps => "bps",
    };
    let mut settings = vec![
        ("version".to_owned(), VERSION.digits()),
        ("wallets, tokens".to_owned(), checksum(&beginning(config)?)),
        ("slippageUnit".to_owned(), unit.to_owned()),
        ("defaultSlippage".to_owned(), text(&config.default_slippage_ppm())),
    ];
    let launchpad = LaunchpadConfig::of(config.launchpad.newest()).to_tape();
    // The date of the numbers has no effect.
    for (name, value) in launchpad.root().fields().into_iter().flatten().filter(|(name, _)| *name != "asOf") {
        settings.push((["launchpad.", name].concat(), text(&value)));
    }
    let replay: Vec<String> = market.replay.iter().map(|trade| text(trade)).collect();
    let of_market: [(&str, String); 9] = [
        ("seed", market.seed.digits()),
        ("maxLamports", market.max_lamports.digits()),
        ("alive", text(&market.alive)),
        ("stepMs", market.step_ms.digits()),
        ("inFlightMs", market.in_flight_ms.digits()),
        ("launchEveryMs", market.launch_every_ms.digits()),
        ("maxTokens", market.max_tokens.digits()),
        ("startMs", market.starts_at().digits()),
        ("replay", checksum(&replay)),
    ];
    settings.extend(of_market.map(|(name, value)| (["market.", name].concat(), value)));
    Ok(settings)
}

/// The wallets, tokens and accounts that a sandbox begins with, and the characters that its settings give to tokens.
fn beginning(config: &SandboxConfig) -> Result<Vec<String>, Vec<FieldError>> {
    let rows = State::start(config)?.rows(0, usize::MAX).into_iter();
    let own =
        |change: &Change| matches!(change, Change::Wallet(_) | Change::Token(_) | Change::TokenAccount(_));
    let mut texts: Vec<String> = rows.filter(own).map(|change| change.to_json()).collect();
    texts.extend(config.tokens.iter().filter_map(|token| Some(token.character?.as_str().to_owned())));
    Ok(texts)
}

fn text(value: &dyn ToTape) -> String {
    json::write(&value.to_tape())
}

/// 64 bits in place of what is too long to keep: enough that settings mistaken for each other do not match by chance.
fn checksum(texts: &[String]) -> String {
    Draws::of(&texts.iter().map(String::as_str).collect::<Vec<_>>()).below(u64::MAX).digits()
}
