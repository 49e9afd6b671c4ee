//! Groups of error responses for the description of the interface, so that a handler documents all
//! of its errors in a line: `responses((status = 200, body = …), CommonErrors, NotFoundError)`.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::{Content, OneOf, Ref, RefOr, Response, ResponseBuilder, Schema};

/// Errors that every route of `/api/v1` can answer with.
pub(crate) struct CommonErrors;
/// The id in the path is malformed, unknown or somebody else's.
pub(crate) struct NotFoundError;
/// Parameters or fields were understood and refused.
pub(crate) struct InvalidError;
/// Everything that can be wrong with a JSON body.
pub(crate) struct BodyErrors;
/// The request makes no sense in the present state, or its idempotency key is in use.
pub(crate) struct ConflictError;

/// The errors that an upload can have besides; the import may exist all the same. It stands after
/// [`BodyErrors`] and [`CommonErrors`] and replaces their 422 and 500.
pub(crate) struct UploadErrors;
/// There is too little space for uploads.
pub(crate) struct StorageError;
/// The errors that a publish can have besides. It stands after [`CommonErrors`] and replaces its
/// 500.
pub(crate) struct PublishErrors;

/// The errors that a stream of events can have besides: the key may have too many of them.
pub(crate) struct StreamErrors;

/// The errors that an undo can have besides. It stands after [`CommonErrors`] and replaces its 500.
pub(crate) struct RevertErrors;

type Responses = BTreeMap<String, RefOr<Response>>;

fn error(status: u16, description: &str) -> (String, RefOr<Response>) {
    response(status, description, Ref::from_schema_name("ErrorBody").into())
}

/// An error that names the import if there is one.
fn import_error(status: u16, description: &str) -> (String, RefOr<Response>) {
    let mut either = OneOf::new();
    for variant in ["ErrorBody", "ImportErrorBody"] {
        either.items.push(Ref::from_schema_name(variant).into());
    }
    response(status, description, RefOr::T(Schema::OneOf(either)))
}

fn response(status: u16, description: &str, schema: RefOr<Schema>) -> (String, RefOr<Response>) {
    let response = ResponseBuilder::new()
        .description(description)
        .content("application/json", Content::new(Some(schema)))
        .build();
    (status.to_string(), RefOr::T(response))
}

impl IntoResponses for CommonErrors {
    fn responses() -> Responses {
        BTreeMap::from([
            error(401, "`unauthorized`: The key is missing, unknown, expired or revoked."),
            error(403, "`insufficient_scope`: The key may not do this."),
            error(
                429,
                "`rate_limit_exceeded`: There were too many requests; `Retry-After` has the \
                 seconds to wait.",
            ),
            error(
                500,
                "`internal_server_error`: Something went wrong on the server; the message has \
                 the request id.",
            ),
            error(503, "`unavailable`: The request may succeed after the time in `Retry-After`."),
        ])
    }
}

impl IntoResponses for NotFoundError {
    fn responses() -> Responses {
        BTreeMap::from([error(404, "`not_found`: There is no such thing that this key may see.")])
    }
}

impl IntoResponses for InvalidError {
    fn responses() -> Responses {
        BTreeMap::from([error(
            422,
            "`validation_failed` or a more exact code: The request was understood and refused; \
             `errors` has the reasons.",
        )])
    }
}

impl IntoResponses for BodyErrors {
    fn responses() -> Responses {
        let mut responses = InvalidError::responses();
        responses.extend([
            error(400, "`bad_request`: The body can't be read."),
            error(408, "`request_timeout`: The body didn't arrive in time."),
            error(413, "`content_too_large`: The body is over the transport cap."),
            error(
                415,
                "`unsupported_media_type`: The body has another content type, or is compressed.",
            ),
        ]);
        responses
    }
}

impl IntoResponses for RevertErrors {
    fn responses() -> Responses {
        BTreeMap::from([
            import_error(
                422,
                "`not_revertable`: The import is not published, or is being undone; `import_id` \
                 names it. Or `idempotency_key_reused`.",
            ),
            import_error(
                500,
                "`revert_not_queued`: Nothing was changed, and the request may be sent again; \
                 `import_id` names the import. Or `internal_server_error`: Something went wrong \
                 on the server; the message has the request id.",
            ),
            error(400, "`bad_request`: The `Idempotency-Key` can't be read."),
        ])
    }
}

impl IntoResponses for UploadErrors {
    fn responses() -> Responses {
        BTreeMap::from([
            import_error(
                422,
                "Refused, and nothing is stored: `validation_failed`, `unsupported_type`, \
                 `invalid_file_type`, `missing_content`, `file_too_large`, `content_too_large`, \
                 `idempotency_key_reused`. Or stored but not published, with `import_id`: \
                 `not_configured`, `invalid_rows`, `unassigned_mappings`, `not_publishable`; \
                 `errors` has the first problems with their lines.",
            ),
            import_error(
                500,
                "`publish_failed`: The upload is stored, but the publish could not be queued; \
                 `import_id` names it. Or `internal_server_error`: Something went wrong on the \
                 server; the message has the request id.",
            ),
            error(507, "`insufficient_storage`: There is too little space left for uploads."),
        ])
    }
}

impl IntoResponses for StorageError {
    fn responses() -> Responses {
        BTreeMap::from([error(
            507,
            "`insufficient_storage`: There is too little space left for uploads.",
        )])
    }
}

impl IntoResponses for StreamErrors {
    fn responses() -> Responses {
        BTreeMap::from([error(
            429,
            "`rate_limit_exceeded`: see `details` and `Retry-After`. Or `too_many_streams`: this \
             key has too many open streams",
        )])
    }
}

impl IntoResponses for PublishErrors {
    fn responses() -> Responses {
        BTreeMap::from([
            import_error(
                422,
                "`not_configured`, `invalid_rows`, `unassigned_mappings` or `not_publishable`, \
                 with `import_id`; `errors` has the first problems with their lines. Or \
                 `idempotency_key_reused`.",
            ),
            import_error(
                500,
                "`publish_failed`: The publish could not be queued; the import is as it was, \
                 `import_id` names it. Or `internal_server_error`: Something went wrong on the \
                 server; the message has the request id.",
            ),
            error(400, "`bad_request`: The `Idempotency-Key` can't be read."),
        ])
    }
}

impl IntoResponses for ConflictError {
    fn responses() -> Responses {
        BTreeMap::from([error(
            409,
            "The request makes no sense in the present state; the code gives the reason.",
        )])
    }
}
