//! The tokens that a living market begins with, and the names of those it launches.

use super::character::Character;

/// A token that a living market begins with.
pub(super) struct FirstToken {
    /// The base58 text of 32 bytes.
    pub(super) mint: &'static str,
    pub(super) symbol: &'static str,
    pub(super) name: &'static str,
    pub(super) character: Character,
    /// How much of its curve rivals hold, in basis points.
    pub(super) sold_bps: u16,
}

const fn token(
    mint: &'static str,
    symbol: &'static str,
    name: &'static str,
    character: Character,
    sold_bps: u16,
) -> FirstToken {
    FirstToken { mint, symbol, name, character, sold_bps }
}

/// The tokens that a living market begins with, if the settings name none: each at a different stage, and with a different
/// character.
pub(super) const FIRST: [FirstToken; 5] = [
    token("SimMoonRabbit111111111111111111111111111111", "RABBIT", "Moon Rabbit", Character::Fading, 0),
    token("SimPaperBoat1111111111111111111111111111111", "BOAT", "Paper Boat", Character::Runner, 5_000),
    token("SimGrassHeron111111111111111111111111111111", "HERON", "Grass Heron", Character::Breakout, 9_600),
    token("SimTinTrumpet111111111111111111111111111111", "TRUMPET", "Tin Trumpet", Character::Rug, 3_000),
    token("SimWinterBear111111111111111111111111111111", "BEAR", "Winter Bear", Character::Fading, 1_200),
];

const FIRST_NAMES: [&str; 12] = [
    "Copper", "Velvet", "Quiet", "Salt", "Amber", "Hollow", "Silver", "Cloud", "Ember", "Marble", "Wild",
    "Pocket",
];

const LAST_NAMES: [&str; 12] = [
    "Otter", "Lantern", "Comet", "Kite", "Badger", "Violin", "Harbor", "Falcon", "Teapot", "Walrus",
    "Pepper", "Wizard",
];

/// Symbol and name of a launched token, by two draws.
pub(super) fn name(first: u64, last: u64) -> (String, String) {
    let of = |names: &[&'static str], draw: u64| {
        names.get(draw as usize % names.len().max(1)).copied().unwrap_or_default()
    };
    let (first, last) = (of(&FIRST_NAMES, first), of(&LAST_NAMES, last));
    (last.to_ascii_uppercase(), [first, " ", last].concat())
}
