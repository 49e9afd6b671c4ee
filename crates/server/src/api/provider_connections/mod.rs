//! `/api/v1/provider_connections`: connections to bank-data providers.

mod accounts;
mod fields;
mod plan;
pub(in crate::api) mod view;

use purser_app::connections::{self, ProviderChoice, setup};
use purser_core::error::{Error, Problem};
use purser_core::ids::ConnectionId;
use serde::Serialize;
use tracing::Instrument as _;
use utoipa::ToSchema;

use self::accounts::{ignore, link, list as list_accounts, unlink};
use self::fields::ConnectionFields;
use self::plan::plan;
use self::view::{ConnectionBody, SyncBody};
use crate::http::answer::{Accepted, Answer, Created, Deleted, Json};
use crate::http::body::{Change, New};
use crate::http::call::{AcceptedCall, Call, Create, Delete, List, Opening, Show, Update, commit};
use crate::http::error::{ApiError, ApiResult};
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::table::routes;

routes! { "provider_connections":
    /// List providers
    ///
    /// The providers of bank data that this server has clients for, with what is entered to connect
    /// to each.
    GET "/providers" => list_providers as list_providers;
    /// List provider connections
    ///
    /// The answer has the state of the family's connections to bank-data providers, without
    /// credentials and without answers of providers. A key that is restricted to chosen accounts
    /// sees none, because a connection has accounts beyond them.
    GET "/provider_connections" => list as list_provider_connections;
    /// Create a provider connection
    ///
    /// The key is tried at the provider, and stored encrypted if the provider accepts it; it never
    /// comes back out. A key that is refused is answered with 422 `credentials_rejected`, and 503
    /// if the provider can't be reached. The accounts that were found wait to be linked. A key of
    /// this API that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/provider_connections" => create as create_provider_connection;
    /// Show a provider connection
    ///
    /// An unknown connection and one that the key may not see are answered with 404 `not_found`.
    GET "/provider_connections/{id}" => show as show_provider_connection;
    /// Change a provider connection
    ///
    /// Another key is tried at the provider, as that of a new connection; with it the next sync is
    /// due at once. Members that are missing stay as they are. A key of this API that is restricted
    /// to chosen accounts gets 403 `restricted_key`.
    PATCH PUT "/provider_connections/{id}" => update as update_provider_connection;
    /// Delete a provider connection
    ///
    /// The stored key is removed at once, the rest by a job: until then the connection is listed
    /// with `scheduled_for_deletion`; if the job is given up because of errors on the server,
    /// deleting it again goes on. What it brought into the ledger stays, but for pending
    /// transactions that nobody touched. A key of this API that
    /// is restricted to chosen accounts gets 403 `restricted_key`.
    DELETE "/provider_connections/{id}" => delete as delete_provider_connection;
    /// Sync a provider connection
    ///
    /// A sync is queued, which begins as soon as the provider may be asked. If one is queued or
    /// under way, it is the answer. A key of this API that is restricted to chosen accounts gets
    /// 403 `restricted_key`.
    POST "/provider_connections/{id}/sync" => sync as sync_provider_connection;
    /// Preview a sync of a provider connection
    ///
    /// The provider is asked now, and nothing of what it reports is stored: the answer is what a
    /// sync would change in each linked account, with the reason of each change. 422
    /// `credentials_rejected` if the provider refuses the stored key, 409 `provider_rests` while it
    /// wants to be left alone, and 503 if it can't be reached. What fails for one account alone is
    /// in its `steps`.
    GET "/provider_connections/{id}/plan" => plan as preview_provider_sync;
    /// List accounts at a provider
    ///
    /// The accounts that the provider listed with the stored key, with the accounts of the family
    /// that they are linked to, and the type that each probably has.
    GET "/provider_connections/{id}/accounts" => list_accounts as list_provider_accounts;
    /// Link an account at a provider
    ///
    /// It is linked to an account of the family, or to a new one. An account has one link at most:
    /// 409 `already_linked` and 409 `account_linked`. The next sync is due at once. A key of this
    /// API that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/provider_connections/{id}/accounts/{account}/link" => link
        as link_provider_account;
    /// Unlink an account at a provider
    ///
    /// What came by the link stays, but for pending transactions that nobody touched. The account
    /// waits to be linked again, even if it was ignored. A key of this API that is restricted to
    /// chosen accounts gets 403 `restricted_key`.
    POST "/provider_connections/{id}/accounts/{account}/unlink" => unlink
        as unlink_provider_account;
    /// Ignore an account at a provider
    ///
    /// It is left alone, and needs no setup any more. A link ends. A key of this API that is
    /// restricted to chosen accounts gets 403 `restricted_key`.
    POST "/provider_connections/{id}/accounts/{account}/ignore" => ignore
        as ignore_provider_account;
}

path_id!(ConnectionId, "Provider connection", connections::require);

/// The providers that connections can be made to.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Providers)]
struct ProvidersBody {
    /// The providers, in a fixed order.
    data: Vec<ProviderBody>,
}

/// A provider of bank data.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Provider)]
struct ProviderBody {
    /// The name that a new connection is given.
    #[schema(example = "lunchflow")]
    provider: &'static str,
    /// The kind of the provider.
    #[schema(example = "aggregator")]
    provider_type: &'static str,
    /// The name for people.
    #[schema(example = "Lunch Flow")]
    title: &'static str,
    /// What a person enters as `key`.
    #[schema(example = "API key")]
    entered: &'static str,
    /// Whether what is entered works only once.
    is_entered_once: bool,
}

async fn list_providers(call: List) -> ApiResult<Answer<Json<ProvidersBody>>> {
    let body = |one: ProviderChoice| ProviderBody {
        provider: one.name,
        provider_type: one.provider_type,
        title: one.title,
        entered: one.entered,
        is_entered_once: one.is_entered_once,
    };
    let data = connections::providers().map(body).collect();
    call.respond(|_, _| Json(ProvidersBody { data })).await
}

/// All connections of the family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderConnections)]
struct Connections {
    /// The connections, the newest first.
    data: Vec<ConnectionBody>,
}

async fn list(call: List) -> ApiResult<Answer<Json<Connections>>> {
    let keys = call.app().providers.keys.clone();
    call.read(move |tx, _| {
        let found = connections::list(tx, &keys)?;
        Ok(Json(Connections { data: found.into_iter().map(Into::into).collect() }))
    })
    .await
}

async fn show(call: Show<ConnectionId>) -> ApiResult<Answer<Json<ConnectionBody>>> {
    let keys = call.app().providers.keys.clone();
    call.read(move |tx, sent| Ok(Json(connections::get(tx, &keys, sent.id)?.into()))).await
}

async fn create(
    call: Create<New<ConnectionFields>, Unrestricted>,
) -> ApiResult<Answer<Created<ConnectionBody>>> {
    let opened = match call.open().await? {
        Opening::Proceed(opened) => opened,
        Opening::Answered(answer) => return Ok(answer),
    };
    // A client that goes away must not use up a token that works once.
    tokio::spawn(try_and_create(opened).in_current_span()).await.map_err(ApiError::internal)?
}

async fn try_and_create(
    opened: AcceptedCall<(), (), ConnectionFields>,
) -> ApiResult<Answer<Created<ConnectionBody>>> {
    let AcceptedCall { app, caller, sent, guard } = opened;
    let ConnectionFields { provider, key, name } = sent.body;
    let (Some(provider), Some(key)) = (provider, &key) else {
        let missing = [("provider", provider.is_none()), ("key", key.is_none())];
        let missing = missing.into_iter().filter(|(_, is_missing)| *is_missing);
        return Err(Error::invalid_list(
            "validation_failed",
            missing.map(|(name, _)| Problem::required(name)),
        )
        .into());
    };
    let tried = setup::try_key(&app, caller.access(), provider, key).await?;
    let keys = app.providers.keys.clone();
    let work = move |tx: &mut purser_app::FamilyTx<'_>| {
        let id = setup::create(tx, &keys, &tried, name.as_deref())?;
        Ok(Ok(Created(connections::get(tx, &keys, id)?.into())))
    };
    commit(&app, caller.access(), &guard, work).await?
}

async fn update(
    call: Update<ConnectionId, Change<ConnectionFields>, Unrestricted>,
) -> ApiResult<Answer<Json<ConnectionBody>>> {
    let opened = match call.open().await? {
        Opening::Proceed(opened) => opened,
        Opening::Answered(answer) => return Ok(answer),
    };
    tokio::spawn(try_and_update(opened).in_current_span()).await.map_err(ApiError::internal)?
}

async fn try_and_update(
    opened: AcceptedCall<ConnectionId, (), ConnectionFields>,
) -> ApiResult<Answer<Json<ConnectionBody>>> {
    let AcceptedCall { app, caller, sent, guard } = opened;
    let (id, ConnectionFields { provider, key, name }) = (sent.id, sent.body);
    let (keys, entered) = (app.providers.keys.clone(), key.clone());
    let read = move |tx: &mut purser_app::FamilyTx<'_>| match &entered {
        Some(key) => setup::provider_for_key(tx, &keys, id, key),
        None => setup::provider_of(tx, id),
    };
    let stored = app.store.read(caller.access(), read).await?;
    if provider.is_some_and(|provider| provider != stored) {
        let problem = Problem::field("provider", "can't be changed: create another connection");
        return Err(Error::invalid(problem).into());
    }
    let tried = match key {
        Some(key) => Some(setup::try_key(&app, caller.access(), stored, &key).await?),
        None => None,
    };
    let keys = app.providers.keys.clone();
    let work = move |tx: &mut purser_app::FamilyTx<'_>| {
        if let Some(name) = &name {
            setup::rename(tx, id, name)?;
        }
        if let Some(tried) = &tried {
            setup::change_key(tx, &keys, id, tried)?;
        }
        Ok(Ok(Json(connections::get(tx, &keys, id)?.into())))
    };
    commit(&app, caller.access(), &guard, work).await?
}

async fn delete(call: Delete<ConnectionId, Unrestricted>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| connections::remove(tx, sent.id)).await
}

async fn sync(call: Call<Unrestricted, ConnectionId>) -> ApiResult<Answer<Accepted<SyncBody>>> {
    call.write(|tx, sent| Ok(Accepted(connections::request_sync(tx, sent.id)?.into()))).await
}
