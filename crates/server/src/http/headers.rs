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

/// What the edge adds to every answer.
const OF_EVERY_ANSWER: [HeaderName; 9] = [
    request_id::HEADER,
    header::CACHE_CONTROL,
    header::VARY,
    header::ACCESS_CONTROL_ALLOW_ORIGIN,
    header::ACCESS_CONTROL_EXPOSE_HEADERS,
    header::CONTENT_SECURITY_POLICY,
    header::REFERRER_POLICY,
    header::X_CONTENT_TYPE_OPTIONS,
    header::X_FRAME_OPTIONS,
];

/// The headers of every answer to a key, and another one.
fn common_and(other: Option<HeaderName>) -> Vec<HeaderName> {
    let counted = [RATE_LIMIT, RATE_REMAINING, RATE_RESET];
    OF_EVERY_ANSWER.into_iter().chain(counted).chain(other).collect()
}

/// What the edge and the renderers add to an error.
pub(super) fn of_error(status: u16) -> Vec<HeaderName> {
    match status {
        // Without a key there is nobody to count for.
        401 => OF_EVERY_ANSWER.into_iter().chain([header::WWW_AUTHENTICATE]).collect(),
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
            one_of("true"),
        ),
        (header::CACHE_CONTROL, "No cache keeps the answer.", one_of("no-store")),
        (header::VARY, "Headers of the request by which the answer differs.", text()),
        (
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            "Pages of every origin may send the request, if they have a key.",
            one_of("*"),
        ),
        (
            header::ACCESS_CONTROL_EXPOSE_HEADERS,
            "The headers that pages of other origins may read.",
            text(),
        ),
        (
            header::CONTENT_SECURITY_POLICY,
            "A browser that shows the answer itself loads and runs nothing.",
            text(),
        ),
        (
            header::REFERRER_POLICY,
            "A browser names this address to no other server.",
            one_of("no-referrer"),
        ),
        (
            header::X_CONTENT_TYPE_OPTIONS,
            "A browser takes the answer for nothing but its `Content-Type`.",
            one_of("nosniff"),
        ),
        (header::X_FRAME_OPTIONS, "No other page may frame the answer.", one_of("DENY")),
    ];
    headers.into_iter().map(|(name, description, schema)| {
        (title_case(&name), RefOr::T(described(description, schema)))
    })
}

/// A header of single operations, with its name and a description.
pub(super) fn own(name: &HeaderName, description: &str) -> (String, Header) {
    (title_case(name), described(description, text()))
}

fn described(description: &str, schema: Object) -> Header {
    let mut header = Header::new(schema);
    header.description = Some(description.to_owned());
    header
}

fn one_of(value: &str) -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some([value])).build()
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
