//! driver.mjs for the Rust client over reqwest: the job as JSON on standard input, a line of JSON for each row on standard
//! output. It does not judge the results.

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    native::main();
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::collections::VecDeque;
    use std::io::Read;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use launchpad_desk::amount::SlippageUnit;
    use launchpad_desk::api::encode::reply_value;
    use launchpad_desk::api::response::TradeResult;
    use launchpad_desk::bindings::reader;
    use launchpad_desk::prelude::*;
    use launchpad_desk::tape::json;
    use launchpad_desk::trade::Dialect;
    use launchpad_desk::trade::guard::Settings;
    use launchpad_desk_client::{Client, ReqwestTransport, SendOptions, TradeError};
    use serde_json::{Map, Value, json};

    pub fn main() {
        let mut job = String::new();
        std::io::stdin().read_to_string(&mut job).unwrap();
        let job: Value = serde_json::from_str(&job).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let rows = job["rows"].as_array().unwrap().clone();
            in_parallel(number(&job["parallel"]), rows, |row| async move {
                let results = calls(&row).await;
                let report = match results {
                    Ok(results) => json!({ "id": row["id"], "results": results }),
                    Err(failure) => json!({ "id": row["id"], "failure": failure }),
                };
                println!("{report}");
            })
            .await;
        });
    }

    /// Does this with each, so many at a time.
    async fn in_parallel<T, F, W>(parallel: usize, work: Vec<T>, each: F)
    where
        T: Send + 'static,
        F: Fn(T) -> W + Clone + Send + 'static,
        W: Future<Output = ()> + Send,
    {
        let waiting = Arc::new(Mutex::new(VecDeque::from(work)));
        let tasks: Vec<_> = (0..parallel)
            .map(|_| {
                let (waiting, each) = (waiting.clone(), each.clone());
                tokio::spawn(async move {
                    loop {
                        let next = waiting.lock().unwrap().pop_front();
                        let Some(one) = next else { return };
                        each(one).await;
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
    }

    fn number(value: &Value) -> usize {
        value.as_u64().unwrap() as usize
    }

    fn client(row: &Value) -> Result<Client<ReqwestTransport>, TradeError> {
        let mut settings = reqwest::Client::builder().no_proxy().connect_timeout(Duration::from_secs(10));
        let authority = std::env::var_os("NODE_EXTRA_CA_CERTS").unwrap();
        let authority = reqwest::Certificate::from_pem(&std::fs::read(authority).unwrap()).unwrap();
        settings = settings.tls_certs_merge([authority]);
        let transport = ReqwestTransport::with(row["url"].as_str().unwrap(), settings)?;
        let own = ["timeoutMs", "retryNotSent", "maxReplyBytes"];
        let mut options = row["options"].as_object().unwrap().clone();
        let mut sending = SendOptions { timeout: Duration::from_secs(60), ..SendOptions::default() };
        for name in own {
            let Some(value) = options.remove(name) else { continue };
            match name {
                "timeoutMs" => sending.timeout = milliseconds(&value),
                "retryNotSent" => sending.retry_not_sent = number(&value) as u32,
                _ => sending.max_reply_bytes = number(&value) as u32,
            }
        }
        let options = json::parse(Value::Object(options).to_string().as_bytes()).unwrap();
        let (dialect, guards) =
            reader::read(options.root(), |r| (Dialect::read(r), Settings::read(r, SlippageUnit::Percent)))
                .unwrap();
        let builder = Client::builder(transport).dialect(dialect).guards(guards).sending(sending);
        match row["key"].as_str() {
            Some(key) => builder.api_key(key).build(),
            None => builder.build(),
        }
    }

    fn milliseconds(value: &Value) -> Duration {
        Duration::from_millis(value.as_i64().unwrap().max(0) as u64)
    }

    async fn calls(row: &Value) -> Result<Vec<Value>, String> {
        let client = client(row).map_err(|error| error.to_string())?;
        if row["warm"] == true && !client.transport().warm().await {
            return Err("no connection was opened ahead".to_owned());
        }
        let count = number(&row["calls"]);
        let results = Arc::new(Mutex::new(vec![Value::Null; count]));
        let (whole, kept) = (row.clone(), results.clone());
        in_parallel(number(&row["parallel"]), (0..count).collect(), move |call| {
            let (client, row, results) = (client.clone(), whole.clone(), kept.clone());
            async move {
                let result = call_once(&client, &row, call).await;
                results.lock().unwrap()[call] = result;
            }
        })
        .await;
        let results = results.lock().unwrap().clone();
        Ok(results)
    }

    async fn call_once(client: &Client<ReqwestTransport>, row: &Value, call: usize) -> Value {
        let options = row["call"].get(call).unwrap_or(&row["call"]);
        if let Some(pause) = options["pauseBefore"].as_u64()
            && call > 0
        {
            tokio::time::sleep(Duration::from_millis(pause)).await;
        }
        // Each call has its own wallet, by which the server recognizes it.
        let mut order = client.buy(BuyRequest::new("MoonRabbit", format!("wallet-{call}"), 1_000_000));
        if let Some(id) = options["intentId"].as_str() {
            order = order.intent_id(id);
        }
        if !options["timeoutMs"].is_null() {
            order = order.timeout(milliseconds(&options["timeoutMs"]));
        }
        let url = row["url"].as_str().unwrap().to_owned();
        order = match options["abort"]["when"].as_str() {
            None => order,
            Some("before") => order.abort_when(std::future::ready(())),
            Some("once it arrived") => order.abort_when(async move {
                let client = reqwest::Client::builder().no_proxy().build().unwrap();
                client.get(format!("{url}/arrived")).send().await.unwrap();
            }),
            Some(_) => order.abort_when(tokio::time::sleep(Duration::from_millis(500))),
        };
        let result = order.await;
        if number(&row["calls"]) < 10 {
            eprintln!("{} {result:?}", row["name"]);
        }
        match result {
            Ok(traded) => {
                let mut told = trade(&traded.trade);
                told["traces"] = json!([format!("{traded:?}")]);
                told
            }
            Err(error) => failure(&error),
        }
    }

    fn trade(trade: &Trade) -> Value {
        let result: Value = serde_json::from_str(&json::write(&reply_value(trade))).unwrap();
        let mut exact = Map::new();
        let amount = if trade.operation.is_buy() { "buyAmount" } else { "sellAmount" };
        let TradeResult { amount: traded, pre_token_balance, post_token_balance, .. } = &trade.result;
        let figures = [
            (amount, traded),
            ("preTokenBalance", pre_token_balance),
            ("postTokenBalance", post_token_balance),
        ];
        for (name, figure) in figures {
            exact.extend(figure.as_ref().map(|figure| (name.to_owned(), json!(figure.as_str()))));
        }
        json!({ "settled": "trade", "status": trade.status.as_str(), "result": result["result"], "exact": exact })
    }

    fn failure(error: &TradeError) -> Value {
        let class = match error.outcome {
            Outcome::NotSent => "TradeNotSentError",
            Outcome::Rejected => "TradeRejectedError",
            Outcome::Failed => "TradeFailedError",
            Outcome::Unknown => "TradeOutcomeUnknownError",
        };
        let (outcome, code) = (error.outcome.as_str(), error.code.as_str());
        let mut told = json!({
            "settled": "error", "class": class, "name": class, "retryable": false, "guarded": true,
            "outcome": outcome, "code": code, "message": error.message,
            "json": { "outcome": outcome, "code": code, "name": class, "message": error.message },
            "traces": [format!("{error:?} {error}")],
        });
        let mut some = |name: &str, value: Value| {
            if !value.is_null() {
                told[name] = value;
            }
        };
        some("status", json!(error.status));
        some("retryAfterMs", json!(error.retry_after_ms.map(|ms| ms.min(u32::MAX.into()))));
        some("serviceMessage", json!(error.service_message));
        some("evidence", json!(error.evidence.as_ref().map(|evidence| &evidence.0)));
        some("trade", error.trade.as_deref().map_or(Value::Null, trade));
        told
    }
}
