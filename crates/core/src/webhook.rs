//! Webhooks: addresses of a family that are sent what has happened.

use jiff::SignedDuration;

use crate::named::{Named, text_enum};

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

/// What a delivery reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeliveryEvent {
    /// Something has happened that the webhook wants.
    Happened(WebhookEvent),
    /// Somebody wants to see whether the receiver accepts what it is sent.
    Test,
}

impl Named for DeliveryEvent {
    const ALL: &'static [Self] = &[
        Self::Happened(WebhookEvent::ImportFinished),
        Self::Happened(WebhookEvent::ImportFailed),
        Self::Happened(WebhookEvent::SyncFinished),
        Self::Happened(WebhookEvent::SyncFailed),
        Self::Happened(WebhookEvent::ConnectionAttention),
        Self::Happened(WebhookEvent::ConsentEnding),
        Self::Test,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Happened(event) => event.as_str(),
            Self::Test => "webhook.test",
        }
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
        /// Too many later ones waited for the receiver.
        Crowded = "crowded",
    }
}

/// Minutes from each failed attempt to the next one.
const WAIT_MINUTES: [i64; 8] = [1, 5, 15, 60, 180, 360, 720, 1_440];

/// The wait after so many failed attempts; `None` if the delivery is given up. A test is sent once,
/// because somebody waits for what comes of it.
pub fn wait(event: DeliveryEvent, attempts: u32) -> Option<SignedDuration> {
    if event == DeliveryEvent::Test {
        return None;
    }
    let at = usize::try_from(attempts.checked_sub(1)?).ok()?;
    WAIT_MINUTES.get(at).copied().map(SignedDuration::from_mins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_end() {
        let event = DeliveryEvent::Happened(WebhookEvent::SyncFailed);
        let waits: Vec<_> = (1..).map_while(|attempts| wait(event, attempts)).collect();
        assert_eq!(waits.len(), 8);
        assert!(waits.is_sorted());
        assert_eq!(wait(event, 0), None);
        assert_eq!(wait(DeliveryEvent::Test, 1), None);
        assert!(waits.iter().map(SignedDuration::as_hours).sum::<i64>() >= 40, "two nights");
    }

    #[test]
    fn a_delivery_reports_whatever_can_happen_or_is_a_test() {
        let happened = WebhookEvent::ALL.iter().copied().map(DeliveryEvent::Happened);
        assert!(happened.chain([DeliveryEvent::Test]).eq(DeliveryEvent::ALL.iter().copied()));
        assert_eq!(WebhookEvent::named("webhook.test"), None, "nobody subscribes to it");
    }
}
