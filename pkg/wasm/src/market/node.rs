//! Looks at tokens, quotes on them, and how trades ended. JS posts the bodies and returns the replies.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;

use crate::call;
use crate::crossing::{CallArgs, Failure, answer, answer_handle};
use crate::market::accounts::{arguments, refused_account};
use launchpad_desk::amount::SlippageUnit;
use launchpad_desk::api::endpoint::Operation;
use launchpad_desk::api::request::Request;
use launchpad_desk::api::validate::{Rules, validate};
use launchpad_desk::bindings::object;
use launchpad_desk::bindings::reader::{self, Reader};
use launchpad_desk::chain::ReadError;
use launchpad_desk::chain::account::Account;
use launchpad_desk::chain::address::Address;
use launchpad_desk::chain::look::{MOST_WALLETS, addresses};
use launchpad_desk::chain::rpc::{Replies, read_transaction};
use launchpad_desk::chain::wallets::{NoAddress, WalletAddresses, Wallets};
use launchpad_desk::error::{Error, FieldCode};
use launchpad_desk::evidence::Mark;
use launchpad_desk::intent::IntentOutcome;
use launchpad_desk::launchpad::dry_run::{Terms, dry_run};
use launchpad_desk::launchpad::market_settings::MarketSettings;
use launchpad_desk::launchpad::rules::RulesByDay;
use launchpad_desk::launchpad::transaction::Wallet;
use launchpad_desk::market::MarketRefusal;
use launchpad_desk::market::drift;
use launchpad_desk::market::follow::{AccountUpdate, Follow};
use launchpad_desk::market::own;
use launchpad_desk::market::read::{
    Asking, Commitment, accounts_body, read_decimals, read_look, read_slot, read_wallets_reply,
};
use launchpad_desk::market::settler::{Settler, Shown, moved, sent};
use launchpad_desk::tape::{Data, Item, Number, Tape, ToTape, json};
use launchpad_desk::trade::guard::OtherTrade;
use launchpad_desk::trade::plan::PlanPrice;
use launchpad_desk::trade::reconcile::WalletBalances;

/// What a market looks at: a token and some wallets, with the addresses of all accounts. Derived once, because that takes longer
/// than everything else.
#[wasm_bindgen]
pub struct View {
    mint: Address,
    wallets: Wallets,
    addresses: Vec<Address>,
    rules: RulesByDay,
}

/// The launchpad's rules that accounts do not have.
fn read_rules(r: &mut Reader) -> RulesByDay {
    let mut rules = RulesByDay::default();
    r.within("rules", &mut |r| rules = RulesByDay::read(r));
    rules
}

/// Whether the table `walletAddresses` can be used.
#[wasm_bindgen(js_name = checkWallets)]
pub fn check_wallets(args: &mut CallArgs) -> JsValue {
    answer(arguments(args.tape(), WalletAddresses::read).map(|_| true.to_tape()))
}

/// A view of `mint` and `wallets`, with the launchpad's other rules as `rules`; `walletAddresses` has addresses of wallets whose ids are none.
#[wasm_bindgen(js_name = viewOf)]
pub fn view_of(args: &mut CallArgs) -> JsValue {
    let view = arguments(args.tape(), |r| {
        let mint = r.need("mint", Address::read);
        let wallets = r.list("wallets", |r| r.need("wallet", Reader::text).to_owned());
        let wallets = wallets.unwrap_or_default();
        let addresses = WalletAddresses::read(r);
        if wallets.len() > MOST_WALLETS {
            r.refuse("wallets", FieldCode::TooMany, "must be at most 24");
        }
        (mint, addresses.wallets(wallets.iter().map(String::as_str)), read_rules(r))
    });
    answer_handle(view.map(|(mint, wallets, rules)| {
        let addresses = addresses(&mint, &wallets);
        View { mint, wallets, addresses, rules }
    }))
}

#[wasm_bindgen]
impl View {
    /// The addresses of its accounts.
    pub fn addresses(&self) -> JsValue {
        answer(Ok(self.addresses.to_tape()))
    }

    /// The body of the call that reads them, at this commitment.
    pub fn body(&self, commitment: &str) -> String {
        accounts_body(&self.addresses, Commitment::from_name(commitment).unwrap_or_default())
    }

    /// The body of the call that reads its mint alone, at this commitment.
    #[wasm_bindgen(js_name = mintBody)]
    pub fn mint_body(&self, commitment: &str) -> String {
        let commitment = Commitment::from_name(commitment).unwrap_or_default();
        accounts_body(std::slice::from_ref(&self.mint), commitment)
    }

    /// How many decimals the token has, by the reply to that, in the form of `read`.
    pub fn decimals(&self, reply: &[u8]) -> JsValue {
        let decimals = read_decimals(&self.mint, reply);
        answer(Ok(read_or_refused(decimals.map(|decimals| Number(decimals.into()).to_tape()))))
    }

    /// Why its wallets cannot be looked at, if all of them are unknown.
    pub fn unknown(&self) -> Option<String> {
        let unknown = self.wallets.unknown.first().filter(|_| self.wallets.known.is_empty());
        unknown.map(NoAddress::to_string)
    }

    /// The look in the reply: `{ read }`, or `{ refused }` with the account, or `{ failed }` with a code.
    pub fn read(&self, reply: &[u8], now_ms: f64) -> JsValue {
        let rules = self.rules.at(now_ms as u64);
        let look = read_look(&self.mint, &self.wallets, &self.addresses, reply, rules);
        answer(Ok(read_or_refused(look.map(|look| look.to_tape()))))
    }

    /// What makes looks of updates of its accounts.
    pub fn follow(&self) -> Follower {
        Follower(RefCell::new(Follow::new(self.mint, self.wallets.clone(), self.rules.clone())))
    }

    /// The same of the wallets alone, whose token need not exist yet: `{ read: { slot, wallets } }`.
    #[wasm_bindgen(js_name = readWallets)]
    pub fn read_wallets(&self, reply: &[u8]) -> JsValue {
        let read = read_wallets_reply(&self.mint, &self.wallets, &self.addresses, reply);
        answer(Ok(read_or_refused(
            read.map(|(slot, wallets)| object! { "slot": Number(slot.into()), "wallets": wallets }),
        )))
    }
}

/// Looks from the updates of a view's accounts: see [`Follow`].
#[wasm_bindgen]
pub struct Follower(RefCell<Follow>);

#[wasm_bindgen]
impl Follower {
    /// Takes the reply to the call that reads all accounts, as `View.read` does.
    pub fn begin(&self, reply: &[u8], now_ms: f64) -> JsValue {
        let look = self.0.borrow_mut().begin_with(reply, now_ms as u64);
        answer(Ok(read_or_refused(look.map(|look| look.to_tape()))))
    }

    /// Takes an update: `{ slot, address, account }`, the bytes apart if `has_bytes`. Without an address only the slot has begun. The
    /// answer is as that of `begin`, with null for a slot that is not over.
    pub fn take(&self, args: &mut CallArgs, has_bytes: bool, bytes: &[u8], now_ms: f64) -> JsValue {
        let update = arguments(args.tape(), |r| {
            let slot = r.need("slot", Reader::whole);
            let Some(address) = Address::read(r, "address") else {
                return AccountUpdate { slot, account: None };
            };
            let account = r.object("account", |r| Account::read(r, address, has_bytes.then_some(bytes)));
            AccountUpdate { slot, account: Some((address, account.flatten())) }
        });
        answer(update.map(|update| {
            let look = self.0.borrow_mut().take(update, now_ms as u64);
            read_or_refused(look.map(|look| look.to_tape()))
        }))
    }
}

/// The slot of a reply to the call for accounts, if it says one.
#[wasm_bindgen(js_name = slotOf)]
pub fn slot_of(reply: &[u8]) -> Option<f64> {
    read_slot(reply).ok().map(|slot| slot as f64)
}

fn read_or_refused(read: Result<Tape, ReadError>) -> Tape {
    match read {
        Ok(read) => object! { "read": read },
        Err(error) => match error.account() {
            Some(why) => refused_account(&why, error.to_string()),
            None => failed(&error),
        },
    }
}

/// A reply that says nothing: `{ failed }` with a code.
fn failed(error: &ReadError) -> Tape {
    object! { "failed": object! { "message": error.to_string(), "code": MarketRefusal::of(error) } }
}

/// See [`Asking`].
#[wasm_bindgen]
pub struct NodeAsking(RefCell<Asking>);

/// Begins to ask a node what this body says; `most_accounts` is what an earlier one has found.
#[wasm_bindgen]
pub fn asking(body: &str, most_accounts: Option<usize>) -> NodeAsking {
    NodeAsking(RefCell::new(Asking::new(body, most_accounts)))
}

#[wasm_bindgen]
impl NodeAsking {
    /// The bodies to post next; none at the end.
    pub fn bodies(&self) -> Vec<String> {
        self.0.borrow().bodies()
    }

    /// Takes the reply to one of them, with its HTTP status; in their order.
    pub fn replied(&self, status: u16, reply: &[u8]) {
        self.0.borrow_mut().replied(status, reply);
    }

    /// The most accounts that the node allows a call, if it has refused more.
    #[wasm_bindgen(getter, js_name = mostAccounts)]
    pub fn most_accounts(&self) -> Option<usize> {
        self.0.borrow().most_accounts()
    }

    /// The reply to the whole; nothing if there is none.
    pub fn reply(&self) -> Option<Vec<u8>> {
        self.0.borrow().clone().answer().ok()
    }

    /// Why there is none: `{ failed }` with a code.
    pub fn failed(&self) -> JsValue {
        let refused = self.0.borrow().clone().answer().err();
        answer(Ok(refused.map(|error| failed(&error)).unwrap_or_default()))
    }
}

/// The body of the call that asks what became of a signature.
#[wasm_bindgen(js_name = statusBody)]
pub fn status_body(signature: &str) -> String {
    launchpad_desk::market::read::status_body(signature)
}

/// A trade whose wallet has no address, in the form of `failed`.
fn no_address(unknown: &NoAddress) -> Tape {
    object! { "failed": object! { "message": unknown.to_string(), "code": MarketRefusal::NoAddress } }
}

/// What the reply to it says: `{ read }`, or `{ failed }` with a code.
#[wasm_bindgen(js_name = readStatus)]
pub fn read_status(reply: &[u8]) -> JsValue {
    answer(Ok(match launchpad_desk::market::read::read_status(reply) {
        Ok(seen) => object! { "read": seen },
        Err(error) => failed(&error),
    }))
}

/// The body of the call that reads a transaction.
#[wasm_bindgen(js_name = transactionBody)]
pub fn transaction_body(signature: &str, commitment: &str) -> String {
    drift::transaction_body(signature, Commitment::from_name(commitment).unwrap_or_default())
}

/// A plan (`operation`, `body`, `price`) against the transaction in the reply to that call: `{ read }`, or `{ failed }` with a code.
#[wasm_bindgen(js_name = driftOf)]
pub fn drift_of(args: &mut CallArgs, reply: &[u8]) -> JsValue {
    let tape = args.tape();
    let read = arguments(tape, |r| {
        let _ = (r.value("operation"), r.value("body"));
        let _ = r.value("price");
        (WalletAddresses::read(r), recorded(r, tape.root()))
    });
    answer(read.and_then(|(addresses, request)| {
        let price = PlanPrice::of(&tape.root().get("price").unwrap_or_default());
        let quoted =
            drift::QuotedPlan::read(&price).map_err(|problems| Failure::of_options("price", problems))?;
        let request = request.ok_or_else(|| call::refused("body", "is missing"))?;
        Ok(match drift::read_landed(reply) {
            Ok(Some(landed)) => match drift::drift(&addresses, &quoted, &request, &landed) {
                Ok(drift) => object! { "read": drift },
                Err(unknown) => no_address(&unknown),
            },
            Ok(None) => {
                let code = MarketRefusal::NoTransaction;
                object! { "failed": object! { "message": code.meaning(), "code": code } }
            }
            Err(error) => failed(&error),
        })
    }))
}

/// What the transaction in the reply to that call has moved of the trade that it was named for (`operation`, `body`, `startedAtMs`,
/// `beforeSlot`): `{ read }`, with null if the node knows none, or `{ failed }` with a code.
#[wasm_bindgen(js_name = movedOf)]
pub fn moved_of(args: &mut CallArgs, reply: &[u8]) -> JsValue {
    let tape = args.tape();
    let read = arguments(tape, |r| {
        let _ = (r.value("operation"), r.value("body"));
        let (started_at_ms, before_slot) = (r.need("startedAtMs", Reader::whole), r.whole("beforeSlot"));
        let addresses = WalletAddresses::read(r);
        recorded(r, tape.root()).map(|request| (addresses, request, started_at_ms, before_slot))
    });
    answer(read.and_then(|trade| {
        let (addresses, request, at_ms, before_slot) =
            trade.ok_or_else(|| call::refused("body", "is missing"))?;
        let transaction = Replies::parse(reply).and_then(|replies| read_transaction(replies.result(1)?));
        Ok(match transaction {
            Ok(read) => {
                match read.map(|read| moved(&addresses, &request, at_ms, before_slot, &read)).transpose() {
                    Ok(moved) => object! { "read": moved },
                    Err(unknown) => no_address(&unknown),
                }
            }
            Err(error) => failed(&error),
        })
    }))
}

/// What a `request`, or the one in a `body`, would do in a `market`, which has the form of a sandbox's config. A bare slippage is in
/// `slippageUnit`: percent, if there is none. Rules that the market lacks are those of `nowMs`. Of `unknownWallets` nothing is known.
#[wasm_bindgen]
pub fn quote(args: &mut CallArgs) -> JsValue {
    answer(quoted(args.tape()))
}

/// What a `market` becomes by the own trade of a `body`, whose wallet held `before` and `after` it; null if that is not known.
#[wasm_bindgen(js_name = withTrade)]
pub fn with_trade(args: &mut CallArgs) -> JsValue {
    answer(with_own(args.tape()))
}

fn with_own(args: &Tape) -> Result<Tape, Failure> {
    let (operation, market, unit) = priced_in(args)?;
    let terms = Terms::of(&market.launchpad, unit);
    let text = |name| call::text(args.root(), name);
    let body = text("body").unwrap_or_default();
    let now = own::with_trade(&terms, &market, operation, body, text("before"), text("after"));
    let wallet = |(id, wallet): &(String, Wallet)| {
        let account = wallet.token_account;
        object! {
            "wallet": id,
            "lamports": wallet.lamports,
            "opensVolumeAccount": wallet.opens_volume_account,
            "tokens": account.map(|account| account.tokens),
            "rentLamports": account.map(|account| account.lamports),
        }
    };
    Ok(now.map_or_else(Tape::default, |now| {
        object! {
            "curve": now.token.curve,
            "complete": now.token.complete,
            "wallets": now.wallets.iter().map(wallet).collect::<Vec<_>>(),
        }
    }))
}

/// The market that is asked, and in which terms.
fn priced_in(args: &Tape) -> Result<(Operation, MarketSettings, SlippageUnit), Failure> {
    let operation = call::operation(args.root())?;
    let market = args.root().get("market").unwrap_or_default();
    let unit = match call::text(args.root(), "slippageUnit") {
        Some("bps") => SlippageUnit::Bps,
        _ => SlippageUnit::Percent,
    };
    let now_ms = reader::read(args.root(), |r| {
        r.ignore_rest();
        r.need("nowMs", Reader::whole)
    });
    let now_ms = now_ms.map_err(Error::invalid_request)?;
    let mut market = MarketSettings::read(market, now_ms).map_err(Error::invalid_request)?;
    if let Some(Data::Array(unknown)) = args.root().get("unknownWallets").map(Item::data) {
        market.unknown_wallets = unknown.filter_map(text_in).collect();
    }
    Ok((operation, market, unit))
}

fn quoted(args: &Tape) -> Result<Tape, Failure> {
    let (operation, market, unit) = priced_in(args)?;
    let body = call::text(args.root(), "body").map(|body| json::parse(body.as_bytes()).unwrap_or_default());
    let request = body.as_ref().map_or_else(|| args.root().get("request"), |body| Some(body.root()));
    let terms = Terms::of(&market.launchpad, unit);
    let run =
        dry_run(&terms, &market, operation, request.unwrap_or_default()).map_err(Error::invalid_request)?;
    Ok(run.view(market.launchpad.token_decimals).to_tape())
}

fn text_in(item: Item) -> Option<String> {
    if let Data::String(text) = item.data() { Some(text.to_owned()) } else { None }
}

/// The trade that an intent has recorded, and what was seen before it.
fn recorded(r: &mut Reader, intent: Item) -> Option<Request> {
    let operation = call::text(intent, "operation").and_then(Operation::from_name);
    let body = call::text(intent, "body").and_then(|body| json::parse(body.as_bytes()).ok());
    let valid = operation
        .zip(body)
        .and_then(|(operation, body)| validate(operation, body.root(), &Rules::default()).ok());
    if valid.is_none() {
        r.refuse("body", FieldCode::Unreadable, "is not the body of a trade");
    }
    valid.map(|valid| (*valid).clone())
}

/// The own trades that looks have to show. Names are a token and wallets, with a space between them.
#[wasm_bindgen]
pub struct OwnTrades(RefCell<own::OwnTrades>);

fn names_in(names: &str) -> Vec<&str> {
    names.split(' ').collect()
}

#[wasm_bindgen]
impl OwnTrades {
    /// None yet, of a market with this commitment.
    #[wasm_bindgen(constructor)]
    pub fn new(commitment: &str) -> OwnTrades {
        OwnTrades(RefCell::new(own::OwnTrades::of(Commitment::from_name(commitment).unwrap_or_default())))
    }

    /// A trade has ended, or was left without an outcome.
    pub fn traded(&self, names: &str, signature: Option<String>) {
        self.0.borrow_mut().traded(&names_in(names), signature.as_deref());
    }

    /// The body that asks for what is not known, if anything is.
    pub fn body(&self, names: &str) -> Option<String> {
        self.0.borrow().body(&names_in(names))
    }

    /// Takes the reply to that body; returns whether it can be read.
    pub fn found(&self, body: &str, reply: &[u8]) -> bool {
        self.0.borrow_mut().found(body, reply).is_ok()
    }

    /// Whether a look at this slot shows every own trade.
    pub fn shows(&self, names: &str, slot: f64) -> bool {
        self.0.borrow_mut().shows(&names_in(names), slot as u64)
    }
}

/// See [`Settler`].
#[wasm_bindgen]
pub struct TradeSettler(RefCell<Settler>);

/// Begins to settle `intent`: `{ intent, others, shown, heldMs, walletsShared, oneByOne, mostAccounts, rules, walletAddresses, answered }`; what the
/// service has said of a trade, with its signature.
#[wasm_bindgen(js_name = settler)]
pub fn settler(args: &mut CallArgs) -> JsValue {
    let read = arguments(args.tape(), |r| {
        let intent = |r: &mut Reader, item: Item| {
            r.ignore_rest();
            let before = WalletBalances::read_list(r, "before").unwrap_or_default();
            (recorded(r, item), r.need("startedAtMs", Reader::whole), before)
        };
        let own = r.value("intent").unwrap_or_default();
        let own = r.object("intent", |r| intent(r, own));
        let others = r.list("others", OtherTrade::read);
        let mark = |r: &mut Reader| Mark {
            slot: r.need("slot", Reader::whole),
            height: r.need("height", Reader::whole),
            time: r.whole("time"),
        };
        let shown = r.object("shown", |r| {
            let (before, after, since) =
                (r.object("before", mark), r.object("after", mark), r.object("since", mark));
            Some(Shown { before, after: after?, since })
        });
        let held_ms = r.whole("heldMs");
        let shared = r.boolean("walletsShared").unwrap_or(true);
        let one_by_one = r.boolean("oneByOne").unwrap_or(false);
        let most = r.whole("mostAccounts").and_then(|most| usize::try_from(most).ok());
        let answered = r.object("answered", |r| {
            let said = r.choice("outcome", IntentOutcome::NAMED)?;
            Some((said, r.text("signature")?.to_owned()))
        });
        let (rules, addresses) = (read_rules(r), WalletAddresses::read(r));
        let (request, at_ms, before) = own?;
        let sent = sent(at_ms, held_ms, rules.at(at_ms), &before);
        // One that cannot be read is one that is not known.
        let others = others.and_then(|others| others.into_iter().collect());
        let settler = Settler::at(addresses, request?, sent, shown.flatten(), shared, others);
        let settler = settler.of_few_accounts(most);
        let settler = match answered.flatten() {
            Some((said, signature)) => settler.answered(said, signature),
            None => settler,
        };
        Some(if one_by_one { settler.one_by_one() } else { settler })
    });
    let settler = read.and_then(|read| read.ok_or_else(|| call::refused("intent", "is missing")));
    answer_handle(settler.map(|settler| TradeSettler(RefCell::new(settler))))
}

#[wasm_bindgen]
impl TradeSettler {
    /// The bodies to post next, at most so many at once; none at the end.
    #[wasm_bindgen(js_name = nextBodies)]
    pub fn next_bodies(&self, most: usize) -> Vec<String> {
        self.0.borrow_mut().next_bodies(most)
    }

    /// Whether the node refuses batches, and answers each call by itself.
    #[wasm_bindgen(getter, js_name = refusesBatches)]
    pub fn refuses_batches(&self) -> bool {
        self.0.borrow().refuses_batches()
    }

    /// The most accounts that the node allows a call, if it has refused more.
    #[wasm_bindgen(getter, js_name = mostAccounts)]
    pub fn most_accounts(&self) -> Option<usize> {
        self.0.borrow().most_accounts()
    }

    /// Takes the reply to one of them, with its HTTP status; in their order.
    pub fn replied(&self, status: u16, reply: &[u8]) {
        self.0.borrow_mut().replied(status, reply);
    }

    /// Ends it, because no reply came.
    #[wasm_bindgen(js_name = giveUp)]
    pub fn give_up(&self, why: &str) {
        self.0.borrow_mut().give_up(why);
    }

    /// How the trade ended, and what to keep for the next settler of it. `are_all` says whether the others that it was given are still all.
    pub fn settled(&self, are_all: bool) -> JsValue {
        let settler = self.0.borrow();
        let settled = settler.settled_beside(are_all);
        let mark = |mark: Mark| object! { "slot": mark.slot, "height": mark.height, "time": mark.time };
        let shown = settler.shown().map(|shown| {
            object! { "before": shown.before.map(mark), "after": mark(shown.after), "since": shown.since.map(mark) }
        });
        answer(Ok(object! { "settled": settled, "shown": shown }))
    }
}
