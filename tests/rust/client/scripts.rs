//! The client carries out the machine's steps and decides nothing. The random scripts of tests/rust/flow_scripts.rs lead to the
//! same calls and the same end as with the machine itself, and with the client for JavaScript.

use std::future::{IntoFuture, poll_fn};
use std::sync::OnceLock;
use std::task::{Poll, Waker};

use serde_json::{Value, json};

use super::*;
use launchpad_desk::trade::Key;
use launchpad_desk_client::SendOptions;

/// All parties of one script, and their calls.
#[derive(Clone)]
struct Parties {
    script: Arc<Value>,
    said: Said,
    sends: Arc<Mutex<usize>>,
    abort: Arc<Mutex<(bool, Option<Waker>)>>,
    client: Arc<OnceLock<Client<Parties>>>,
}

impl Parties {
    fn word(&self, name: &str) -> &str {
        self.script[name].as_str().unwrap_or_default()
    }

    fn abort(&self) {
        let mut abort = self.abort.lock().unwrap();
        abort.0 = true;
        if let Some(waker) = abort.1.take() {
            waker.wake();
        }
    }

    async fn aborted(self) {
        poll_fn(|context| {
            let mut abort = self.abort.lock().unwrap();
            abort.1 = Some(context.waker().clone());
            if abort.0 { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// Does what the script says, and whether that went well.
    async fn does(&self, word: &str, what: String) -> Result<(), BoxError> {
        say(&self.said, what);
        match word {
            "fail" => return Err("as the script says".into()),
            "abort" => self.abort(),
            "halt" => drop(self.client.get().unwrap().halt()),
            // It would have answered later; a dropped future never does.
            "hang" | "late" => {
                self.abort();
                pending().await
            }
            _ => {}
        }
        Ok(())
    }
}

impl Journal for Parties {
    fn begin<'a>(&'a self, _intent: &'a TradeIntent) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(self.does(self.word("begin"), "begin".to_owned()))
    }

    fn settle<'a>(
        &'a self,
        _intent: &'a TradeIntent,
        settlement: Settlement,
        _change: Suspension,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(self.does(self.word("settle"), format!("settle {}", settlement.outcome.as_str())))
    }

    fn keep_suspension(&self, _change: Suspension) -> BoxFuture<'_, Result<(), BoxError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    fn recall(&self, _since_ms: u64) -> BoxFuture<'_, Result<Recalled, BoxError>> {
        Box::pin(async {
            self.does(self.word("recall"), "recall".to_owned()).await.map(|()| Recalled::default())
        })
    }
}

impl Hooks for Parties {
    fn before_send<'a>(&'a self, _intent: &'a TradeIntent) -> BoxFuture<'a, Result<Seen, BoxError>> {
        Box::pin(async {
            let word = self.word("beforeSend");
            self.does(word, "beforeSend".to_owned()).await?;
            Ok((word == "saw").then(|| vec![holds("W")]))
        })
    }

    fn after_settle<'a>(&'a self, _intent: &'a TradeIntent, settlement: Settlement) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let what = format!("afterSettle {}", settlement.outcome.as_str());
            self.does(self.word("afterSettle"), what).await.unwrap();
        })
    }
}

struct Answer(u16, Option<Parties>);

impl Transport for Parties {
    type Reply = Answer;

    fn destination(&self) -> Destination {
        Destination { base_url: "https://service.example".to_owned(), is_simulated: false }
    }

    async fn send(&self, _post: Post) -> Result<Answer, Lost> {
        say(&self.said, "send");
        let at = std::mem::replace(&mut *self.sends.lock().unwrap(), 1);
        let word = self.script["sends"][at].as_str().unwrap();
        match word {
            "unsent" => Err(Lost::Unsent(String::new())),
            "unsent, with a code" => Err(Lost::Unsent("ENOTFOUND".to_owned())),
            "broken" => Err(Lost::Broken("ECONNRESET".to_owned())),
            "hang" => {
                self.abort();
                pending().await
            }
            "hang, then unsent" => {
                self.abort();
                let mut is_asked_again = false;
                poll_fn(|_| {
                    if std::mem::replace(&mut is_asked_again, true) { Poll::Ready(()) } else { Poll::Pending }
                })
                .await;
                Err(Lost::Unsent(String::new()))
            }
            status => Ok(Answer(status.parse().unwrap(), Some(self.clone()))),
        }
    }

    /// The deadline never comes, and a second try need not wait.
    async fn sleep(&self, ms: u32) {
        if ms >= 10_000 {
            pending::<()>().await;
        }
    }
}

impl Incoming for Answer {
    fn head(&self) -> Head {
        Head { status: self.0, ..Head::default() }
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        let Some(parties) = self.1.take() else { return Ok(None) };
        let body = match parties.word("body") {
            "landed" => LANDED,
            "failed" => FAILED,
            "lost" => return Err(Lost::Broken(String::new())),
            "hang" => {
                parties.abort();
                pending().await
            }
            _ => "{",
        };
        Ok(Some(body.as_bytes().to_vec()))
    }
}

/// What is called, in order, and how it ends.
fn play(script: &Value) -> Value {
    let has = |name: &str| script[name] == json!(true);
    let parties = Parties {
        script: Arc::new(script.clone()),
        said: Said::default(),
        sends: Arc::default(),
        abort: Arc::default(),
        client: Arc::default(),
    };
    let sending = SendOptions {
        retry_not_sent: script["retries"].as_u64().unwrap() as u32,
        dry_run: has("dryRun"),
        ..SendOptions::default()
    };
    let mut builder = Client::builder(parties.clone()).sending(sending);
    match parties.word("key") {
        "fixed" => builder = builder.api_key(KEY),
        "asked" => {
            let asked = parties.clone();
            builder = builder.api_key_from(move || {
                let parties = asked.clone();
                async move {
                    parties.does(parties.word("askKey"), "askKey".to_owned()).await?;
                    Ok(Key::new(KEY).unwrap())
                }
            });
        }
        _ => {}
    }
    if has("journal") {
        builder = builder.journal(parties.clone());
    }
    if has("hooks") {
        builder = builder.hooks(parties.clone());
    }
    let client = builder.build().unwrap();
    parties.client.set(client.clone()).unwrap();
    let order = client.buy(BuyRequest::new("M", "W", 1_000)).intent_id("own");
    let ends = match block_on(order.abort_when(parties.clone().aborted()).into_future()) {
        Ok(traded) => json!([traded.trade.status.as_str(), null, null, null]),
        Err(error) => json!([error.outcome.as_str(), error.code.as_str(), error.status, error.message]),
    };
    let called = parties.said.lock().unwrap().clone();
    let guards = client.guards();
    let state = guards.state(client.transport().now_ms());
    let guards = json!([state.in_flight.len(), state.unresolved.len(), state.lamports_today.to_string()]);
    json!({ "called": called, "ends": ends, "guards": guards })
}

#[test]
fn whatever_the_parties_do_the_calls_and_the_end_are_the_machines_own() {
    let text = include_str!("../../vectors/flow.json");
    let scripts: Vec<Value> = serde_json::from_str(text).unwrap();
    for row in scripts {
        let (script, mut plays) = (&row["script"], row["plays"].clone());
        let mut played = play(script);
        let begin = script["begin"].as_str().unwrap();
        let called = plays["called"].as_array_mut().unwrap();
        // A dropped journal has begun nothing, or ends it by itself.
        if begin == "late" && called.last().is_some_and(|last| last.as_str().unwrap().starts_with("settle")) {
            called.pop();
        }
        // Nobody waits for the end of an entry that was begun after the stop.
        if begin == "abort" {
            for calls in [&mut plays, &mut played] {
                calls["called"].as_array_mut().unwrap().sort_by_key(Value::to_string);
            }
        }
        assert_eq!(played, plays, "{script}");
    }
}
