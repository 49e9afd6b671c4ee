//! Which inner addresses webhooks may have.

use clap::Args;
use purser_app::providers::Origin;
use purser_app::webhooks::address::WebhookHosts;

use super::UnlessBlank;

/// Where webhooks may lead beside the Internet. No family can change it.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Webhooks")]
pub(crate) struct WebhookArgs {
    /// Hosts that webhooks may have although they are inner ones or not encrypted, separated by
    /// commas, such as `http://127.0.0.1:9000`
    #[arg(long, env = "PURSER_WEBHOOK_HOSTS", value_delimiter = ',')]
    webhook_hosts: Vec<UnlessBlank<Origin>>,
}

impl From<WebhookArgs> for WebhookHosts {
    fn from(args: WebhookArgs) -> Self {
        Self(args.webhook_hosts.into_iter().filter_map(|host| host.0).collect())
    }
}
