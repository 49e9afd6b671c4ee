//! The open protocol: tokens, few requests, problems beside the accounts.

use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{Fault, Quirk};
use purser_core::secret::Secret;
use purser_providers::snapshot::{RowProblem, StatedCurrency};
use purser_providers::{Call, ErrorClass, ProviderKind, TransactionRequest};

use crate::support::{BROKERAGE, Bench, CURRENT, assert_equal_rows, expected, quarter, received};

#[tokio::test]
async fn a_setup_token_works_once() {
    let bench = Bench::new(&[]).await;
    let token = Secret::new(format!(" {}\n", bench.simulator.setup_token()));
    let kind = ProviderKind::Simplefin;
    let credentials = kind.enrol(&bench.client, &token).await.unwrap();
    assert_eq!(bench.simulator.take_requests(), ["/simplefin/claim/one-time-token"]);
    let again = kind.enrol(&bench.client, &token).await.unwrap_err();
    assert_eq!(
        (again.class, again.call, again.status),
        (ErrorClass::Auth, Call::Enrolment, Some(403))
    );
    assert_eq!(bench.simulator.take_requests().len(), 1, "it isn't tried again");
    // The address that came of it is taken as it is.
    assert_eq!(kind.enrol(&bench.client, &credentials).await.unwrap(), credentials);
    let provider = kind.open(&bench.client, &credentials).unwrap();
    assert_eq!(provider.accounts().await.unwrap().accounts.len(), 4);
}

#[tokio::test]
async fn what_is_no_token_is_refused_without_a_request() {
    let bench = Bench::new(&[]).await;
    for text in ["", "%%%", "aGVsbG8=", "https://bridge.simplefin.org/simplefin"] {
        let refused = ProviderKind::Simplefin.enrol(&bench.client, &Secret::new(text)).await;
        assert_eq!(refused.unwrap_err().class, ErrorClass::Auth, "{text}");
    }
    assert!(bench.simulator.take_requests().is_empty());
}

/// The bridge allows 24 requests a day, whatever the number of accounts.
#[tokio::test]
async fn one_run_asks_once_for_all_accounts() {
    let bench = Bench::new(&[]).await;
    let provider = bench.simplefin().await;
    for account in provider.accounts().await.unwrap().accounts {
        provider.balance(&account.id).await.unwrap();
        provider.transactions(&account.id, quarter()).await.unwrap();
        let _ = provider.holdings(&account.id).await;
    }
    let requests = bench.simulator.take_requests();
    assert_eq!(requests.len(), 3, "{requests:?}");
    assert!(requests[0].contains("balances-only=1"));
    let rows = provider.transactions(CURRENT, quarter()).await.unwrap().rows;
    let expected = expected(&bench.simulator.world(), CURRENT, quarter());
    assert_equal_rows(&received(&rows), &expected);
}

/// `pending` counts by being there, so `pending=0` brought pending rows.
#[tokio::test]
async fn r2440_pending_is_asked_for_or_not_named() {
    let bench = Bench::new(&[]).await;
    let request = TransactionRequest { pending: false, ..quarter() };
    let provider = bench.simplefin().await;
    let rows = provider.transactions(CURRENT, request).await.unwrap().rows;
    assert!(rows.iter().all(|row| !row.pending));
    assert!(bench.simulator.take_requests().iter().all(|path| !path.contains("pending")));
    provider.transactions(CURRENT, quarter()).await.unwrap();
    assert!(bench.simulator.take_requests().iter().all(|path| path.contains("pending=1")));
}

#[tokio::test]
async fn no_window_is_longer_than_the_bridge_allows() {
    let bench = Bench::new(&[]).await;
    bench.simplefin().await.transactions(CURRENT, quarter()).await.unwrap();
    let requests = bench.simulator.take_requests();
    assert_eq!(requests.len(), 2);
    for path in requests {
        let seconds = |name: &str| {
            let rest = path.split(name).nth(1).unwrap();
            rest.split('&').next().unwrap().parse::<i64>().unwrap()
        };
        assert!(seconds("end-date=") - seconds("start-date=") <= 90 * 24 * 3600, "{path}");
    }
}

#[tokio::test]
async fn a_revoked_access_and_an_unpaid_one_differ() {
    for (status, class) in [(402, ErrorClass::PaymentRequired), (403, ErrorClass::Auth)] {
        let bench = Bench::new(&[]).await;
        let provider = bench.simplefin().await;
        bench.simulator.add_fault(Fault::always(FaultKind::Status(status), "accounts"));
        let error = provider.accounts().await.unwrap_err();
        assert_eq!(error.class, class);
        assert!(error.class.ends_the_run());
        assert_eq!(bench.simulator.take_requests().len(), 1);
    }
}

#[tokio::test]
async fn points_are_no_money() {
    let bench = Bench::new(&[Quirk::NoCurrency]).await;
    let provider = bench.simplefin().await;
    let accounts = provider.accounts().await.unwrap().accounts;
    assert!(accounts.iter().all(|account| account.currency == StatedCurrency::Unknown));
    let snapshot = provider.transactions(CURRENT, quarter()).await.unwrap();
    assert!(snapshot.rows.is_empty());
    assert!(snapshot.unreadable.iter().all(|row| row.problem == RowProblem::Currency));
    assert!(!snapshot.unreadable.is_empty());
    let requests = bench.simulator.take_requests();
    assert!(requests.iter().all(|path| path.starts_with("/simplefin/accounts")), "{requests:?}");
}

/// The cost of all units was taken for that of one, or the other way round.
#[tokio::test]
async fn r1718_r1182_a_stated_cost_is_not_interpreted() {
    let bench = Bench::new(&[]).await;
    let holdings = bench.simplefin().await.holdings(BROKERAGE).await.unwrap();
    let stated: Vec<_> =
        holdings.rows.iter().map(|row| row.stated_cost.map(|cost| cost.to_string())).collect();
    assert_eq!(stated, [Some("8000".to_owned()), None, Some("0".to_owned())]);
    assert!(holdings.rows.iter().all(|row| row.price.is_none()));
}
