//! What goes wrong with a node, on demand.

use crate::RateLimit;
use launchpad_desk::bindings::reader::Reader;
use launchpad_desk::bindings::settings;

settings! {
    /// What goes wrong with a node.
    #[derive(Default)]
    ChainFaults {
        /// How many slots its readings lag behind what was written. Default: 0.
        lag_slots: u64 => "number" optional,
        /// Every so many requests another machine answers, which is further behind: slots jump back. Default: never.
        jump_back_every: Option<u32> => "number" optional,
        /// How many slots further behind that machine is. Default: 0.
        jump_back_slots: u64 => "number" optional,
        /// After how many slots it forgets transactions. Default: never.
        prune_after_slots: Option<u64> => "number" optional,
        /// The methods that it refuses. Default: none.
        refuse_methods: Vec<String> => "string[]" optional,
        /// Whether it refuses batches, as many nodes do: each call must be a request of its own. Default: false.
        refuse_batches: bool => "boolean" optional,
        /// The version of its transactions, 0 or 1. As a node does, it refuses them to a call that does not support this version. Default:
        /// `legacy`, which every call supports.
        transaction_version: Option<u32> => "0 | 1" optional,
        /// How many requests are answered in a window of time; any other is refused with the status 429. Default: no bound.
        rate_limit: Option<RateLimit> => "RateLimit" optional,
    }
}

impl ChainFaults {
    /// Reads them as JS gives them.
    #[doc(hidden)]
    pub fn read(reader: &mut Reader) -> Self {
        ChainFaults {
            lag_slots: reader.whole("lagSlots").unwrap_or(0),
            jump_back_every: reader.count("jumpBackEvery", 1),
            jump_back_slots: reader.whole("jumpBackSlots").unwrap_or(0),
            prune_after_slots: reader.whole("pruneAfterSlots"),
            refuse_methods: reader.texts("refuseMethods", "must be a list of texts").unwrap_or_default(),
            refuse_batches: reader.boolean("refuseBatches").unwrap_or(false),
            transaction_version: reader
                .whole_within("transactionVersion", 0, 1)
                .map(|version| version as u32),
            rate_limit: reader.object("rateLimit", RateLimit::read),
        }
    }
}
