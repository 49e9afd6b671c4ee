//! The description of the interface: OpenAPI 3.1, served as JSON; `docs_page` shows it. Both can be
//! read without a key.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::response::IntoResponse as _;
use axum::routing::get;
use http::StatusCode;
use purser_app::blocking::blocking;
use purser_core::error::Error;
use tokio::sync::OnceCell;
use utoipa::Modify;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};

use crate::http::error::{ApiError, ErrorBody, ImportErrorBody};
use crate::state::AppState;

/// The path of the document.
pub(super) const JSON_PATH: &str = "/api/v1/openapi.json";

/// The parts of the description that don't come from the handlers.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Purser",
        version = "v1",
        description = "A self-hosted personal-finance server.\n\n\
            Every request needs an API key in `X-Api-Key` (or as a bearer token). Amounts are \
            exact: decimal strings beside formatted text. Unset optional fields are present and \
            null. Errors have a stable code in `error` and a sentence in `message`.\n\n\
            The scope that a key needs stands in the `security` of each operation: a key with \
            `read_write` may also do everything that needs `read`.\n\n\
            What clients of similar servers also call, and this one leaves out on purpose, is \
            answered with 403 `feature_disabled` and a sentence about what to do instead: \
            `/chats`, `/users/reset`, `DELETE /users/me`, and `/auth/…`, which needs no key.",
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    servers((url = "/", description = "This server")),
    security(("api_key" = []), ("bearer" = [])),
    components(schemas(ErrorBody, ImportErrorBody)),
    modifiers(&Security),
)]
pub(super) struct Description;

struct Security;

impl Modify for Security {
    fn modify(&self, api: &mut OpenApi) {
        let components = api.components.get_or_insert_default();
        let key = ApiKeyValue::with_description("X-Api-Key", "A key that the server gave out");
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build();
        components.add_security_scheme("api_key", SecurityScheme::ApiKey(ApiKey::Header(key)));
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    }
}

/// Serves the document that `describe` makes.
pub(super) fn routes(describe: fn() -> OpenApi) -> Router<AppState> {
    let written = Arc::new(OnceCell::new());
    let document = move || {
        let written = written.clone();
        async move {
            match written.get_or_try_init(|| write(describe)).await {
                Ok(bytes) => crate::http::json_bytes(StatusCode::OK, Bytes::clone(bytes)),
                Err(error) => ApiError::from(error).into_response(),
            }
        }
    };
    Router::new().route(JSON_PATH, get(document))
}

/// Writes the document when somebody requests it first. This happens in a thread of its own, so
/// that its memory is given back when it ends: the parts of the document are many times larger.
async fn write(describe: fn() -> OpenApi) -> Result<Bytes, Error> {
    let write = move || describe().to_json().map(Bytes::from);
    let written =
        blocking(move || std::thread::spawn(write).join().map_err(|_| panicked())).await?;
    written.map_err(Error::internal)
}

fn panicked() -> Error {
    Error::internal("the description can't be put together")
}
