//! Answers about provider connections. Errors are fixed sentences, one for each code.

use purser_app::connections::ConnectionState;
use purser_app::syncs::Sync;
use purser_core::connection::{ConnectionStatus, SyncErrorCode};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::{ConnectionStatusName, SyncErrorCodeName, SyncStatusName};
use crate::http::time::Time;

/// A connection to a bank-data provider.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderConnection)]
pub(super) struct ConnectionBody {
    /// The id of the connection.
    id: Uuid,
    /// The name of the provider.
    #[schema(example = "lunchflow")]
    provider: String,
    /// The kind of the provider.
    #[schema(example = "aggregator")]
    provider_type: String,
    /// The name that the family gave it.
    name: String,
    /// Whether the connection works.
    status: ConnectionStatusName,
    /// Whether a person must renew the consent or the key.
    requires_update: bool,
    /// Whether a key is stored that the server can decrypt.
    credentials_configured: bool,
    /// Whether it will be deleted; it is listed until it is.
    scheduled_for_deletion: bool,
    /// Whether an account that was found is neither linked nor ignored.
    pending_account_setup: bool,
    /// The bank behind it.
    institution: InstitutionBody,
    /// The numbers of the accounts that were found at the provider.
    accounts: AccountCounts,
    /// The state of the connection's syncs.
    sync: SyncState,
    /// What is wrong with the connection as a whole, in fixed sentences with the names of banks.
    notices: Vec<String>,
    /// The time at which the bank's consent ends; null if it is unknown.
    #[schema(required)]
    consent_expires_at: Option<Time>,
    /// The time at which it was created.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The bank behind a connection.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderInstitution)]
struct InstitutionBody {
    /// The name of the bank, else its domain, else the name of the connection.
    name: String,
    /// The domain of its website; null if it is unknown.
    #[schema(required)]
    domain: Option<String>,
    /// The address of its website; null if it is unknown.
    #[schema(required)]
    url: Option<String>,
}

/// The accounts that were found at the provider.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderAccountCounts)]
struct AccountCounts {
    /// The number of accounts.
    total_count: u64,
    /// The number of those that are linked to accounts of the family.
    linked_count: u64,
    /// The number of those that aren't linked.
    unlinked_count: u64,
}

/// The state of the syncs of a connection.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderSync)]
struct SyncState {
    /// Whether a sync is queued or under way.
    syncing: bool,
    /// The numbers of accounts that are synced, have failed, are incomplete, wait for their first
    /// sync or need to be set up, as a text.
    #[schema(example = "2 synced, 1 need setup")]
    status_summary: String,
    /// The time at which a sync was completed last; null before the first.
    #[schema(required)]
    last_synced_at: Option<Time>,
    /// The time for which the next sync is planned; null if none is.
    #[schema(required)]
    next_attempt_at: Option<Time>,
    /// The latest sync; null before the first.
    #[schema(required)]
    latest: Option<SyncBody>,
}

/// A sync of a connection.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderSyncRun)]
pub(super) struct SyncBody {
    /// The id of the sync.
    id: Uuid,
    /// The status of the sync.
    status: SyncStatusName,
    /// The time at which it was queued.
    created_at: Time,
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
}

/// The reason why a sync failed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderSyncError)]
pub(in crate::api) struct SyncErrorBody {
    /// Whether there is an error. It is always `true`.
    present: bool,
    /// A fixed sentence for the reason. It never contains the answer of the provider.
    message: &'static str,
    /// The code of the reason.
    code: SyncErrorCodeName,
}

impl From<SyncErrorCode> for SyncErrorBody {
    fn from(code: SyncErrorCode) -> Self {
        Self { present: true, message: code.sentence(), code: code.published().into() }
    }
}

impl From<Sync> for SyncBody {
    fn from(run: Sync) -> Self {
        Self {
            id: run.id.0,
            status: run.status.into(),
            created_at: run.created_at.into(),
            syncing_at: run.syncing_at.map(Time),
            completed_at: run.completed_at.map(Time),
            failed_at: run.failed_at.map(Time),
            error: run.error.map(Into::into),
        }
    }
}

impl From<ConnectionState> for ConnectionBody {
    fn from(state: ConnectionState) -> Self {
        let requires_update = state.requires_update();
        let status = match requires_update {
            true => ConnectionStatus::RequiresUpdate,
            false => ConnectionStatus::Good,
        };
        let ConnectionState { connection, is_key_readable, .. } = state;
        let coverage = connection.coverage;
        let institution = connection.institution;
        let name = institution.name.or_else(|| institution.domain.clone());
        let syncing = connection.latest.as_ref().is_some_and(|run| run.status.is_running());
        Self {
            id: connection.id.0,
            provider: connection.provider,
            provider_type: connection.provider_type,
            status: status.into(),
            requires_update,
            credentials_configured: is_key_readable,
            scheduled_for_deletion: connection.scheduled_for_deletion,
            pending_account_setup: coverage.undecided() > 0,
            institution: InstitutionBody {
                name: name.unwrap_or_else(|| connection.name.clone()),
                domain: institution.domain,
                url: institution.url,
            },
            name: connection.name,
            accounts: AccountCounts {
                total_count: coverage.total,
                linked_count: coverage.linked,
                unlinked_count: coverage.unlinked(),
            },
            sync: SyncState {
                syncing,
                status_summary: coverage.summary(),
                last_synced_at: connection.last_synced_at.map(Time),
                next_attempt_at: connection.next_attempt_at.map(Time),
                latest: connection.latest.map(Into::into),
            },
            notices: connection.notices,
            consent_expires_at: connection.consent_expires_at.map(Time),
            created_at: connection.created_at.into(),
            updated_at: connection.updated_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use purser_app::audit::Actor;
    use purser_app::connections::{Connection, Institution};
    use purser_core::connection::{Coverage, SyncStatus};
    use purser_core::ids::{ConnectionId, SyncId};
    use serde_json::json;

    use super::*;

    fn state(connection: Connection) -> ConnectionState {
        ConnectionState { connection, is_key_readable: true, is_deletion_given_up: false }
    }

    fn connection() -> Connection {
        Connection {
            id: ConnectionId(Uuid::from_u128(1)),
            provider: "lunchflow".into(),
            provider_type: "aggregator".into(),
            name: "My banks".into(),
            status: ConnectionStatus::Good,
            credentials: Some(vec![1]),
            scheduled_for_deletion: false,
            institution: Institution::default(),
            consent_expires_at: None,
            next_attempt_at: None,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            notices: vec!["The bank is slow.".to_owned()],
            coverage: Coverage {
                total: 3,
                linked: 2,
                covered: 2,
                synced_once: true,
                ..Coverage::default()
            },
            latest: None,
            last_synced_at: None,
        }
    }

    #[test]
    fn a_connection_has_every_field() {
        let run = Sync {
            id: SyncId(Uuid::from_u128(2)),
            connection: Some(ConnectionId(Uuid::from_u128(1))),
            actor: Actor::System,
            status: SyncStatus::Failed,
            error: Some(SyncErrorCode::RateLimited),
            created_at: Timestamp::UNIX_EPOCH,
            syncing_at: Some(Timestamp::UNIX_EPOCH),
            completed_at: None,
            failed_at: Some(Timestamp::UNIX_EPOCH),
            accounts_failed: 0,
            accounts_synced: 0,
        };
        let connection = Connection { latest: Some(run), ..connection() };
        let body = ConnectionBody::from(state(connection));
        let epoch = "1970-01-01T00:00:00.000Z";
        assert_eq!(
            serde_json::to_value(body).unwrap(),
            json!({
                "id": "00000000-0000-0000-0000-000000000001",
                "provider": "lunchflow",
                "provider_type": "aggregator",
                "name": "My banks",
                "status": "good",
                "requires_update": false,
                "credentials_configured": true,
                "scheduled_for_deletion": false,
                "pending_account_setup": true,
                "institution": { "name": "My banks", "domain": null, "url": null },
                "accounts": { "total_count": 3, "linked_count": 2, "unlinked_count": 1 },
                "sync": {
                    "syncing": false,
                    "status_summary": "2 synced, 1 need setup",
                    "last_synced_at": null,
                    "next_attempt_at": null,
                    "latest": {
                        "id": "00000000-0000-0000-0000-000000000002",
                        "status": "failed",
                        "created_at": epoch,
                        "syncing_at": epoch,
                        "completed_at": null,
                        "failed_at": epoch,
                        "error": {
                            "present": true,
                            "message": SyncErrorCode::RateLimited.sentence(),
                            "code": "rate_limited",
                        },
                    },
                },
                "notices": ["The bank is slow."],
                "consent_expires_at": null,
                "created_at": epoch,
                "updated_at": epoch,
            })
        );
    }

    #[test]
    fn the_institution_is_named_by_what_is_known() {
        let named = |name: Option<&str>, domain: Option<&str>| {
            let institution = Institution {
                name: name.map(str::to_owned),
                domain: domain.map(str::to_owned),
                url: None,
            };
            ConnectionBody::from(state(Connection { institution, ..connection() })).institution.name
        };
        assert_eq!(named(Some("Bank"), Some("bank.example")), "Bank");
        assert_eq!(named(None, Some("bank.example")), "bank.example");
        assert_eq!(named(None, None), "My banks");
    }

    #[test]
    fn a_key_that_cannot_be_decrypted_needs_a_person() {
        let unreadable = ConnectionState { is_key_readable: false, ..state(connection()) };
        let body = serde_json::to_value(ConnectionBody::from(unreadable.clone())).unwrap();
        assert_eq!(body["credentials_configured"], false);
        assert_eq!(
            (&body["status"], &body["requires_update"]),
            (&json!("requires_update"), &json!(true))
        );
        let mut leaving = unreadable;
        leaving.connection.scheduled_for_deletion = true;
        let body = serde_json::to_value(ConnectionBody::from(leaving)).unwrap();
        assert_eq!(body["requires_update"], false, "its key is gone on purpose");
    }
}
