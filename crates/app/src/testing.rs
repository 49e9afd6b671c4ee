//! Helpers of unit tests: an empty SQLite database with a family.

use purser_core::money::Currency;
use purser_store::families::{self, Family, NewFamily};
use purser_store::users::{NewUser, Role};
use purser_store::{FamilyId, Secret, Store, StoreOptions, Target};
use tempfile::TempDir;

/// An empty SQLite database in a temporary folder.
pub(crate) struct TestStore {
    pub(crate) store: Store,
    _folder: TempDir,
}

impl TestStore {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("test.db"));
        Self { store: Store::open(StoreOptions::new(target)).unwrap(), _folder: folder }
    }

    /// The number of a new family; its admin signs in with this address.
    pub(crate) fn family(&self, email: &str) -> FamilyId {
        self.whole_family(email).id
    }

    /// A new family; its admin signs in with this address.
    pub(crate) fn whole_family(&self, email: &str) -> Family {
        let new = NewFamily {
            name: "Family",
            currency: Currency::parse("EUR").unwrap(),
            time_zone: "Europe/Berlin",
        };
        let hash = Secret::new("none");
        let admin = NewUser { email, name: "Admin", role: Role::Admin, password_hash: &hash };
        self.store.write_directory_blocking(|tx| families::create(tx, &new, &admin)).unwrap().0
    }
}
