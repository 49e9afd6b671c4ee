//! How long proofs are.

/// `long` for proofs at length.
const VARIABLE: &str = "PURSER_PROOF_LENGTH";

/// How often a proof repeats itself: as part of the tests, or at length.
pub(crate) fn repeats(short: u64, long: u64) -> u64 {
    match std::env::var(VARIABLE).as_deref() {
        Err(_) | Ok("short") => short,
        Ok("long") => long,
        Ok(other) => panic!("{VARIABLE} is short or long, not {other}"),
    }
}
