//! What unit tests share: a server's state over an empty SQLite database, with a family and keys.

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use clap::Parser as _;
use http::HeaderMap;
use purser_app::api_key::ApiKey;
use purser_app::providers::{ClientSettings, Providers};
use purser_app::secrets::SecretKeys;
use purser_app::webhooks::address::WebhookHosts;
use purser_app::{App, settings};
use purser_core::ids::UserId;
use purser_core::money::Currency;
use purser_store::audit::Actor;
use purser_store::families::{self, Family, NewFamily};
use purser_store::files::FileStore;
use purser_store::keys::{self, NewKey, Scope};
use purser_store::users::{NewUser, Role};
use purser_store::{Access, FamilyId, Secret, Store, StoreOptions, Target};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::watch;
use tower::ServiceExt as _;

use crate::config::{Imports, Server};
use crate::state::AppState;

#[derive(clap::Parser)]
struct Program {
    #[command(flatten)]
    server: Server,
    #[command(flatten)]
    imports: Imports,
}

/// A state and what it needs to live.
pub(crate) struct TestApp {
    pub(crate) app: AppState,
    pub(crate) family: FamilyId,
    pub(crate) access: Access,
    user: UserId,
    _folder: TempDir,
    _stop: watch::Sender<bool>,
}

impl TestApp {
    /// With settings as on the command line.
    pub(crate) async fn new(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store =
            Store::open(StoreOptions::new(Target::Sqlite(folder.path().join("test.db")))).unwrap();
        let program = Program::parse_from(["purser"].iter().chain(arguments));
        let (made, user) = store.found(create_family).await.unwrap();
        let (family, access) = (made.id, made.access(Actor::CommandLine));
        let (stop, stopping) = watch::channel(false);
        let files = FileStore::open(folder.path(), &store).unwrap();
        let imports = settings::Imports {
            max_csv_bytes: program.imports.max_csv_bytes,
            publish_part_rows: program.server.publish_part_rows,
        };
        let keys = SecretKeys::in_directory(folder.path());
        let client = ClientSettings::default();
        let providers = Providers::new(&store, keys, client, false);
        let feeds = settings::Feeds::default();
        let others = (providers, WebhookHosts::default());
        let app = App::new(store, files, imports, feeds, others, stopping).unwrap();
        let metrics = crate::telemetry::start_metrics().unwrap();
        let app = AppState::new(app, program.server, metrics);
        Self { app, family, access, user, _folder: folder, _stop: stop }
    }

    /// Creates a key with the scope.
    pub(crate) async fn key(&self, scope: Scope) -> String {
        let key = ApiKey::generate().unwrap();
        let (hash, user) = (key.hash(), self.user);
        let create = move |tx: &mut purser_store::FamilyTx<'_>| {
            let new =
                NewKey { user, name: "test", scope, accounts: None, expires_at: None, hash: &hash };
            keys::create(tx, &new)
        };
        self.app.store.write(self.access.clone(), create).await.unwrap();
        key.reveal().to_owned()
    }
}

fn create_family(
    tx: &mut purser_store::Tx<'_>,
    id: FamilyId,
) -> purser_core::error::Result<(Family, UserId)> {
    let family = NewFamily {
        name: "Family",
        currency: Currency::parse("EUR").unwrap(),
        time_zone: "Europe/Berlin",
    };
    let admin = NewUser {
        email: "admin@example.org",
        name: "Admin",
        role: Role::Admin,
        password_hash: &Secret::new("none"),
    };
    families::create(tx, id, &family, &admin)
}

/// An answer that was read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Reads a response to its end.
    pub(crate) async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Self { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// A header's text; empty if it isn't there.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }
}

/// Sends a request through a router.
pub(crate) async fn send(
    router: &Router,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::from(body.to_owned())).unwrap();
    Answer::read(router.clone().oneshot(request).await.unwrap()).await
}
