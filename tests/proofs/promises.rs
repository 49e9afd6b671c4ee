//! What clients were promised, and whether it was kept.
//!
//! A client creates transactions, publishes imports and states balances, and takes some of it back
//! or changes it. Each request has a number of its own; whatever becomes of it, what is there of it
//! must be whole, and what was acknowledged must be there, or gone.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Answer, Client, Dice, Family, Server, Sql, within};

/// Rows of each file.
const ROWS: u64 = 5;
/// The day of all stated balances.
const DAY: &str = "2024-05-01";
/// How long work in the background may take to come to its end.
const SETTLING: Duration = Duration::from_secs(60);

/// Every kind of request that makes something.
pub(crate) const WISHES: [Wish; 3] = [Wish::Transaction, Wish::Import, Wish::Balance];

/// What a client asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Transaction,
    Import,
    Balance,
    /// The import of an earlier request is undone.
    Undo(usize),
    /// The transaction of an earlier request is deleted.
    Delete(usize),
    /// The transaction of an earlier request gets this one's number as its notes.
    Edit(usize),
}

/// A request, with the moments when it was sent and when it was acknowledged, if it was.
#[derive(Debug)]
struct Request {
    wish: Wish,
    /// The transaction or import that was made.
    id: Option<String>,
    sent: u64,
    acknowledged: Option<u64>,
}

/// What is there of a request: its rows, and their notes.
#[derive(Debug, Default)]
struct RequestRows {
    rows: u64,
    notes: Option<String>,
}

/// Everything that was asked for, by its number.
pub(crate) struct Promises {
    api: Client,
    account: String,
    stated: String,
    asked: Vec<Request>,
}

impl Promises {
    /// With two accounts of a family: one for entries, one for stated balances.
    pub(crate) fn of(family: &Family) -> Self {
        Self {
            api: family.api.clone(),
            account: family.account("Entries", "depository"),
            stated: family.account("Balances", "depository"),
            asked: Vec::new(),
        }
    }

    /// Sends the next request. `now` is the moment when the answer is there.
    pub(crate) fn ask(&mut self, wish: Wish, now: impl Fn() -> u64) -> Option<Answer> {
        self.ask_at(&self.api.clone(), wish, now)
    }

    /// As [`Promises::ask`], by a client of another node.
    pub(crate) fn ask_at(
        &mut self,
        api: &Client,
        wish: Wish,
        now: impl Fn() -> u64,
    ) -> Option<Answer> {
        let sent = now();
        let (method, path, body) = self.request(wish, self.asked.len());
        let answer = api.try_send(method, &path, body.as_ref());
        let good = answer.as_ref().filter(|answer| answer.status < 300);
        let acknowledged = good.map(|_| now());
        let is_row = matches!(wish, Wish::Transaction | Wish::Import);
        let id = good.filter(|_| is_row).map(Answer::id);
        self.asked.push(Request { wish, id, sent, acknowledged });
        answer
    }

    /// A request of any kind: a change concerns something earlier that nothing has ended yet.
    pub(crate) fn any_wish(&self, dice: &mut Dice) -> Wish {
        let of = |wish: Wish| {
            let is_one = |(number, asked): &(usize, &Request)| {
                asked.wish == wish && asked.id.is_some() && self.ends(*number).next().is_none()
            };
            let found = self.asked.iter().enumerate().filter(is_one).map(|(number, _)| number);
            found.collect::<Vec<_>>()
        };
        let kind = dice.below(8);
        let earlier = of(if kind == 5 { Wish::Import } else { Wish::Transaction });
        match kind {
            5 if !earlier.is_empty() => Wish::Undo(dice.pick(&earlier)),
            6 if !earlier.is_empty() => Wish::Delete(dice.pick(&earlier)),
            7 if !earlier.is_empty() => Wish::Edit(dice.pick(&earlier)),
            _ => dice.pick(&WISHES),
        }
    }

    /// Waits until the import of a request is published: before that nobody can undo it.
    pub(crate) fn wait_for_import(&self, number: usize) {
        self.api.wait_for_import(self.asked[number].id.as_ref().expect("an import"));
    }

    /// The requests that an earlier one's rows go by.
    fn ends(&self, number: usize) -> impl Iterator<Item = &Request> {
        self.asked.iter().filter(
            move |asked| matches!(asked.wish, Wish::Undo(of) | Wish::Delete(of) if of == number),
        )
    }

    /// Sends the last request again, as if it had been done twice.
    pub(crate) fn repeat_last(&self) {
        let last = self.asked.len() - 1;
        let (_, path, body) = self.request(self.asked[last].wish, last);
        self.api.post(&path, &body.expect("a body")).expect_status(201);
    }

    fn request(&self, wish: Wish, number: usize) -> (&'static str, String, Option<Value>) {
        let id = |of: usize| self.asked[of].id.as_ref().expect("it was made");
        let (path, body) = match wish {
            Wish::Undo(of) => {
                let path = format!("/api/v1/imports/{}/revert", id(of));
                return ("POST", path, Some(json!({})));
            }
            Wish::Delete(of) => {
                return ("DELETE", format!("/api/v1/transactions/{}", id(of)), None);
            }
            Wish::Edit(of) => {
                let path = format!("/api/v1/transactions/{}", id(of));
                return ("PATCH", path, Some(json!({ "notes": number.to_string() })));
            }
            Wish::Transaction => (
                "/api/v1/transactions",
                json!({ "account_id": self.account, "date": "2024-03-01", "amount": "-1.25",
                    "name": format!("n{number} 0") }),
            ),
            Wish::Import => {
                let rows = (0..ROWS).map(|row| format!("2024-03-02,+1.25,n{number} {row}\n"));
                let csv = format!("Date,Amount,Name\n{}", rows.collect::<String>());
                let body = json!({ "account_id": self.account, "publish": "true",
                    "raw_file_content": csv });
                ("/api/v1/imports", body)
            }
            Wish::Balance => {
                let valuation = json!({ "account_id": self.stated, "date": DAY,
                    "amount": number.to_string(), "upsert": true });
                ("/api/v1/valuations", json!({ "valuation": valuation }))
            }
        };
        ("POST", path.to_owned(), Some(body))
    }

    /// Compares what is there with what was promised until a moment. The error is what is wrong.
    pub(crate) fn verify(&self, server: &Server, until: u64) -> Result<(), String> {
        self.settle(server)?;
        self.compare(server, until).or_else(|_| {
            // What nobody was promised may have come to its end only now.
            self.settle(server)?;
            self.compare(server, until)
        })?;
        let checked = server.run(&["check"], "");
        if checked.status.success() { Ok(()) } else { Err(checked.stdout + &checked.stderr) }
    }

    fn compare(&self, server: &Server, until: u64) -> Result<(), String> {
        let api = self.client_of(server);
        let found = rows_by_request(&api)?;
        for (number, RequestRows { rows, notes }) in &found {
            let asked =
                self.asked.get(*number).ok_or_else(|| format!("{number} was never sent"))?;
            let whole = if asked.wish == Wish::Import { ROWS } else { 1 };
            if *rows != whole {
                return Err(format!("{rows} rows of request {number}, which has {whole}"));
            }
            if self.ends(*number).any(|end| is_kept(end, until)) {
                return Err(format!("request {number} was taken back and is there"));
            }
            self.verify_notes(*number, notes.as_deref(), until)?;
        }
        for (number, asked) in self.asked.iter().enumerate() {
            let is_row = matches!(asked.wish, Wish::Transaction | Wish::Import);
            let may_be_gone = self.ends(number).any(|end| end.sent <= until);
            if is_row && is_kept(asked, until) && !may_be_gone && !found.contains_key(&number) {
                return Err(format!("request {number} was acknowledged and is lost: {asked:?}"));
            }
        }
        let is_stated = |asked: &Request| asked.wish == Wish::Balance && is_kept(asked, until);
        self.verify_stated(&api, self.asked.iter().rposition(is_stated))?;
        self.verify_sum(&api, found.values().map(|found| found.rows).sum())
    }

    /// The notes are those of the last acknowledged edit, or of one that was sent after it.
    fn verify_notes(&self, number: usize, notes: Option<&str>, until: u64) -> Result<(), String> {
        let edits = self.asked.iter().enumerate();
        let edits: Vec<_> = edits.filter(|(_, edit)| edit.wish == Wish::Edit(number)).collect();
        let last = edits.iter().rposition(|(_, edit)| is_kept(edit, until));
        let is_it = |(edit, _): &(usize, &Request)| notes == Some(&edit.to_string());
        let at = edits.iter().position(is_it);
        let is_known = at.is_some() || notes.is_none_or(str::is_empty);
        if is_known && at >= last {
            return Ok(());
        }
        Err(format!("notes {notes:?} of request {number}, acknowledged {last:?} of {edits:?}"))
    }

    /// Waits until nothing is left to do in the background. What waits for its next try has it at
    /// once.
    pub(crate) fn settle(&self, server: &Server) -> Result<(), String> {
        let (api, sql) = (self.client_of(server), Sql::open(server));
        let refused = self
            .asked
            .iter()
            .filter(|asked| asked.wish == Wish::Import && asked.acknowledged.is_none());
        let undone = self.asked.iter().filter(|asked| matches!(asked.wish, Wish::Undo(_)));
        let refused = (refused.count() + undone.count()) as u64;
        let settled = within(SETTLING, || {
            let is_settled = (|| {
                let is_idle = sql.query("SELECT id FROM jobs").is_empty();
                Ok(is_idle && count(&api, "importing")? == 0 && count(&api, "pending")? <= refused)
            })();
            sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
            match is_settled {
                Ok(false) => None,
                Ok(true) => Some(Ok(())),
                Err(problem) => Some(Err(problem)),
            }
        });
        settled.unwrap_or_else(|| {
            let jobs = sql.query("SELECT kind, state, last_error FROM jobs");
            Err(format!("imports or jobs are stuck: {jobs:?}"))
        })
    }

    fn client_of(&self, server: &Server) -> Client {
        server.client().with_same_headers(&self.api)
    }

    /// The stated balance is the last that was acknowledged, or one that was sent after it.
    fn verify_stated(&self, api: &Client, last: Option<usize>) -> Result<(), String> {
        let path = format!("/api/v1/valuations?account_id={}", self.stated);
        let answer = expect(api, &path)?;
        let stated = answer["valuations"].as_array().into_iter().flatten();
        let mut stated = stated.filter(|valuation| valuation["date"] == DAY);
        let Some(valuation) = stated.next() else {
            return last.map_or(Ok(()), |last| Err(format!("the stated balance {last} is lost")));
        };
        let amount = valuation["amount_decimal"].as_str().ok_or("no amount")?;
        let number = amount.trim_end_matches(".00").parse::<usize>();
        let number = number.map_err(|error| format!("{error} in {amount}"))?;
        let is_known = self.asked.get(number).is_some_and(|asked| asked.wish == Wish::Balance);
        if !is_known || last.is_some_and(|last| number < last) || stated.next().is_some() {
            return Err(format!("stated balance {number}, acknowledged {last:?}"));
        }
        Ok(())
    }

    fn verify_sum(&self, api: &Client, rows: u64) -> Result<(), String> {
        let account = expect(api, &format!("/api/v1/accounts/{}", self.account))?;
        if account["balance_cents"] == rows * 125 {
            return Ok(());
        }
        Err(format!("{rows} rows and a balance of {}", account["balance"]))
    }
}

/// Whether a request was acknowledged until a moment.
fn is_kept(asked: &Request, until: u64) -> bool {
    asked.acknowledged.is_some_and(|moment| moment <= until)
}

/// How many imports have a status.
fn count(api: &Client, status: &str) -> Result<u64, String> {
    let list = expect(api, &format!("/api/v1/imports?status={status}"))?;
    list["meta"]["total_count"].as_u64().ok_or_else(|| "no count".to_owned())
}

/// What is there of each request.
fn rows_by_request(api: &Client) -> Result<BTreeMap<usize, RequestRows>, String> {
    let mut rows: BTreeMap<usize, RequestRows> = BTreeMap::new();
    for page in 1.. {
        let list = expect(api, &format!("/api/v1/transactions?per_page=100&page={page}"))?;
        let part = list["transactions"].as_array().ok_or("no transactions")?;
        if part.is_empty() {
            break;
        }
        for transaction in part {
            let name = transaction["name"].as_str().ok_or("no name")?;
            let number = name.trim_start_matches('n').split(' ').next().expect("a part");
            let found = rows.entry(number.parse().map_err(|_| format!("{name}?"))?).or_default();
            found.rows += 1;
            found.notes = transaction["notes"].as_str().map(str::to_owned);
        }
    }
    Ok(rows)
}

fn expect(api: &Client, path: &str) -> Result<Value, String> {
    let answer = api.get(path);
    if answer.status == 200 { Ok(answer.json()) } else { Err(answer.text()) }
}
