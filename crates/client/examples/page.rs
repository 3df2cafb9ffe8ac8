//! A small page in Rust: it trades at its own origin, where a gateway holds the key.
//!
//! ```sh
//! cargo build --release --example page --features gloo --target wasm32-unknown-unknown
//! wasm-bindgen --target=web --out-dir=site target/wasm32-unknown-unknown/release/examples/page.wasm
//! ```

#[cfg(target_arch = "wasm32")]
fn main() {
    wasm_bindgen_futures::spawn_local(page::run());
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {}

#[cfg(target_arch = "wasm32")]
mod page {
    use std::time::Duration;

    use js_sys::{Array, JsString, Reflect, global};
    use launchpad_desk::prelude::*;
    use launchpad_desk_client::{Client, GlooTransport, TradeError};
    use wasm_bindgen::JsValue;

    /// Puts the outcome of each trade into `globalThis.result`.
    pub async fn run() {
        let told = match trade().await {
            Ok(told) => told,
            Err(error) => vec![error.to_string()],
        };
        let told: Array = told.iter().map(|line| JsValue::from(line.as_str())).collect();
        let _ = Reflect::set(&global(), &"result".into(), &told);
    }

    async fn trade() -> Result<Vec<String>, TradeError> {
        let client = Client::new(GlooTransport::new(&origin())?);
        let mut told = Vec::new();
        for id in ["landed", "unanswered", "endless"] {
            let buy = BuyRequest::new("mint", "wallet", 1_000_000);
            let told_of = match client.buy(buy).intent_id(id).timeout(Duration::from_millis(1_000)).await {
                Ok(traded) => format!("{id}: {}", traded.trade.status.as_str()),
                Err(error) => format!("{id}: {} {}", error.outcome.as_str(), error.code.as_str()),
            };
            told.push(told_of);
        }
        // Their wallets' balances can prove their outcome: `reconcile`, then `acknowledge` what it has found.
        for intent in client.pending().await? {
            told.push(format!("unresolved: {}", intent.id()));
        }
        let with_key = Client::builder(GlooTransport::new(&origin())?).api_key("any-key-will-do").build();
        told.push(with_key.err().map(|error| error.to_string()).unwrap_or_default());
        Ok(told)
    }

    fn origin() -> String {
        let location = Reflect::get(&global(), &"location".into()).unwrap_or_default();
        Reflect::get(&location, &"origin".into())
            .map(|origin| JsString::from(origin).into())
            .unwrap_or_default()
    }
}
