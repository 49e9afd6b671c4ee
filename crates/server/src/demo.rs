//! How to try the demo, for whoever started it.

use std::net::SocketAddr;

use purser_app::demo::{Credentials, EMAIL};

/// What to do with the demo, as lines that work when they are pasted into a shell.
pub(crate) fn welcome(address: SocketAddr, access: &Credentials) -> String {
    let (key, password) = (access.key.reveal(), access.password.reveal());
    format!(
        "
Demo family. Its pages:

  http://{address}/    sign in as {EMAIL} with {password}

Its API key (new at each start, as the password):

  export PURSER_KEY={key}

Its accounts and their balances:

  curl -H \"X-Api-Key: $PURSER_KEY\" http://{address}/api/v1/accounts

Its latest transactions:

  curl -H \"X-Api-Key: $PURSER_KEY\" 'http://{address}/api/v1/transactions?per_page=5'

Import a bank's CSV:

  printf 'Date,Description,Amount,Account\\n2026-01-31,Coffee,-3.20,Wallet\\n' > coffee.csv
  curl -H \"X-Api-Key: $PURSER_KEY\" -F file=@coffee.csv -F publish=true http://{address}/api/v1/imports

Everything the API can do: http://{address}/api/docs

"
    )
}
