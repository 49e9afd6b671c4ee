//! Which hosts may be asked: those of the providers, and those that the operator names.
//!
//! No family chooses a host. The address of a SimpleFIN connection comes from a token that a person
//! pastes, so without this list anyone who may make a connection could have the server ask
//! anything.

use purser_outbound::Url;
use purser_outbound::origin::Origin;

use super::ClientSettings;
use crate::registry::ProviderKind;

/// Hosts of all providers.
#[derive(Debug, Clone)]
pub struct PermittedHosts {
    named_by_operator: Vec<Origin>,
}

impl PermittedHosts {
    /// The providers' own hosts and what the settings name.
    pub fn new(settings: &ClientSettings) -> Self {
        let base = settings.lunchflow_base.as_ref().and_then(Origin::of);
        let named_by_operator = settings.hosts.iter().cloned().chain(base).collect();
        Self { named_by_operator }
    }

    /// Whether a provider may be asked at an address. Without encryption only if the operator named
    /// the host so.
    pub fn permits(&self, provider: ProviderKind, url: &Url) -> bool {
        let Some(origin) = Origin::of(url) else { return false };
        let own = provider.hosts().iter().filter_map(|host| format!("https://{host}").parse().ok());
        own.into_iter().any(|own: Origin| own == origin) || self.named_by_operator.contains(&origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hosts_of_the_list_are_asked() {
        let hosts = vec!["http://127.0.0.1:8090".parse().unwrap()];
        let lunchflow_base = Some(Url::parse("https://bridge.example/v1").unwrap());
        let settings = ClientSettings { hosts, lunchflow_base, ..ClientSettings::default() };
        let permitted = PermittedHosts::new(&settings);
        let permits = |kind, url: &str| permitted.permits(kind, &Url::parse(url).unwrap());
        let (lunchflow, simplefin) = (ProviderKind::Lunchflow, ProviderKind::Simplefin);
        assert!(permits(lunchflow, "https://www.lunchflow.app/api/v1/accounts"));
        assert!(permits(simplefin, "https://beta-bridge.simplefin.org/simplefin/accounts"));
        assert!(permits(simplefin, "http://127.0.0.1:8090/simplefin/accounts"));
        assert!(permits(lunchflow, "https://bridge.example/other"));
        for other in [
            "http://www.lunchflow.app/api/v1/accounts",
            "https://www.lunchflow.app:8443/api/v1/accounts",
            "https://www.lunchflow.app.evil.example/api/v1",
            "https://www.lunchflow.app@evil.example/api/v1",
            "https://beta-bridge.simplefin.org/simplefin/accounts",
            "https://127.0.0.1:8090/",
            "http://127.0.0.1:8091/",
            "http://169.254.169.254/latest/meta-data",
            "file:///etc/passwd",
        ] {
            assert!(!permits(lunchflow, other), "{other}");
        }
    }
}
