//! Requests that may be sent again: `Idempotency-Key`.
//!
//! ```text
//! let guard = match begin(&app, &caller, ROUTE, &key, fingerprint).await? {
//!     ClaimOutcome::Proceed(guard) => guard,
//!     ClaimOutcome::Answer(response) => return Ok(response),
//! };
//! store.write(access, { let guard = guard.clone(); move |tx| { …; guard.save(tx, 201, &body) } })
//! guard.committed();
//! ```
//!
//! The answer is stored in the transaction of the effect, so that there is never one without the
//! other. A request that ends without an effect lets its key go, so that it can be tried again. The
//! claim of one that takes long is renewed.
//! Without the header all of this does nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::FromRequestParts;
use axum::response::Response;
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode, header};
use purser_app::idempotency::{self, CLAIM_RENEWAL, Claim, Claimed};
use purser_app::{Access, FamilyTx, Store};
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use sha2::{Digest as _, Sha256};
use tokio::task::AbortHandle;
use uuid::Uuid;

use super::caller::Caller;
use crate::http::error::{ApiError, ApiResult};
use crate::limits::IDEMPOTENCY_KEY_CHARS_MAX;
use crate::state::AppState;

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Marks the stored answer of an earlier request.
pub(crate) const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The key that a request brings, if any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IdempotencyKey(Option<String>);

impl IdempotencyKey {
    /// The key of a request that has none.
    pub(crate) const NONE: Self = Self(None);
}

impl<S: Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        let mut values = parts.headers.get_all(KEY).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(Self(None)),
            (Some(value), None) => read(value).map(|key| Self(Some(key))).ok_or_else(malformed),
            (Some(_), Some(_)) => Err(malformed()),
        }
    }
}

/// The key, with or without quotes; 1 to 255 visible ASCII characters.
fn read(value: &HeaderValue) -> Option<String> {
    let text = value.to_str().ok()?.trim();
    let text = match text.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"')?,
        None => text,
    };
    let sane = (1..=IDEMPOTENCY_KEY_CHARS_MAX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
    sane.then(|| text.to_owned())
}

fn malformed() -> ApiError {
    ApiError::bad_request(format!(
        "Idempotency-Key must be given once, with 1 to {IDEMPOTENCY_KEY_CHARS_MAX} visible ASCII \
         characters"
    ))
}

/// What a request is, apart from how it was written down: its fields and its file, in order.
#[derive(Debug, Default)]
pub(crate) struct Fingerprint(Sha256);

impl Fingerprint {
    /// Adds a part. Lengths are part of it, so that two parts never look like one.
    pub(crate) fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_be_bytes());
        self.0.update(part);
    }

    /// The fingerprint of everything that was added.
    pub(crate) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

/// What is known of the key of a request.
#[derive(Debug)]
pub(crate) enum ClaimOutcome {
    /// The key is new: do the work.
    Proceed(Guard),
    /// It was done before: this was the answer.
    Answer(Response),
}

/// The right to do a request's work and to store its answer; cheap to clone.
///
/// When the last clone goes and nothing was stored, the key is let go.
#[derive(Debug, Clone)]
pub(crate) struct Guard(Option<Arc<ActiveClaim>>);

struct ActiveClaim {
    store: Store,
    claim: Claim,
    subject: Option<Uuid>,
    keep: AtomicBool,
    renewal: AbortHandle,
}

/// Claims the key of a request, if it brings one.
pub(crate) async fn begin(
    app: &AppState,
    caller: &Caller,
    route: &str,
    key: &IdempotencyKey,
    fingerprint: [u8; 32],
) -> ApiResult<ClaimOutcome> {
    let Some(key) = key.0.clone() else { return Ok(ClaimOutcome::Proceed(Guard(None))) };
    let fingerprint = of_caller(fingerprint, caller.accounts());
    let route = route.to_owned();
    let claimed = app
        .store
        .write(caller.access(), move |tx| idempotency::claim(tx, &route, &key, &fingerprint))
        .await?;
    let hold = |claim: Claim, subject: Option<Uuid>| {
        let keep = AtomicBool::new(subject.is_some());
        let store = app.store.clone();
        let renewal = renew_regularly(store.clone(), caller.access(), claim.clone());
        let renewal = tokio::spawn(renewal).abort_handle();
        let held = ActiveClaim { store, claim, subject, keep, renewal };
        Ok(ClaimOutcome::Proceed(Guard(Some(Arc::new(held)))))
    };
    match claimed {
        Claimed::Fresh(claim) => hold(claim, None),
        Claimed::Bound { claim, subject_id } => hold(claim, Some(subject_id)),
        Claimed::Replay { status, body } => Ok(ClaimOutcome::Answer(replay(status, body)?)),
        Claimed::Reused => Err(Error::invalid_code(
            "idempotency_key_reused",
            "This Idempotency-Key came with another request before",
        )
        .into()),
        Claimed::Running => Err(ApiError::new(
            StatusCode::CONFLICT,
            "idempotency_key_in_use",
            "The first request with this Idempotency-Key is still running",
        )
        .with_header(header::RETRY_AFTER, HeaderValue::from_static("1"))),
    }
}

/// Renews a claim until the task is aborted.
async fn renew_regularly(store: Store, access: Access, claim: Claim) {
    loop {
        tokio::time::sleep(CLAIM_RENEWAL).await;
        let claim = claim.clone();
        let renewed = store.write_aside(access.clone(), move |tx| idempotency::renew(tx, &claim));
        if let Err(error) = renewed.await {
            tracing::warn!(cause = ?error, "the claim of an idempotency key can't be renewed");
        }
    }
}

/// A stored answer shows accounts: a key that is restricted gets only what was answered to one with
/// the same restriction.
fn of_caller(fingerprint: [u8; 32], restriction: Option<&[AccountId]>) -> [u8; 32] {
    let Some(accounts) = restriction else { return fingerprint };
    let mut restricted = Fingerprint::default();
    restricted.add(&fingerprint);
    let mut accounts: Vec<_> = accounts.iter().map(|account| account.0).collect();
    accounts.sort_unstable();
    accounts.iter().for_each(|account| restricted.add(account.as_bytes()));
    restricted.finish()
}

fn replay(status: u16, body: String) -> ApiResult<Response> {
    let status = StatusCode::from_u16(status).map_err(ApiError::internal)?;
    let mut response = crate::http::json_bytes(status, body);
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

impl Guard {
    /// What an earlier request with this key made before it died: go on from there.
    pub(crate) fn subject(&self) -> Option<Uuid> {
        self.0.as_ref().and_then(|held| held.subject)
    }

    /// Binds the key to what this transaction makes, for requests with more than one commit. From
    /// then on the key isn't let go: a request that dies is taken up again by its retry.
    pub(crate) fn bind(&self, tx: &mut FamilyTx<'_>, subject: Uuid) -> Result<()> {
        let Some(held) = &self.0 else { return Ok(()) };
        held.keep.store(true, Ordering::Relaxed);
        idempotency::bind(tx, &held.claim, subject)
    }

    /// The transaction that bound the key was surely rolled back: the key is let go after all.
    pub(crate) fn rolled_back(&self) {
        if let Some(held) = &self.0 {
            held.keep.store(false, Ordering::Relaxed);
        }
    }

    /// Stores the answer in the transaction of the effect.
    pub(crate) fn save(&self, tx: &mut FamilyTx<'_>, status: StatusCode, body: &str) -> Result<()> {
        let Some(held) = &self.0 else { return Ok(()) };
        idempotency::save(tx, &held.claim, status.as_u16(), body)
    }

    /// Ends the claim of a request that was bound and could not finish, so that its retry goes on
    /// at once.
    pub(crate) fn hand_over(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let Some(held) = &self.0 else { return Ok(()) };
        idempotency::hand_over(tx, &held.claim)
    }

    /// The transaction that stored the answer is committed. Without this call the only cost is one
    /// query: a key with an answer can't be released.
    pub(crate) fn committed(&self) {
        if let Some(held) = &self.0 {
            held.keep.store(true, Ordering::Relaxed);
        }
    }
}

impl std::fmt::Debug for ActiveClaim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ActiveClaim").field("claim", &self.claim).finish_non_exhaustive()
    }
}

impl Drop for ActiveClaim {
    fn drop(&mut self) {
        self.renewal.abort();
        // Without a runtime the process is ending; the claim ends by itself.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        if *self.keep.get_mut() {
            return;
        }
        let (store, claim) = (self.store.clone(), self.claim.clone());
        runtime.spawn(async move {
            if let Err(error) = idempotency::let_go(&store, claim).await {
                tracing::warn!(cause = ?error, "an idempotency key is let go only when it ends");
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Option<String> {
        read(&HeaderValue::from_str(text).unwrap())
    }

    #[test]
    fn keys_may_be_quoted() {
        assert_eq!(key("abc-1"), Some("abc-1".to_owned()));
        assert_eq!(key(" \"abc-1\" "), Some("abc-1".to_owned()));
        assert_eq!(key(&"x".repeat(255)).map(|key| key.len()), Some(255));
        for wrong in ["", "\"\"", "\"a", "a\"", "a b", "\"a\"b\"", &"x".repeat(256)] {
            assert_eq!(key(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn parts_of_a_fingerprint_do_not_run_together() {
        let of = |parts: &[&str]| {
            let mut fingerprint = Fingerprint::default();
            parts.iter().for_each(|part| fingerprint.add(part.as_bytes()));
            fingerprint.finish()
        };
        assert_eq!(of(&["a", "b"]), of(&["a", "b"]));
        assert_ne!(of(&["a", "b"]), of(&["ab"]));
        assert_ne!(of(&["a", ""]), of(&["a"]));
    }

    #[test]
    fn restricted_keys_share_answers_only_with_their_like() {
        let [a, b] = [1, 2].map(|number| AccountId(Uuid::from_u128(number)));
        let of = |accounts: Option<&[AccountId]>| of_caller([7; 32], accounts);
        assert_eq!(of(None), [7; 32]);
        assert_eq!(of(Some(&[a, b])), of(Some(&[b, a])));
        assert_ne!(of(Some(&[a])), of(Some(&[b])));
        assert_ne!(of(Some(&[])), of(None));
    }
}
