//! Whether an account is asked for holdings.

use jiff::{SignedDuration, Timestamp};

use crate::ledger::account::AccountType;

/// How long an account isn't asked again that has no holdings to report.
pub const REST: SignedDuration = SignedDuration::from_hours(30 * 24);

/// Whether an account of a type is asked for its holdings, of which the provider had none to report
/// at a time.
pub fn are_asked_for(
    account_type: AccountType,
    unsupported_at: Option<Timestamp>,
    now: Timestamp,
) -> bool {
    // A time ahead of the clock was set by another clock.
    let is_over = |since: Timestamp| {
        let age = now.duration_since(since);
        age >= REST || age < SignedDuration::ZERO
    };
    account_type.holds_securities() && unsupported_at.is_none_or(is_over)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_that_may_have_some_are_asked_and_others_now_and_then() {
        let now = Timestamp::constant(1_700_000_000, 0);
        let asked =
            |days: i64| Some(now.saturating_sub(SignedDuration::from_hours(24 * days)).unwrap());
        let is_asked = |account_type, before| are_asked_for(account_type, before, now);
        assert!(is_asked(AccountType::Investment, None) && is_asked(AccountType::Crypto, None));
        assert!(!is_asked(AccountType::Depository, None));
        assert!(!is_asked(AccountType::Investment, asked(29)));
        assert!(is_asked(AccountType::Investment, asked(30)));
        assert!(is_asked(AccountType::Investment, asked(-1)));
    }
}
