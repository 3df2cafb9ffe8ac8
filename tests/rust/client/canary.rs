//! The API key never appears in a `Debug`, `Display`, serde output, panic, log or file of anything that has it or could
//! have it.

use std::error::Error as _;
use std::fmt::Debug;
use std::future::IntoFuture;
use std::panic::{AssertUnwindSafe, catch_unwind};

use launchpad_desk::api::endpoint::Reply as HttpReply;
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::trade::Key;
use launchpad_desk::trade::flow::{Event, Flow, Headers, KeySource, Machine, Step, Terms};
use launchpad_desk::trade::guard::{Guards, Settings};
use launchpad_desk::trade::plan::Planned;
use launchpad_desk_client::{FileJournal, MemoryJournal, SendOptions, TradeError, Traded};
use launchpad_desk_sandbox::{HttpRequest, SandboxConfig};

use super::file_journal::Folder;
use super::*;

/// Nothing that can be printed of it contains the key, as text or as bytes.
fn shows_none(what: &str, shown: &dyn Debug) {
    let bytes = format!("{:?}", KEY.as_bytes());
    for text in [format!("{shown:?}"), format!("{shown:#?}")] {
        assert!(!text.contains(KEY), "{what}: {text}");
        assert!(!text.contains(bytes.trim_matches(['[', ']'])), "{what}: {text}");
    }
}

fn post(headers: Vec<(String, String)>, body: &str) -> Post {
    Post { operation: Operation::Buy, path: "/v1/trade/buy", headers, body: body.to_owned() }
}

/// The ways in which a service may write the key.
fn echoes() -> Vec<String> {
    let escaped: String = KEY.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
    let percent: String = KEY.bytes().map(|byte| format!("%{byte:02X}")).collect();
    [KEY.to_owned(), escaped, percent.clone(), percent.replace('%', "%25")]
        .iter()
        .flat_map(|key| {
            [
                format!("bad key {key}"),
                format!(r#"{{"message":"bad key {key}"}}"#),
                format!(r#"{{"result":{{"mint":"{key}","transactionResult":{{"success":true,"results":["{key}"]}}}},"explorer":{{"tx":"https://e.example/{key}"}}}}"#),
                format!(r#"{{"result":{{"mint":"{key}","transactionResult":{{"success":false,"results":"{key}"}}}}}}"#),
            ]
        })
        .collect()
}

/// Everything that a program gets of one trade.
fn told(what: &str, result: &Result<Traded, TradeError>) {
    let mut texts = Vec::new();
    match result {
        Ok(traded) => {
            shows_none(what, traded);
            texts.extend([traded.trade.raw.to_string(), traded.view().to_text(), traded.view().to_html()]);
            texts.push(serde_json::to_string(traded).unwrap());
        }
        Err(error) => {
            shows_none(what, error);
            shows_none(what, &error.source());
            let evidence = error.evidence.as_ref().map(|evidence| evidence.0.clone());
            texts.extend([error.to_string(), evidence.unwrap_or_default()]);
            texts.extend([error.view().to_text(), error.view().to_html()]);
            texts.push(serde_json::to_string(error).unwrap());
        }
    }
    for text in texts {
        assert!(!text.contains(KEY), "{what}: {text}");
    }
}

#[test]
fn the_key_is_in_nothing_that_comes_of_a_trade_whatever_the_service_echoes() {
    for body in echoes() {
        for status in [200, 202, 307, 400, 401, 429, 500] {
            let body: &'static str = Box::leak(body.clone().into_boxed_str());
            let script = Script::of(&[Does::Answers(status, body)]);
            let client = watched(&script, Witness::default());
            told(body, &block_on(client.buy(buy()).intent_id("i").into_future()));
            shows_none(body, &heard(&script));
            shows_none(body, &block_on(client.pending()).unwrap());
            shows_none(body, &*client.guards());
            shows_none(body, &client);
        }
    }
    let lost = [Lost::Unsent, Lost::Broken, Lost::Unsupported].map(|lost| lost(KEY.into()));
    for lost in lost.into_iter().chain([Lost::Unsent(format!("E_{KEY}"))]) {
        let script = Script::of(&[Does::Fails(lost.clone()), Does::Fails(lost.clone())]);
        let client = watched(&script, Witness::default()).with(|send| send.retry_not_sent = 1).unwrap();
        told("lost", &block_on(client.buy(buy()).into_future()));
        shows_none("the notes", &heard(&script));
        shows_none("lost", &lost);
    }
}

#[test]
fn the_key_is_in_nothing_that_holds_it() {
    let key = || Key::new(KEY).unwrap();
    let header = || vec![("x-own".to_owned(), KEY.to_owned())];
    let headers = || Headers { more: header(), ..Headers::default() };
    let terms = || Terms { key: KeySource::Fixed(key()), headers: headers(), ..Terms::default() };
    shows_none("Key", &key());
    shows_none("KeySource", &KeySource::Fixed(key()));
    shows_none("Headers", &headers());
    shows_none("Terms", &terms());
    shows_none("SendOptions", &SendOptions { headers: header(), ..SendOptions::default() });
    shows_none("Event", &[Event::Key(key()), Event::Body(KEY.into())]);
    let head = || Head { status: 429, retry_after: Some(KEY.to_owned()), ..Head::default() };
    shows_none("Head", &(head(), Event::Answered(head())));

    let request = object! { "mint": "M", "fromWallet": "W", "amountInLamports": 1_000u64 };
    let request = validate(Operation::Buy, request.root(), &Rules::default()).unwrap();
    let mut guards = Guards::new(Settings::default());
    let planned = Planned::new(request, "i", &Rules::default());
    shows_none("Planned", &planned);
    let mut flow = Flow::new(Arc::new(terms()), planned, 30_000);
    let step = flow.next(&mut guards, 0, Event::Begin);
    let Step::Send(post) = step.clone() else { panic!("it is not sent") };
    assert!(post.headers.iter().any(|(_, value)| value == KEY), "this test has no key to find");
    shows_none("Step", &step);
    shows_none("Flow", &flow);
    shows_none("Guards", &guards);
    let (path, headers, body) = (post.path, &post.headers, KEY.as_bytes());
    let request = HttpRequest { method: "POST", path, headers, body, now_ms: 0 };
    shows_none("HttpRequest", &request);
    shows_none("Reply", &HttpReply { status: 200, headers: header(), body: KEY.into() });
    shows_none("Post", &post);
}

#[test]
fn the_key_is_in_no_builders_error() {
    for bad in [format!("{KEY} "), format!("{KEY}\n"), format!("{KEY}é"), KEY[..7].to_owned()] {
        let error = Client::builder(Script::default()).api_key(&bad).build().unwrap_err();
        assert!(!format!("{error} {error:?}").contains(bad.trim()), "{error:?}");
    }
    let header = Client::builder(Script::default()).api_key(KEY).api_key_header("accept").build();
    shows_none("a header", &header.unwrap_err());
}

#[test]
fn the_key_is_in_no_sandbox_that_asks_for_it() {
    let settings = object! { "apiKey": KEY };
    shows_none("SandboxConfig", &SandboxConfig::read(settings.root()).unwrap());
    let (transport, mint, wallet) = sandbox(&json::write(&settings));
    let client = Client::builder(transport.clone()).api_key(KEY).build().unwrap();
    let traded = block_on(client.buy(BuyRequest::new(mint, wallet, 1_000_000)).into_future());
    assert!(traded.is_ok(), "the sandbox takes the key");
    told("the sandbox", &traded);
    shows_none("SandboxTransport", &transport);
    shows_none("SandboxReply", &block_on(transport.send(post(Vec::new(), KEY))).unwrap());
}

#[test]
fn the_key_is_in_no_journal() {
    let folder = Folder::new();
    let memory = Arc::new(MemoryJournal::default());
    for outcome in ["landed", "unknown"] {
        let body: &'static str = if outcome == "landed" { LANDED } else { "sk-canary-0123456789" };
        let script = Script::of(&[Does::Answers(200, body), Does::Answers(200, body)]);
        let builder = Client::builder(script.clone()).api_key(KEY);
        let client = builder.journal(FileJournal::open(folder.path()).unwrap()).build().unwrap();
        told(outcome, &block_on(client.buy(buy()).intent_id(outcome).into_future()));
        let text = std::fs::read_to_string(folder.path()).unwrap();
        assert!(text.contains(outcome) && !text.contains(KEY), "{text}");
        drop(client);
        let journal = Shared(memory.clone());
        let client = Client::builder(script).api_key(KEY).journal(journal).build().unwrap();
        told(outcome, &block_on(client.buy(buy()).intent_id(outcome).into_future()));
    }
    shows_none("MemoryJournal", &memory);
    let journal = FileJournal::open(folder.path()).unwrap();
    shows_none("FileJournal", &journal);
    shows_none("Recalled", &block_on(journal.recall(0)).unwrap());
}

/// A transport that panics while it holds the POST.
struct Panics;

impl Transport for Panics {
    type Reply = Reply;

    fn destination(&self) -> Destination {
        Destination { base_url: "https://service.example".to_owned(), is_simulated: false }
    }

    async fn send(&self, post: Post) -> Result<Reply, Lost> {
        panic!("no way to send {post:?}");
    }
}

#[test]
fn a_panic_names_no_key_and_leaves_the_client_whole() {
    let client = Client::builder(Panics).api_key(KEY).build().unwrap();
    for intent_id in ["a", "b"] {
        let order = client.buy(BuyRequest::new("mint", intent_id, 1_000)).intent_id(intent_id);
        let panic = catch_unwind(AssertUnwindSafe(|| block_on(order.into_future()))).unwrap_err();
        let said = panic.downcast_ref::<String>().unwrap();
        assert_eq!(said, "no way to send Post(/v1/trade/buy)");
    }
    // It may have been sent, so unwinding settles it as unknown.
    let unresolved = block_on(client.pending()).unwrap();
    assert_eq!(unresolved.iter().map(|intent| intent.id()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(client.guards().state(0).in_flight.len(), 0);
}

#[cfg(feature = "reqwest")]
#[test]
fn the_key_is_in_nothing_of_reqwest() {
    use launchpad_desk_client::ReqwestTransport;

    let head = format!("HTTP/1.1 401 {KEY}\r\nset-cookie: {KEY}\r\nretry-after: {KEY}\r\n");
    let body = format!(r#"{{"message":"bad key {KEY}"}}"#);
    let answer = format!("{head}connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let (at, requests) = http::answering(answer);
    let url = format!("http://{at}");
    let work = async {
        let mut header = ::reqwest::header::HeaderMap::new();
        header.insert("x-own", KEY.parse().unwrap());
        let settings = ::reqwest::Client::builder().no_proxy().default_headers(header);
        let transport = ReqwestTransport::with(&url, settings).unwrap();
        shows_none("ReqwestTransport", &transport);
        let client = Client::builder(transport.clone()).api_key(KEY).bearer().build().unwrap();
        shows_none("Client", &client);
        told("reqwest", &client.buy(buy()).await);
        let reply = transport.send(post(vec![("x-api-key".to_owned(), KEY.to_owned())], "{}"));
        let reply = reply.await.unwrap();
        shows_none("ReqwestReply", &reply);
        shows_none("its head", &reply.head());
    };
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
    for request in requests.iter().take(2) {
        assert!(request.contains(KEY), "it is sent where it belongs");
    }
}
