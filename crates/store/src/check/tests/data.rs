//! Two families with a bit of everything, made the way the program makes it.

use jiff::civil::date;
use purser_core::ids::{AccountId, EntryId, FileId, ImportId, UserId};
use purser_core::import::status::ImportStatus;
use purser_core::import::verdict::Verdict;
use purser_core::import::{kinds::Kind, mapping::MappingKind};
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_account::AccountInput;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::split::Part;
use purser_core::ledger::trade::TradeType;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::money::Currency;
use purser_core::plan::{
    CategoryRevision, Change, Creation, RecordChange, Target, TransactionDraft, TransactionFill,
};
use purser_core::rates::RateInput;
use serde_json::json;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::audit::Actor;
use crate::families::FamilyId;
use crate::files::{FileStore, file_insert};
use crate::idempotency::{self, Claimed};
use crate::imports::{self, Candidate, Mapping, NewImport, Plan, Published};
use crate::jobs;
use crate::keys::{self, NewKey, Scope};
use crate::ledger::{Event, Executor, Outcome, checkpoints::keeping_after};
use crate::rates::own;
use crate::sessions;
use crate::testing::{Fixture, new_import, renaming};
use crate::trades;
use crate::transactions;
use crate::transfers::changes;

/// What tests need to find again.
pub(super) struct Data {
    pub(super) files: FileStore,
    pub(super) family: FamilyId,
    pub(super) file: FileId,
}

impl Data {
    pub(super) fn new(fixture: &Fixture) -> Self {
        let files = FileStore::open(&fixture.directory, &fixture.store).unwrap();
        let (other, _) = fixture.family("other");
        make(fixture, other, &input("Foreign", "loan", "7"));
        let (family, user) = fixture.family("own");
        let giro = make(fixture, family, &input("Giro", "depository", "100")).summary.id;
        let dated = AccountInput {
            opening_date: Some("2024-01-01".to_owned()),
            ..input("Card", "credit_card", "12")
        };
        let card = make(fixture, family, &dated).summary.id;
        add_keys(fixture, family, user);
        let begin = |tx: &mut FamilyTx<'_>| sessions::begin(tx, family, user, &[7; 32], "form");
        fixture.store.write_blocking(family, begin).unwrap();
        let file = add_file(fixture, &files, family);
        let write = |work: &dyn Fn(&mut FamilyTx<'_>)| {
            fixture
                .store
                .write_blocking(family, |tx| {
                    work(tx);
                    Ok(())
                })
                .unwrap();
        };
        write(&|tx| add_transactions(tx, giro, card));
        let pot = make(fixture, family, &input("Pot", "depository", "70")).summary.id;
        let jar = make(fixture, family, &input("Jar", "depository", "3")).summary.id;
        write(&|tx| add_transfer(tx, pot, jar));
        let depot = make(fixture, family, &input("Depot", "investment", "0")).summary.id;
        let vault = make(fixture, family, &input("Vault", "investment", "0")).summary.id;
        write(&|tx| keeping_after(1, || add_trades(tx, depot, vault)));
        let dollars = AccountInput {
            currency: Some("USD".to_owned()),
            ..input("Overseas", "investment", "0")
        };
        let overseas = make(fixture, family, &dollars).summary.id;
        write(&|tx| add_foreign_trades(tx, overseas, vault));
        let abroad = make(fixture, family, &input("Abroad", "depository", "1")).summary.id;
        write(&|tx| add_split(tx, abroad));
        write(&|tx| add_converted(tx, abroad));
        write(&|tx| publish(tx, giro, Some(file), &["Rent", "Wages", "Coffee"]));
        write(&|tx| publish(tx, giro, None, &["Tea", "Books"]));
        write(&|tx| {
            let id = import(tx, giro, None, 1);
            assert!(imports::mark_importing(tx, id, ImportStatus::Pending).unwrap());
            let payload = json!({ "import_id": id });
            jobs::enqueue(tx, family, "import.publish", &payload, Some("publish")).unwrap();
            jobs::enqueue(tx, family, "other", &json!({}), None).unwrap();
        });
        let hour = std::time::Duration::from_secs(3600);
        assert!(jobs::claim(&fixture.store, "node", hour).unwrap().is_some());
        write(&|tx| {
            import(tx, giro, None, 4);
            add_answers(tx);
        });
        Self { files, family, file }
    }
}

fn add_keys(fixture: &Fixture, family: FamilyId, user: UserId) {
    let add = |name, hash: &[u8; 32]| {
        let key = NewKey { user, name, scope: Scope::Read, accounts: None, expires_at: None, hash };
        fixture.store.write_blocking(family, |tx| keys::create(tx, &key)).unwrap()
    };
    add("kept", &[1; 32]);
    let ended = add("ended", &[2; 32]);
    fixture.store.write_blocking(family, |tx| keys::revoke(tx, ended)).unwrap();
}

fn add_file(fixture: &Fixture, files: &FileStore, family: FamilyId) -> FileId {
    let id = FileId(fixture.store.new_id().unwrap());
    let mut upload = files.begin().unwrap();
    upload.write(b"date,amount\n").unwrap();
    let content = upload.finish(family, id).unwrap();
    fixture
        .store
        .write_blocking(family, |tx| file_insert(tx, id, Some("a.csv"), &content))
        .unwrap();
    id
}

fn add_transactions(tx: &mut FamilyTx<'_>, giro: AccountId, card: AccountId) {
    let mut executor = Executor::begin(tx, 10).unwrap();
    let category = |name: &str, key: &str, parent| Creation::Category {
        name: name.into(),
        key: key.into(),
        parent,
        color: None,
        icon: None,
    };
    let food = executor.create(tx, &category("Food", "food", None)).unwrap();
    let below = category("Bars", "food:bars", Some(Target::Created(food)));
    let bars = executor.create(tx, &below).unwrap();
    let tag = executor.create(tx, &Creation::Tag { name: "Home".into(), color: None }).unwrap();
    let rows = [
        ("Bakery", giro, date(2024, 1, 5), 25_000),
        ("Salary", giro, date(2024, 1, 5), -9_000_000),
        ("Bar", card, date(2024, 2, 1), 80_000),
        ("Typo", card, date(2024, 2, 1), 10_000),
    ];
    let mut entries = Vec::new();
    for (name, account, date, amount) in rows {
        let draft = TransactionDraft {
            account: Target::Existing(account.0),
            date,
            amount,
            currency: Currency::EUR,
            rate: None,
            name,
            source_name: None,
            notes: None,
            category: Some(Target::Created(bars)),
            merchant: None,
            tags: &[Target::Created(tag)],
            excluded: false,
            source: None,
            external_id: None,
        };
        entries.push(executor.apply(tx, &Change::AddTransaction(draft)).unwrap().entry);
    }
    executor.finish(tx, event(Uuid::nil())).unwrap();
    change(tx, entries[1], entries[3]);
}

/// A person renames one transaction and deletes another.
fn change(tx: &mut FamilyTx<'_>, renamed: EntryId, deleted: EntryId) {
    let mut executor = Executor::begin(tx, 0).unwrap();
    let revision = renaming(renamed, "Wage");
    executor.apply(tx, &Change::ReviseTransaction(revision)).unwrap();
    executor.apply(tx, &Change::RemoveTransaction { entry: deleted }).unwrap();
    executor.finish(tx, event(Uuid::nil())).unwrap();
}

/// Shares that are bought, and some of them moved to another account.
fn add_trades(tx: &mut FamilyTx<'_>, depot: AccountId, vault: AccountId) {
    let text = |text: &str| Some(text.to_owned());
    for (trade_type, quantity, to) in [("buy", "10", None), ("transfer_out", "4", Some(vault))] {
        let values = TradeValues {
            trade_type: TradeType::parse(trade_type),
            date: text("2024-01-10"),
            quantity: Some(AmountText::Text(quantity.to_owned())),
            price: Some(AmountText::Text("5".to_owned())),
            ..TradeValues::default()
        };
        let trade = TradeInput {
            account: Some(depot.to_string()),
            to_account: to.map(|to: AccountId| to.to_string()),
            ticker: text("VTI"),
            values,
            ..TradeInput::default()
        };
        trades::create(tx, &trade).unwrap();
    }
}

/// A trade in another currency than its account's, and shares that move between two currencies.
fn add_foreign_trades(tx: &mut FamilyTx<'_>, overseas: AccountId, vault: AccountId) {
    let text = |text: &str| Some(text.to_owned());
    let amount = |amount: &str| Some(AmountText::Text(amount.to_owned()));
    for (trade_type, quantity, currency, rate, to) in
        [("buy", "3", "EUR", "1.1", None), ("transfer_out", "2", "USD", "0.9", Some(vault))]
    {
        let values = TradeValues {
            trade_type: TradeType::parse(trade_type),
            date: text("2024-01-10"),
            quantity: amount(quantity),
            price: amount("7.77"),
            currency: text(currency),
            rate: Some(amount(rate)),
            ..TradeValues::default()
        };
        let trade = TradeInput {
            account: Some(overseas.to_string()),
            to_account: to.map(|to: AccountId| to.to_string()),
            ticker: text("VXUS"),
            values,
            ..TradeInput::default()
        };
        trades::create(tx, &trade).unwrap();
    }
}

/// Money from one account into another, and a transaction that is equal to one of its sides.
fn add_transfer(tx: &mut FamilyTx<'_>, pot: AccountId, jar: AccountId) {
    let mut executor = Executor::begin(tx, 3).unwrap();
    let rows = [
        ("Out of the pot", pot, 110_000),
        ("Into the jar", jar, -110_000),
        ("Into the jar too", jar, -110_000),
    ];
    let ids = rows.map(|(name, account, amount)| {
        let draft = TransactionDraft {
            account: Target::Existing(account.0),
            date: date(2024, 1, 9),
            amount,
            currency: Currency::EUR,
            rate: None,
            name,
            source_name: None,
            notes: None,
            category: None,
            merchant: None,
            tags: &[],
            excluded: false,
            source: None,
            external_id: None,
        };
        executor.apply(tx, &Change::AddTransaction(draft)).unwrap().entry
    });
    executor.finish(tx, event(Uuid::nil())).unwrap();
    changes::create(tx, (ids[0], ids[1])).unwrap();
}

/// A transaction in another currency that is converted by a rate of the family.
fn add_converted(tx: &mut FamilyTx<'_>, abroad: AccountId) {
    let rate = RateInput {
        base: Some("GBP".to_owned()),
        quote: Some("EUR".to_owned()),
        date: Some("2024-01-11".to_owned()),
        rate: Some(AmountText::Text("1.2".to_owned())),
    };
    own::set(tx, &rate).unwrap();
    let taxi = TransactionInput {
        account: Some(abroad.to_string()),
        currency: Some("GBP".to_owned()),
        values: TransactionValues {
            date: Some("2024-01-11".to_owned()),
            amount: Some(AmountText::Text("10".to_owned())),
            name: Some(Some("Taxi".to_owned())),
            ..TransactionValues::default()
        },
        ..TransactionInput::default()
    };
    transactions::create(tx, &taxi).unwrap();
}

/// A transaction in another currency, split into two parts.
fn add_split(tx: &mut FamilyTx<'_>, abroad: AccountId) {
    let mut executor = Executor::begin(tx, 3).unwrap();
    let draft = TransactionDraft {
        account: Target::Existing(abroad.0),
        date: date(2024, 1, 9),
        amount: 100_000,
        currency: Currency::USD,
        rate: Some(rust_decimal::Decimal::new(911_113, 6)),
        name: "Souvenirs",
        source_name: None,
        notes: None,
        category: None,
        merchant: None,
        tags: &[],
        excluded: false,
        source: None,
        external_id: None,
    };
    let entry = executor.apply(tx, &Change::AddTransaction(draft)).unwrap().entry;
    executor.end_part(tx).unwrap();
    let part = |amount, name: &str| Part {
        amount,
        name: Some(name.to_owned()),
        notes: None,
        category: None,
        merchant: None,
        tags: Vec::new(),
        excluded: None,
    };
    let parts = [part(33_333, "Magnet"), part(66_667, "Shirt")];
    executor.apply(tx, &Change::SplitTransaction { entry, parts: &parts }).unwrap();
    executor.finish(tx, event(Uuid::nil())).unwrap();
}

/// A pending import with a mapping of each kind, one of them unassigned.
fn import(tx: &mut FamilyTx<'_>, account: AccountId, file: Option<FileId>, rows: u64) -> ImportId {
    let mapping = |kind, value: &str, target, problem: Option<&str>| Mapping {
        kind,
        value: value.into(),
        value_key: value.to_lowercase(),
        target,
        creates: target.is_none() && problem.is_none(),
        currencies: Vec::new(),
        problem: problem.map(str::to_owned),
        rows,
        choice: None,
    };
    let mut new = NewImport { account: Some(account), file, ..new_import(rows) };
    new.reading.mappings = vec![
        mapping(MappingKind::Account, "Giro", Some(account.0), None),
        mapping(MappingKind::Account, "Gift card", None, Some("Which one?")),
        mapping(MappingKind::Tag, "New", None, None),
    ];
    imports::insert(tx, &new).unwrap()
}

fn publish(tx: &mut FamilyTx<'_>, account: AccountId, file: Option<FileId>, names: &[&str]) {
    let id = import(tx, account, file, names.len() as u64);
    assert!(imports::mark_importing(tx, id, ImportStatus::Pending).unwrap());
    let mut executor = Executor::begin(tx, names.len() as u64).unwrap().of_import(id);
    for name in names {
        let draft = TransactionDraft {
            account: Target::Existing(account.0),
            date: date(2024, 3, 1),
            amount: 10_000,
            currency: Currency::EUR,
            rate: None,
            name,
            source_name: None,
            notes: None,
            category: None,
            merchant: None,
            tags: &[],
            excluded: false,
            source: None,
            external_id: None,
        };
        let made = executor.apply(tx, &Change::AddTransaction(draft)).unwrap();
        executor.note_made(tx, made.entry, std::num::NonZeroU64::MIN).unwrap();
    }
    if names.len() == 3 {
        let tag = executor.create(tx, &Creation::Tag { name: "Made".into(), color: None }).unwrap();
        executor.created_id(tag).unwrap();
        let known = imports::view(tx, Kind::Category).unwrap().categories;
        let food = known.iter().find(|one| one.name == "Food").unwrap();
        let revision = CategoryRevision {
            id: food.id,
            name: None,
            parent: None,
            color: Some(Some("#112233".into())),
            icon: None,
        };
        executor.change(tx, &RecordChange::ReviseCategory(revision)).unwrap();
        let fill = TransactionFill {
            entry: bakery(tx, account),
            import: id,
            category: None,
            notes: Some("rolls"),
            tags: &[],
            external_id: None,
        };
        executor.apply(tx, &Change::FillTransaction(fill)).unwrap();
    }
    plan(tx, id, names.len());
    let Outcome { range, entries, .. } = executor.finish(tx, event(id.0)).unwrap();
    imports::complete(tx, id, Published { range, created: entries }).unwrap();
}

/// A transaction that is not from an import.
fn bakery(tx: &mut FamilyTx<'_>, account: AccountId) -> EntryId {
    const WHICH: imports::Comparable = imports::Comparable::Transactions;
    let (day, mut found) = (date(2024, 1, 5), None);
    let mut take = |candidate: Candidate| {
        found = Some(candidate.entry);
        Ok(())
    };
    let mut wants = |_, amount| amount == 25_000;
    imports::candidates(tx, account, WHICH, day, day, &mut wants, &mut take).unwrap();
    found.unwrap()
}

/// A plan that creates every row.
fn plan(tx: &mut FamilyTx<'_>, id: ImportId, rows: usize) {
    let mut plan = Plan::new(0);
    (0..rows).for_each(|_| plan.push(Verdict::Create));
    let import = imports::get(tx, id).unwrap();
    assert!(imports::plan_store(tx, id, &plan, import.updated_at).unwrap());
}

fn add_answers(tx: &mut FamilyTx<'_>) {
    for key in ["answered", "running"] {
        let claimed = idempotency::claim(tx, "POST /accounts", key, b"same").unwrap();
        let Claimed::Fresh(claim) = claimed else { panic!("{claimed:?}") };
        if key == "answered" {
            idempotency::save(tx, &claim, 201, "{}").unwrap();
        }
    }
}

fn event(subject_id: Uuid) -> Event {
    Event {
        actor: Actor::CommandLine,
        action: "test",
        subject_kind: "test",
        subject_id,
        details: json!({}),
    }
}
