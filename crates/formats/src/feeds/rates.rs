//! Exchange rates: a row for each, or the European Central Bank's tables.
//!
//! A table has the columns `date`, `base`, `quote`, `rate` (`from` and `to` are understood too):
//! one unit of the base is worth so many of the quote. The European Central Bank's tables have one
//! column, or one element, for each currency: one euro is worth so many of them.

use purser_core::error::Problems;
use purser_core::ledger::input::{AmountText, calendar_date};
use purser_core::money::Currency;
use purser_core::rates::{StatedRate, positive_decimal};
use rust_decimal::Decimal;

use super::table::{Row, Table};
use super::{FeedError, RowProblems, ecb, quoted, text};

/// A rate, and its line in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLine {
    /// The line, from 1; in a file of one line the number of the rate.
    pub line: u64,
    /// The rate of that line.
    pub stated: StatedRate,
}

/// Reads a file of any of the forms.
pub fn read(bytes: &[u8]) -> Result<Vec<RateLine>, FeedError> {
    let text = text(bytes)?;
    let rates = if text.trim_start().starts_with('<') {
        ecb::xml(text)?
    } else {
        let table = Table::open(text)?;
        if table.find(&["rate"])?.is_some() { rows(table)? } else { ecb::table(table)? }
    };
    if rates.is_empty() {
        return Err(FeedError::one("The file has no rates"));
    }
    one_for_each_day(&rates)?;
    Ok(rates)
}

/// A row for each rate.
fn rows(mut table: Table<'_>) -> Result<Vec<RateLine>, FeedError> {
    let date = table.require(&["date"])?;
    let base = table.require(&["base", "from", "base_currency", "from_currency"])?;
    let quote = table.require(&["quote", "to", "quote_currency", "to_currency"])?;
    let rate = table.require(&["rate"])?;
    let (mut rates, mut problems) = (Vec::new(), RowProblems::new());
    while let Some(row) = table.next()? {
        match read_row(&row, [date, base, quote, rate]) {
            Ok(stated) => rates.push(RateLine { line: row.line, stated }),
            Err(problem) => problems.push(row.line, problem),
        }
        if problems.is_full() {
            break;
        }
    }
    problems.into_result()?;
    Ok(rates)
}

fn read_row(row: &Row, [date, base, quote, rate]: [usize; 4]) -> Result<StatedRate, String> {
    let currency = |column: usize| {
        let code = row.cell(column);
        Currency::parse(code)
            .ok_or_else(|| format!("{} is not a currency such as USD", quoted(code)))
    };
    let day = calendar_date(row.cell(date));
    let day =
        day.ok_or_else(|| format!("{} is not a day such as 2026-01-31", quoted(row.cell(date))))?;
    let (base, quote) = (currency(base)?, currency(quote)?);
    if base == quote {
        return Err("The quote must be another currency than the base".to_owned());
    }
    Ok(StatedRate { base, quote, date: day, rate: decimal("rate", row.cell(rate))? })
}

/// A positive decimal, or what is wrong with it.
pub(super) fn decimal(what: &str, cell: &str) -> Result<Decimal, String> {
    let mut problems = Problems::new();
    let read = positive_decimal(what, &AmountText::Text(cell.to_owned()), &mut problems);
    read.ok_or_else(|| format!("{}, not {}", problems.texts().join(", "), quoted(cell)))
}

/// Two rates of a pair and day would make it a matter of order which one counts.
fn one_for_each_day(rates: &[RateLine]) -> Result<(), FeedError> {
    let mut lines = std::collections::HashMap::with_capacity(rates.len());
    let mut problems = RowProblems::new();
    for RateLine { line, stated } in rates {
        let key = (stated.base, stated.quote, stated.date);
        if let Some(first) = lines.insert(key, *line) {
            problems.push(*line, format!("It has the pair and the day of line {first}"));
        }
    }
    problems.into_result()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(bytes: &[u8]) -> Result<Vec<String>, Vec<String>> {
        let text = |line: &RateLine| {
            let StatedRate { base, quote, date, rate } = line.stated;
            format!("{}: {date} {base}/{quote} {rate}", line.line)
        };
        read(bytes).map(|rates| rates.iter().map(text).collect()).map_err(|error| error.texts())
    }

    fn errors(text: &str) -> Vec<String> {
        shown(text.as_bytes()).unwrap_err()
    }

    #[test]
    fn tables_with_a_rate_in_each_row() {
        let rows = ["2: 2024-05-17 EUR/USD 1.0844", "4: 2024-05-18 USD/GBP 0.79"];
        for file in [
            "date,base,quote,rate\n2024-05-17,EUR,USD,1.0844\n\n2024-05-18,usd,GBP,0.790\n",
            "\u{feff}Rate;To;From;Date\r\n1.0844;USD;EUR;2024-05-17\r\n\r\n0.79;GBP;USD;2024-05-18",
            "from_currency\tto_currency\tdate\trate\nEUR\tUSD\t2024-05-17\t1.0844\n\n\
             USD\tGBP\t2024-05-18\t0.79\n",
        ] {
            assert_eq!(shown(file.as_bytes()).unwrap(), rows, "{file}");
        }
    }

    #[test]
    fn every_wrong_row_is_named() {
        let file = "date,base,quote,rate\n17.05.2024,EUR,USD,1\n2024-05-17,EUR,XXY,1\n\
            2024-05-17,EUR,EUR,1\n2024-05-17,EUR,USD,\"1,08\"\n2024-05-17,EUR,USD,0\n\
            2024-05-17,EUR,USD\n";
        let found = errors(file);
        assert_eq!(found.len(), 6);
        assert_eq!(found[0], "Line 2: \"17.05.2024\" is not a day such as 2026-01-31");
        assert_eq!(found[1], "Line 3: \"XXY\" is not a currency such as USD");
        assert_eq!(found[4], "Line 6: The rate must be more than 0, not \"0\"");
        let twice = "date,base,quote,rate\n2024-05-17,EUR,USD,1\n2024-05-17,EUR,USD,2\n";
        assert_eq!(errors(twice), ["Line 3: It has the pair and the day of line 2"]);
        let many = format!("date,base,quote,rate\n{}", "x,EUR,USD,1\n".repeat(50));
        assert_eq!(errors(&many).len(), super::super::PROBLEMS_MAX);
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        for (file, error) in [
            ("", "The file is empty"),
            ("  \n", "The file is empty"),
            ("date,base,quote,rate\n", "The file has no rates"),
            ("date,base,rate\n2024-05-17,EUR,1\n", "The header has no column called quote or to"),
            (
                "date,base,from,quote,rate\n",
                "Two columns can be meant: only one may be called base or from",
            ),
            (
                "date,base,quote,rate\n\"2024",
                "Line 2: A quoted cell starts here and is never closed",
            ),
        ] {
            let found = errors(file);
            assert!(found.len() == 1 && found[0].starts_with(error), "{found:?}");
        }
        assert_eq!(shown(b"\xff\xfe").unwrap_err(), ["The file is not UTF-8"]);
    }

    #[test]
    fn what_a_feed_answers_is_never_quoted() {
        for (file, sentence) in [
            ("date,base,quote,rate\ncanary,EUR,USD,1\n", "Line 2 can't be read"),
            ("date,base,quote,rate\n2024-05-17,EUR,USD,canary\n", "Line 2 can't be read"),
            ("date,canary\n2024-05-17,1\n", "Line 1 can't be read"),
            ("<Cube time='canary'/>", "Line 1 can't be read"),
            ("canary", "The header has no column called date"),
        ] {
            assert_eq!(read(file.as_bytes()).unwrap_err().unquoted(), sentence, "{file}");
        }
    }

    #[test]
    fn the_central_banks_tables() {
        let daily = "Date, USD, JPY, BGN, ISK, \n17 May 2024, 1.0844, 168.91, 1.9558, N/A, \n";
        let rows = [
            "2: 2024-05-17 EUR/USD 1.0844",
            "2: 2024-05-17 EUR/JPY 168.91",
            "2: 2024-05-17 EUR/BGN 1.9558",
        ];
        assert_eq!(shown(daily.as_bytes()).unwrap(), rows);
        let history = "Date,USD,CYP,\n2024-05-17,1.0844,N/A,\n2007-12-31,1.4721,0.585274,\n";
        let rows = ["2: 2024-05-17 EUR/USD 1.0844", "3: 2007-12-31 EUR/USD 1.4721"];
        let found = shown(history.as_bytes()).unwrap();
        assert_eq!(found[..2], rows);
        for (wrong, error) in [
            ("Date,USD\n17 Mai 2024,1\n", "Line 2: \"17 Mai 2024\" is not a day"),
            ("Date,USD\n2024-05-17,abc\n", "Line 2: The rate of USD must be"),
            ("Date,USD,US\n2024-05-17,1,1\n", "Line 1: \"US\" is not the code of a currency"),
            ("<html><body>Moved</body></html>", "The file has no rates"),
        ] {
            let found = errors(wrong);
            assert!(found[0].starts_with(error), "{found:?}");
        }
    }

    #[test]
    fn the_central_banks_elements() {
        let file = r#"<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01">
  <!-- <Cube time='1999-01-01'/> -->
  <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
  <Cube>
    <Cube time='2024-05-17'>
      <Cube currency='USD' rate='1.0844'/>
      <Cube rate="168.91" currency="JPY"></Cube></Cube>
    <Cube time="2024-05-16"><Cube currency="USD" rate="1.0866"/></Cube>
  </Cube>
</gesmes:Envelope>"#;
        let rows = [
            "7: 2024-05-17 EUR/USD 1.0844",
            "8: 2024-05-17 EUR/JPY 168.91",
            "9: 2024-05-16 EUR/USD 1.0866",
        ];
        assert_eq!(shown(file.as_bytes()).unwrap(), rows);
        for (wrong, error) in [
            ("<Cube currency='USD' rate='1'/>", "Line 1: A rate stands before any day"),
            ("<Cube time='17 May'/>", "Line 1: \"17 May\" is not a day"),
            ("<Cube time='2024-05-17'><Cube currency='USD'/></Cube>", "Line 1: A rate is missing"),
            ("<Cube time='2024-05-17'><Cube currency='USD' rate='x'/></Cube>", "Line 1: The rate"),
            ("<Cube time='2024-05-17'><Cube currency='USD' rate='1'", "Line 1: An element is cut"),
            ("<Cube time=2024-05-17 />", "Line 1: An attribute can't be read"),
            ("<!-- <Cube/>", "Line 1: A comment is cut"),
        ] {
            let found = errors(wrong);
            assert!(found[0].starts_with(error), "{wrong}: {found:?}");
        }
    }
}
