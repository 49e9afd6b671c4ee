//! Histories as the provider with a key reports them.

use purser_bank_simulator::Quirk;
use purser_providers::snapshot::{Completeness, RowProblem, StatedCurrency, TransactionsSnapshot};
use purser_providers::{ErrorClass, TransactionRequest};

use crate::support::{BROKERAGE, Bench, CURRENT, assert_equal_rows, expected, quarter, received};

async fn quarter_of(bench: &Bench) -> TransactionsSnapshot {
    bench.lunchflow().transactions(CURRENT, quarter()).await.unwrap()
}

/// The rows are those of the world, and nothing was unreadable.
fn assert_same(bench: &Bench, snapshot: &TransactionsSnapshot) {
    let expected = expected(&bench.simulator.world(), CURRENT, quarter());
    assert!(expected.len() > 50);
    assert_equal_rows(&received(&snapshot.rows), &expected);
    assert_eq!(snapshot.unreadable, []);
}

/// Another client sent `start_date` and `end_date`, which are ignored silently.
#[tokio::test]
async fn windows_are_asked_for_by_the_documented_names() {
    let bench = Bench::new(&[]).await;
    let snapshot = quarter_of(&bench).await;
    assert_same(&bench, &snapshot);
    assert_eq!(snapshot.completeness, Completeness::Whole);
    assert_eq!(
        bench.simulator.take_requests(),
        ["/api/v1/accounts/1001/transactions?from=2025-12-16&to=2026-03-16&include_pending=true"]
    );
}

#[tokio::test]
async fn a_window_that_is_ignored_is_kept_to_on_this_side() {
    let bench = Bench::new(&[Quirk::IgnoredWindow]).await;
    assert_same(&bench, &quarter_of(&bench).await);
}

#[tokio::test]
async fn without_pending_rows_only_booked_ones_come() {
    let bench = Bench::new(&[]).await;
    let request = TransactionRequest { pending: false, ..quarter() };
    let snapshot = bench.lunchflow().transactions(CURRENT, request).await.unwrap();
    assert!(snapshot.rows.iter().all(|row| !row.pending));
    let requests = bench.simulator.take_requests();
    assert!(requests[0].ends_with("include_pending=false"), "{requests:?}");
}

#[tokio::test]
async fn answers_that_are_cut_off_are_completed_by_halves() {
    let bench = Bench::new(&[Quirk::Truncated]).await;
    let snapshot = quarter_of(&bench).await;
    assert_same(&bench, &snapshot);
    assert_eq!(snapshot.completeness, Completeness::Whole);
    let requests = bench.simulator.take_requests().len();
    assert!((3..=20).contains(&requests), "{requests}");
}

#[tokio::test]
async fn a_total_that_is_wrong_costs_two_requests_and_is_reported() {
    let bench = Bench::new(&[Quirk::WrongTotals]).await;
    let snapshot = quarter_of(&bench).await;
    assert_same(&bench, &snapshot);
    assert_eq!(snapshot.completeness, Completeness::NumberDiffers);
    assert_eq!(bench.simulator.take_requests().len(), 3);
}

/// Two identical rows without an id were taken for one.
#[tokio::test]
async fn twins_without_ids_stay_two() {
    let bench = Bench::new(&[Quirk::BlankIds, Quirk::TwinPendings, Quirk::Truncated]).await;
    let snapshot = quarter_of(&bench).await;
    assert_same(&bench, &snapshot);
    let pending: Vec<_> = snapshot.rows.iter().filter(|row| row.pending).collect();
    assert!(pending.iter().all(|row| row.id.is_none()));
    let has_twin = |row| pending.iter().filter(|other| **other == row).count() > 1;
    assert!(pending.iter().any(|row| has_twin(*row)), "{pending:?}");
}

/// A unique key over ids made a whole run fail.
#[tokio::test]
async fn one_id_of_many_rows_keeps_them_apart() {
    let bench = Bench::new(&[Quirk::OneIdForAll, Quirk::Truncated]).await;
    assert_same(&bench, &quarter_of(&bench).await);
}

#[tokio::test]
async fn ids_that_change_are_reported_as_they_are() {
    let bench = Bench::new(&[Quirk::RotatingIds]).await;
    let before = quarter_of(&bench).await;
    assert_same(&bench, &before);
    bench.simulator.set_today(crate::support::today().tomorrow().unwrap());
    assert_same(&bench, &quarter_of(&bench).await);
}

#[tokio::test]
async fn numbers_are_exact_in_every_form() {
    let bench = Bench::new(&[Quirk::OddNumbers]).await;
    assert_same(&bench, &quarter_of(&bench).await);
}

#[tokio::test]
async fn days_are_read_in_every_form() {
    for quirk in [Quirk::EpochDates, Quirk::ClockSkew] {
        let bench = Bench::new(&[quirk]).await;
        let snapshot = quarter_of(&bench).await;
        assert_same(&bench, &snapshot);
        assert!(snapshot.rows.iter().all(|row| row.moment.is_some()));
    }
}

#[tokio::test]
async fn rows_that_cannot_be_read_are_named_and_the_others_stay() {
    let bench = Bench::new(&[Quirk::BrokenRows]).await;
    let snapshot = quarter_of(&bench).await;
    let expected = expected(&bench.simulator.world(), CURRENT, quarter());
    assert_equal_rows(&received(&snapshot.rows), &expected);
    let problems: Vec<_> = snapshot.unreadable.iter().map(|row| row.problem).collect();
    assert_eq!(
        problems,
        [RowProblem::Amount, RowProblem::Date, RowProblem::Currency, RowProblem::Shape]
    );
    assert_eq!(snapshot.completeness, Completeness::Whole, "they count as received");
}

/// A missing currency was taken for US dollars.
#[tokio::test]
async fn a_missing_currency_stays_missing() {
    let bench = Bench::new(&[Quirk::NoCurrency]).await;
    let provider = bench.lunchflow();
    let accounts = provider.accounts().await.unwrap().accounts;
    assert!(accounts.iter().all(|account| account.currency == StatedCurrency::Absent));
    let snapshot = quarter_of(&bench).await;
    assert!(snapshot.rows.iter().all(|row| row.currency == StatedCurrency::Absent));
    let balance = provider.balance(CURRENT).await.unwrap();
    assert_eq!(balance.currency.known().map(|currency| currency.code()), Some("EUR"));
}

/// The price that was paid, the value and the price of today were mixed up.
#[tokio::test]
async fn holdings_are_reported_without_computing_anything() {
    let bench = Bench::new(&[]).await;
    let provider = bench.lunchflow();
    let holdings = provider.holdings(BROKERAGE).await.unwrap();
    let fund = &holdings.rows[0];
    assert_eq!(fund.security.isin.as_deref(), Some("US9229087690"));
    assert_eq!(fund.id.as_deref(), Some("st-Total market fund"));
    assert_eq!((fund.price, fund.purchase_price), (None, None));
    assert_eq!(fund.value.unwrap().to_string(), "10550.25");
    assert_eq!(fund.stated_cost.unwrap().to_string(), "8000");
    let none = provider.holdings(CURRENT).await.unwrap_err();
    assert_eq!((none.class, none.status), (ErrorClass::Unsupported, Some(501)));
}

#[tokio::test]
async fn whatever_banks_do_at_once_every_row_comes_once() {
    let quirks = [
        Quirk::BlankIds,
        Quirk::TwinPendings,
        Quirk::Tips,
        Quirk::Truncated,
        Quirk::LatePostings,
        Quirk::RotatingIds,
        Quirk::OddNumbers,
        Quirk::NoCurrency,
    ];
    for seed in 1..=6 {
        let bench = Bench::with(seed, &quirks, |_| {}).await;
        for days in 0..3 {
            let today = crate::support::today() + jiff::Span::new().days(days);
            bench.simulator.set_today(today);
            let snapshot = quarter_of(&bench).await;
            assert_same(&bench, &snapshot);
        }
    }
}
