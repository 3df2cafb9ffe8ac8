//! What most programs need, in one import.
//!
//! ```
//! use launchpad_desk::prelude::*;
//! let slippage: Slippage = "0.5%".parse().unwrap();
//! let request = BuyRequest::new("mint", "wallet", 1_000_000_000).slippage(slippage);
//! ```

pub use crate::amount::{Decimal, ExactText, Percentage, Slippage, TokenAmount, TokenInput};
pub use crate::api::endpoint::Operation;
pub use crate::api::request::{
    BundleBuyElement, BundleBuyRequest, BundleSellByPercentageElement, BundleSellByPercentageRequest,
    BundleSellElement, BundleSellRequest, BuyRequest, SellByPercentageRequest, SellRequest,
};
pub use crate::api::response::{Status, Trade};
pub use crate::error::{Code, Error, Outcome};
pub use crate::trade::plan::Plan;
