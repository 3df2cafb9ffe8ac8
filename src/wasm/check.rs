//! Checks without a client: a request for a panel's form, a body and a reply for a worker at the edge.

use js_sys::{JsString, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::amount::{Digits, SlippageUnit};
use crate::api::encode::{BuiltCall, encode};
use crate::api::endpoint::{Operation, Reply};
use crate::api::validate::{CheckResult, Valid, validate};
use crate::error::{Code, Error, FieldCode, FieldError};
use crate::reader::{self, Reader};
use crate::tape::json;
use crate::tape::{Tape, ToTape};
use crate::trade::reconcile::{Balances, reconcile};
use crate::trade::{Asked, Dialect, classify, redacted, send_failure};
use crate::wasm::argument::{given_options, operation_of, refused};
use crate::wasm::convert::{from_js, to_js};
use crate::wasm::desk::{Journaled, request_of, status_of};
use crate::wasm::error::{invalid_options, to_error};
use crate::wasm::trade::trade_value;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What an unresolved trade's wallets hold now, at the commitment `finalized`, and what they held before it was sent. */
export interface Observed {
    /** What the wallets hold now. A trading wallet that is missing here or in `before` proves nothing. */
    now: WalletBalances[];
    /** What they held before the trade was sent. Default: the intent's own `before`. */
    before?: WalletBalances[];
    /** Fraction digits of a whole token. Default 6. */
    tokenDecimals?: number;
    /** Whether the transaction could still land when the balances were read again: false from about 90 seconds after the
     * service built it. Default true: balances that have not moved then prove nothing. */
    canStillLand?: boolean;
    /** Whether the wallets signed anything else between the readings. Default true: nothing is proven then. */
    walletsShared?: boolean;
}
/** What one wallet holds, at one moment. */
export interface WalletBalances {
    /** Its id. */
    wallet: string;
    /** Its tokens of the trade's mint, in base units; 0 without a token account. */
    tokens: number | bigint | string;
    /** Its lamports. If they are missing before or now, a buy is at most likely. */
    lamports?: number | bigint | string;
}
/** What became of a trade, as far as balances tell. */
export interface Reconciled {
    /** `proven` if `Observed` is true; `likely` if something else would fit too; `open` if the balances do not say. */
    certainty: Certainty;
    /** Whether it landed; `null` where that is open. */
    landed: boolean | null;
    /** What each wallet shows: the trade, a move that may have been something else, nothing, another move; or it was not read. */
    findings: { wallet: string; shows: Shown }[];
}
/** A trade as it was sent: what `readCall` and `build` give, or an intent. */
export interface SentCall {
    /** What was asked for. */
    operation: Operation;
    /** The exact body. */
    body: string;
}
/** How requests are read and checked. Unknown names are refused. */
export interface CheckOptions {
    /** Unit the service counts slippage in. Default `percent`. */
    slippageUnit?: "percent" | "bps";
    /** `base58` checks that mints and wallet ids are 32 bytes in base58. Default `any`. */
    identifiers?: "any" | "base58";
    /** The most elements of a bundle. Default: no limit. */
    maxBundleSize?: number;
    /** What the service calls the two branded fields of its replies. */
    replyNames?: { explorer?: string; launchpad?: string };
    /** What a status other than success means with this service, if it differs from docs/codes.md. */
    statusPolicy?: Record<number, "rejected" | "unknown">;
    /** Fraction digits of a whole token, for amounts that name their unit. Default 6, at most 18. */
    tokenDecimals?: number;
    /** The most bytes of a reply that are read. Default 1048576, at most 16777216. */
    maxReplyBytes?: number;
}
/**
 * Whether a request may be sent: whether `validate` finds no errors.
 *
 * ```js
 * const sendable = requests.filter((request) => isValid("buy", request, { identifiers: "base58" }));
 * ```
 */
export function isValid<O extends Operation>(operation: O, request: unknown, options?: CheckOptions): request is RequestOf[O];
"#;

/// The most bytes of a reply that are read, unless options say otherwise: as a client's `maxReplyBytes`.
const MAX_REPLY: u32 = 1 << 20;

/// The most that options may make of that, and the longest request body, in characters.
const MAX_BODY: u32 = 1 << 24;

/// Checks a request, as a form does at each keystroke: every bad field with its path, code and a sentence.
/// It throws for no request.
#[wasm_bindgen(js_name = validate, unchecked_return_type = "CheckResult")]
pub fn validate_request(
    #[wasm_bindgen(unchecked_param_type = "Operation")] operation: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "unknown")] request: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let dialect = dialect_of(operation, options)?;
    let operation = operation_of(operation)?;
    let result = match validate(operation, from_js(request).root(), &dialect.rules) {
        Ok(valid) => CheckResult { errors: Vec::new(), warnings: valid.warnings().to_vec() },
        Err(errors) => CheckResult { errors, warnings: Vec::new() },
    };
    Ok(to_js(&result.to_tape()))
}

/// Whether a request may be sent; the declaration above makes it a type guard.
#[wasm_bindgen(js_name = isValid, skip_typescript)]
pub fn is_valid(operation: &JsValue, request: &JsValue, options: &JsValue) -> Result<bool, JsValue> {
    let dialect = dialect_of(operation, options)?;
    Ok(validate(operation_of(operation)?, from_js(request).root(), &dialect.rules).is_ok())
}

/// The operation served at a path such as `/v1/trade/buy`; `undefined` where there is none.
#[wasm_bindgen(js_name = operationAt, unchecked_return_type = "Operation | undefined")]
pub fn operation_at(#[wasm_bindgen(unchecked_param_type = "string")] path: &JsValue) -> Option<String> {
    Operation::from_path(&path.as_string()?).map(|operation| operation.as_str().to_owned())
}

/// Reads the JSON body of a request without loss, checks it, and writes it again with exactly the spec's fields: what a
/// gateway forwards.
///
/// @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
#[wasm_bindgen(js_name = readCall, unchecked_return_type = "BuiltCall")]
pub fn read_call(
    #[wasm_bindgen(unchecked_param_type = "Operation")] operation: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string")] body: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let operation = operation_of(operation)?;
    let (dialect, _) = read_options(options)?;
    let invalid = |problems| to_error(&Error::invalid_request(problems));
    let unread = |code, message| invalid(vec![FieldError { field: String::new(), code, message }]);
    let text = body
        .dyn_ref::<JsString>()
        .ok_or_else(|| unread(FieldCode::WrongType, "the body must be text, and awaited".into()))?;
    // Asked before it is copied.
    if text.length() > MAX_BODY {
        let message = ["the body is over ", &MAX_BODY.digits(), " characters"].concat();
        return Err(unread(FieldCode::TooLong, message));
    }
    let request = json::parse(String::from(text).as_bytes()).map_err(|error| {
        let message = ["the body has ", error.what, ", at byte ", &error.at.digits()].concat();
        unread(FieldCode::Unreadable, message)
    })?;
    let valid = validate(operation, request.root(), &dialect.rules).map_err(invalid)?;
    Ok(to_js(&built(&valid, dialect.rules.slippage_unit)))
}

fn built(valid: &Valid<crate::api::request::Request>, unit: SlippageUnit) -> Tape {
    let call = encode(valid, unit);
    let warnings = valid.warnings().to_vec();
    let (path, body) = (call.path, call.body);
    BuiltCall { operation: call.operation, method: "POST", url: None, path, body, warnings }.to_tape()
}

/// Reads a service's reply, its body as text or as bytes: the trade, where it was made or the reply does not say. Given
/// the call that was sent, not its operation alone, it also sees whether the reply is about another mint or wallet.
///
/// ```js
/// const call = readCall("buy", body);
/// const trade = readReply(call, response.status, await response.text());
/// ```
///
/// @throws {TradeRejectedError} {TradeFailedError} {TradeOutcomeUnknownError} as a client does.
#[wasm_bindgen(js_name = readReply, unchecked_return_type = "Trade")]
pub fn read_reply(
    #[wasm_bindgen(unchecked_param_type = "SentCall | Operation")] sent: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] status: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string | Uint8Array")] body: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "CheckOptions")] options: &JsValue,
) -> Result<JsValue, JsValue> {
    let request = sent.is_object().then(|| request_of(sent)).transpose()?;
    let ((dialect, most), asked) = match &request {
        Some(request) => (read_options(options)?, Asked::from(&**request)),
        None => (options_of(sent, options)?, operation_of(sent)?.into()),
    };
    // Anything but a number in range is an unknown status.
    let status = status_of(status.as_f64().unwrap_or(f64::NAN));
    let body = match bytes_of(body, most) {
        Some(body) => body,
        // The status alone makes a refusal, whatever happens to its body.
        None if !(200..300).contains(&status) => Vec::new(),
        None => {
            let error = send_failure(Code::ReplyTooLarge, &most.digits());
            return Err(to_error(&Error { status: Some(status), ..error }));
        }
    };
    let reply = Reply { status, headers: Vec::new(), body };
    match classify(asked, &reply, &dialect, 0) {
        Ok(trade) => Ok(to_js(&trade_value(&trade))),
        Err(error) => Err(to_error(&error)),
    }
}

/// The bytes of a body, which may be text; `None` where there are more than `most`. What is neither says nothing.
fn bytes_of(body: &JsValue, most: u32) -> Option<Vec<u8>> {
    // Both are asked for their length before they are copied.
    if let Some(bytes) = body.dyn_ref::<Uint8Array>() {
        return match bytes.length() {
            // Transferred bytes are empty.
            0 => Some(Vec::new()),
            length => (length <= most).then(|| bytes.to_vec()),
        };
    }
    let Some(text) = body.dyn_ref::<JsString>() else { return Some(Vec::new()) };
    let body = (text.length() <= most).then(|| String::from(text).into_bytes())?;
    (body.len() <= most as usize).then_some(body)
}

/// Removes a key from a text, however the key is spelled: plain, escaped as in JSON, percent-encoded, as HTML entities, and
/// any mix of these up to three levels deep. A gateway does this to a reply before anybody reads it. Without a key, or if
/// the key is not in it, the text is returned unchanged.
///
/// ```js
/// redact('{"message":"bad key \\u0073ecre%74"}', "secret"); // {"message":"bad key [redacted]"}
/// ```
///
/// @throws {TradeNotSentError} `invalid_request`, where the text or the key is something else.
#[wasm_bindgen(unchecked_return_type = "string")]
pub fn redact(
    #[wasm_bindgen(unchecked_param_type = "string")] text: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "string | null | undefined")] key: &JsValue,
) -> Result<JsValue, JsValue> {
    let given = text.as_string().ok_or_else(|| refused("text", "must be text".into()))?;
    if key.is_null() || key.is_undefined() {
        return Ok(text.clone());
    }
    let key = key.as_string().ok_or_else(|| refused("key", "must be text".into()))?;
    let clean = redacted(given.clone().into_bytes(), key.as_bytes());
    // Rust has no half of a surrogate pair, so an unchanged text is returned as it came.
    if clean == given.as_bytes() {
        Ok(text.clone())
    } else {
        Ok(String::from_utf8_lossy(&clean).as_ref().into())
    }
}

/// Says what balances prove about a trade whose outcome is unknown, for `acknowledge`. The intent is one of
/// `pending()`, or a journal's.
///
/// ```js
/// for (const intent of await client.pending()) {
///   const { certainty, landed } = reconcile(intent, { now: await balancesOf(intent.wallets), canStillLand: false, walletsShared: false });
///   if (certainty === "proven") await client.acknowledge(intent.intentId, landed ? "landed" : "did_not_land");
/// }
/// ```
///
/// @throws {TradeNotSentError} `invalid_request` or `invalid_options`, with every bad field in `fields`.
#[wasm_bindgen(js_name = reconcile, unchecked_return_type = "Reconciled")]
pub fn reconcile_intent(
    #[wasm_bindgen(unchecked_param_type = "Pick<TradeIntent, \"operation\" | \"body\" | \"before\">")]
    intent: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "Observed")] observed: &JsValue,
) -> Result<JsValue, JsValue> {
    let Journaled { record, request, .. } = Journaled::read(intent, 0.0)?;
    let seen = record.before.unwrap_or_default();
    let balances = reader::read(given_options(observed).root(), |r| Balances::read(r, &seen));
    let balances = balances.map_err(|problems| invalid_options("balances", problems))?;
    Ok(to_js(&reconcile(&request, &balances).to_tape()))
}

/// How requests are checked, where the operation is looked at later.
fn dialect_of(operation: &JsValue, options: &JsValue) -> Result<Dialect, JsValue> {
    options_of(operation, options).map(|(dialect, _)| dialect)
}

/// Reads the options of a call before its operation; if both are bad, the error names the operation.
fn options_of(operation: &JsValue, options: &JsValue) -> Result<(Dialect, u32), JsValue> {
    if options.is_undefined() {
        return Ok((Dialect::default(), MAX_REPLY));
    }
    read_options(options).map_err(|error| operation_of(operation).err().unwrap_or(error))
}

/// How requests and replies are read, and the most bytes of a reply.
fn read_options(options: &JsValue) -> Result<(Dialect, u32), JsValue> {
    let read = |r: &mut Reader| {
        let most = r.whole_within("maxReplyBytes", 1, MAX_BODY.into());
        (Dialect::read(r), most.map_or(MAX_REPLY, |most| most as u32))
    };
    reader::read(given_options(options).root(), read).map_err(|problems| invalid_options("options", problems))
}
