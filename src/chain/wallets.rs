//! Wallets by the ids that a service has for them, and the addresses by which the chain knows them.
//!
//! A custodial service names wallets by ids of its own. A request keeps those; whatever reads the chain asks here for the address, and says what
//! it has found by the id again.

use std::fmt;

use super::address::Address;
use crate::api::request::Request;
use crate::error::{Code, Error, FieldCode, FieldError};
use crate::few::Few;
use crate::reader::Reader;

/// The addresses of wallets whose ids are none. Without any, each id is its own address.
///
/// An address has one id: of two, the client would not know that a trade of the one may be what the chain shows of the other.
///
/// ```
/// use launchpad_desk::chain::wallets::WalletAddresses;
///
/// let wallets = WalletAddresses::new([("wallet-7", "EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM")])?;
/// assert_eq!(wallets.address_of("wallet-7")?.to_string(), "EFKxMqJ4Fdin2Be9RrLdQMT7iHQ6kAYM7oeu6F7XdyLM");
/// assert!(wallets.address_of("wallet-8").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WalletAddresses {
    by_id: Few<String, Address>,
    by_address: Few<Address, String>,
}

const NAME: &str = "walletAddresses";

impl WalletAddresses {
    /// The wallets of these ids, at these addresses in base58.
    ///
    /// # Errors
    ///
    /// `invalid_options`: each id whose address is none, or that of another id.
    pub fn new<'t>(entries: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Self, Box<Error>> {
        let mut problems = Vec::new();
        let mut wallets = WalletAddresses::default();
        for (id, address) in entries {
            if let Err((code, what)) = wallets.add(id, address) {
                problems.push(FieldError::of(&[NAME, ".", id].concat(), code, &what));
            }
        }
        if problems.is_empty() {
            return Ok(wallets);
        }
        let sentences: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
        let message = ["not sent: ", &sentences.join("; ")].concat();
        Err(Box::new(Error { fields: problems, ..Error::new(Code::InvalidOptions, message) }))
    }

    /// Reads them from the setting `walletAddresses`.
    #[doc(hidden)]
    pub fn read(r: &mut Reader) -> WalletAddresses {
        let mut wallets = WalletAddresses::default();
        let Some(given) = r.value(NAME) else { return wallets };
        let Some(fields) = given.fields() else {
            let what = ["must map ids of wallets to addresses, not be ", given.kind()].concat();
            r.refuse(NAME, FieldCode::WrongType, &what);
            return wallets;
        };
        for (id, address) in fields {
            if let Err((code, what)) = wallets.add(id, address.text().unwrap_or_default()) {
                r.refuse(&[NAME, ".", id].concat(), code, &what);
            }
        }
        wallets
    }

    fn add(&mut self, id: &str, address: &str) -> Result<(), (FieldCode, String)> {
        let Ok(address) = address.parse() else {
            return Err((FieldCode::Unreadable, "must be an address: base58 of 32 bytes".to_owned()));
        };
        if let Some(other) = self.by_address.get(&address).filter(|other| *other != id) {
            return Err((FieldCode::Conflict, ["is the address of ", other, ", too"].concat()));
        }
        self.by_address.insert(address, id.to_owned());
        self.by_id.insert(id.to_owned(), address);
        Ok(())
    }

    /// Where the wallet of this id is.
    ///
    /// # Errors
    ///
    /// The id is no address and has none here, or it is the address of a wallet that has an id.
    pub fn address_of(&self, id: &str) -> Result<Address, NoAddress> {
        if let Some(address) = self.by_id.get(id) {
            return Ok(*address);
        }
        let no = |known_as| NoAddress { wallet: id.to_owned(), known_as };
        let address = id.parse().map_err(|_| no(None))?;
        match self.by_address.get(&address) {
            Some(own) => Err(no(Some(own.clone()))),
            None => Ok(address),
        }
    }

    /// The id of the wallet at this address.
    pub fn id_of(&self, address: &Address) -> String {
        self.by_address.get(address).cloned().unwrap_or_else(|| address.to_string())
    }

    /// Gives a wallet that is named by its address its id.
    pub(crate) fn name(&self, wallet: &mut String) {
        if let Some(id) = wallet.parse().ok().and_then(|address| self.by_address.get(&address)) {
            wallet.clone_from(id);
        }
    }

    /// Gives a wallet that is named by its id its address.
    pub(crate) fn place(&self, wallet: &mut String) -> Result<(), NoAddress> {
        *wallet = self.address_of(wallet)?.to_string();
        Ok(())
    }

    /// The wallets of these ids, as a look takes them.
    pub fn wallets<'t>(&self, ids: impl IntoIterator<Item = &'t str>) -> Wallets {
        let mut wallets = Wallets::default();
        for id in ids {
            match self.address_of(id) {
                Ok(address) => wallets.known.push((id.to_owned(), address)),
                Err(unknown) => wallets.unknown.push(unknown),
            }
        }
        wallets
    }

    /// Makes a request one as the chain would see it: its wallets by their addresses. One that has none keeps its id, which no transaction names.
    /// Fails with the first wallet that has none.
    pub(crate) fn on_chain(&self, request: &mut Request) -> Result<(), NoAddress> {
        let legs = request.legs.iter_mut().map(|leg| &mut leg.from_wallet);
        let placed = legs.chain(&mut request.fee_payer).map(|wallet| self.place(wallet));
        placed.fold(Ok(()), Result::and)
    }
}

/// The wallets of a look: those that the chain knows by an address, and the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wallets {
    /// Ids and addresses.
    pub known: Vec<(String, Address)>,
    /// Those of which nothing can be read.
    pub unknown: Vec<NoAddress>,
}

/// Wallets whose ids are their addresses.
impl From<&[Address]> for Wallets {
    fn from(addresses: &[Address]) -> Self {
        let known = addresses.iter().map(|address| (address.to_string(), *address)).collect();
        Wallets { known, unknown: Vec::new() }
    }
}

/// A wallet that the chain cannot be asked about, because its address is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAddress {
    /// Its id.
    pub wallet: String,
    /// The id that the table of addresses has for it, if it was named by its address.
    pub known_as: Option<String>,
}

impl fmt::Display for NoAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NoAddress { wallet, known_as } = self;
        match known_as {
            None => {
                write!(f, "the wallet {wallet} is no address: the market's walletAddresses can give it one")
            }
            Some(id) => write!(f, "the wallet {wallet} is {id} in the market's walletAddresses: name it so"),
        }
    }
}

impl std::error::Error for NoAddress {}
