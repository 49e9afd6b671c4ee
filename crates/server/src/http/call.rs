//! The request of a handler: who calls, what the path names, the query and the body, in the one
//! order in which they are judged.
//!
//! [`Call`] is the only argument of a handler, and its type parameters describe the request:
//!
//! ```text
//! async fn update(
//!     call: Call<Unrestricted, TagId, (), Change<TagFields>>,
//! ) -> ApiResult<Answer<Json<TagBody>>> {
//!     call.write(|tx, sent| Ok(Json(tags::update(tx, sent.id, &sent.body)?.into()))).await
//! }
//! ```
//!
//! The order: what the key may do (403), ids in the path (404), then everything that may be wrong
//! with the rest of the request (400, 408, 413, 415, 422). A POST that writes takes an
//! `Idempotency-Key` by itself, and its answer is stored in the transaction of its effect.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, MatchedPath, RawPathParams, Request};
use http::Method;
use jiff::civil::Date;
use purser_app::keys::{self, Scope};
use purser_app::labels::{self, LabelRemoval};
use purser_app::{Access, FamilyTx, calendar};
use purser_core::error::Result;

use super::answer::{Answer, Deleted, Reply};
use super::body::RequestBody;
use super::caller::{Caller, Reader, Writer};
use super::describe::{Description, Input};
use super::error::{ApiError, ApiResult};
use super::idempotency::{self, ClaimOutcome, Fingerprint, Guard, IdempotencyKey};
use super::openapi::{BodyErrors, ConflictError, InvalidError, NotFoundError};
use super::pagination::QueryParams;
use super::path::{PathId, PathParams};
use super::permit::Permit;
use super::query::Query;
use super::unread::Unread;
use crate::state::AppState;

/// The request of a handler: the permit that it needs, the ids in its path, its query, its body.
pub(crate) struct Call<P = Reader, I = (), Q = (), B = ()> {
    app: AppState,
    permit: P,
    id: Result<I>,
    query: ApiResult<Q>,
    key: ApiResult<IdempotencyKey>,
    route: String,
    path: String,
    body: Unread,
    body_type: PhantomData<fn() -> B>,
}

/// A list: `GET /tags?…`
pub(crate) type List<Q = ()> = Call<Reader, (), Q>;
/// One thing: `GET /tags/{id}`
pub(crate) type Show<I> = Call<Reader, I>;
/// Creates something: `POST /tags`
pub(crate) type Create<B, P = Writer> = Call<P, (), (), B>;
/// Changes something: `PATCH` and `PUT /tags/{id}`
pub(crate) type Update<I, B, P = Writer> = Call<P, I, (), B>;
/// Deletes something: `DELETE /tags/{id}`
pub(crate) type Delete<I, P = Writer> = Call<P, I>;

/// What was sent, once all of it is judged.
pub(crate) struct Sent<I, Q, T> {
    /// What the path names.
    pub(crate) id: I,
    /// The parameters of the query, checked.
    pub(crate) query: Q,
    /// The members of the body, checked.
    pub(crate) body: T,
}

/// A request that was read whole, with its claim on the idempotency key: for handlers that need
/// more than one transaction.
pub(crate) struct AcceptedCall<I, Q, T> {
    /// The state that all handlers share.
    pub(crate) app: AppState,
    /// The authenticated sender of the request.
    pub(crate) caller: Arc<Caller>,
    /// The path, the query and the body.
    pub(crate) sent: Sent<I, Q, T>,
    /// The claim on the idempotency key.
    pub(crate) guard: Guard,
}

/// The result of opening a request.
pub(crate) enum Opening<I, Q, T, R> {
    /// The work is still to be done.
    Proceed(AcceptedCall<I, Q, T>),
    /// An earlier request with the same key did the work and got this answer.
    Answered(Answer<R>),
}

impl<P: Permit, I: PathParams, Q: Query, B: RequestBody> FromRequest<AppState>
    for Call<P, I, Q, B>
{
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> ApiResult<Self> {
        let (mut parts, body) = request.into_parts();
        let permit = P::from_request_parts(&mut parts, app).await?;
        let params = RawPathParams::from_request_parts(&mut parts, app).await;
        let params = params.ok();
        let id = I::read(params.as_ref());
        let query = QueryParams::parse(&parts.uri)
            .and_then(|params| Q::read(&params).map_err(ApiError::from));
        let key = match parts.method {
            Method::POST => IdempotencyKey::from_request_parts(&mut parts, app).await,
            _ => Ok(IdempotencyKey::NONE),
        };
        let template = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
        let template = template.strip_prefix(super::table::PREFIX).unwrap_or(template);
        let route = format!("{} {template}", parts.method);
        let path = params.iter().flat_map(RawPathParams::iter).map(|(_, value)| value);
        let path = path.collect::<Vec<_>>().join("/");
        let body = Unread::from_request(Request::from_parts(parts, body), app).await;
        let Ok(body) = body;
        let body_type = PhantomData;
        Ok(Self { app: app.clone(), permit, id, query, key, route, path, body, body_type })
    }
}

impl<P: Permit> Call<P> {
    /// Answers from what the process knows, without a transaction.
    pub(crate) async fn respond<R: Reply>(
        self,
        work: impl FnOnce(&AppState, &Caller) -> R,
    ) -> ApiResult<Answer<R>> {
        let (app, permit, ..) = self.judge().await?;
        let (status, body) = written(&work(&app, permit.caller()))?;
        Ok(Answer::written(status, body))
    }
}

impl<P: Permit, I: PathParams, Q: Query, B: RequestBody> Call<P, I, Q, B> {
    /// The shared state, for what isn't in the database.
    pub(crate) fn app(&self) -> &AppState {
        &self.app
    }

    /// The sender of the request.
    pub(crate) fn caller(&self) -> &Caller {
        self.permit.caller()
    }

    /// Answers from one snapshot of the family's data.
    pub(crate) async fn read<R, F>(self, work: F) -> ApiResult<Answer<R>>
    where
        R: Reply,
        F: FnOnce(&mut FamilyTx<'_>, Sent<I, Q, B::Output>) -> Result<R> + Send + 'static,
    {
        let (app, permit, sent, _) = self.judge().await?;
        let work = move |tx: &mut FamilyTx<'_>| written(&work(tx, sent)?);
        let (status, body) = app.store.read(permit.caller().access(), work).await?;
        Ok(Answer::written(status, body))
    }

    /// As [`Call::read`], for what may take long to compute: only so many run at a time.
    pub(crate) async fn compute<R, F>(self, work: F) -> ApiResult<Answer<R>>
    where
        R: Reply,
        F: FnOnce(&mut FamilyTx<'_>, Sent<I, Q, B::Output>) -> Result<R> + Send + 'static,
    {
        let (app, permit, sent, _) = self.judge().await?;
        let work = move |tx: &mut FamilyTx<'_>| written(&work(tx, sent)?);
        let (status, body) = app.compute(permit.caller().access(), work).await?;
        Ok(Answer::written(status, body))
    }

    /// Changes the family's data in one transaction, which may run several times until it
    /// succeeds, and answers with what it made.
    pub(crate) async fn write<R, F>(self, mut work: F) -> ApiResult<Answer<R>>
    where
        R: Reply,
        F: FnMut(&mut FamilyTx<'_>, &Sent<I, Q, B::Output>) -> Result<R> + Send + 'static,
    {
        let AcceptedCall { app, caller, sent, guard } = match self.open().await? {
            Opening::Proceed(opened) => opened,
            Opening::Answered(answer) => return Ok(answer),
        };
        let work = move |tx: &mut FamilyTx<'_>| work(tx, &sent).map(Ok);
        commit(&app, caller.access(), &guard, work).await?
    }

    /// As [`Call::write`], for what is deleted by the id in the path.
    pub(crate) async fn delete<F>(self, mut remove: F) -> ApiResult<Answer<Deleted>>
    where
        I: PathId,
        F: FnMut(&mut FamilyTx<'_>, &Sent<I, Q, B::Output>) -> Result<()> + Send + 'static,
    {
        self.write(move |tx, sent| remove(tx, sent).map(|()| Deleted(I::NOUN))).await
    }

    /// As [`Call::write`], with work between reading the body and the transaction: what takes long
    /// and must not hold up other writers.
    pub(crate) async fn write_prepared<T, R, G, F>(
        self,
        prepare: G,
        mut work: F,
    ) -> ApiResult<Answer<R>>
    where
        T: Send + Sync + 'static,
        R: Reply,
        G: AsyncFnOnce(&AppState, Access, B::Output) -> ApiResult<T>,
        F: FnMut(&mut FamilyTx<'_>, &T) -> Result<R> + Send + 'static,
    {
        let AcceptedCall { app, caller, sent, guard } = match self.open().await? {
            Opening::Proceed(opened) => opened,
            Opening::Answered(answer) => return Ok(answer),
        };
        let prepared = prepare(&app, caller.access(), sent.body).await?;
        let work = move |tx: &mut FamilyTx<'_>| work(tx, &prepared).map(Ok);
        commit(&app, caller.access(), &guard, work).await?
    }

    /// As [`Call::write`], for the removal of a label. What is too much for one commit is done in
    /// others before.
    pub(crate) async fn remove_label<R, G, F>(self, removal: G, mut work: F) -> ApiResult<Answer<R>>
    where
        R: Reply,
        G: FnOnce(&Sent<I, Q, B::Output>) -> LabelRemoval,
        F: FnMut(&mut FamilyTx<'_>, &Sent<I, Q, B::Output>) -> Result<R> + Send + 'static,
    {
        let AcceptedCall { app, caller, sent, guard } = match self.open().await? {
            Opening::Proceed(opened) => opened,
            Opening::Answered(answer) => return Ok(answer),
        };
        labels::take_most(&app.store, caller.access(), removal(&sent)).await?;
        let work = move |tx: &mut FamilyTx<'_>| work(tx, &sent).map(Ok);
        commit(&app, caller.access(), &guard, work).await?
    }

    /// Judges the request, for work that isn't one transaction and that no idempotency key makes
    /// safe to repeat.
    pub(crate) async fn judged(self) -> ApiResult<(AppState, Arc<Caller>, Sent<I, Q, B::Output>)> {
        let (app, permit, sent, _) = self.judge().await?;
        Ok((app, permit.shared(), sent))
    }

    /// Judges the request and claims its idempotency key, for work with several transactions.
    pub(crate) async fn open<R: Reply>(self) -> ApiResult<Opening<I, Q, B::Output, R>> {
        let (route, path) = (self.route.clone(), self.path.clone());
        let (app, permit, sent, mut request) = self.judge().await?;
        request.fingerprint.add(path.as_bytes());
        let caller = permit.caller();
        let fingerprint = request.fingerprint.finish();
        let begun = idempotency::begin(&app, caller, &route, &request.key, fingerprint).await?;
        Ok(match begun {
            ClaimOutcome::Proceed(guard) => {
                let caller = permit.shared();
                Opening::Proceed(AcceptedCall { app, caller, sent, guard })
            }
            ClaimOutcome::Answer(response) => Opening::Answered(Answer::of(response)),
        })
    }

    /// Reads the body. What the path names must exist before anything else may be refused, so it
    /// is looked up where there is something to refuse; else the use case finds it missing.
    async fn judge(self) -> ApiResult<(AppState, P, Sent<I, Q, B::Output>, Identity)> {
        let Self { app, permit, id, query, key, body, .. } = self;
        let mut fingerprint = Fingerprint::default();
        let rest = async {
            let (query, key) = (query?, key?);
            let body = B::read(body, &app, permit.caller(), &mut fingerprint).await?;
            Ok((query, key, body))
        };
        let rest = rest.await;
        // A malformed id is refused after the body was read, like an id that nothing has: otherwise
        // whether the connection stays open would distinguish them.
        let id = id?;
        match rest {
            Ok((query, key, body)) => {
                let sent = Sent { id, query, body };
                Ok((app, permit, sent, Identity { key, fingerprint }))
            }
            Err(error) => {
                let access = permit.caller().access();
                app.store.read(access, move |tx| id.require(tx)).await?;
                Err(error)
            }
        }
    }
}

/// The transaction that has the effect of a request and stores its answer. An inner error refuses
/// the request; its idempotency key is let go. Whoever isn't a caller any more, because the API key
/// was revoked while the request came in and waited, has no effect.
pub(crate) async fn commit<R, F>(
    app: &AppState,
    access: Access,
    guard: &Guard,
    mut work: F,
) -> Result<ApiResult<Answer<R>>>
where
    R: Reply,
    F: FnMut(&mut FamilyTx<'_>) -> Result<ApiResult<R>> + Send + 'static,
{
    let saving = guard.clone();
    let work = move |tx: &mut FamilyTx<'_>| {
        let (status, body) = match work(tx)? {
            Ok(reply) => written(&reply)?,
            Err(refused) => return Ok(Err(refused)),
        };
        saving.save(tx, status, body.as_deref().unwrap_or_default())?;
        Ok(Ok((status, body)))
    };
    let done = match app.store.write(access, work).await {
        Err(error) if error.code() == keys::UNAUTHORIZED => return Ok(Err(error.into())),
        done => done?,
    };
    if done.is_ok() {
        guard.committed();
    }
    Ok(done.map(|(status, body)| Answer::written(status, body)))
}

/// The day that it is for the family.
pub(crate) async fn today(app: &AppState, access: Access) -> Result<Date> {
    app.store.read(access, calendar::today).await
}

/// What makes two requests the same one.
struct Identity {
    key: IdempotencyKey,
    fingerprint: Fingerprint,
}

fn written<R: Reply>(reply: &R) -> Result<(http::StatusCode, Option<String>)> {
    Ok((reply.status(), reply.body()?))
}

impl<P: Permit, I: PathParams, Q: Query, B: RequestBody> Input for Call<P, I, Q, B> {
    fn describe(operation: &mut Description) {
        if I::describe(operation) {
            operation.errors::<NotFoundError>();
        }
        if Q::describe(operation) {
            operation.errors::<InvalidError>();
        }
        if P::WRITES {
            operation.scope(Scope::ReadWrite);
            operation.errors::<ConflictError>();
        }
        let body = B::describe(operation.components);
        if body.is_some() {
            operation.errors::<BodyErrors>();
        }
        operation.body(body);
        if operation.is_post() && P::WRITES {
            operation.errors::<BodyErrors>();
            operation.takes_idempotency_key();
        }
    }
}
