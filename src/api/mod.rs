//! The spec, one file for each step: its fields ([`fields`]), what is asked ([`request`]), where ([`endpoint`]), whether it may
//! be sent ([`validate`]), its bytes ([`encode`]), what is answered ([`response`]), and how that is read ([`decode`]).

pub mod address;
pub mod decode;
pub mod encode;
pub mod endpoint;
pub mod fields;
mod make;
pub mod request;
pub mod response;
pub mod validate;
