//! Styles, scripts and pictures, inside the binary.
//!
//! The address of each has a hash of its content, so browsers may keep it for ever and a new
//! version is a new address. An address with an older hash gets what there is now, to be asked for
//! again: a page of the version before may still be open while a server is replaced.

use std::sync::LazyLock;

use axum::Router;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderValue, header};
use sha2::{Digest, Sha256};

use super::error::WebError;
use crate::http::error::ApiError;
use crate::state::AppState;

struct Asset {
    name: &'static str,
    media_type: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal = $media_type:literal),* $(,)?) => {
        &[$(Asset {
            name: $name,
            media_type: $media_type,
            bytes: include_bytes!(concat!("../../assets/", $name)),
        }),*]
    };
}

const ASSETS: &[Asset] = assets! {
    "app.css" = "text/css; charset=utf-8",
    "app.js" = "text/javascript; charset=utf-8",
    "icon.svg" = "image/svg+xml",
    "imports.css" = "text/css; charset=utf-8",
    "imports.js" = "text/javascript; charset=utf-8",
};

/// The first 64 bits of the SHA-256 of each.
static HASHES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let hash = |asset: &Asset| -> String {
        let digest: [u8; 32] = Sha256::digest(asset.bytes).into();
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    };
    ASSETS.iter().map(hash).collect()
});

/// The address of an asset, for templates. A name that isn't in the table is a defect that the
/// browser's console shows, and a test.
pub(crate) fn url(name: &str) -> String {
    let hash = find(name).map_or("none", |(_, hash)| hash);
    format!("/assets/{hash}/{name}")
}

pub(super) fn routes() -> Router<AppState> {
    Router::new().route("/assets/{hash}/{name}", get(show))
}

async fn show(Path((asked, name)): Path<(String, String)>) -> Response {
    let Some((asset, hash)) = find(&name) else {
        return WebError::Page(ApiError::route_not_found()).into_response();
    };
    let keep =
        if asked == hash { "public, max-age=31536000, immutable" } else { "public, no-cache" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(asset.media_type)),
        (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
    ];
    (headers, asset.bytes).into_response()
}

fn find(name: &str) -> Option<(&'static Asset, &'static str)> {
    let at = ASSETS.iter().position(|asset| asset.name == name)?;
    Some((ASSETS.get(at)?, HASHES.get(at)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_asset_that_a_template_names_is_there() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/templates");
        let mut named = 0;
        let mut folders = vec![std::path::PathBuf::from(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                for (_, rest) in
                    text.match_indices("assets::url(\"").map(|(at, m)| text.split_at(at + m.len()))
                {
                    let name = rest.split('"').next().unwrap();
                    assert!(find(name).is_some(), "{name} in {}", path.display());
                    named += 1;
                }
            }
        }
        assert!(named >= ASSETS.len());
        assert!(url("app.css").starts_with("/assets/") && !url("app.css").contains("none"));
    }

    #[test]
    fn templates_have_nothing_that_the_policy_forbids() {
        let mut folders =
            vec![std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/templates"))];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                for forbidden in
                    [" style=", "<style", " onclick", " onsubmit", "javascript:", "|safe"]
                {
                    assert!(!text.contains(forbidden), "{forbidden} in {}", path.display());
                }
                assert!(text.matches("<script").count() == text.matches("<script src=").count());
            }
        }
    }
}
