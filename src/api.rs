//! The spec, one file for each step: its fields ([`fields`]), what is asked ([`request`]), where ([`endpoint`]), whether it may
//! be sent ([`validate`]), its bytes ([`encode`]), what is answered ([`response`]), and how that is read ([`decode`]).

#[doc(hidden)]
pub use launchpad_desk_api::names;
#[doc(inline)]
pub use launchpad_desk_api::{address, decode, encode, endpoint, fields, request, response, validate};
