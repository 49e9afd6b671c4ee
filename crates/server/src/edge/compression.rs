//! Compression of complete answers, in memory, with gzip.
//!
//! In memory, because then the length is known: every such answer has a `Content-Length`, and none
//! is chunked. Streams (server-sent events) pass through untouched.

use std::io::Write as _;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::Response;
use http::response::Parts;
use http::{HeaderMap, HeaderValue, StatusCode, header};

use super::full_body;
use crate::limits::{COMPRESSION_BYTES_MIN, COMPRESSION_INLINE_BYTES_MAX};

/// The middleware that compresses answers.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    let wanted = accepts_gzip(request.headers());
    let mut response = next.run(request).await;
    // A 304 stands for an answer that would have been compressed, and must vary as that one.
    let stands_for_another = response.status() == StatusCode::NOT_MODIFIED;
    if !compressible(response.headers()) && !stands_for_another {
        return response;
    }
    response.headers_mut().append(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if !wanted || stands_for_another || response.status() == StatusCode::PARTIAL_CONTENT {
        return response;
    }
    let (parts, body) = match full_body::take(response).await {
        Ok(taken) => taken,
        Err(stream) => return stream,
    };
    if body.len() <= COMPRESSION_BYTES_MIN {
        return Response::from_parts(parts, Body::from(body));
    }
    match gzip_off_thread(body.clone()).await {
        Some(compressed) if compressed.len() < body.len() => encoded(parts, compressed),
        _ => Response::from_parts(parts, Body::from(body)),
    }
}

fn encoded(mut parts: Parts, compressed: Vec<u8>) -> Response {
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(compressed))
}

/// Text that isn't encoded yet.
fn compressible(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let text = media_type.is_some_and(|media_type| {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        let event_stream = essence == "text/event-stream";
        (essence.starts_with("text/") && !event_stream)
            || essence.ends_with("json")
            || essence.ends_with("javascript")
            || essence == "application/xml"
            || essence == "image/svg+xml"
    });
    text && !headers.contains_key(header::CONTENT_ENCODING)
}

/// Whether the client names gzip (or anything, `*`) and doesn't refuse it with `q=0`.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let items = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','));
    let mut any = false;
    for item in items {
        let mut parts = item.split(';').map(str::trim);
        let coding = parts.next().unwrap_or_default().to_ascii_lowercase();
        let refused = parts.any(is_zero_weight);
        match coding.as_str() {
            "gzip" | "x-gzip" => return !refused,
            "*" => any = !refused,
            _ => {}
        }
    }
    any
}

/// Whether a parameter is `q=0`, `q=0.0` and so on.
fn is_zero_weight(parameter: &str) -> bool {
    let Some((name, weight)) = parameter.split_once('=') else { return false };
    name.trim().eq_ignore_ascii_case("q")
        && weight.trim().bytes().all(|byte| matches!(byte, b'0' | b'.'))
}

/// Short answers are compressed where we are, long ones where they hold up nobody.
async fn gzip_off_thread(body: Bytes) -> Option<Vec<u8>> {
    if body.len() <= COMPRESSION_INLINE_BYTES_MAX {
        return gzip(&body);
    }
    tokio::task::spawn_blocking(move || gzip(&body)).await.ok().flatten()
}

fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    let buffer = Vec::with_capacity(body.len() / 4);
    let mut encoder = flate2::write::GzEncoder::new(buffer, flate2::Compression::fast());
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::Router;
    use axum::routing::get;
    use http_body::Body as _;
    use tower::ServiceExt as _;

    use super::*;

    fn text(bytes: usize) -> Response {
        let body: String = "0123456789".chars().cycle().take(bytes).collect();
        Response::builder()
            .header(header::CONTENT_TYPE, "application/json; charset=utf-8")
            .body(Body::from(body))
            .unwrap()
    }

    fn app() -> Router {
        Router::new()
            .route("/long", get(|| async { text(50_000) }))
            .route("/longer", get(|| async { text(500_000) }))
            .route("/short", get(|| async { text(COMPRESSION_BYTES_MIN) }))
            .route("/binary", get(|| async { vec![0_u8; 50_000] }))
            .layer(axum::middleware::from_fn(layer))
    }

    async fn send(path: &str, accept: &str) -> Response {
        let request = Request::builder().uri(path).header(header::ACCEPT_ENCODING, accept);
        app().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn long_text_is_compressed_with_a_known_length() {
        for (path, length) in [("/long", 50_000), ("/longer", 500_000)] {
            let response = send(path, "br, gzip;q=0.5").await;
            assert_eq!(response.headers()[header::CONTENT_ENCODING], "gzip");
            assert_eq!(response.headers()[header::VARY], "Accept-Encoding");
            assert!(response.body().size_hint().exact().unwrap() < length / 10);
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
            let mut plain = Vec::new();
            flate2::read::GzDecoder::new(&body[..]).read_to_end(&mut plain).unwrap();
            assert_eq!(plain.len() as u64, length);
        }
    }

    #[tokio::test]
    async fn other_answers_stay_as_they_are() {
        for (path, accept) in
            [("/long", ""), ("/long", "gzip;q=0, *"), ("/short", "gzip"), ("/binary", "gzip")]
        {
            let response = send(path, accept).await;
            assert!(!response.headers().contains_key(header::CONTENT_ENCODING), "{path} {accept}");
            assert!(response.body().size_hint().exact().is_some());
        }
    }

    #[test]
    fn gzip_is_used_only_when_asked_for() {
        for (accept, expected) in [
            ("gzip", true),
            ("GZIP", true),
            ("*", true),
            ("deflate, gzip;q=1.0", true),
            ("gzip; q=0.001", true),
            ("*;q=0", false),
            ("gzip;q=0.000", false),
            ("identity", false),
            ("*, gzip;q=0", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accept));
            assert_eq!(accepts_gzip(&headers), expected, "{accept}");
        }
    }
}
