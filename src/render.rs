//! A trade or an error as a person sees it: a view model, then text or HTML made from it.
//!
//! Text from outside is shown but never trusted: HTML is escaped, control and invisible characters are replaced, and
//! only http and https links are links.

use crate::amount::{Digits, ExactText, decimal_text};
use crate::api::response::{Status, Trade};
use crate::error::{Error, Outcome};
use crate::hidden::{is_harmless, shown_text};
use crate::record;
use crate::tape::{Data, json};

/// The end of a simulated trade's title, which is read first, and often alone.
const SIMULATED: &str = " (simulated)";

/// The longest value that is shown, in characters.
const MAX_SHOWN: usize = 400;

record! {
    /// What a person sees of a trade or an error.
    View {
        /// The outcome in a few words.
        title: String => "string",
        /// `landed`, `unconfirmed`, `failed`, `rejected`, `not_sent` or `unknown`.
        status: &'static str => "\"landed\" | \"unconfirmed\" | \"failed\" | \"rejected\" | \"not_sent\" | \"unknown\"",
        /// Whether it says that it was traded in a sandbox, where no money moves; the title says so too.
        simulated: bool => "boolean",
        /// What is known, one fact per line.
        lines: Vec<Line> => "Line[]",
        /// Where to look further; each http or https.
        links: Vec<Link> => "Link[]",
    }
}

record! {
    /// One fact.
    Line {
        /// What it is: "Bought", "Signature".
        label: String => "string",
        /// The fact.
        value: String => "string",
    }
}

record! {
    /// Where to look further.
    Link {
        /// What it leads to.
        label: String => "string",
        /// An http or https URL.
        href: String => "string",
    }
}

impl View {
    /// What a trade looks like.
    pub fn of_trade(trade: &Trade) -> View {
        let what = trade.operation.title();
        let title = match trade.status {
            Status::Landed => [what, " landed"].concat(),
            Status::Unconfirmed => [what, " sent, not confirmed"].concat(),
            Status::Failed => [what, " failed: nothing moved but the network fee"].concat(),
        };
        let mut view = View {
            title,
            status: trade.status.as_str(),
            simulated: false,
            lines: Vec::new(),
            links: Vec::new(),
        };
        view.trade_lines(trade);
        view.trade_links(trade);
        view.simulated_if(trade.is_simulated())
    }

    /// What an error looks like: first whether money may have moved, then why, then what to do.
    pub fn of_error(error: &Error) -> View {
        let title = match error.outcome {
            Outcome::NotSent => "Not sent: nothing moved",
            Outcome::Rejected => "Rejected by the service: nothing moved",
            Outcome::Failed => "The transaction failed: nothing moved but the network fee",
            Outcome::Unknown => "Outcome unknown: the trade may have been made",
        };
        let mut view = View {
            title: title.into(),
            status: error.outcome.as_str(),
            simulated: false,
            lines: Vec::new(),
            links: Vec::new(),
        };
        view.line("Reason", &error.message);
        view.line("Code", error.code.as_str());
        view.some("Status", error.status.map(Digits::digits).as_deref());
        if let Some(ms) = error.retry_after_ms {
            view.line("Wait", &[&decimal_text(ms.into(), 3), " s"].concat());
        }
        for problem in &error.fields {
            let label = if problem.field.is_empty() { "Request" } else { &problem.field };
            view.line(label, &problem.message);
        }
        // What to look for, of a trade of unknown outcome. That of a failed one is below.
        view.some("Signature", error.signature.as_deref());
        if error.outcome == Outcome::Unknown {
            view.line("What now", "never send it again: settle it");
        }
        let Some(trade) = &error.trade else { return view };
        view.trade_lines(trade);
        view.trade_links(trade);
        view.simulated_if(trade.is_simulated())
    }

    /// This view, marked as simulated if `is_simulated`: a client may know it even if the reply does not say
    /// so.
    pub fn simulated_if(mut self, is_simulated: bool) -> View {
        if is_simulated && !self.simulated {
            self.simulated = true;
            self.title.push_str(SIMULATED);
        }
        self
    }

    fn line(&mut self, label: &str, value: &str) {
        self.lines.push(Line { label: shown(label), value: shown(value) });
    }

    fn some(&mut self, label: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.line(label, value);
        }
    }

    fn trade_lines(&mut self, trade: &Trade) {
        let result = &trade.result;
        // A failed trade moved nothing, whatever amounts its reply contains.
        let moved = trade.status != Status::Failed;
        let traded = match (moved, trade.operation.is_buy()) {
            (false, _) => "Amount in the reply",
            (true, true) => "Bought",
            (true, false) => "Sold",
        };
        self.some(traded, result.amount.as_ref().map(ExactText::as_str));
        self.some("Balance before", result.pre_token_balance.as_ref().map(ExactText::as_str));
        self.some("Balance after", result.post_token_balance.as_ref().map(ExactText::as_str));
        self.some("Token", result.mint.as_deref());
        self.some("Wallet", result.wallet.as_deref());
        self.some("Token account", result.token_account.as_deref());
        if moved && result.token_account_closed == Some(true) {
            self.line("Token account closed", "yes");
        }
        self.some("Signature", trade.signature());
        let results = &result.transaction.results;
        match results.root().data() {
            Data::Null => {}
            Data::String(text) => self.line("Results", text),
            _ => self.line("Results", &json::write(results)),
        }
    }

    fn trade_links(&mut self, trade: &Trade) {
        let explorer = &trade.explorer;
        let links = [
            ("Transaction", &explorer.tx),
            ("Token", &explorer.mint),
            ("Wallet", &explorer.wallet),
            ("Token account", &explorer.token_account),
            ("Launchpad", &trade.launchpad_mint),
        ];
        for (label, href) in links {
            if let Some(href) = href.as_deref().and_then(web_link) {
                self.links.push(Link { label: label.into(), href });
            }
        }
    }

    /// The view as plain text, one fact per line.
    pub fn to_text(&self) -> String {
        let mut text = self.title.clone();
        for Line { label, value } in &self.lines {
            text.push_str(&["\n", label, ": ", value].concat());
        }
        for Link { label, href } in &self.links {
            text.push_str(&["\n", label, ": ", href].concat());
        }
        text
    }

    /// The view as an HTML fragment: a `section` with a heading, a list of facts and links, all escaped.
    pub fn to_html(&self) -> String {
        let simulated = if self.simulated { " trade-simulated" } else { "" };
        let mut html = ["<section class=\"trade trade-", self.status, simulated, "\"><h3>"].concat();
        escape(&self.title, &mut html);
        html.push_str("</h3>");
        if !self.lines.is_empty() {
            html.push_str("<dl>");
            for Line { label, value } in &self.lines {
                html.push_str("<div><dt>");
                escape(label, &mut html);
                html.push_str("</dt><dd>");
                escape(value, &mut html);
                html.push_str("</dd></div>");
            }
            html.push_str("</dl>");
        }
        if !self.links.is_empty() {
            html.push_str("<ul>");
            for Link { label, href } in &self.links {
                html.push_str("<li><a rel=\"noopener noreferrer\" href=\"");
                escape(href, &mut html);
                html.push_str("\">");
                escape(label, &mut html);
                html.push_str("</a></li>");
            }
            html.push_str("</ul>");
        }
        html.push_str("</section>");
        html
    }
}

/// Foreign text, made safe to show.
pub(crate) fn shown(text: &str) -> String {
    shown_text(text, MAX_SHOWN)
}

/// The link, if following it can only open a page.
fn web_link(href: &str) -> Option<String> {
    let starts =
        |scheme: &str| href.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let is_web = starts("http://") || starts("https://");
    let is_whole = href.chars().all(|c| is_harmless(c) && !c.is_whitespace());
    (is_web && is_whole && href.len() <= 2_048).then(|| href.to_owned())
}

/// Text as HTML shows it.
pub(crate) fn escape(text: &str, html: &mut String) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            c => html.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::decode::{ReplyNames, decode};
    use crate::api::endpoint::Operation;
    use crate::error::{Code, FieldCode, FieldError};

    fn trade(body: &str) -> Trade {
        decode(Operation::Sell, body.as_bytes(), &ReplyNames::default()).unwrap()
    }

    #[test]
    fn a_trade_is_shown_fact_by_fact() {
        let trade = trade(
            r#"{"result":{"mint":"M","wallet":"W","sellAmount":1.5,"preTokenBalance":1.5,"postTokenBalance":0,
            "signature":"S","transactionResult":{"success":true,"signature":"S","results":null},
            "tokenAccount":"T","tokenAccountClosed":true},"explorer":{"tx":"https://e.example/tx/S"},"launchpad":{}}"#,
        );
        let view = View::of_trade(&trade);
        assert_eq!(
            view.to_text(),
            "Sell landed\nSold: 1.5\nBalance before: 1.5\nBalance after: 0\nToken: M\nWallet: W\n\
             Token account: T\nToken account closed: yes\nSignature: S\nTransaction: https://e.example/tx/S"
        );
        assert!(view.to_html().starts_with("<section class=\"trade trade-landed\"><h3>Sell landed</h3><dl>"));
    }

    #[test]
    fn what_was_simulated_says_so_first() {
        let simulated = trade(r#"{"result":{"sellAmount":1.5,"signature":"SIMx"}}"#);
        let view = View::of_trade(&simulated);
        assert_eq!(view.to_text(), "Sell sent, not confirmed (simulated)\nSold: 1.5\nSignature: SIMx");
        assert_eq!((view.simulated, view.clone().simulated_if(true)), (true, view.clone()));
        let html = view.to_html();
        let start = "<section class=\"trade trade-unconfirmed trade-simulated\"><h3>Sell sent, not confirmed (simulated)</h3>";
        assert!(html.starts_with(start), "{html}");
        let mut failed = Error::new(Code::TransactionFailed, "slippage");
        failed.trade = Some(Box::new(simulated));
        let title = "The transaction failed: nothing moved but the network fee (simulated)";
        assert_eq!(View::of_error(&failed).title, title);
        let unknown = View::of_error(&Error::new(Code::Timeout, "no answer"));
        assert_eq!((unknown.simulated, unknown.clone().simulated_if(false)), (false, unknown.clone()));
        let title = "Outcome unknown: the trade may have been made (simulated)";
        assert_eq!(unknown.simulated_if(true).title, title);
    }

    #[test]
    fn markup_and_scripts_stay_text() {
        let trade = trade(
            r#"{"result":{"mint":"<img src=x onerror=alert(1)>","signature":"\"'&\u202e\u0000"},
            "explorer":{"tx":"javascript://x%0aalert(1)","mint":"https://e.example/\"><script>","wallet":"//e.example","tokenAccount":"data:text/html,x"},
            "launchpad":{"mint":"HTTPS://l.example/coin/M"}}"#,
        );
        let view = View::of_trade(&trade);
        let hrefs: Vec<_> = view.links.iter().map(|link| link.href.as_str()).collect();
        assert_eq!(hrefs, ["https://e.example/\"><script>", "HTTPS://l.example/coin/M"]);
        let html = view.to_html();
        assert!(!html.contains("<img") && !html.contains("<script"));
        assert!(html.contains("&quot;&#39;&amp;\u{fffd}\u{fffd}"));
        assert!(html.contains("href=\"https://e.example/&quot;&gt;&lt;script&gt;\""));
    }

    #[test]
    fn an_error_says_first_whether_money_may_have_moved() {
        let mut unknown = Error::new(Code::Timeout, "no answer");
        unknown.signature = Some("S".into());
        let text = View::of_error(&unknown).to_text();
        assert!(
            text.starts_with(
                "Outcome unknown: the trade may have been made\nReason: no answer\nCode: timeout"
            )
        );
        assert!(text.ends_with("Signature: S\nWhat now: never send it again: settle it"));
        let problem =
            FieldError { field: "mint".into(), code: FieldCode::Empty, message: "mint is empty".into() };
        let view = View::of_error(&Error::invalid_request(vec![problem]));
        assert_eq!(view.status, "not_sent");
        assert_eq!(view.lines[2], Line { label: "mint".into(), value: "mint is empty".into() });
    }
}
