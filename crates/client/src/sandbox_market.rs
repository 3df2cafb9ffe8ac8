//! The market of a sandbox that is served elsewhere, read under `/_market/`.

use std::time::Duration;

use super::sandbox::SandboxLook;
use super::shared::{whole_ms, within};
use super::transport::{BoxError, BoxFuture, BoxedError, Incoming, Transport, body_of};
use super::watch::{ExitLook, Looks};
use launchpad_desk::bindings::debug_text;
use launchpad_desk::bindings::drivers::NODE_TIMEOUT_MS;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::error::FieldError;
use launchpad_desk::launchpad::{Launchpad, curve_settings};
use launchpad_desk::tape::json;
use launchpad_desk::trade::flow::{Get, Lost};
use launchpad_desk_sandbox::{MarketHolder, SandboxTokenAccount};

/// Prices and holdings from a sandbox that is served elsewhere, or from a gateway that serves one. It reads what anyone may read, over any
/// transport that can [`get`](Transport::get), sends no key and changes nothing.
///
/// ```
/// use launchpad_desk_client::{BoxError, Looks, SandboxMarket, Transport, WatchOptions};
///
/// /// Prints each new price, by a transport such as `ReqwestTransport::keeping_connections("http://127.0.0.1:8787")`.
/// async fn print<T: Transport>(transport: T, mint: &str) -> Result<(), BoxError> {
///     let market = SandboxMarket::new(transport);
///     let mut watch = market.watch(mint, WatchOptions::default());
///     loop {
///         let look = watch.next().await?;
///         println!("{} lamports", look.token.curve.virtual_sol_reserves);
///     }
/// }
/// ```
pub struct SandboxMarket<T> {
    transport: T,
    timeout_ms: u32,
}

debug_text!([T] SandboxMarket<T>, |_| "SandboxMarket");

/// The most bytes of an answer: a look has 32 wallets at most.
const MOST_BYTES: u32 = 1 << 20;

impl<T: Transport> SandboxMarket<T> {
    /// The market of the sandbox that the transport's base URL names.
    pub fn new(transport: T) -> Self {
        SandboxMarket { transport, timeout_ms: NODE_TIMEOUT_MS as u32 }
    }

    /// How long an answer may take. Default: 10 s.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        SandboxMarket { timeout_ms: whole_ms(timeout), ..self }
    }

    /// A token's curve and what these wallets hold, at one moment; at most 32 wallets.
    ///
    /// # Errors
    ///
    /// There is no such token, or no answer that says so.
    pub async fn look(&self, mint: &str, wallets: &[String]) -> Result<SandboxLook, BoxedError> {
        Ok(self.looked(mint, wallets).await?)
    }

    async fn looked(&self, mint: &str, wallets: &[String]) -> Result<SandboxLook, BoxError> {
        let mut path = format!("/_market/looks/{}", in_url(mint));
        for (at, wallet) in wallets.iter().enumerate() {
            path.push_str(if at == 0 { "?wallet=" } else { "&wallet=" });
            path.push_str(&in_url(wallet));
        }
        let get = Get { path, headers: vec![("accept".to_owned(), "application/json".to_owned())] };
        let asked = async {
            let mut reply = self.transport.get(get).await?;
            let status = reply.head().status;
            Ok((status, body_of(&mut reply, MOST_BYTES).await?))
        };
        let answered = within(self.transport.sleep(self.timeout_ms), asked).await;
        let answered = answered.unwrap_or_else(|| Err(Lost::Broken(String::new())));
        let (status, body) = answered.map_err(|lost| match lost {
            Lost::Unsupported(why) => why,
            _ => "the sandbox has not answered".to_owned(),
        })?;
        let answer = json::parse(&body).map_err(|_| format!("the sandbox answered {status}, and no JSON"))?;
        if status != 200 {
            let detail = answer.root().text_of("detail").map(str::to_owned);
            return Err(detail.unwrap_or_else(|| format!("the sandbox answered {status}")).into());
        }
        reader::read(answer.root(), read_look).map_err(|problems: Vec<FieldError>| {
            let messages: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
            format!("the sandbox's look cannot be read: {}", messages.join("; ")).into()
        })
    }
}

/// A look as the market writes it.
fn read_look(r: &mut Reader) -> SandboxLook {
    // The mint and its decimals, which are in the rules too.
    r.ignore_rest();
    let curve = r.needed("curve", |r, name| r.object(name, curve_settings::read));
    // Without one, that is a problem.
    let (launchpad, token) =
        curve.unwrap_or_else(|| (Launchpad::default(), Launchpad::default().new_token()));
    SandboxLook {
        launchpad,
        token,
        wallets: r.need("wallets", |r, name| r.list(name, read_holder)),
        at_ms: r.need("atMs", Reader::whole),
    }
}

fn read_holder(r: &mut Reader) -> MarketHolder {
    r.ignore_rest();
    MarketHolder {
        wallet: r.need("wallet", Reader::text).to_owned(),
        lamports: r.need("lamports", Reader::whole),
        holding: r.object("holding", |r| SandboxTokenAccount {
            mint: r.need("mint", Reader::text).to_owned(),
            token_account: r.need("tokenAccount", Reader::text).to_owned(),
            tokens: r.need("tokens", Reader::whole),
            lamports: r.need("lamports", Reader::whole),
            is_frozen: r.need("isFrozen", Reader::boolean),
            stays_open: r.need("staysOpen", Reader::boolean),
        }),
        opens_volume_account: r.need("opensVolumeAccount", Reader::boolean),
    }
}

fn in_url(name: &str) -> String {
    let mut part = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => part.push(byte.into()),
            _ => part.push_str(&format!("%{byte:02X}")),
        }
    }
    part
}

/// Each look is a request. A stream of events would come sooner, and not every transport has one.
impl<T: Transport> Looks for SandboxMarket<T> {
    type Look = SandboxLook;
    const EVERY: Duration = Duration::from_millis(500);

    fn look_at<'a>(
        &'a self,
        mint: &'a str,
        wallets: &'a [String],
    ) -> BoxFuture<'a, Result<SandboxLook, BoxError>> {
        Box::pin(self.looked(mint, wallets))
    }

    fn is_news(before: &SandboxLook, look: &SandboxLook) -> bool {
        before.differs_from(look)
    }

    fn for_exits<'l>(look: &'l SandboxLook, _: &str, wallet: &str) -> ExitLook<'l> {
        look.for_exits(wallet)
    }
}
