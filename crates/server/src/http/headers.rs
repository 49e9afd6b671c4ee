//! Headers of answers, for the description: each from the constant that the code writes it with.

use http::{HeaderName, header};
use utoipa::openapi::header::Header;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Response};

use super::{idempotency, request_id};

/// The number of requests that a full bucket holds.
pub(crate) const RATE_LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
/// Requests left in the bucket.
pub(crate) const RATE_REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
/// Seconds until the bucket holds one request more.
pub(crate) const RATE_RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// The headers of every answer to a key, and another one.
fn common_and(other: Option<HeaderName>) -> Vec<HeaderName> {
    let common = [request_id::HEADER, RATE_LIMIT, RATE_REMAINING, RATE_RESET];
    common.into_iter().chain(other).collect()
}

/// What the edge and the renderers add to an error.
pub(super) fn of_error(status: u16) -> Vec<HeaderName> {
    match status {
        // Without a key there is nobody to count for.
        401 => vec![request_id::HEADER, header::WWW_AUTHENTICATE],
        409 | 429 | 503 => common_and(Some(header::RETRY_AFTER)),
        _ => common_and(None),
    }
}

/// What an answer has that can be asked for again with `If-None-Match`, and 304.
pub(super) fn of_tagged() -> Vec<HeaderName> {
    common_and(Some(header::ETAG))
}

/// What a successful answer has, which may be the stored one of an earlier request.
pub(super) fn of_success(may_be_stored: bool) -> Vec<HeaderName> {
    common_and(may_be_stored.then_some(idempotency::REPLAYED))
}

/// Adds references to the headers to the response.
pub(super) fn refer(response: &mut Response, names: Vec<HeaderName>) {
    for name in names {
        let name = title_case(&name);
        let reference = Ref::new(format!("#/components/headers/{name}"));
        response.headers.insert(name, RefOr::Ref(reference));
    }
}

/// Every header, by its name.
pub(super) fn all() -> impl Iterator<Item = (String, RefOr<Header>)> {
    let headers = [
        (request_id::HEADER, "The id of the request, as it is logged.", text()),
        (
            RATE_LIMIT,
            "Requests that the key may send at once; missing where the server has no limit.",
            number(),
        ),
        (RATE_REMAINING, "Requests that the key may send now.", number()),
        (RATE_RESET, "Seconds until the key may send one request more than now.", number()),
        (header::WWW_AUTHENTICATE, "The scheme to authenticate with.", text()),
        (
            header::RETRY_AFTER,
            "Seconds to wait before trying again; with 409 only while the first request with the \
             same `Idempotency-Key` is running.",
            number(),
        ),
        (header::ETAG, "Identifies this answer, for `If-None-Match`.", text()),
        (
            idempotency::REPLAYED,
            "`true` if this is the stored answer of an earlier request; else missing.",
            ObjectBuilder::new().schema_type(Type::String).enum_values(Some(["true"])).build(),
        ),
    ];
    headers.into_iter().map(|(name, description, schema)| {
        let mut header = Header::new(schema);
        header.description = Some(description.to_owned());
        (title_case(&name), RefOr::T(header))
    })
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
