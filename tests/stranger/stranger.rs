//! Uses the crate that is on, or its feature.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU32, Ordering};

#[cfg(feature = "gloo")]
use wasm_bindgen::prelude::*;

struct Counting(AtomicU32);

// SAFETY: everything is the system's allocator's to do.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.0.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        unsafe { System.dealloc(place, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting(AtomicU32::new(0));

/// How often this program's own allocator was asked.
#[cfg_attr(feature = "gloo", wasm_bindgen)]
#[cfg_attr(not(feature = "gloo"), unsafe(no_mangle))]
pub extern "C" fn allocations() -> u32 {
    ALLOCATOR.0.load(Ordering::Relaxed)
}

/// What the crate or its feature does, as a number.
#[cfg_attr(feature = "gloo", wasm_bindgen)]
#[cfg_attr(not(feature = "gloo"), unsafe(no_mangle))]
#[allow(unused_mut)]
pub extern "C" fn used() -> u32 {
    let mut used = 0;
    // The length of a request's body.
    #[cfg(feature = "api")]
    {
        use launchpad_desk_api::amount::SlippageUnit;
        use launchpad_desk_api::encode::encode;
        use launchpad_desk_api::endpoint::Operation;
        use launchpad_desk_api::request::BuyRequest;
        use launchpad_desk_api::tape::ToTape;
        use launchpad_desk_api::validate::{Rules, validate};
        let request = BuyRequest::new("mint", "wallet", 5).to_tape();
        let valid = validate(Operation::Buy, request.root(), &Rules::default());
        used += valid.map_or(0, |valid| encode(&valid, SlippageUnit::Percent).body.len() as u32);
    }
    // The whole tokens for a SOL, by the launchpad's rules.
    #[cfg(feature = "desk")]
    {
        use launchpad_desk::launchpad::Launchpad;
        use launchpad_desk::launchpad::quote::{Ask, Order, quote};
        let launchpad = Launchpad::default();
        let ask = Ask::new(Order::BuyExactIn { lamports: 1_000_000_000 }, 5_000);
        let quoted = quote(&launchpad, &launchpad.new_token(), &ask);
        used += quoted.map_or(0, |quote| (quote.fill.tokens / 1_000_000) as u32);
    }
    // The whole tokens that a wallet has after it bought for a SOL in the sandbox.
    #[cfg(feature = "sandbox")]
    {
        used += bought();
    }
    // The launchpad's settings are where its program derives them to be.
    #[cfg(feature = "chain")]
    {
        use launchpad_desk::chain::address::{GLOBAL, LAUNCHPAD_PROGRAM, derived_address};
        let derived = derived_address(&[b"global"], &LAUNCHPAD_PROGRAM);
        used += u32::from(derived.is_some_and(|(address, _)| address.to_string() == GLOBAL.to_string()));
    }
    // A gateway without settings has one problem.
    #[cfg(feature = "gateway")]
    {
        used += launchpad_desk_gateway::Front::of(None, None).problems().len() as u32;
    }
    // The first URL is accepted for trades, the second is not.
    #[cfg(feature = "gloo")]
    {
        use launchpad_desk_client::GlooTransport;
        let urls = ["https://service.test", "http://service.test"];
        used += urls.iter().filter(|url| GlooTransport::new(url).is_ok()).count() as u32;
    }
    // A line that is none is a record's one problem.
    #[cfg(feature = "record")]
    {
        let mut verifier = launchpad_desk_record::Verifier::default();
        verifier.add("{}");
        used += verifier.take_problems().len() as u32;
    }
    // The length of a request as JSON.
    #[cfg(feature = "serde")]
    {
        let request = launchpad_desk::prelude::BuyRequest::new("mint", "wallet", 5);
        used += serde_json::to_string(&request).map_or(0, |json| json.len() as u32);
    }
    used
}

#[cfg(feature = "sandbox")]
fn bought() -> u32 {
    use launchpad_desk_sandbox::{HttpRequest, Sandbox, SandboxConfig};
    let Ok(mut sandbox) = Sandbox::new(SandboxConfig::default()) else { return 0 };
    let (mint, wallet) = (sandbox.tokens()[0].mint.clone(), sandbox.wallets()[0].wallet.clone());
    let body = format!(r#"{{"mint":"{mint}","fromWallet":"{wallet}","amountInLamports":1000000000}}"#);
    let answer = sandbox.handle(&HttpRequest {
        method: "POST",
        path: "/v1/trade/buy",
        headers: &[("content-type".into(), "application/json".into())],
        body: body.as_bytes(),
        now_ms: 0,
    });
    let wallet = &sandbox.wallets()[0];
    if answer.reply.status != 200 { 0 } else { (wallet.token_accounts[0].tokens / 1_000_000) as u32 }
}
