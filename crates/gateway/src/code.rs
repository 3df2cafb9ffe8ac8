//! The codes of a gateway's own answers, each with its HTTP status and outcome.

use launchpad_desk::bindings::codes::codes;
use launchpad_desk::error::{Code, Outcome};

codes! {
    /// Why a gateway answers with a problem: the `code` of its body. Append-only.
    #[non_exhaustive]
    GatewayCode {
        /// Fields of the request are wrong; `fields` names each.
        InvalidRequest = "invalid_request",
        /// The header `idempotency-key` appears twice, or is not 1 to 128 visible ASCII characters.
        InvalidIdempotencyKey = "invalid_idempotency_key",
        /// The token is missing or unknown.
        Unauthorized = "unauthorized",
        /// There is nothing at this path.
        NotFound = "not_found",
        /// The caller has no such plan, or it has expired.
        PlanNotFound = "plan_not_found",
        /// There is no such intent.
        IntentNotFound = "intent_not_found",
        /// The path does not have this method.
        MethodNotAllowed = "method_not_allowed",
        /// The body is longer than `maxBodyBytes`.
        BodyTooLarge = "body_too_large",
        /// The body must be JSON in UTF-8, without a content encoding.
        UnsupportedMediaType = "unsupported_media_type",
        /// The key was used before, with another path or body.
        IdempotencyKeyReused = "idempotency_key_reused",
        /// The intent is in flight: ask again with the same key.
        IntentInFlight = "intent_in_flight",
        /// An operator must approve the trade first: ask again with the same key.
        AwaitingApproval = "awaiting_approval",
        /// An operator denied the trade.
        ApprovalDenied = "approval_denied",
        /// Nobody approved the trade in time.
        ApprovalExpired = "approval_expired",
        /// Its outcome was unknown, and an operator or the chain found that it did not land.
        DidNotLand = "did_not_land",
        /// The desk is halted.
        Halted = "halted",
        /// The desk only sells.
        Reducing = "reducing",
        /// The mint is not in `allowMints`.
        MintNotAllowed = "mint_not_allowed",
        /// A wallet, or the fee payer, is not in `allowWallets`.
        WalletNotAllowed = "wallet_not_allowed",
        /// The request may take more than `maxLamportsPerTrade`: by all its buys, with the accounts that they may open and the network's fees,
        /// or, for a sell, for priority.
        OverTradeLimit = "over_trade_limit",
        /// A slippage is over `maxSlippage`.
        OverSlippageLimit = "over_slippage_limit",
        /// With what was spent in the last 24 hours, the request may take more than `maxLamportsPerDay`.
        OverDayLimit = "over_day_limit",
        /// With what it spent in the last 24 hours, a wallet may lose more than `maxLamportsPerWalletPerDay`.
        OverWalletDayLimit = "over_wallet_day_limit",
        /// A percentage is over `maxPercentage`.
        OverPercentageLimit = "over_percentage_limit",
        /// The bundle has more elements than `maxBundleSize`.
        OverBundleSize = "over_bundle_size",
        /// A wallet has as many trades in flight as `inFlightPerWallet` allows.
        WalletBusy = "wallet_busy",
        /// The audit log does not fit together: an operator must look at it and acknowledge it.
        AuditBroken = "audit_broken",
        /// Too many unknown outcomes in a row.
        BreakerOpen = "breaker_open",
        /// A trade with this key has landed; its answer is no longer remembered.
        IntentLanded = "intent_landed",
        /// More trades than `rateLimit` allows; `retry-after` says when to come again.
        OverRateLimit = "over_rate_limit",
        /// The desk remembers as many intents as `maxIntents` allows.
        DeskFull = "desk_full",
        /// The token is an operator's, and operators do not trade.
        NotATrader = "not_a_trader",
        /// The token is not an operator's.
        NotAnOperator = "not_an_operator",
        /// The page's origin is not in `origins`.
        OriginNotAllowed = "origin_not_allowed",
        /// A page that is not the desk's own sent it.
        Csrf = "csrf",
        /// The service does not accept the gateway's key.
        UpstreamUnauthorized = "upstream_unauthorized",
        /// The service refused the trade.
        RejectedByService = "rejected_by_service",
        /// The gateway stopped while the trade was in flight.
        IntentUnknown = "intent_unknown",
        /// The gateway was interrupted: ask again with the same key.
        Interrupted = "interrupted",
        /// The connection to the service broke.
        NetworkError = "network_error",
        /// The service did not answer within `timeoutMs`.
        Timeout = "timeout",
        /// The service answered with a redirect.
        Redirected = "redirected",
        /// The service had an error of its own (5xx).
        ServiceError = "service_error",
        /// The service answered with a status that does not say whether the trade was made.
        UnexpectedStatus = "unexpected_status",
        /// The service answered in a form that cannot be read.
        UnreadableReply = "unreadable_reply",
        /// The service's reply contradicts the request or itself, or has the signature of another trade.
        ContradictoryReply = "contradictory_reply",
        /// The service's reply is longer than `maxReplyBytes`.
        ReplyTooLarge = "reply_too_large",
        /// The gateway's settings cannot be used; its log says why.
        NotConfigured = "not_configured",
        /// The intent is not in a state that allows this.
        WrongState = "wrong_state",
        /// It came after the time in `not-after`.
        TooLate = "too_late",
        /// The gateway has no node to ask.
        NoChain = "no_chain",
        /// The call is not one that only reads.
        ChainMethodNotAllowed = "chain_method_not_allowed",
        /// The node did not answer, or has had too many calls.
        ChainUnavailable = "chain_unavailable",
        /// The service reported failure without the chain's own error, so the trade may still land.
        UnprovenFailure = "unproven_failure",
        /// No connection to the service was opened, so nothing was sent: try again with a new key.
        ConnectFailed = "connect_failed",
        /// Its caller withdrew the trade while it waited for approval.
        Withdrawn = "withdrawn",
    }
}

impl GatewayCode {
    /// The status of an answer with this code.
    pub const fn status(self) -> u16 {
        use GatewayCode::*;
        match self {
            AwaitingApproval => 202,
            InvalidRequest | InvalidIdempotencyKey => 400,
            Unauthorized => 401,
            NotFound | PlanNotFound | IntentNotFound | NoChain => 404,
            MethodNotAllowed => 405,
            IntentInFlight => 409,
            BodyTooLarge => 413,
            UnsupportedMediaType => 415,
            IdempotencyKeyReused | WrongState => 422,
            OverRateLimit | DeskFull => 429,
            IntentUnknown | Interrupted | NetworkError | Timeout | Redirected | ServiceError => 502,
            UnexpectedStatus | UnreadableReply | ContradictoryReply | UnprovenFailure | ReplyTooLarge => 502,
            NotConfigured | ChainUnavailable => 503,
            // A client reads 403 as a refusal: nothing moved.
            _ => 403,
        }
    }

    /// The outcome that an answer with this code stands for.
    pub const fn outcome(self) -> Outcome {
        match (self, self.status()) {
            (GatewayCode::ConnectFailed, _) => Outcome::NotSent,
            (_, 202 | 409 | 502) => Outcome::Unknown,
            _ => Outcome::Rejected,
        }
    }

    /// The gateway's code for a guard's refusal or a trade's error.
    pub fn of(code: Code) -> GatewayCode {
        GatewayCode::from_name(code.as_str()).unwrap_or(match code.outcome() {
            Outcome::Unknown => GatewayCode::UnexpectedStatus,
            _ => GatewayCode::RejectedByService,
        })
    }
}
