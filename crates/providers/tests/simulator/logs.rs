//! Raw answers in the log: off by default, one line for each, without secrets.

use std::io::Write;
use std::sync::{Arc, Mutex};

use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{API_KEY, Fault, Quirk};
use tracing::level_filters::LevelFilter;

use crate::support::{BROKERAGE, Bench, CURRENT, quarter};

/// A log that is kept in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The lines of the log after all four calls, and one that fails.
async fn lines(debug_raw: bool) -> Vec<String> {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let quirks = [Quirk::ConsentExpired];
    let bench = Bench::with(1, &quirks, |settings| settings.debug_raw = debug_raw).await;
    let provider = bench.lunchflow();
    provider.accounts().await.unwrap();
    provider.balance(CURRENT).await.unwrap();
    provider.transactions(CURRENT, quarter()).await.unwrap();
    provider.holdings(BROKERAGE).await.unwrap();
    provider.balance("1002").await.unwrap_err();
    bench.simulator.add_fault(Fault::always(FaultKind::NotJson, "accounts"));
    provider.accounts().await.unwrap_err();
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[tokio::test]
async fn raw_answers_are_one_line_each_without_secrets() {
    let lines = lines(true).await;
    let raw: Vec<&String> =
        lines.iter().filter(|line| line.contains("purser_providers::raw")).collect();
    let starts = [
        "lunchflow accounts GET /accounts 200 ",
        "lunchflow balance GET /accounts/{id}/balance 200 ",
        "lunchflow transactions GET /accounts/{id}/transactions 200 ",
        "lunchflow holdings GET /accounts/{id}/holdings 200 ",
        "lunchflow balance GET /accounts/{id}/balance 400 ",
        "lunchflow accounts GET /accounts 200 ",
    ];
    assert_eq!(raw.len(), starts.len(), "{raw:#?}");
    for (line, start) in raw.iter().zip(starts) {
        assert!(line.contains(start) && line.contains("DEBUG"), "{line}");
    }
    assert!(raw[4].contains("…3000") && !raw[4].contains("89370400"), "{}", raw[4]);
    let warnings = lines.iter().filter(|line| line.contains("WARN")).count();
    assert_eq!(warnings, 1, "that it is on");
    assert!(lines.iter().all(|line| !line.contains(API_KEY)));
}

#[tokio::test]
async fn raw_answers_are_off_by_default_and_nothing_else_quotes_them() {
    let lines = lines(false).await;
    for line in &lines {
        for text in ["Harbour", "DE89370400440532013000", "1002/", API_KEY, "Sign in"] {
            assert!(!line.contains(text), "{line}");
        }
    }
    assert!(lines.iter().any(|line| line.contains("a call failed")), "{lines:#?}");
}
