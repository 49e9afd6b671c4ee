//! Conditional reads: an `ETag` on every complete 200 to a GET, and 304 when the client has it.
//!
//! The tag is made of the uncompressed body, so it is the same with and without compression, and
//! therefore a weak one. It saves the transfer, not the work: the answer is made first, so a 304
//! also means that the caller may see the thing now.

use std::hash::Hasher;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use super::full_body;

/// The middleware that adds tags and compares them.
pub(super) async fn layer(request: Request, next: Next) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let known: Vec<HeaderValue> =
        request.headers().get_all(header::IF_NONE_MATCH).iter().cloned().collect();
    let response = next.run(request).await;
    if response.status() != StatusCode::OK || response.headers().contains_key(header::ETAG) {
        return response;
    }
    let (mut parts, body) = match full_body::take(response).await {
        Ok(taken) => taken,
        Err(stream) => return stream,
    };
    let Ok(tag) = HeaderValue::from_str(&tag(&body)) else {
        return Response::from_parts(parts, Body::from(body));
    };
    let unchanged = known.iter().any(|list| matches(list, &tag));
    parts.headers.insert(header::ETAG, tag);
    if unchanged {
        return not_modified(parts.headers);
    }
    Response::from_parts(parts, Body::from(body))
}

/// 304 with the headers that the 200 would have had, without those that describe its body.
fn not_modified(mut headers: HeaderMap) -> Response {
    headers.remove(header::CONTENT_TYPE);
    headers.remove(header::CONTENT_LENGTH);
    headers.remove(header::CONTENT_ENCODING);
    (StatusCode::NOT_MODIFIED, headers).into_response()
}

/// 64 bits of a hash and the length. The hash may differ between versions of the program; then the
/// client reads once more.
fn tag(body: &[u8]) -> String {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(body);
    format!("W/\"{:016x}-{:x}\"", hasher.finish(), body.len())
}

/// Whether a list of tags, or `*`, has the tag. Weak comparison: `W/` doesn't count.
fn matches(list: &HeaderValue, tag: &HeaderValue) -> bool {
    let (Ok(list), Ok(tag)) = (list.to_str(), tag.to_str()) else { return false };
    let opaque = |text: &str| text.trim().trim_start_matches("W/").to_owned();
    list.split(',').any(|item| item.trim() == "*" || opaque(item) == opaque(tag))
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use tower::ServiceExt as _;

    use super::*;

    fn app() -> Router {
        let stream = || async {
            let pieces = futures_util::stream::iter([Ok::<_, std::io::Error>("piece")]);
            Body::from_stream(pieces)
        };
        Router::new()
            .route("/", get(|| async { "hello" }).post(|| async { "hello" }))
            .route("/missing", get(|| async { (StatusCode::NOT_FOUND, "no") }))
            .route("/stream", get(stream))
            .layer(axum::middleware::from_fn(layer))
    }

    async fn send(method: Method, path: &str, known: Option<&str>) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        if let Some(known) = known {
            request = request.header(header::IF_NONE_MATCH, known);
        }
        app().oneshot(request.body(Body::empty()).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn a_known_tag_is_answered_without_a_body() {
        let first = send(Method::GET, "/", None).await;
        assert_eq!(first.status(), 200);
        let tag = first.headers()[header::ETAG].to_str().unwrap().to_owned();
        assert!(tag.starts_with("W/\""));
        for known in [tag.clone(), format!("\"x\", {tag}"), tag.replace("W/", ""), "*".into()] {
            let again = send(Method::GET, "/", Some(&known)).await;
            assert_eq!(again.status(), 304, "{known}");
            assert_eq!(again.headers()[header::ETAG], tag);
            assert!(!again.headers().contains_key(header::CONTENT_TYPE));
            let body = axum::body::to_bytes(again.into_body(), 100).await.unwrap();
            assert!(body.is_empty());
        }
        let other = send(Method::GET, "/", Some("W/\"0\"")).await;
        assert_eq!(other.status(), 200);
        assert_eq!(send(Method::HEAD, "/", Some(&tag)).await.status(), 304);
    }

    #[tokio::test]
    async fn errors_writes_and_streams_have_no_tag() {
        for (method, path) in
            [(Method::POST, "/"), (Method::GET, "/missing"), (Method::GET, "/stream")]
        {
            let response = send(method, path, Some("*")).await;
            assert!(!response.headers().contains_key(header::ETAG), "{path}");
            assert_ne!(response.status(), 304);
        }
    }
}
