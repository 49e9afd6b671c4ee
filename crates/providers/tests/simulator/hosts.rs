//! Where requests go, and where they never go.

use purser_bank_simulator::Fault;
use purser_bank_simulator::misbehaviour::FaultKind;
use purser_core::secret::Secret;
use purser_outbound::{Url, base64};
use purser_providers::client::ClientSettings;
use purser_providers::{ErrorClass, ProviderKind};

use crate::support::{Bench, CURRENT, simulator};

/// An address of a person's choice was asked, and its answer was shown.
#[tokio::test]
async fn cve_2026_41644_only_permitted_hosts_are_asked() {
    let inner = simulator(1).await;
    let bench = Bench::new(&[]).await;
    let kind = ProviderKind::Simplefin;
    let claim = format!("{}/simplefin/claim/one-time-token", inner.url());
    let access = format!("http://demo:p@{}/simplefin", inner.url().trim_start_matches("http://"));
    for entered in [base64::encode(claim.as_bytes()), access.clone()] {
        let refused = kind.enrol(&bench.client, &Secret::new(entered)).await.unwrap_err();
        assert_eq!(refused.class, ErrorClass::Config);
    }
    let provider = kind.open(&bench.client, &Secret::new(access)).unwrap();
    assert_eq!(provider.accounts().await.unwrap_err().class, ErrorClass::Config);
    assert!(inner.take_requests().is_empty());
}

#[tokio::test]
async fn a_redirect_elsewhere_takes_no_key_along() {
    let other = simulator(1).await;
    let bench = Bench::new(&[]).await;
    let address = format!("{}/accounts/1001/balance", other.lunchflow_base());
    bench.simulator.add_fault(Fault::always(FaultKind::Redirect(address), "balance"));
    let error = bench.lunchflow().balance(CURRENT).await.unwrap_err();
    assert_eq!(error.class, ErrorClass::Config);
    assert!(other.take_requests().is_empty());
    assert_eq!(bench.simulator.take_requests().len(), 1, "nor is it asked again");
}

#[tokio::test]
async fn a_redirect_on_the_same_host_is_followed() {
    let bench = Bench::new(&[]).await;
    let address = format!("{}/accounts/1001/balance", bench.simulator.lunchflow_base());
    bench.simulator.add_fault(Fault::times(1, FaultKind::Redirect(address), "balance"));
    bench.lunchflow().balance(CURRENT).await.unwrap();
    assert_eq!(bench.simulator.take_requests().len(), 2);
}

/// The id of an account is one step of the path, whatever it holds.
#[tokio::test]
async fn an_id_cannot_lead_to_another_path() {
    let bench = Bench::new(&[]).await;
    let provider = bench.lunchflow();
    for id in ["1001/balance?x=", "../../admin", "1001#", "a b"] {
        assert_eq!(provider.balance(id).await.unwrap_err().class, ErrorClass::NotFound, "{id}");
    }
    let requests = bench.simulator.take_requests();
    let is_one_step = |path: &String| path.split('/').count() == 6 && path.ends_with("/balance");
    assert!(requests.iter().all(is_one_step), "{requests:?}");
}

/// A wrong key is a reason, and a key that no header can have isn't sent.
#[tokio::test]
async fn keys_that_are_wrong_are_refused() {
    let bench = Bench::new(&[]).await;
    for (key, requests) in [("wrong", 1), ("two\nlines", 0), ("", 1)] {
        let provider = ProviderKind::Lunchflow.open(&bench.client, &Secret::new(key)).unwrap();
        assert_eq!(provider.accounts().await.unwrap_err().class, ErrorClass::Auth, "{key:?}");
        assert_eq!(bench.simulator.take_requests().len(), requests, "{key:?}");
    }
}

/// The operator's own address of the provider is permitted by being the operator's.
#[tokio::test]
async fn the_operator_may_name_another_address() {
    let bench = Bench::with(1, &[], |settings: &mut ClientSettings| settings.hosts.clear()).await;
    assert_eq!(bench.lunchflow().accounts().await.unwrap().accounts.len(), 4);
    let other = Bench::with(1, &[], |settings| {
        let with_slash = format!("{}/", bench.simulator.lunchflow_base());
        settings.lunchflow_base = Some(Url::parse(&with_slash).unwrap());
    })
    .await;
    assert_eq!(other.lunchflow().accounts().await.unwrap().accounts.len(), 4);
    assert!(bench.simulator.take_requests().iter().all(|path| path == "/api/v1/accounts"));
}
