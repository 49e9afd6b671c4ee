//! Webhooks: addresses of a family that are sent what has happened.

use jiff::SignedDuration;

use crate::named::text_enum;

text_enum! {
    /// Something that a webhook can be sent.
    WebhookEvent {
        /// An import was published.
        ImportFinished = "import.finished",
        /// A publish was given up.
        ImportFailed = "import.failed",
        /// A sync of a provider connection was completed.
        SyncFinished = "sync.finished",
        /// A sync of a provider connection failed.
        SyncFailed = "sync.failed",
        /// A provider connection needs a person.
        ConnectionAttention = "connection.needs_attention",
        /// The bank's consent of a provider connection ends soon.
        ConsentEnding = "connection.consent_ending",
    }
}

text_enum! {
    /// The state of a delivery.
    DeliveryStatus {
        /// It waits for its next attempt.
        Pending = "pending",
        /// The receiver has accepted it.
        Delivered = "delivered",
        /// It was given up.
        Failed = "failed",
    }
}

text_enum! {
    /// Why an attempt of a delivery failed.
    DeliveryFailure {
        /// The receiver answered with another status than 2xx.
        Refused = "refused",
        /// The receiver could not be reached.
        Unreachable = "unreachable",
        /// No answer came in time.
        TimedOut = "timed_out",
        /// The receiver redirects elsewhere.
        Redirected = "redirected",
        /// The address leads to this machine or a network behind it.
        InnerAddress = "inner_address",
        /// The secret can't be decrypted any more.
        SecretUnreadable = "secret_unreadable",
        /// The webhook was switched off.
        SwitchedOff = "switched_off",
    }
}

/// Minutes from each failed attempt to the next one.
const WAIT_MINUTES: [i64; 8] = [1, 5, 15, 60, 180, 360, 720, 1_440];

/// The wait after so many failed attempts; `None` if the delivery is given up.
pub fn wait(attempts: u32) -> Option<SignedDuration> {
    let at = usize::try_from(attempts.checked_sub(1)?).ok()?;
    WAIT_MINUTES.get(at).copied().map(SignedDuration::from_mins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_end() {
        let waits: Vec<_> = (1..).map_while(wait).collect();
        assert_eq!(waits.len(), 8);
        assert!(waits.is_sorted());
        assert_eq!(wait(0), None);
        assert!(waits.iter().map(SignedDuration::as_hours).sum::<i64>() >= 40, "two nights");
    }
}
