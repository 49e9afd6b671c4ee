//! The states of connections and runs as people read them.

use jiff::Timestamp;
use purser_app::connections::{self, ConnectionState};
use purser_app::syncs::Sync;
use purser_core::connection::condition::ConnectionCondition;
use purser_core::connection::{SyncErrorCode, SyncStatus};

use crate::web::view;

/// In place of a time that has come.
pub(super) const NOW: &str = "now";

/// A state: a word or two for a badge, and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StateView {
    pub(super) text: &'static str,
    /// `open`, `busy`, `done` or `bad`.
    pub(super) class: &'static str,
    /// What it means and what to do, if there is anything to know.
    pub(super) sentence: Option<String>,
}

/// A connection as lists show it.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) id: String,
    pub(super) name: String,
    /// The provider, and the bank if there is only one.
    pub(super) source: String,
    pub(super) condition: ConnectionCondition,
    pub(super) state: StateView,
    /// How many accounts are linked, failed, or wait.
    pub(super) accounts: String,
    /// When a run was completed last.
    pub(super) last: Option<String>,
    /// When the next run is planned.
    pub(super) next: Option<String>,
    /// Whether a run is due, waits or is under way.
    pub(super) is_syncing: bool,
    /// Whether it is being deleted.
    pub(super) is_deleting: bool,
    /// What the provider reports about it as a whole.
    pub(super) notices: Vec<String>,
}

impl Summary {
    pub(super) fn of(state: &ConnectionState, now: Timestamp, zone: &str) -> Self {
        let one = &state.connection;
        let condition = state.condition(now);
        let bank = one.institution.name.clone().or_else(|| one.institution.domain.clone());
        let provider = provider_title(&one.provider);
        let source = match bank.filter(|bank| *bank != one.name) {
            Some(bank) => format!("{bank}, by {provider}"),
            None => provider,
        };
        let time = |at| view::time(at, zone);
        let code = one.latest.as_ref().and_then(|run| run.error);
        let next = one.next_attempt_at.filter(|_| !one.scheduled_for_deletion);
        Self {
            id: one.id.to_string(),
            name: one.name.clone(),
            source,
            condition,
            state: condition_view(condition, code, one.consent_expires_at.map(time)),
            accounts: one.coverage.summary(),
            last: one.last_synced_at.map(time),
            next: next.map(|at| if at <= now { NOW.to_owned() } else { time(at) }),
            // What is due begins within seconds.
            is_syncing: one.latest.as_ref().is_some_and(|run| run.status.is_running())
                || (next.is_some_and(|at| at <= now) && condition != ConnectionCondition::Overdue),
            is_deleting: one.scheduled_for_deletion,
            notices: one.notices.clone(),
        }
    }

    /// Whether it changes by itself in the next seconds.
    pub(super) fn is_busy(&self) -> bool {
        self.is_syncing || (self.is_deleting && !self.wants_deletion())
    }

    /// Whether another key helps.
    pub(super) fn wants_key(&self) -> bool {
        use ConnectionCondition::{KeyRefused, KeyUnreadable};
        matches!(self.condition, KeyRefused | KeyUnreadable)
    }

    /// Whether only another wish to delete it helps.
    pub(super) fn wants_deletion(&self) -> bool {
        self.condition == ConnectionCondition::DeletionFailed
    }

    /// Whether accounts wait to be linked.
    pub(super) fn wants_setup(&self) -> bool {
        self.condition == ConnectionCondition::SetupNeeded
    }
}

/// The name of a provider for people; one that there is no client for any more keeps its own.
pub(super) fn provider_title(name: &str) -> String {
    let known = connections::providers().find(|one| one.name == name);
    known.map_or(name, |one| one.title).to_owned()
}

fn consent_ending(end: &str) -> String {
    format!("The bank's consent ends on {end}. Renew it at the provider.")
}

fn sentence(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn condition_view(
    condition: ConnectionCondition,
    code: Option<SyncErrorCode>,
    consent_end: Option<String>,
) -> StateView {
    use ConnectionCondition as Condition;
    let of_code = || code.unwrap_or(SyncErrorCode::Interrupted).sentence().to_owned();
    let (text, class, shown) = match condition {
        Condition::DeletionFailed => (
            "Not deleted",
            "bad",
            sentence(
                "An error on the server stopped the deletion. The key is gone; delete the \
                 connection again to remove the rest.",
            ),
        ),
        Condition::Deleting => ("Being deleted", "busy", None),
        Condition::KeyUnreadable => (
            "Key needed",
            "bad",
            sentence("The server can't decrypt the stored key any more. Enter it again."),
        ),
        Condition::KeyRefused => {
            ("Key refused", "bad", Some(SyncErrorCode::CredentialsRejected.sentence().to_owned()))
        }
        Condition::ConsentExpired => (
            "Consent expired",
            "bad",
            sentence("The bank asks for a new consent. Renew it at the provider, then sync."),
        ),
        Condition::AccountsRefused => (
            "Needs attention",
            "bad",
            sentence(
                "Some accounts need a new consent at the provider, or another key. The latest \
                 sync shows which.",
            ),
        ),
        Condition::Failing => ("Sync failed", "open", Some(of_code())),
        Condition::Overdue => (
            "Overdue",
            "open",
            sentence("The planned sync has not begun. Is the server busy, or was it off?"),
        ),
        Condition::AccountsFailing => (
            "Partly failed",
            "open",
            sentence("Some accounts failed. The latest sync shows which, and why."),
        ),
        Condition::AccountsIncomplete => (
            "Incomplete",
            "open",
            sentence(
                "Of some accounts the provider didn't give everything, or not in a way that can be \
                 read. The latest sync shows which.",
            ),
        ),
        Condition::ConsentEnding => {
            ("Consent ends soon", "open", Some(consent_ending(&consent_end.unwrap_or_default())))
        }
        Condition::SetupNeeded => (
            "Accounts to link",
            "open",
            sentence("Choose what becomes of the accounts that were found."),
        ),
        Condition::New => ("Not synced yet", "busy", None),
        Condition::Working => ("Working", "done", None),
    };
    StateView { text, class, sentence: shown }
}

/// The state of a run.
pub(super) fn run_view(run: &Sync) -> StateView {
    let (text, class) = match run.status {
        SyncStatus::Pending => ("Waiting", "busy"),
        SyncStatus::Syncing => ("Syncing", "busy"),
        SyncStatus::Completed if run.accounts_failed > 0 => ("Partly failed", "open"),
        SyncStatus::Completed => ("Done", "done"),
        SyncStatus::Failed => ("Failed", "bad"),
        SyncStatus::Stale => ("Broken off", "open"),
    };
    StateView { text, class, sentence: run.error.map(|code| code.sentence().to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_needs_a_person_has_a_sentence() {
        for condition in ConnectionCondition::ALL {
            let view = condition_view(*condition, None, None);
            assert_eq!(condition.needs_a_person(), view.class == "bad", "{condition:?}");
            assert!(view.class == "busy" || view.class == "done" || view.sentence.is_some());
        }
    }

    #[test]
    fn providers_have_titles() {
        assert_eq!(provider_title("simplefin"), "SimpleFIN");
        assert_eq!(provider_title("gone"), "gone");
    }
}
