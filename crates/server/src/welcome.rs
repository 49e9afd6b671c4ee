//! What whoever started the server reads: what is there, and what to do next.

use std::net::SocketAddr;

use purser_app::demo::{self, Credentials, EMAIL};
use purser_app::{Store, users};
use purser_core::error::Result;

/// What the server found when it started.
pub(crate) enum Welcome {
    /// The demo was asked for: what opens its data.
    Demo(Credentials),
    /// The data is the demo's, but nobody asked for the demo.
    DemoFolder,
    /// There is no user yet.
    Empty,
    /// Families that know their way.
    Families,
}

impl Welcome {
    /// Looks at what is there, without the demo.
    pub(crate) fn find(store: &Store) -> Result<Self> {
        if demo::is_there(store)? {
            return Ok(Self::DemoFolder);
        }
        let is_any = store.read_directory_blocking(users::is_any)?;
        Ok(if is_any { Self::Families } else { Self::Empty })
    }

    /// What is printed below the address.
    pub(crate) fn text(&self, address: SocketAddr) -> String {
        match self {
            Self::Demo(access) => demo_text(address, access),
            Self::DemoFolder => format!(
                "This is the data of the demo, with {EMAIL} as its user. `purser serve --demo` \
                 makes a new password and key for it; for data of your own name another folder \
                 with --data-dir.\n"
            ),
            Self::Empty => "There is no family yet: the first page makes one.\n".to_owned(),
            Self::Families => String::new(),
        }
    }
}

/// What to do with the demo, as lines that work when they are pasted into a shell.
fn demo_text(address: SocketAddr, access: &Credentials) -> String {
    let (key, password) = (access.key.reveal(), access.password.reveal());
    format!(
        "
Demo family. Its pages:

  http://{address}/    sign in as {EMAIL} with {password}

Its API key (new at each start, as the password):

  export PURSER_KEY={key}

Its accounts and their balances:

  curl -H \"X-Api-Key: $PURSER_KEY\" http://{address}/api/v1/accounts

A file of the bank waits to be looked at under Imports, and transfers to be confirmed under
Transactions. Under Banks is a connection to simulated banks, with accounts to link.

Its latest transactions:

  curl -H \"X-Api-Key: $PURSER_KEY\" 'http://{address}/api/v1/transactions?per_page=5'

Import a bank's CSV:

  printf 'Date,Description,Amount,Account\\n2026-01-31,Coffee,-3.20,Wallet\\n' > coffee.csv
  curl -H \"X-Api-Key: $PURSER_KEY\" -F file=@coffee.csv -F publish=true http://{address}/api/v1/imports

Everything the API can do: http://{address}/api/docs

"
    )
}
