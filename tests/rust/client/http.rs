//! reqwest as the transport, in addition to what tests/faults shows.

use launchpad_desk::client::ReqwestTransport;

use super::*;

fn run<F: Future>(work: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

#[test]
fn a_base_url_is_https_or_loopback_and_ends_before_the_version() {
    for url in [
        "https://a.example",
        "https://a.example/base/",
        "http://localhost:80",
        "http://127.0.0.1:5",
        "http://[::1]:5",
        "http://desk.localhost",
    ] {
        assert!(ReqwestTransport::new(url).is_ok(), "{url}");
    }
    for (url, what) in [
        ("", "must be an absolute URL"),
        ("a.example", "must be an absolute URL"),
        ("http://a.example", "must be https, or http on loopback"),
        ("http://127.0.0.1.a.example", "must be https, or http on loopback"),
        ("ftp://localhost", "must be https, or http on loopback"),
        ("https://user@a.example", "must not hold a user name or a password"),
        ("https://:secret@a.example", "must not hold a user name or a password"),
        ("https://a.example?q", "must not have a query or a fragment"),
        ("https://a.example#f", "must not have a query or a fragment"),
        ("https://a.example/v1", "must end before /v1, which the client adds: https://a.example"),
        (
            "https://a.example/b/v1/trade/buy",
            "must end before /v1, which the client adds: https://a.example/b",
        ),
    ] {
        let error = ReqwestTransport::new(url).unwrap_err();
        assert_eq!(
            (error.code, error.to_string()),
            (Code::InvalidOptions, format!("not sent: base_url {what}")),
            "{url}"
        );
        assert_eq!(error.fields[0].field, "base_url");
    }
}

#[test]
fn what_nobody_listens_to_is_proven_unsent_and_tried_again() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", closed.local_addr().unwrap());
    drop(closed);
    let client = Client::builder(ReqwestTransport::new(&url).unwrap()).api_key(KEY).build().unwrap();
    assert!(!run(client.transport().warm()));
    let error = run(async { client.buy(buy()).await }).unwrap_err();
    assert_eq!(error.to_string(), "not sent: no connection to the service (ECONNREFUSED)");
    assert_eq!(client.guards().state(0).unresolved.len(), 0);
    assert!(!format!("{client:?} {:?} {error:?}", client.transport()).contains(KEY));
}
