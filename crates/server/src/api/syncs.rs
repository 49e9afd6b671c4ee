//! `/api/v1/sync` and `/api/v1/syncs`: runs that retrieve data from providers.

use purser_app::audit::Actor;
use purser_app::sync::revert::{self, UndoOutcome};
use purser_app::syncs::{self, Sync};
use purser_app::{FamilyTx, connections, families, sync};
use purser_core::error::Result;
use purser_core::ids::SyncId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::provider_connections::view::SyncErrorBody;
use super::sync_changes::ChangesBody;
use super::sync_outcome::Outcomes;
use crate::http::answer::{Accepted, Answer, Json, Or};
use crate::http::body::Nothing;
use crate::http::call::{Call, Create, List, Show};
use crate::http::error::ApiResult;
use crate::http::named::{RevertStatusName, SyncStatusName};
use crate::http::openapi::ConflictError;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::Paged;
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "syncs":
    /// Sync everything
    ///
    /// A sync of each provider connection is queued, unless one is queued or under way. The sync of
    /// the family is completed with that; those of the connections are beside it in the list. The
    /// latest 500 are kept. A key that is restricted to
    /// chosen accounts gets 403 `restricted_key`.
    POST "/sync" => request as request_sync;
    /// List syncs
    ///
    /// The newest come first. A key that is restricted to chosen accounts sees none, because a sync
    /// is of accounts beyond them.
    GET "/syncs" => list as list_syncs;
    /// Show the latest sync
    ///
    /// `data` is null if there is none. `changes` has what it changed in each account.
    GET "/syncs/latest" => latest as show_latest_sync;
    /// Show a sync
    ///
    /// `changes` has what it changed in each account. An unknown sync and one that the key may not
    /// see are answered with 404 `not_found`.
    GET "/syncs/{id}" => show as show_sync;
    /// List what came of a sync
    ///
    /// One row for each account of a provider connection and each thing that was asked for about
    /// it. A sync of the whole family has none.
    GET "/syncs/{id}/outcomes" => outcomes as list_sync_outcomes;
    /// Preview the undo of a sync
    ///
    /// The answer is what an undo would do now; of one that is under way, what is left to do. 409
    /// `sync_not_newest` if a later sync has changed one of the accounts, too.
    GET "/syncs/{id}/revert" => preview_revert as preview_sync_revert;
    /// Undo a sync
    ///
    /// Transactions that the sync added go, unless somebody has changed them since, and what it
    /// changed is as before; the bank reports the same again to the next sync. 409
    /// `sync_not_ended` while it is under way, and 409 `sync_not_newest` if a later sync has
    /// changed one of the accounts, too. A second undo does nothing. A key that is restricted to
    /// chosen accounts gets 403 `restricted_key`.
    ///
    /// A large one (`PURSER_PUBLISH_PART_ROWS`) is done in the background: its `status` is
    /// `reverting`, and `changes` of the sync show its end. Accounts show meanwhile what is left.
    /// Its connection is not synced before the end, and another sync of the connection that is
    /// under way refuses it with 409 `sync_not_ended`. One that was given up is `failed`; undone
    /// again it goes on.
    POST "/syncs/{id}/revert" => undo as revert_sync;
}

path_id!(SyncId, "Sync", |tx: &mut FamilyTx<'_>, id| syncs::get(tx, id));

/// What a sync retrieves data for.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = SyncableType)]
enum SyncableType {
    Family,
    ProviderConnection,
}

/// Who requested a sync.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncRequester)]
struct RequesterBody {
    /// The kind of the requester: an API key, a user on the pages, the command line of the server,
    /// or the server itself.
    #[serde(rename = "type")]
    requester_type: RequesterType,
    /// The id of the key or the user; null for the others.
    #[schema(required)]
    id: Option<Uuid>,
}

/// The kind of a requester.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = SyncRequesterType)]
#[serde(rename_all = "snake_case")]
enum RequesterType {
    Key,
    User,
    CommandLine,
    Server,
}

/// A run that retrieves data from providers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Sync)]
struct SyncBody {
    /// The id of the sync.
    id: Uuid,
    /// The status of the sync.
    status: SyncStatusName,
    /// What it retrieves data for.
    syncable_type: SyncableType,
    /// The id of the family or of the provider connection.
    syncable_id: Uuid,
    /// Who requested the sync.
    requested_by: RequesterBody,
    /// The first day that it is limited to. It is always null.
    #[schema(required)]
    window_start_date: Option<String>,
    /// The last day that it is limited to. It is always null.
    #[schema(required)]
    window_end_date: Option<String>,
    /// The time at which it began; null before it begins.
    #[schema(required)]
    syncing_at: Option<Time>,
    /// The time at which it was completed; null if it was not.
    #[schema(required)]
    completed_at: Option<Time>,
    /// The time at which it failed; null if it did not.
    #[schema(required)]
    failed_at: Option<Time>,
    /// The reason why it failed; null if it did not.
    #[schema(required)]
    error: Option<SyncErrorBody>,
    /// The time at which it was requested.
    created_at: Time,
    /// The time of the latest change of its status.
    updated_at: Time,
}

/// A sync that was requested. Some clients refuse members that they don't know, so there are no
/// others than these.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RequestedSync)]
struct RequestedBody {
    /// The id of the sync.
    id: Uuid,
    /// The status of the sync.
    status: SyncStatusName,
    /// What it retrieves data for.
    syncable_type: SyncableType,
    /// The id of the family.
    syncable_id: Uuid,
    /// The time at which it began; null before it begins.
    #[schema(required)]
    syncing_at: Option<Time>,
    /// The time at which it was completed; null if it was not.
    #[schema(required)]
    completed_at: Option<Time>,
    /// The first day that it is limited to. It is always null.
    #[schema(required)]
    window_start_date: Option<String>,
    /// The last day that it is limited to. It is always null.
    #[schema(required)]
    window_end_date: Option<String>,
    /// The state of the sync as a sentence.
    message: String,
}

/// A page of syncs.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncPage)]
struct Page {
    /// The syncs of the page, the newest first.
    data: Vec<SyncBody>,
    /// The position of the page in the list.
    meta: Pagination,
}

/// A sync with everything that it changed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncWithChanges)]
struct WholeBody {
    #[serde(flatten)]
    sync: SyncBody,
    /// What it changed in accounts of the family; empty for a sync of the whole family.
    changes: Vec<ChangesBody>,
}

/// A sync, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncDetail)]
struct Detail {
    /// The sync that was requested.
    data: WholeBody,
}

/// The latest sync, below `data`.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LatestSync)]
struct Latest {
    /// The sync; null if there is none.
    #[schema(required)]
    data: Option<WholeBody>,
}

impl From<Actor> for RequesterBody {
    fn from(actor: Actor) -> Self {
        let (requester_type, id) = match actor {
            Actor::Key(key) => (RequesterType::Key, Some(key.0)),
            Actor::User(user) => (RequesterType::User, Some(user.0)),
            Actor::CommandLine => (RequesterType::CommandLine, None),
            Actor::Import(_) | Actor::System => (RequesterType::Server, None),
        };
        Self { requester_type, id }
    }
}

impl SyncBody {
    /// A run of the family with this id, or of one of its connections.
    fn new(run: Sync, family: Uuid) -> Self {
        let (syncable_type, syncable_id) = match run.connection {
            Some(connection) => (SyncableType::ProviderConnection, connection.0),
            None => (SyncableType::Family, family),
        };
        let updated_at = run.updated_at().into();
        Self {
            id: run.id.0,
            status: run.status.into(),
            syncable_type,
            syncable_id,
            requested_by: run.actor.into(),
            window_start_date: None,
            window_end_date: None,
            syncing_at: run.syncing_at.map(Time),
            completed_at: run.completed_at.map(Time),
            failed_at: run.failed_at.map(Time),
            error: run.error.map(Into::into),
            created_at: run.created_at.into(),
            updated_at,
        }
    }
}

/// What an undo of a sync does, or has done.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = SyncRevert)]
struct RevertBody {
    /// The number of transactions that go.
    removed_count: u64,
    /// The number of changes that are taken back.
    restored_count: u64,
    /// The number of transactions and balances that stay because somebody has changed them since.
    kept_count: u64,
    /// How far the undo is; null if nobody undid the sync.
    #[schema(required)]
    status: Option<RevertStatusName>,
}

impl RevertBody {
    fn of(tx: &mut FamilyTx<'_>, sync: SyncId, outcome: &UndoOutcome) -> Result<Self> {
        Ok(Self {
            removed_count: outcome.removed,
            restored_count: outcome.restored,
            kept_count: outcome.kept,
            status: revert::status(tx, sync)?.map(Into::into),
        })
    }
}

impl WholeBody {
    fn of(tx: &mut FamilyTx<'_>, run: Sync) -> Result<Self> {
        let changes = sync::changes_of(tx, run.id)?.into_iter().map(Into::into).collect();
        Ok(Self { sync: SyncBody::new(run, family_id(tx)?), changes })
    }
}

fn family_id(tx: &mut FamilyTx<'_>) -> Result<Uuid> {
    families::get(tx).map(|family| family.public_id)
}

async fn request(
    call: Create<Nothing, Unrestricted>,
) -> ApiResult<Answer<Accepted<RequestedBody>>> {
    call.write(|tx, _| {
        let (run, requested) = connections::request_all(tx)?;
        let message = match requested {
            0 => "The sync is completed: no provider is connected.".to_owned(),
            1 => "A sync of one provider connection is queued.".to_owned(),
            more => format!("Syncs of {more} provider connections are queued."),
        };
        Ok(Accepted(RequestedBody {
            id: run.id.0,
            status: run.status.into(),
            syncable_type: SyncableType::Family,
            syncable_id: family_id(tx)?,
            syncing_at: run.syncing_at.map(Time),
            completed_at: run.completed_at.map(Time),
            window_start_date: None,
            window_end_date: None,
            message,
        }))
    })
    .await
}

async fn list(call: List<Paged>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let page = sent.query.page;
        let (found, total) = syncs::list(tx, page.limit(), page.offset())?;
        let family = family_id(tx)?;
        let data = found.into_iter().map(|run| SyncBody::new(run, family)).collect();
        Ok(Json(Page { data, meta: Pagination::new(page, total) }))
    })
    .await
}

async fn latest(call: List) -> ApiResult<Answer<Json<Latest>>> {
    call.read(|tx, _| {
        let latest = syncs::latest(tx)?;
        Ok(Json(Latest { data: latest.map(|run| WholeBody::of(tx, run)).transpose()? }))
    })
    .await
}

async fn show(call: Show<SyncId>) -> ApiResult<Answer<Json<Detail>>> {
    call.read(|tx, sent| {
        let run = syncs::get(tx, sent.id)?;
        Ok(Json(Detail { data: WholeBody::of(tx, run)? }))
    })
    .await
}

async fn outcomes(call: Show<SyncId>) -> ApiResult<Answer<Json<Outcomes>>> {
    call.read(|tx, sent| {
        syncs::get(tx, sent.id)?;
        let found = syncs::outcomes(tx, sent.id)?;
        Ok(Json(Outcomes { data: found.into_iter().map(Into::into).collect() }))
    })
    .await
}

async fn preview_revert(
    call: Show<SyncId>,
) -> ApiResult<Answer<Or<Json<RevertBody>, ConflictError>>> {
    call.read(|tx, sent| {
        syncs::get(tx, sent.id)?;
        let outcome = revert::preview(tx, sent.id)?;
        Ok(Json(RevertBody::of(tx, sent.id, &outcome)?).into())
    })
    .await
}

async fn undo(
    call: Call<Unrestricted, SyncId, (), Nothing>,
) -> ApiResult<Answer<Json<RevertBody>>> {
    let part_rows = call.app().imports.publish_part_rows;
    call.write(move |tx, sent| {
        let outcome = revert::revert(tx, sent.id, part_rows)?;
        Ok(Json(RevertBody::of(tx, sent.id, &outcome)?))
    })
    .await
}
