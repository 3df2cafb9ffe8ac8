//! `gloo-net` as a transport, for Rust programs in a page or a worker: Yew, Leptos, Dioxus.
//!
//! It proves **nothing** about a failure. A browser reports only its last attempt and may have made others, so every failure
//! after the call is [`Lost::Broken`].

use gloo_net::http::{Method, Request, RequestBuilder, Response};
use js_sys::{Reflect, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{AbortController, ReadableStreamDefaultReader, RequestRedirect, Url};

use super::error::{TradeError, bad_option};
use super::node::{PostToNode, answer_of_node, authorization_of, headers_of_node};
use super::transport::{Incoming, Transport};
use launchpad_desk::bindings::debug_text;
use launchpad_desk::error::FieldCode;
use launchpad_desk::intent::INTENT_STATE;
use launchpad_desk::trade::UrlParts;
use launchpad_desk::trade::flow::{Get, Head, Lost, Post};
use launchpad_desk::trade::plan::Destination;

/// Sends with the browser's own `fetch`.
///
/// Visitors can read everything that a page holds, so a client in a page takes no key unless it
/// [is told to](super::ClientBuilder::dangerously_allow_browser). With a gateway of your own it needs none.
#[derive(Clone, Debug)]
pub struct GlooTransport {
    base_url: String,
}

impl GlooTransport {
    /// Sends to the service at this URL, without `/v1`: https, or http on loopback.
    ///
    /// # Errors
    ///
    /// `invalid_options`.
    pub fn new(base_url: &str) -> Result<Self, TradeError> {
        let bad = |code, what: &str| bad_option("base_url", code, what);
        let url = Url::new(base_url).map_err(|_| bad(FieldCode::OutOfRange, "must be an absolute URL"))?;
        let parts = UrlParts {
            protocol: &url.protocol(),
            hostname: &url.hostname(),
            username: &url.username(),
            password: &url.password(),
            origin: &url.origin(),
            pathname: &url.pathname(),
            search: &url.search(),
            hash: &url.hash(),
        };
        let mut problem = None;
        let base_url = parts.base_url(&mut |code, what| {
            problem.get_or_insert_with(|| bad(code, what));
        });
        problem.map_or(Ok(GlooTransport { base_url }), Err)
    }

    /// A request to the service, without its method and its body.
    fn request(&self, path: &str, headers: &[(String, String)]) -> Result<(RequestBuilder, Abort), Lost> {
        let abort = Abort(AbortController::new().map_err(unsupported)?);
        let request = RequestBuilder::new(&format!("{}{path}", self.base_url))
            .redirect(RequestRedirect::Manual)
            .abort_signal(Some(&abort.0.signal()));
        Ok((headers.iter().fold(request, |request, (name, value)| request.header(name, value)), abort))
    }
}

fn unsupported<E>(_: E) -> Lost {
    Lost::Unsupported("this browser lacks what sending needs".to_owned())
}

/// A function that posts to the node at this URL.
pub(super) fn post_to_node(
    url: &str,
    headers: &[(String, String)],
    most: u32,
) -> Result<PostToNode, TradeError> {
    let url =
        Url::new(url).map_err(|_| bad_option("rpc", FieldCode::OutOfRange, "must be an absolute URL"))?;
    let authorization = authorization_of(&url.username(), &url.password());
    let headers = headers_of_node(headers, authorization)?;
    // A browser sends nothing to a URL that has them.
    url.set_username("");
    url.set_password("");
    let url = url.href();
    Ok(Box::new(move |body| {
        let (url, headers) = (url.clone(), headers.clone());
        Box::pin(async move {
            let unsupported = || "this browser lacks what sending needs";
            let abort = Abort(AbortController::new().map_err(|_| unsupported())?);
            let mut request = RequestBuilder::new(&url)
                .method(Method::POST)
                .redirect(RequestRedirect::Error)
                .abort_signal(Some(&abort.0.signal()))
                .header("content-type", "application/json");
            for (name, value) in &headers {
                request = request.header(name, value);
            }
            let request = request.body(body).map_err(|_| unsupported())?;
            let reply = answered(request, abort).await.map_err(|_| "no reply came")?;
            answer_of_node(reply, most).await
        })
    }))
}

/// Aborts the request when it is dropped: its trade is no longer waited for.
struct Abort(AbortController);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A reply whose status and headers have arrived. `Debug` shows only its status.
pub struct GlooReply {
    response: Response,
    body: Option<ReadableStreamDefaultReader>,
    _abort: Abort,
}

debug_text!(GlooReply, |reply| "GlooReply({})", reply.response.status());

impl Transport for GlooTransport {
    type Reply = GlooReply;

    fn destination(&self) -> Destination {
        Destination { base_url: self.base_url.clone(), is_simulated: false }
    }

    async fn send(&self, post: Post) -> Result<GlooReply, Lost> {
        let (request, abort) = self.request(post.path, &post.headers)?;
        let request = request.method(Method::POST).body(post.body).map_err(unsupported)?;
        // Whatever the browser says about a failure, it proves nothing.
        answered(request, abort).await
    }

    async fn get(&self, get: Get) -> Result<GlooReply, Lost> {
        let (request, abort) = self.request(&get.path, &get.headers)?;
        answered(request.build().map_err(unsupported)?, abort).await
    }

    fn is_public(&self) -> bool {
        true
    }
}

async fn answered(request: Request, abort: Abort) -> Result<GlooReply, Lost> {
    let response = request.send().await.map_err(|_| Lost::Broken(String::new()))?;
    let body = response.body().and_then(|body| body.get_reader().dyn_into().ok());
    Ok(GlooReply { response, body, _abort: abort })
}

impl Incoming for GlooReply {
    fn head(&self) -> Head {
        let header = |name| self.response.headers().get(name);
        Head {
            status: self.response.status(),
            retry_after: header("retry-after"),
            is_simulated: header("x-simulated").as_deref() == Some("true"),
            intent_state: header(INTENT_STATE),
        }
    }

    async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        let broken = |_| Lost::Broken(String::new());
        let Some(body) = &self.body else { return Ok(None) };
        let piece = JsFuture::from(body.read()).await.map_err(broken)?;
        let field = |name: &str| Reflect::get(&piece, &name.into());
        if field("done").map_err(broken)?.is_truthy() {
            return Ok(None);
        }
        let bytes = field("value").map_err(broken)?.dyn_into::<Uint8Array>().map_err(broken)?;
        Ok(Some(bytes.to_vec()))
    }
}
