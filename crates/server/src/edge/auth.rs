//! Authentication: who calls, and what the key may do.
//!
//! The middleware runs before every route of `/api/v1`, so a new route can't forget it: it finds
//! the key (401), counts the request (429), waits for the turn of its family (503 if it doesn't
//! come), and hands a [`Caller`] on.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, header};
use purser_app::api_key::ApiKey;
use purser_app::keys::{self, KeyRecord};

use super::connections::Newcomer;
use super::panics;
use crate::http::caller::{Caller, unauthorized};
use crate::http::error::ApiResult;
use crate::http::in_flight::InFlight;
use crate::state::AppState;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// The middleware that authenticates requests to the API.
pub(crate) async fn layer(
    State(app): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let key = match authenticate(&app, request.headers()).await {
        Ok(key) => key,
        Err(error) => return error.into_response(),
    };
    let span = tracing::Span::current();
    span.record("key", tracing::field::display(key.id));
    span.record("user", tracing::field::display(key.user));
    Newcomer::admit(request.extensions());
    app.last_used.note(key.family, key.id, app.store.now());
    let usage = app.rate_limiter.count(key.id);
    let mut response = match usage {
        Some(usage) if !usage.allowed => usage.error().into_response(),
        _ => {
            let caller = Caller::new(key, usage);
            let in_flight = request.extensions().get::<InFlight>().cloned();
            match enter(in_flight, &caller).await {
                Ok(()) => {
                    request.extensions_mut().insert(Arc::new(caller));
                    panics::catch(next.run(request)).await
                }
                Err(busy) => busy.into_response(),
            }
        }
    };
    if let Some(usage) = usage {
        usage.write(response.headers_mut());
    }
    response
}

/// Waits until the server has memory for a request of this family.
async fn enter(in_flight: Option<InFlight>, caller: &Caller) -> ApiResult<()> {
    match in_flight {
        Some(in_flight) => in_flight.enter((&caller.access()).into()).await,
        None => Ok(()),
    }
}

async fn authenticate(app: &AppState, headers: &HeaderMap) -> ApiResult<KeyRecord> {
    let hash = credential(headers).and_then(ApiKey::parse).ok_or_else(unauthorized)?.hash();
    keys::authenticate(&app.store, hash).await?.ok_or_else(unauthorized)
}

/// The key that the request brings: `X-Api-Key` if there is one, else `Authorization: Bearer`.
/// A header that is there twice is none.
fn credential(headers: &HeaderMap) -> Option<&str> {
    if headers.contains_key(API_KEY) {
        return single(headers, API_KEY);
    }
    let (scheme, key) = single(headers, header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

fn single(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?;
    values.next().is_none().then(|| first.to_str().ok())?
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn credential_of(headers: &[(&'static str, &'static str)]) -> Option<String> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_static(value));
        }
        credential(&map).map(str::to_owned)
    }

    #[test]
    fn the_api_key_header_decides() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(credential_of(&[]), None);
        assert_eq!(credential_of(&[("x-api-key", "a")]), some("a"));
        assert_eq!(credential_of(&[("authorization", "bearer b")]), some("b"));
        assert_eq!(credential_of(&[("authorization", "Bearer b"), ("x-api-key", "a")]), some("a"));
        assert_eq!(credential_of(&[("authorization", "Bearer b"), ("x-api-key", "")]), some(""));
        for none in [
            &[("x-api-key", "a"), ("x-api-key", "a")][..],
            &[("authorization", "Basic b")],
            &[("authorization", "Bearer")],
            &[("authorization", "Bearer a"), ("authorization", "Bearer a")],
        ] {
            assert_eq!(credential_of(none), None, "{none:?}");
        }
    }
}
