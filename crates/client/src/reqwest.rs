//! `reqwest` as a transport.
//!
//! What it proves: **[`Lost::Unsent`] is an error while [connecting](::reqwest::Error::is_connect)**: DNS, TCP or TLS. reqwest
//! reports the error of its last attempt, which proves something only because there is just one. Redirects are not followed and
//! reqwest's own retries are off. hyper's pool does retry, but only if a kept connection closed before it took over the
//! request, and handed the request back. Every other failure is [`Lost::Broken`].

use std::error::Error as _;
use std::io;
use std::time::Duration;

use super::error::{TradeError, bad_option};
use super::node::{PostToNode, answer_of_node, authorization_of, headers_of_node};
use super::transport::{Incoming, Transport};
use launchpad_desk::bindings::debug_text;
use launchpad_desk::bindings::drivers::{CONNECT_TIMEOUT_MS, KEEP_ALIVE_MS};
use launchpad_desk::error::FieldCode;
use launchpad_desk::intent::INTENT_STATE;
use launchpad_desk::trade::UrlParts;
use launchpad_desk::trade::flow::{Get, Head, Lost, Post};
use launchpad_desk::trade::plan::Destination;

const CONNECT_TIMEOUT: Duration = Duration::from_millis(CONNECT_TIMEOUT_MS);
const KEEP_ALIVE: Duration = Duration::from_millis(KEEP_ALIVE_MS);

/// Sends over HTTP with `reqwest`, on a Tokio runtime, each trade on a connection of its own. Clones share their settings.
///
/// ```no_run
/// use launchpad_desk_client::ReqwestTransport;
/// use launchpad_desk::prelude::*;
/// use launchpad_desk_client::{Client, TradeError};
///
/// # async fn trade() -> Result<(), TradeError> {
/// let transport = ReqwestTransport::new("https://service.example")?;
/// let client = Client::builder(transport).api_key("sk-12345678").build()?;
/// let traded = client.buy(BuyRequest::new("mint", "wallet", 1_000_000_000)).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ReqwestTransport {
    client: ::reqwest::Client,
    base_url: String,
}

debug_text!(ReqwestTransport, |transport| "ReqwestTransport({})", transport.base_url);

impl ReqwestTransport {
    /// Sends to the service at this URL, without `/v1`: https, or http on loopback. It opens a connection for each trade, within 10
    /// seconds, and uses no proxy.
    ///
    /// # Errors
    ///
    /// `invalid_options`.
    pub fn new(base_url: &str) -> Result<Self, TradeError> {
        Self::with(base_url, settings().pool_max_idle_per_host(0))
    }

    /// The same, but it keeps an idle connection for 4 seconds. That saves a handshake, but HTTP/1.1 does not say which request a
    /// reply answers: if the service sends a second reply to one trade after the next was written, the next trade gets it. A trade
    /// that was made may then be called rejected.
    ///
    /// # Errors
    ///
    /// `invalid_options`.
    pub fn keeping_connections(base_url: &str) -> Result<Self, TradeError> {
        Self::with(base_url, settings().pool_idle_timeout(KEEP_ALIVE))
    }

    /// Sends with your own settings: certificates, proxies, timeouts. Redirects and retries stay off. reqwest keeps connections, as
    /// [`keeping_connections`](Self::keeping_connections) does, unless you set `pool_max_idle_per_host(0)`.
    ///
    /// # Errors
    ///
    /// `invalid_options`.
    pub fn with(base_url: &str, settings: ::reqwest::ClientBuilder) -> Result<Self, TradeError> {
        let base_url = checked(base_url)?;
        let settings =
            settings.redirect(::reqwest::redirect::Policy::none()).retry(::reqwest::retry::never());
        let client = settings
            .referer(false)
            .build()
            .map_err(|_| bad_option("settings", FieldCode::OutOfRange, "cannot be used by reqwest"))?;
        Ok(ReqwestTransport { client, base_url })
    }

    /// Opens a connection before the first trade, with an OPTIONS request to the base URL without the key, and returns whether it was
    /// opened. If connections are [kept](Self::keeping_connections), the trade itself need not wait for DNS, TCP and TLS; if not, only
    /// TLS is resumed.
    pub async fn warm(&self) -> bool {
        match self.client.request(::reqwest::Method::OPTIONS, &self.base_url).send().await {
            // Read to its end, or the connection could not be used again.
            Ok(response) => response.bytes().await.is_ok(),
            Err(_) => false,
        }
    }
}

fn settings() -> ::reqwest::ClientBuilder {
    ::reqwest::Client::builder().no_proxy().connect_timeout(CONNECT_TIMEOUT)
}

/// A base URL that may be sent to.
fn checked(base_url: &str) -> Result<String, TradeError> {
    let bad = |code, what: &str| bad_option("base_url", code, what);
    let url =
        ::reqwest::Url::parse(base_url).map_err(|_| bad(FieldCode::OutOfRange, "must be an absolute URL"))?;
    let parts = UrlParts {
        protocol: &format!("{}:", url.scheme()),
        hostname: url.host_str().unwrap_or_default(),
        username: url.username(),
        password: url.password().unwrap_or_default(),
        origin: &url.origin().ascii_serialization(),
        pathname: url.path(),
        search: url.query().unwrap_or_default(),
        hash: url.fragment().unwrap_or_default(),
    };
    let mut problem = None;
    let base_url = parts.base_url(&mut |code, what| {
        problem.get_or_insert_with(|| bad(code, what));
    });
    problem.map_or(Ok(base_url), Err)
}

/// A function that posts to the node at this URL.
pub(super) fn post_to_node(
    url: &str,
    headers: &[(String, String)],
    most: u32,
) -> Result<PostToNode, TradeError> {
    let not_absolute = || bad_option("rpc", FieldCode::OutOfRange, "must be an absolute URL");
    let mut url = ::reqwest::Url::parse(url).map_err(|_| not_absolute())?;
    let authorization = authorization_of(url.username(), url.password().unwrap_or_default());
    let headers = headers_of_node(headers, authorization)?;
    if !url.username().is_empty() || url.password().is_some() {
        url.set_username("").and_then(|()| url.set_password(None)).map_err(|()| not_absolute())?;
    }
    let settings = settings().redirect(::reqwest::redirect::Policy::none()).referer(false);
    let client = settings
        .build()
        .map_err(|_| bad_option("rpc", FieldCode::OutOfRange, "cannot be reached by reqwest"))?;
    Ok(Box::new(move |body| {
        let mut request = client.post(url.clone()).header("content-type", "application/json").body(body);
        for (name, value) in &headers {
            request = request.header(name, value);
        }
        Box::pin(async move { answer_of_node(ReqwestReply(request.send().await?), most).await })
    }))
}

/// A reply whose status and headers have arrived. `Debug` shows only its status.
pub struct ReqwestReply(::reqwest::Response);

debug_text!(ReqwestReply, |reply| "ReqwestReply({})", reply.0.status().as_u16());

impl Transport for ReqwestTransport {
    type Reply = ReqwestReply;

    fn destination(&self) -> Destination {
        Destination { base_url: self.base_url.clone(), is_simulated: false }
    }

    async fn send(&self, post: Post) -> Result<ReqwestReply, Lost> {
        let mut request = self.client.post(format!("{}{}", self.base_url, post.path));
        for (name, value) in &post.headers {
            request = request.header(name, value);
        }
        // Without this header a service may use any content encoding.
        request = request.header("accept-encoding", "identity").body(post.body);
        let lost = |error: ::reqwest::Error| match error.is_connect() {
            true => Lost::Unsent(code_of(&error)),
            false => Lost::Broken(code_of(&error)),
        };
        // Lets Tokio read: bytes that have already arrived on a kept connection answer nothing that is sent now, so hyper closes
        // it. The first turn wakes the connection's task, the second lets it run.
        for _ in 0..2 {
            tokio::task::yield_now().await;
        }
        request.send().await.map(ReqwestReply).map_err(lost)
    }

    async fn get(&self, get: Get) -> Result<ReqwestReply, Lost> {
        let mut request = self.client.get(format!("{}{}", self.base_url, get.path));
        for (name, value) in &get.headers {
            request = request.header(name, value);
        }
        let lost = |error: ::reqwest::Error| Lost::Broken(code_of(&error));
        request.header("accept-encoding", "identity").send().await.map(ReqwestReply).map_err(lost)
    }

    /// Uses Tokio's timer, which reqwest needs anyway.
    async fn sleep(&self, ms: u32) {
        tokio::time::sleep(Duration::from_millis(ms.into())).await;
    }
}

impl Incoming for ReqwestReply {
    fn head(&self) -> Head {
        // Two headers of one name are joined, so that contradicting ones cannot be read.
        let header = |name| {
            let all = self.0.headers().get_all(name).iter().map(|value| value.to_str().unwrap_or_default());
            all.map(str::to_owned).reduce(|all, next| format!("{all}, {next}"))
        };
        Head {
            status: self.0.status().as_u16(),
            retry_after: header("retry-after"),
            is_simulated: header("x-simulated").as_deref() == Some("true"),
            intent_state: header(INTENT_STATE),
        }
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        match self.0.chunk().await {
            Ok(piece) => Ok(piece.map(Vec::from)),
            Err(error) => Err(Lost::Broken(code_of(&error))),
        }
    }
}

/// The system's name for an error, if it has one.
fn code_of(error: &::reqwest::Error) -> String {
    let mut source = error.source();
    while let Some(cause) = source {
        if let Some(error) = cause.downcast_ref::<io::Error>() {
            let name = match error.kind() {
                io::ErrorKind::ConnectionRefused => "ECONNREFUSED",
                io::ErrorKind::ConnectionReset => "ECONNRESET",
                io::ErrorKind::ConnectionAborted => "ECONNABORTED",
                io::ErrorKind::BrokenPipe => "EPIPE",
                io::ErrorKind::HostUnreachable => "EHOSTUNREACH",
                io::ErrorKind::NetworkUnreachable => "ENETUNREACH",
                io::ErrorKind::TimedOut => "ETIMEDOUT",
                _ => "",
            };
            if !name.is_empty() {
                return name.to_owned();
            }
        }
        source = cause.source();
    }
    let name = if error.is_dns() {
        "ENOTFOUND"
    } else if error.is_timeout() {
        "ETIMEDOUT"
    } else {
        ""
    };
    name.to_owned()
}
