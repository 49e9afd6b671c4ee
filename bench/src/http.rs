//! The few requests that benchmarks make outside their measured loops.

use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::Agent;

use crate::Result;

pub(crate) const BOUNDARY: &str = "----purser-bench-boundary-8d1f";
const POLL: Duration = Duration::from_millis(5);
/// An import that takes longer counts as failed.
const IMPORT_SECONDS_MAX: u64 = 600;

/// A client with a key.
#[derive(Debug)]
pub(crate) struct Client {
    agent: Agent,
    base: String,
    key: String,
}

impl Client {
    pub(crate) fn new(address: &str, key: &str) -> Self {
        let config = Agent::config_builder().http_status_as_error(false).build();
        Self { agent: config.into(), base: format!("http://{address}"), key: key.to_owned() }
    }

    /// The JSON of an answer that must be a success.
    pub(crate) fn get(&self, path: &str) -> Result<Value> {
        Ok(serde_json::from_str(&self.get_text(path)?)?)
    }

    /// The text of an answer that must be a success.
    pub(crate) fn get_text(&self, path: &str) -> Result<String> {
        let url = format!("{}{path}", self.base);
        let mut response = self.agent.get(&url).header("X-Api-Key", &self.key).call()?;
        let text = response.body_mut().read_to_string()?;
        if !response.status().is_success() {
            return Err(format!("GET {path}: {} {text}", response.status()).into());
        }
        Ok(text)
    }

    /// Sends JSON; the answer must be a success.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<Value> {
        let mut response = self
            .agent
            .post(format!("{}{path}", self.base))
            .header("X-Api-Key", &self.key)
            .header("Content-Type", "application/json")
            .send(body.to_string())?;
        let text = response.body_mut().read_to_string()?;
        if !response.status().is_success() {
            return Err(format!("POST {path}: {} {text}", response.status()).into());
        }
        Ok(serde_json::from_str(&text)?)
    }

    /// How many transactions the family has.
    pub(crate) fn transactions_count(&self) -> Result<u64> {
        let page = self.get("/api/v1/transactions?per_page=1")?;
        Ok(page["pagination"]["total_count"].as_u64().ok_or("no total_count")?)
    }

    /// Uploads a CSV as a browser does; the import's id.
    pub(crate) fn upload(&self, body: &[u8]) -> Result<String> {
        let mut response = self
            .agent
            .post(format!("{}/api/v1/imports", self.base))
            .header("X-Api-Key", &self.key)
            .header("Content-Type", format!("multipart/form-data; boundary={BOUNDARY}"))
            .send(body)?;
        let text = response.body_mut().read_to_string()?;
        if response.status().as_u16() != 201 {
            return Err(format!("POST imports: {} {text}", response.status()).into());
        }
        let answer: Value = serde_json::from_str(&text)?;
        Ok(answer["data"]["id"].as_str().ok_or("the import has no id")?.to_owned())
    }

    /// Asks every 5 ms until the import is complete; its detail.
    pub(crate) fn wait_until_complete(&self, id: &str) -> Result<Value> {
        self.wait(id, "importing", "complete")
    }

    /// Asks until an export is there.
    pub(crate) fn wait_for_export(&self, id: &str) -> Result<()> {
        let deadline = Instant::now() + Duration::from_secs(IMPORT_SECONDS_MAX);
        loop {
            let export = self.get(&format!("/api/v1/family_exports/{id}"))?;
            let export = export.get("data").unwrap_or(&export);
            match export["status"].as_str() {
                Some("completed") => return Ok(()),
                Some("pending" | "processing") if Instant::now() < deadline => sleep(POLL),
                _ => return Err(format!("the export is not completed: {export}").into()),
            }
        }
    }

    /// Undoes an import and waits until that is done.
    pub(crate) fn undo(&self, id: &str) -> Result<()> {
        self.post(&format!("/api/v1/imports/{id}/revert"), &json!({}))?;
        self.wait(id, "reverting", "pending").map(drop)
    }

    /// Asks every 5 ms as long as the import is on its way to a status.
    fn wait(&self, id: &str, on_the_way: &str, wanted: &str) -> Result<Value> {
        let deadline = Instant::now() + Duration::from_secs(IMPORT_SECONDS_MAX);
        loop {
            let import = self.get(&format!("/api/v1/imports/{id}"))?["data"].clone();
            match import["status"].as_str() {
                Some(status) if status == wanted => return Ok(import),
                Some(status) if status == on_the_way && Instant::now() < deadline => sleep(POLL),
                _ => return Err(format!("the import is not {wanted}: {import}").into()),
            }
        }
    }
}

/// A browser that shows the page to sign in.
#[derive(Debug)]
pub(crate) struct SignIn {
    agent: Agent,
    address: String,
    cookies: String,
    form_token: String,
}

impl SignIn {
    /// Opens the page to sign in.
    pub(crate) fn open(server: &str) -> Result<Self> {
        let config = Agent::config_builder().http_status_as_error(false).max_redirects(0).build();
        let (agent, address) = (Agent::from(config), format!("http://{server}/sign-in"));
        let mut page = agent.get(&address).call()?;
        let cookies = page.headers().get_all("set-cookie").iter();
        let cookies = cookies.filter_map(|cookie| cookie.to_str().ok()?.split(';').next());
        let cookies = cookies.collect::<Vec<_>>().join("; ");
        let text = page.body_mut().read_to_string()?;
        let field = text.split("name=\"form_token\"").nth(1).ok_or("the page has no token")?;
        let value = field.split("value=\"").nth(1).and_then(|value| value.split('"').next());
        let form_token = value.ok_or("the token has no value")?.to_owned();
        Ok(Self { agent, address, cookies, form_token })
    }

    /// Sends the form; it must lead to another page.
    pub(crate) fn enter(&self, email: &str, password: &str) -> Result<()> {
        let form = [("email", email), ("password", password), ("form_token", &self.form_token)];
        let request = self.agent.post(&self.address).header("Cookie", &self.cookies);
        let status = request.send_form(form)?.status().as_u16();
        if status == 303 { Ok(()) } else { Err(format!("{email} can't sign in: {status}").into()) }
    }
}

/// The form of an upload, perhaps one that is to be published, built before the clock starts.
pub(crate) fn upload_body(csv: &[u8], publish: bool) -> Vec<u8> {
    upload_body_of("TransactionImport", None, csv, publish)
}

/// The same for any type, perhaps into one account.
pub(crate) fn upload_body_of(
    import_type: &str,
    account: Option<&str>,
    csv: &[u8],
    publish: bool,
) -> Vec<u8> {
    let mut body = Vec::with_capacity(csv.len() + 1024);
    let mut part = |head: &str, content: &[u8]| {
        body.extend_from_slice(
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {head}\r\n\r\n").as_bytes(),
        );
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    part("name=\"type\"", import_type.as_bytes());
    if let Some(account) = account {
        part("name=\"account_id\"", account.as_bytes());
    }
    part("name=\"publish\"", if publish { b"true" } else { b"false" });
    part("name=\"file\"; filename=\"bench.csv\"\r\nContent-Type: text/csv", csv);
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}
