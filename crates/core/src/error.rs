//! The one error type of the domain, with a public half and a private half.
//!
//! The public half (`code`, `message`, `errors`) is what a client or a page shows. The private half
//! (`cause` of [`Error::Internal`]) goes to the log and never leaves the process.

use std::fmt;

use serde_json::Value;

/// What went wrong, in the terms of the interface.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The thing does not exist, or belongs to somebody else: the two look the same.
    #[error("{what} not found")]
    NotFound {
        /// The noun, capitalised: `Account`, `Import`.
        what: &'static str,
    },
    /// Input that was understood and refused.
    #[error("{message}")]
    Invalid {
        /// Stable machine code, `validation_failed` unless a more exact one exists.
        code: &'static str,
        /// One sentence.
        message: String,
        /// Every problem found, in the order of the fields.
        errors: Vec<String>,
    },
    /// The request makes no sense in the present state.
    #[error("{message}")]
    Conflict {
        /// Stable machine code.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// The caller may not do this.
    #[error("{message}")]
    Forbidden {
        /// Stable machine code.
        code: &'static str,
        /// One sentence.
        message: String,
    },
    /// The database or the disk can't take the work just now; trying again later may succeed.
    #[error("{message}")]
    Unavailable {
        /// One sentence.
        message: String,
        /// Private half.
        cause: Cause,
    },
    /// A defect or a failure of the machine. The body shows only the request id.
    #[error("internal error: {cause}")]
    Internal {
        /// Private half.
        cause: Cause,
    },
    /// An error that carries structured data for the client.
    #[error("{source}")]
    WithDetails {
        /// The error itself.
        source: Box<Error>,
        /// The `details` of the body.
        details: Value,
    },
}

/// The private half of an error: for the log only.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Result of a domain operation.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// `validation_failed` with one message that also stands in `errors`.
    pub fn invalid(message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Invalid { code: "validation_failed", errors: vec![message.clone()], message }
    }

    /// As [`Error::invalid`], with a code of its own.
    pub fn invalid_code(code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self::Invalid { code, errors: vec![message.clone()], message }
    }

    /// Wraps any error as internal.
    pub fn internal(cause: impl Into<Cause>) -> Self {
        Self::Internal { cause: cause.into() }
    }

    /// The stable machine code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "not_found",
            Self::Invalid { code, .. }
            | Self::Conflict { code, .. }
            | Self::Forbidden { code, .. } => code,
            Self::Unavailable { .. } => "unavailable",
            Self::Internal { .. } => "internal_server_error",
            Self::WithDetails { source, .. } => source.code(),
        }
    }
}

/// Collects every problem of an input before refusing it.
#[derive(Debug, Default)]
pub struct Problems(Vec<String>);

impl Problems {
    /// An empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one problem.
    pub fn push(&mut self, message: impl fmt::Display) {
        self.0.push(message.to_string());
    }

    /// True while nothing was added.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What was added.
    pub fn into_list(self) -> Vec<String> {
        self.0
    }

    /// `Ok` when there are none, else `validation_failed` with all of them.
    pub fn into_result(self) -> Result<()> {
        match self.0.first() {
            None => Ok(()),
            Some(first) => Err(Error::Invalid {
                code: "validation_failed",
                message: first.clone(),
                errors: self.0,
            }),
        }
    }
}
