//! Files as programs and brokers write them, and what becomes of each row: a table for each type.
//!
//! Every case is published, sent once more (nothing is added), and undone: then the family is what
//! it was before, ids included. Many are defects that imports of other programs are known for: a
//! sign that is lost, a record that is passed over, a file of which only a part is read.

mod programs;
mod qif;
mod records;
mod trades;

use serde_json::{Value, json};

use super::undo::{publish_again, undo};
use super::undo_state::State;
use super::{IMPORTS, all, assert_whole, path, text};
use crate::support::{Answer, Family, Multipart, Server, Sql};

/// A file and what it means.
struct Case {
    /// What is special about it.
    name: &'static str,
    import_type: &'static str,
    /// The currency of the family.
    currency: &'static str,
    /// Where its rows go: the account with money, the depot, or what the file names.
    account: Option<&'static str>,
    /// Settings that are sent.
    fields: &'static [(&'static str, &'static str)],
    content: Vec<u8>,
    /// Every row: what it is, or why it is left out or invalid.
    rows: &'static [&'static str],
}

impl Case {
    fn new(name: &'static str, import_type: &'static str, content: impl Into<Vec<u8>>) -> Self {
        Self {
            name,
            import_type,
            currency: "EUR",
            account: None,
            fields: &[],
            content: content.into(),
            rows: &[],
        }
    }

    fn in_currency(self, currency: &'static str) -> Self {
        Self { currency, ..self }
    }

    fn into(self, account: &'static str) -> Self {
        Self { account: Some(account), ..self }
    }

    fn with(self, fields: &'static [(&'static str, &'static str)]) -> Self {
        Self { fields, ..self }
    }

    fn holding(self, content: &str) -> Self {
        Self { content: content.into(), ..self }
    }

    fn reads(self, rows: &'static [&'static str]) -> Self {
        Self { rows, ..self }
    }
}

/// The accounts that are there, by their names.
type Accounts = [(&'static str, String); 2];

/// Families of the cases, one for each currency.
struct Families<'s> {
    server: &'s Server,
    known: Vec<(&'static str, Family, Accounts)>,
}

impl Families<'_> {
    fn of(&mut self, currency: &'static str) -> usize {
        if let Some(at) = self.known.iter().position(|one| one.0 == currency) {
            return at;
        }
        let family = self.server.family_in(currency);
        let account = |name: &str, account_type: &str| {
            family.account_with(json!({
                "name": name, "account_type": account_type, "currency": currency,
            }))
        };
        let accounts =
            [("Main", account("Main", "depository")), ("Depot", account("Depot", "investment"))];
        self.known.push((currency, family, accounts));
        self.known.len() - 1
    }
}

/// Runs all cases of a table, and names every one that fails.
#[track_caller]
fn check(server: &Server, cases: Vec<Case>) {
    let sql = Sql::open(server);
    let mut families = Families { server, known: Vec::new() };
    let mut wrong = Vec::new();
    for case in &cases {
        let at = families.of(case.currency);
        let (_, family, accounts) = &families.known[at];
        sql.run("UPDATE families SET transfer_matching = 'off'");
        let before = State::read(&sql, family);
        let answer = send(family, accounts, case);
        if answer.status != 201 {
            wrong.push(format!("{}: {}", case.name, answer.text()));
            continue;
        }
        let import = answer.json()["data"].clone();
        let rows = rows(family, &import);
        if rows != case.rows {
            let (rows, expected) = (rows.join("\n  "), case.rows.join("\n  "));
            let problems = &import["source"]["problems"];
            wrong.push(format!("{}: {problems}\n  {rows}\nnot\n  {expected}", case.name));
            family.api.delete(&path(&import, "")).expect_status(200);
            continue;
        }
        if import["status_detail"]["publishable"] == true {
            let published = publish_again(&family.api, &import);
            assert_ne!(State::read(&sql, family), before, "{} does nothing", case.name);
            let again = send(family, accounts, case).expect_status(201).json()["data"].clone();
            let again = publish_again(&family.api, &again);
            let counts = [&again["plan"]["create_count"], &again["plan"]["changed_count"]];
            assert_eq!(counts, [&json!(0), &json!(0)], "{}: twice is once", case.name);
            undo(&family.api, &again);
            family.api.delete(&path(&again, "")).expect_status(200);
            undo(&family.api, &published);
        }
        family.api.delete(&path(&import, "")).expect_status(200);
        assert_eq!(State::read(&sql, family), before, "{} leaves something", case.name);
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert_whole(server);
}

fn send(family: &Family, accounts: &[(&str, String)], case: &Case) -> Answer {
    let mut form = Multipart::new().text("type", case.import_type);
    let account = accounts.iter().find(|(name, _)| case.account == Some(*name));
    if let Some((_, id)) = account {
        form = form.text("account_id", id);
    }
    for (field, value) in case.fields {
        form = form.text(field, value);
    }
    family
        .api
        .post_form(IMPORTS, &form.file("file", "file", "application/octet-stream", &case.content))
}

/// Rows as lines. Money out is positive, as in the whole interface.
fn rows(family: &Family, import: &Value) -> Vec<String> {
    all(&family.api, &path(import, "/rows"), "data").iter().map(row).collect()
}

fn row(row: &Value) -> String {
    if row["valid"] == false {
        let errors: Vec<&str> = row["errors"].as_array().unwrap().iter().map(text).collect();
        return format!("line {}: {}", row["line"], errors.join("; "));
    }
    let fields = &row["fields"];
    // What a case is about is in these fields; a name stands for the record where there is one.
    let shown = [
        "date",
        "type",
        "account_type",
        "isin",
        "ticker",
        "qty",
        "price",
        "fee",
        "split_ratio",
        "amount_decimal",
        "cost",
        "balance",
        "currency",
        "name",
        "subtype",
        "category",
        "parent",
        "color",
        "icon",
        "website",
        "account",
        "tags",
        "notes",
    ];
    let cells = shown.iter().filter_map(|field| fields[*field].as_str());
    let line = cells.filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" ");
    match row["verdict"].as_str() {
        Some("left_out") => format!("left out: {line}"),
        Some("needs_choice") => format!("open: {line}: {}", text(&row["reason"])),
        Some("repeats") => format!("again: {line}"),
        _ => line,
    }
}
