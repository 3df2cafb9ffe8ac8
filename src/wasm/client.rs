//! `TradeClient`: one method for each operation.

use js_sys::{Date, Promise};
use wasm_bindgen::prelude::*;

use crate::api::encode::BuiltCall;
use crate::api::endpoint::{Call, Operation};
use crate::tape::ToTape;
use crate::trade::guard::Guards;
use crate::wasm::argument::operation_of;
use crate::wasm::convert::{from_js, to_js, with_json};
use crate::wasm::desk::Desk;
use crate::wasm::options::{ClientSettings, OwnHeaders, SendSettings};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** The promise of a trade, with access to its response. */
export interface TradePromise<T> extends Promise<T> {
    /** The trade and the response as `fetch` gave it, its body read. */
    withResponse(): Promise<{ trade: T; response: FetchReply }>;
}
/** Single trades from a form's data: each field is text, and checked like any other. */
export interface TradeClient {
    /** Buys what a form asks for: `client.buy(Object.fromEntries(new FormData(form)))`. */
    buy<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<BuyTrade>;
    /** Buys a token from one wallet. Declared last again, since compilers report errors for the last overload. */
    buy(request: BuyRequest, options?: CallOptions): TradePromise<BuyTrade>;
    /** Sells the amount that a form asks for. */
    sell<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<SellTrade>;
    /** Sells an amount of a token from one wallet. */
    sell(request: SellRequest, options?: CallOptions): TradePromise<SellTrade>;
    /** Sells the percentage that a form asks for. */
    sellByPercentage<F extends FormRecord>(form: F & FormOnly<F>, options?: CallOptions): TradePromise<SellTrade>;
    /** Sells a percentage of one wallet's holdings of a token. */
    sellByPercentage(request: SellByPercentageRequest, options?: CallOptions): TradePromise<SellTrade>;
}
"#;

#[wasm_bindgen(module = "/src/wasm/carrier.js")]
extern "C" {
    /// Waits for the steps of trades.
    type Carrier;

    #[wasm_bindgen(constructor)]
    fn new(desk: Desk, journal: &JsValue, endpoint: &JsValue, settings: &JsValue) -> Carrier;

    #[wasm_bindgen(method)]
    fn trade(this: &Carrier, operation: &str, request: &JsValue, options: &JsValue) -> Promise;

    #[wasm_bindgen(method)]
    fn warm(this: &Carrier) -> Promise;

    #[wasm_bindgen(method)]
    fn acknowledge(this: &Carrier, intent_id: &JsValue, found: &JsValue) -> Promise;

    #[wasm_bindgen(method)]
    fn pending(this: &Carrier) -> Promise;

    /// The same with other send settings.
    #[wasm_bindgen(method, js_name = withSettings)]
    fn with_settings(this: &Carrier, settings: &JsValue) -> Carrier;
}

// Only so that the build includes these files, which carrier.js imports.
#[wasm_bindgen(module = "/src/wasm/reply.js")]
extern "C" {
    #[wasm_bindgen(js_name = Lost)]
    type _Lost;
}
#[wasm_bindgen(module = "/src/wasm/watch.js")]
extern "C" {
    #[wasm_bindgen(js_name = Watch)]
    type _Watch;
}

/// Sends trades, and says of each whether money may have moved.
///
/// Where it trades is always said: at a `baseURL`, or in a sandbox, with no key, no network and no money.
///
/// ```js
/// const client = new TradeClient({ baseURL: "https://service.example", apiKey });
/// const simulated = new TradeClient({ fetch: sandbox.fetch }); // a Sandbox of launchpad-desk/launchpad
/// const trade = await client.buy({ mint, fromWallet, amountInLamports: 1_000_000_000 });
/// ```
///
/// A call resolves when the trade landed (`status: "landed"`) or the reply does not say
/// (`"unconfirmed"`). It rejects with `TradeNotSentError`, `TradeRejectedError`, `TradeFailedError` or
/// `TradeOutcomeUnknownError` otherwise. The client sends nothing twice. A runtime's own `fetch` may; on Node the default
/// is a transport over `node:http`, which does not.
///
/// Methods work on their own, too: `const { buy } = client`.
#[wasm_bindgen]
pub struct TradeClient {
    desk: Desk,
    carrier: Carrier,
    base_url: String,
    headers: OwnHeaders,
}

#[wasm_bindgen]
impl TradeClient {
    /// Makes a client.
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad option in `fields`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "ClientOptions")] options: &JsValue,
    ) -> Result<TradeClient, JsValue> {
        let settings = ClientSettings::read(options)?;
        let desk = Desk::new(settings.dialect, Guards::new(settings.guards));
        let headers = settings.headers;
        let endpoint = settings.endpoint.to_js(&headers);
        let carrier = Carrier::new(desk.clone(), &settings.journal, &endpoint, &settings.send.to_js());
        Ok(TradeClient { desk, carrier, base_url: settings.endpoint.base_url, headers })
    }

    /// The same client with other ways of sending. Guards and journal are shared: a limit holds for both.
    ///
    /// ```js
    /// const patient = client.withOptions({ timeoutMs: 120_000 });
    /// ```
    ///
    /// @throws {TradeNotSentError} `invalid_options`, with every bad option in `fields`.
    #[wasm_bindgen(js_name = withOptions)]
    pub fn with_options(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SendOptions")] options: &JsValue,
    ) -> Result<TradeClient, JsValue> {
        let headers = self.headers.clone();
        let carrier = self.carrier.with_settings(&SendSettings::read(options, &headers)?.to_js());
        Ok(TradeClient { desk: self.desk.clone(), carrier, base_url: self.base_url.clone(), headers })
    }

    /// Opens a connection ahead of the first trade, by an OPTIONS (in a page, a HEAD) of the base URL without the key, so that the trade itself
    /// need not wait for DNS, TCP and TLS. Whether one was opened; never throws.
    #[wasm_bindgen(unchecked_return_type = "Promise<boolean>")]
    pub fn warm(&self) -> Promise {
        self.carrier.warm()
    }

    /// Lets nothing through, and nothing out that has not left: each trade ends as `not_sent`, with the code `halted`.
    pub fn halt(&self) {
        self.desk.guards().halt();
    }

    /// Allows only sells: a buy ends as `not_sent`, with the code `reducing`.
    pub fn reduce(&self) {
        self.desk.guards().reduce();
    }

    /// Admits everything again, and closes the breaker. Unresolved intents stay unresolved.
    pub fn resume(&self) {
        self.desk.guards().resume();
    }

    /// The guards as a panel shows them: who may trade, what was spent today, what is in flight or unresolved. In JSON the
    /// lamports are text: the exact digits.
    #[wasm_bindgen(getter, unchecked_return_type = "GuardState")]
    pub fn guards(&self) -> JsValue {
        let state = self.desk.guards().state(Date::now() as u64).to_tape();
        with_json(&to_js(&state))
    }

    /// Says what became of a trade whose outcome was unknown: after `landed` its id is used up, after `did_not_land`
    /// its lamports are free and it may be sent again. Resolves to whether it was unresolved. The journal gets it first.
    ///
    /// @throws {TradeNotSentError} `invalid_request` for another word, `journal_failed` where the journal threw.
    #[wasm_bindgen(unchecked_return_type = "Promise<boolean>")]
    pub fn acknowledge(
        &self,
        #[wasm_bindgen(js_name = intentId, unchecked_param_type = "string")] intent_id: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Found")] found: &JsValue,
    ) -> Promise {
        self.carrier.acknowledge(intent_id, found)
    }

    /// Lists all unresolved trades, including those that the journal has from an earlier run. None of them is sent again
    /// before it is acknowledged.
    ///
    /// @throws {TradeNotSentError} `journal_failed`, where the journal threw.
    #[wasm_bindgen(unchecked_return_type = "Promise<IntentState[]>")]
    pub fn pending(&self) -> Promise {
        self.carrier.pending()
    }

    /// Buys a token from one wallet.
    #[wasm_bindgen(unchecked_return_type = "TradePromise<BuyTrade>")]
    pub fn buy(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BuyRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::Buy, request, options)
    }

    /// Sells an amount of a token from one wallet.
    #[wasm_bindgen(unchecked_return_type = "TradePromise<SellTrade>")]
    pub fn sell(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SellRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::Sell, request, options)
    }

    /// Sells a percentage of one wallet's holdings of a token.
    #[wasm_bindgen(js_name = sellByPercentage, unchecked_return_type = "TradePromise<SellTrade>")]
    pub fn sell_by_percentage(
        &self,
        #[wasm_bindgen(unchecked_param_type = "SellByPercentageRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::SellByPercentage, request, options)
    }

    /// Buys a token from several wallets in one transaction.
    #[wasm_bindgen(js_name = bundleBuy, unchecked_return_type = "TradePromise<BundleTrade>")]
    pub fn bundle_buy(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BundleBuyRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::BundleBuy, request, options)
    }

    /// Sells amounts of a token from several wallets in one transaction.
    #[wasm_bindgen(js_name = bundleSell, unchecked_return_type = "TradePromise<BundleTrade>")]
    pub fn bundle_sell(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BundleSellRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::BundleSell, request, options)
    }

    /// Sells percentages of several wallets' holdings of a token in one transaction.
    #[wasm_bindgen(js_name = bundleSellByPercentage, unchecked_return_type = "TradePromise<BundleTrade>")]
    pub fn bundle_sell_by_percentage(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BundleSellByPercentageRequest")] request: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "CallOptions")] options: &JsValue,
    ) -> Promise {
        self.trade(Operation::BundleSellByPercentage, request, options)
    }

    /// Checks a request and writes its exact bytes. Nothing is sent.
    ///
    /// @throws {TradeNotSentError} `invalid_request`, with every bad field in `fields`.
    #[wasm_bindgen(unchecked_return_type = "BuiltCall")]
    pub fn build(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Operation")] operation: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "RequestOf[Operation]")] request: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let operation = operation_of(operation)?;
        let request = self.desk.checked(operation, from_js(request).root())?;
        let Call { operation, path, body } = self.desk.call(&request);
        let url = Some([&self.base_url, path.as_str()].concat());
        let warnings = request.warnings().to_vec();
        Ok(to_js(&BuiltCall { operation, method: "POST", url, path, body, warnings }.to_tape()))
    }
}

impl TradeClient {
    fn trade(&self, operation: Operation, request: &JsValue, options: &JsValue) -> Promise {
        self.carrier.trade(operation.as_str(), request, options)
    }
}
