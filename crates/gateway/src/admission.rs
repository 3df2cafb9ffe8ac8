//! Admission: paths, methods, origins, tokens. It needs only the settings, so the worker decides it without
//! waking a Durable Object.

use base64ct::{Base64, Encoding};

use crate::chain::{self, Rpc};
use crate::code::GatewayCode;
use crate::hash::{is_same, sha256};
use crate::problem::{Problem, add, answer, typed};
use crate::settings::{Caller, GatewaySettings, Role};
use crate::step::{ChainCall, ForwardResult};
use launchpad_desk::api::endpoint::{Operation, Reply};
use launchpad_desk::bindings::codes::codes;
use launchpad_desk::bindings::{debug_text, has_part};
use launchpad_desk::http::{self, MARKET_PREFIX, NotJson};
use launchpad_desk::intent::{INTENT_STATE, IntentState};
use launchpad_desk::tape::{Tape, ToTape};
use launchpad_desk::trade::guard::BuysMayExceed;

/// A request as it arrived. `Debug` leaves out headers and body.
#[derive(Clone, Copy)]
pub struct GatewayRequest<'a> {
    /// The method, unchanged.
    pub method: &'a str,
    /// The path and the query, unchanged: only exact paths are served.
    pub path: &'a str,
    /// Header names, in any case, with their values.
    pub headers: &'a [(String, String)],
    /// The body's bytes; `None` for one that is longer than `maxBodyBytes`.
    pub body: Option<&'a [u8]>,
}

debug_text!(GatewayRequest<'_>, |request| "GatewayRequest({} {})", request.method, request.path);

impl<'a> GatewayRequest<'a> {
    /// The first header of that name.
    pub(super) fn header(&self, name: &str) -> Option<&'a str> {
        self.all(name).next()
    }

    /// Every header of that name.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        http::named(self.headers, name)
    }

    /// Whether a person's browser asks.
    pub(super) fn wants_html(&self) -> bool {
        self.header("accept").is_some_and(|accept| has_part(&accept.to_ascii_lowercase(), "text/html"))
    }
}

codes! {
    /// What an operator may do.
    Act {
        /// Let nothing through.
        Halt = "halt",
        /// Let only sells through.
        Reduce = "reduce",
        /// Let everything through.
        Resume = "resume",
        /// Settle an intent in doubt.
        Settle = "settle",
        /// Let a waiting trade go.
        Approve = "approve",
        /// Refuse a waiting trade.
        Deny = "deny",
        /// Settle many intents in doubt.
        SettleMany = "settle-many",
        /// Allow trades although the audit log is broken.
        Acknowledge = "acknowledge",
    }
}

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route<'a> {
    Health,
    Trade(Operation),
    MakePlan,
    ShowPlan(&'a str),
    SendPlan(&'a str),
    Intent(&'a str),
    /// A caller takes back a trade of its own that waits for approval.
    Withdraw(&'a str),
    Ready,
    /// What anyone may read of the market of the sandbox behind it.
    Market,
    /// The node that pages read.
    Chain,
    Desk(PageCursors),
    /// The audit log, from an entry on.
    Audit {
        from: u64,
    },
    Act(Act),
}

/// Which part of its long lists a desk shows: what comes before these numbers; the newest without one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PageCursors {
    pub trades: Option<u64>,
    pub audit: Option<u64>,
}

impl PageCursors {
    /// The cursors of a query such as `trades=50&audit=9`.
    fn of(query: &str) -> Option<PageCursors> {
        let mut cursors = PageCursors::default();
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, number) = part.split_once('=')?;
            let place = match name {
                "trades" => &mut cursors.trades,
                "audit" => &mut cursors.audit,
                _ => return None,
            };
            if place.replace(number.parse().ok()?).is_some() {
                return None;
            }
        }
        Some(cursors)
    }
}

impl<'a> Route<'a> {
    fn of(path: &'a str) -> Option<Route<'a>> {
        if let Some(operation) = Operation::from_path(path) {
            return Some(Route::Trade(operation));
        }
        if let Some(rest) = path.strip_prefix("/v1/plans/") {
            return match rest.strip_suffix("/send") {
                Some(id) => Some(Route::SendPlan(id)),
                None => Some(Route::ShowPlan(rest)),
            };
        }
        if let Some(rest) = path.strip_prefix("/v1/intents/") {
            return match rest.strip_suffix("/withdraw") {
                Some(key) => Some(Route::Withdraw(key)),
                None => Some(Route::Intent(rest)),
            };
        }
        if path.starts_with(MARKET_PREFIX) {
            return Some(Route::Market);
        }
        if let Some(query) = path.strip_prefix("/desk?") {
            return PageCursors::of(query).map(Route::Desk);
        }
        if let Some(from) = path.strip_prefix("/desk/audit?from=") {
            return from.parse().ok().map(|from| Route::Audit { from });
        }
        match path {
            "/health" => Some(Route::Health),
            "/desk" => Some(Route::Desk(PageCursors::default())),
            "/desk/audit" => Some(Route::Audit { from: 0 }),
            "/v1/plans" => Some(Route::MakePlan),
            "/v1/ready" => Some(Route::Ready),
            "/v1/chain" => Some(Route::Chain),
            _ => path.strip_prefix("/desk/").and_then(Act::from_name).map(Route::Act),
        }
    }

    const fn method(self) -> &'static str {
        match self {
            Route::Trade(_) | Route::MakePlan | Route::SendPlan(_) | Route::Withdraw(_) => "POST",
            Route::Chain | Route::Act(_) => "POST",
            Route::Health | Route::ShowPlan(_) | Route::Intent(_) | Route::Ready | Route::Market => "GET",
            Route::Desk(_) | Route::Audit { .. } => "GET",
        }
    }

    /// Whether it is for operators.
    const fn is_desk(self) -> bool {
        matches!(self, Route::Desk(_) | Route::Audit { .. } | Route::Act(_))
    }
}

/// Who asks for what.
#[derive(Clone, Copy, Debug)]
pub(super) struct Admitted<'s, 'r> {
    pub route: Route<'r>,
    pub caller: &'s Caller,
}

/// Lets a request in, or answers it at once.
pub(super) fn admit<'s, 'r>(
    settings: &'s GatewaySettings,
    request: &GatewayRequest<'r>,
) -> Result<Admitted<'s, 'r>, Reply> {
    let refuse = |code, detail: &str| Problem::new(code, detail);
    // A service has no market to show.
    let route = Route::of(request.path).filter(|route| *route != Route::Market || settings.has_sandbox());
    let Some(route) = route else {
        return Err(refuse(GatewayCode::NotFound, "there is nothing at this path").reply());
    };
    check_origin(settings, route, request).map_err(|problem| problem.reply())?;
    if request.method == "OPTIONS" && request.header("origin").is_some() && !route.is_desk() {
        return Err(preflight(route));
    }
    // So a page has the preflight of a trade behind it before the trade.
    let is_ahead = request.method == "HEAD" && matches!(route, Route::Trade(_));
    if request.method != route.method() && !is_ahead {
        let detail = ["the method must be ", route.method()].concat();
        let problem = refuse(GatewayCode::MethodNotAllowed, &detail);
        return Err(problem.with_header("allow", route.method()).reply());
    }
    if route == Route::Health {
        return Err(health(settings));
    }
    let Some(caller) = caller_of(settings, route, request) else {
        let scheme = if route.is_desk() { "Basic realm=\"desk\", charset=\"UTF-8\"" } else { "Bearer" };
        let problem = refuse(GatewayCode::Unauthorized, "the token is missing or wrong");
        return Err(problem.with_header("www-authenticate", scheme).reply());
    };
    match (caller.role, route.is_desk()) {
        (Role::Trader, true) => {
            Err(refuse(GatewayCode::NotAnOperator, "the token is not an operator's").reply())
        }
        (Role::Operator, false) => {
            let detail = "the token is an operator's, and operators do not trade";
            Err(refuse(GatewayCode::NotATrader, detail)
                .with_header(INTENT_STATE, IntentState::NotRecorded.as_str())
                .reply())
        }
        _ if is_ahead => Err(empty()),
        _ => Ok(Admitted { route, caller }),
    }
}

/// Whether it is well, whether money moves there, whether it has a node that pages may read, and whether buys may cost more than their amounts.
fn health(settings: &GatewaySettings) -> Reply {
    let (is_simulated, may) = (settings.is_simulated(), settings.dialect.buys_may_exceed);
    let mut fields: Vec<(&str, &dyn ToTape)> = vec![("status", &"ok"), ("simulated", &is_simulated)];
    fields.extend(settings.rpc.is_some().then_some(("chain", &true as &dyn ToTape)));
    fields.extend((may != BuysMayExceed::Nothing).then_some(("buysMayExceed", &may as &dyn ToTape)));
    answer(200, &Tape::object(&fields))
}

/// A page of another origin may call only if `origins` names it. The desk's own page has the gateway's origin.
fn check_origin(settings: &GatewaySettings, route: Route, request: &GatewayRequest) -> Result<(), Problem> {
    let refuse = || Err(Problem::new(GatewayCode::OriginNotAllowed, "the page's origin is not allowed"));
    let mut origins = request.all("origin");
    match (origins.next(), origins.next()) {
        (None, _) => Ok(()),
        (Some(_), Some(_)) => refuse(),
        // The desk's own page. A proxy may have changed the host.
        (Some(origin), None) if route.is_desk() => {
            let host = request.header("host").unwrap_or_default();
            let is_own = request.header("sec-fetch-site") == Some("same-origin")
                || origin
                    .split_once(':')
                    .and_then(|(_, rest)| rest.strip_prefix("//"))
                    .is_some_and(|own| own.eq_ignore_ascii_case(host));
            if is_own { Ok(()) } else { refuse() }
        }
        (Some(origin), None) => {
            if settings.origins.iter().any(|allowed| allowed == origin) {
                Ok(())
            } else {
                refuse()
            }
        }
    }
}

fn empty() -> Reply {
    Reply { status: 204, headers: Vec::new(), body: Vec::new() }
}

/// The answer to a preflight: what a page may send.
fn preflight(route: Route) -> Reply {
    let mut reply = empty();
    add(&mut reply, "access-control-allow-methods", route.method());
    add(&mut reply, "access-control-allow-headers", ALLOWED);
    add(&mut reply, "access-control-max-age", "600");
    reply
}

/// The headers that a page may send.
const ALLOWED: &str = "authorization, content-type, idempotency-key, last-event-id, not-after";

/// The headers of an answer that a page may read.
const EXPOSED: &str = "allow, idempotency-key, idempotent-replayed, intent-state, retry-after, www-authenticate, x-possible-duplicate, x-simulated";

/// The origin of the calling page, if it may read the answer.
pub(super) fn allowed_origin<'a>(
    settings: &GatewaySettings,
    request: &GatewayRequest<'a>,
) -> Option<&'a str> {
    let origin = request.header("origin").filter(|_| !request.path.starts_with("/desk"));
    origin.filter(|origin| settings.origins.iter().any(|own| own == origin))
}

/// The answer with the headers that the page of an allowed origin needs.
pub(super) fn with_cors(settings: &GatewaySettings, origin: Option<&str>, mut reply: Reply) -> Reply {
    if settings.origins.is_empty() {
        return reply;
    }
    add(&mut reply, "vary", "origin");
    if let Some(origin) = origin {
        add(&mut reply, "access-control-allow-origin", origin);
        add(&mut reply, "access-control-expose-headers", EXPOSED);
    }
    reply
}

/// The caller whose token the request carries. All hashes are compared, each in constant time.
fn caller_of<'a>(
    settings: &'a GatewaySettings,
    route: Route,
    request: &GatewayRequest,
) -> Option<&'a Caller> {
    let mut given = request.all("authorization");
    let (Some(given), None) = (given.next(), given.next()) else { return None };
    let (scheme, rest) = given.split_once(' ')?;
    let token = if scheme.eq_ignore_ascii_case("bearer") {
        rest.trim_start().as_bytes().to_vec()
    } else if scheme.eq_ignore_ascii_case("basic") && route.is_desk() {
        // A browser asks for a user name, too. Only the password counts: it is the token.
        let pair = Base64::decode_vec(rest.trim()).ok()?;
        let colon = pair.iter().position(|byte| *byte == b':')?;
        pair.get(colon + 1..)?.to_vec()
    } else {
        return None;
    };
    let hash = sha256(&token);
    let is_its =
        |caller: &&Caller| caller.token_sha256.iter().fold(false, |found, own| found | is_same(own, &hash));
    let known = settings.callers.iter().filter(is_its);
    known.fold(None, |found, caller| found.or(Some(caller)))
}

/// Checks that the headers of a request announce JSON, in UTF-8 and without a content encoding.
pub(super) fn check_json(request: &GatewayRequest) -> Result<(), Problem> {
    let unsupported = |detail: &str| Err(Problem::new(GatewayCode::UnsupportedMediaType, detail));
    let mut types = request.all("content-type");
    let (Some(given), None) = (types.next(), types.next()) else {
        return unsupported("the content type must be application/json");
    };
    match NotJson::of(given, request.all("content-encoding")) {
        Some(why @ NotJson::Encoding) => {
            unsupported(why.detail()).map_err(|problem| problem.with_header("accept-encoding", "identity"))
        }
        Some(why) => unsupported(why.detail()),
        None => Ok(()),
    }
}

/// Where a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination<'a> {
    /// To the Durable Object of this desk.
    Desk(&'a str),
    /// To the node.
    Chain,
    /// A person's browser opens the desk: to the operators' page, which reads the same path as JSON.
    Page,
    /// To the market of the sandbox behind this desk, at the same path.
    Market(&'a str),
}

/// The part of a gateway that needs no state: it runs in the worker itself.
#[derive(Debug)]
pub struct Front {
    settings: Result<GatewaySettings, Vec<String>>,
}

impl Front {
    /// Reads the settings and checks the service's key. Without settings, or with bad ones, nothing is served.
    pub fn of(settings: Option<&str>, upstream_key: Option<&str>) -> Front {
        let read = |text| {
            let settings = GatewaySettings::read(text).map_err(|problems| {
                problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>()
            })?;
            match settings.key_problem(upstream_key) {
                Some(what) => Err(vec![["the service's key ", what].concat()]),
                None => Ok(settings),
            }
        };
        Front { settings: settings.map_or_else(|| Err(vec!["no settings are given".to_owned()]), read) }
    }

    /// The same with a node that pages may read by `/v1/chain`.
    #[must_use]
    pub fn with_rpc(mut self, url: Option<&str>) -> Front {
        let (Some(url), Ok(settings)) = (url, &mut self.settings) else { return self };
        match Rpc::new(url) {
            Ok(rpc) => settings.rpc = Some(rpc),
            Err(what) => self.settings = Err(vec![["the URL of the node ", what].concat()]),
        }
        self
    }

    /// The longest body of a request; zero if the settings are bad.
    pub fn max_body_bytes(&self) -> u32 {
        self.settings.as_ref().map_or(0, |settings| settings.max_body_bytes)
    }

    /// What is wrong with the settings, for the log.
    pub fn problems(&self) -> &[String] {
        self.settings.as_ref().err().map_or(&[], Vec::as_slice)
    }

    /// Where a request goes.
    /// Fails with the answer, if it goes nowhere.
    pub fn route(&self, request: &GatewayRequest) -> Result<Destination<'_>, Reply> {
        let Ok(settings) = &self.settings else {
            let problem = Problem::new(GatewayCode::NotConfigured, "the gateway's settings cannot be used");
            return Err(problem.with_header(INTENT_STATE, IntentState::NotRecorded.as_str()).reply());
        };
        match admit(settings, request) {
            Ok(Admitted { route: Route::Chain, .. }) if settings.rpc.is_none() => {
                let problem = Problem::new(GatewayCode::NoChain, "the gateway has no node to ask");
                Err(self.dressed(request, problem.reply()))
            }
            Ok(Admitted { route: Route::Chain, .. }) => Ok(Destination::Chain),
            Ok(Admitted { route: Route::Market, caller }) => Ok(Destination::Market(&caller.desk)),
            Ok(Admitted { route: Route::Desk(_), .. }) if request.wants_html() => Ok(Destination::Page),
            Ok(Admitted { caller, .. }) => Ok(Destination::Desk(&caller.desk)),
            Err(reply) => Err(self.dressed(request, reply)),
        }
    }

    /// What to post to the node for a request that goes to the chain.
    /// Fails with the answer, if it is not passed on.
    pub fn chain_call(&self, request: &GatewayRequest) -> Result<ChainCall, Reply> {
        match (self.route(request)?, self.rpc()) {
            (Destination::Chain, Some(rpc)) => {
                let call = check_json(request).and_then(|()| chain::call(rpc, request.body));
                call.map_err(|problem| self.dressed(request, problem.reply()))
            }
            _ => Err(self.dressed(request, Problem::new(GatewayCode::NotFound, "it goes to a desk").reply())),
        }
    }

    /// The answer to such a request, from the result of the call.
    pub fn chain_answer(&self, request: &GatewayRequest, result: ForwardResult) -> Reply {
        let no_chain = || Problem::new(GatewayCode::NoChain, "the gateway has no node to ask").reply();
        self.dressed(request, self.rpc().map_or_else(no_chain, |rpc| chain::answer(rpc, result)))
    }

    /// The head of the answer to a request that goes to a market, from that of the sandbox's reply.
    pub fn market_answer(&self, request: &GatewayRequest, status: u16, content_type: &str) -> Reply {
        let mut answer = typed(status, content_type, String::new());
        add(&mut answer, "x-simulated", "true");
        self.dressed(request, answer)
    }

    fn rpc(&self) -> Option<&Rpc> {
        self.settings.as_ref().ok()?.rpc.as_ref()
    }

    /// The answer to a request whose body was cut off.
    pub fn incomplete(&self, request: &GatewayRequest) -> Reply {
        let problem = Problem::new(GatewayCode::InvalidRequest, "the body was cut off");
        self.dressed(request, problem.reply())
    }

    /// The answer to a request whose Durable Object failed. What the object did before is in its store: asking again with the
    /// same key gives the answer.
    pub fn interrupted(&self, request: &GatewayRequest) -> Reply {
        let detail = "outcome unknown: the gateway was interrupted; ask again with the same idempotency key";
        let problem = Problem::new(GatewayCode::Interrupted, detail).after(1_000);
        self.dressed(request, problem.reply())
    }

    /// Adds the headers by which a page of an allowed origin can read the answer.
    fn dressed(&self, request: &GatewayRequest, reply: Reply) -> Reply {
        match &self.settings {
            Ok(settings) => with_cors(settings, allowed_origin(settings, request), reply),
            Err(_) => reply,
        }
    }
}
