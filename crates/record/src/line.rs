//! A line of a record: what was done, and the hash of the line before it.

use super::hash::{hex, sha256};
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::FieldError;
use launchpad_desk::tape::{Item, Number, Tape, ToTape, Writer, json};

codes! {
    /// What a line of a desk's record says, in its `act`. Append-only. A gateway's audit log has other acts, too, without `data`.
    #[non_exhaustive]
    Act as "RecordAct" {
        /// A client begins to work with the record: its settings, without a key.
        Start = "start",
        /// A plan was made or is about to be sent: the plan, and the market that its price is of, if that is known.
        Plan = "plan",
        /// A plan waits for a person.
        Ask = "ask",
        /// A person approved exactly this plan.
        Approve = "approve",
        /// The limits let a trade through: the trade as the journal has it.
        Begin = "begin",
        /// These bytes are sent now.
        Send = "send",
        /// No complete answer came.
        Lost = "lost",
        /// The answer: its status, some of its headers, its body.
        Answer = "answer",
        /// How the trade ended.
        Settle = "settle",
        /// What the chain, or a sandbox's own log, says about a trade of unknown outcome.
        Evidence = "evidence",
        /// What the trade did to each wallet, by its plan and its answer.
        Receipt = "receipt",
        /// An exit of a position: the order that a rule gave.
        Exit = "exit",
        /// What stops trading has changed.
        Suspend = "suspend",
        /// A gateway has forwarded a trade, once: what it sent, what came back, and how it ended.
        Trade = "trade",
        /// The clock was set back since the line before: by how many milliseconds.
        Clock = "clock",
    }
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Its position in the record, from zero.
    pub number: u64,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Who did it: a caller's name, `gateway`, `desk`…
    pub by: String,
    /// What was done: an [`Act`], or another of a gateway: `halt`, `trade`, `expired`…
    pub act: String,
    /// The id of the intent concerned; empty if there is none.
    pub intent: String,
    /// A short description.
    pub detail: String,
    /// What was done, as data.
    pub data: Option<Tape>,
    /// The SHA-256 of the line before it; empty for the first.
    pub previous: String,
}

impl Entry {
    /// Reads an entry from the text of its line.
    /// Fails with every field at fault.
    pub fn of(line: &str) -> Result<Entry, Vec<FieldError>> {
        let value = json::parse(line.as_bytes()).unwrap_or_default();
        let line = value.root();
        let (number, at_ms) = read(line)?;
        let text = |name| line.text_of(name).unwrap_or_default().to_owned();
        let data = line.get("data").filter(|data| !data.is_null()).map(|data| data.to_tape());
        let [by, act, intent, detail, previous] = ["by", "act", "intent", "detail", "previous"].map(text);
        Ok(Entry { number, at_ms, by, act, intent, detail, data, previous })
    }

    /// The text of its line.
    pub fn line(&self) -> String {
        json::write(&self.to_tape())
    }
}

/// The number and the time of what was read of a line, if it has all fields of one.
pub(super) fn read(line: Item) -> Result<(u64, u64), Vec<FieldError>> {
    reader::read(line, |r| {
        let (number, at_ms) = (r.need("number", Reader::whole), r.need("atMs", Reader::whole));
        for name in ["by", "act", "intent", "detail"] {
            r.need(name, Reader::text);
        }
        r.value("data");
        r.need("previous", Reader::text);
        (number, at_ms)
    })
}

impl ToTape for Entry {
    fn write(&self, tape: &mut Writer) {
        let (number, at_ms) = (Number(self.number.into()), Number(self.at_ms.into()));
        let mut fields: Vec<(&str, &dyn ToTape)> = vec![
            ("number", &number),
            ("atMs", &at_ms),
            ("by", &self.by),
            ("act", &self.act),
            ("intent", &self.intent),
            ("detail", &self.detail),
        ];
        fields.extend(self.data.as_ref().map(|data| ("data", data as &dyn ToTape)));
        fields.push(("previous", &self.previous));
        tape.object(&mut fields.into_iter());
    }
}

/// The end of a record: the number and the hash of its last line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The number of the last line.
    pub number: u64,
    /// Its SHA-256.
    pub hash: String,
}

impl Head {
    /// The head of a record that ends with this line.
    pub fn of(number: u64, line: &str) -> Head {
        Head { number, hash: hex(&sha256(line.as_bytes())) }
    }

    /// Reads a head from its text: `{"number":7,"hash":"…"}`.
    /// Fails with every field at fault.
    pub fn read(text: &str) -> Result<Head, Vec<FieldError>> {
        let value = json::parse(text.as_bytes()).unwrap_or_default();
        reader::read(value.root(), |r| Head {
            number: r.need("number", Reader::whole),
            hash: r.need("hash", Reader::text).to_owned(),
        })
    }
}

impl ToTape for Head {
    fn write(&self, tape: &mut Writer) {
        let number = Number(self.number.into());
        tape.object(&mut [("number", &number as &dyn ToTape), ("hash", &self.hash)].into_iter());
    }
}

/// The entry that comes after `head`, and the head after it.
pub fn next(head: Option<&Head>, entry: Entry) -> (Entry, String, Head) {
    let (number, previous) = match head {
        Some(head) => (head.number.saturating_add(1), head.hash.clone()),
        None => (0, String::new()),
    };
    let entry = Entry { number, previous, ..entry };
    let line = entry.line();
    let head = Head::of(number, &line);
    (entry, line, head)
}
