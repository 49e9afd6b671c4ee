//! The demo is complete whatever an earlier start was killed in.

use purser_store::{StoreOptions, Target, budgets, trades};

use super::*;

/// Accounts with balance and number of transactions, imports by status, and the numbers of
/// valuations, trades and budget lines.
type DemoState = (Vec<(String, i64, u64)>, Vec<ImportStatus>, [u64; 3]);

struct DemoServer {
    store: Store,
    files: FileStore,
    _folder: tempfile::TempDir,
}

impl DemoServer {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::Sqlite(folder.path().join("demo.db"));
        let store = Store::open(StoreOptions::new(target)).unwrap();
        let files = FileStore::open(folder.path(), &store).unwrap();
        Self { store, files, _folder: folder }
    }

    /// Runs the commits of a start, but only the first few; returns whether that stopped it.
    fn start_and_stop(&self, commits: u32) -> bool {
        let mut left = commits;
        let mut next = || {
            let goes_on = left > 0;
            left = left.saturating_sub(1);
            goes_on
        };
        let store = &self.store;
        if !next() {
            return true;
        }
        let (access, _) = create_family(store).unwrap();
        if !next() {
            return true;
        }
        let accounts = store.write_blocking(access.clone(), create_accounts).unwrap();
        let local = Local { store, files: &self.files, access: access.clone() };
        let today = store.read_blocking(access.clone(), purser_store::calendar::today).unwrap();
        for statement in statements(today) {
            let account = account(&accounts, statement.account).unwrap();
            if !next() {
                return true;
            }
            let (id, _) = begin_import(&local, &statement, account).unwrap().unwrap();
            if !next() {
                return true;
            }
            assert!(matches!(local.queue(id).unwrap(), Queued::Yes(_)));
            if !next() {
                return true;
            }
            finish_import(&local, id, ImportStatus::Importing).unwrap();
        }
        if !next() {
            return true;
        }
        store.write_blocking(access.clone(), |tx| value(tx, &accounts, today)).unwrap();
        if !next() {
            return true;
        }
        let brokerage = account(&accounts, BROKERAGE).unwrap();
        let buy = |tx: &mut FamilyTx<'_>| portfolio::buy(tx, brokerage, today);
        store.write_blocking(access.clone(), buy).unwrap();
        if !next() {
            return true;
        }
        store.write_blocking(access.clone(), |tx| budget::plan(tx, today)).unwrap();
        if !next() {
            return true;
        }
        leave_open(&local, &statements::newest(today), &accounts).unwrap();
        false
    }

    fn shown(&self) -> DemoState {
        let store = &self.store;
        let user =
            store.read_directory_blocking(|tx| users::find_by_email(tx, EMAIL)).unwrap().unwrap();
        let access = user.access();
        store
            .read_blocking(access.clone(), |tx| {
                let counts = accounts::transaction_counts(tx)?;
                let all = accounts::Listing::default();
                let accounts = accounts::list(tx, all, 100, 0)?.0.into_iter();
                let accounts = accounts.map(|account| {
                    let id = account.summary.id;
                    (account.summary.name, account.balance, counts[&id])
                });
                let imports = imports::list(tx, imports::Listing::default(), 100, 0)?.0;
                let imports = imports.iter().map(|import| import.condition.status);
                let all = valuations::Listing::default();
                let valuations = valuations::list(tx, all, 1, 0)?.1;
                let trades = trades::list(tx, trades::Listing::default(), 1, 0)?.1;
                let lines = budgets::lines::list(tx, budgets::lines::Listing::default(), 1, 0)?.1;
                Ok((accounts.collect(), imports.collect(), [valuations, trades, lines]))
            })
            .unwrap()
    }
}

#[test]
fn a_start_completes_what_an_earlier_one_was_killed_in() {
    let whole = DemoServer::new();
    prepare(&whole.store, &whole.files).unwrap();
    let expected = whole.shown();
    let (accounts, imports, [valuations, trades, lines]) = &expected;
    assert_eq!(accounts.len(), ACCOUNTS.len());
    assert_eq!(accounts.iter().filter(|(_, _, transactions)| *transactions > 0).count(), 3);
    assert_eq!(imports[0], ImportStatus::Pending, "to be looked at");
    assert_eq!(imports[1..], [ImportStatus::Complete; 3]);
    assert_eq!((*trades, *lines), (4, 5));
    assert_eq!(*valuations, VALUATIONS.len() as u64);

    for commits in 0.. {
        let place = DemoServer::new();
        let was_killed = place.start_and_stop(commits);
        for _ in 0..2 {
            prepare(&place.store, &place.files).unwrap();
            assert_eq!(place.shown(), expected, "after {commits} commits");
        }
        if !was_killed {
            assert_eq!(commits, 15);
            break;
        }
    }
}

#[test]
fn quotes_stand_around_cells_and_nowhere_else() {
    let today = jiff::civil::date(2026, 3, 31);
    for statement in statements(today).into_iter().chain([statements::newest(today)]) {
        for line in statement.text.lines() {
            for (at, quote) in line.match_indices('"') {
                let is_edge = |next: Option<char>| next.is_none_or(|next| ",\"".contains(next));
                let before = line[..at].chars().next_back();
                let after = line[at + quote.len()..].chars().next();
                assert!(is_edge(before) || is_edge(after), "{line}");
            }
        }
    }
}
