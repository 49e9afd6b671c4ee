//! The family with many entries, and the kinds of load that its key sends.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::requests::{Answers, Request};
use crate::Result;
use crate::generate::{self, Size};
use crate::http::{Client, upload_body, upload_body_of};
use crate::server::{Data, Server, scratch};
use crate::{documents, native, statements};

/// Rows of one import of the entries.
const ROWS_OF_IMPORT_MAX: u64 = 200_000;
/// Rows of an import that the mixed load undoes, and of those that it publishes.
const ROWS_OF_SMALL: u64 = 20_000;
/// Requests of the loads of which each is large.
const LARGE: u64 = 32;

/// The key that sends much, and what it knows.
pub(super) struct Sender {
    client: Client,
    key: String,
    /// The forms of its uploads.
    files: Files,
    /// A large import that is pending.
    import: String,
    /// Small ones that are pending.
    pending: [String; 2],
    /// Small ones that are complete.
    complete: [String; 2],
    /// An export that can be downloaded.
    export: String,
}

struct Files {
    csv: Vec<u8>,
    ndjson: Vec<u8>,
    xlsx: Vec<u8>,
    pdf: Vec<u8>,
}

impl Files {
    fn write(csv: &Path, seed: u64, account: &str) -> Result<Self> {
        generate::write(csv, generate::TEN_MEBIBYTES, seed)?;
        let form = |import_type, account, content: &[u8]| {
            upload_body_of(import_type, account, content, false)
        };
        Ok(Self {
            csv: upload_body(&fs::read(csv)?, false),
            ndjson: form("NativeImport", None, native::ndjson(csv)?.as_bytes()),
            xlsx: form("TransactionImport", None, &statements::large_spreadsheet()?),
            pdf: form("PdfImport", Some(account), &documents::large()?),
        })
    }
}

impl Sender {
    pub(super) fn new(data: &Data, server: &Server, rows: u64) -> Result<Self> {
        let key = data.family()?;
        let client = Client::new(&server.address, &key);
        let folder = scratch()?;
        let csv = folder.path().join("load.csv");
        let mut seed = generate::SEED;
        // Equal files would be recognised.
        let mut upload = |rows, publish| -> Result<String> {
            seed += 2;
            generate::write(&csv, Size::Rows(rows), seed)?;
            let id = client.upload(&upload_body(&fs::read(&csv)?, publish))?;
            if publish {
                client.wait_until_complete(&id)?;
            }
            Ok(id)
        };
        let mut left = rows;
        while left > 0 {
            let part = left.min(ROWS_OF_IMPORT_MAX);
            upload(part, true)?;
            left -= part;
        }
        let small = ROWS_OF_SMALL.min(rows);
        let complete = [upload(small, true)?, upload(small, true)?];
        let pending = [upload(small, false)?, upload(small, false)?];
        let account = json!({ "name": "Scanned", "account_type": "depository", "currency": "USD" });
        let account = id_of(&client.post("/api/v1/accounts", &json!({ "account": account }))?)?;
        let files = Files::write(&csv, seed + 2, &account)?;
        let import = client.upload(&files.csv)?;
        let export = id_of(&client.post("/api/v1/family_exports", &json!({}))?)?;
        client.wait_for_export(&export)?;
        Ok(Self { client, key, files, import, pending, complete, export })
    }

    fn get(&self, path: &str) -> Request {
        Request::get(&self.key, path)
    }

    fn post(&self, path: &str, body: &Value) -> Request {
        Request::post(&self.key, path, body)
    }

    /// The kinds of load by name.
    pub(super) fn loads(&self, count: u64) -> Vec<(&'static str, Vec<Request>)> {
        let report = |name: &str, first: u32, more: &str| {
            self.get(&format!("reports/{name}?start_date={first}-01-01&end_date=2025-12-31{more}"))
        };
        let days = report("net_worth", 2016, "&interval=day");
        let century = report("net_worth", 1926, "&interval=day");
        let page = self.get("transactions?per_page=100");
        let search = self.get("transactions?per_page=100&search=nothing+like+it");
        let preview = self.preview_of_rule();
        let table = Request::table(&self.key, 10 * 1024 * 1024 - 100);
        let upload = Request::upload(&self.key, "imports", &self.files.csv);
        let rows = self.get(&format!("imports/{}/rows?per_page=100", self.import));
        let files = self.other_files();
        let mixed = [
            days.clone(),
            page.clone(),
            search.clone(),
            report("net_worth", 1926, "&interval=month"),
            report("cash_flow", 1926, ""),
            page.clone(),
            self.get("balances?per_page=100"),
            century.clone(),
            preview.clone(),
            rows.clone(),
            self.get(&format!("imports/{}", self.import)),
            self.get(&format!("imports/{}/revert", self.complete[0])),
            self.get(&format!("family_exports/{}/download", self.export)),
        ];
        let mut all = repeat(&mixed, count);
        let large = [&[table.clone(), upload.clone()][..], &files].concat();
        all.extend(repeat(&large, (count / 20).max(2 * large.len() as u64)));
        all.extend(self.jobs());
        vec![
            ("64 searches", repeat(&[search], 64)),
            ("60 previews", repeat(&[preview], 60)),
            ("net worth by day over a century", repeat(&[century], count)),
            ("net worth by day over ten years", repeat(std::slice::from_ref(&days), count)),
            ("… that nobody reads", repeat(&[days.unread()], count)),
            ("pages of 100", repeat(&[page], count)),
            ("rows of an import", repeat(&[rows], count)),
            ("a table of 10 MiB", repeat(&[table], LARGE)),
            ("uploads of 10 MiB", repeat(&[upload], LARGE)),
            ("other files and preflights", repeat(&files, LARGE)),
            ("all of it mixed", all),
        ]
    }

    fn preview_of_rule(&self) -> Request {
        let rule = json!({ "rule": { "name": "Load", "resource_type": "transaction",
            "conditions": [{ "condition_type": "transaction_name", "operator": "like",
                "value": "nothing like it" }],
            "actions": [{ "action_type": "exclude_transaction" }] } });
        self.post("rules/preview", &rule)
    }

    /// What a bank's table isn't, and each that can be looked at without storing it.
    fn other_files(&self) -> Vec<Request> {
        let Files { csv, ndjson, xlsx, pdf } = &self.files;
        let send = |path, body: &[u8]| Request::upload(&self.key, path, body);
        vec![
            send("imports", ndjson),
            send("imports", xlsx),
            send("imports", pdf),
            send("imports/preflight", csv),
            send("imports/preflight", ndjson),
            send("imports/preflight", xlsx),
            send("imports/preflight", pdf),
        ]
    }

    /// Publishes, undos and exports, which go on in the background.
    fn jobs(&self) -> Vec<Request> {
        let none = json!({});
        let publish = self.pending.iter().map(|id| format!("imports/{id}/publish"));
        let undo = self.complete.iter().map(|id| format!("imports/{id}/revert"));
        let mut all: Vec<Request> =
            publish.chain(undo).map(|path| self.post(&path, &none)).collect();
        for format in ["ndjson", "csv_zip", "hledger", "beancount"] {
            all.push(self.post("family_exports", &json!({ "format": format })));
        }
        all
    }

    pub(super) fn publish_and_undo(&self) -> Result<Answers> {
        let path = format!("/api/v1/imports/{}/publish", self.import);
        self.client.post(&path, &json!({}))?;
        self.client.wait_until_complete(&self.import)?;
        self.client.undo(&self.import)?;
        Ok(Answers::default())
    }
}

/// So many requests, one kind after the other.
fn repeat(kinds: &[Request], count: u64) -> Vec<Request> {
    kinds.iter().cycle().take(count as usize).cloned().collect()
}

fn id_of(answer: &Value) -> Result<String> {
    let id = answer["id"].as_str().or_else(|| answer["data"]["id"].as_str());
    Ok(id.ok_or("the answer has no id")?.to_owned())
}
