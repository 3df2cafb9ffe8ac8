//! A trade that is checked and written but not yet sent: what a flow sends, and the plan of it, which can be shown and stored
//! first.
//!
//! ```text
//! request ─ validate ─▶ Valid ─▶ Planned ─────────────────────────────────▶ Flow      buy(request)
//!                                   └─ guards' verdict ─▶ Plan ─ open ─▶ Planned ─▶ Flow      plan(…), then send(plan)
//! ```
//!
//! A [`Plan`] is plain data: it goes through JSON, a database or another process, and comes back. [`Plan::open`] checks all
//! of it again, so the bytes that were shown are the bytes that are sent, to the service that they were meant for. It is sent
//! once, and not after it has expired.
//!
//! ```
//! use launchpad_desk::api::{endpoint::Operation, validate::{Rules, validate}};
//! use launchpad_desk::{prelude::BuyRequest, tape::ToTape};
//! use launchpad_desk::trade::guard::{Guards, Settings};
//! use launchpad_desk::trade::plan::{Destination, Plan, Planned};
//!
//! let (rules, guards) = (Rules::default(), Guards::new(Settings::default()));
//! let service = Destination { base_url: "https://service.example".into(), is_simulated: false };
//! let request = BuyRequest::new("M", "W", 600).to_tape();
//! let buy = validate(Operation::Buy, request.root(), &rules).unwrap();
//!
//! let plan = Planned::new(buy, "signal-1", &rules).plan(&guards, &service, 1_000, 60_000);
//! assert_eq!((plan.expires_at_ms, &plan.refused), (61_000, &None));
//! let kept = plan.to_json();
//! assert!(Plan::from_json(&kept).unwrap().open(&service, &rules).is_ok());
//!
//! let altered = kept.replace("600", "6000");
//! let refused = Plan::from_json(&altered).unwrap().open(&service, &rules).unwrap_err();
//! assert_eq!(refused.code.as_str(), "plan_altered");
//! ```

use crate::amount::{Decimal, Digits, MAX_TOKEN_DECIMALS, SlippageUnit};
use crate::api::encode::encode;
use crate::api::endpoint::Operation;
use crate::api::request::Request;
use crate::api::validate::{Forms, Rules, Valid, validate};
use crate::debug_text;
use crate::error::{Code, Error, FieldCode, FieldError, Warning, WarningCode};
use crate::intent::intent_id_problem;
use crate::reader::{self, Reader};
use crate::tape::{Data, Item, Number, ToTape, Writer, json};
use crate::trade::guard::{Counted, DAY_MS, Guards, Priced};
use crate::trade::journal::TradeIntent;
pub use crate::trade::plan_price::PlanPrice;
use crate::trade::reconcile::WalletBalances;

/// How long a plan stays valid by default: about as long as a transaction does.
pub const VALID_FOR_MS: u64 = 60_000;

/// The longest that a plan may stay valid: a day.
pub const MOST_VALID_FOR_MS: u64 = DAY_MS;

/// How far the clocks of the machine that makes a plan and of the one that sends it may be apart.
const CLOCKS_DIFFER_MS: u64 = 5_000;

/// Where a client sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Destination {
    /// The base URL of the service, without `/v1` and without a trailing slash.
    pub base_url: String,
    /// Whether it is a sandbox in this process, where no money moves.
    pub is_simulated: bool,
}

impl Destination {
    fn url(&self, operation: Operation) -> String {
        [&self.base_url, operation.path()].concat()
    }
}

/// What a flow sends: a checked request, its exact body and its id. `Debug` shows the id and the operation.
#[derive(Clone)]
pub struct Planned {
    pub(super) request: Valid<Request>,
    pub(super) intent: TradeIntent,
    pub(super) warnings: Vec<Warning>,
    pub(super) once: Option<Once>,
    /// What its price says that guards ask about, of a plan that has one.
    pub(super) priced: Option<Priced>,
    price: Option<PlanPrice>,
    slippage_unit: SlippageUnit,
    /// By how many decimals an amount in base units was counted, if it has one.
    pub(super) counted_by: Option<u8>,
}

impl Planned {
    /// Writes the body of a request. `rules` are the ones that the request was checked by; `trade` is its id, and what its wallets hold.
    pub fn new(request: Valid<Request>, trade: impl Into<TradeIntent>, rules: &Rules) -> Planned {
        let slippage_unit = rules.slippage_unit;
        let call = encode(&request, slippage_unit);
        let intent = TradeIntent { operation: call.operation, body: call.body, ..trade.into() };
        let counted_by = request.is_in_base_units().then_some(rules.token_decimals);
        let warnings = request.warnings().to_vec();
        Planned {
            warnings,
            request,
            intent,
            once: None,
            priced: None,
            price: None,
            slippage_unit,
            counted_by,
        }
    }

    pub fn priced(self, price: PlanPrice) -> Planned {
        Planned { price: Some(price), ..self }
    }

    /// Tells the guards what its price shows. Not where there is a market and the price is not of it.
    pub fn tell(&self, guards: &mut Guards) {
        if let Some(price) = &self.price {
            guards.learn(&self.request, price);
        }
    }

    /// Refuses an amount in base units that was counted by other decimals than the token has; with `has_market` also if those are not known.
    /// Fails as [`Guards::check_decimals`].
    pub fn check_decimals(&self, guards: &Guards, has_market: bool) -> Result<(), Box<Error>> {
        guards.check_decimals(self.intent.operation, &self.request.mint, self.counted_by, has_market)
    }

    /// What is asked for.
    pub fn operation(&self) -> Operation {
        self.intent.operation
    }

    /// The exact body.
    pub fn body(&self) -> &str {
        &self.intent.body
    }

    /// Makes the plan, with what the guards say about it now. Nothing is reserved: they are asked again when it is sent. Times
    /// are in milliseconds since 1970.
    pub fn plan(self, guards: &Guards, to: &Destination, now_ms: u64, valid_for_ms: u64) -> Plan {
        let fits = self.check_decimals(guards, false);
        let Planned { request, intent, warnings, price, slippage_unit, counted_by, .. } = self;
        let priced = price.as_ref().map(|price| Priced::of(price, now_ms));
        let refused = guards
            .check(now_ms, &intent.intent_id, &request)
            .and_then(|()| guards.check_price(now_ms, &intent.intent_id, &request, priced))
            .and(fits);
        let refused = refused.err().map(|error| PlanRefusal {
            code: error.code,
            message: error.message,
            fields: error.fields,
            retry_after_ms: error.retry_after_ms,
        });
        let mut plan = Plan {
            intent_id: intent.intent_id,
            operation: intent.operation,
            is_simulated: to.is_simulated,
            url: to.url(intent.operation),
            body: intent.body,
            slippage_unit,
            before: intent.before,
            created_at_ms: now_ms,
            expires_at_ms: now_ms.saturating_add(valid_for_ms),
            warnings,
            refused,
            price,
            counted: guards.worst(now_ms, &request).into(),
            counted_by,
            checksum: String::new(),
        };
        plan.checksum = plan.sum();
        plan
    }
}

debug_text!(Planned, |planned| "Planned({:?})", planned.intent);

/// What makes sure that a plan is sent only once.
#[derive(Clone)]
pub(super) struct Once {
    pub(super) checksum: String,
    created_at_ms: u64,
    expires_at_ms: u64,
}

impl Once {
    /// Why it may no longer be sent. With a clock that was set back, it would outlive its time, and a journal's memory
    /// of its send.
    fn end(&self, now_ms: u64) -> Option<&'static str> {
        if now_ms >= self.expires_at_ms {
            return Some("the plan has expired");
        }
        let is_ahead = self.created_at_ms > now_ms.saturating_add(CLOCKS_DIFFER_MS);
        is_ahead.then_some("the plan's timestamp is in the future by this client's clock")
    }

    /// Whether it may no longer be sent.
    pub(super) fn has_expired(&self, now_ms: u64) -> bool {
        self.end(now_ms).is_some()
    }

    /// Refuses a plan that has expired. If it may have arrived, a new one could make the trade twice.
    pub(super) fn check_time(&self, now_ms: u64, may_have_arrived: bool) -> Result<(), Box<Error>> {
        let Some(end) = self.end(now_ms) else { return Ok(()) };
        let advice = if may_have_arrived { "" } else { "; make a new one" };
        Err(refused(Code::PlanExpired, &[end, advice].concat()))
    }

    /// Refuses a plan whose intent is known, that has expired, or that was sent before.
    pub(super) fn check(&self, guards: &Guards, intent_id: &str, now_ms: u64) -> Result<(), Box<Error>> {
        guards.check_intent(intent_id).map_err(|error| self.used(&error, now_ms))?;
        self.check_time(now_ms, false)?;
        if !guards.has_sent_plan(&self.checksum) {
            return Ok(());
        }
        Err(refused(Code::PlanUsed, "the plan was sent before; make a new one"))
    }

    /// The refusal of a plan whose intent is known: it was sent, by this client or in an earlier run.
    fn used(&self, error: &Error, now_ms: u64) -> Box<Error> {
        if error.code == Code::IntentUnknown
            && let Some(end) = self.end(now_ms)
        {
            let what =
                ", and its trade may have landed; find out with pending and reconcile, then acknowledge it";
            return refused(Code::PlanUsed, &[end, what].concat());
        }
        let why = error.message.strip_prefix("not sent: ").unwrap_or_default();
        refused(Code::PlanUsed, &["the plan was used: ", why].concat())
    }
}

fn refused(code: Code, why: &str) -> Box<Error> {
    Box::new(Error::new(code, ["not sent: ", why].concat()))
}

/// Why the guards would refuse a plan if it were sent when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanRefusal {
    /// The stable code.
    pub code: Code,
    /// A sentence for a person.
    pub message: String,
    /// Every field at fault.
    pub fields: Vec<FieldError>,
    /// For [`Code::OverRateLimit`], how long until it would be this trade's turn.
    pub retry_after_ms: Option<u64>,
}

impl ToTape for PlanRefusal {
    fn write(&self, tape: &mut Writer) {
        let retry_after_ms = self.retry_after_ms.map(|ms| Number(ms.into()));
        let fields: [(&str, &dyn ToTape); 4] = [
            ("code", &self.code),
            ("message", &self.message),
            ("fields", &self.fields),
            ("retryAfterMs", &retry_after_ms),
        ];
        tape.object(&mut fields.into_iter());
    }
}

/// A trade that is checked, written and judged by the guards, but not sent. It is plain data: [`to_json`](Plan::to_json) and
/// [`from_json`](Plan::from_json), or `serde` with the feature of that name. `Debug` leaves its body out.
#[derive(Clone, PartialEq, Eq)]
pub struct Plan {
    /// The trade's id.
    pub intent_id: String,
    /// What is asked for.
    pub operation: Operation,
    /// Whether it is for a sandbox, where no money moves.
    pub is_simulated: bool,
    /// Where it goes.
    pub url: String,
    /// The exact body, as it will be sent.
    pub body: String,
    /// The unit in which the body has its slippage.
    pub slippage_unit: SlippageUnit,
    /// What the trading wallets held when it was made, if the caller said so.
    pub before: Option<Vec<WalletBalances>>,
    /// When it was made, in milliseconds since 1970.
    pub created_at_ms: u64,
    /// When it expires, in milliseconds since 1970.
    pub expires_at_ms: u64,
    /// Warnings about its request.
    pub warnings: Vec<Warning>,
    /// Why the guards would have refused it when it was made; `None` if they would have let it through. They are asked again
    /// when it is sent.
    pub refused: Option<PlanRefusal>,
    /// What it would do, if the market was known.
    pub price: Option<PlanPrice>,
    /// The most lamports that it may take, as limits count them.
    pub counted: Counted,
    /// By how many decimals an amount in base units was counted, if it has one.
    pub counted_by: Option<u8>,
    /// Detects accidental changes to any other field. It is not a signature: anyone who can write a plan can also write a
    /// request.
    pub checksum: String,
}

impl ToTape for Plan {
    fn write(&self, tape: &mut Writer) {
        let slippage_unit = unit_name(self.slippage_unit);
        let (created_at_ms, expires_at_ms) =
            (Number(self.created_at_ms.into()), Number(self.expires_at_ms.into()));
        let mut fields: Vec<(&str, &dyn ToTape)> = vec![
            ("intentId", &self.intent_id),
            ("operation", &self.operation),
            ("simulated", &self.is_simulated),
            ("url", &self.url),
            ("body", &self.body),
            ("slippageUnit", &slippage_unit),
            ("before", &self.before),
            ("createdAtMs", &created_at_ms),
            ("expiresAtMs", &expires_at_ms),
            ("warnings", &self.warnings),
            ("refused", &self.refused),
            ("price", &self.price),
            ("counted", &self.counted),
        ];
        fields.extend(self.counted_by.as_ref().map(|by| ("tokenDecimals", by as &dyn ToTape)));
        fields.push((CHECKSUM, &self.checksum));
        tape.object(&mut fields.into_iter());
    }
}

debug_text!(Plan, |plan| "Plan({} {} until {})", plan.operation.as_str(), plan.intent_id, plan.expires_at_ms);

const fn unit_name(unit: SlippageUnit) -> &'static str {
    match unit {
        SlippageUnit::Percent => "percent",
        SlippageUnit::Bps => "bps",
    }
}

/// The field that all others are covered by.
const CHECKSUM: &str = "checksum";

/// FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/
struct Hash(u64);

impl Hash {
    /// A text, and after it a byte that no text contains.
    fn text(&mut self, text: &str) {
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// A value of any kind. The order of its fields and the notation of its numbers do not count, because a database may
    /// change both.
    fn value(&mut self, value: Item) {
        match value.data() {
            Data::Null | Data::Foreign(_) => self.text("null"),
            Data::Bool(is) => self.text(if is { "true" } else { "false" }),
            Data::Integer(integer) => self.number(&i128::from(integer).digits()),
            Data::Number(text) | Data::Double(text) | Data::BigInt(text) => self.number(text),
            Data::String(text) => {
                self.text("text");
                self.text(text);
            }
            Data::Array(items) => {
                self.text("list");
                self.text(&items.len().digits());
                items.for_each(|item| self.value(item));
            }
            Data::Object(fields) => {
                // There are few. The library's sort would make the module 4 KB larger.
                let mut sorted: Vec<(&str, Item)> = Vec::with_capacity(fields.len());
                for (name, item) in fields {
                    let place = sorted.partition_point(|(before, _)| *before < name);
                    sorted.insert(place, (name, item));
                }
                self.text("object");
                self.text(&sorted.len().digits());
                for (name, item) in sorted {
                    self.text(name);
                    self.value(item);
                }
            }
        }
    }

    fn number(&mut self, text: &str) {
        let (sign, size) = text.strip_prefix('-').map_or(("", text), |size| ("-", size));
        self.text("number");
        self.text(sign);
        self.text(&Decimal::from_number(size).map_or_else(|_| size.to_owned(), Decimal::text));
    }

    fn digits(self) -> String {
        let digit = |at: u32| char::from_digit((self.0 >> (60 - 4 * at)) as u32 & 15, 16);
        (0..16).filter_map(digit).collect()
    }
}

impl Plan {
    /// The checksum that it should have: of all its other fields.
    fn sum(&self) -> String {
        let mut hash = Hash(0xcbf2_9ce4_8422_2325);
        let tape = self.to_tape();
        for (name, field) in tape.root().fields().into_iter().flatten() {
            if name != CHECKSUM {
                hash.text(name);
                hash.value(field);
            }
        }
        hash.digits()
    }

    /// Whether nothing was changed since its checksum was made.
    pub(crate) fn is_whole(&self) -> bool {
        self.checksum == self.sum()
    }

    /// The plan as JSON text.
    pub fn to_json(&self) -> String {
        json::write(&self.to_tape())
    }

    /// The plan of a JSON text. [`open`](Plan::open) checks that it is unchanged.
    ///
    /// # Errors
    ///
    /// `plan_altered`.
    pub fn from_json(text: &str) -> Result<Plan, Box<Error>> {
        Plan::read(json::parse(text.as_bytes()).unwrap_or_default().root())
    }

    /// The plan of a value, as JSON has it.
    ///
    /// # Errors
    ///
    /// `plan_altered`, with every bad field.
    pub fn read(value: Item) -> Result<Plan, Box<Error>> {
        reader::read(value, read).map_err(|fields| {
            let first = fields.first().map_or("", |field| field.message.as_str());
            let mut error = refused(Code::PlanAltered, &["this is not a plan: ", first].concat());
            error.fields = fields;
            error
        })
    }

    /// Checks the plan again, and returns what a flow sends: exactly these bytes, once.
    ///
    /// # Errors
    ///
    /// `plan_altered`: it was changed. `plan_for_another_service`: it was made for another base URL, unit of
    /// slippage, or kind of client. `invalid_request`: these rules are stricter than those that it was made with.
    pub fn open(&self, to: &Destination, rules: &Rules) -> Result<Planned, Box<Error>> {
        let altered = || refused(Code::PlanAltered, "the plan was changed after it was made");
        if !self.is_whole() {
            return Err(altered());
        }
        let elsewhere = |what: &str| Err(refused(Code::PlanForAnotherService, what));
        match (self.is_simulated, to.is_simulated) {
            (true, false) => return elsewhere("the plan is for a sandbox, and this client has none"),
            (false, true) => {
                return elsewhere("the plan is for a service, and this client trades in a sandbox");
            }
            _ if self.url != to.url(self.operation) => {
                return elsewhere("the plan is for another base URL than this client's");
            }
            _ if self.slippage_unit != rules.slippage_unit => {
                return elsewhere("the plan is for a service that counts slippage in another unit");
            }
            _ => {}
        }
        let body = json::parse(self.body.as_bytes()).map_err(|_| altered())?;
        let wire = Rules { forms: Forms::Wire, ..rules.clone() };
        let request = validate(self.operation, body.root(), &wire).map_err(Error::invalid_request)?;
        let trade = TradeIntent { before: self.before.clone(), ..self.intent_id.as_str().into() };
        let planned = Planned::new(request, trade, rules);
        if planned.intent.body != self.body || intent_id_problem(&self.intent_id).is_some() {
            return Err(altered());
        }
        let Plan { created_at_ms, expires_at_ms, .. } = *self;
        let once = Once { checksum: self.checksum.clone(), created_at_ms, expires_at_ms };
        let priced = self.price.as_ref().map(|price| Priced::of(price, created_at_ms));
        let counted_by = self.counted_by;
        Ok(Planned { warnings: self.warnings.clone(), once: Some(once), priced, counted_by, ..planned })
    }
}

/// As [`to_json`](Plan::to_json) has it.
#[cfg(feature = "serde")]
impl serde::Serialize for Plan {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use crate::declaration::Declaration;
        use crate::launchpad::curve_view::CurveBundleQuote;
        use crate::launchpad::view::{LegQuote, QuoteRefusal, TradeQuote, WalletQuote};
        use crate::through_serde::Plain;
        const QUOTES: &[Declaration] = &[
            CurveBundleQuote::DECLARATION,
            LegQuote::DECLARATION,
            WalletQuote::DECLARATION,
            TradeQuote::DECLARATION,
            QuoteRefusal::DECLARATION,
        ];
        Plain(self.to_tape().root(), QUOTES).serialize(serializer)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Plan {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let plan = crate::tape::Tape::deserialize(deserializer)?;
        Plan::read(plan.root()).map_err(|error| serde::de::Error::custom(error.message))
    }
}

/// The text of that name; there must be one.
fn text(r: &mut Reader, name: &'static str) -> String {
    r.need(name, Reader::text).to_owned()
}

fn read(r: &mut Reader) -> Plan {
    let named = Operation::ALL.map(|operation| (operation.as_str(), operation));
    let operation = r.needed("operation", |r, name| r.choice(name, &named));
    let warnings = r.list("warnings", |r| Warning {
        field: text(r, "field"),
        code: r
            .needed("code", |r, name| r.choice(name, WarningCode::NAMED))
            .unwrap_or(WarningCode::SlippageUnit),
        message: text(r, "message"),
    });
    // The command line names the profile that made it, and sends it in no other.
    r.text("profile");
    Plan {
        intent_id: text(r, "intentId"),
        operation: operation.unwrap_or(Operation::Buy),
        is_simulated: r.need("simulated", Reader::boolean),
        url: text(r, "url"),
        body: text(r, "body"),
        slippage_unit: r.slippage_unit(),
        before: WalletBalances::read_list(r, "before"),
        created_at_ms: r.need("createdAtMs", Reader::whole),
        expires_at_ms: r.need("expiresAtMs", Reader::whole),
        warnings: warnings.unwrap_or_default(),
        refused: r.object("refused", read_refusal),
        price: r.value("price").map(PlanPrice::kept),
        counted: r.needed("counted", |r, name| r.object(name, Counted::read)).unwrap_or_default(),
        counted_by: r.whole_within("tokenDecimals", 0, MAX_TOKEN_DECIMALS.into()).map(|by| by as u8),
        checksum: text(r, CHECKSUM),
    }
}

fn read_refusal(r: &mut Reader) -> PlanRefusal {
    let fields = r.list("fields", |r| FieldError {
        field: text(r, "field"),
        code: r.needed("code", |r, name| r.choice(name, FieldCode::NAMED)).unwrap_or(FieldCode::Unreadable),
        message: text(r, "message"),
    });
    PlanRefusal {
        code: r.needed("code", |r, name| r.choice(name, Code::NAMED)).unwrap_or(Code::UnexpectedError),
        message: text(r, "message"),
        fields: fields.unwrap_or_default(),
        retry_after_ms: r.whole("retryAfterMs"),
    }
}
