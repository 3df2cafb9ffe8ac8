//! A quote's codes as a TypeScript name, for both modules of the package.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** What to know before sending a trade. Append-only. */
export type QuoteWarning =
    | "high_impact" | "slippage_over_bounds" | "no_bound_left" | "unit_suspicion" | "dust_left"
    | "account_cannot_close" | "no_proceeds" | "partial_fill" | "completes_curve" | "insufficient_lamports"
    | "wallet_unknown" | "below_rent_minimum";
"#;
