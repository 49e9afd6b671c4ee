//! `/api/v1/provider_connections`: connections to bank-data providers.

pub(in crate::api) mod view;

use purser_app::connections;
use serde::Serialize;
use utoipa::ToSchema;

use self::view::ConnectionBody;
use crate::http::answer::{Answer, Json};
use crate::http::call::List;
use crate::http::error::ApiResult;
use crate::http::table::routes;

routes! { "provider_connections":
    /// List provider connections
    ///
    /// The answer has the state of the family's connections to bank-data providers, without
    /// credentials and without answers of providers. A key that is restricted to chosen accounts
    /// sees none, because a connection has accounts beyond them.
    GET "/provider_connections" => list as list_provider_connections;
}

/// All connections of the family.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderConnections)]
struct Connections {
    /// The connections, the newest first.
    data: Vec<ConnectionBody>,
}

async fn list(call: List) -> ApiResult<Answer<Json<Connections>>> {
    call.read(|tx, _| {
        let found = match tx.accounts().only() {
            Some(_) => Vec::new(),
            None => connections::list(tx)?,
        };
        Ok(Json(Connections { data: found.into_iter().map(Into::into).collect() }))
    })
    .await
}
