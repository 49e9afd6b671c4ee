//! Why a request to the object store came to nothing.

use purser_outbound::Failure as Sending;

/// What went wrong; it names neither a key nor the content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// There was no whole answer.
    #[error("the object store can't be reached: {0:?}")]
    Unanswered(Sending),
    /// There is no room, or the operator's quota is used up.
    #[error("the object store has no space left ({0})")]
    NoSpace(String),
    /// The store refused, or failed itself; the status and its code for it.
    #[error("the object store answered with {status} {code}")]
    Refused {
        /// The status of the answer.
        status: u16,
        /// The code in its body; empty if there is none.
        code: String,
    },
    /// The answer isn't what the protocol has.
    #[error("the object store's answer can't be understood: {0}")]
    NotUnderstood(&'static str),
    /// The local file that is sent can't be read.
    #[error("the file that is sent can't be read: {0}")]
    Local(String),
    /// The part of the program that makes requests has ended.
    #[error("requests to the object store have ended")]
    Ended,
}

impl Failure {
    /// Whether the same request may succeed a moment later.
    pub(crate) fn may_pass(&self) -> bool {
        match self {
            Self::Unanswered(sending) => {
                !matches!(sending, Sending::Unsendable | Sending::LeadsInside)
            }
            Self::Refused { status, code } => {
                matches!(status, 429 | 500 | 502 | 503 | 504) || code == "RequestTimeout"
            }
            Self::NoSpace(_) | Self::NotUnderstood(_) | Self::Local(_) | Self::Ended => false,
        }
    }

    /// What an answer that isn't a success stands for.
    pub(crate) fn of_answer(status: u16, code: String) -> Self {
        let is_full = status == 507
            || ["QuotaExceeded", "XMinioStorageFull", "EntityTooLarge"].contains(&code.as_str());
        if is_full { Self::NoSpace(code) } else { Self::Refused { status, code } }
    }
}

impl From<Sending> for Failure {
    fn from(sending: Sending) -> Self {
        Self::Unanswered(sending)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_tried_again_and_nothing_else() {
        let refused = |status, code: &str| Failure::of_answer(status, code.to_owned());
        for (failure, may_pass) in [
            (Failure::Unanswered(Sending::Unreachable), true),
            (Failure::Unanswered(Sending::BrokenOff), true),
            (Failure::Unanswered(Sending::Unsendable), false),
            (refused(503, "SlowDown"), true),
            (refused(400, "RequestTimeout"), true),
            (refused(403, "SignatureDoesNotMatch"), false),
            (refused(301, "PermanentRedirect"), false),
            (refused(507, ""), false),
            (Failure::NotUnderstood("x"), false),
        ] {
            assert_eq!(failure.may_pass(), may_pass, "{failure}");
        }
        assert!(matches!(refused(403, "QuotaExceeded"), Failure::NoSpace(_)));
    }
}
