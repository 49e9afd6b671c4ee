//! Which providers there are, and how a connection to each is opened.
//!
//! A connection stores one secret, which [`ProviderKind::enrol`] makes of what a person enters. The
//! pages, the API and the command line list what is here.

use std::sync::Arc;
use std::time::Duration;

use purser_core::named::Named;
use purser_core::secret::Secret;

use crate::Result;
use crate::client::Client;
use crate::client::pace::Pace;
use crate::lunchflow::Lunchflow;
use crate::provider::Provider;
use crate::simplefin::{self, Simplefin};

/// A provider that there is a client for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProviderKind {
    /// The paid provider of banks all over the world.
    Lunchflow,
    /// The open protocol, and the bridge that speaks it.
    Simplefin,
}

/// What a caller has to know of a provider beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// What a person enters, for the label of the field.
    pub entered: &'static str,
    /// Whether what is entered works only once.
    pub is_entered_once: bool,
    /// The days back that a window may reach, so that the provider's limits suffice.
    pub days_max: u32,
    /// Whether one answer has all accounts, so that it pays to ask for one window for all.
    pub answers_for_all_accounts: bool,
}

impl Named for ProviderKind {
    const ALL: &'static [Self] = &[Self::Lunchflow, Self::Simplefin];

    fn name(self) -> &'static str {
        self.as_str()
    }
}

impl ProviderKind {
    /// The name that is stored and that the API shows.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Lunchflow => "lunchflow",
            Self::Simplefin => "simplefin",
        }
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Lunchflow => "Lunch Flow",
            Self::Simplefin => "SimpleFIN",
        }
    }

    /// The kind of provider that the API shows.
    pub fn provider_type(self) -> &'static str {
        "aggregator"
    }

    /// The hosts that are asked unless the operator names others.
    pub fn hosts(self) -> &'static [&'static str] {
        match self {
            Self::Lunchflow => &["www.lunchflow.app"],
            Self::Simplefin => &["bridge.simplefin.org", "beta-bridge.simplefin.org"],
        }
    }

    /// What a caller has to know of the provider beforehand.
    pub fn traits(self) -> Traits {
        match self {
            Self::Lunchflow => Traits {
                entered: "API key",
                is_entered_once: false,
                days_max: 730,
                answers_for_all_accounts: false,
            },
            Self::Simplefin => Traits {
                entered: "Setup token",
                is_entered_once: true,
                // Five requests of 60 days beside the list: a key has eight at once.
                days_max: 290,
                answers_for_all_accounts: true,
            },
        }
    }

    /// How many requests a key may make. The first provider documents no number, but a limit of a
    /// hundred a minute is known behind it, so an operator may change its interval; the second one
    /// allows 24 a day.
    pub(crate) fn pace(self, lunchflow_interval: Duration) -> Pace {
        match self {
            Self::Lunchflow => Pace { burst: 20, interval: lunchflow_interval },
            Self::Simplefin => Pace { burst: 8, interval: Duration::from_secs(3600) },
        }
    }

    /// Makes the credentials that are stored of what a person entered. Whether they work shows the
    /// first call; a token that is used once is used up by it.
    pub async fn enrol(self, client: &Client, entered: &Secret) -> Result<Secret> {
        match self {
            Self::Lunchflow => Ok(Secret::new(entered.reveal().trim())),
            Self::Simplefin => simplefin::enrol(client, entered).await,
        }
    }

    /// Opens a connection for one run, with the credentials that are stored.
    pub fn open(self, client: &Arc<Client>, credentials: &Secret) -> Result<Box<dyn Provider>> {
        match self {
            Self::Lunchflow => Ok(Box::new(Lunchflow::open(client.clone(), credentials)?)),
            Self::Simplefin => Ok(Box::new(Simplefin::open(client.clone(), credentials)?)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_found_by_their_names() {
        for kind in ProviderKind::ALL {
            assert_eq!(ProviderKind::named(kind.as_str()), Some(*kind));
            assert!(!kind.hosts().is_empty());
        }
        assert_eq!(ProviderKind::named("plaid"), None);
    }
}
