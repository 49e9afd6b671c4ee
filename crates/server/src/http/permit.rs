//! What a caller must be allowed to do before anything else of a request is looked at.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;
use purser_core::error::Error;

use super::caller::{Caller, Reader, Writer};
use super::error::{ApiError, ApiResult};

/// A caller who passed the check of a route.
pub(crate) trait Permit:
    FromRequestParts<crate::state::AppState, Rejection = ApiError> + Send + Sync + 'static
{
    /// Whether routes with this permit change something.
    const WRITES: bool;

    /// The caller who passed the check.
    fn caller(&self) -> &Caller;

    /// The caller, to keep.
    fn shared(&self) -> Arc<Caller>;
}

impl Permit for Reader {
    const WRITES: bool = false;

    fn caller(&self) -> &Caller {
        self
    }

    fn shared(&self) -> Arc<Caller> {
        self.to_shared()
    }
}

impl Permit for Writer {
    const WRITES: bool = true;

    fn caller(&self) -> &Caller {
        self
    }

    fn shared(&self) -> Arc<Caller> {
        self.to_shared()
    }
}

/// A caller who sees every account of the family: for what is computed over all of them.
#[derive(Debug, Clone)]
pub(crate) struct UnrestrictedReader(Reader);

impl<S: Sync> FromRequestParts<S> for UnrestrictedReader {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let reader = Reader::from_request_parts(parts, state).await?;
        require_unrestricted(&reader)?;
        Ok(Self(reader))
    }
}

impl Permit for UnrestrictedReader {
    const WRITES: bool = false;

    fn caller(&self) -> &Caller {
        &self.0
    }

    fn shared(&self) -> Arc<Caller> {
        self.0.to_shared()
    }
}

fn require_unrestricted(caller: &Caller) -> Result<(), Error> {
    if caller.accounts().is_none() {
        return Ok(());
    }
    Err(Error::Forbidden {
        code: "restricted_key",
        message: "A key that is restricted to chosen accounts can't use what all accounts share \
                  in this way"
            .into(),
    })
}

/// A caller who may write and sees every account of the family: for what all accounts share.
#[derive(Debug, Clone)]
pub(crate) struct Unrestricted(Writer);

impl<S: Sync> FromRequestParts<S> for Unrestricted {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let writer = Writer::from_request_parts(parts, state).await?;
        require_unrestricted(&writer)?;
        Ok(Self(writer))
    }
}

impl Permit for Unrestricted {
    const WRITES: bool = true;

    fn caller(&self) -> &Caller {
        &self.0
    }

    fn shared(&self) -> Arc<Caller> {
        self.0.to_shared()
    }
}
