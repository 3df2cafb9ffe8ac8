//! The clock, the timer and the random numbers of a browser.

use js_sys::{Function, Reflect, Uint8Array};
use wasm_bindgen::JsCast;

/// Waits, with the browser's timer.
pub async fn sleep(ms: u32) {
    gloo_timers::future::TimeoutFuture::new(ms).await;
}

/// Milliseconds since 1970.
pub fn now_ms() -> u64 {
    js_sys::Date::now() as u64
}

/// 128 random bits, in hexadecimal. A page without TLS has `getRandomValues`, but no `randomUUID`.
pub fn new_id() -> String {
    let random = Uint8Array::new_with_length(16);
    let filled = Reflect::get(&js_sys::global(), &"crypto".into()).and_then(|crypto| {
        let fill: Function = Reflect::get(&crypto, &"getRandomValues".into())?.dyn_into()?;
        fill.call1(&crypto, &random)
    });
    if filled.is_err() {
        random.copy_from(&std::array::from_fn::<u8, 16, _>(|_| (js_sys::Math::random() * 256.0) as u8));
    }
    random.to_vec().iter().map(|byte| format!("{byte:02x}")).collect()
}
