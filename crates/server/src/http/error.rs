//! The one renderer of errors as JSON: `{error, message}` always, and `errors`, `details` and
//! `import_id` where there are any.
//!
//! Everything that can answer with an error (handlers, the request edge, the router's own 404 and
//! 405, a panic) makes an [`ApiError`]. Its private cause is logged while it is rendered, inside
//! the span of the request, and goes nowhere else.

use std::borrow::Cow;

use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, StatusCode, header};
use purser_app::keys::UNAUTHORIZED;
use purser_core::error::{Cause, Error, Problem, texts};
use purser_core::ids::ImportId;
use purser_core::text::size::size;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::http::caller::unauthorized;
use crate::http::request_id;

/// What a handler returns.
pub(crate) type ApiResult<T> = Result<T, ApiError>;

/// An error on its way to the client.
#[derive(Debug)]
pub(crate) struct ApiError(Box<Parts>);

#[derive(Debug)]
struct Parts {
    status: StatusCode,
    code: &'static str,
    message: Cow<'static, str>,
    problems: Vec<Problem>,
    details: Option<Value>,
    import_id: Option<ImportId>,
    headers: Vec<(HeaderName, HeaderValue)>,
    cause: Option<Cause>,
}

/// The public half of an error.
#[derive(Debug)]
pub(crate) struct Public {
    /// The HTTP status of the answer.
    pub(crate) status: StatusCode,
    /// The stable machine code, such as `not_found`.
    pub(crate) code: &'static str,
    /// What is wrong, in one sentence for people.
    pub(crate) message: Cow<'static, str>,
    /// Every problem of the input, where there are several to name.
    pub(crate) problems: Vec<Problem>,
    /// Further headers of the answer.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
}

/// The body of every error, but for those that name an import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ErrorBody<'a> {
    /// The stable code of the error, for programs.
    #[schema(example = "validation_failed")]
    error: &'a str,
    /// What is wrong, in one sentence for people.
    message: &'a str,
    /// Every problem of the input, if there are several.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    #[schema(required = false)]
    errors: &'a [String],
    /// Further data about the error, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Object, required = false)]
    details: Option<&'a Value>,
}

/// The body of an error after which an import exists.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ImportErrorBody<'a> {
    /// The stable code of the error, for programs.
    #[schema(example = "not_configured")]
    error: &'a str,
    /// What is wrong, in one sentence for people.
    message: &'a str,
    /// The first problems, with their lines in the file.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    #[schema(required = false)]
    errors: &'a [String],
    /// The id of the import. It can be shown and published later.
    #[schema(value_type = uuid::Uuid)]
    import_id: ImportId,
}

impl Parts {
    /// The body with a message, which may be another one than the error's own. Sentences have no
    /// full stop here, wherever they come from.
    fn body(&self, message: &str) -> String {
        let Self { code: error, problems, .. } = self;
        let message = message.trim_end_matches('.');
        let mut errors = texts(problems);
        errors.iter_mut().for_each(|text| text.truncate(text.trim_end_matches('.').len()));
        let errors = &errors;
        let details = self.details.as_ref();
        let body = match self.import_id {
            None => serde_json::to_string(&ErrorBody { error, message, errors, details }),
            Some(import_id) => {
                serde_json::to_string(&ImportErrorBody { error, message, errors, import_id })
            }
        };
        // Texts, numbers and maps with text keys can always be written.
        body.unwrap_or_default()
    }
}

impl ApiError {
    /// An error with a status, a code and a message that the client may see.
    pub(crate) fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self(Box::new(Parts {
            status,
            code,
            message: message.into(),
            problems: Vec::new(),
            details: None,
            import_id: None,
            headers: Vec::new(),
            cause: None,
        }))
    }

    /// Adds a header to the answer.
    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.push((name, value));
        self
    }

    /// Adds data, which the body has as `details`.
    pub(crate) fn with_details(mut self, details: Value) -> Self {
        self.0.details = Some(details);
        self
    }

    /// Adds the list of problems.
    pub(crate) fn with_problems(mut self, problems: Vec<Problem>) -> Self {
        self.0.problems = problems;
        self
    }

    /// Names the import that exists although the request failed.
    pub(crate) fn with_import_id(mut self, import: ImportId) -> Self {
        self.0.import_id = Some(import);
        self
    }

    /// Adds the private half, for the log.
    pub(crate) fn with_cause(mut self, cause: impl Into<Cause>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// The status that it is answered with.
    pub(crate) fn status(&self) -> StatusCode {
        self.0.status
    }

    /// 404 for a path without a route.
    pub(crate) fn route_not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "There is nothing at this address")
    }

    /// The route exists, but not with this method. The router adds `Allow`.
    pub(crate) fn method_not_allowed() -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "This address doesn't know this method",
        )
    }

    /// 400 for a body or an encoding that can't be read at all.
    pub(crate) fn bad_request(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    /// 415 for a form of body that the route doesn't accept.
    pub(crate) fn unsupported_media_type(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message)
    }

    /// 413 for a body over the transport cap.
    pub(crate) fn content_too_large(bytes_max: u64) -> Self {
        Self::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            "content_too_large",
            format!("The body is larger than {}", size(bytes_max)),
        )
    }

    /// 507 for a disk that is nearly full.
    pub(crate) fn insufficient_storage() -> Self {
        Self::new(
            StatusCode::INSUFFICIENT_STORAGE,
            "insufficient_storage",
            "There is too little space left for uploads",
        )
    }

    /// 408 for a body that doesn't arrive in time.
    pub(crate) fn request_timeout() -> Self {
        Self::new(StatusCode::REQUEST_TIMEOUT, "request_timeout", "The body didn't arrive in time")
            .with_header(header::CONNECTION, HeaderValue::from_static("close"))
    }

    /// 500 for a defect. The renderer puts the request id into the message.
    pub(crate) fn internal(cause: impl Into<Cause>) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_server_error", "").with_cause(cause)
    }

    /// The body, for an answer that is stored before it is sent.
    pub(crate) fn body(&self) -> String {
        self.0.body(&self.0.message)
    }

    /// Takes the public half, for a renderer that doesn't write JSON; the private half goes to the
    /// log.
    pub(crate) fn into_public(self) -> Public {
        self.log();
        let Parts { status, code, message, problems, headers, .. } = *self.0;
        let message =
            if message.is_empty() { "Something went wrong on the server.".into() } else { message };
        Public { status, code, message, problems, headers }
    }

    fn log(&self) {
        let Parts { status, code, message, cause, .. } = &*self.0;
        let status = status.as_u16();
        match cause {
            // Debug form: a cause can hold what somebody sent, line breaks included.
            Some(cause) if status >= 500 => {
                tracing::error!(status, code, cause = ?chain(cause.as_ref()), "request failed");
            }
            Some(cause) => tracing::info!(status, code, cause = ?chain(cause.as_ref()), "refused"),
            None => tracing::debug!(status, code, ?message, "refused"),
        }
    }
}

/// An error and what caused it, in one text.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        source = inner.source();
    }
    text
}

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        let code = error.code();
        let (status, message, problems, cause) = match error {
            Error::NotFound { what } => {
                (StatusCode::NOT_FOUND, format!("{what} not found"), Vec::new(), None)
            }
            Error::Invalid { message, problems, .. } => {
                (StatusCode::UNPROCESSABLE_ENTITY, message, problems, None)
            }
            Error::Conflict { message, .. } => (StatusCode::CONFLICT, message, Vec::new(), None),
            Error::Forbidden { code: UNAUTHORIZED, .. } => return unauthorized(),
            Error::Forbidden { message, .. } => (StatusCode::FORBIDDEN, message, Vec::new(), None),
            Error::Unavailable { message, cause } => {
                (StatusCode::SERVICE_UNAVAILABLE, message, Vec::new(), Some(cause))
            }
            Error::Internal { cause } => return Self::internal(cause),
            Error::WithDetails { source, details } => {
                return Self::from(*source).with_details(details);
            }
        };
        let mut api = Self::new(status, code, message);
        api.0.problems = problems;
        api.0.cause = cause;
        if status == StatusCode::SERVICE_UNAVAILABLE {
            return api.with_header(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        api
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.log();
        let body = if self.0.message.is_empty() {
            let id = request_id::current();
            self.0.body(&format!("Something went wrong on the server; the request id is {id}"))
        } else {
            self.body()
        };
        let Parts { status, headers, .. } = *self.0;
        let mut response = super::json_bytes(status, body);
        response.headers_mut().extend(headers);
        response
    }
}

#[cfg(test)]
mod tests {
    use purser_core::error::Problems;
    use serde_json::json;

    use super::*;

    fn render(error: impl Into<ApiError>) -> (StatusCode, http::HeaderMap, Value) {
        let (parts, body) = error.into().into_response().into_parts();
        let body = futures_util::FutureExt::now_or_never(axum::body::to_bytes(body, usize::MAX));
        (parts.status, parts.headers, serde_json::from_slice(&body.unwrap().unwrap()).unwrap())
    }

    #[test]
    fn every_error_of_the_domain_has_its_status_and_body() {
        let mut problems = Problems::new();
        problems.push("Amount is required");
        problems.push("Date is required");
        let (status, _, body) = render(problems.into_result().unwrap_err());
        assert_eq!(status, 422);
        assert_eq!(
            body,
            json!({
                "error": "validation_failed",
                "message": "Amount is required",
                "errors": ["Amount is required", "Date is required"],
            })
        );
        let (status, _, body) = render(Error::NotFound { what: "Import" });
        assert_eq!(status, 404);
        assert_eq!(body, json!({ "error": "not_found", "message": "Import not found" }));
        let conflict = Error::Conflict { code: "running", message: "Wait".into() };
        let detailed =
            Error::WithDetails { source: Box::new(conflict), details: json!({ "line": 3 }) };
        let (status, _, body) = render(detailed);
        assert_eq!(status, 409);
        assert_eq!(
            body,
            json!({ "error": "running", "message": "Wait", "details": { "line": 3 } })
        );
    }

    #[test]
    fn causes_stay_inside() {
        let (status, headers, body) =
            render(Error::Unavailable { message: "Try again".into(), cause: "canary".into() });
        assert_eq!(status, 503);
        assert_eq!(headers[header::RETRY_AFTER], "1");
        assert!(!body.to_string().contains("canary"));
        let (status, _, body) = render(Error::internal("canary"));
        assert_eq!(status, 500);
        assert_eq!(body["error"], "internal_server_error");
        assert!(!body.to_string().contains("canary"));
    }

    #[test]
    fn an_import_can_be_named() {
        let id = ImportId(uuid::Uuid::from_u128(5));
        let error = ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "publish_failed", "Later")
            .with_import_id(id);
        let (_, _, body) = render(error);
        assert_eq!(body["import_id"], id.to_string());
    }
}
