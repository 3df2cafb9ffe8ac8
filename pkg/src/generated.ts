// Interim: what the Rust tables say, until tests/generated.rs writes this file.

/**
 * Whether money may have moved.
 */
export type Outcome = "not_sent" | "rejected" | "failed" | "unknown";

/**
 * Why a trade did not land, or is not known to have. Append-only.
 */
export type Code = "invalid_request" | "invalid_options" | "aborted_before_send" | "connect_failed" | "unsupported_runtime" | "rejected_by_service" | "unauthorized" | "rate_limited" | "transaction_failed" | "network_error" | "timeout" | "aborted" | "redirected" | "service_error" | "unexpected_status" | "unreadable_reply" | "reply_too_large" | "unexpected_error" | "halted" | "reducing" | "intent_in_flight" | "intent_unknown" | "intent_landed" | "breaker_open" | "mint_not_allowed" | "wallet_not_allowed" | "over_trade_limit" | "over_slippage_limit" | "wallet_busy" | "over_day_limit" | "over_rate_limit" | "timeout_before_send" | "journal_failed" | "hook_failed" | "api_key_unavailable" | "dry_run" | "contradictory_reply";

/**
 * What is wrong with one field. Append-only.
 */
export type FieldCode = "required" | "unknown_field" | "wrong_type" | "not_a_number" | "not_an_integer" | "not_exact" | "not_positive" | "out_of_range" | "empty" | "white_space" | "too_long" | "not_base58" | "too_many" | "unreadable" | "conflict" | "not_allowed";

/**
 * What is wrong with one field.
 */
export interface FieldError {
    /**
     * Its path: `buys[3].amountInLamports`; empty for the request as a whole.
     */
    field: string;
    /**
     * The stable code.
     */
    code: FieldCode;
    /**
     * A sentence for a person.
     */
    message: string;
}

/**
 * A warning about a request that is sent anyway. Append-only.
 */
export type WarningCode = "slippage_unit";

/**
 * A warning about a request that is sent anyway.
 */
export interface Warning {
    /**
     * The path of the field.
     */
    field: string;
    /**
     * The stable code.
     */
    code: WarningCode;
    /**
     * A sentence for a person.
     */
    message: string;
}

/**
 * Why the launchpad's program, or the network under it, refuses a trade. Append-only.
 */
export type RefusalCode = "zero_amount" | "empty_curve" | "curve_complete" | "not_enough_tokens_on_curve" | "spend_does_not_cover_fees" | "below_minimum_tokens" | "above_maximum_cost" | "not_enough_tokens_held" | "fees_or_reserves_exceeded" | "below_minimum_lamports" | "percentage_sells_nothing" | "overflow" | "insufficient_lamports" | "insufficient_lamports_for_rent" | "insufficient_lamports_for_network_fee" | "token_account_not_open" | "token_account_not_empty" | "unknown_wallet" | "no_fee_tier" | "out_of_reach" | "too_many_wallets" | "below_rent_minimum";
