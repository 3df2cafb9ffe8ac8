//! Compares the Rust client over reqwest with plain reqwest and serde_json, on loopback, in turns: `cargo run --profile maths
//! --example bench-client --features reqwest`. Goal: at most 1.1 times its time.

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    native::main();
}

#[cfg(target_arch = "wasm32")]
fn main() {}

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::thread;
    use std::time::Instant;

    use launchpad_desk::prelude::*;
    use launchpad_desk_client::{Client, ReqwestTransport};

    const REPLY: &str = r#"{"result":{"mint":"MoonRabbit","wallet":"Ada","buyAmount":34199203.120618,"preTokenBalance":0,"postTokenBalance":34199203.120618,"signature":"5igna7ure","transactionResult":{"success":true,"signature":"5igna7ure","results":null},"tokenAccount":"Account"},"explorer":{"mint":"https://explorer.example/m","wallet":"https://explorer.example/w","tx":"https://explorer.example/t"},"launchpad":{"mint":"https://launchpad.example/m"}}"#;
    static REPLIES: AtomicU32 = AtomicU32::new(0);
    const KEY: &str = "sk-bench-12345678";
    const TRADES: u32 = 100;
    const ROUNDS: usize = 200;

    pub fn main() {
        let url = serve();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let bare = reqwest::Client::builder()
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .unwrap();
        let client = Client::builder(ReqwestTransport::new(&url).unwrap()).api_key(KEY).build().unwrap();
        let (mut theirs, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            theirs.push(timed(|| {
                runtime.block_on(async {
                    for _ in 0..TRADES {
                        by_hand(&bare, &url).await
                    }
                })
            }));
            ours.push(timed(|| {
                runtime.block_on(async {
                    for _ in 0..TRADES {
                        by_client(&client).await
                    }
                })
            }));
        }
        let ratio = median(theirs.iter().zip(&ours).map(|(theirs, ours)| ours / theirs).collect());
        println!("bare reqwest with serde_json  {:>7.1} µs a trade", median(theirs));
        println!(
            "the client                    {:>7.1} µs a trade, {ratio:.2} of it (goal 1.1)",
            median(ours)
        );
    }

    async fn by_hand(client: &reqwest::Client, url: &str) {
        let body = serde_json::json!({
            "mint": "MoonRabbit", "fromWallet": "Ada", "amountInLamports": 1_000_000_000, "feePayer": null,
            "slippage": null, "priorityUnitLimit": null, "priorityUnitPrice": null,
        });
        let request = client.post(format!("{url}/v1/trade/buy")).header("content-type", "application/json");
        let request =
            request.header("accept", "application/json").header("x-api-key", KEY).body(body.to_string());
        let reply = request.send().await.unwrap().bytes().await.unwrap();
        let reply: serde_json::Value = serde_json::from_slice(&reply).unwrap();
        assert_eq!(reply["result"]["transactionResult"]["success"], true);
    }

    async fn by_client(client: &Client<ReqwestTransport>) {
        let traded = client.buy(BuyRequest::new("MoonRabbit", "Ada", 1_000_000_000)).await.unwrap();
        assert_eq!(traded.trade.status, Status::Landed);
    }

    /// Microseconds per trade.
    fn timed(work: impl FnOnce()) -> f64 {
        let began = Instant::now();
        work();
        began.elapsed().as_secs_f64() * 1e6 / f64::from(TRADES)
    }

    fn median(mut times: Vec<f64>) -> f64 {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }

    fn serve() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            listener
                .incoming()
                .flatten()
                .for_each(|connection| drop(thread::spawn(move || answer(connection))))
        });
        url
    }

    fn answer(connection: TcpStream) -> Option<()> {
        connection.set_nodelay(true).ok()?;
        let mut incoming = BufReader::new(connection.try_clone().ok()?);
        let mut outgoing = connection;
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                incoming.read_line(&mut line).ok().filter(|read| *read > 0)?;
                let line = line.trim_end().to_ascii_lowercase();
                if line.is_empty() {
                    break;
                }
                if let Some(value) = line.strip_prefix("content-length: ") {
                    length = value.parse().ok()?;
                }
            }
            incoming.read_exact(&mut vec![0; length]).ok()?;
            // Each transaction has a signature of its own.
            let number = REPLIES.fetch_add(1, Ordering::Relaxed);
            let reply = REPLY.replace("5igna7ure", &format!("5igna7ure{number}"));
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", reply.len());
            outgoing.write_all((head + &reply).as_bytes()).ok()?;
        }
    }
}
