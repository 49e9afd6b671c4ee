//! Headers of answers, for the description: each from the constant that the code writes it with.

use http::{HeaderName, header};
use utoipa::openapi::header::Header;
use utoipa::openapi::path::{HttpMethod, Operation};
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Response};

use super::{idempotency, request_id};

/// The number of requests that a full bucket holds.
pub(crate) const RATE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Requests left in the bucket.
pub(crate) const RATE_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// Seconds until the bucket holds one request more.
pub(crate) const RATE_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Adds to every response the headers that the edge and the renderers write.
pub(super) fn describe(operation: &mut Operation, method: &HttpMethod) {
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else { continue };
        add(response, &request_id::HEADER, "The id of the request, as it is logged.", text());
        if status != "401" {
            for (name, description) in [
                (
                    RATE_LIMIT,
                    "Requests that the key may send at once; missing where the server has no limit.",
                ),
                (RATE_REMAINING, "Requests that the key may send now."),
                (RATE_RESET, "Seconds until the key may send one request more than now."),
            ] {
                add(response, &name, description, number());
            }
        }
        match (status.as_str(), method) {
            ("401", _) => {
                add(
                    response,
                    &header::WWW_AUTHENTICATE,
                    "The scheme to authenticate with.",
                    text(),
                );
            }
            ("429" | "503", _) => {
                add(
                    response,
                    &header::RETRY_AFTER,
                    "Seconds to wait before trying again.",
                    number(),
                );
            }
            ("200", HttpMethod::Get) => {
                let description = "Identifies this answer, for `If-None-Match`.";
                add(response, &header::ETAG, description, text());
            }
            ("200" | "201" | "202", HttpMethod::Post) => {
                let description = "`true` if this is the stored answer of an earlier request.";
                add(response, &idempotency::REPLAYED, description, text());
            }
            _ => {}
        }
    }
}

fn add(response: &mut Response, name: &HeaderName, description: &str, schema: Object) {
    let mut header = Header::new(schema);
    header.description = Some(description.to_owned());
    response.headers.insert(title_case(name), RefOr::T(header));
}

/// `x-request-id` as `X-Request-Id`: names of headers are the same in any case.
fn title_case(name: &HeaderName) -> String {
    let words = name.as_str().split('-').map(|word| match word {
        "id" => "Id".to_owned(),
        "etag" => "ETag".to_owned(),
        "www" => "WWW".to_owned(),
        "ratelimit" => "RateLimit".to_owned(),
        _ => word[..1].to_ascii_uppercase() + &word[1..],
    });
    words.collect::<Vec<_>>().join("-")
}

fn text() -> Object {
    Object::with_type(Type::String)
}

fn number() -> Object {
    ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).build()
}
