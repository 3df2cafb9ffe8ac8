//! What a program knows of the mode of all trading, which other programs set, too, in the stop file of its journal. These are the rules alone;
//! who reads and writes the file calls them. `pkg/src/browser/shared-mode.ts` has the same.
//!
//! - What another program says is heard once this one has asked for it.
//! - What this program says comes after all that it has heard, and takes back no stop that it had not heard when it said so.
//! - What it says and cannot write holds until somebody else says something.
//! - Once nothing of its own is being written, it follows what the file says.

use super::OutsideMode;
use launchpad_desk::trade::guard::Mode;

/// What a program knows of it.
#[derive(Debug)]
pub(super) struct SharedMode {
    mode_of: fn(&str) -> Mode,
    /// What the file says, as far as this program knows.
    place: Option<String>,
    /// What this program has said or heard last.
    mode: Mode,
    /// What of its own the file does not say yet, or cannot: it stops no less than what others say meanwhile.
    unwritten: Mode,
    outside: Option<Outside>,
    /// What this program is about to write, the earliest first.
    own: Vec<OwnWord>,
}

/// What this program says and has not written yet.
#[derive(Debug)]
struct OwnWord {
    text: String,
    mode: Mode,
    /// What another program has said that this one had not heard when it said this.
    unheard: Mode,
}

/// What the file says, if that is not what this program has said last.
#[derive(Debug)]
struct Outside {
    said: OutsideMode,
    /// Otherwise this program has said it, before it said or heard something else.
    is_of_another: bool,
    is_heard: bool,
}

/// How much a mode stops.
fn strictness(mode: Mode) -> u8 {
    match mode {
        Mode::Active => 0,
        Mode::Reducing => 1,
        Mode::Halted => 2,
    }
}

fn is_less(mode: Mode, other: Mode) -> bool {
    strictness(mode) < strictness(other)
}

impl SharedMode {
    /// `text` is what the file says at the start, where the program's mode is `mode`.
    pub(super) fn new(mode_of: fn(&str) -> Mode, text: Option<String>, mode: Mode) -> SharedMode {
        SharedMode { mode_of, place: text, mode, unwritten: Mode::Active, outside: None, own: Vec::new() }
    }

    /// Takes note of what the file says now.
    fn see(&mut self, text: Option<String>) {
        if text == self.place {
            return;
        }
        if self.own.is_empty() {
            self.unwritten = Mode::Active;
        }
        let mode = text.as_deref().map(self.mode_of);
        self.outside = text.clone().zip(mode).map(|(text, mode)| Outside {
            said: OutsideMode { text, mode },
            is_of_another: true,
            is_heard: false,
        });
        self.place = text;
        for own in &mut self.own {
            own.unheard = mode.unwrap_or(Mode::Active);
        }
    }

    /// What another program has said, and whether that is news. This program has heard it then.
    pub(super) fn hear(&mut self, text: Option<String>) -> Option<(OutsideMode, bool)> {
        self.see(text);
        let outside = self.outside.as_mut().filter(|outside| !is_less(outside.said.mode, self.unwritten))?;
        let is_news = !outside.is_heard;
        if is_news {
            outside.is_heard = true;
            self.mode = outside.said.mode;
        }
        Some((outside.said.clone(), is_news))
    }

    /// This program says something: `word` is its text.
    pub(super) fn say(&mut self, mode: Mode, word: String, text: Option<String>) {
        self.see(text);
        self.outside.take_if(|outside| outside.is_heard || !outside.is_of_another);
        let unheard = self.outside.as_ref().map_or(Mode::Active, |outside| outside.said.mode);
        self.own.push(OwnWord { text: word, mode, unheard });
        self.mode = mode;
        self.unwritten = mode;
    }

    /// Right before a word of its own replaces what the file says.
    /// Fails with the mode for which it must not. It is given up then.
    pub(super) fn check(&mut self, word: &str, text: Option<String>) -> Result<(), Mode> {
        self.see(text);
        let Some(own) = self.own.iter().find(|own| own.text == word) else { return Ok(()) };
        let unheard = own.unheard;
        if !is_less(own.mode, unheard) {
            return Ok(());
        }
        self.failed(word);
        self.follow();
        Err(unheard)
    }

    /// It stands there now.
    pub(super) fn wrote(&mut self, word: &str) {
        self.failed(word);
        self.place = Some(word.to_owned());
        self.follow();
    }

    /// It could not be written.
    pub(super) fn failed(&mut self, word: &str) {
        self.own.retain(|own| own.text != word);
    }

    /// Once nothing of its own is left to be written, the file is right, whatever this program said or heard before.
    fn follow(&mut self) {
        let Some(place) = &self.place else { return };
        if !self.own.is_empty() || self.outside.as_ref().is_some_and(|outside| &outside.said.text == place) {
            return;
        }
        let said = OutsideMode { text: place.clone(), mode: (self.mode_of)(place) };
        self.outside =
            (said.mode != self.mode).then_some(Outside { said, is_of_another: false, is_heard: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What may happen.
    #[derive(Clone, Copy, Debug)]
    enum Move {
        Say(Mode),
        Other(Mode),
        Remove,
        Write,
        Fail,
        Ask,
    }

    /// What others said last, and since when that counts as heard.
    struct Other {
        mode: Mode,
        at: u32,
        heard_at: u32,
        text: String,
        is_removed: bool,
    }

    /// A program, the file, and what has happened. What must hold is told from the history alone.
    struct World {
        shared: SharedMode,
        now: u32,
        place: Option<String>,
        guards: Mode,
        obeyed: Option<OutsideMode>,
        failed_at: Option<u32>,
        /// What the program has said and not written, and what it said last.
        waiting: Vec<(String, Mode, u32)>,
        own: (Mode, u32),
        other: Option<Other>,
    }

    fn mode_of(text: &str) -> Mode {
        match &text[..1] {
            "a" => Mode::Active,
            "r" => Mode::Reducing,
            _ => Mode::Halted,
        }
    }

    impl World {
        fn new() -> World {
            World {
                shared: SharedMode::new(mode_of, None, Mode::Active),
                now: 0,
                place: None,
                guards: Mode::Active,
                obeyed: None,
                failed_at: None,
                waiting: Vec::new(),
                own: (Mode::Active, 0),
                other: None,
            }
        }

        fn happens(&mut self, what: Move) {
            self.now += 1;
            match what {
                Move::Say(mode) => {
                    let word = format!("{} {}", mode.as_str(), self.now);
                    self.shared.say(mode, word.clone(), self.place.clone());
                    // As a client does: what it has obeyed is news again, if it stops more.
                    self.obeyed.take_if(|obeyed| is_less(mode, obeyed.mode));
                    self.own = (mode, self.now);
                    self.waiting.push((word, mode, self.now));
                    self.guards = mode;
                }
                Move::Other(mode) => {
                    let text = format!("{} {}", mode.as_str(), self.now);
                    self.place = Some(text.clone());
                    self.other =
                        Some(Other { mode, at: self.now, heard_at: u32::MAX, text, is_removed: false });
                }
                Move::Remove => {
                    self.place = None;
                    self.other.iter_mut().for_each(|other| other.is_removed = true);
                }
                Move::Write => self.write(),
                Move::Fail => {
                    self.shared.failed(&self.waiting.remove(0).0);
                    self.failed_at = Some(self.now);
                    self.covered();
                }
                Move::Ask => self.ask(),
            }
        }

        fn write(&mut self) {
            let (word, mode, at) = self.waiting.remove(0);
            let stops_more = self.other.as_ref().is_some_and(|other| is_less(mode, other.mode));
            let is_unheard = stops_more && self.other.as_ref().is_some_and(|other| at < other.heard_at);
            if self.shared.check(&word, self.place.clone()).is_err() {
                assert!(is_unheard || (self.failed_at.is_some() && stops_more), "refused");
                self.ask();
            } else {
                let stands = self.other.as_ref().map(|other| &other.text) == self.place.as_ref();
                assert!(!is_unheard || !stands, "a stop that it has not heard is taken back");
                self.place = Some(word.clone());
                self.shared.wrote(&word);
            }
            self.covered();
        }

        /// As right before a send.
        fn ask(&mut self) {
            let said = self.shared.hear(self.place.clone()).map(|(said, _)| said);
            if let Some(said) = said.as_ref().filter(|said| self.obeyed.as_ref() != Some(*said)) {
                self.guards = said.mode;
            }
            let has_heard = said.is_some();
            self.obeyed = said;
            if has_heard {
                self.heard();
            }
            let (mode, at) = self.own;
            let others = self.other.as_ref().filter(|other| at <= other.heard_at);
            let obeys = |mode| assert!(!is_less(self.guards, mode), "{:?} after {mode:?}", self.guards);
            others.filter(|other| !other.is_removed).iter().for_each(|other| obeys(other.mode));
            if others.is_none_or(|other| other.at < at) {
                obeys(mode);
            }
            let Some(place) = self.place.as_deref().filter(|_| self.waiting.is_empty()) else { return };
            let is_later =
                |failed_at| self.other.as_ref().is_some_and(|o| o.text == place && failed_at < o.at);
            if self.failed_at.is_none_or(is_later) {
                assert_eq!(self.guards, mode_of(place), "it does not follow the file");
            }
        }

        /// What another said is heard once what the program itself wrote last stands in its place: that stops no less.
        fn covered(&mut self) {
            let other = self.other.as_ref().filter(|_| self.waiting.is_empty());
            if other.is_some_and(|other| self.place.as_ref() != Some(&other.text)) {
                self.heard();
            }
        }

        fn heard(&mut self) {
            self.now += 1;
            let now = self.now;
            self.other.iter_mut().for_each(|other| other.heard_at = other.heard_at.min(now));
        }
    }

    fn walk(moves: &[Move], length: usize, history: &mut Vec<Move>, waiting: usize, count: &mut u32) {
        let mut world = World::new();
        let followed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            history.iter().for_each(|what| world.happens(*what));
            world.ask();
        }));
        assert!(followed.is_ok(), "{history:?}");
        *count += 1;
        if history.len() == length {
            return;
        }
        for what in moves {
            let still = match what {
                Move::Say(_) => Some(waiting + 1),
                Move::Write | Move::Fail => waiting.checked_sub(1),
                _ => Some(waiting),
            };
            let Some(still) = still else { continue };
            history.push(*what);
            walk(moves, length, history, still, count);
            history.pop();
        }
    }

    #[test]
    fn no_stop_is_lost_in_whatever_order_programs_say_something_and_it_is_written() {
        use Mode::{Active, Halted, Reducing};
        use Move::{Ask, Fail, Other, Remove, Say, Write};
        let mut count = 0;
        let all = [Active, Reducing, Halted].into_iter().flat_map(|mode| [Say(mode), Other(mode)]);
        let moves: Vec<Move> = all.chain([Remove, Write, Fail, Ask]).collect();
        walk(&moves, 5, &mut Vec::new(), 0, &mut count);
        let few = [Write, Ask, Say(Active), Other(Active), Say(Reducing), Other(Halted)];
        walk(&few, 7, &mut Vec::new(), 0, &mut count);
        assert!(count > 200_000, "{count} histories");
    }
}
