//! Bodies of requests: one struct that is read, judged and described.
//!
//! `body!` declares the members of a JSON object with their types. Reading and the description of
//! the interface both come from those types, so they can't differ:
//!
//! ```text
//! body! {
//!     /// The fields of a tag.
//!     struct TagFields as "Tag" in ["tag"] {
//!         /// The name that people see; unique in the family, whatever its case.
//!         #[example("Holiday")]
//!         name: NonNull<Text<1, LABEL_CHARS_MAX>>,
//!         /// The colour as `#rrggbb`. Null or missing: one that follows from the id.
//!         color: Nullable<Color>,
//!     }
//! }
//! impl Checked for TagFields {
//!     type Output = LabelInput;
//!     fn check(self) -> Result<LabelInput> { … }
//! }
//! ```
//!
//! * The outer type of a member ([`presence`]) decides what missing and null mean; the inner one
//!   ([`kinds`]) decides which JSON values are taken. A value of a wrong type is one problem among
//!   others, and a number is the text that was sent, never a float.
//! * [`New`] and [`Change`] make two request bodies of one struct: required members are required in
//!   the first and may be missing in the second.
//! * The members may stand in the object itself or inside of a member that is named like the noun.

pub(crate) mod kinds;
mod macros;
pub(crate) mod presence;
pub(crate) mod schema;

use std::marker::PhantomData;

use purser_core::error::{Error, Problems, Result};

use self::schema::MemberSchema;
use super::caller::Caller;
use super::describe::{Components, RequestSchema};
use super::error::ApiResult;
use super::fields::Fields;
use super::idempotency::Fingerprint;
use super::unread::Unread;
use crate::state::AppState;

pub(crate) use macros::{body, example};

/// The members of a JSON object as a struct; `body!` implements it.
pub(crate) trait Body: Sized + Send + Sync + 'static {
    /// The noun, for the names of schemas: `Tag`.
    const NAME: &'static str;
    /// Members that may hold the others: `tag`.
    const WRAPPERS: &'static [&'static str];
    /// What the members are, one sentence or more.
    fn description() -> String;
    /// Every member in the order of the struct.
    fn members(components: &mut Components) -> Vec<MemberSchema>;
    /// Reads the members; what can't be read is a problem and counts as not sent.
    fn read(sent: &Sent<'_>, problems: &mut Problems) -> Self;
}

/// A body that is judged as a whole before anything is looked up.
pub(crate) trait Checked: Body {
    /// What the use case takes.
    type Output: Send + Sync + 'static;
    /// Judges the members. Problems of reading come with them, so that all are reported at once:
    /// where the use case reports problems itself, they are handed on.
    fn check(self, problems: Problems) -> Result<Self::Output>;
}

/// The members that a request sent, inside of the wrapper if there is one.
pub(crate) struct Sent<'a> {
    /// The members of the noun.
    pub(crate) inner: &'a Fields,
    /// The members beside the wrapper; the same as `inner` where there is none.
    pub(crate) outer: &'a Fields,
}

/// What a request may bring as its body.
pub(crate) trait RequestBody: Send + Sync + 'static {
    /// What the handler gets.
    type Output: Send + Sync + 'static;
    /// How it is described; `None` where there is no body.
    fn describe(components: &mut Components) -> Option<RequestSchema>;
    /// Reads the body of a caller's request, and adds it to the fingerprint of the request.
    fn read(
        body: Unread,
        app: &AppState,
        caller: &Caller,
        fingerprint: &mut Fingerprint,
    ) -> impl Future<Output = ApiResult<Self::Output>> + Send;
}

/// The body of a request that creates something: required members must be there.
pub(crate) struct New<B>(PhantomData<fn() -> B>);

/// The body of a request that changes something: what is missing stays as it is.
pub(crate) struct Change<B>(PhantomData<fn() -> B>);

impl<B: Checked> RequestBody for New<B> {
    type Output = B::Output;

    fn describe(components: &mut Components) -> Option<RequestSchema> {
        Some(schema::request::<B>(&format!("New{}", B::NAME), true, components))
    }

    async fn read(
        body: Unread,
        _: &AppState,
        _: &Caller,
        fingerprint: &mut Fingerprint,
    ) -> ApiResult<B::Output> {
        Ok(read_checked::<B>(&fields(body, fingerprint).await?)?)
    }
}

impl<B: Checked> RequestBody for Change<B> {
    type Output = B::Output;

    fn describe(components: &mut Components) -> Option<RequestSchema> {
        Some(schema::request::<B>(&format!("{}Change", B::NAME), false, components))
    }

    async fn read(
        body: Unread,
        _: &AppState,
        _: &Caller,
        fingerprint: &mut Fingerprint,
    ) -> ApiResult<B::Output> {
        Ok(read_checked::<B>(&fields(body, fingerprint).await?)?)
    }
}

/// The body of a request of which no member has to be there, and so the body neither.
pub(crate) struct Perhaps<B>(PhantomData<fn() -> B>);

impl<B: Checked> RequestBody for Perhaps<B> {
    type Output = B::Output;

    fn describe(components: &mut Components) -> Option<RequestSchema> {
        let schema = schema::request::<B>(&format!("New{}", B::NAME), true, components);
        Some(RequestSchema { required: false, ..schema })
    }

    async fn read(
        body: Unread,
        _: &AppState,
        _: &Caller,
        fingerprint: &mut Fingerprint,
    ) -> ApiResult<B::Output> {
        let fields = Fields::read_if_any(body).await?;
        fields.add_to(fingerprint);
        Ok(read_checked::<B>(&fields)?)
    }
}

/// A request without a body: whatever is sent is left unread.
impl RequestBody for () {
    type Output = ();

    fn describe(_: &mut Components) -> Option<RequestSchema> {
        None
    }

    async fn read(_: Unread, _: &AppState, _: &Caller, _: &mut Fingerprint) -> ApiResult<()> {
        Ok(())
    }
}

/// A request with an empty body, or with an object without members that count.
pub(crate) struct Nothing;

impl RequestBody for Nothing {
    type Output = ();

    fn describe(_: &mut Components) -> Option<RequestSchema> {
        None
    }

    async fn read(body: Unread, _: &AppState, _: &Caller, _: &mut Fingerprint) -> ApiResult<()> {
        body.nothing().await
    }
}

async fn fields(body: Unread, fingerprint: &mut Fingerprint) -> ApiResult<Fields> {
    let fields = Fields::read(body).await?;
    fields.add_to(fingerprint);
    Ok(fields)
}

/// Reads and judges the members, inside of a wrapper or outside.
pub(crate) fn read_checked<B: Checked>(fields: &Fields) -> Result<B::Output> {
    read_with::<B>(fields, Problems::new())
}

/// As [`read_checked`], where something else that was sent may have problems already.
pub(crate) fn read_with<B: Checked>(fields: &Fields, mut problems: Problems) -> Result<B::Output> {
    let wrapped = unwrap(fields, B::WRAPPERS)?;
    let inner = wrapped.as_ref().unwrap_or(fields);
    let body = B::read(&Sent { inner, outer: fields }, &mut problems);
    body.check(problems)
}

fn unwrap(fields: &Fields, wrappers: &[&str]) -> Result<Option<Fields>> {
    let mut found: Option<(&str, Fields)> = None;
    for wrapper in wrappers {
        let Some(inner) = fields.object(wrapper)? else { continue };
        if let Some((other, _)) = &found {
            return Err(Error::invalid(format!("Only one of {other} and {wrapper} may be sent")));
        }
        found = Some((wrapper, inner));
    }
    Ok(found.map(|(_, inner)| inner))
}

#[cfg(test)]
mod tests;
