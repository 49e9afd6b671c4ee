//! `purser serve`

use purser_core::error::Result;

use super::Globals;
use crate::config::{Backups, Feeds, Imports, Inbox, ProviderArgs, Server, WebhookArgs};

/// Settings of the server.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Start with an invented family: accounts, two years of transactions, and a key to try them
    #[arg(long)]
    demo: bool,
    #[command(flatten)]
    server: Server,
    #[command(flatten)]
    imports: Imports,
    #[command(flatten)]
    feeds: Feeds,
    #[command(flatten)]
    backups: Backups,
    #[command(flatten)]
    inbox: Inbox,
    #[command(flatten)]
    providers: ProviderArgs,
    #[command(flatten)]
    webhooks: WebhookArgs,
}

pub(super) fn run(globals: &Globals, args: Args) -> Result<()> {
    let Args { demo, server, imports, feeds, backups, inbox, providers, webhooks } = args;
    let others = (providers, webhooks);
    crate::serve::run(&globals.storage, server, (imports, feeds, (backups, inbox), others), demo)
}
