//! The programs that read journals, and what they make of them.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use purser_core::money::Currency;
use purser_core::money::decimal::amount_text;
use purser_core::money::exact;

use super::day_of;

/// Amounts are compared without needless zeros.
fn plain(number: &str) -> String {
    let text = match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.'),
        false => number,
    };
    if text.is_empty() || text == "-0" || text == "-" { "0".to_owned() } else { text.to_owned() }
}

/// An account, and a currency or a security of it.
type Commodity = (String, String);

/// What accounts have at the ends of days, by their ids.
#[derive(Debug, Default)]
pub(crate) struct Books {
    units: BTreeMap<Commodity, BTreeMap<i64, String>>,
    /// What positions cost at the end, in the account's currency; of ours none if it isn't known.
    costs: BTreeMap<Commodity, Option<String>>,
}

impl Books {
    fn put(&mut self, account: &str, of: &str, day: i64, number: &str) {
        let key = (account.replace('-', "").to_lowercase(), of.to_owned());
        self.units.entry(key).or_default().insert(day, plain(number));
    }

    pub(crate) fn money(&mut self, account: &str, currency: &str, day: i64, amount: i64) {
        let amount = amount_text(amount, Currency::parse(currency).unwrap());
        self.put(account, &format!("{currency}/"), day, &amount);
    }

    pub(crate) fn shares(&mut self, account: &str, of: &str, day: i64, quantity: &str) {
        self.put(account, of, day, quantity);
    }

    /// The exact fraction of the last segment counts.
    pub(crate) fn cost(&mut self, account: &str, of: &str, fraction: &str) {
        let key = (account.replace('-', "").to_lowercase(), of.to_owned());
        let cost = exact::parse(fraction).map(|cost| {
            // Every currency here has as many decimals in the scale.
            exact::to_decimal(&(cost / exact::units(4)), 12).unwrap().to_string()
        });
        self.costs.insert(key, cost);
    }

    fn on(&self, key: &Commodity, day: i64) -> &str {
        let days = self.units.get(key);
        let last = days.and_then(|days| days.range(..=day).next_back());
        last.map_or("0", |(_, number)| number)
    }

    /// Compares every day on which one of both has a number; returns how many there were.
    #[track_caller]
    pub(crate) fn compare_with(&self, other: &Self) -> usize {
        let mut compared = 0;
        let keys = self.units.keys().chain(other.units.keys());
        for key in keys.collect::<std::collections::BTreeSet<_>>() {
            let days = |books: &Self| -> Vec<i64> {
                books.units.get(key).into_iter().flat_map(|days| days.keys().copied()).collect()
            };
            let mut all = days(self);
            all.extend(days(other));
            all.sort_unstable();
            all.dedup();
            for day in all {
                assert_eq!(self.on(key, day), other.on(key, day), "{key:?} on day {day}");
                compared += 1;
            }
        }
        compared
    }

    /// Compares what positions cost of which all is known.
    #[track_caller]
    pub(crate) fn compare_costs(&self, other: &Self) -> usize {
        let known = self.costs.iter().filter_map(|(key, cost)| Some((key, cost.as_ref()?)));
        let mut compared = 0;
        for (key, cost) in known {
            let theirs = other.costs.get(key).and_then(Option::as_deref).unwrap_or("0");
            assert_eq!(plain(theirs), plain(cost), "the cost of {key:?}");
            compared += 1;
        }
        compared
    }
}

fn program(variable: &str) -> Command {
    let path = std::env::var_os(variable);
    Command::new(path.unwrap_or_else(|| panic!("{variable}: run the tests with cargo xtask test")))
}

#[track_caller]
fn output(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let errors = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {errors}");
    String::from_utf8(done.stdout).unwrap()
}

/// What hledger makes of a journal, which it must accept in strict mode.
#[track_caller]
pub(crate) fn hledger(journal: &Path) -> Books {
    let mut check = program("PURSER_TEST_HLEDGER");
    output(check.arg("-f").arg(journal).args(["check", "--strict"]));
    let text = std::fs::read_to_string(journal).unwrap();
    let (ids, tickers) =
        (declared(&text, "account ", "id"), declared(&text, "commodity ", "ticker"));
    let markets = declared(&text, "commodity ", "market");
    let mut balance = program("PURSER_TEST_HLEDGER");
    balance.arg("-f").arg(journal).args(["balance", "Assets", "Liabilities", "--flat"]);
    balance.args(["--historical", "--daily", "--empty", "--no-total", "--layout=bare"]);
    balance.args(["--output-format", "csv"]);
    for currency in ["USD", "EUR", "JPY"] {
        // As many decimals as amounts have.
        balance.args(["-c", &format!("1000.0000 {currency}")]);
    }
    let printed = output(&mut balance);
    let mut lines = printed.lines().map(cells);
    let days = lines.next().unwrap_or_default();
    let mut books = Books::default();
    for row in lines {
        // A child of nothing: accounts with entries have ids.
        let Some(id) = ids.get(&row[0]) else { panic!("{row:?} has no id") };
        let symbol = row[1].trim_matches('"').to_owned();
        let ticker = tickers.get(&symbol).unwrap_or(&symbol);
        let of = format!("{ticker}/{}", markets.get(&symbol).map_or("", String::as_str));
        for (day, number) in days.iter().zip(&row).skip(2) {
            books.put(id, &of, day_of(day), number);
        }
    }
    books
}

/// The facts of a kind below directives, by what these declare.
fn declared(text: &str, directive: &str, fact: &str) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut name = String::new();
    for line in text.lines() {
        if let Some(declared) = line.strip_prefix(directive) {
            name = declared.trim_matches('"').to_owned();
        } else if let Some(value) = line.strip_prefix(&format!("    ; {fact}: ")) {
            if !name.is_empty() {
                found.insert(name.clone(), value.to_owned());
            }
        } else if !line.starts_with("    ;") {
            name.clear();
        }
    }
    found
}

/// The cells of a line of a CSV.
fn cells(line: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut chars = line.chars().peekable();
    let mut is_quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cells.last_mut().unwrap().push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => cells.push(String::new()),
            c => cells.last_mut().unwrap().push(c),
        }
    }
    cells
}

/// What Beancount makes of a journal, of which it must find nothing wrong.
#[track_caller]
pub(crate) fn beancount(journal: &Path) -> Books {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/http/journals/journal.py");
    let mut python = program("PURSER_TEST_BEANCOUNT");
    let printed = output(python.arg(script).arg(journal).env("BEANCOUNT_DISABLE_LOAD_CACHE", "1"));
    let found: serde_json::Value = serde_json::from_str(&printed).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let mut books = Books::default();
    for row in found["units"].as_array().unwrap() {
        books.put(&text(&row[0]), &text(&row[1]), day_of(&text(&row[2])), &text(&row[3]));
    }
    for row in found["costs"].as_array().unwrap() {
        let key = (text(&row[0]).replace('-', ""), text(&row[1]));
        let cost: rust_decimal::Decimal = text(&row[2]).parse().unwrap();
        books.costs.insert(key, Some(cost.round_dp(12).to_string()));
    }
    books
}
