//! The page that shows the description of the interface: Swagger UI, out of the archive of its
//! release, which is in the binary as it is. A file is unpacked when somebody asks for it; only the
//! script that names our description is our own.

use std::io::{Cursor, Read as _};

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use http::{HeaderValue, StatusCode, header};
use purser_core::error::Error;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;
use zip::result::ZipError;

use super::openapi::JSON_PATH;
use crate::http::error::ApiError;
use crate::state::AppState;

/// The archive; static, so that it is in the binary once.
static ARCHIVE: &[u8] = SWAGGER_UI_VENDORED;

const PATH: &str = "/api/docs";
const START: &str = "index.html";
const INITIALIZER: &str = "swagger-initializer.js";

/// The page and the files that it loads.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route(PATH, get(async || Redirect::to(&format!("{PATH}/"))))
        .route(&format!("{PATH}/"), get(async || answer(START)))
        .route(&format!("{PATH}/{{*name}}"), get(async |Path(name): Path<String>| answer(&name)))
}

fn answer(name: &str) -> Response {
    let body = match name {
        INITIALIZER => Some(initializer().into_bytes()),
        _ => match file(name) {
            Ok(body) => body,
            Err(error) => return ApiError::from(Error::internal(error)).into_response(),
        },
    };
    let Some(body) = body else { return StatusCode::NOT_FOUND.into_response() };
    let media_type = HeaderValue::from_static(media_type(name));
    ([(header::CONTENT_TYPE, media_type)], body).into_response()
}

/// What starts the page, with the address of the description.
fn initializer() -> String {
    format!(
        "window.onload = function() {{
  window.ui = SwaggerUIBundle({{
    dom_id: \"#swagger-ui\",
    url: \"{JSON_PATH}\",
    validatorUrl: \"none\",
    tryItOutEnabled: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    plugins: [SwaggerUIBundle.plugins.DownloadUrl],
  }});
}};
"
    )
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

/// A file of the release's `dist` folder, unpacked; `None` if there is none of that name.
fn file(name: &str) -> Result<Option<Vec<u8>>, ZipError> {
    let mut archive = ZipArchive::new(Cursor::new(ARCHIVE))?;
    for index in 0..archive.len() {
        let mut file = archive.by_index(index)?;
        if file.is_file() && in_dist(file.name()?.as_ref()) == Some(name) {
            let mut unpacked = Vec::new();
            file.read_to_end(&mut unpacked)?;
            return Ok(Some(unpacked));
        }
    }
    Ok(None)
}

/// The name of a file below `<release>/dist/`.
fn in_dist(path: &str) -> Option<&str> {
    let (_, below) = path.split_once('/')?;
    below.strip_prefix("dist/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_has_every_file_that_the_page_loads() {
        let page = String::from_utf8(file(START).unwrap().unwrap()).unwrap();
        for name in ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"] {
            assert!(page.contains(name), "{page}");
            assert!(file(name).unwrap().unwrap().len() > 100_000, "{name}");
        }
        assert!(page.contains(INITIALIZER) && page.contains("id=\"swagger-ui\""), "{page}");
    }

    #[test]
    fn other_names_are_not_found() {
        for name in ["", "/", "nothing.js", "../package.json", "package.json"] {
            assert_eq!(file(name).unwrap(), None, "{name}");
        }
    }
}
