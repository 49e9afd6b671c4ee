//! The request id: taken over from `X-Request-Id` if it is sane, else a new one. It is answered on
//! every response, stands in every line of the log, and is the only thing that a client learns
//! about an internal error.

use std::future::Future;

use http::{HeaderMap, HeaderName, HeaderValue};

use purser_app::system::random_bytes;

use crate::limits::REQUEST_ID_CHARS_MAX;

/// The header, in both directions.
pub(crate) const HEADER: HeaderName = HeaderName::from_static("x-request-id");

tokio::task_local! {
    static CURRENT: HeaderValue;
}

/// The id that the client sent, if it is 1 to 128 visible ASCII characters; else a new one.
pub(crate) fn from_headers(headers: &HeaderMap) -> HeaderValue {
    headers
        .get(HEADER)
        .filter(|id| (1..=REQUEST_ID_CHARS_MAX).contains(&id.len()))
        .filter(|id| id.as_bytes().iter().all(u8::is_ascii_graphic))
        .cloned()
        .unwrap_or_else(new)
}

/// Runs the rest of the request with its id.
pub(crate) async fn scope<F: Future>(id: HeaderValue, rest: F) -> F::Output {
    CURRENT.scope(id, rest).await
}

/// The id of the request that the current task works on; `none` outside of requests.
pub(crate) fn current() -> String {
    CURRENT
        .try_with(|id| id.to_str().unwrap_or_default().to_owned())
        .unwrap_or_else(|_| "none".to_owned())
}

/// 80 random bits: nobody can guess the id of somebody else's request, and two don't meet.
fn new() -> HeaderValue {
    random_bytes::<10>()
        .ok()
        .map(|random| random.iter().map(|byte| format!("{byte:02x}")).collect::<String>())
        .and_then(|text| HeaderValue::from_str(&text).ok())
        .unwrap_or_else(|| HeaderValue::from_static("unknown"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(sent: &[u8]) -> HeaderValue {
        let mut headers = HeaderMap::new();
        headers.insert(HEADER, HeaderValue::from_bytes(sent).unwrap());
        from_headers(&headers)
    }

    #[test]
    fn a_sane_id_is_kept_and_any_other_replaced() {
        assert_eq!(id(b"abc-123"), "abc-123");
        assert_eq!(id(&[b'x'; 128]).len(), 128);
        for other in [&b""[..], b"two words", b"caf\xc3\xa9", &[b'x'; 129], b"a\tb"] {
            let new = id(other);
            assert_eq!(new.len(), 20, "{other:?}");
            assert_ne!(new, id(other));
        }
    }
}
