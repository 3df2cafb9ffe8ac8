//! The operators' page: HTML rendered on the server, without script. Every act is a form that works with the keyboard.

use base64ct::{Base64, Encoding};

use crate::amount::{Digits, decimal_text};
use crate::api::endpoint::Reply;
use crate::gateway::admission::PageCursors;
use crate::gateway::hash::sha256;
use crate::gateway::problem::{Problem, add, typed};
use crate::gateway::view::{DeskView, IntentView, PriceView};
use crate::intent::IntentState;
use crate::launchpad::quote::Side;
use crate::render::{escape, shown};
use crate::tape::Number;

/// The content security policy: nothing is loaded, run or framed, forms are sent only here, and only the page's own style
/// applies.
fn policy() -> String {
    let style = Base64::encode_string(&sha256(STYLE.as_bytes()));
    [
        "default-src 'none'; style-src 'sha256-",
        &style,
        "'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    ]
    .concat()
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:1rem auto;padding:0 1rem;color:#111;background:#fff;overflow-wrap:anywhere}ul{padding-left:1.2rem}\
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ccc;vertical-align:top}\
form{display:inline-block;margin:.2rem .4rem .2rem 0}button{font:inherit;padding:.3rem .8rem}:focus-visible{outline:3px solid #06c}\
@media(prefers-color-scheme:dark){body{color:#eee;background:#111}th,td{border-color:#555}:focus-visible{outline-color:#6bf}}";

/// How many entries of a list are shown, so that the page stays usable however many there are. The JSON has all of them.
const LISTED: usize = 200;

/// A page under construction.
struct Page {
    html: String,
}

impl Page {
    fn of(title: &str) -> Page {
        let mut page = Page { html: String::new() };
        page.raw("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>");
        page.text(title);
        page.raw("</title><style>");
        page.raw(STYLE);
        page.raw("</style><main><h1>");
        page.text(title);
        page.raw("</h1>");
        page
    }

    fn raw(&mut self, html: &str) {
        self.html.push_str(html);
    }

    /// Adds untrusted text, escaped.
    fn text(&mut self, text: &str) {
        escape(&shown(text), &mut self.html);
    }

    fn paragraph(&mut self, text: &str) {
        self.raw("<p>");
        self.text(text);
        self.raw("</p>");
    }

    fn list(&mut self, sentences: &[String]) {
        self.raw("<ul>");
        for sentence in sentences {
            self.raw("<li>");
            self.text(sentence);
            self.raw("</li>");
        }
        self.raw("</ul>");
    }

    /// Adds a form: hidden fields, further HTML, and the button.
    fn form(&mut self, act: &str, fields: &[(&str, &str)], inner: &str, button: &str) {
        self.raw("<form method=\"post\" action=\"/desk/");
        self.raw(act);
        self.raw("\">");
        for (name, value) in fields {
            self.raw("<input type=\"hidden\" name=\"");
            self.raw(name);
            self.raw("\" value=\"");
            // Not shortened like shown text: the value is sent back.
            escape(value, &mut self.html);
            self.raw("\">");
        }
        self.raw(inner);
        self.raw("<button>");
        self.text(button);
        self.raw("</button></form>");
    }

    fn table(
        &mut self,
        title: &str,
        heads: &[&str],
        none: &str,
        rows: &mut dyn Iterator<Item = Vec<String>>,
    ) {
        self.raw("<h2>");
        self.text(title);
        self.raw("</h2>");
        let mut rows = rows.peekable();
        if rows.peek().is_none() {
            return self.paragraph(none);
        }
        self.rows(heads, &mut rows);
    }

    /// Adds a table without a title.
    fn rows(&mut self, heads: &[&str], rows: &mut dyn Iterator<Item = Vec<String>>) {
        self.raw("<table><thead><tr>");
        for head in heads {
            self.raw("<th scope=\"col\">");
            self.text(head);
            self.raw("</th>");
        }
        self.raw("</tr></thead><tbody>");
        for row in rows {
            self.raw("<tr>");
            for cell in row {
                self.raw("<td>");
                self.text(&cell);
                self.raw("</td>");
            }
            self.raw("</tr>");
        }
        self.raw("</tbody></table>");
    }

    /// Says how many entries are not shown.
    fn more(&mut self, length: usize) {
        if let Some(more @ 1..) = length.checked_sub(LISTED) {
            self.paragraph(&["And ", &(more as u64).digits(), " more."].concat());
        }
    }

    /// Links to the next part of a list, if there is one, with the parts of both lists.
    fn older(&mut self, text: &str, next: Option<&Number>, parts: [(&str, Option<u128>); 2]) {
        if next.is_none() {
            return;
        }
        let named =
            parts.iter().filter_map(|(name, before)| Some([name, "=", &before.as_ref()?.digits()].concat()));
        self.raw("<p><a href=\"/desk?");
        self.raw(&named.collect::<Vec<_>>().join("&amp;"));
        self.raw("\">");
        self.text(text);
        self.raw("</a></p>");
    }

    fn reply(mut self, status: u16) -> Reply {
        self.raw("</main></html>");
        let mut reply = typed(status, "text/html; charset=utf-8", self.html);
        add(&mut reply, "content-security-policy", &policy());
        // With `no-referrer`, browsers would send `origin: null` with this page's own forms.
        add(&mut reply, "referrer-policy", "same-origin");
        add(&mut reply, "x-frame-options", "DENY");
        reply
    }
}

/// The page of a desk.
pub(super) fn desk(view: &DeskView, cursors: PageCursors, csrf: &str, now_ms: u64) -> Reply {
    let mut page = Page::of(&["Desk ", &view.desk].concat());
    let simulated = if view.simulated { " It serves a sandbox: no money moves." } else { "" };
    page.paragraph(&["The desk is ", view.mode.as_str(), ".", simulated].concat());
    if let Some(what) = &view.audit_broken {
        page.raw("<section role=\"alert\">");
        let told = ["The audit log is broken: ", what, ". No trade is forwarded until you acknowledge it."];
        page.paragraph(&told.concat());
        page.form("acknowledge", &[("csrf", csrf)], "", "Acknowledge");
        page.raw("</section>");
    }
    page.raw("<section aria-label=\"Switch\">");
    for (act, button) in [("halt", "Halt"), ("reduce", "Only sells"), ("resume", "Resume")] {
        page.form(act, &[("csrf", csrf)], "", button);
    }
    page.raw("</section>");
    intents(&mut page, "In doubt", "Nothing is in doubt.", &view.in_doubt, csrf, now_ms);
    intents(&mut page, "Waiting for approval", "Nothing is waiting.", &view.awaiting_approval, csrf, now_ms);
    intents(&mut page, "In flight", "Nothing is in flight.", &view.in_flight, csrf, now_ms);
    let limits = &view.limits;
    let in_sol = |lamports: Option<u64>| lamports.map(|lamports| [&sol(lamports.into()), " SOL"].concat());
    let limits = [
        ("A trade", in_sol(limits.max_lamports_per_trade)),
        ("24 hours", in_sol(limits.max_lamports_per_day)),
        ("24 hours of a wallet", in_sol(limits.max_lamports_per_wallet_per_day)),
        ("Slippage", limits.max_slippage.clone()),
        ("Percentage of holdings", limits.max_percentage.clone()),
        ("Elements of a bundle", limits.max_bundle_size.map(Digits::digits)),
    ];
    let mut limits = limits.into_iter().filter_map(|(what, most)| Some(vec![what.to_owned(), most?]));
    page.table("Limits", &["Of", "At most"], "None.", &mut limits);
    // The desk and its callers first; there may be many wallets.
    let (wallets, sums): (Vec<_>, Vec<_>) = view.spent.iter().partition(|spent| spent.wallet.is_some());
    let mut spent = sums.into_iter().chain(wallets.iter().copied().take(LISTED)).map(|spent| {
        vec![
            spent.caller.clone().unwrap_or_else(|| "all".to_owned()),
            spent.wallet.clone().unwrap_or_else(|| "all".to_owned()),
            sol(spent.lamports),
            spent.limit.map_or_else(|| "none".to_owned(), |limit| sol(limit.into())),
        ]
    });
    page.table("Spent in 24 hours", &["Caller", "Wallet", "SOL", "Limit"], "Nothing was spent.", &mut spent);
    page.more(wallets.len());
    let mut recent = view.recent.iter().map(|intent| {
        let outcome = intent.outcome.map_or(intent.state.as_str(), |outcome| outcome.as_str());
        let status = intent.status.map(Digits::digits).unwrap_or_default();
        vec![
            ago(intent.at_ms, now_ms),
            intent.caller.clone(),
            intent.intent_id.clone(),
            intent.operation.title().to_owned(),
            intent.mint.clone(),
            sol(intent.lamports),
            [outcome, if intent.proven { ", proven by the chain " } else { " " }, &status].concat(),
        ]
    });
    let heads = ["When", "Caller", "Intent", "Operation", "Mint", "SOL", "End"];
    page.table("Recent trades", &heads, "None yet.", &mut recent);
    let (older, audit) = (view.older_trades.as_ref(), cursors.audit.map(u128::from));
    page.older("Older trades", older, [("trades", older.map(|before| before.0)), ("audit", audit)]);
    let mut audit = view.audit.iter().map(|entry| {
        vec![
            ago(entry.at_ms, now_ms),
            entry.by.clone(),
            entry.act.clone(),
            entry.intent.clone(),
            entry.detail.clone(),
        ]
    });
    page.table("Audit log", &["When", "By", "Act", "Intent", "Detail"], "Empty.", &mut audit);
    let (older, trades) = (view.older_audit.as_ref(), cursors.trades.map(u128::from));
    page.older("Older entries", older, [("trades", trades), ("audit", older.map(|before| before.0))]);
    page.reply(200)
}

/// Adds a list of intents, each with its possible acts.
fn intents(page: &mut Page, title: &str, none: &str, intents: &[IntentView], csrf: &str, now_ms: u64) {
    page.raw("<h2>");
    page.text(title);
    page.raw("</h2>");
    if intents.is_empty() {
        return page.paragraph(none);
    }
    for intent in intents.iter().take(LISTED) {
        page.raw("<article>");
        let what = [
            intent.operation.title(),
            " of ",
            &intent.mint,
            ", ",
            &sol(intent.lamports),
            " SOL, by ",
            &intent.caller,
            ", intent ",
            &intent.intent_id,
            ", ",
            &ago(intent.at_ms, now_ms),
        ];
        page.paragraph(&what.concat());
        if !intent.reasons.is_empty() {
            page.paragraph(&["It ", &intent.reasons, "."].concat());
        }
        if let Some(asked) = &intent.asked {
            page.list(&asked.sentences);
        }
        if let Some((at_ms, undecided)) = &intent.doubt {
            let reason = undecided.reason.map_or("", |reason| reason.meaning());
            let problem =
                undecided.problem.as_deref().map_or(String::new(), |what| [&capital(what), "."].concat());
            let likely = undecided.signature.as_deref();
            let likely = likely.map_or(String::new(), |own| [" Likely its transaction: ", own, "."].concat());
            let asked = ["The chain was asked ", &ago(*at_ms, now_ms), ". ", &problem, " ", reason, &likely];
            page.paragraph(&asked.concat());
        }
        match &intent.price {
            Some(Ok(own)) => price(page, own),
            Some(Err(why)) => {
                page.paragraph(&[&capital(why), ". You can still approve or deny it."].concat())
            }
            None => {}
        }
        let about = [("csrf", csrf), ("caller", &intent.caller), ("intentId", &intent.intent_id)];
        match intent.state {
            IntentState::AwaitingApproval => {
                page.form("approve", &about, "", "Approve");
                page.form("deny", &about, "", "Deny");
            }
            IntentState::InDoubt => {
                let [csrf, caller, intent_id] = about;
                let landed = [csrf, caller, intent_id, ("found", "landed")];
                let signature =
                    "<label>Signature, if known <input name=\"signature\" autocomplete=\"off\"></label> ";
                page.form("settle", &landed, signature, "It landed");
                let lost = [csrf, caller, intent_id, ("found", "did_not_land")];
                page.form("settle", &lost, "", "It did not land");
            }
            _ => {}
        }
        page.raw("</article>");
    }
    page.more(intents.len());
}

/// Adds what a trade would cost or bring now.
fn price(page: &mut Page, PriceView { quote, at_ms, slot }: &PriceView) {
    if let Some(refused) = &quote.refused {
        let element = if refused.field.is_empty() { "" } else { ", at " };
        page.paragraph(&["It would fail now: ", refused.message, element, &refused.field, "."].concat());
    }
    let mut legs = quote.legs.iter().map(|leg| {
        let fees = u128::from(leg.protocol_fee_lamports) + u128::from(leg.creator_fee_lamports);
        let rent = match leg.token_account {
            "opens" => ["−", &sol(leg.rent_lamports.into())].concat(),
            "closes" => ["+", &sol(leg.rent_lamports.into())].concat(),
            _ => "0".to_owned(),
        };
        let (sign, worst) = match leg.side {
            Side::Buy => ("−", [&leg.worst_token_amount, " tokens"].concat()),
            Side::Sell => ("+", [&sol(leg.worst_wallet_lamports.into()), " SOL"].concat()),
        };
        vec![
            leg.wallet.clone(),
            leg.side.as_str().to_owned(),
            leg.token_amount.clone(),
            [sign, &sol(leg.wallet_lamports.into())].concat(),
            sol(fees),
            rent,
            [&decimal_text(leg.price_impact_bps.0, 2), " %"].concat(),
            worst,
        ]
    });
    if !quote.legs.is_empty() {
        let heads = ["Wallet", "Side", "Tokens", "SOL", "Of it fees", "Rent", "Impact", "At worst"];
        page.rows(&heads, &mut legs);
    }
    let volume: u128 = quote.legs.iter().map(|leg| u128::from(leg.volume_rent_lamports)).sum();
    if volume > 0 {
        let what = " SOL more are rent of accounts in which the launchpad counts what wallets trade. No trade gives them back.";
        page.paragraph(&[&sol(volume), what].concat());
    }
    let (slot, commitment) = slot;
    let of = ["at slot ", &slot.digits(), " (", commitment.as_str(), "), "].concat();
    let network = sol(quote.network_fee_lamports.into());
    let read =
        ["The network takes ", &network, " SOL. Read ", &of, &clock(*at_ms), ". Reload for a new price."];
    page.paragraph(&read.concat());
}

/// The time of day, in UTC: a page that stays open says how old its prices are.
fn clock(at_ms: u64) -> String {
    let seconds = at_ms / 1_000 % 86_400;
    let parts = [seconds / 3_600, seconds / 60 % 60, seconds % 60];
    let two = parts.map(|part| if part < 10 { ["0", &part.digits()].concat() } else { part.digits() });
    [&two.join(":"), " UTC"].concat()
}

/// A sentence's first letter as a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The page for a refusal.
pub(super) fn refusal(problem: &Problem) -> Reply {
    let mut page = Page::of("Not done");
    page.paragraph(&problem.detail);
    page.raw("<p><a href=\"/desk\">Back to the desk</a></p>");
    page.reply(problem.code.status())
}

fn sol(lamports: u128) -> String {
    decimal_text(lamports, 9)
}

/// A time as how long ago it was.
fn ago(at_ms: u64, now_ms: u64) -> String {
    let seconds = now_ms.saturating_sub(at_ms) / 1_000;
    let (count, unit) = match seconds {
        0..120 => (seconds, " s ago"),
        120..7_200 => (seconds / 60, " min ago"),
        7_200..172_800 => (seconds / 3_600, " h ago"),
        _ => (seconds / 86_400, " days ago"),
    };
    [&count.digits(), unit].concat()
}
