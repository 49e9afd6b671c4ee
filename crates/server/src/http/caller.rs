//! The caller of a request: the family, the key and what the key may do.
//!
//! The middleware of `edge::auth` authenticates the key and leaves a [`Caller`] with the request.
//! Handlers get it through the extractors [`Reader`] and [`Writer`], which check the scope (403). A
//! `Caller` is the only way to a family's id, and so to its data.

use std::ops::Deref;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderValue, StatusCode, header};
use purser_app::keys::{KeyRecord, Scope};
use purser_app::{Access, FamilyId};
use purser_core::ids::AccountId;

use super::error::{ApiError, ApiResult};

/// The authenticated sender of a request.
#[derive(Debug)]
pub(crate) struct Caller {
    /// The family of the key.
    pub(crate) family: FamilyId,
    /// The key, its user, and what is known of the family.
    pub(crate) key: KeyRecord,
    /// The use of the key; `None` if the server has no rate limit.
    pub(crate) rate: Option<RateUsage>,
    access: Access,
}

/// The use of a key in its bucket of the rate limit, this request included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RateUsage {
    /// The number of requests that a full bucket holds.
    pub(crate) limit: u32,
    /// The number of requests that are missing in the bucket.
    pub(crate) count: u32,
    /// Whole seconds until the bucket holds one request more, at least 1.
    pub(crate) reset_seconds: u64,
    /// Whether this request is accepted.
    pub(crate) allowed: bool,
}

impl RateUsage {
    /// The number of requests that are left in the bucket.
    pub(crate) fn remaining(self) -> u32 {
        self.limit - self.count
    }
}

impl Caller {
    /// The accounts that the key is restricted to; `None` means all.
    pub(crate) fn accounts(&self) -> Option<&[AccountId]> {
        self.access.accounts().only()
    }

    /// What the caller may reach, for a transaction.
    pub(crate) fn access(&self) -> Access {
        self.access.clone()
    }

    /// The caller that an authenticated key stands for.
    pub(crate) fn new(key: KeyRecord, rate: Option<RateUsage>) -> Self {
        Self { family: key.family, access: key.access(), key, rate }
    }
}

/// A caller who may read.
#[derive(Debug, Clone)]
pub(crate) struct Reader(Arc<Caller>);

/// A caller who may read and write.
#[derive(Debug, Clone)]
pub(crate) struct Writer(Arc<Caller>);

impl Reader {
    /// The caller, to keep.
    pub(crate) fn to_shared(&self) -> Arc<Caller> {
        Arc::clone(&self.0)
    }
}

impl Deref for Reader {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.0
    }
}

impl Writer {
    /// The caller, to keep.
    pub(crate) fn to_shared(&self) -> Arc<Caller> {
        Arc::clone(&self.0)
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

/// 401: the same answer whatever is wrong with the key.
pub(crate) fn unauthorized() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "unauthorized",
        "The API key is missing, unknown, expired or revoked",
    )
    .with_header(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"purser\""))
}
