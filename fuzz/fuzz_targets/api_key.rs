//! API keys: no text panics; what is accepted has the one form; a key made from any random bytes
//! is accepted, and is not any more when one of its characters changes.
#![no_main]

extern crate self as purser_store;

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, reason = "of the server's file only the reading is of interest")]
#[path = "../../crates/app/src/api_key.rs"]
mod keys;

/// Stands in for the store's: the random bytes of a key are the input, and the build needs no
/// database.
pub mod system {
    use std::cell::Cell;

    thread_local! {
        pub static BYTES: Cell<[u8; 32]> = const { Cell::new([0; 32]) };
    }

    pub fn random_bytes<const N: usize>() -> purser_core::error::Result<[u8; N]> {
        let bytes = BYTES.get();
        Ok(std::array::from_fn(|at| bytes[at % bytes.len()]))
    }
}

fuzz_target!(|input: ([u8; 32], u8, u8, &str)| {
    let (random, at, other, text) = input;
    if let Some(key) = keys::ApiKey::parse(text) {
        assert_eq!(key.reveal(), text);
    }
    system::BYTES.set(random);
    let made = keys::ApiKey::generate().expect("random numbers");
    let mut changed = made.reveal().as_bytes().to_vec();
    assert_eq!(changed.len(), 56);
    assert!(keys::ApiKey::parse(made.reveal()).is_some());
    let at = usize::from(at) % changed.len();
    changed[at] = other;
    if let Ok(changed) = std::str::from_utf8(&changed)
        && changed != made.reveal()
    {
        // A checksum finds every change of one character, which are at most eight bits in a row.
        assert!(keys::ApiKey::parse(changed).is_none(), "{changed}");
    }
});
