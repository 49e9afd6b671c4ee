//! Typed answers: the status, the body and their description are one type.

use std::io;
use std::marker::PhantomData;

use axum::response::{IntoResponse, Response};
use http::StatusCode;
use purser_core::error::{Error, Result};
use purser_core::text::size::size;
use serde::Serialize;
use utoipa::ToSchema;

use super::describe::{Description, Output};
use super::openapi::ErrorGroup;
use crate::limits::ANSWER_BYTES_MAX;

/// What a use case answers with, before it is written as JSON.
pub(crate) trait Reply: Send + 'static {
    /// The HTTP status of the answer.
    fn status(&self) -> StatusCode;
    /// The body; `None` for an answer without one.
    fn body(&self) -> Result<Option<String>>;
    /// Adds the statuses and schemas that this answer can have.
    fn describe(operation: &mut Description<'_>);
}

/// 200 with a body.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

/// 201 with what was created.
#[derive(Debug)]
pub(crate) struct Created<T>(pub(crate) T);

/// 201 with what was created, or 200 with what existed already.
#[derive(Debug)]
pub(crate) struct CreatedOrFound<T> {
    /// What is there now.
    pub(crate) body: T,
    /// Whether it existed before.
    pub(crate) existed: bool,
}

/// 202 with work that goes on after the answer.
#[derive(Debug)]
pub(crate) struct Accepted<T>(pub(crate) T);

/// 200: something of this noun is deleted. There is a body, because clients read one after DELETE.
#[derive(Debug)]
pub(crate) struct Deleted(pub(crate) &'static str);

/// 204: it is deleted, for the few nouns after which clients read no body.
#[derive(Debug)]
pub(crate) struct NoContent;

/// The answer to a deletion.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Deleted)]
struct DeletedBody {
    /// What is deleted, as a sentence for people.
    #[schema(example = "Transaction deleted")]
    message: String,
}

/// The answer `R` of an operation that has the errors `E` besides those of every operation.
#[derive(Debug)]
pub(crate) struct Or<R, E>(R, PhantomData<fn() -> E>);

impl<R, E> From<R> for Or<R, E> {
    fn from(reply: R) -> Self {
        Self(reply, PhantomData)
    }
}

impl<R: Reply, E: ErrorGroup + 'static> Reply for Or<R, E> {
    fn status(&self) -> StatusCode {
        self.0.status()
    }

    fn body(&self) -> Result<Option<String>> {
        self.0.body()
    }

    fn describe(operation: &mut Description<'_>) {
        R::describe(operation);
        operation.errors::<E>();
    }
}

impl<T: Serialize + ToSchema + Send + 'static> Reply for Json<T> {
    fn status(&self) -> StatusCode {
        StatusCode::OK
    }

    fn body(&self) -> Result<Option<String>> {
        write(&self.0)
    }

    fn describe(operation: &mut Description<'_>) {
        operation.answer::<T>(200, "The request succeeded.");
    }
}

impl<T: Serialize + ToSchema + Send + 'static> Reply for Created<T> {
    fn status(&self) -> StatusCode {
        StatusCode::CREATED
    }

    fn body(&self) -> Result<Option<String>> {
        write(&self.0)
    }

    fn describe(operation: &mut Description<'_>) {
        operation.answer::<T>(201, "It was created.");
    }
}

impl<T: Serialize + ToSchema + Send + 'static> Reply for CreatedOrFound<T> {
    fn status(&self) -> StatusCode {
        if self.existed { StatusCode::OK } else { StatusCode::CREATED }
    }

    fn body(&self) -> Result<Option<String>> {
        write(&self.body)
    }

    fn describe(operation: &mut Description<'_>) {
        operation.answer::<T>(201, "It was created.");
        operation.answer::<T>(200, "It existed already.");
    }
}

impl<T: Serialize + ToSchema + Send + 'static> Reply for Accepted<T> {
    fn status(&self) -> StatusCode {
        StatusCode::ACCEPTED
    }

    fn body(&self) -> Result<Option<String>> {
        write(&self.0)
    }

    fn describe(operation: &mut Description<'_>) {
        operation.answer::<T>(202, "The work is queued and goes on after this answer.");
    }
}

impl Reply for Deleted {
    fn status(&self) -> StatusCode {
        StatusCode::OK
    }

    fn body(&self) -> Result<Option<String>> {
        write(&DeletedBody { message: format!("{} deleted", self.0) })
    }

    fn describe(operation: &mut Description<'_>) {
        operation.answer::<DeletedBody>(200, "It is deleted.");
    }
}

impl Reply for NoContent {
    fn status(&self) -> StatusCode {
        StatusCode::NO_CONTENT
    }

    fn body(&self) -> Result<Option<String>> {
        Ok(None)
    }

    fn describe(operation: &mut Description<'_>) {
        operation.empty_answer(204, "It is deleted.");
    }
}

fn write(body: &impl Serialize) -> Result<Option<String>> {
    let mut buffer = Buffer::default();
    match serde_json::to_writer(&mut buffer, body) {
        // Without the room that a larger answer would have had.
        Ok(()) => String::from_utf8(buffer.bytes)
            .map(|mut text| {
                text.shrink_to_fit();
                Some(text)
            })
            .map_err(Error::internal),
        Err(_) if buffer.is_full => Err(too_large()),
        Err(error) => Err(Error::internal(error)),
    }
}

/// What no server that many share should hold in memory for one request.
fn too_large() -> Error {
    let most = size(ANSWER_BYTES_MAX as u64);
    let message =
        format!("The answer would be larger than {most}; ask for fewer items a page or fewer days");
    Error::invalid_code("answer_too_large", message)
}

/// An answer while it is written, up to [`ANSWER_BYTES_MAX`].
#[derive(Debug, Default)]
struct Buffer {
    bytes: Vec<u8>,
    is_full: bool,
}

impl io::Write for Buffer {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + piece.len() > ANSWER_BYTES_MAX {
            self.is_full = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An answer that is written already, with its status. `R` is the type that it was written from.
#[derive(Debug)]
pub(crate) struct Answer<R> {
    response: Response,
    reply: PhantomData<fn() -> R>,
}

impl<R: Reply> Answer<R> {
    /// Makes an answer of a reply that is ready.
    pub(crate) fn new(reply: &R) -> Result<Self> {
        Ok(Self::written(reply.status(), reply.body()?))
    }

    /// Makes an answer of a body that was written in a transaction.
    pub(crate) fn written(status: StatusCode, body: Option<String>) -> Self {
        let response = match body {
            Some(body) => super::json_bytes(status, body),
            None => status.into_response(),
        };
        Self::of(response)
    }

    /// Makes an answer of the stored answer of an earlier request.
    pub(super) fn of(response: Response) -> Self {
        Self { response, reply: PhantomData }
    }
}

impl<R> IntoResponse for Answer<R> {
    fn into_response(self) -> Response {
        self.response
    }
}

impl<R: Reply> Output for Answer<R> {
    fn describe(operation: &mut Description) {
        R::describe(operation);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_of_the_largest_size_is_written_and_a_larger_one_refused() {
        let text = |bytes: usize| write(&"a".repeat(bytes));
        let largest = text(ANSWER_BYTES_MAX - 2).unwrap().unwrap();
        assert_eq!((largest.len(), largest.capacity()), (ANSWER_BYTES_MAX, ANSWER_BYTES_MAX));
        let error = text(ANSWER_BYTES_MAX - 1).unwrap_err();
        assert_eq!(error.code(), "answer_too_large");
        assert!(error.to_string().contains("16 MiB"), "{error}");
    }
}
