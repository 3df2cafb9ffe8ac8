//! What can go wrong. Every failure says first whether money may have moved.

use crate::amount::Digits;
use crate::bindings::debug_text;
use crate::codes::codes;
use crate::declaration::settings;
use crate::error_text;
use crate::response::Trade;
use crate::tape::json::JsonError;
use crate::tape::{ToTape, Writer};

codes! {
    /// Whether money may have moved.
    Outcome {
        /// Nothing left this machine.
        NotSent = "not_sent",
        /// The service refused the trade.
        Rejected = "rejected",
        /// The transaction ran and failed: nothing moved but the network fee.
        Failed = "failed",
        /// The trade may have been made. Never send it again: settle it.
        Unknown = "unknown",
    }
}

codes! {
    /// Why a trade did not land, or why that is unknown. Append-only.
    #[non_exhaustive]
    Code {
        /// Fields of the request are wrong; `error.fields` names each.
        InvalidRequest = "invalid_request",
        /// Options that cannot be used; `error.fields` names each.
        InvalidOptions = "invalid_options",
        /// The signal was aborted before anything was sent.
        AbortedBeforeSend = "aborted_before_send",
        /// Nothing was sent, and the transport proves it: on Node the default one, or `nodeFetch`.
        ConnectFailed = "connect_failed",
        /// The runtime lacks `fetch`, `AbortController` or timers.
        UnsupportedRuntime = "unsupported_runtime",
        /// The service says that the request is wrong (400, 404, 405, 413, 415, 422).
        RejectedByService = "rejected_by_service",
        /// The service does not accept the key (401, 403). Or a proxy or a firewall refuses the request: then the message has its page's title.
        Unauthorized = "unauthorized",
        /// Too many requests (429); `error.retryAfterMs` where the service says how long to wait.
        RateLimited = "rate_limited",
        /// The transaction ran and failed, as the chain's own error in the reply says; `error.trade` has the reply.
        TransactionFailed = "transaction_failed",
        /// The connection broke, or could not be opened and the transport cannot prove it.
        NetworkError = "network_error",
        /// No complete answer within `timeoutMs`.
        Timeout = "timeout",
        /// The signal was aborted after the request went out.
        Aborted = "aborted",
        /// The service answered with a redirect, which is never followed: it would forward the key.
        Redirected = "redirected",
        /// The service had an error of its own (5xx).
        ServiceError = "service_error",
        /// A status that does not say whether the trade was made.
        UnexpectedStatus = "unexpected_status",
        /// A success or a refusal whose body cannot be read; `error.evidence` has the start of the body.
        UnreadableReply = "unreadable_reply",
        /// The reply is longer than `maxReplyBytes`; also used by `readReply`.
        ReplyTooLarge = "reply_too_large",
        /// A render function was given an error that is not from a trade.
        UnexpectedError = "unexpected_error",
        /// The client is halted until trading is resumed.
        Halted = "halted",
        /// The client allows only sells until trading is resumed.
        Reducing = "reducing",
        /// A trade with this intent id is in flight.
        IntentInFlight = "intent_in_flight",
        /// A trade with this intent id may have landed: check, then `acknowledge` it.
        IntentUnknown = "intent_unknown",
        /// A trade with this intent id has already landed or been accepted.
        IntentLanded = "intent_landed",
        /// Too many unknown outcomes in a row: check and `acknowledge` each, or resume trading.
        BreakerOpen = "breaker_open",
        /// The mint is not in `allowMints`.
        MintNotAllowed = "mint_not_allowed",
        /// A wallet, or the fee payer, is not in `allowWallets`.
        WalletNotAllowed = "wallet_not_allowed",
        /// The request may take more than `maxLamportsPerTrade`: by all its buys, with the accounts that they may open and the network's fees,
        /// or, for a sell, for priority.
        OverTradeLimit = "over_trade_limit",
        /// A slippage is over `maxSlippage`; a leg without one counts as the service's 0.5 %.
        OverSlippageLimit = "over_slippage_limit",
        /// A wallet has as many trades in flight as `inFlightPerWallet` allows.
        WalletBusy = "wallet_busy",
        /// The request may take more than `maxLamportsPerDay` leaves of this day (UTC).
        OverDayLimit = "over_day_limit",
        /// More trades than `rateLimit` allows; `error.retryAfterMs` says how long to wait for a turn.
        OverRateLimit = "over_rate_limit",
        /// The deadline passed before anything was sent.
        TimeoutBeforeSend = "timeout_before_send",
        /// The journal could not record the trade, so it was not sent; or it could not record `halt`, `reduce` or `resume`, which
        /// then holds only until a restart. Of a file journal the message says which file, and which process has it; of a journal of yours
        /// only the `logger` gets the reason.
        JournalFailed = "journal_failed",
        /// The hook before sending threw, or returned balances that cannot be used. Only the `logger` gets what it threw.
        HookFailed = "hook_failed",
        /// The function for the API key threw, or returned no usable key.
        ApiKeyUnavailable = "api_key_unavailable",
        /// `dryRun`: every check passed, and the trade was not sent.
        DryRun = "dry_run",
        /// A reply that contradicts the request or itself: a different mint or wallet, a `sellAmount` in answer to a buy, a
        /// `success` or an `error` that its `transactionResult` denies, two signatures, a success with the chain's error, with words
        /// that its end is not known, or with an amount of zero, a failure of which a part succeeded or whose balances moved, the
        /// signature of another trade. Missing fields contradict nothing. Or a refusal whose body tells of a trade: a signature, a
        /// transaction result, a field of `result`, that it succeeded, or that nobody knows how it ended.
        /// `error.evidence` has the start of the reply.
        ContradictoryReply = "contradictory_reply",
        /// The plan has expired, or its timestamp is in the future (the client's clock was set back): make a new one.
        PlanExpired = "plan_expired",
        /// The plan was sent before, or its intent id is known from another trade. If it may have landed, find that out before
        /// you make a new one.
        PlanUsed = "plan_used",
        /// The plan was changed after it was made, or is not a plan.
        PlanAltered = "plan_altered",
        /// The plan was made for another base URL or unit of slippage, or for a sandbox although this client sends to a
        /// service, or the other way round.
        PlanForAnotherService = "plan_for_another_service",
        /// A gateway waits for a person's approval; the trade may be made later. Wait for the answer with
        /// `waitFor`.
        AwaitingApproval = "awaiting_approval",
        /// A gateway refuses the trade: its policy does not allow it, it was not approved, or the gateway had no connection to the service.
        /// `error.serviceMessage` says why.
        RefusedByGateway = "refused_by_gateway",
        /// `waitFor`: the gateway has no such intent. It never arrived, was sent with another token, or has been forgotten.
        IntentNotFound = "intent_not_found",
        /// `maxImpactBps` or `maxPriceAgeMs` is set, and the buy has no price that says this: give the client a market, or send a plan that has a price.
        NoPrice = "no_price",
        /// The price of the buy's plan is older than `maxPriceAgeMs`: make a new plan.
        PriceTooOld = "price_too_old",
        /// The buy would move the price by more than `maxImpactBps`.
        OverImpactLimit = "over_impact_limit",
        /// The service says that the transaction failed, but its reply does not have the chain's own error. Services also say that when a
        /// confirmation took too long, and the transaction may still land. `trustsFailure` takes the service's word as proof.
        /// `error.signature` has the transaction to look for, if the reply names one.
        UnprovenFailure = "unproven_failure",
        /// The package's WebAssembly module failed: no memory was left, or it has a bug. Or the runtime failed in the middle of a call.
        /// Nothing was sent. What was made with that module is lost: make it again. A new client works, and its journal knows the rest.
        ModuleFailed = "module_failed",
        /// The same after the request went out.
        ModuleFailedAfterSend = "module_failed_after_send",
        /// An amount to sell is in base units, and the market says that the token has other decimals than `tokenDecimals`: it would sell
        /// another amount. Set `tokenDecimals` to the token's own, or name whole tokens.
        OtherTokenDecimals = "other_token_decimals",
        /// An amount to sell is in base units, and the market has not said how many decimals the token has: try again, or name whole
        /// tokens. `build` asks no market: plan the sell first, which does.
        TokenDecimalsUnknown = "token_decimals_unknown",
    }
}

impl Code {
    /// Whether money may have moved where this is the reason.
    pub const fn outcome(self) -> Outcome {
        use Code::*;
        match self {
            InvalidRequest | InvalidOptions | AbortedBeforeSend | TimeoutBeforeSend | ConnectFailed => {
                Outcome::NotSent
            }
            UnsupportedRuntime | JournalFailed | HookFailed | ApiKeyUnavailable | DryRun => Outcome::NotSent,
            ModuleFailed => Outcome::NotSent,
            PlanExpired | PlanUsed | PlanAltered | PlanForAnotherService => Outcome::NotSent,
            // Refusals by the guards.
            Halted | Reducing | IntentInFlight | IntentUnknown | IntentLanded | BreakerOpen => {
                Outcome::NotSent
            }
            MintNotAllowed | WalletNotAllowed | OverTradeLimit | OverSlippageLimit => Outcome::NotSent,
            WalletBusy | OverDayLimit | OverRateLimit => Outcome::NotSent,
            NoPrice | PriceTooOld | OverImpactLimit => Outcome::NotSent,
            OtherTokenDecimals | TokenDecimalsUnknown => Outcome::NotSent,
            RejectedByService | Unauthorized | RateLimited | RefusedByGateway => Outcome::Rejected,
            TransactionFailed => Outcome::Failed,
            NetworkError | Timeout | Aborted | Redirected | ServiceError => Outcome::Unknown,
            UnexpectedStatus | UnreadableReply | ContradictoryReply | ReplyTooLarge => Outcome::Unknown,
            UnexpectedError | AwaitingApproval | IntentNotFound | UnprovenFailure => Outcome::Unknown,
            ModuleFailedAfterSend => Outcome::Unknown,
        }
    }
}

codes! {
    /// What is wrong with one field. Append-only.
    #[non_exhaustive]
    FieldCode {
        /// Required, but absent or null.
        Required = "required",
        /// No such field; the message names the nearest one.
        UnknownField = "unknown_field",
        /// Not the interface's type.
        WrongType = "wrong_type",
        /// NaN, an infinity, or text that is not a plain decimal number.
        NotANumber = "not_a_number",
        /// A fraction where a whole number is needed; also tokens finer than a base unit.
        NotAnInteger = "not_an_integer",
        /// A JS number too large to be exact: pass a bigint or a string.
        NotExact = "not_exact",
        /// Zero or below.
        NotPositive = "not_positive",
        /// Outside the allowed range.
        OutOfRange = "out_of_range",
        /// Empty text, as forms send it, or an empty list.
        Empty = "empty",
        /// White space, a control character, an invisible one or broken text in an identifier.
        WhiteSpace = "white_space",
        /// Longer than allowed.
        TooLong = "too_long",
        /// Not 32 bytes in base58.
        NotBase58 = "not_base58",
        /// More elements than `maxBundleSize`.
        TooMany = "too_many",
        /// The value cannot be read: a getter that throws, a cycle, too much nesting or length.
        Unreadable = "unreadable",
        /// A value that contradicts another field.
        Conflict = "conflict",
        /// Not on the allow-list.
        NotAllowed = "not_allowed",
        /// Typed or pasted text that may mean two things, such as `1.000`: it is never guessed.
        Ambiguous = "ambiguous",
    }
}

codes! {
    /// A warning about a request that is sent anyway. Append-only.
    #[non_exhaustive]
    WarningCode {
        /// A slippage over 100 %, or a bare one over 100 while `slippageUnit` is `percent`: it may have been meant as basis points.
        SlippageUnit = "slippage_unit",
        /// A percentage below 1: it may have been meant as a part of the whole.
        PercentageUnit = "percentage_unit",
    }
}

settings! {
    /// What is wrong with one field.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
    FieldError {
        /// Its path: `buys[3].amountInLamports`; empty for the request as a whole.
        field: String => "string",
        /// The stable code.
        code: FieldCode => "FieldCode",
        /// A sentence for a person.
        message: String => "string",
    }
}

impl FieldError {
    /// A problem of a field; `what` follows its path in the message.
    pub fn of(field: &str, code: FieldCode, what: &str) -> FieldError {
        FieldError { field: field.to_owned(), code, message: [field, " ", what].concat() }
    }

    /// Why a text as a whole is not JSON; the message begins with `text`: `the body has `.
    #[doc(hidden)]
    pub fn of_json(text: &str, error: JsonError) -> FieldError {
        let message = [text, error.what, ", at byte ", &error.at.digits()].concat();
        FieldError { field: String::new(), code: FieldCode::Unreadable, message }
    }
}

impl ToTape for FieldError {
    fn write(&self, tape: &mut Writer) {
        tape.problem(&self.field, self.code.as_str(), &self.message);
    }
}

settings! {
    /// A warning about a request that is sent anyway.
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    #[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
    Warning {
        /// The path of the field.
        field: String => "string",
        /// The stable code.
        code: WarningCode => "WarningCode",
        /// A sentence for a person.
        message: String => "string",
    }
}

impl ToTape for Warning {
    fn write(&self, tape: &mut Writer) {
        tape.problem(&self.field, self.code.as_str(), &self.message);
    }
}

/// Why a trade did not land, or why that is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Whether money may have moved.
    pub outcome: Outcome,
    /// The stable code.
    pub code: Code,
    /// A sentence for a person, with the service's own reason if it gave one. Never contains a key or a header.
    pub message: String,
    /// Every bad field: for [`Code::InvalidRequest`], and if a service names them.
    pub fields: Vec<FieldError>,
    /// The HTTP status, if there was an answer.
    pub status: Option<u16>,
    /// What the service said, bounded and on one line.
    pub service_message: Option<String>,
    /// How long the service asks to wait.
    pub retry_after_ms: Option<u64>,
    /// The signature of the transaction that a reply of unknown meaning is about, if it names one.
    pub signature: Option<String>,
    /// The start of a reply that cannot be trusted, for investigation.
    pub evidence: Option<Evidence>,
    /// The decoded reply, for [`Code::TransactionFailed`].
    pub trade: Option<Box<Trade>>,
}

/// The start of a reply's body, bounded. `Debug` leaves out its text, because debug output ends up in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Evidence(pub String);

debug_text!(Evidence, |_| "Evidence");

impl Error {
    /// An error with only a code and a sentence. The code says whether money may have moved.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Error {
            outcome: code.outcome(),
            code,
            message: message.into(),
            fields: Vec::new(),
            status: None,
            service_message: None,
            retry_after_ms: None,
            signature: None,
            evidence: None,
            trade: None,
        }
    }

    /// Adds what the service said: to `service_message` for programs, and to the end of the sentence for
    /// people.
    pub fn add_service_message(&mut self, said: Option<String>) {
        if let Some(said) = &said {
            self.message.push_str(": ");
            self.message.push_str(said);
        }
        self.service_message = said;
    }

    /// A request that may not be sent, with every bad field.
    pub fn invalid_request(fields: Vec<FieldError>) -> Self {
        let mut message = String::from("not sent: ");
        for (index, problem) in fields.iter().take(3).enumerate() {
            message.push_str(if index == 0 { "" } else { "; " });
            message.push_str(&problem.message);
        }
        if fields.len() > 3 {
            message.push_str("; and ");
            message.push_str(&(fields.len() - 3).digits());
            message.push_str(" more");
        }
        Error { fields, ..Error::new(Code::InvalidRequest, message) }
    }
}

error_text!(Error, |error| &error.message);
error_text!(FieldError, |problem| &problem.message);
