//! reqwest as the transport, in addition to what tests/faults shows.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;
use std::time::Duration;

use launchpad_desk_client::{Market as _, MarketOptions, ReqwestTransport, RpcMarket};

use super::*;

fn run<F: Future>(work: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn a_base_url_is_https_or_loopback_and_ends_before_the_version() {
    let good = "https://a.example https://a.example/base/ http://localhost:80 http://127.0.0.1:5 http://[::1]:5 \
                http://desk.localhost";
    for url in good.split(' ') {
        assert!(ReqwestTransport::new(url).is_ok(), "{url}");
    }
    for (url, what) in [
        ("", "must be an absolute URL"),
        ("a.example", "must be an absolute URL"),
        ("http://a.example", "must be https, or http on loopback"),
        ("http://127.0.0.1.a.example", "must be https, or http on loopback"),
        ("ftp://localhost", "must be https, or http on loopback"),
        ("https://user@a.example", "must not contain a user name or a password"),
        ("https://:secret@a.example", "must not contain a user name or a password"),
        ("https://a.example?q", "must not have a query or a fragment"),
        ("https://a.example#f", "must not have a query or a fragment"),
        ("https://a.example/v1", "must end before /v1, which the client adds: https://a.example"),
        (
            "https://a.example/b/v1/trade/buy",
            "must end before /v1, which the client adds: https://a.example/b",
        ),
    ] {
        let error = ReqwestTransport::new(url).unwrap_err();
        assert_eq!(error.to_string(), format!("not sent: base_url {what}"), "{url}");
        assert_eq!((error.code, error.fields[0].field.as_str()), (Code::InvalidOptions, "base_url"));
    }
}

#[test]
fn what_nobody_listens_to_is_proven_unsent_and_tried_again() {
    let closed = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let client = Client::builder(ReqwestTransport::new(&url).unwrap()).api_key(KEY).build().unwrap();
    assert!(!run(client.transport().warm()));
    let error = run(async { client.buy(buy()).await }).unwrap_err();
    assert_eq!(error.to_string(), "not sent: no connection to the service (ECONNREFUSED)");
    assert_eq!(client.guards().state(0).unresolved.len(), 0);
    assert!(!format!("{client:?} {:?} {error:?}", client.transport()).contains(KEY));
}

fn reply(status: u16, body: &str) -> String {
    format!("HTTP/1.1 {status} Said\r\ncontent-length: {}\r\n\r\n{body}", body.len())
}

/// Whether a whole request came.
fn read_request(socket: &mut TcpStream) -> bool {
    let (mut bytes, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        match socket.read(&mut piece) {
            Ok(0) | Err(_) => return false,
            Ok(count) => bytes.extend_from_slice(&piece[..count]),
        }
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.split("content-length: ").nth(1).map_or("0", |rest| rest.lines().next().unwrap());
        if body.len() >= length.parse().unwrap() {
            return true;
        }
    }
}

/// A service that executes each request, answers it, waits for so many milliseconds and answers it again. Reports each second
/// answer; counts its connections.
fn straying_service(
    pauses: impl Fn(u64) -> u64 + Send + Copy + 'static,
) -> (String, mpsc::Receiver<u64>, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (told, strayed) = mpsc::channel();
    let (connections, executed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
    let counted = connections.clone();
    std::thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            counted.fetch_add(1, Ordering::SeqCst);
            let (told, executed) = (told.clone(), executed.clone());
            std::thread::spawn(move || {
                while read_request(&mut socket) {
                    let trade = executed.fetch_add(1, Ordering::SeqCst) + 1;
                    // The client may have closed it.
                    let _ = socket.write_all(reply(200, LANDED).as_bytes());
                    std::thread::sleep(Duration::from_millis(pauses(trade)));
                    let _ = socket.write_all(reply(400, r#"{"message":"stray"}"#).as_bytes());
                    let _ = told.send(trade);
                }
            });
        }
    });
    (url, strayed, connections)
}

#[test]
fn with_a_connection_for_each_trade_no_stray_reply_answers_one() {
    let (url, strayed, connections) = straying_service(|trade| 1 + trade * 7_919 % 30);
    let client = Client::new(ReqwestTransport::new(&url).unwrap());
    run(async {
        for trade in 0..300 {
            let traded = client.buy(buy()).await.unwrap();
            assert_eq!(traded.trade.status, Status::Landed, "trade {trade}");
        }
    });
    assert_eq!(connections.load(Ordering::SeqCst), 300);
    assert_eq!((0..300).map(|_| strayed.recv().unwrap()).max(), Some(300));
}

#[test]
fn a_stray_reply_on_a_kept_connection_that_came_before_the_next_request_is_no_answer_to_it() {
    let (url, strayed, connections) = straying_service(|_| 1);
    let client = Client::new(ReqwestTransport::keeping_connections(&url).unwrap());
    run(async {
        for trade in 0..100 {
            let traded = client.buy(buy()).await.unwrap();
            assert_eq!(traded.trade.status, Status::Landed, "trade {trade}");
            // Blocks, so nothing has read the stray reply when the next trade begins.
            strayed.recv().unwrap();
        }
    });
    assert_eq!(connections.load(Ordering::SeqCst), 100);
}

/// A node that answers each request with the next of these replies.
fn node_of(replies: Vec<String>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/?key=secret-key-1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for reply in replies {
            let (mut socket, _) = listener.accept().unwrap();
            assert!(read_request(&mut socket));
            // The market closes it once the reply is too long.
            let _ = socket.write_all(reply.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n").as_bytes());
        }
    });
    url
}

#[test]
fn a_nodes_reply_needs_a_status_of_success_and_has_a_longest_length() {
    use launchpad_desk::evidence::Seen;

    const SEEN: &str =
        r#"{"jsonrpc":"2.0","id":1,"result":{"value":[{"err":null,"confirmationStatus":"finalized"}]}}"#;
    let long = format!("{SEEN}{}", " ".repeat(100_000));
    let node = node_of(vec![reply(200, SEEN), reply(429, SEEN), reply(502, "<html>"), reply(200, &long)]);
    let options = MarketOptions { max_reply_bytes: SEEN.len() as u32, ..MarketOptions::default() };
    let market = RpcMarket::at(&node, options).unwrap();
    let confirmed = || run(market.confirm("S")).map_err(|why| why.to_string());
    assert_eq!(confirmed(), Ok(Seen::Finalized));
    let refused = |what: &str| Err(what.to_owned());
    assert_eq!(confirmed(), refused("the node answered with the HTTP status 429"), "whatever its body says");
    assert_eq!(confirmed(), refused("the node answered with the HTTP status 502"));
    let too_long = format!("the reply is longer than {} bytes (max_reply_bytes)", SEEN.len());
    assert_eq!(confirmed(), refused(&too_long));
    // Nobody listens any more. The URL is in no error.
    assert_eq!(confirmed(), refused("The source gave no reply."));
    let error = RpcMarket::at("rpc.example", MarketOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "not sent: rpc must be an absolute URL");
}

/// A server that answers every request with this, and what it was sent.
pub fn answering(answer: String) -> (std::net::SocketAddr, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    let (heads, head) = mpsc::channel();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let (mut socket, mut bytes, mut piece) = (socket.unwrap(), Vec::new(), [0; 4096]);
            while !bytes.ends_with(b"}") {
                let count = socket.read(&mut piece).unwrap();
                bytes.extend_from_slice(&piece[..count]);
            }
            heads.send(String::from_utf8(bytes).unwrap()).unwrap();
            socket.write_all(answer.as_bytes()).unwrap();
        }
    });
    (at, head)
}

#[test]
fn a_node_is_reached_by_a_user_and_a_password_as_people_paste_them() {
    let (at, head) = answering(reply(500, ""));
    for (pair, coded) in [
        ("me:pa%3Ass@", Some("bWU6cGE6c3M=")),
        ("50%off:p%zz@", Some("NTAlb2ZmOnAleno=")),
        ("me:%@", Some("bWU6JQ==")),
        ("me:100%25@", Some("bWU6MTAwJQ==")),
        ("m\u{fc}:you@", Some("bcO8OnlvdQ==")),
        ("me:%e4@", Some("bWU65A==")),
        (":only@", Some("Om9ubHk=")),
        ("me@", Some("bWU6")),
        ("", None),
    ] {
        let market = RpcMarket::at(&format!("http://{pair}{at}/d"), MarketOptions::default()).unwrap();
        let error = run(market.confirm("S")).unwrap_err();
        assert_eq!(error.to_string(), "the node answered with the HTTP status 500", "{pair}");
        let head = head.recv().unwrap();
        assert!(head.starts_with("POST /d HTTP/1.1\r\n"), "{head}");
        let sent = head.lines().find_map(|line| line.strip_prefix("authorization: "));
        assert_eq!(sent.map(str::to_owned), coded.map(|coded| format!("Basic {coded}")), "{pair}");
    }
}

#[test]
fn headers_of_a_node_are_sent_with_every_request_and_shown_nowhere() {
    let of = |headers: &[(&str, &str)]| MarketOptions {
        headers: headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        ..MarketOptions::default()
    };
    let (at, head) = answering(reply(500, ""));
    let options = of(&[("x-api-key", "node-secret-1")]);
    assert!(format!("{options:?}").contains("headers: [\"x-api-key\"]"), "{options:?}");
    let market = RpcMarket::at(&format!("http://{at}/d"), options).unwrap();
    let error = run(market.confirm("S")).unwrap_err();
    assert!(!format!("{error:?} {error} {market:?}").contains("node-secret-1"));
    let head = head.recv().unwrap();
    assert!(head.lines().any(|line| line == "x-api-key: node-secret-1"), "{head}");
    let what = "not sent: headers must map header names to visible ASCII, each once; a user in the URL is the header authorization";
    for (user, header) in
        [("", ("a b", "1")), ("", ("host", "x")), ("", ("x", "\n")), ("u:p@", ("Authorization", "Bearer t"))]
    {
        let error = RpcMarket::at(&format!("http://{user}127.0.0.1:9"), of(&[header])).unwrap_err();
        assert_eq!(error.to_string(), what, "{header:?}");
    }
}
