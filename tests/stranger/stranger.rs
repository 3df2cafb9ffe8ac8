//! Trades in the sandbox, and uses the feature that is on.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU32, Ordering};

use launchpad_desk::sandbox::{HttpRequest, Sandbox, SandboxConfig};
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

/// Buys for a SOL in the sandbox. Returns the whole tokens that its wallet then has, or zero if it fails.
#[cfg_attr(feature = "gloo", wasm_bindgen)]
#[cfg_attr(not(feature = "gloo"), unsafe(no_mangle))]
pub extern "C" fn trade() -> u32 {
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

/// What the feature does, as a number.
#[cfg_attr(feature = "gloo", wasm_bindgen)]
#[cfg_attr(not(feature = "gloo"), unsafe(no_mangle))]
#[allow(unused_mut)]
pub extern "C" fn used() -> u32 {
    let mut used = 0;
    // The launchpad's settings are where its program derives them to be.
    #[cfg(feature = "chain")]
    {
        use launchpad_desk::chain::address::{GLOBAL, LAUNCHPAD_PROGRAM, derived_address};
        let derived = derived_address(&[b"global"], &LAUNCHPAD_PROGRAM);
        used += u32::from(derived.is_some_and(|(address, _)| address == GLOBAL));
    }
    // A gateway without settings has one problem.
    #[cfg(feature = "gateway")]
    {
        used += launchpad_desk::gateway::Front::of(None, None).problems().len() as u32;
    }
    // The first URL is accepted for trades, the second is not.
    #[cfg(feature = "gloo")]
    {
        use launchpad_desk::client::GlooTransport;
        let urls = ["https://service.test", "http://service.test"];
        used += urls.iter().filter(|url| GlooTransport::new(url).is_ok()).count() as u32;
    }
    // A line that is none is a record's one problem.
    #[cfg(feature = "record")]
    {
        let mut verifier = launchpad_desk::record::Verifier::default();
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
