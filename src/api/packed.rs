//! The fast way to a body: a request packed flat, checked and written in one pass, without a tree in between.
//!
//! It writes what [`encode`](crate::api::encode::encode) writes, or nothing: whatever [`validate`] would refuse, warn
//! of or write in another form than it was given is not for this module, and takes the plain way. So the two agree by
//! construction of the simple cases and by test (`tests/packed.rs`, `tests/fast/`) for all.
//!
//! [`validate`]: crate::api::validate::validate

pub use hot::body::Verdict;
use hot::body::{Element, Kind, Label, Limits, Plan};

use crate::amount::{Decimal, Form, Percentage, Slippage, SlippageUnit, TokenAmount};
use crate::api::endpoint::{FIELDS, Field, Operation};
use crate::api::request::{Amount, Leg, Request};
use crate::api::validate::{Identifiers, Rules, Valid};

/// What stands for an absent value among [`Packed::values`].
pub const ABSENT: f64 = f64::NAN;

/// The fields of a request, of a bundle's elements first, in the order of the field table.
#[derive(Clone, Copy, Debug)]
pub struct Packed<'a> {
    /// Which of the six.
    pub operation: Operation,
    /// The elements of a bundle; 0 for a single trade.
    pub elements: usize,
    /// All texts, one after another.
    pub texts: &'a [u8],
    /// For each field: a number as it is; a text's length in `texts`, below zero where the text is an amount;
    /// [`ABSENT`].
    pub values: &'a [f64],
}

/// Checks a packed request and writes its body to the start of `body`: its length, where the request passes every
/// check without a warning and there is room to spare: each field is written in a room of its own, its end left over.
///
/// ```
/// use launchpad_desk::api::{endpoint::Operation, packed::{ABSENT, Packed, write_body}, validate::Rules};
///
/// let packed = Packed {
///     operation: Operation::Buy,
///     elements: 0,
///     texts: b"MintWallet",
///     values: &[4.0, 6.0, 1e9, ABSENT, 0.5, ABSENT, ABSENT],
/// };
/// let mut body = [0; 512];
/// let length = write_body(packed, &Rules::default(), &mut body).unwrap();
/// assert_eq!(&body[..length], concat!(
///     r#"{"mint":"Mint","fromWallet":"Wallet","amountInLamports":1000000000,"feePayer":null,"#,
///     r#""slippage":0.5,"priorityUnitLimit":null,"priorityUnitPrice":null}"#,
/// ).as_bytes());
/// ```
pub fn write_body(packed: Packed, rules: &Rules, body: &mut [u8]) -> Option<usize> {
    let Packed { operation, elements, texts, values } = packed;
    if rules.max_bundle_size.is_some_and(|max| elements > max as usize) {
        return None;
    }
    hot::body::write_body(PLANS.get(operation as usize)?, &limits_of(rules), elements, texts, values, body)
}

/// Judges a packed single trade: whether [`write_body`] would write it, for one who has its texts to put the body together
/// with. Each number in that has to stand as JS prints it.
pub fn judge(packed: Packed, rules: &Rules) -> Verdict {
    let Packed { operation, elements, texts, values } = packed;
    match PLANS.get(operation as usize) {
        Some(plan) if elements == 0 => hot::body::judge(plan, &limits_of(rules), texts, values),
        _ => Verdict::Unsure,
    }
}

fn limits_of(rules: &Rules) -> Limits {
    let percent = rules.slippage_unit == SlippageUnit::Percent;
    // What is over 100 % may have been meant as bps: that is for a warning to say.
    let slippage = if percent { 100.0 } else { f64::from(u32::MAX) };
    Limits { base58: rules.identifiers == Identifiers::Base58, slippage }
}

/// The request whose body [`write_body`] has written, as [`validate`] reads it from that body: what the guards go by,
/// without reading again what was written a moment ago. `None` for what is no such request.
///
/// [`validate`]: crate::api::validate::validate
///
/// ```
/// use launchpad_desk::api::{endpoint::Operation, packed::{ABSENT, Packed, written_request}, request::Amount};
///
/// let packed = Packed {
///     operation: Operation::Buy,
///     elements: 0,
///     texts: b"MintWallet",
///     values: &[4.0, 6.0, 1e9, ABSENT, 0.5, ABSENT, ABSENT],
/// };
/// let request = written_request(packed).unwrap();
/// assert_eq!(request.legs[0].amount, Amount::Lamports(1_000_000_000));
/// ```
pub fn written_request(packed: Packed) -> Option<Valid<Request>> {
    let Packed { operation, elements, texts, values } = packed;
    let mut fields = Fields { operation, texts, values };
    let mut legs = Vec::new();
    for _ in 0..elements {
        legs.push(Leg { from_wallet: fields.text()?, amount: fields.amount()?, slippage: fields.slippage() });
    }
    let mint = fields.text()?;
    let single = if elements == 0 { Some((fields.text()?, fields.amount()?)) } else { None };
    let fee_payer = fields.text();
    let mut slippage = fields.slippage();
    if let Some((from_wallet, amount)) = single {
        legs.push(Leg { from_wallet, amount, slippage: slippage.take() });
    }
    let (priority_unit_limit, priority_unit_price) = (fields.whole(), fields.whole());
    let all = fields.texts.is_empty() && fields.values.is_empty();
    all.then_some(Valid::unwarned(Request {
        operation,
        mint,
        fee_payer,
        slippage,
        priority_unit_limit,
        priority_unit_price,
        legs,
    }))
}

/// What is left of a packed request: each takes the next field, if there is one.
struct Fields<'a> {
    operation: Operation,
    texts: &'a [u8],
    values: &'a [f64],
}

impl Fields<'_> {
    fn value(&mut self) -> Option<f64> {
        let (value, others) = self.values.split_first()?;
        self.values = others;
        (!value.is_nan()).then_some(*value)
    }

    fn cut(&mut self, length: f64) -> Option<String> {
        let (text, others) = self.texts.split_at_checked(length as usize)?;
        self.texts = others;
        str::from_utf8(text).ok().map(str::to_owned)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.value()?;
        self.cut(length)
    }

    fn whole(&mut self) -> Option<u64> {
        self.value().map(|value| value as u64)
    }

    fn slippage(&mut self) -> Option<Slippage> {
        self.value().map(|value| Slippage::Bare(decimal(value)))
    }

    fn amount(&mut self) -> Option<Amount> {
        let value = self.value()?;
        if self.operation.is_buy() {
            return Some(Amount::Lamports(value as u64));
        }
        let (number, form) = if value < 0.0 {
            (Decimal::from_plain(&self.cut(-value)?).ok()?, Form::String)
        } else {
            (decimal(value), Form::Number)
        };
        Some(match self.operation {
            Operation::Sell | Operation::BundleSell => Amount::Tokens(TokenAmount { tokens: number, form }),
            _ => Amount::Percentage(Percentage(number)),
        })
    }
}

/// A number as it is in a body: whole, or of one decimal or six, and at most 15 digits.
fn decimal(value: f64) -> Decimal {
    let tenths = (value * 10.0).round_ties_even();
    if value == value.trunc() {
        Decimal::from_units(value as u64, 0)
    } else if tenths / 10.0 == value {
        Decimal::from_units(tenths as u64, 1)
    } else {
        Decimal::from_units((value * 1e6).round_ties_even() as u64, 6)
    }
}

/// The field table as it is written by.
static PLANS: [Plan; Operation::ALL.len()] = {
    let mut plans = [Plan { list: None, fields: [None; 7] }; Operation::ALL.len()];
    let mut number = 0;
    while number < plans.len() {
        plans[number] = plan_of(Operation::ALL[number]);
        number += 1;
    }
    plans
};

const fn plan_of(operation: Operation) -> Plan {
    let (mut list, mut wallet, mut amount, mut slippage) = (None, None, None, None);
    let mut fields = [None; 7];
    let (mut index, mut next) = (0, 0);
    while index < FIELDS.len() {
        let row = &FIELDS[index];
        index += 1;
        let label = Some(Label::of(row.name, kind_of(row.field), !row.required.contains(operation)));
        if row.element.contains(operation) {
            match row.field {
                Field::FromWallet => wallet = label,
                Field::Slippage => slippage = label,
                _ => amount = label,
            }
        }
        if !row.body.contains(operation) {
            continue;
        }
        if matches!(row.field, Field::Buys | Field::Sells) {
            list = label;
        } else {
            fields[next] = label;
            next += 1;
        }
    }
    let list = match (list, wallet, amount, slippage) {
        (Some(list), Some(wallet), Some(amount), Some(slippage)) => {
            Some((list, Element { wallet, amount, slippage }))
        }
        _ => None,
    };
    Plan { list, fields }
}

const fn kind_of(field: Field) -> Kind {
    match field {
        Field::Mint | Field::FromWallet | Field::FeePayer => Kind::Identifier,
        Field::AmountInLamports => Kind::Lamports,
        Field::AmountInToken => Kind::Tokens,
        Field::Percentage => Kind::Percentage,
        Field::Slippage => Kind::Slippage,
        // A list's kind is not asked for.
        Field::PriorityUnitLimit | Field::PriorityUnitPrice | Field::Buys | Field::Sells => Kind::Units,
    }
}
