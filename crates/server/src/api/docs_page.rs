//! The page that shows the description of the interface: Swagger UI, out of the archive of its
//! release, which is in the binary as it is. A file is unpacked when somebody asks for it; only the
//! script that names our description is our own.

use std::io::Read as _;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::get;
use flate2::read::DeflateDecoder;
use http::{HeaderValue, StatusCode, header};
use purser_core::error::Error;
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;

use super::openapi::JSON_PATH;
use crate::http::error::ApiError;
use crate::state::AppState;

/// The archive; static, so that it is in the binary once.
static ARCHIVE: &[u8] = SWAGGER_UI_VENDORED;

const PATH: &str = "/api/docs";
const START: &str = "index.html";
const INITIALIZER: &str = "swagger-initializer.js";

/// The page and what it loads.
pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route(PATH, get(async || Redirect::to(&format!("{PATH}/"))))
        .route(&format!("{PATH}/"), get(async || answer(START)))
        .route(&format!("{PATH}/{{*name}}"), get(async |Path(name): Path<String>| answer(&name)))
}

fn answer(name: &str) -> Response {
    let body = match name {
        INITIALIZER => Some(initializer().into_bytes()),
        _ => match file(ARCHIVE, name).map(|file| file.unpack()).transpose() {
            Ok(body) => body,
            Err(error) => return ApiError::from(error).into_response(),
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

/// A file of an archive.
#[derive(Debug, PartialEq, Eq)]
struct Packed<'a> {
    /// Whether it has to be inflated.
    is_deflated: bool,
    bytes: &'a [u8],
}

impl Packed<'_> {
    fn unpack(&self) -> Result<Vec<u8>, Error> {
        let mut unpacked = Vec::new();
        let read = if self.is_deflated {
            DeflateDecoder::new(self.bytes).read_to_end(&mut unpacked)
        } else {
            (&mut &*self.bytes).read_to_end(&mut unpacked)
        };
        read.map_err(Error::internal).map(|_| unpacked)
    }
}

/// The file `<release>/dist/<name>` of a ZIP archive. Only what this one archive needs is
/// understood: no comment at its end, no 64-bit sizes, no encryption.
fn file<'a>(archive: &'a [u8], name: &str) -> Option<Packed<'a>> {
    // The fixed parts of the records that the format has.
    const END_BYTES: usize = 22;
    const ENTRY_BYTES: usize = 46;
    const HEADER_BYTES: usize = 30;
    const DEFLATED: usize = 8;

    let end = archive.get(archive.len().checked_sub(END_BYTES)?..)?;
    let (entries, mut at) = (number(end, 10, 2)?, number(end, 16, 4)?);
    for _ in 0..entries {
        let entry = archive.get(at..)?;
        let name_end = ENTRY_BYTES + number(entry, 28, 2)?;
        let path = entry.get(ENTRY_BYTES..name_end)?;
        if is_dist_file(path, name) {
            let header = archive.get(number(entry, 42, 4)?..)?;
            let start = HEADER_BYTES + number(header, 26, 2)? + number(header, 28, 2)?;
            let bytes = header.get(start..start + number(entry, 20, 4)?)?;
            return Some(Packed { is_deflated: number(entry, 10, 2)? == DEFLATED, bytes });
        }
        at += name_end + number(entry, 30, 2)? + number(entry, 32, 2)?;
    }
    None
}

/// Whether a path is `<release>/dist/<name>`; `name` is nothing that leads elsewhere.
fn is_dist_file(path: &[u8], name: &str) -> bool {
    let path = std::str::from_utf8(path).ok();
    let below = path.and_then(|path| path.split_once('/')).map(|(_, below)| below);
    !name.is_empty() && below.and_then(|below| below.strip_prefix("dist/")) == Some(name)
}

/// A number of `len` bytes, the lowest first.
fn number(bytes: &[u8], at: usize, len: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + len)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_archive_has_every_file_that_the_page_loads() {
        let page = file(ARCHIVE, START).unwrap().unpack().unwrap();
        let page = String::from_utf8(page).unwrap();
        for name in ["swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js"] {
            assert!(page.contains(name), "{page}");
            assert!(file(ARCHIVE, name).unwrap().unpack().unwrap().len() > 100_000, "{name}");
        }
        assert!(page.contains(INITIALIZER) && page.contains("id=\"swagger-ui\""), "{page}");
    }

    #[test]
    fn nothing_but_its_files_is_found() {
        for name in ["", "/", "nothing.js", "../package.json", "package.json"] {
            assert_eq!(file(ARCHIVE, name), None, "{name}");
        }
        for archive in [&b""[..], &[0xff; 22], &ARCHIVE[..1000]] {
            assert_eq!(file(archive, START), None);
        }
    }
}
