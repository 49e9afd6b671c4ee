//! Another family, which reads and writes a little.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::Result;
use crate::http::Client;
use crate::server::{Data, Server};
use crate::statistics::percentile;

/// The family's client and its account.
pub(super) struct OtherFamily {
    client: Client,
    account: String,
}

/// How long each read and each write took.
#[derive(Debug, Default)]
pub(super) struct Latencies {
    reads: Vec<Duration>,
    writes: Vec<Duration>,
}

impl Latencies {
    /// The slowest read and the slowest write.
    pub(super) fn slowest(&self) -> (Duration, Duration) {
        let slowest = |all: &[Duration]| all.iter().max().copied().unwrap_or_default();
        (slowest(&self.reads), slowest(&self.writes))
    }

    /// The median and the slowest of reads, and of writes, in milliseconds.
    pub(super) fn cells(mut self) -> [String; 4] {
        let milliseconds = |time: Duration| format!("{:.1}", time.as_secs_f64() * 1000.0);
        let (reads, writes) = (&mut self.reads, &mut self.writes);
        [
            milliseconds(percentile(reads, 50)),
            milliseconds(percentile(reads, 100)),
            milliseconds(percentile(writes, 50)),
            milliseconds(percentile(writes, 100)),
        ]
    }
}

impl OtherFamily {
    pub(super) fn new(data: &Data, server: &Server) -> Result<Self> {
        let client = Client::new(&server.address, &data.family_of("other@example.com")?);
        let account = json!({ "name": "Other", "account_type": "depository", "currency": "USD" });
        let made = client.post("/api/v1/accounts", &account)?;
        let account = made["id"].as_str().ok_or("the account has no id")?.to_owned();
        Ok(Self { client, account })
    }

    /// Reads and writes by turns until it is to stop.
    pub(super) fn use_until(&self, stop: &AtomicBool) -> Result<Latencies> {
        let mut latencies = Latencies::default();
        while !stop.load(Ordering::Relaxed) {
            let number = latencies.writes.len();
            let started = Instant::now();
            self.client.get("/api/v1/transactions?per_page=100")?;
            latencies.reads.push(started.elapsed());
            let date = format!("2024-{:02}-{:02}", number / 28 % 12 + 1, number % 28 + 1);
            let valuation = json!({ "account_id": self.account, "date": date, "amount": number });
            let started = Instant::now();
            self.client.post("/api/v1/valuations", &json!({ "valuation": valuation }))?;
            latencies.writes.push(started.elapsed());
        }
        Ok(latencies)
    }
}
