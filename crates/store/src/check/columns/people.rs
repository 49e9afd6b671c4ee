//! The columns of families, of people, and of what they reach the program with.

use purser_core::family;
use purser_core::transfers::Matching;

use super::values::{
    BYTES, COUNT, CURRENCY, DECIMAL, HASH, JSON, NAME, NUMBER, TEXT, TIME_ZONE, is_as_read,
};
use super::{Domain, Table};
use crate::jobs::State;
use crate::keys::Scope;
use crate::users::{self, Role};

const EMAIL: Domain = Domain::Text("an e-mail address in lower case", users::is_sign_in_name);

const ACTOR_KIND: Domain = Domain::Text("the kind of an actor", |text| {
    ["key", "user", "cli", "import", "system"].contains(&text)
});

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "installation",
        key: &["id"],
        columns: &[("id", Domain::Id), ("last_family", COUNT)],
    },
    Table {
        name: "families",
        key: &["id"],
        columns: &[
            ("id", Domain::Number(1, i64::MAX)),
            ("public_id", Domain::Id),
            ("name", NAME),
            ("currency", CURRENCY),
            ("time_zone", TIME_ZONE),
            ("version", COUNT),
            ("created_at", Domain::Time),
            ("transfer_matching", Domain::named::<Matching>()),
            ("updated_at", Domain::Time),
            ("month_start_day", Domain::Number(1, family::MONTH_START_DAY_MAX as i64)),
            (
                "locale",
                Domain::Text("the name of a language", |text| is_as_read(text, family::locale)),
            ),
            (
                "date_format",
                Domain::Text("a pattern for a whole date", |text| {
                    is_as_read(text, family::date_format)
                }),
            ),
            (
                "country",
                Domain::Text("a code of ISO 3166", |text| is_as_read(text, family::country)),
            ),
            ("deletion_at", Domain::Time),
        ],
    },
    Table {
        name: "users",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("email", EMAIL),
            ("name", NAME),
            ("role", Domain::Text("admin or member", |text| Role::parse(text).is_some())),
            ("password_hash", Domain::Secret("a hash", |text| !text.is_empty())),
            ("deactivated_at", Domain::Time),
            ("created_at", Domain::Time),
            ("deletion_at", Domain::Time),
        ],
    },
    Table {
        name: "sign_in_names",
        key: &["email"],
        columns: &[
            ("email", EMAIL),
            ("family_id", Domain::Family),
            ("user_id", Domain::CheckedBy("directories")),
        ],
    },
    Table {
        name: "sessions",
        key: &["user_id"],
        columns: &[
            ("hash", HASH),
            ("family_id", Domain::Family),
            ("user_id", Domain::CheckedBy("directories")),
            ("form_token", Domain::Secret("a token", |text| !text.is_empty())),
            ("created_at", Domain::Time),
            ("last_used_at", Domain::Time),
            ("expires_at", Domain::Time),
        ],
    },
    Table {
        name: "sign_in_guesses",
        key: &["slot"],
        columns: &[("slot", COUNT), ("full_at", Domain::Time)],
    },
    Table {
        name: "sign_in_sources",
        key: &["used_at"],
        columns: &[
            ("hash", HASH),
            ("wrong", COUNT),
            ("guessed_at", Domain::Time),
            ("used_at", Domain::Time),
        ],
    },
    Table {
        name: "api_keys",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("user_id", Domain::To("users")),
            ("name", NAME),
            ("scope", Domain::named::<Scope>()),
            ("all_accounts", Domain::Flag),
            ("expires_at", Domain::Time),
            ("revoked_at", Domain::Time),
            ("last_used_at", Domain::Time),
            ("created_at", Domain::Time),
        ],
    },
    Table {
        name: "key_hashes",
        key: &["key_id"],
        columns: &[
            ("hash", HASH),
            ("family_id", Domain::Family),
            ("key_id", Domain::CheckedBy("directories")),
        ],
    },
    Table {
        name: "api_key_accounts",
        key: &["key_id", "account_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("key_id", Domain::To("api_keys")),
            ("account_id", Domain::To("accounts")),
        ],
    },
    Table {
        name: "idempotency_keys",
        key: &["route", "idempotency_key"],
        columns: &[
            ("family_id", Domain::Family),
            ("route", NAME),
            ("idempotency_key", NAME),
            ("fingerprint", BYTES),
            ("claim", Domain::Id),
            ("claimed_until", Domain::Time),
            ("subject_id", Domain::MayBeGone),
            ("status", Domain::Number(100, 599)),
            ("body", Domain::Secret("a text", |_| true)),
            ("created_at", Domain::Time),
        ],
    },
    Table {
        name: "jobs",
        key: &["id"],
        columns: &[
            ("id", Domain::Id),
            ("family_id", Domain::Family),
            ("kind", NAME),
            ("payload", JSON),
            ("dedupe_key", NAME),
            ("state", Domain::Text("the state of a job", |text| State::parse(text).is_ok())),
            ("run_at", Domain::Time),
            ("attempts", COUNT),
            ("attempts_max", COUNT),
            ("lease_token", COUNT),
            ("lease_owner", NAME),
            ("lease_until", Domain::Time),
            ("last_error", TEXT),
            ("created_at", Domain::Time),
            ("deaths", COUNT),
        ],
    },
    Table {
        name: "audit_events",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("at", Domain::Time),
            ("actor_kind", ACTOR_KIND),
            ("actor_id", Domain::MayBeGone),
            ("action", NAME),
            ("subject_kind", NAME),
            ("subject_id", Domain::MayBeGone),
            ("details", JSON),
        ],
    },
    Table {
        name: "audit_images",
        key: &["event_id", "block"],
        columns: &[
            ("family_id", Domain::Family),
            ("event_id", Domain::To("audit_events")),
            ("block", COUNT),
            ("images", Domain::json::<Vec<crate::audit::KeptImages>>("a list of images")),
        ],
    },
    Table {
        name: "family_exports",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("status", Domain::named::<purser_core::export::ExportStatus>()),
            ("file_id", Domain::To("files")),
            ("records_count", COUNT),
            ("error", TEXT),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("completed_at", Domain::Time),
        ],
    },
    Table {
        name: "connections",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("provider", NAME),
            ("provider_type", NAME),
            ("name", NAME),
            ("status", Domain::named::<purser_core::connection::ConnectionStatus>()),
            ("credentials", BYTES),
            ("scheduled_for_deletion", Domain::Flag),
            ("institution_name", TEXT),
            ("institution_domain", TEXT),
            ("institution_url", TEXT),
            ("consent_expires_at", Domain::Time),
            ("next_attempt_at", Domain::Time),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("run_token", COUNT),
            ("run_owner", TEXT),
            ("run_until", Domain::Time),
            ("not_before", Domain::Time),
            ("failures", COUNT),
        ],
    },
    Table {
        name: "connection_accounts",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("connection_id", Domain::To("connections")),
            ("external_id", NAME),
            ("name", TEXT),
            ("institution_name", TEXT),
            ("state", Domain::named::<purser_core::connection::FoundAccountState>()),
            ("upstream", TEXT),
            ("currency", CURRENCY),
            ("reported_balance", DECIMAL),
            ("is_listed", Domain::Flag),
            ("is_ignored", Domain::Flag),
            ("account_id", Domain::To("accounts")),
            ("watermark", Domain::Day),
            ("holdings_unsupported_at", Domain::Time),
            ("seen_at", Domain::Time),
            ("created_at", Domain::Time),
            ("observed_on", Domain::Day),
            ("observed_balance", NUMBER),
            ("drift", NUMBER),
        ],
    },
    Table {
        name: "sync_outcomes",
        key: &["sync_id", "found_account_id", "step"],
        columns: &[
            ("family_id", Domain::Family),
            ("sync_id", Domain::To("syncs")),
            ("found_account_id", Domain::MayBeGone),
            ("step", Domain::named::<purser_core::connection::outcome::SyncStep>()),
            ("failure", Domain::named::<purser_core::connection::outcome::StepFailure>()),
            ("rows_read", COUNT),
            ("rows_unreadable", COUNT),
        ],
    },
    Table {
        name: "syncs",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("connection_id", Domain::To("connections")),
            ("actor_kind", ACTOR_KIND),
            ("actor_id", Domain::MayBeGone),
            ("status", Domain::named::<purser_core::connection::SyncStatus>()),
            ("accounts_synced", COUNT),
            ("accounts_failed", COUNT),
            ("error_code", Domain::named::<purser_core::connection::SyncErrorCode>()),
            ("created_at", Domain::Time),
            ("syncing_at", Domain::Time),
            ("completed_at", Domain::Time),
            ("failed_at", Domain::Time),
        ],
    },
];
