//! The one error type of the domain, with a public half and a private half.
//!
//! The public half (`code`, `message`, `problems`) is what a client or a page shows. The private
//! half (`cause` of [`Error::Internal`]) goes to the log and never leaves the process.

use serde_json::Value;

pub use self::problem::{Problem, Problems, texts};

mod problem;

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
        /// The first problem, in one sentence.
        message: String,
        /// Every problem found, in the order of the fields.
        problems: Vec<Problem>,
    },
    /// The request makes no sense in the present state.
    #[error("{message}")]
    Conflict {
        /// The stable machine code of the conflict.
        code: &'static str,
        /// The reason, in one sentence.
        message: String,
    },
    /// The caller may not do this.
    #[error("{message}")]
    Forbidden {
        /// The stable machine code of the refusal.
        code: &'static str,
        /// The reason, in one sentence.
        message: String,
    },
    /// The database or the disk can't take the work just now; trying again later may succeed.
    #[error("{message}")]
    Unavailable {
        /// The reason, in one sentence.
        message: String,
        /// The private half, for the log.
        cause: Cause,
    },
    /// A defect or a failure of the machine. The body shows only the request id.
    #[error("internal error: {cause}")]
    Internal {
        /// The private half, for the log.
        cause: Cause,
    },
    /// An error that carries structured data for the client.
    #[error("{source}")]
    WithDetails {
        /// The error that the data belong to.
        source: Box<Error>,
        /// The `details` of the body.
        details: Value,
    },
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::invalid(problem)
    }
}

/// The private half of an error: for the log only.
pub type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Result of a domain operation.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// `validation_failed` with one problem, which is also the message.
    pub fn invalid(problem: impl Into<Problem>) -> Self {
        Self::invalid_code("validation_failed", problem)
    }

    /// As [`Error::invalid`], with a code of its own.
    pub fn invalid_code(code: &'static str, problem: impl Into<Problem>) -> Self {
        let problem = problem.into();
        Self::Invalid { code, message: problem.to_string(), problems: vec![problem] }
    }

    /// Several problems; the first one is the message.
    pub fn invalid_list<P: Into<Problem>>(
        code: &'static str,
        problems: impl IntoIterator<Item = P>,
    ) -> Self {
        let problems: Vec<Problem> = problems.into_iter().map(Into::into).collect();
        let message = problems.first().map(Problem::to_string).unwrap_or_default();
        Self::Invalid { code, message, problems }
    }

    /// Wraps any error as internal.
    pub fn internal(cause: impl Into<Cause>) -> Self {
        Self::Internal { cause: cause.into() }
    }

    /// The same refusal of a value that was sent in another field.
    #[must_use]
    pub fn at_field(self, field: &str) -> Self {
        match self {
            Self::Invalid { code, problems, .. } => {
                Self::invalid_list(code, problems.into_iter().map(|problem| problem.at(field)))
            }
            other => other,
        }
    }

    /// The problems of a refusal, or the public sentence of any other error.
    pub fn into_problems(self) -> Vec<Problem> {
        match self {
            Self::Invalid { problems, .. } => problems,
            Self::WithDetails { source, .. } => source.into_problems(),
            Self::Internal { .. } => vec![Problem::sentence("Something went wrong on the server")],
            other => vec![Problem::sentence(other.to_string())],
        }
    }

    /// Whether the request was refused for what it is, and so has no effect for certain: it wasn't
    /// its commit that failed.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::NotFound { .. }
            | Self::Invalid { .. }
            | Self::Conflict { .. }
            | Self::Forbidden { .. } => true,
            Self::Unavailable { .. } | Self::Internal { .. } => false,
            Self::WithDetails { source, .. } => source.is_refusal(),
        }
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
