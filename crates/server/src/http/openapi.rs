//! Groups of errors for the description of the interface, so that a type of requests or answers
//! documents all of its errors in a line. Each error is described once in the document, below
//! `components`, and operations refer to it.

use utoipa::openapi::{Content, OneOf, Ref, RefOr, Response, ResponseBuilder, Schema};

use super::headers;

/// An error that operations can answer with.
pub(crate) struct DescribedError {
    /// The HTTP status of the answer.
    pub(crate) status: u16,
    /// The name of the description in the document.
    pub(crate) name: &'static str,
    description: &'static str,
    /// Whether the body names the import, if there is one.
    names_import: bool,
}

/// Errors that belong together.
pub(crate) trait ErrorGroup {
    /// The errors, each with another status.
    const ERRORS: &'static [DescribedError];
}

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

/// The errors that a publish of a session can have besides. It stands after [`CommonErrors`].
pub(crate) struct SessionErrors;

/// The errors that a stream of events can have besides: the key may have too many of them.
pub(crate) struct StreamErrors;

/// The errors that an undo can have besides. It stands after [`CommonErrors`] and replaces its 500.
pub(crate) struct RevertErrors;

const fn error(status: u16, name: &'static str, description: &'static str) -> DescribedError {
    DescribedError { status, name, description, names_import: false }
}

/// An error that names the import if there is one.
const fn import_error(
    status: u16,
    name: &'static str,
    description: &'static str,
) -> DescribedError {
    DescribedError { status, name, description, names_import: true }
}

impl DescribedError {
    /// The answer as the document has it.
    pub(crate) fn response(&self) -> Response {
        let schema = |name: &str| -> RefOr<Schema> { Ref::from_schema_name(name).into() };
        let body = if self.names_import {
            let mut either = OneOf::new();
            either.items = vec![schema("ErrorBody"), schema("ImportErrorBody")];
            RefOr::T(Schema::OneOf(either))
        } else {
            schema("ErrorBody")
        };
        let response = ResponseBuilder::new().description(self.description);
        let mut response = response.content("application/json", Content::new(Some(body))).build();
        headers::refer(&mut response, headers::of_error(self.status));
        response
    }
}

const INVALID: DescribedError = error(
    422,
    "Invalid",
    "`validation_failed` or a more exact code: The request was understood and refused; `errors` \
     has the reasons.",
);
const UNREADABLE_KEY: DescribedError =
    error(400, "UnreadableKey", "`bad_request`: The `Idempotency-Key` can't be read.");
const INSUFFICIENT_STORAGE: DescribedError = error(
    507,
    "InsufficientStorage",
    "`insufficient_storage`: There is too little space left for uploads.",
);

impl ErrorGroup for CommonErrors {
    const ERRORS: &'static [DescribedError] = &[
        error(
            401,
            "Unauthorized",
            "`unauthorized`: The key is missing, unknown, expired or revoked.",
        ),
        error(
            403,
            "Forbidden",
            "`insufficient_scope`: The key may only read. Or `restricted_key`: The key is \
             restricted to chosen accounts.",
        ),
        error(
            429,
            "TooManyRequests",
            "`rate_limit_exceeded`: There were too many requests; `Retry-After` has the seconds to \
             wait.",
        ),
        error(
            500,
            "InternalServerError",
            "`internal_server_error`: Something went wrong on the server; the message has the \
             request id.",
        ),
        error(
            503,
            "Unavailable",
            "`unavailable`: The request may succeed after the time in `Retry-After`.",
        ),
    ];
}

impl ErrorGroup for NotFoundError {
    const ERRORS: &'static [DescribedError] =
        &[error(404, "NotFound", "`not_found`: There is no such thing that this key may see.")];
}

impl ErrorGroup for InvalidError {
    const ERRORS: &'static [DescribedError] = &[INVALID];
}

impl ErrorGroup for BodyErrors {
    const ERRORS: &'static [DescribedError] = &[
        INVALID,
        error(400, "UnreadableRequest", "`bad_request`: The body or a header can't be read."),
        error(408, "RequestTimeout", "`request_timeout`: The body didn't arrive in time."),
        error(413, "ContentTooLarge", "`content_too_large`: The body is over the transport cap."),
        error(
            415,
            "UnsupportedMediaType",
            "`unsupported_media_type`: The body has another content type, or is compressed.",
        ),
    ];
}

impl ErrorGroup for ConflictError {
    const ERRORS: &'static [DescribedError] = &[error(
        409,
        "Conflict",
        "The request makes no sense in the present state; the code gives the reason.",
    )];
}

impl ErrorGroup for UploadErrors {
    const ERRORS: &'static [DescribedError] = &[
        import_error(
            422,
            "UploadRefused",
            "Refused, and nothing is stored: `validation_failed`, `invalid_file_type`, \
             `missing_content`, `file_too_large`, `content_too_large`, \
             `idempotency_key_reused`. Or stored but not published, with `import_id`: \
             `not_configured`, `invalid_rows`, `unassigned_mappings`, `not_proven`, \
             `not_publishable`; `errors` \
             has the first problems with their lines.",
        ),
        import_error(
            500,
            "UploadNotPublished",
            "`publish_failed`: The upload is stored, but the publish could not be queued; \
             `import_id` names it. Or `internal_server_error`: Something went wrong on the server; \
             the message has the request id.",
        ),
        INSUFFICIENT_STORAGE,
    ];
}

impl ErrorGroup for StorageError {
    const ERRORS: &'static [DescribedError] = &[INSUFFICIENT_STORAGE];
}

impl ErrorGroup for StreamErrors {
    const ERRORS: &'static [DescribedError] = &[error(
        429,
        "TooManyStreams",
        "`rate_limit_exceeded`: There were too many requests. Or `too_many_streams`: The key has \
         too many open streams. `Retry-After` has the seconds to wait.",
    )];
}

impl ErrorGroup for PublishErrors {
    const ERRORS: &'static [DescribedError] = &[
        import_error(
            422,
            "PublishRefused",
            "`not_configured`, `invalid_rows`, `unassigned_mappings`, `not_proven` or \
             `not_publishable`, with \
             `import_id`; `errors` has the first problems with their lines. Or \
             `idempotency_key_reused`.",
        ),
        import_error(
            500,
            "PublishNotQueued",
            "`publish_failed`: The publish could not be queued; the import is as it was, \
             `import_id` names it. Or `internal_server_error`: Something went wrong on the server; \
             the message has the request id.",
        ),
        UNREADABLE_KEY,
    ];
}

impl ErrorGroup for SessionErrors {
    const ERRORS: &'static [DescribedError] = &[
        import_error(
            422,
            "SessionRefused",
            "`missing_chunks`; or `not_configured`, `invalid_rows`, `unassigned_mappings` or \
             `not_publishable`, where `errors` has the first problems with chunk and line, and \
             `import_id` is there if the session has become an import. Or \
             `idempotency_key_reused`.",
        ),
        UNREADABLE_KEY,
        INSUFFICIENT_STORAGE,
    ];
}

impl ErrorGroup for RevertErrors {
    const ERRORS: &'static [DescribedError] = &[
        import_error(
            422,
            "RevertRefused",
            "`not_revertable`: The import is not published, or is being undone; `import_id` names \
             it. Or `idempotency_key_reused`.",
        ),
        import_error(
            500,
            "RevertNotQueued",
            "`revert_not_queued`: Nothing was changed, and the request may be sent again; \
             `import_id` names the import. Or `internal_server_error`: Something went wrong on the \
             server; the message has the request id.",
        ),
        UNREADABLE_KEY,
    ];
}
