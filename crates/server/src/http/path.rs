//! Ids in paths.
//!
//! A malformed id gets exactly the answer of an unknown one and of another family's: 404 with the
//! noun. [`Id`] reads the parameter `id`; it must come after `Reader` or `Writer` in a handler's
//! arguments, because 403 comes before 404.

use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;
use purser_core::error::Error;
use purser_core::ids::{self, AccountId, HoldingId, ImportId, KeyId, TemplateId};
use uuid::Uuid;

use super::error::{ApiError, ApiResult};

/// The id that stands in the path as `{id}`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Id<T>(pub(crate) T);

/// An id whose noun is known.
pub(crate) trait PathId: From<Uuid> {
    /// The noun, as `not found` says it.
    const NOUN: &'static str;

    /// Reads the id.
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
    AccountId = "Account",
    HoldingId = "Holding",
    ImportId = "Import",
    KeyId = "API key",
    TemplateId = "Import template",
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
        assert_eq!(ImportId::read(id).unwrap().to_string(), id);
        let error = ImportId::read("0190f5f07c007a10800000000000000a").unwrap_err();
        assert_eq!(error.to_string(), "Import not found");
    }
}
