//! A market that is watched: looks, one after the other.

use std::sync::Arc;
use std::time::Duration;

use super::shared::whole_ms;
use super::system;
use super::transport::{BoxError, BoxFuture, BoxedError, MaybeSend, MaybeSync};
use launchpad_desk::bindings::debug_text;
use launchpad_desk::launchpad::{Launchpad, Token};

/// How a market is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchOptions {
    /// The wallets whose holdings each look has. Default: none.
    pub wallets: Vec<String>,
    /// How long to wait between two looks, at least. Default: the market's [`EVERY`](Looks::EVERY).
    pub every: Option<Duration>,
}

/// What a look says to the exits of a position.
#[derive(Clone, Copy, Debug)]
pub struct ExitLook<'a> {
    /// The launchpad's rules.
    pub launchpad: &'a Launchpad,
    pub token: &'a Token,
    /// Base units of it that the wallet holds; `None` if the look does not say.
    pub wallet_tokens: Option<u64>,
    /// When it was taken, in milliseconds since 1970 or of the market's own time; `None`: when its answer came.
    pub at_ms: Option<u64>,
}

/// A market that can be looked at, and watched: a sandbox, the chain by a node, or the chain by a function.
pub trait Looks: MaybeSend + MaybeSync {
    /// What a look says.
    type Look: Clone + MaybeSend + MaybeSync;

    /// How long to wait between two looks unless the options say otherwise.
    const EVERY: Duration;

    /// A look at a token and some wallets.
    fn look_at<'a>(
        &'a self,
        mint: &'a str,
        wallets: &'a [String],
    ) -> BoxFuture<'a, Result<Self::Look, BoxError>>;

    /// Whether a look says more than the one before.
    fn is_news(before: &Self::Look, look: &Self::Look) -> bool;

    /// What a look at this token says to the exits of a position of this wallet.
    fn for_exits<'l>(look: &'l Self::Look, mint: &str, wallet: &str) -> ExitLook<'l>;

    /// Why its looks may have an old price: its source stands still. A market without slots never does.
    fn stale(&self) -> Option<BoxError> {
        None
    }

    /// Looks again and again, until it is dropped.
    ///
    /// ```
    /// use launchpad_desk_client::{Looks, SandboxTransport, WatchOptions};
    /// use launchpad_desk_sandbox::{Sandbox, SandboxConfig};
    /// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
    /// let market = SandboxTransport::new(Sandbox::new(SandboxConfig::default()).unwrap());
    /// let mint = market.sandbox().tokens()[0].mint.clone();
    /// let mut watch = market.watch(&mint, WatchOptions::default());
    /// let look = watch.next().await.unwrap();
    /// assert_eq!(look.launchpad.buy_exact_in(&look.token, 1_000_000_000, 1).unwrap().tokens, 34_199_203_120_618);
    /// # });
    /// ```
    fn watch(&self, mint: &str, options: WatchOptions) -> Watch<'_, Self>
    where
        Self: Sized,
    {
        let every_ms = whole_ms(options.every.unwrap_or(Self::EVERY));
        Watch {
            market: self,
            mint: mint.to_owned(),
            wallets: options.wallets,
            every_ms,
            begun_ms: None,
            last: None,
            is_stale: false,
        }
    }
}

/// Several may look at one market.
macro_rules! looks_through {
    ($shared:ty) => {
        impl<M: Looks> Looks for $shared {
            type Look = M::Look;
            const EVERY: Duration = M::EVERY;

            fn look_at<'a>(
                &'a self,
                mint: &'a str,
                wallets: &'a [String],
            ) -> BoxFuture<'a, Result<Self::Look, BoxError>> {
                M::look_at(self, mint, wallets)
            }

            fn is_news(before: &Self::Look, look: &Self::Look) -> bool {
                M::is_news(before, look)
            }

            fn for_exits<'l>(look: &'l Self::Look, mint: &str, wallet: &str) -> ExitLook<'l> {
                M::for_exits(look, mint, wallet)
            }

            fn stale(&self) -> Option<BoxError> {
                M::stale(self)
            }
        }
    };
}
looks_through!(&M);
looks_through!(Arc<M>);

/// Looks at one token, one after the other. Dropping it ends them.
pub struct Watch<'m, M: Looks> {
    market: &'m M,
    mint: String,
    wallets: Vec<String>,
    every_ms: u32,
    begun_ms: Option<u64>,
    last: Option<M::Look>,
    /// Whether it was said that the source stands still.
    is_stale: bool,
}

debug_text!([M: Looks] Watch<'_, M>, |watch| "Watch({})", watch.mint);

impl<M: Looks> Watch<'_, M> {
    /// The next look that says more than the one before. What went wrong is an error of one look, and the next call looks again.
    ///
    /// # Errors
    ///
    /// Why the market has no look. One that lags behind what it said before says so; one that stands still says so once.
    pub async fn next(&mut self) -> Result<M::Look, BoxedError> {
        loop {
            if let Some(begun_ms) = self.begun_ms {
                let since = system::now_ms().saturating_sub(begun_ms);
                // Even without a pause: a market that answers at once would keep the thread for ever.
                system::sleep(u64::from(self.every_ms).saturating_sub(since) as u32).await;
            }
            self.begun_ms = Some(system::now_ms());
            let look = self.market.look_at(&self.mint, &self.wallets).await?;
            if self.last.as_ref().is_none_or(|last| M::is_news(last, &look)) {
                self.last = Some(look.clone());
                self.is_stale = false;
                return Ok(look);
            }
            if let Some(why) = self.market.stale().filter(|_| !self.is_stale) {
                self.is_stale = true;
                return Err(why.into());
            }
        }
    }
}
