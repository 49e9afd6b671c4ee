//! Authentication: who calls, and what the key may do.
//!
//! The middleware stands before every route of `/api/v1`, so a new route can't forget it: it finds
//! the key (401), counts the request (429), and hands a [`Caller`] on. Handlers get it through the
//! extractors [`Reader`] and [`Writer`], which check the scope (403). A `Caller` is the only way to
//! a family's id, and so to its data.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use purser_core::ids::AccountId;
use purser_store::FamilyId;
use purser_store::keys::{self, KeyRecord, Scope};

use super::panics;
use super::rate_limit::Usage;
use crate::api::error::{ApiError, ApiResult};
use crate::keys::ApiKey;
use crate::state::AppState;

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Who calls.
#[derive(Debug)]
pub(crate) struct Caller {
    /// Whose data it is.
    pub(crate) family: FamilyId,
    /// The key, its user, and what is known of the family.
    pub(crate) key: KeyRecord,
    accounts: Option<Vec<AccountId>>,
    /// Where the key stands in its rate limit; `None` without a limit.
    pub(crate) usage: Option<Usage>,
}

impl Caller {
    /// The accounts that the key is restricted to; `None` means all.
    pub(crate) fn accounts(&self) -> Option<&[AccountId]> {
        self.accounts.as_deref()
    }

    fn new(key: KeyRecord, usage: Option<Usage>) -> Self {
        let accounts = key.accounts.as_ref().map(|accounts| accounts.iter().copied().collect());
        Self { family: key.family, key, accounts, usage }
    }
}

/// A caller who may read.
#[derive(Debug, Clone)]
pub(crate) struct Reader(Arc<Caller>);

/// A caller who may read and write.
#[derive(Debug, Clone)]
pub(crate) struct Writer(Arc<Caller>);

impl Deref for Reader {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.0
    }
}

impl Deref for Writer {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.0
    }
}

impl<S: Sync> FromRequestParts<S> for Reader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        caller(parts).map(Self)
    }
}

impl<S: Sync> FromRequestParts<S> for Writer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let caller = caller(parts)?;
        match caller.key.scope {
            Scope::ReadWrite => Ok(Self(caller)),
            Scope::Read => Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "insufficient_scope",
                "This action requires the 'write' scope",
            )),
        }
    }
}

/// What the middleware left. A route outside of it has no caller, and refuses.
fn caller(parts: &Parts) -> ApiResult<Arc<Caller>> {
    parts.extensions.get::<Arc<Caller>>().cloned().ok_or_else(unauthorized)
}

/// The middleware.
pub(crate) async fn layer(
    State(app): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let key = match authenticate(&app, request.headers()).await {
        Ok(key) => key,
        Err(error) => return error.into_response(),
    };
    tracing::Span::current().record("key", tracing::field::display(key.id));
    app.last_used.note(key.family, key.id, app.store.now());
    let usage = app.rate_limiter.count(key.id);
    let mut response = match usage {
        Some(usage) if !usage.allowed => usage.error().into_response(),
        _ => {
            request.extensions_mut().insert(Arc::new(Caller::new(key, usage)));
            panics::catch(next.run(request)).await
        }
    };
    if let Some(usage) = usage {
        usage.write(response.headers_mut());
    }
    response
}

async fn authenticate(app: &AppState, headers: &HeaderMap) -> ApiResult<KeyRecord> {
    let hash = credential(headers).and_then(ApiKey::parse).ok_or_else(unauthorized)?.hash();
    let now = app.store.now();
    let found = app.store.read(move |tx| keys::authenticate(tx, &hash, now)).await?;
    found.ok_or_else(unauthorized)
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

/// The same for every cause.
fn unauthorized() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        "The API key is missing, unknown, expired or revoked",
    )
    .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"purser\""))
}

#[cfg(test)]
mod tests {
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
