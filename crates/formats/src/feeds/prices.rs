//! Prices of securities: a table of many, or the answer of a feed for one.
//!
//! A table of many has the columns `date`, `ticker` (or `symbol`), `price` (or `close`) and
//! optionally `currency` and `exchange_operating_mic`. A feed is asked for one symbol; it answers
//! with a table of the columns `date`, `close` (or `price`) and optionally `currency`, or with the
//! same as JSON: a list of objects, such a list as `prices` in an object, or one object.

use jiff::civil::Date;
use purser_core::ledger::input::calendar_date;
use purser_core::money::Currency;
use rust_decimal::Decimal;

use super::rates::decimal;
use super::table::{Row, Table};
use super::{FeedError, RowProblems, json, quoted, text};

const PRICE_NAMES: [&str; 2] = ["close", "price"];
const TICKER_NAMES: [&str; 2] = ["ticker", "symbol"];
const MARKET_NAMES: [&str; 2] = ["exchange_operating_mic", "mic"];

/// A price, and its line in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceLine {
    /// The line, from 1; in JSON the number of the object.
    pub line: u64,
    /// The day of the price.
    pub date: Date,
    /// The currency, if the file has one.
    pub currency: Option<Currency>,
    /// The price of one unit, which is positive.
    pub price: Decimal,
}

/// A price of one of many securities.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TickerLine {
    /// The ticker in upper case.
    pub ticker: String,
    /// The market's code, upper case, if the table has one.
    pub exchange_operating_mic: Option<String>,
    /// The day, the price and the currency.
    pub price: PriceLine,
}

/// The columns of a table.
struct Columns {
    date: usize,
    price: usize,
    currency: Option<usize>,
}

impl Columns {
    fn of(table: &Table<'_>) -> Result<Self, FeedError> {
        Ok(Self {
            date: table.require(&["date"])?,
            price: table.require(&PRICE_NAMES)?,
            currency: table.find(&["currency"])?,
        })
    }

    fn read(&self, row: &Row) -> Result<PriceLine, String> {
        let currency = self.currency.map(|column| row.cell(column));
        price(row.line, row.cell(self.date), row.cell(self.price), currency)
    }
}

/// Reads a table of many securities.
pub fn read_table(bytes: &[u8]) -> Result<Vec<TickerLine>, FeedError> {
    let mut table = Table::open(text(bytes)?)?;
    let columns = Columns::of(&table)?;
    let ticker = table.require(&TICKER_NAMES)?;
    let market = table.find(&MARKET_NAMES)?;
    let (mut lines, mut problems) = (Vec::new(), RowProblems::new());
    while let Some(row) = table.next()? {
        let symbol = row.cell(ticker).to_uppercase();
        let market = market.map(|column| row.cell(column).to_uppercase());
        match columns.read(&row) {
            _ if symbol.is_empty() => problems.push(row.line, "The ticker is missing"),
            Err(problem) => problems.push(row.line, problem),
            Ok(price) => lines.push(TickerLine {
                ticker: symbol,
                exchange_operating_mic: market.filter(|market| !market.is_empty()),
                price,
            }),
        }
        if problems.is_full() {
            break;
        }
    }
    problems.into_result()?;
    if lines.is_empty() {
        return Err(FeedError::one("The file has no prices"));
    }
    Ok(lines)
}

/// Reads what a feed answers for one security, sorted by day; each day once.
pub fn read_answer(bytes: &[u8]) -> Result<Vec<PriceLine>, FeedError> {
    let text = text(bytes)?;
    let mut lines = match text.trim_start().as_bytes().first() {
        Some(b'[' | b'{') => json::read(text)?,
        Some(b'<') => return Err(FeedError::one("The answer is a page, not a table or JSON")),
        _ => rows(text)?,
    };
    if lines.is_empty() {
        return Err(FeedError::one("The answer has no prices"));
    }
    lines.sort_by_key(|line| (line.date, line.currency));
    for pair in lines.windows(2) {
        if let [one, other] = pair
            && (one.date, one.currency) == (other.date, other.currency)
        {
            return Err(FeedError::one("The answer has two prices of one day"));
        }
    }
    Ok(lines)
}

fn rows(text: &str) -> Result<Vec<PriceLine>, FeedError> {
    let mut table = Table::open(text)?;
    let columns = Columns::of(&table)?;
    let (mut lines, mut problems) = (Vec::new(), RowProblems::new());
    while let Some(row) = table.next()? {
        match columns.read(&row) {
            Ok(price) => lines.push(price),
            Err(problem) => problems.push(row.line, problem),
        }
        if problems.is_full() {
            break;
        }
    }
    problems.into_result()?;
    Ok(lines)
}

/// Reads the parts of a price. A blank currency is none.
pub(super) fn price(
    line: u64,
    date: &str,
    price: &str,
    currency: Option<&str>,
) -> Result<PriceLine, String> {
    let day = calendar_date(date)
        .ok_or_else(|| format!("{} is not a day such as 2026-01-31", quoted(date)))?;
    let currency = match currency.map(str::trim).filter(|code| !code.is_empty()) {
        None => None,
        Some(code) => Some(
            Currency::parse(code)
                .ok_or_else(|| format!("{} is not a currency such as USD", quoted(code)))?,
        ),
    };
    Ok(PriceLine { line, date: day, currency, price: decimal("price", price)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &PriceLine) -> String {
        let currency = line.currency.map_or("-", Currency::code);
        format!("{} {} {currency}", line.date, line.price)
    }

    fn answer(text: &str) -> Result<Vec<String>, String> {
        let lines = read_answer(text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(lines.iter().map(shown).collect())
    }

    #[test]
    fn answers_are_tables_or_json() {
        let two = ["2024-05-16 189.84 USD", "2024-05-17 189.87 USD"];
        for text in [
            "date,close,currency\n2024-05-17,189.87,USD\n2024-05-16,189.84,USD\n",
            "Date;Open;Price;Currency\n2024-05-16;1;189.84;usd\n2024-05-17;2;189.870;usd\n",
            r#"[{"date":"2024-05-17","close":189.87,"currency":"USD"},
                {"date":"2024-05-16","close":"189.84","currency":"USD","volume":5}]"#,
            r#"{"symbol":"X","prices":[{"price":189.84,"date":"2024-05-16","currency":"USD"},
                {"price":189.87,"date":"2024-05-17","currency":"USD"}]}"#,
        ] {
            assert_eq!(answer(text).unwrap(), two, "{text}");
        }
        // A number that doesn't fit is read without the noise of floats, a text is not.
        let one = r#" {"date": "2024-05-17", "price": 0.1000000000000000055, "currency": null}"#;
        assert_eq!(answer(one).unwrap(), ["2024-05-17 0.1 -"]);
        let one = r#" {"date": "2024-05-17", "price": "0.1000000000000000055", "currency": null}"#;
        assert!(answer(one).unwrap_err().contains("at most 18 decimals"));
        let one = r#" {"date": "2024-05-17", "price": 0.100000000000000005, "currency": null}"#;
        assert_eq!(answer(one).unwrap(), ["2024-05-17 0.100000000000000005 -"]);
        assert_eq!(
            answer("date,close\n2024-05-17,1e3\n").unwrap_err(),
            "Line 2: The price must be a decimal number such as 1.25, not \"1e3\""
        );
        assert_eq!(
            answer(r#"[{"date":"2024-05-17","close":1e3}]"#).unwrap(),
            ["2024-05-17 1000 -"]
        );
    }

    #[test]
    fn other_answers_are_refused_with_a_reason() {
        for (text, error) in [
            ("", "The file is empty"),
            ("[]", "The answer has no prices"),
            ("<html>Not found</html>", "The answer is a page"),
            ("date,open\n2024-05-17,1\n", "The header has no column called close or price"),
            ("date,close\n2024-05-17,1\n2024-05-17,2\n", "The answer has two prices of one day"),
            ("{\"error\":\"no such symbol\"}", "Object 1: The day is missing"),
            ("[{\"date\":\"2024-05-17\"}]", "Object 1: The price is missing"),
            ("[{\"date\":\"2024-05-17\",\"close\":null}]", "Object 1: The price is missing"),
            ("[{\"date\":\"2024-05-17\",\"close\":-1}]", "Object 1: The price must be more than 0"),
            ("[{\"date\":5,\"close\":1}]", "Object 1: \"5\" is not a day"),
            ("[1]", "The answer is JSON of another form"),
            ("[{", "The answer is JSON of another form"),
            ("{\"prices\":5}", "The answer is JSON of another form"),
        ] {
            let found = answer(text).unwrap_err();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }

    #[test]
    fn tables_of_many_securities() {
        let file = "date,ticker,price,currency,mic\n2024-05-17,vti,260.5,USD,arcx\n\
            2024-05-17,BTC,66000,,\n";
        let lines = read_table(file.as_bytes()).unwrap();
        let found: Vec<_> = lines
            .iter()
            .map(|one| {
                (one.ticker.as_str(), one.exchange_operating_mic.as_deref(), shown(&one.price))
            })
            .collect();
        assert_eq!(
            found,
            [
                ("VTI", Some("ARCX"), "2024-05-17 260.5 USD".to_owned()),
                ("BTC", None, "2024-05-17 66000 -".to_owned()),
            ]
        );
        let wrong = "symbol,date,close\n,2024-05-17,1\nA,17/05/2024,1\nB,2024-05-17,x\n";
        let errors = read_table(wrong.as_bytes()).unwrap_err().texts();
        assert_eq!(errors.len(), 3, "{errors:?}");
        assert_eq!(errors[0], "Line 2: The ticker is missing");
        let empty = read_table(b"symbol,date,close\n").unwrap_err();
        assert_eq!(empty.texts(), ["The file has no prices"]);
    }
}
