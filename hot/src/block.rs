//! Sixteen bytes, judged at once: by WebAssembly's vectors where these are compiled for, in plain Rust elsewhere.

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use plain as vector;

/// How many bytes are judged at once.
pub const BLOCK: usize = 16;

/// Characters of ASCII that are allowed.
///
/// A byte is looked up by its halves: each lower half has a bit for each upper half that makes another character of it.
#[derive(Clone, Copy)]
pub struct Class {
    lower: [u8; BLOCK],
    upper: [u8; BLOCK],
}

impl Class {
    /// These characters; none of them a control character.
    pub const fn of(characters: &[u8]) -> Class {
        let (mut class, mut at) = (Class::NONE, 0);
        while at < characters.len() {
            class = class.and(characters[at], characters[at]);
            at += 1;
        }
        class
    }

    /// All from one to another, which are no control characters.
    pub const fn between(first: u8, last: u8) -> Class {
        Class::NONE.and(first, last)
    }

    // What is not ASCII is found among the control characters.
    const NONE: Class =
        Class { lower: [0xff; BLOCK], upper: [1, 2, 4, 8, 16, 32, 64, 128, 1, 1, 1, 1, 1, 1, 1, 1] };

    const fn and(mut self, first: u8, last: u8) -> Class {
        let mut character = first;
        while character <= last {
            self.lower[character as usize % BLOCK] &= !(1 << (character as usize / BLOCK));
            character += 1;
        }
        self
    }

    /// The same without these.
    pub const fn without(mut self, characters: &[u8]) -> Class {
        let mut at = 0;
        while at < characters.len() {
            self.lower[characters[at] as usize % BLOCK] |= 1 << (characters[at] as usize / BLOCK);
            at += 1;
        }
        self
    }

    /// Whether `text` has no other bytes. `fill` is one of the class.
    pub fn has_all(&self, text: &[u8], fill: u8) -> bool {
        let Some(last) = text.last_chunk() else {
            return !vector::any(self.others(&filled(text, fill)));
        };
        // The last block overlaps the one before.
        let others = self.others(last);
        let blocks = text.as_chunks().0.iter();
        !vector::any(blocks.fold(others, |others, block| vector::or(others, self.others(block))))
    }

    /// How many bytes from the start are of the class. `other` is none of it.
    pub fn prefix(&self, text: &[u8], other: u8) -> usize {
        let (blocks, rest) = text.as_chunks();
        let mut length = 0;
        for block in blocks {
            let before = vector::before(self.others(block));
            length += before;
            if before < BLOCK {
                return length;
            }
        }
        length + vector::before(self.others(&filled(rest, other)))
    }

    /// What is not nought where a byte is not of the class.
    fn others(&self, block: &[u8; BLOCK]) -> vector::Vector {
        vector::look_up(vector::load(block), &self.lower, &self.upper)
    }
}

/// What is left of a text, filled up.
fn filled(text: &[u8], fill: u8) -> [u8; BLOCK] {
    let mut block = [fill; BLOCK];
    block.iter_mut().zip(text).for_each(|(to, from)| *to = *from);
    block
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod vector {
    use std::arch::wasm32::{
        u8x16_bitmask, u8x16_eq, u8x16_shr, u8x16_splat, u8x16_swizzle, u64x2, v128_and,
    };
    pub use std::arch::wasm32::{v128 as Vector, v128_any_true as any, v128_or as or};

    use super::BLOCK;

    pub fn load(bytes: &[u8; BLOCK]) -> Vector {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| bytes[at + index]));
        u64x2(word(0), word(8))
    }

    pub fn look_up(block: Vector, lower: &[u8; BLOCK], upper: &[u8; BLOCK]) -> Vector {
        let of_lower = u8x16_swizzle(load(lower), v128_and(block, u8x16_splat(0x0f)));
        v128_and(of_lower, u8x16_swizzle(load(upper), u8x16_shr(block, 4)))
    }

    /// How many bytes are nought before the first that is not.
    pub fn before(bytes: Vector) -> usize {
        (!u32::from(u8x16_bitmask(u8x16_eq(bytes, u8x16_splat(0))))).trailing_zeros() as usize
    }
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod plain {
    use super::BLOCK;

    pub type Vector = [u8; BLOCK];

    pub fn load(bytes: &Vector) -> Vector {
        *bytes
    }

    pub fn look_up(block: Vector, lower: &[u8; BLOCK], upper: &[u8; BLOCK]) -> Vector {
        block.map(|byte| lower[usize::from(byte & 0x0f)] & upper[usize::from(byte >> 4)])
    }

    pub fn or(a: Vector, b: Vector) -> Vector {
        std::array::from_fn(|index| a[index] | b[index])
    }

    pub fn any(bytes: Vector) -> bool {
        bytes != [0; BLOCK]
    }

    pub fn before(bytes: Vector) -> usize {
        bytes.iter().take_while(|byte| **byte == 0).count()
    }
}
