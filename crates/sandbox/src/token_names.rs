//! The names of the tokens that a living market launches.

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
