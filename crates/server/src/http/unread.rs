//! Reading ordinary request bodies: JSON, bounded in size and time.
//!
//! A handler takes [`Unread`] and reads it after it has looked up what the path names, because a
//! wrong id (404) comes before a wrong body (400, 413, 415, 422).

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use http::{HeaderMap, header};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use purser_core::error::Error;
use serde::de::DeserializeOwned;

use super::in_flight::InFlight;
use super::upload::Upload;
use crate::http::error::{ApiError, ApiResult};
use crate::limits::{JSON_BODY_BYTES_MAX, TimeLimits};
use crate::state::AppState;

/// The sentence about an empty body where one is required.
pub(crate) const EMPTY_BODY: &str = "The request body is empty";

/// A body that nobody has read yet.
#[derive(Debug)]
pub(crate) struct Unread {
    headers: HeaderMap,
    body: Body,
    times: TimeLimits,
    in_flight: Option<InFlight>,
}

impl FromRequest<AppState> for Unread {
    type Rejection = std::convert::Infallible;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, Self::Rejection> {
        let (parts, body) = request.into_parts();
        let in_flight = parts.extensions.get().cloned();
        Ok(Self { headers: parts.headers, body, times: app.times.clone(), in_flight })
    }
}

impl Unread {
    /// Reads an ordinary JSON body.
    pub(crate) async fn json<T: DeserializeOwned>(self) -> ApiResult<T> {
        self.require_json()?;
        let bytes = self.bytes(JSON_BODY_BYTES_MAX).await?;
        parse_json(&bytes)
    }

    /// For requests without fields: there is no body, or an empty JSON object.
    pub(crate) async fn nothing(self) -> ApiResult<()> {
        let body: Option<serde_json::Value> = self.json_if_any().await?;
        match body.is_none_or(|body| body.is_object()) {
            true => Ok(()),
            false => Err(Error::invalid("The body must be an object").into()),
        }
    }

    /// A body of JSON; none if it is empty.
    pub(crate) async fn json_if_any<T: DeserializeOwned>(self) -> ApiResult<Option<T>> {
        let media_type = self.require_json();
        let bytes = self.bytes(JSON_BODY_BYTES_MAX).await?;
        if bytes.trim_ascii().is_empty() {
            return Ok(None);
        }
        media_type?;
        parse_json(&bytes).map(Some)
    }

    /// Reads a whole body of at most `bytes_max` bytes.
    pub(crate) async fn bytes(self, bytes_max: usize) -> ApiResult<Bytes> {
        self.require_identity()?;
        refuse_declared(&self.body, bytes_max as u64)?;
        if let Some(in_flight) = &self.in_flight {
            in_flight.make_room(expected_bytes(&self.body, bytes_max)).await?;
        }
        read_all(self.body, bytes_max, self.times.body).await
    }

    /// The body piece by piece, for uploads.
    pub(crate) fn upload(self, bytes_max: u64) -> ApiResult<Upload> {
        self.require_identity()?;
        refuse_declared(&self.body, bytes_max)?;
        Ok(Upload::new(self.body, bytes_max, &self.times))
    }

    /// The media type without parameters, in lower case; empty if there is none.
    pub(crate) fn media_type(&self) -> String {
        let value = self.content_type().split(';').next().unwrap_or_default();
        value.trim().to_ascii_lowercase()
    }

    /// The whole content type, as it was sent; empty if there is none.
    pub(crate) fn content_type(&self) -> &str {
        self.headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default()
    }

    fn require_json(&self) -> ApiResult<()> {
        match self.media_type().as_str() {
            "application/json" => Ok(()),
            _ => Err(ApiError::unsupported_media_type("The body must be application/json")),
        }
    }

    /// Compressed bodies are refused: a small one could become a huge one.
    fn require_identity(&self) -> ApiResult<()> {
        let identity = self
            .headers
            .get_all(header::CONTENT_ENCODING)
            .iter()
            .all(|value| value.as_bytes().eq_ignore_ascii_case(b"identity"));
        if identity {
            return Ok(());
        }
        Err(ApiError::unsupported_media_type("The body must not be compressed"))
    }
}

/// A declared length is refused before a byte of it is read.
fn refuse_declared(body: &Body, bytes_max: u64) -> ApiResult<()> {
    use http_body::Body as _;
    match body.size_hint().lower() > bytes_max {
        true => Err(ApiError::content_too_large(bytes_max)),
        false => Ok(()),
    }
}

/// The declared length of a body, or the most that it may have.
fn expected_bytes(body: &Body, bytes_max: usize) -> u64 {
    use http_body::Body as _;
    body.size_hint().upper().map_or(bytes_max as u64, |bytes| bytes.min(bytes_max as u64))
}

async fn read_all(body: Body, bytes_max: usize, time: Duration) -> ApiResult<Bytes> {
    let read = Limited::new(body, bytes_max).collect();
    match tokio::time::timeout(time, read).await {
        Err(_) => Err(ApiError::request_timeout()),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            Err(ApiError::content_too_large(bytes_max as u64))
        }
        Ok(Err(error)) => {
            Err(ApiError::bad_request("The body can't be read").with_cause(error.to_string()))
        }
    }
}

/// 400 for what isn't JSON, 422 for JSON of another form.
pub(crate) fn parse_json<T: DeserializeOwned>(bytes: &[u8]) -> ApiResult<T> {
    if bytes.trim_ascii().is_empty() {
        return Err(ApiError::bad_request(EMPTY_BODY));
    }
    serde_json::from_slice(bytes).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => {
            Error::invalid(format!("The body doesn't have the expected form: {}", public(&error)))
                .into()
        }
        _ => ApiError::bad_request(format!("The body is not valid JSON: {error}")),
    })
}

/// The parser names our types (`expected struct Foo`); a client knows only objects.
fn public(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once("expected struct ") {
        None => text,
        Some((before, after)) => {
            let rest = after.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            format!("{before}expected an object{rest}")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "only its form matters")]
    struct Example {
        number: u32,
    }

    fn unread(headers: &[(&'static str, &'static str)], body: impl Into<Body>) -> Unread {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect();
        let times = TimeLimits { body: Duration::from_millis(100), ..TimeLimits::default() };
        Unread { headers, body: body.into(), times, in_flight: None }
    }

    async fn status(headers: &[(&'static str, &'static str)], body: impl Into<Body>) -> u16 {
        match unread(headers, body).json::<Example>().await {
            Ok(_) => 200,
            Err(error) => error.status().as_u16(),
        }
    }

    const JSON: &[(&str, &str)] = &[("content-type", "application/JSON; charset=utf-8")];

    #[tokio::test]
    async fn bodies_are_refused_for_what_is_wrong_with_them() {
        assert_eq!(status(JSON, r#"{"number": 1}"#).await, 200);
        assert_eq!(status(JSON, r#"{"number": "x"}"#).await, 422);
        assert_eq!(status(JSON, "[").await, 400);
        assert_eq!(status(JSON, "").await, 400);
        assert_eq!(status(JSON, "\u{0}").await, 400);
        assert_eq!(status(JSON, vec![b' '; JSON_BODY_BYTES_MAX + 1]).await, 413);
        assert_eq!(status(&[], r#"{"number": 1}"#).await, 415);
        assert_eq!(status(&[("content-type", "text/plain")], "{}").await, 415);
        let encoded = [JSON[0], ("content-encoding", "gzip")];
        assert_eq!(status(&encoded, r#"{"number": 1}"#).await, 415);
        let identity = [JSON[0], ("content-encoding", "Identity")];
        assert_eq!(status(&identity, r#"{"number": 1}"#).await, 200);
    }

    #[tokio::test]
    async fn an_empty_body_is_called_empty() {
        for empty in ["", " \r\n"] {
            let error = unread(JSON, empty).json::<Example>().await.unwrap_err();
            assert!(error.body().contains(EMPTY_BODY), "{}", error.body());
        }
    }

    #[tokio::test]
    async fn requests_without_fields_have_no_body_or_an_object() {
        let nothing =
            async |headers, body: &'static str| match unread(headers, body).nothing().await {
                Ok(()) => 200,
                Err(error) => error.status().as_u16(),
            };
        for (headers, body, status) in [
            (&[][..], "", 200),
            (&[("content-type", "text/plain")][..], "", 200),
            (JSON, " ", 200),
            (JSON, "{}", 200),
            (JSON, r#"{"any": 1}"#, 200),
            (JSON, "[]", 422),
            (JSON, "null", 422),
            (JSON, "{", 400),
            (&[][..], "{}", 415),
        ] {
            assert_eq!(nothing(headers, body).await, status, "{body:?}");
        }
    }

    #[tokio::test]
    async fn a_body_of_unknown_length_is_cut_off_too() {
        let piece = Ok::<_, std::io::Error>(vec![b' '; 64 * 1024]);
        let pieces = futures_util::stream::iter(std::iter::repeat_with(move || match &piece {
            Ok(bytes) => Ok(bytes.clone()),
            Err(_) => Err(std::io::Error::other("never")),
        }));
        assert_eq!(status(JSON, Body::from_stream(pieces)).await, 413);
    }

    #[tokio::test]
    async fn a_body_that_does_not_come_ends_in_a_timeout() {
        let silence = futures_util::stream::pending::<Result<Bytes, std::io::Error>>();
        assert_eq!(status(JSON, Body::from_stream(silence)).await, 408);
    }

    #[test]
    fn names_of_types_stay_inside() {
        let error = serde_json::from_str::<Example>("3").unwrap_err();
        assert!(error.to_string().contains("Example"));
        let text = public(&error);
        assert!(
            text.contains("expected an object at line 1") && !text.contains("Example"),
            "{text}"
        );
    }
}
