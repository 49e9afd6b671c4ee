//! Ids in paths.
//!
//! A malformed id gets exactly the answer of an unknown one and of another family's: 404 with the
//! noun. [`Id`] reads the parameter `id`; it must come after `Reader` or `Writer` in a handler's
//! arguments, because 403 comes before 404.

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;
use purser_app::FamilyTx;
use purser_core::error::Error;
use purser_core::ids::{self, KeyId};
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use uuid::Uuid;

use super::describe::Description;
use super::error::{ApiError, ApiResult};

/// The id that stands in the path as `{id}`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Id<T>(pub(crate) T);

/// What a path names, such as an id: read before everything else but the caller's rights.
pub(crate) trait PathParams: Send + Sync + Sized + 'static {
    /// Reads it from the parameters of the path; `None` if they are no text. What is malformed is
    /// not found.
    fn read(params: Option<&RawPathParams>) -> Result<Self, Error>;
    /// Describes the parameters; answers whether there are any.
    fn describe(operation: &mut Description<'_>) -> bool;
    /// Fails with `not_found` where there is no such thing that the caller may see.
    fn require(&self, tx: &mut FamilyTx<'_>) -> Result<(), Error>;
}

/// A path without parameters.
impl PathParams for () {
    fn read(_: Option<&RawPathParams>) -> Result<Self, Error> {
        Ok(())
    }

    fn describe(_: &mut Description<'_>) -> bool {
        false
    }

    fn require(&self, _: &mut FamilyTx<'_>) -> Result<(), Error> {
        Ok(())
    }
}

/// The parameter `{id}` of a path, for [`path_id!`].
pub(crate) fn read_id<T: PathId>(params: Option<&RawPathParams>) -> Result<T, Error> {
    let mut params = params.into_iter().flat_map(RawPathParams::iter);
    let id = params.find(|(name, _)| *name == "id").map(|(_, value)| value);
    T::read(id.unwrap_or_default())
}

/// Describes the parameter `{id}` of a path, for [`path_id!`].
pub(crate) fn describe_id<T: PathId>(operation: &mut Description<'_>) -> bool {
    let noun = T::NOUN.to_lowercase();
    let id = ObjectBuilder::new().schema_type(Type::String);
    let id = id.format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
    operation.parameter(ParameterIn::Path, "id", format!("The id of the {noun}."), id.into());
    true
}

/// The parameter `{n}` of a path; none if it is no number.
pub(crate) fn read_number(params: Option<&RawPathParams>) -> Option<u64> {
    let mut all = params.into_iter().flat_map(RawPathParams::iter);
    let (_, number) = all.find(|(name, _)| *name == "n")?;
    let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.parse().ok()).flatten()
}

/// Describes the parameter `{n}` of a path.
pub(crate) fn describe_number(operation: &mut Description<'_>, description: &str) {
    let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
    operation.parameter(ParameterIn::Path, "n", description.to_owned(), number.into());
}

/// Declares the id that a noun's paths have: its type, its noun, and how it is looked up.
macro_rules! path_id {
    ($id:ty, $noun:literal, $get:expr) => {
        impl $crate::http::path::PathId for $id {
            const NOUN: &'static str = $noun;
        }

        impl $crate::http::path::PathParams for $id {
            fn read(
                params: Option<&axum::extract::RawPathParams>,
            ) -> purser_core::error::Result<Self> {
                $crate::http::path::read_id(params)
            }

            fn describe(operation: &mut $crate::http::describe::Description<'_>) -> bool {
                $crate::http::path::describe_id::<Self>(operation)
            }

            fn require(&self, tx: &mut purser_app::FamilyTx<'_>) -> purser_core::error::Result<()> {
                let get = $get;
                get(tx, *self).map(drop)
            }
        }
    };
}

pub(crate) use path_id;

/// An id of a known noun.
pub(crate) trait PathId: From<Uuid> {
    /// The noun in the answer `… not found`.
    const NOUN: &'static str;

    /// Reads the id; a malformed one is not found.
    fn read(text: &str) -> Result<Self, Error> {
        ids::read(text).map(Self::from).map_err(|_| Error::NotFound { what: Self::NOUN })
    }
}

macro_rules! path_ids {
    ($($name:ident = $noun:literal),* $(,)?) => {$(
        impl PathId for $name {
            const NOUN: &'static str = $noun;
        }
    )*};
}

path_ids! {
    KeyId = "API key",
}

impl<T: PathId, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let params = RawPathParams::from_request_parts(parts, state).await;
        let text = params.ok().and_then(|params| {
            params.iter().find(|(name, _)| *name == "id").map(|(_, value)| value.to_owned())
        });
        Ok(Self(T::read(text.as_deref().unwrap_or_default())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_malformed_id_is_not_found() {
        let id = "0190f5f0-7c00-7a10-8000-00000000000a";
        assert_eq!(KeyId::read(id).unwrap().to_string(), id);
        let error = KeyId::read("0190f5f07c007a10800000000000000a").unwrap_err();
        assert_eq!(error.to_string(), "API key not found");
    }
}
