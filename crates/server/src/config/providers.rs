//! How providers of bank data are asked.

use std::num::NonZeroU32;

use clap::Args;
use purser_app::Store;
use purser_app::network::Network;
use purser_app::providers::{
    ClientSettings, FIRST_DAYS, FIRST_DAYS_MAX, LUNCHFLOW_PER_MINUTE, Origin, ProviderUrl,
    Providers,
};
use purser_app::secrets::SecretKeys;

use super::{UnlessBlank, networks, switch};

/// How providers of bank data are asked. No family can change any of it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Bank connections")]
pub(crate) struct ProviderArgs {
    /// Sync transactions that aren't booked yet, too; they are shown as pending
    #[arg(
        long,
        env = "PROVIDER_INCLUDE_PENDING",
        value_parser = switch,
        default_value = "false",
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true
    )]
    provider_include_pending: bool,
    /// Write raw answers of providers to the log, at level debug: with names and amounts, without
    /// keys and whole account numbers
    #[arg(
        long,
        env = "PROVIDER_DEBUG_RAW",
        value_parser = switch,
        default_value = "false",
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true
    )]
    provider_debug_raw: bool,
    // The same two with the prefix that all other variables have.
    #[arg(
        long,
        hide = true,
        env = "PURSER_PROVIDER_INCLUDE_PENDING",
        value_parser = switch,
        default_value = "false",
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true
    )]
    purser_provider_include_pending: bool,
    #[arg(
        long,
        hide = true,
        env = "PURSER_PROVIDER_DEBUG_RAW",
        value_parser = switch,
        default_value = "false",
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true
    )]
    purser_provider_debug_raw: bool,
    /// Hosts beside the providers' own that may be asked, separated by commas, such as
    /// `https://bridge.example` or `http://localhost:8090`
    #[arg(long, env = "PURSER_PROVIDER_HOSTS", value_delimiter = ',')]
    provider_hosts: Vec<UnlessBlank<Origin>>,
    /// Inner addresses or networks, separated by commas, that names of providers may lead to
    #[arg(long, env = "PURSER_PROVIDER_NETWORKS", value_delimiter = ',', value_parser = networks)]
    provider_networks: Vec<Option<Network>>,
    /// The address of Lunch Flow, or of what answers in its place
    #[arg(long, env = "PURSER_LUNCHFLOW_URL", value_name = "URL")]
    lunchflow_url: Option<UnlessBlank<ProviderUrl>>,
    /// How many requests of one key Lunch Flow answers in a minute
    #[arg(
        long,
        env = "PURSER_LUNCHFLOW_PER_MINUTE",
        value_name = "NUMBER",
        default_value_t = LUNCHFLOW_PER_MINUTE
    )]
    lunchflow_per_minute: NonZeroU32,
    /// The days of transactions that the first sync of an account asks for
    #[arg(
        long,
        env = "PURSER_SYNC_FIRST_DAYS",
        value_name = "DAYS",
        default_value_t = FIRST_DAYS,
        value_parser = clap::value_parser!(u32).range(1..=i64::from(FIRST_DAYS_MAX))
    )]
    sync_first_days: u32,
}

impl ProviderArgs {
    /// Whether pending transactions are wanted, by either name.
    fn include_pending(&self) -> bool {
        self.provider_include_pending || self.purser_provider_include_pending
    }

    /// Whether raw answers are logged, by either name.
    fn debug_raw(&self) -> bool {
        self.provider_debug_raw || self.purser_provider_debug_raw
    }

    /// The client that asks providers, and beside them the banks of the demo.
    pub(crate) fn providers(
        self,
        store: &Store,
        keys: SecretKeys,
        demo: Option<Origin>,
    ) -> Providers {
        let include_pending = self.include_pending();
        let client = ClientSettings {
            debug_raw: self.debug_raw(),
            hosts: self.provider_hosts.into_iter().filter_map(|host| host.0).chain(demo).collect(),
            networks: self.provider_networks.into_iter().flatten().collect(),
            lunchflow_base: self.lunchflow_url.and_then(|url| url.0).map(|url| url.0),
            lunchflow_per_minute: self.lunchflow_per_minute,
            ..ClientSettings::default()
        };
        Providers::new(store, keys, client, include_pending).with_first_days(self.sync_first_days)
    }
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        providers: ProviderArgs,
    }

    fn parse(arguments: &[&str]) -> ProviderArgs {
        Program::parse_from(["purser"].iter().chain(arguments)).providers
    }

    #[test]
    fn both_switches_have_two_names() {
        let none = parse(&[]);
        assert!(!none.include_pending() && !none.debug_raw());
        assert!(parse(&["--provider-include-pending"]).include_pending());
        assert!(parse(&["--purser-provider-include-pending=yes"]).include_pending());
        assert!(parse(&["--provider-debug-raw=on"]).debug_raw());
        assert!(parse(&["--purser-provider-debug-raw=1"]).debug_raw());
        assert!(Program::try_parse_from(["purser", "--provider-debug-raw=truee"]).is_err());
        let help = Program::command().render_long_help().to_string();
        for shown in ["PROVIDER_INCLUDE_PENDING", "PROVIDER_DEBUG_RAW", "PURSER_PROVIDER_HOSTS"] {
            assert!(help.contains(shown), "{shown}");
        }
    }

    #[test]
    fn hosts_are_origins_and_none_by_default() {
        let args = parse(&["--provider-hosts=https://a.example,http://127.0.0.1:8090,"]);
        assert_eq!(args.provider_hosts.iter().filter(|host| host.0.is_some()).count(), 2);
        assert!(parse(&["--provider-hosts="]).provider_hosts.iter().all(|host| host.0.is_none()));
        for wrong in ["--provider-hosts=a.example", "--lunchflow-url=file:///x"] {
            assert!(Program::try_parse_from(["purser", wrong]).is_err(), "{wrong}");
        }
        assert!(parse(&["--lunchflow-url=http://127.0.0.1:1/api/v1"]).lunchflow_url.is_some());
    }
}
