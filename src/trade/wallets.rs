//! The wallets of a request, and what the buys of one spend.

use crate::api::request::{Amount, Request};

/// Every wallet of a request with its leg; the fee payer, if one is named, has none.
pub(crate) fn wallets(request: &Request) -> impl Iterator<Item = (Option<usize>, &str)> {
    let legs = request.legs.iter().enumerate().map(|(index, leg)| (Some(index), leg.from_wallet.as_str()));
    legs.chain(request.fee_payer.iter().map(|payer| (None, payer.as_str())))
}

/// The wallets that trade, in the order of their legs, each once.
pub(crate) fn trading_wallets(request: &Request) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for leg in &request.legs {
        if !names.contains(&leg.from_wallet.as_str()) {
            names.push(&leg.from_wallet);
        }
    }
    names
}

/// The wallets that trade, then the one that pays the network's fee; each once.
pub fn wallets_of(request: &Request) -> Vec<&str> {
    let (mut names, payer) = (trading_wallets(request), request.payer());
    if !names.contains(&payer) {
        names.push(payer);
    }
    names
}

/// The lamports that the buys of one wallet spend.
pub(crate) fn spent(request: &Request, wallet: &str) -> u128 {
    let own = request.legs.iter().filter(|leg| leg.from_wallet == wallet);
    own.map(|leg| if let Some(Amount::Lamports(lamports)) = leg.amount { lamports.into() } else { 0 }).sum()
}

/// The units that a request bounds. A limit of 0 bounds nothing: a service may read it as none.
pub fn bounded_units(request: &Request) -> Option<u64> {
    request.priority_unit_limit.filter(|limit| *limit > 0)
}
