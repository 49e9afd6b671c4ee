//! Both providers report the same world through the same interface.

use jiff::civil::Date;
use purser_bank_simulator::Quirk;
use purser_core::money::Currency;
use purser_providers::snapshot::{AccountState, StatedCurrency, money};
use purser_providers::{ErrorClass, Provider, TransactionRequest};

use crate::support::{Bench, quarter};

/// Day, amount, whether it is pending, id.
type ReportedRow = (Date, i64, bool, Option<String>);

/// Ticker, quantity, stated cost.
type ReportedHolding = (String, String, Option<String>);

/// What a sync would see of an account, whichever provider reports it.
#[derive(Debug, PartialEq)]
struct Reported {
    id: String,
    state: AccountState,
    bank: Option<String>,
    balance: Result<(i64, Currency), ErrorClass>,
    rows: Result<Vec<ReportedRow>, ErrorClass>,
    holdings: Result<Vec<ReportedHolding>, ErrorClass>,
}

async fn see(provider: &dyn Provider, request: TransactionRequest) -> Vec<Reported> {
    let mut all = Vec::new();
    for account in provider.accounts().await.unwrap().accounts {
        let id = account.id.as_str();
        let balance = provider.balance(id).await.map(|balance| {
            let StatedCurrency::Known(currency) = balance.currency else { panic!("no currency") };
            (money(balance.amount, currency).unwrap().amount, currency)
        });
        let rows = provider.transactions(id, request).await.map(|snapshot| {
            let mut rows: Vec<_> = snapshot
                .rows
                .into_iter()
                .map(|row| {
                    let amount = money(row.amount, Currency::EUR).unwrap().amount;
                    (row.date, amount, row.pending, row.id)
                })
                .collect();
            rows.sort();
            rows
        });
        let holdings = provider.holdings(id).await.map(|snapshot| {
            let text = |value: rust_decimal::Decimal| value.normalize().to_string();
            let rows = snapshot.rows.into_iter();
            rows.map(|row| {
                (row.security.ticker.unwrap(), text(row.quantity), row.stated_cost.map(text))
            })
            .collect()
        });
        all.push(Reported {
            id: account.id.clone(),
            state: account.state,
            bank: account.institution.name,
            balance: balance.map_err(|error| error.class),
            rows: rows.map_err(|error| error.class),
            holdings: holdings.map_err(|error| error.class),
        });
    }
    all
}

#[tokio::test]
async fn both_providers_report_the_same_world() {
    for quirks in [&[][..], &[Quirk::Tips, Quirk::TwinPendings, Quirk::RotatingIds]] {
        let bench = Bench::new(quirks).await;
        let first = see(bench.lunchflow().as_ref(), quarter()).await;
        let second = see(bench.simplefin().await.as_ref(), quarter()).await;
        assert_eq!(first.len(), 4);
        for (one, other) in first.iter().zip(&second) {
            assert!(one == other, "{} differs: {:?}, {:?}", one.id, one.balance, other.balance);
        }
        assert_eq!(second.len(), 4);
        assert!(first[0].rows.as_ref().unwrap().len() > 50);
        assert!(first[1].balance.as_ref().unwrap().0 < 0, "a card with debt");
        assert_eq!(first[0].holdings, Err(ErrorClass::Unsupported));
        assert_eq!(first[3].holdings.as_ref().unwrap()[1].1, "0.012345678901234567");
    }
}

#[tokio::test]
async fn both_report_an_expired_consent_and_a_removed_account_alike() {
    let bench = Bench::new(&[Quirk::ConsentExpired, Quirk::AccountRemoved]).await;
    let (first, second) = (bench.lunchflow(), bench.simplefin().await);
    for provider in [first.as_ref(), second.as_ref()] {
        let seen = see(provider, quarter()).await;
        let ids: Vec<&str> = seen.iter().map(|account| account.id.as_str()).collect();
        assert_eq!(ids, ["1001", "1002", "1004"]);
        assert!(seen[0].rows.is_ok(), "one bank doesn't stop the others");
        assert_eq!(seen[1].state, AccountState::ConsentExpired);
        assert_eq!(seen[1].rows, Err(ErrorClass::ConsentExpired));
        assert_eq!(seen[1].balance, Err(ErrorClass::ConsentExpired));
        let gone = provider.transactions("1003", quarter()).await.unwrap_err();
        assert_eq!(gone.class, ErrorClass::NotFound);
    }
}
