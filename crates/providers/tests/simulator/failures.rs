//! What goes wrong, and how often it is tried.

use std::time::Duration;

use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{Fault, Quirk};
use purser_core::connection::SyncErrorCode;
use purser_core::secret::Secret;
use purser_providers::client::ClientSettings;
use purser_providers::{ErrorClass, ProviderError, ProviderKind};

use crate::support::{BROKERAGE, Bench, CURRENT, impatient, quarter};

/// The error of the balance while something goes wrong, and how many requests were made.
async fn failure(kind: FaultKind) -> (ProviderError, usize) {
    // A short limit only where it is met: an answer can take long on a busy machine.
    let is_late = matches!(kind, FaultKind::Slow | FaultKind::Silent);
    let limits = if is_late { impatient } else { |_: &mut ClientSettings| {} };
    let bench = Bench::with(1, &[], limits).await;
    bench.simulator.add_fault(Fault::always(kind, "balance"));
    let error = bench.lunchflow().balance(CURRENT).await.unwrap_err();
    (error, bench.simulator.take_requests().len())
}

/// A limit of the bank came as a failure of the provider, and the run was taken for a success.
#[tokio::test]
async fn a_wrapped_limit_is_a_limit_with_its_time() {
    let bench = Bench::new(&[]).await;
    bench.simulator.add_fault(Fault::times(1, FaultKind::WrappedTooMany(37), "balance"));
    bench.lunchflow().balance(CURRENT).await.unwrap();
    assert_eq!(bench.environment.seconds(), [37]);
    assert_eq!(bench.simulator.take_requests().len(), 2);

    let (error, requests) = failure(FaultKind::WrappedTooMany(300)).await;
    assert_eq!((error.class, requests), (ErrorClass::RateLimited, 1));
    assert_eq!(error.rest(), Some(Duration::from_secs(300)), "left to the schedule");
    assert_eq!(error.class.code(), Some(SyncErrorCode::RateLimited));
}

/// No answer was taken for an empty one.
#[tokio::test]
async fn no_failure_is_an_empty_answer() {
    let bench = Bench::new(&[]).await;
    let provider = bench.lunchflow();
    bench.simulator.add_fault(Fault::always(FaultKind::Status(503), ""));
    let errors = [
        provider.accounts().await.unwrap_err(),
        provider.balance(CURRENT).await.unwrap_err(),
        provider.transactions(CURRENT, quarter()).await.unwrap_err(),
        provider.holdings(BROKERAGE).await.unwrap_err(),
    ];
    assert!(errors.iter().all(|error| error.class == ErrorClass::UpstreamUnavailable));
    assert_eq!(bench.simulator.take_requests().len(), 4 * 3);
    assert_eq!(bench.environment.seconds(), [1, 2, 1, 2, 1, 2, 1, 2]);
}

#[tokio::test]
async fn each_failure_has_a_reason() {
    for (kind, class, requests) in [
        (FaultKind::Status(400), ErrorClass::ConsentExpired, 1),
        (FaultKind::Status(401), ErrorClass::Auth, 1),
        (FaultKind::Status(402), ErrorClass::PaymentRequired, 1),
        (FaultKind::Status(403), ErrorClass::Auth, 1),
        (FaultKind::Status(404), ErrorClass::NotFound, 1),
        (FaultKind::Status(501), ErrorClass::Unsupported, 1),
        (FaultKind::Status(500), ErrorClass::UpstreamUnavailable, 3),
        (FaultKind::Page, ErrorClass::UpstreamUnavailable, 3),
        (FaultKind::NotJson, ErrorClass::InvalidResponse, 1),
        (FaultKind::Broken, ErrorClass::Network, 3),
        (FaultKind::Slow, ErrorClass::Network, 3),
        (FaultKind::Silent, ErrorClass::Network, 3),
        (FaultKind::Huge, ErrorClass::TooLarge, 1),
    ] {
        let (error, made) = failure(kind.clone()).await;
        assert_eq!((error.class, made), (class, requests), "{kind:?}");
        assert!(error.to_string().starts_with("balance: The "), "{error}");
    }
}

#[tokio::test]
async fn cve_2026_41644_what_a_provider_repeats_is_in_no_error() {
    let (error, _) = failure(FaultKind::Echo).await;
    assert_eq!(error.class, ErrorClass::UpstreamUnavailable);
    let shown = format!("{error} {error:?}");
    assert!(!shown.contains(purser_bank_simulator::API_KEY) && !shown.contains("GET"), "{shown}");
}

#[tokio::test]
async fn a_failure_that_passes_is_none() {
    let bench = Bench::new(&[]).await;
    bench.simulator.add_fault(Fault::times(1, FaultKind::Broken, "transactions"));
    bench.simulator.add_fault(Fault::times(1, FaultKind::Status(502), "transactions"));
    let snapshot = bench.lunchflow().transactions(CURRENT, quarter()).await.unwrap();
    assert!(snapshot.rows.len() > 50);
    assert_eq!(bench.environment.seconds(), [1, 2]);
}

/// Asking again each hour used up the limit of the day.
#[tokio::test]
async fn a_refusal_without_a_time_is_not_asked_again() {
    let (error, requests) = failure(FaultKind::TooMany(None)).await;
    assert_eq!((error.class, requests), (ErrorClass::RateLimited, 1));
    assert_eq!(error.retry_after, None);
    assert_eq!(error.rest(), Some(Duration::from_secs(3600)));
}

/// One balance that was refused made the whole run void.
#[tokio::test]
async fn r817_one_refused_balance_leaves_the_rest() {
    for kind in [FaultKind::TooMany(None), FaultKind::WrappedTooMany(3_000)] {
        let bench = Bench::new(&[]).await;
        let provider = bench.lunchflow();
        bench.simulator.add_fault(Fault::always(kind, "1001/balance"));
        let error = provider.balance(CURRENT).await.unwrap_err();
        assert_eq!(error.class, ErrorClass::RateLimited);
        assert!(!error.class.ends_the_run());
        provider.balance("1002").await.unwrap();
        provider.transactions(CURRENT, quarter()).await.unwrap();
    }
}

#[tokio::test]
async fn a_key_that_must_wait_waits_with_all_its_calls() {
    let bench = Bench::new(&[]).await;
    let provider = bench.lunchflow();
    bench.simulator.add_fault(Fault::times(1, FaultKind::TooMany(Some(300)), "balance"));
    provider.balance(CURRENT).await.unwrap_err();
    bench.simulator.take_requests();
    let error = provider.transactions(CURRENT, quarter()).await.unwrap_err();
    assert_eq!(error.rest(), Some(Duration::from_secs(300)));
    assert!(bench.simulator.take_requests().is_empty(), "nothing is sent until then");
    // Another key isn't concerned: it is asked, and refused for its own sake.
    let other = Secret::new("other");
    let other = ProviderKind::Lunchflow.open(&bench.client, &other).unwrap();
    assert_eq!(other.accounts().await.unwrap_err().class, ErrorClass::Auth);
}

#[tokio::test]
async fn a_time_is_read_by_the_clock_that_wrote_it() {
    let bench = Bench::new(&[Quirk::ClockSkew]).await;
    bench.simulator.add_fault(Fault::times(1, FaultKind::TooManyUntil(20), "balance"));
    bench.lunchflow().balance(CURRENT).await.unwrap();
    assert_eq!(bench.environment.seconds(), [20], "three hours of difference don't count");
}

#[tokio::test]
async fn requests_keep_the_pace_of_the_key() {
    let bench = Bench::new(&[]).await;
    let provider = bench.lunchflow();
    for _ in 0..25 {
        provider.balance(BROKERAGE).await.unwrap();
    }
    assert_eq!(bench.environment.seconds(), [1, 1, 1, 1, 1], "twenty at once, then one a second");
}
