//! What carries a trade to the service, and what else a client needs from the system.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use super::error::TradeError;
use super::system;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::bindings::drivers::MOST_EMPTY;
use launchpad_desk::tape::Item;
use launchpad_desk::trade::flow::{Get, Head, Lost, Post};
use launchpad_desk::trade::plan::{Destination, PlanPrice};

/// Any error of the caller's own code.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A [`BoxError`] as a type of its own, which `?` takes into any `Box<dyn Error>`. It says what that says, and nothing else.
///
/// ```
/// use launchpad_desk_client::{BoxError, BoxedError};
/// fn look() -> Result<(), BoxedError> {
///     Err(BoxedError::from(BoxError::from("no reply")))
/// }
/// fn price() -> Result<(), Box<dyn std::error::Error>> {
///     Ok(look()?)
/// }
/// assert_eq!(price().unwrap_err().to_string(), "no reply");
/// ```
pub struct BoxedError(BoxError);

impl BoxedError {
    /// The error itself, if it is of this type.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.0.downcast_ref()
    }
}

impl From<BoxError> for BoxedError {
    fn from(error: BoxError) -> Self {
        BoxedError(error)
    }
}

impl fmt::Debug for BoxedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for BoxedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for BoxedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// `Send`, except in a browser, where nothing moves between threads.
#[cfg(not(target_arch = "wasm32"))]
pub trait MaybeSend: Send {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Send + ?Sized> MaybeSend for T {}

/// `Send`, except in a browser, where nothing moves between threads.
#[cfg(target_arch = "wasm32")]
pub trait MaybeSend {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> MaybeSend for T {}

/// `Sync`, except in a browser.
#[cfg(not(target_arch = "wasm32"))]
pub trait MaybeSync: Sync {}
#[cfg(not(target_arch = "wasm32"))]
impl<T: Sync + ?Sized> MaybeSync for T {}

/// `Sync`, except in a browser.
#[cfg(target_arch = "wasm32")]
pub trait MaybeSync {}
#[cfg(target_arch = "wasm32")]
impl<T: ?Sized> MaybeSync for T {}

/// A boxed future, `Send` except in a browser.
#[cfg(not(target_arch = "wasm32"))]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A boxed future, `Send` except in a browser.
#[cfg(target_arch = "wasm32")]
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Carries a trade to the service and its reply back.
///
/// It sends each [`Post`] once, follows no redirect, and says only what it knows about a failure: [`Lost::Unsent`] is a proof
/// that nothing was sent, and anything less is [`Lost::Broken`].
///
/// ```
/// use std::future::ready;
/// use launchpad_desk_client::{Client, Incoming, Transport};
/// use launchpad_desk::trade::flow::{Head, Lost, Post};
/// use launchpad_desk::trade::plan::{Destination, PlanPrice};
///
/// /// Answers every trade by itself.
/// struct Canned(&'static str);
/// struct Reply(Option<Vec<u8>>);
///
/// impl Transport for Canned {
///     type Reply = Reply;
///     fn destination(&self) -> Destination {
///         Destination { base_url: "https://canned.invalid".into(), is_simulated: false }
///     }
///     async fn send(&self, _post: Post) -> Result<Reply, Lost> {
///         Ok(Reply(Some(self.0.into())))
///     }
/// }
/// impl Incoming for Reply {
///     fn head(&self) -> Head {
///         Head { status: 200, ..Head::default() }
///     }
///     async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Lost> {
///         Ok(self.0.take())
///     }
/// }
///
/// let client = Client::new(Canned(r#"{"result":{"transactionResult":{"success":true}}}"#));
/// ```
pub trait Transport: MaybeSend + MaybeSync {
    /// What comes back.
    type Reply: Incoming;

    /// Where it sends. A plan that was made for another destination is not sent.
    fn destination(&self) -> Destination;

    /// Does what comes before a request is sent, such as to record it; nothing is sent yet. A client waits for this before each
    /// [`send`](Transport::send), and asks once more whether the trade may still go.
    fn prepare(&self, post: &Post) -> impl Future<Output = Result<(), Lost>> + MaybeSend {
        let _ = post;
        std::future::ready(Ok(()))
    }

    /// Takes that a request that was prepared, or is being prepared, is not sent: it was stopped or dropped, or it is too late for it.
    fn cancel(&self, post: &Post) {
        let _ = post;
    }

    /// Sends the request once, and waits for the start of the reply. If the future is dropped, the trade may have been sent.
    fn send(&self, post: Post) -> impl Future<Output = Result<Self::Reply, Lost>> + MaybeSend;

    /// Sends a GET, which only asks, and waits for the start of the reply. Needed for
    /// [`Client::wait_for`](super::Client::wait_for); by default it is [`Lost::Unsupported`].
    fn get(&self, get: Get) -> impl Future<Output = Result<Self::Reply, Lost>> + MaybeSend {
        let _ = get;
        std::future::ready(Err(Lost::Unsupported("this transport only sends trades".to_owned())))
    }

    /// Whether anyone can read what this program holds, as in a page. Then a client takes no key unless it is allowed to.
    fn is_public(&self) -> bool {
        false
    }

    /// What a request would do in the market that it goes to: the price of a plan. `None` if that market is not known here.
    ///
    /// # Errors
    ///
    /// `not_sent`: the market has no such token or wallet.
    fn price(&self, _operation: Operation, _request: Item) -> Result<Option<PlanPrice>, TradeError> {
        Ok(None)
    }

    /// Waits, by a clock that does not jump.
    fn sleep(&self, ms: u32) -> impl Future<Output = ()> + MaybeSend {
        system::sleep(ms)
    }

    /// The time, in milliseconds since 1970.
    fn now_ms(&self) -> u64 {
        system::now_ms()
    }

    /// An id that no other trade has.
    fn new_id(&self) -> String {
        system::new_id()
    }
}

/// A reply whose status and headers have arrived.
pub trait Incoming: MaybeSend {
    /// Its status and the headers that matter.
    fn head(&self) -> Head;

    /// The next piece of its body; `None` at its end.
    fn chunk(&mut self) -> impl Future<Output = Result<Option<Vec<u8>>, Lost>> + MaybeSend;
}

/// A whole body, or why there is none.
pub(super) async fn body_of(reply: &mut impl Incoming, most: u32) -> Result<Vec<u8>, Lost> {
    let (mut body, mut empty) = (Vec::new(), 0);
    while let Some(piece) = reply.chunk().await? {
        empty = if piece.is_empty() { empty + 1 } else { 0 };
        if empty > MOST_EMPTY {
            return Err(Lost::Broken(String::new()));
        }
        if body.len() + piece.len() > most as usize {
            return Err(Lost::TooLarge(most));
        }
        // Most bodies come in one piece.
        if body.is_empty() { body = piece } else { body.extend_from_slice(&piece) }
    }
    Ok(body)
}
