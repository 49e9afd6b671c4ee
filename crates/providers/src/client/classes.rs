//! What the status of an answer means.

use super::hints::is_about_too_many_requests;
use crate::error::{Call, ErrorClass};

/// The class of an answer with a status other than 200; its text counts where a provider wraps the
/// answer of another.
pub fn of_answer(call: Call, status: u16, text: &str) -> ErrorClass {
    // A bank's limit, passed through as a failure of the provider.
    if status >= 500 && status != 501 && is_about_too_many_requests(text) {
        return ErrorClass::RateLimited;
    }
    of_status(call, status)
}

/// The class of a status alone.
pub fn of_status(call: Call, status: u16) -> ErrorClass {
    match status {
        400 if call.is_of_one_account() => ErrorClass::ConsentExpired,
        401 | 403 => ErrorClass::Auth,
        402 => ErrorClass::PaymentRequired,
        404 | 410 if call == Call::Holdings => ErrorClass::Unsupported,
        404 | 410 if call.is_of_one_account() => ErrorClass::NotFound,
        408 => ErrorClass::Network,
        429 => ErrorClass::RateLimited,
        501 => ErrorClass::Unsupported,
        500..=599 => ErrorClass::UpstreamUnavailable,
        // A redirect that wasn't followed, or an address that has nothing.
        300..=399 | 404 | 410 => ErrorClass::Config,
        _ => ErrorClass::InvalidResponse,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_has_a_class() {
        use ErrorClass as Class;
        for (call, status, class) in [
            (Call::Balance, 400, Class::ConsentExpired),
            (Call::Accounts, 400, Class::InvalidResponse),
            (Call::Accounts, 401, Class::Auth),
            (Call::Transactions, 403, Class::Auth),
            (Call::Accounts, 402, Class::PaymentRequired),
            (Call::Transactions, 404, Class::NotFound),
            (Call::Holdings, 404, Class::Unsupported),
            (Call::Accounts, 404, Class::Config),
            (Call::Accounts, 308, Class::Config),
            (Call::Accounts, 429, Class::RateLimited),
            (Call::Holdings, 501, Class::Unsupported),
            (Call::Balance, 500, Class::UpstreamUnavailable),
            (Call::Balance, 503, Class::UpstreamUnavailable),
            (Call::Balance, 408, Class::Network),
            (Call::Balance, 204, Class::InvalidResponse),
            (Call::Balance, 418, Class::InvalidResponse),
        ] {
            assert_eq!(of_status(call, status), class, "{call:?} {status}");
        }
    }

    #[test]
    fn a_limit_that_is_wrapped_in_a_failure_is_a_limit() {
        let text = "API request failed (429 - Rate limit exceeded): try again in 37 seconds";
        assert_eq!(of_answer(Call::Balance, 500, text), ErrorClass::RateLimited);
        assert_eq!(of_answer(Call::Balance, 502, text), ErrorClass::RateLimited);
        assert_eq!(of_answer(Call::Holdings, 501, text), ErrorClass::Unsupported);
        assert_eq!(of_answer(Call::Balance, 404, text), ErrorClass::NotFound);
    }
}
