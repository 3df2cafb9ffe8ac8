//! Reads settings with types. Names every bad setting at once, and refuses unknown ones with the nearest known name.
//!
//! A setting that is silently ignored could be a limit that is not enforced.

use crate::amount::{Decimal, DecimalError, Digits, Slippage, SlippageUnit};
use crate::error::{FieldCode, FieldError};
use crate::hidden::shown_text;
use crate::tape::{Data, Fields, Item};

/// How `pkg/src/crossing.ts` marks a field that an object inherits, or hides. If it were ignored, a limit might be lost; if it were used,
/// it might be meant for another object.
const INHERITED: &str = "an inherited or hidden field";

/// What is wrong with such a field.
pub const NOT_ITS_OWN: &str = "is inherited or hidden: set it on the object";

/// The longest time that a timer of a JS runtime can wait, in milliseconds. Given more, it does not wait at all.
pub const MOST_TIMER_MS: u64 = (1 << 31) - 1;

/// Reads one object of settings with `read`, which asks for each setting by name. A setting it did not ask for is unknown,
/// and an error.
///
/// # Errors
///
/// Every bad setting, by path.
pub fn read<T>(value: Item, mut read: impl FnMut(&mut Reader) -> T) -> Result<T, Vec<FieldError>> {
    let mut problems = Vec::new();
    let mut whole = None;
    enter(value, Place::default(), &mut problems, &mut |reader| whole = Some(read(reader)));
    match whole {
        Some(whole) if problems.is_empty() => Ok(whole),
        _ => Err(problems),
    }
}

/// Changes a setting to what was given, if anything was.
pub fn set<T>(setting: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *setting = given;
    }
}

/// Reads the object `value`, if it is one, and refuses what `read` did not ask for.
fn enter(value: Item, place: Place, problems: &mut Vec<FieldError>, read: &mut dyn FnMut(&mut Reader)) {
    if let Some(fields) = value.fields() {
        // Most settings that are asked for are absent.
        let asked = Vec::with_capacity(fields.len() + 16);
        let mut reader = Reader { fields, rest: fields, place, asked, ignores_rest: false, problems };
        read(&mut reader);
        reader.refuse_the_rest();
        return;
    }
    let path = place.path();
    let shown = if path.is_empty() { "it" } else { &path };
    let message = [shown, " must be an object, not ", value.kind()].concat();
    problems.push(FieldError { field: path, code: not_due(value), message });
}

/// How many problems of a foreign list are counted beyond those that are recorded.
const MOST_COUNTED: usize = 100_000;

/// Where a value is. Its path is put together only for a message.
#[derive(Clone, Copy, Default)]
struct Place<'a> {
    of: Option<&'a Place<'a>>,
    name: &'a str,
    index: Option<usize>,
}

impl Place<'_> {
    #[inline(never)]
    fn path(&self) -> String {
        let of = self.of.map(Place::path).unwrap_or_default();
        let dot = if of.is_empty() { "" } else { "." };
        match self.index {
            Some(index) => [&of, dot, self.name, "[", &index.digits(), "]"].concat(),
            None => [&of, dot, self.name].concat(),
        }
    }
}

/// One object of settings being read. A getter returns `None` for what is absent, null or bad, and records what is bad.
pub struct Reader<'a> {
    fields: Fields<'a>,
    /// The fields after the one that was found last.
    rest: Fields<'a>,
    place: Place<'a>,
    asked: Vec<&'static str>,
    ignores_rest: bool,
    problems: &'a mut Vec<FieldError>,
}

impl<'a> Reader<'a> {
    /// Records a problem with a setting; `what` follows its path in the message.
    #[inline(never)]
    pub fn refuse(&mut self, name: &str, code: FieldCode, what: &str) {
        self.problems.push(FieldError::of(&self.path_of(name), code, what));
    }

    /// Accepts fields that are not asked for.
    pub fn ignore_rest(&mut self) {
        self.ignores_rest = true;
    }

    /// The setting, unless it is absent, null or inherited.
    pub fn value(&mut self, name: &'static str) -> Option<Item<'a>> {
        self.asked.push(name);
        let value = self.rest.named(self.fields, name);
        value.filter(|value| !value.is_null() && !value.is_foreign(INHERITED))
    }

    /// Whether the setting is one that the object inherits.
    fn inherits(&self, name: &str) -> bool {
        self.fields.into_iter().any(|(field, value)| field == name && value.is_foreign(INHERITED))
    }

    /// The settings that were asked for but are absent.
    pub fn absent(&self) -> Vec<&'static str> {
        let mut absent = Vec::new();
        for name in &self.asked {
            if !absent.contains(name) && !self.fields.into_iter().any(|(field, _)| field == *name) {
                absent.push(*name);
            }
        }
        absent
    }

    /// A required setting, read by `get`. If it is absent, that is a problem, and the default is used.
    pub fn need<T: Default>(
        &mut self,
        name: &'static str,
        get: impl FnOnce(&mut Self, &'static str) -> Option<T>,
    ) -> T {
        self.needed(name, get).unwrap_or_default()
    }

    /// A required setting, read by `get`. If it is absent, that is a problem.
    pub fn needed<T>(
        &mut self,
        name: &'static str,
        get: impl FnOnce(&mut Self, &'static str) -> Option<T>,
    ) -> Option<T> {
        let before = self.problems.len();
        let got = get(self, name);
        if got.is_none() && self.problems.len() == before && !self.inherits(name) {
            self.refuse(name, FieldCode::Required, "is missing");
        }
        got
    }

    /// What `get` refuses of the setting itself is said with its unit: "timeMs must be from 1 to 9007199254740991: milliseconds".
    pub fn in_unit<T>(&mut self, name: &'static str, unit: &str, get: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.problems.len();
        let got = get(self);
        let path = self.path_of(name);
        for problem in self.problems.iter_mut().skip(before).filter(|problem| problem.field == path) {
            problem.message.push_str(&[": ", unit].concat());
        }
        got
    }

    /// Text that is `due`, such as "a name": anything else is refused as that.
    pub fn text_of(&mut self, name: &'static str, due: &str) -> Option<&'a str> {
        let value = self.value(name)?;
        match value.data() {
            Data::String(text) => Some(text),
            _ => self.wrong_type(name, due, value),
        }
    }

    /// Text.
    pub fn text(&mut self, name: &'static str) -> Option<&'a str> {
        self.text_of(name, "a string")
    }

    /// A list of texts: anything else is refused, and `what` says what it must be.
    pub fn texts(&mut self, name: &'static str, what: &str) -> Option<Vec<String>> {
        let items = self.value(name)?.items();
        let texts = items.and_then(|items| items.map(|item| item.text().map(str::to_owned)).collect());
        if texts.is_none() {
            self.refuse(name, FieldCode::WrongType, what);
        }
        texts
    }

    /// Text that must be given, and not be empty.
    pub fn need_text(&mut self, name: &'static str) -> String {
        let text = self.needed(name, Self::text);
        if text == Some("") {
            self.refuse(name, FieldCode::Empty, "is empty");
        }
        text.unwrap_or_default().to_owned()
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, name: &'static str) -> Option<bool> {
        let value = self.value(name)?;
        match value.data() {
            Data::Bool(is) => Some(is),
            _ => self.wrong_type(name, "true or false", value),
        }
    }

    /// An exact decimal: a number, a bigint or digits in a string.
    pub fn decimal(&mut self, name: &'static str) -> Option<Decimal> {
        self.number(name, FieldCode::OutOfRange, "must have at most 128 bits of digits")
    }

    /// [`decimal`](Reader::decimal), with what to say if it has too many digits.
    fn number(&mut self, name: &'static str, code: FieldCode, too_large: &str) -> Option<Decimal> {
        let value = self.value(name)?;
        let read = match value.data() {
            Data::Integer(integer) => Decimal::from_integer(integer),
            Data::Number(text) | Data::Double(text) | Data::BigInt(text) => Decimal::from_number(text),
            Data::String("") => {
                self.refuse(name, FieldCode::Empty, "is empty");
                return None;
            }
            Data::String(text) => Decimal::from_plain(text),
            _ => return self.wrong_type(name, "a number", value),
        };
        const WHAT: &str = "must be a decimal number, zero or above";
        match read {
            Ok(number) => return Some(number),
            Err(DecimalError::Negative) => self.refuse(name, FieldCode::OutOfRange, WHAT),
            Err(DecimalError::TooLarge) => self.refuse(name, code, too_large),
            Err(_) => self.refuse(name, FieldCode::NotANumber, WHAT),
        }
        None
    }

    /// Whether a large number was a JS number, which may not be exact. Only such a one is looked up a second time.
    fn is_double(&mut self, name: &'static str) -> bool {
        matches!(self.value(name).map(Item::data), Some(Data::Double(_)))
    }

    /// A whole number that fits a `u64`; a JS number must be a safe integer.
    pub fn whole(&mut self, name: &'static str) -> Option<u64> {
        const WHAT: &str = "must be a whole number of at most 64 bits";
        let number = self.number(name, FieldCode::NotAnInteger, WHAT)?;
        match number.to_units(0) {
            Ok(whole) if whole >= 1 << 53 && self.is_double(name) => {
                self.refuse(name, FieldCode::NotExact, "is over 2^53 - 1; pass a bigint or a string");
                None
            }
            Ok(whole) => Some(whole),
            Err(_) => {
                self.refuse(name, FieldCode::NotAnInteger, WHAT);
                None
            }
        }
    }

    /// A whole number that fits a `u128`; a JS number must be a safe integer.
    pub fn wide(&mut self, name: &'static str) -> Option<u128> {
        const WHAT: &str = "must be a whole number of at most 128 bits";
        let number = self.number(name, FieldCode::NotAnInteger, WHAT)?;
        match number.to_whole() {
            Some(wide) if wide >= 1 << 53 && self.is_double(name) => {
                self.refuse(name, FieldCode::NotExact, "is over 2^53 - 1; pass a bigint or a string");
                None
            }
            Some(wide) => Some(wide),
            None => {
                self.refuse(name, FieldCode::NotAnInteger, WHAT);
                None
            }
        }
    }

    /// A whole number that may be below zero; a JS number must be a safe integer.
    pub fn signed(&mut self, name: &'static str) -> Option<i128> {
        let value = self.value(name)?;
        let text = match value.data() {
            Data::Integer(integer) => return Some(integer.into()),
            Data::Number(text) | Data::Double(text) | Data::BigInt(text) | Data::String(text) => text,
            _ => return self.wrong_type(name, "a whole number", value),
        };
        let digits = text.strip_prefix('-').unwrap_or(text);
        let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse::<i128>() {
            Ok(whole) if matches!(value.data(), Data::Double(_)) && whole.unsigned_abs() >= 1 << 53 => {
                self.refuse(name, FieldCode::NotExact, "is over 2^53 - 1; pass a bigint or a string");
                None
            }
            Ok(whole) if is_whole => Some(whole),
            _ => {
                self.refuse(name, FieldCode::NotAnInteger, "must be a whole number of at most 127 bits");
                None
            }
        }
    }

    /// A whole number within a range.
    pub fn whole_within(&mut self, name: &'static str, min: u64, max: u64) -> Option<u64> {
        let whole = self.whole(name)?;
        if !(min..=max).contains(&whole) {
            let range = ["must be from ", &min.digits(), " to ", &max.digits()].concat();
            self.refuse(name, FieldCode::OutOfRange, &range);
            return None;
        }
        Some(whole)
    }

    /// The unit of slippages that do not name theirs: `slippageUnit`.
    pub fn slippage_unit(&mut self) -> SlippageUnit {
        let units = [("percent", SlippageUnit::Percent), ("bps", SlippageUnit::Bps)];
        self.choice("slippageUnit", &units).unwrap_or_default()
    }

    /// A slippage as in requests: a bare number, `{ percent }` or `{ bps }`.
    pub fn slippage(&mut self, name: &'static str) -> Option<Slippage> {
        if !self.value(name)?.is_object() {
            return self.decimal(name).map(Slippage::Bare);
        }
        self.object(name, |r| match (r.decimal("percent"), r.decimal("bps")) {
            (Some(percent), None) => Slippage::Percent(percent),
            (None, Some(bps)) => Slippage::Bps(bps),
            _ => {
                r.refuse("percent", FieldCode::Conflict, "or bps must be given, and only one of them");
                Slippage::Bps(Decimal::from_units(0, 0))
            }
        })
    }

    /// One of a few words.
    pub fn choice<T: Copy>(&mut self, name: &'static str, choices: &[(&'static str, T)]) -> Option<T> {
        let place = self.word(name, &|place| choices.get(place).map(|(word, _)| *word))?;
        choices.get(place).map(|(_, choice)| *choice)
    }

    /// Which of a few words it is, by their places.
    fn word(&mut self, name: &'static str, word_at: &dyn Fn(usize) -> Option<&'static str>) -> Option<usize> {
        let text = self.text(name)?;
        let mut words = (0..).map_while(word_at);
        let place = words.position(|word| word == text);
        if place.is_none() {
            let words: Vec<&str> = (0..).map_while(word_at).collect();
            self.refuse(name, FieldCode::OutOfRange, &["must be one of ", &words.join(", ")].concat());
        }
        place
    }

    /// An object of settings.
    pub fn object<T>(&mut self, name: &'static str, mut read: impl FnMut(&mut Reader) -> T) -> Option<T> {
        let mut whole = None;
        self.within(name, &mut |reader| whole = Some(read(reader)));
        whole
    }

    /// An object of settings that `read` stores by itself.
    pub fn within(&mut self, name: &'static str, read: &mut dyn FnMut(&mut Reader)) {
        if let Some(value) = self.value(name) {
            enter(value, Place { of: Some(&self.place), name, index: None }, self.problems, read);
        }
    }

    /// Replaces a default by text, if given.
    pub fn set_text(&mut self, name: &'static str, setting: &mut String) {
        if let Some(text) = self.text(name) {
            text.clone_into(setting);
        }
    }

    /// Replaces a default by a whole number, if given.
    pub fn set_whole(&mut self, name: &'static str, setting: &mut u64) {
        *setting = self.whole(name).unwrap_or(*setting);
    }

    /// Replaces a default by a whole number of at least `min`, if given.
    pub fn set_count(&mut self, name: &'static str, min: u32, setting: &mut u32) {
        *setting = self.count(name, min).unwrap_or(*setting);
    }

    /// A whole number of at least `min` that fits a `u32`.
    pub fn count(&mut self, name: &'static str, min: u32) -> Option<u32> {
        self.whole_within(name, min.into(), u32::MAX.into()).map(|whole| whole as u32)
    }

    /// A list of objects of settings.
    pub fn list<T>(&mut self, name: &'static str, mut read: impl FnMut(&mut Reader) -> T) -> Option<Vec<T>> {
        let mut list = Vec::new();
        let (len, _) = self.elements(name, usize::MAX, &mut |reader| list.push(read(reader)))?;
        (list.len() == len).then_some(list)
    }

    /// A [`list`](Reader::list) of which at most `most` problems are recorded, and how many more there are: in a foreign file
    /// every line has some. A file that has very many is not read to its end.
    pub fn foreign_list<T>(
        &mut self,
        name: &'static str,
        most: usize,
        mut read: impl FnMut(&mut Reader) -> T,
    ) -> Option<Vec<T>> {
        let (mut list, most) = (Vec::new(), self.problems.len() + most);
        let (len, more) = self.elements(name, most, &mut |reader| list.push(read(reader)))?;
        if more > 0 {
            let (over, more) = if more > MOST_COUNTED { ("over ", MOST_COUNTED) } else { ("", more) };
            self.refuse(
                name,
                FieldCode::Unreadable,
                &["has ", over, &more.digits(), " more problems"].concat(),
            );
        }
        (list.len() == len).then_some(list)
    }

    /// Reads each object of a list. Returns how many elements there are, objects or not, and how many problems there were once `most`
    /// were recorded. If these are too many, the rest of the list is not read.
    fn elements(
        &mut self,
        name: &'static str,
        most: usize,
        read: &mut dyn FnMut(&mut Reader),
    ) -> Option<(usize, usize)> {
        let value = self.value(name)?;
        let Data::Array(items) = value.data() else { return self.wrong_type(name, "an array", value) };
        let mut more = 0;
        for (index, item) in items.enumerate() {
            let place = Place { of: Some(&self.place), name, index: Some(index) };
            enter(item, place, self.problems, read);
            more += self.problems.len().saturating_sub(most);
            self.problems.truncate(most);
            if more > MOST_COUNTED {
                break;
            }
        }
        Some((items.len(), more))
    }

    fn wrong_type<T>(&mut self, name: &str, due: &str, value: Item) -> Option<T> {
        self.refuse(name, not_due(value), &["must be ", due, ", not ", value.kind()].concat());
        None
    }

    #[inline(never)]
    fn path_of(&self, name: &str) -> String {
        Place { of: Some(&self.place), name, index: None }.path()
    }

    /// Refuses fields that were not asked for, and inherited ones that were.
    fn refuse_the_rest(&mut self) {
        let mut next = 0;
        for (name, value) in self.fields {
            // Mostly asked for in this order, with others between.
            let later = self.asked.iter().skip(next).position(|asked| *asked == name);
            next += later.map_or(0, |place| place + 1);
            if later.is_some() || self.asked.contains(&name) {
                if value.is_foreign(INHERITED) {
                    self.refuse(name, FieldCode::Conflict, NOT_ITS_OWN);
                }
                continue;
            }
            if self.ignores_rest {
                continue;
            }
            let what = match nearest(name, &self.asked) {
                Some(known) => ["is unknown; did you mean ", known, "?"].concat(),
                None => "is unknown".to_owned(),
            };
            self.refuse(&printable(name), FieldCode::UnknownField, &what);
        }
    }
}

/// What is wrong with a value of the wrong kind.
fn not_due(value: Item) -> FieldCode {
    if matches!(value.data(), Data::Foreign(_)) { FieldCode::Unreadable } else { FieldCode::WrongType }
}

/// A caller's own name for something, made safe to show.
pub fn printable(name: &str) -> String {
    shown_text(name, 40)
}

/// The known name that `name` is most likely a typo of, if any is close.
pub fn nearest(name: &str, known: &[&'static str]) -> Option<&'static str> {
    if name.len() > 40 {
        return None;
    }
    let most = |candidate: &str| 1 + candidate.len() / 4;
    known
        .iter()
        // They are at least as far apart as their lengths.
        .filter(|candidate| candidate.len().abs_diff(name.len()) <= most(candidate))
        .map(|candidate| (distance(name, candidate), *candidate))
        .filter(|(distance, candidate)| *distance <= most(candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be added, removed or replaced to turn one name into the other, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (1..=b.len()).collect();
    for (i, from) in a.bytes().enumerate() {
        let (mut diagonal, mut left) = (i, i + 1);
        for (to, above) in b.bytes().zip(&mut row) {
            let replaced = diagonal + usize::from(!from.eq_ignore_ascii_case(&to));
            left = replaced.min(left + 1).min(*above + 1);
            (diagonal, *above) = (*above, left);
        }
    }
    row.last().map_or(a.len(), |distance| *distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object;
    use crate::tape::ToTape;

    #[test]
    fn every_bad_setting_is_named_by_path() {
        let settings = object! {
            "unit": "pct",
            "tiers": vec![object! { "fromLamports": 1u64 }, object! { "fromLamport": 1u64 }, 5u32.to_tape()],
            "limit": Data::Double("9007199254740992"),
            "on": "yes",
            "inner": object! { "deep": Data::Double("-1") },
        };
        let problems = read(settings.root(), |r| {
            r.choice("unit", &[("percent", 0), ("bps", 1)]);
            r.list("tiers", |r| r.need("fromLamports", Reader::whole));
            r.whole("limit");
            r.boolean("on");
            r.object("inner", |r| r.decimal("deep"));
        })
        .unwrap_err();
        let messages: Vec<_> = problems.iter().map(|problem| problem.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "unit must be one of percent, bps",
                "tiers[1].fromLamports is missing",
                "tiers[1].fromLamport is unknown; did you mean fromLamports?",
                "tiers[2] must be an object, not a number",
                "limit is over 2^53 - 1; pass a bigint or a string",
                "on must be true or false, not a string",
                "inner.deep must be a decimal number, zero or above",
            ]
        );
    }

    #[test]
    fn slips_lead_to_the_nearest_name() {
        let known = ["mint", "slippage", "amountInLamports", "feePayer", "buys"];
        for (slip, name) in [
            ("slipage", "slippage"),
            ("amountInLamport", "amountInLamports"),
            ("amount_in_lamports", "amountInLamports"),
            ("feepayer", "feePayer"),
            ("buy", "buys"),
        ] {
            assert_eq!(nearest(slip, &known), Some(name), "{slip}");
        }
        assert_eq!(nearest("colour", &known), None);
        assert_eq!(nearest(&"x".repeat(1_000_000), &known), None);
    }

    #[test]
    fn a_foreign_list_of_nothing_but_problems_is_not_read_to_its_end() {
        for item in [object! {}, 5u32.to_tape()] {
            let list = object! { "rows": vec![item.clone(); 2 * MOST_COUNTED] };
            let mut count = 0;
            let problems = read(list.root(), |r| {
                r.foreign_list("rows", 100, |r| {
                    count += 1;
                    r.need("name", Reader::text).to_owned()
                })
            });
            let problems = problems.unwrap_err();
            assert_eq!(
                (problems.len(), problems[100].message.as_str()),
                (101, "rows has over 100000 more problems")
            );
            assert!(count == 0 || count == MOST_COUNTED + 101, "{count}");
        }
        let list = object! { "rows": vec![object! {}; 300] };
        let problems =
            read(list.root(), |r| r.foreign_list("rows", 100, |r| r.need("name", Reader::text).to_owned()));
        assert_eq!(problems.unwrap_err()[100].message, "rows has 200 more problems");
    }
}
