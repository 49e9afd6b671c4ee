use jiff::civil::date;
use purser_core::ledger::nature::Nature;
use purser_core::plan::{Change, Creation, Target, TransactionDraft};
use serde_json::json;

use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::audit::Actor;
use crate::ledger::{Event, Executor};
use crate::testing::{Fixture, Raw, on_both};

/// An account with many days, another with few, one more that stays empty.
struct Ledger {
    family: FamilyId,
    big: AccountId,
    small: AccountId,
    tag: TagId,
    category: CategoryId,
}

const BIG: i64 = 1_200;
const SMALL: i64 = 40;

impl Ledger {
    fn new(fixture: &Fixture) -> Self {
        let (family, _) = fixture.family("one");
        let account = |name| make(fixture, family, &input(name, "depository", "0")).summary.id;
        let (big, small) = (account("Big"), account("Small"));
        account("Empty");
        let (tag, category) =
            fixture.store.write_blocking(family, |tx| Self::fill(tx, big, small)).unwrap();
        Self { family, big, small, tag, category }
    }

    fn fill(
        tx: &mut FamilyTx<'_>,
        big: AccountId,
        small: AccountId,
    ) -> Result<(TagId, CategoryId)> {
        let mut executor = Executor::begin(tx, 2_000)?;
        let tag = executor.create(tx, &Creation::Tag { name: "Home".into(), color: None })?;
        let category = Creation::Category {
            name: "Food".into(),
            key: "food".into(),
            parent: None,
            color: None,
            icon: None,
        };
        let category = executor.create(tx, &category)?;
        let tags = [Target::Created(tag)];
        let mut add = |tx: &mut FamilyTx<'_>, account: AccountId, number: i64| {
            // Several on a day, days with gaps, days that both accounts have.
            let day = date(2020, 1, 1).saturating_add(jiff::Span::new().days(number / 3));
            let marked = number % 10 == 0;
            let names = ["Ärzte 100%", "CAFE", "Shop_1", "Straße"];
            executor.apply(
                tx,
                &Change::AddTransaction(TransactionDraft {
                    account: Target::Existing(account.0),
                    date: day,
                    amount: (number - 600) * 10_000,
                    currency: Currency::EUR,
                    rate: None,
                    name: names[(number % 4) as usize],
                    source_name: None,
                    notes: (number == 7).then_some("ünique note"),
                    category: marked.then_some(Target::Created(category)),
                    merchant: None,
                    tags: if marked { &tags } else { &[] },
                    excluded: false,
                    source: None,
                    external_id: None,
                }),
            )
        };
        for number in 0..BIG {
            add(tx, big, number)?;
        }
        for number in 0..SMALL {
            add(tx, small, number * 10)?;
        }
        let ids = (executor.created_id(tag)?, executor.created_id(category)?);
        let event = Event {
            actor: Actor::CommandLine,
            action: "test",
            subject_kind: "test",
            subject_id: ids.0,
            details: json!({}),
        };
        executor.finish(tx, event)?;
        Ok((TagId(ids.0), CategoryId(ids.1)))
    }

    fn page(
        &self,
        fixture: &Fixture,
        listing: &Listing,
        limit: i64,
        offset: i64,
    ) -> (Vec<Transaction>, u64) {
        self.seen_page(fixture, None, listing, (limit, offset))
    }

    /// A page for somebody who sees only these accounts, if there are any.
    fn seen_page(
        &self,
        fixture: &Fixture,
        only: Option<&[AccountId]>,
        listing: &Listing,
        (limit, offset): (i64, i64),
    ) -> (Vec<Transaction>, u64) {
        let list = |tx: &mut FamilyTx<'_>| list(tx, listing, limit, offset);
        fixture.store.read_blocking(self.family, |tx| tx.seeing(only, list)).unwrap()
    }

    fn count(&self, fixture: &Fixture, listing: &Listing) -> u64 {
        let (page, total) = self.page(fixture, listing, 2_000, 0);
        assert_eq!(page.len() as u64, total);
        total
    }
}

fn ids(page: &[Transaction]) -> Vec<EntryId> {
    page.iter().map(|transaction| transaction.id).collect()
}

fn searching(text: &str) -> Listing {
    Listing { search: Search::new(text).unwrap(), ..Listing::default() }
}

#[test]
fn pages_never_overlap_however_deep() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture);
        let start = Some(date(2020, 2, 10));
        let big = [ledger.big];
        let listings = [
            (None, Listing::default()),
            (None, Listing { accounts: Some(vec![ledger.big]), ..Listing::default() }),
            (None, Listing { accounts: Some(vec![ledger.small]), ..Listing::default() }),
            (
                None,
                Listing { accounts: Some(vec![ledger.small, ledger.big]), ..Listing::default() },
            ),
            (Some(&big[..]), Listing { start, ..Listing::default() }),
            (None, Listing { end: start, ..Listing::default() }),
            (None, Listing { nature: Some(Nature::Expense), ..Listing::default() }),
        ];
        for (only, listing) in &listings {
            let page = |limit, offset| ledger.seen_page(fixture, *only, listing, (limit, offset));
            let (all, total) = page(5_000, 0);
            assert_eq!(all.len() as u64, total, "{listing:?}");
            assert!(all.is_sorted_by_key(|one| std::cmp::Reverse((
                one.date,
                one.created_at,
                one.id
            ))));
            for offset in [0, 1, 24, 499, 500, 501, 502, 600, 1_190, 1_239, 1_240, 9_999] {
                let (page, count) = page(25, offset);
                assert_eq!(count, total);
                let from = usize::try_from(offset).unwrap().min(all.len());
                let to = (from + 25).min(all.len());
                assert_eq!(ids(&page), ids(&all[from..to]), "{listing:?} at {offset}");
            }
        }
    });
}

#[test]
fn filters_choose_the_same_on_both_databases() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture);
        let count = |listing: &Listing| ledger.count(fixture, listing);
        assert_eq!(count(&Listing::default()), 1_240);
        let tagged =
            Listing { tags: vec![ledger.tag, TagId(uuid::Uuid::nil())], ..Listing::default() };
        assert_eq!(count(&tagged), 160);
        let foreign = Listing { tags: vec![TagId(uuid::Uuid::nil())], ..Listing::default() };
        assert_eq!(count(&foreign), 0);
        let category = Listing { categories: vec![ledger.category], ..Listing::default() };
        assert_eq!(count(&category), 160);
        let none = Listing { uncategorized: Some(true), ..Listing::default() };
        assert_eq!(count(&none), 1_080);
        let merchant =
            Listing { merchants: vec![MerchantId(uuid::Uuid::nil())], ..Listing::default() };
        assert_eq!(count(&merchant), 0);
        let income = Listing {
            nature: Some(Nature::Income),
            accounts: Some(vec![ledger.big]),
            ..Listing::default()
        };
        assert_eq!(count(&income), 600);
        let bound = |text: &str| text.parse().unwrap();
        let amounts = Listing {
            accounts: Some(vec![ledger.big]),
            min_amount: Some(AmountBound::at_least(bound("-2.5"))),
            max_amount: Some(AmountBound::at_most(bound("3.00001"))),
            ..Listing::default()
        };
        assert_eq!(count(&amounts), 6);
    });
}

#[test]
fn a_search_finds_text_whatever_its_case() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture);
        let found = |text: &str| {
            let listing = Listing { accounts: Some(vec![ledger.big]), ..searching(text) };
            ledger.count(fixture, &listing)
        };
        for text in ["cafe", "CAFE", "aF"] {
            assert_eq!(found(text), 300, "{text}");
        }
        for text in ["ärzte", "ÄRZTE", "Ärzte 100%", "straße", "STRAße", "shop_1", "%", "_"] {
            assert_eq!(found(text), 300, "{text}");
        }
        for text in ["ÜNIQUE", "ünique NOTE"] {
            assert_eq!(found(text), 1, "{text}");
        }
        for text in ["arzte", "café", "s%p", "shop?1", "STRASSE"] {
            assert_eq!(found(text), 0, "{text}");
        }
    });
}

#[test]
fn a_transaction_shows_what_it_points_to_and_only_to_those_who_may() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture);
        let (other, _) = fixture.family("two");
        let (page, _) =
            ledger.page(fixture, &Listing { tags: vec![ledger.tag], ..Listing::default() }, 1, 0);
        let shown = &page[0];
        let color = default_color(ledger.tag.0).to_owned();
        assert_eq!(shown.tags, [Tag { id: ledger.tag, name: "Home".into(), color }]);
        assert_eq!(shown.category.as_ref().map(|one| one.name.as_str()), Some("Food"));
        assert_eq!(shown.account.name, "Big");
        let read = |family, only: Option<&[AccountId]>| {
            fixture.store.read_blocking(family, |tx| tx.seeing(only, |tx| get(tx, shown.id)))
        };
        assert_eq!(read(ledger.family, None).unwrap(), *shown);
        assert_eq!(read(ledger.family, Some(&[ledger.small])).unwrap_err().code(), "not_found");
        assert_eq!(read(other, None).unwrap_err().code(), "not_found");
        let seen = |only: &[AccountId]| {
            ledger.seen_page(fixture, Some(only), &Listing::default(), (2_000, 0)).1
        };
        assert_eq!((seen(&[ledger.small]), seen(&[])), (40, 0));
    });
}

#[test]
fn few_are_sorted_and_many_are_walked_with_the_same_result() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture);
        let listing = Listing { tags: vec![ledger.tag], ..Listing::default() };
        let filter = listing.filter(ledger.family);
        let few = keys_of(&filter, SORTED_MAX, 25, 10);
        let many = keys_of(&filter, SORTED_MAX + 1, 25, 10);
        let read = |query: &Query<'_>| {
            let ids =
                fixture.store.read_directory_blocking(|tx| tx.query(query, &[], |row| row.id(0)));
            let ids: Vec<EntryId> = ids.unwrap();
            ids
        };
        assert_eq!(read(&few).len(), 25);
        assert_eq!(read(&few), read(&many));
        let Raw::Sqlite(connection) = fixture.raw() else { return };
        for (query, sorts) in [(few, true), (many, false)] {
            let text = format!("EXPLAIN QUERY PLAN {}", query.sql().replace('$', "?"));
            let mut statement = connection.prepare(&text).unwrap();
            let steps = statement.raw_query().mapped(|row| row.get(3));
            let steps: Vec<String> = steps.map(|step| step.unwrap()).collect();
            let is_sort = |step: &String| step.contains("TEMP B-TREE FOR ORDER BY");
            let is_walk = |step: &String| step.contains("entries_by_date");
            assert_eq!(steps.iter().any(is_sort), sorts, "{steps:?}");
            assert_eq!(steps.iter().any(is_walk), !sorts, "{steps:?}");
        }
    });
}

/// The steps of PostgreSQL's plan.
fn postgres_plan(client: &mut postgres::Client, query: &Query<'_>) -> String {
    use crate::driver::AsSql as _;
    let params: Vec<&(dyn postgres::types::ToSql + Sync)> =
        query.own_params().iter().map(|value| value as _).collect();
    let rows = client.query(&format!("EXPLAIN {}", query.sql()), &params).unwrap();
    rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>().join("\n")
}

#[test]
fn first_pages_follow_an_index_before_and_after_tables_are_analysed() {
    let fixture = Fixture::postgres();
    let (family, _) = fixture.family("one");
    let account = |name| make(&fixture, family, &input(name, "depository", "0")).summary.id;
    let (one, other) = (account("One"), account("Other"));
    let Raw::Postgres(mut client) = fixture.raw() else { panic!("another database") };
    let fill = "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
            pending, created_at, updated_at)
        SELECT $1, gen_random_uuid(), CASE WHEN n % 2 = 0 THEN CAST($2 AS UUID) ELSE $3 END, 0,
            18000 + n / 20, n, 'EUR', 'Shop', FALSE, 0, 0
        FROM generate_series(1, 40000) n";
    let params = [Val::from(family), one.into(), other.into()];
    client.execute(fill, &[&params[0], &params[1], &params[2]]).unwrap();

    let known = fixture.store.read_blocking(family, accounts::known).unwrap();
    let all = Scope { shown: known.clone(), hidden: Vec::new() };
    let single = Scope { shown: known.into_iter().take(1).collect(), hidden: Vec::new() };
    let ends = Listing { end: Some(date(2022, 1, 1)), ..Listing::default() };
    for analyse in ["", "ANALYZE"] {
        client.batch_execute(analyse).unwrap();
        for (scope, listing, index) in [
            (&all, &Listing::default(), "entries_by_date"),
            (&all, &ends, "entries_by_date"),
            (&single, &Listing::default(), "entries_by_account"),
            (&single, &ends, "entries_by_account"),
        ] {
            let query = window::walked(family, scope, listing, 25, 0);
            let plan = postgres_plan(&mut client, &query);
            assert!(plan.contains(&format!("Index Scan Backward using {index}")), "{plan}");
        }
    }
}
