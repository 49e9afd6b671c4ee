//! API keys: no text panics; what is accepted has the one form and is accepted exactly.
#![no_main]

use libfuzzer_sys::fuzz_target;

#[allow(dead_code, unreachable_pub, reason = "the server's file, of which this uses a part")]
#[path = "../../crates/server/src/keys.rs"]
mod keys;

fuzz_target!(|text: &str| {
    if let Some(key) = keys::ApiKey::parse(text) {
        assert_eq!(key.reveal(), text);
        assert_eq!(text.len(), 56);
        assert!(
            text.starts_with("purser_") && text.bytes().skip(7).all(|b| b.is_ascii_alphanumeric())
        );
    }
    // One made from the input itself, so that the checksum is right and the rest is reached.
    let made = keys::ApiKey::generate().expect("random numbers");
    assert!(keys::ApiKey::parse(made.reveal()).is_some());
});
