//! What can go wrong, and what each failure says first: may the money have moved?

use crate::amount::Digits;
use crate::api::response::Trade;
use crate::to_value;
use crate::value::{ToValue, Value};

/// Declares codes: a stable name and what it means, once.
macro_rules! codes {
    ($(#[$doc:meta])* $enum:ident { $($(#[$meaning:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        pub enum $enum {
            $($(#[$meaning])* #[cfg_attr(target_arch = "wasm32", serde(rename = $name))] $variant,)*
        }

        impl $enum {
            /// Every code, in the order they were added.
            pub const ALL: &[$enum] = &[$($enum::$variant),*];

            /// The code's stable name.
            pub const fn as_str(self) -> &'static str {
                match self { $($enum::$variant => $name,)* }
            }

            /// The code with that name.
            pub fn from_name(name: &str) -> Option<$enum> {
                $enum::ALL.iter().find(|code| code.as_str() == name).copied()
            }
        }

        impl ToValue for $enum {
            fn to_value(&self) -> Value {
                self.as_str().to_value()
            }
        }
    };
}

codes! {
    /// Whether money may have moved.
    Outcome {
        /// Nothing left this machine.
        NotSent = "not_sent",
        /// The service refused it.
        Rejected = "rejected",
        /// The transaction failed: nothing moved but the network fee.
        Failed = "failed",
        /// It may have happened. Look before you send it again.
        Unknown = "unknown",
    }
}

codes! {
    /// Why a trade did not land, or is not known to have. Append-only.
    Code {
        /// A field of the request is wrong; `fields` names each.
        InvalidRequest = "invalid_request",
        /// Options that cannot be used; `fields` names each.
        InvalidOptions = "invalid_options",
        /// The signal was aborted before anything was sent.
        AbortedBeforeSend = "aborted_before_send",
        /// Nothing was sent, and the transport proves it.
        ConnectFailed = "connect_failed",
        /// The runtime lacks what sending takes: `fetch`, `AbortController`.
        UnsupportedRuntime = "unsupported_runtime",
        /// The service says the request is wrong (400, 404, 405, 413, 415, 422).
        RejectedByService = "rejected_by_service",
        /// The service does not accept the key (401, 403).
        Unauthorized = "unauthorized",
        /// Too many requests (429); `retryAfterMs` when the service says.
        RateLimited = "rate_limited",
        /// The transaction ran and failed; `trade` holds the reply.
        TransactionFailed = "transaction_failed",
        /// The connection broke, or never was and the transport does not prove it.
        NetworkError = "network_error",
        /// No complete answer within the deadline.
        Timeout = "timeout",
        /// The signal was aborted after the request went out.
        Aborted = "aborted",
        /// The service answered with a redirect, which is never followed.
        Redirected = "redirected",
        /// The service had an error of its own (5xx).
        ServiceError = "service_error",
        /// A status that does not say whether the trade was made.
        UnexpectedStatus = "unexpected_status",
        /// A success whose body cannot be read.
        UnreadableReply = "unreadable_reply",
        /// The reply is longer than `maxReplyBytes`.
        ReplyTooLarge = "reply_too_large",
        /// An error that is not this package's, given to be rendered.
        UnexpectedError = "unexpected_error",
        /// The client is halted.
        Halted = "halted",
        /// The client lets only sells through.
        Reducing = "reducing",
        /// The intent is on its way already.
        IntentInFlight = "intent_in_flight",
        /// The intent's outcome is unknown, and nobody has acknowledged what became of it.
        IntentUnknown = "intent_unknown",
        /// The intent has landed, or was accepted, before.
        IntentLanded = "intent_landed",
        /// Too many unknown outcomes in a row.
        BreakerOpen = "breaker_open",
        /// The mint is not in `allowMints`.
        MintNotAllowed = "mint_not_allowed",
        /// A wallet is not in `allowWallets`.
        WalletNotAllowed = "wallet_not_allowed",
        /// Spends more than `maxLamportsPerTrade`.
        OverTradeLimit = "over_trade_limit",
        /// A slippage is over `maxSlippage`.
        OverSlippageLimit = "over_slippage_limit",
        /// A wallet has as many trades under way as `inFlightPerWallet` allows.
        WalletBusy = "wallet_busy",
        /// Spends more than `maxLamportsPerDay` leaves.
        OverDayLimit = "over_day_limit",
        /// More trades than `rateLimit` allows; `retryAfterMs` says when there is a turn.
        OverRateLimit = "over_rate_limit",
        /// The deadline passed before anything was sent.
        TimeoutBeforeSend = "timeout_before_send",
        /// The journal could not take the trade down, so it was not sent.
        JournalFailed = "journal_failed",
        /// The hook before the send threw.
        HookFailed = "hook_failed",
        /// The function that gives the API key threw, or gave none that can be used.
        ApiKeyUnavailable = "api_key_unavailable",
        /// `dryRun`: every check passed, and the trade was not sent.
        DryRun = "dry_run",
        /// The reply contradicts what was asked, or itself.
        ContradictoryReply = "contradictory_reply",
    }
}

codes! {
    /// What is wrong with one field. Append-only.
    FieldCode {
        /// Absent or null, and needed.
        Required = "required",
        /// No such field.
        UnknownField = "unknown_field",
        /// Another type than the spec's.
        WrongType = "wrong_type",
        /// NaN, an infinity, or text that is not a plain decimal number.
        NotANumber = "not_a_number",
        /// A fraction, where a whole number is due: tokens finer than a base unit, too.
        NotAnInteger = "not_an_integer",
        /// A JS number too large to be exact: pass a bigint or a string.
        NotExact = "not_exact",
        /// Zero or below.
        NotPositive = "not_positive",
        /// Outside the allowed range.
        OutOfRange = "out_of_range",
        /// Empty text, as a form has it, or an empty list.
        Empty = "empty",
        /// White space or a control character in an identifier.
        WhiteSpace = "white_space",
        /// Longer than allowed.
        TooLong = "too_long",
        /// Not 32 bytes in base58.
        NotBase58 = "not_base58",
        /// More elements than `maxBundleSize`.
        TooMany = "too_many",
        /// The value cannot be read: a getter that throws, a cycle, nesting without end.
        Unreadable = "unreadable",
        /// A value that contradicts another field.
        Conflict = "conflict",
        /// Not on the list of what is allowed.
        NotAllowed = "not_allowed",
    }
}

codes! {
    /// What is odd about a request that is sent all the same. Append-only.
    WarningCode {
        /// A bare slippage over 100 while `slippageUnit` is `percent`: it may have been meant as bps.
        SlippageUnit = "slippage_unit",
    }
}

/// What is wrong with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct FieldError {
    /// Its path: `buys[3].amountInLamports`; empty for the request as a whole.
    pub field: String,
    /// The stable code.
    pub code: FieldCode,
    /// A sentence for a person.
    pub message: String,
}
to_value!(FieldError { field, code, message });

/// Something odd about a request that is sent all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Warning {
    /// The path of the field.
    pub field: String,
    /// The stable code.
    pub code: WarningCode,
    /// A sentence for a person.
    pub message: String,
}
to_value!(Warning { field, code, message });

/// Why a trade did not land, or is not known to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// May the money have moved?
    pub outcome: Outcome,
    /// The stable code.
    pub code: Code,
    /// A sentence for a person, with the service's own reason where it gave one. Never holds a key or a header.
    pub message: String,
    /// Every bad field, for [`Code::InvalidRequest`].
    pub fields: Vec<FieldError>,
    /// The HTTP status, where there was an answer.
    pub status: Option<u16>,
    /// What the service said, bounded and on one line.
    pub service_message: Option<String>,
    /// How long the service asks to wait.
    pub retry_after_ms: Option<u64>,
    /// The start of a reply that cannot be trusted, to look into.
    pub evidence: Option<Evidence>,
    /// The decoded reply, for [`Code::TransactionFailed`].
    pub trade: Option<Box<Trade>>,
}

/// The start of a reply's body, bounded. Its text stays out of `Debug`, for that ends up in logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Evidence(pub String);

impl std::fmt::Debug for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Evidence")
    }
}

impl Error {
    /// An error that is told by its code and a sentence alone.
    pub fn new(outcome: Outcome, code: Code, message: impl Into<String>) -> Self {
        Error {
            outcome,
            code,
            message: message.into(),
            fields: Vec::new(),
            status: None,
            service_message: None,
            retry_after_ms: None,
            evidence: None,
            trade: None,
        }
    }

    /// Takes in what the service said, for programs and, at the end of the sentence, for people.
    pub fn hear(&mut self, said: Option<String>) {
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
        Error { fields, ..Error::new(Outcome::NotSent, Code::InvalidRequest, message) }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
