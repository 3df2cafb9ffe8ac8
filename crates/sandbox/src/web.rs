//! Which requests a web page may make. Browsers send `Origin` and `Sec-Fetch-Site` themselves, and no page can change them.

use super::config::SandboxConfig;
use super::control::CONTROL_PREFIX;
use super::problem::{SandboxRefusal, refused};
use launchpad_desk::api::endpoint::Reply;
use launchpad_desk::http::{HttpRequest, MARKET_PREFIX};

/// Why a page may not make this request. A request without `Origin` is not from a page, or from one of the same origin.
pub(super) fn refusal(config: &SandboxConfig, request: &HttpRequest) -> Option<Reply> {
    let mut origins = request.all("origin");
    let same_site = |site: &str| ["none", "same-origin"].contains(&site);
    if is_control(config, request.path) {
        let is_page = origins.next().is_some() || !request.all("sec-fetch-site").all(same_site);
        let detail = "/_sandbox/ is closed to web pages";
        return is_page.then(|| refused(SandboxRefusal::ControlClosedToPages, detail));
    }
    let named = config.cors_origin.as_deref();
    let is_allowed = |origin: &str| named == Some("*") || named == Some(origin) || is_own(request, origin);
    let detail = "pages of this origin may not use this sandbox; allow the origin with corsOrigin";
    // A page that cannot read an answer, as an image's, names no origin. It must not hold a stream open either.
    let is_market = config.watchable && request.path.starts_with(MARKET_PREFIX);
    if is_market && request.header("origin").is_none() && !request.all("sec-fetch-site").all(same_site) {
        return Some(refused(SandboxRefusal::OriginNotAllowed, detail));
    }
    (!origins.all(is_allowed)).then(|| refused(SandboxRefusal::OriginNotAllowed, detail))
}

/// Whether a path belongs to the control surface.
pub(super) fn is_control(config: &SandboxConfig, path: &str) -> bool {
    config.control && path.starts_with(CONTROL_PREFIX)
}

/// Whether a page of this origin was loaded from where its request goes. Behind a proxy, the scheme may differ.
fn is_own(request: &HttpRequest, origin: &str) -> bool {
    let host = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    let asked = request.header("host");
    host.is_some_and(|host| asked.is_some_and(|asked| asked.eq_ignore_ascii_case(host)))
}
