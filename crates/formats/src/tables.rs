//! Tables for spreadsheets, made of the lines of an export in the native format: each of them is a
//! CSV that the type of import of its name reads again.
//!
//! Lists of which a family has few are kept whole, with the names that entries need, which stand
//! before the entries in an export; entries pass through. A text that a spreadsheet would execute
//! as a formula gets an apostrophe in front (`purser_core::text::formula`), which the reader takes
//! off again. Money out and money in have a column each, so that no sign has to be explained. What
//! a table can't express, such as the two sides of a transfer, stands in the native file beside it.

mod cells;

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use purser_core::import::account::OWN_HEADER;
use purser_core::import::trade::OWN_HEADER as TRADES_HEADER;
use serde::Deserialize;
use serde_json::Value;

use cells::{escaped_tag, is_zero, record, unmistakable};

/// The tables that are kept whole: the name of the file, its header, and its rows.
#[derive(Debug, Default)]
pub struct Tables {
    accounts: HashMap<String, String>,
    /// The accounts in their order: the id, and the cells without the day of the balance.
    account_rows: Vec<(String, [String; 5])>,
    /// Amount and day of openings that have a day, by their accounts.
    openings: HashMap<String, [String; 2]>,
    /// The paths of the categories.
    categories: HashMap<String, String>,
    tags: HashMap<String, String>,
    isins: HashMap<String, (Option<String>, Option<String>)>,
    /// The rows of the lists behind the first.
    rows: [Vec<u8>; 3],
}

/// The list of accounts.
const ACCOUNTS: (&str, [&str; 6]) = ("accounts.csv", OWN_HEADER);
/// The files with other lists, and their headers, in the order of [`Tables::rows`].
const LISTS: [(&str, &[&str]); 3] = [
    ("categories.csv", &["name", "color", "parent_category", "lucide_icon"]),
    ("merchants.csv", &["name", "color", "website_url"]),
    ("rules.csv", &["name", "resource_type", "active", "effective_date", "conditions", "actions"]),
];

/// The types of lines that are kept.
const LISTED: [&str; 7] =
    ["Account", "Valuation", "Category", "Tag", "Merchant", "Security", "Rule"];

/// The header of `transactions.csv`.
const TRANSACTIONS: [&str; 10] = [
    "date",
    "name",
    "money out",
    "money in",
    "currency",
    "account",
    "category",
    "tags",
    "notes",
    "external id",
];

/// A line of the native format.
#[derive(Deserialize)]
struct Line<D> {
    data: D,
}

/// The fields of a transaction, or of a part of one, that the table has.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Transaction<'l> {
    #[serde(borrow)]
    date: Cow<'l, str>,
    #[serde(borrow)]
    name: Cow<'l, str>,
    #[serde(borrow)]
    amount: Cow<'l, str>,
    #[serde(borrow)]
    currency: Cow<'l, str>,
    #[serde(borrow)]
    account_id: Cow<'l, str>,
    #[serde(borrow)]
    category_id: Cow<'l, str>,
    #[serde(borrow)]
    notes: Cow<'l, str>,
    #[serde(borrow)]
    external_id: Cow<'l, str>,
    tag_ids: Option<Vec<String>>,
    pending: Option<bool>,
    split_lines: Option<Vec<Transaction<'l>>>,
}

fn text<'v>(data: &'v Value, field: &str) -> &'v str {
    data.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// The type of a line, which stands in front.
fn kind_of(line: &[u8]) -> Option<&str> {
    let rest = line.strip_prefix(b"{\"type\":\"")?;
    let end = rest.iter().position(|byte| *byte == b'"')?;
    std::str::from_utf8(&rest[..end]).ok()
}

/// Writes the headers of `transactions.csv` and `trades.csv`.
///
/// # Errors
/// Those of the outputs.
pub fn begin(transactions: &mut dyn Write, trades: &mut dyn Write) -> io::Result<()> {
    record(transactions, &TRANSACTIONS)?;
    record(trades, &TRADES_HEADER)
}

impl Tables {
    /// Takes whole lines of the export, in its order, and writes the rows of transactions and
    /// trades among them. A split transaction is its parts; pending ones aren't booked and have no
    /// row. Of trades, shares that come in and money that comes in are positive.
    ///
    /// # Errors
    /// Those of the outputs, or if a line isn't one of the native format.
    pub fn take(
        &mut self,
        piece: &[u8],
        transactions: &mut dyn Write,
        trades: &mut dyn Write,
    ) -> io::Result<()> {
        for line in piece.split(|byte| *byte == b'\n') {
            match kind_of(line) {
                Some("Transaction") => {
                    let line: Line<Transaction<'_>> = serde_json::from_slice(line)?;
                    self.transaction(&line.data, transactions)?;
                }
                Some("Trade") => {
                    let line: Line<Value> = serde_json::from_slice(line)?;
                    self.trade(&line.data, trades)?;
                }
                Some(kind) if LISTED.contains(&kind) => {
                    let line: Line<Value> = serde_json::from_slice(line)?;
                    self.list(kind, &line.data)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn list(&mut self, kind: &str, data: &Value) -> io::Result<()> {
        let (id, name) = (text(data, "id").to_owned(), text(data, "name"));
        match kind {
            "Account" => {
                let cells = [
                    name,
                    text(data, "accountable_type"),
                    text(data, "subtype"),
                    text(data, "opening_balance"),
                    text(data, "currency"),
                ];
                self.account_rows.push((id.clone(), cells.map(str::to_owned)));
                self.accounts.insert(id, name.to_owned());
            }
            "Valuation" if text(data, "kind") == "opening_anchor" => {
                let opening = [text(data, "amount"), text(data, "date")].map(str::to_owned);
                self.openings.insert(text(data, "account_id").to_owned(), opening);
            }
            "Valuation" => {}
            "Category" => {
                let parent = self.categories.get(text(data, "parent_id")).cloned();
                let above = parent.as_deref().unwrap_or_default();
                let cells = [name, text(data, "color"), above, text(data, "lucide_icon")];
                record(&mut self.rows[0], &cells)?;
                let path = parent.map_or(name.to_owned(), |parent| format!("{parent}:{name}"));
                self.categories.insert(id, path);
            }
            "Merchant" => {
                let cells = [name, text(data, "color"), text(data, "website_url")];
                record(&mut self.rows[1], &cells)?;
            }
            "Rule" => {
                let active = data.get("active").and_then(Value::as_bool).unwrap_or_default();
                let json = |field: &str| {
                    let mut value = data.get(field).cloned().unwrap_or_default();
                    by_name(&mut value);
                    value.to_string()
                };
                let (conditions, actions) = (json("conditions"), json("actions"));
                let cells = [
                    name,
                    text(data, "resource_type"),
                    if active { "true" } else { "false" },
                    text(data, "effective_date"),
                    &conditions,
                    &actions,
                ];
                record(&mut self.rows[2], &cells)?;
            }
            "Tag" => drop(self.tags.insert(id, name.to_owned())),
            _ => {
                let field =
                    |field: &str| data.get(field).and_then(Value::as_str).map(str::to_owned);
                self.isins.insert(id, (field("isin"), field("name")));
            }
        }
        Ok(())
    }

    /// The tables of lists: the name of the file, and its content.
    ///
    /// # Errors
    /// Those of writing records.
    pub fn lists(&self) -> io::Result<Vec<(&'static str, Vec<u8>)>> {
        let mut lists = vec![(ACCOUNTS.0, self.account_list()?)];
        lists.extend(LISTS.iter().zip(&self.rows).map(|((name, header), rows)| {
            let mut table = header.join(",").into_bytes();
            table.push(b'\n');
            table.extend(rows);
            (*name, table)
        }));
        Ok(lists)
    }

    /// The accounts with what they began with: on the day that it has, or before everything.
    fn account_list(&self) -> io::Result<Vec<u8>> {
        let mut table = Vec::new();
        record(&mut table, &ACCOUNTS.1)?;
        for (id, [name, account_type, subtype, balance, currency]) in &self.account_rows {
            let opening = self.openings.get(id);
            let (balance, day) = match opening {
                Some([amount, day]) => (amount, day.as_str()),
                None => (balance, ""),
            };
            let balance = unmistakable(balance);
            record(&mut table, &[name, account_type, subtype, &balance, currency, day])?;
        }
        Ok(table)
    }

    fn transaction(&self, whole: &Transaction<'_>, output: &mut dyn Write) -> io::Result<()> {
        if whole.pending.is_some() {
            return Ok(());
        }
        match &whole.split_lines {
            None => self.part(whole, whole, output),
            Some(parts) => parts.iter().try_for_each(|part| self.part(whole, part, output)),
        }
    }

    /// What a part doesn't have it has from its whole, but for the category.
    fn part(
        &self,
        whole: &Transaction<'_>,
        part: &Transaction<'_>,
        output: &mut dyn Write,
    ) -> io::Result<()> {
        let (out, into) = match part.amount.strip_prefix('-') {
            Some(into) => ("", into),
            None => (&*part.amount, ""),
        };
        let tags = part.tag_ids.as_ref().or(whole.tag_ids.as_ref());
        let tags = tags.into_iter().flatten().filter_map(|id| self.tags.get(id));
        let tags: Vec<String> = tags.map(|tag| escaped_tag(tag)).collect();
        let notes = if part.notes.is_empty() { &whole.notes } else { &part.notes };
        let cells = [
            &*whole.date,
            &part.name,
            &unmistakable(out),
            &unmistakable(into),
            &whole.currency,
            found(&self.accounts, &whole.account_id),
            found(&self.categories, &part.category_id),
            &tags.join(","),
            notes,
            &part.external_id,
        ];
        record(output, &cells)
    }

    fn trade(&self, data: &Value, output: &mut dyn Write) -> io::Result<()> {
        let (isin, name) = self.isins.get(text(data, "security_id")).cloned().unwrap_or_default();
        let amount = match text(data, "amount") {
            amount if is_zero(amount) => String::new(),
            // A sale that costs more than it brings: its total follows from the other cells.
            amount if text(data, "trade_type") == "sell" && !amount.starts_with('-') => {
                String::new()
            }
            amount => amount.strip_prefix('-').map_or(format!("-{amount}"), str::to_owned),
        };
        let part = |field: &str| data.get(field).and_then(Value::as_i64);
        let ratio = part("split_to").zip(part("split_from"));
        let ratio = ratio.map_or(String::new(), |(to, from)| format!("{to}:{from}"));
        let number = |field: &str| {
            let cell = Some(text(data, field)).filter(|cell| !is_zero(cell));
            cell.map(unmistakable).unwrap_or_default()
        };
        // A cost of zero is known; a blank one isn't.
        let cost = Some(text(data, "cost")).filter(|cost| !cost.is_empty());
        let cost = cost.map(unmistakable).unwrap_or_default();
        let cells = [
            text(data, "date"),
            &text(data, "trade_type").replace('_', " "),
            text(data, "ticker"),
            text(data, "exchange_operating_mic"),
            isin.as_deref().unwrap_or_default(),
            name.as_deref().unwrap_or_default(),
            &number("qty"),
            &number("price"),
            &number("fee"),
            &unmistakable(&amount),
            &cost,
            text(data, "currency"),
            &ratio,
            found(&self.accounts, text(data, "account_id")),
            text(data, "name"),
            text(data, "notes"),
            text(data, "external_id"),
        ];
        record(output, &cells)
    }
}

/// The name of an id; nothing if there is no id.
fn found<'n>(names: &'n HashMap<String, String>, id: &str) -> &'n str {
    names.get(id).map_or("", String::as_str)
}

/// Names in the place of ids, which mean nothing in another family.
fn by_name(value: &mut Value) {
    match value {
        Value::Array(all) => all.iter_mut().for_each(by_name),
        Value::Object(fields) => {
            let name = fields.get("value_ref").and_then(|it| it.get("name")).cloned();
            if let Some(name) = name.filter(Value::is_string) {
                fields.insert("value".to_owned(), name);
                fields.remove("value_ref");
            }
            fields.values_mut().for_each(by_name);
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "tables_tests.rs"]
mod tests;
