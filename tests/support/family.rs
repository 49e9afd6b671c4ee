//! A family with its first admin and a key, made by the command line.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::client::Client;
use super::server::Server;

/// What a key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// A key that can only read.
    Read,
    /// A key that can read and write.
    ReadWrite,
}

impl Scope {
    fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadWrite => "read_write",
        }
    }
}

/// A family, and a client with a key of its admin that may do everything.
#[derive(Debug)]
pub(crate) struct Family {
    /// The admin's sign-in name.
    pub(crate) email: String,
    /// With a `read_write` key.
    pub(crate) api: Client,
}

impl Server {
    /// A new family that counts in US dollars.
    #[track_caller]
    pub(crate) fn family(&self) -> Family {
        self.family_in("USD")
    }

    /// A new family that counts in the currency.
    #[track_caller]
    pub(crate) fn family_in(&self, currency: &str) -> Family {
        static COUNTER: AtomicU32 = AtomicU32::new(1);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let email = format!("admin{number}@example.com");
        let name = format!("Family {number}");
        self.run_json(
            &[
                "user",
                "add",
                "--email",
                &email,
                "--family",
                &name,
                "--currency",
                currency,
                "--password-stdin",
            ],
            "correct horse battery staple\n",
        );
        let api = self.client().with_key(&self.key(&email, Scope::ReadWrite));
        Family { email, api }
    }

    /// A new key of a user.
    #[track_caller]
    pub(crate) fn key(&self, email: &str, scope: Scope) -> String {
        let made = self.run_json(
            &["key", "add", "--user", email, "--name", "test", "--scope", scope.as_str()],
            "",
        );
        made["key"].as_str().unwrap_or_else(|| panic!("no key in {made}")).to_owned()
    }
}

impl Family {
    /// Creates an account and returns its id.
    #[track_caller]
    pub(crate) fn account(&self, name: &str, account_type: &str) -> String {
        self.account_with(json!({ "name": name, "account_type": account_type }))
    }

    /// Creates an account with any fields and returns its id.
    #[track_caller]
    pub(crate) fn account_with(&self, fields: Value) -> String {
        self.api.post("/api/v1/accounts", &fields).expect_status(201).id()
    }

    /// Uploads and publishes a CSV into an account and waits for the end; the import.
    #[track_caller]
    pub(crate) fn import(&self, account: &str, csv: &str) -> Value {
        let fields = json!({
            "raw_file_content": csv, "account_id": account, "publish": "true",
            // Files of tests often have no sign in them.
            "signage_convention": "inflows_positive",
        });
        let made = self.api.post("/api/v1/imports", &fields).expect_status(201);
        let import = self.api.wait_for_import(&made.id());
        assert_eq!(import["status"], "complete", "{import}");
        import
    }
}
