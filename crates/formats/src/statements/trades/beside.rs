//! Rows about what a statement states besides its trades: what was held before, and prices.
//!
//! What can't be used of it is a row that is left out, with the reason. It never keeps the trades
//! from being imported.

use std::collections::BTreeSet;
use std::io::Write;

use jiff::civil::Date;
use purser_core::import::file_statement::{FilePosition, kept};
use purser_core::import::trade::{
    NOT_USED, OPENING_POSITION, OPENING_SHORT_POSITION, SECURITY_PRICE,
};

use super::super::amount::Amount;
use super::super::holdings::{Prices, SecurityKey};
use super::super::model::{BankStatement, PositionFacts};
use super::super::table::padded;
use super::{HEADER, Table};

impl<W: Write> Table<W> {
    /// A row that is left out, with the reason in the place of its type.
    fn not_used(&mut self, line: u64, reason: &str) -> std::io::Result<()> {
        let mut cells: [String; HEADER.len()] = Default::default();
        cells[1] = format!("{NOT_USED}line {line} of the file: {reason}");
        cells[12].clone_from(&self.account);
        // One cell alone would be a remark below the table.
        cells[13] = format!("Line {line}");
        self.put(cells)
    }

    /// What the statement states besides its trades.
    pub(super) fn end(&mut self, statement: &BankStatement) -> std::io::Result<()> {
        let held = std::mem::take(&mut self.held);
        let of_positions = |path: &str| path == "INVPOSLIST";
        let problems = statement.problems.iter().filter(|it| of_positions(&it.location.path));
        let mut is_whole = statement.more_problems == 0;
        for problem in problems {
            is_whole = false;
            let reason = format!("A position: {}; none is compared", problem.reason);
            self.not_used(problem.location.line, &reason)?;
        }
        for position in held.positions.iter().filter(|position| position.is_unsure()) {
            is_whole = false;
            let reason = "A short position has units above zero; none is compared";
            self.not_used(position.line, reason)?;
        }
        let of_prices = held.positions.iter().filter_map(|position| position.on).max();
        let Some(day) = statement.as_of.or(statement.to).or(of_prices) else { return Ok(()) };
        if held.positions.is_empty() {
            return Ok(());
        }
        for position in &held.positions {
            self.price_of_position(position, day);
        }
        let units: Option<Vec<FilePosition>> =
            held.units().into_iter().map(|(key, units)| Some(self.position(key, units?))).collect();
        if let (Some(positions), true) = (units, is_whole)
            && let Some(found) = self.collector.found.last_mut()
        {
            (found.positions_day, found.positions) = (Some(day), positions);
        }
        if !is_whole {
            return Ok(());
        }
        let first = [statement.from, held.first_day(), Some(day)].into_iter().flatten().min();
        let Some(before) = first.and_then(|first| first.yesterday().ok()) else { return Ok(()) };
        for (key, units) in held.openings(day) {
            let kind = if units.is_negative() { OPENING_SHORT_POSITION } else { OPENING_POSITION };
            self.of_security(&key, (before, kind), |cells| cells[5] = padded(units.abs()))?;
        }
        Ok(())
    }

    fn price_of_position(&mut self, position: &PositionFacts, day: Date) {
        let key = &position.security;
        if position.kind == "POSOPT" || self.is_option(key) {
            self.options.insert(key.clone());
            if position.unit_price.is_some() && !self.has_own_ticker(key) {
                let reason = "The ticker of the option may be that of the security that it is on";
                self.prices.unused.push((position.line, reason.to_owned()));
                self.prices.otherwise.insert(key.clone());
                return;
            }
        }
        self.prices.of_position(position, day, &self.currency);
    }

    fn is_option(&self, key: &SecurityKey) -> bool {
        self.securities.get(key).is_some_and(|security| security.kind == "OPTINFO")
    }

    /// Whether an option has the symbol of options, with the day, the side and the strike price in
    /// eight digits; or none, so that its identifier stands for it.
    fn has_own_ticker(&self, key: &SecurityKey) -> bool {
        let ticker = self.securities.get(key).and_then(|security| security.ticker.as_deref());
        ticker.is_none_or(|ticker| {
            let rest = ticker.trim_end_matches(|letter: char| letter.is_ascii_digit());
            ticker.len() - rest.len() == 8 && rest.ends_with(['C', 'P'])
        })
    }

    fn position(&self, key: &SecurityKey, units: Amount) -> FilePosition {
        let [ticker, isin, name] = self.security(Some(key)).map(|text| kept(&text));
        FilePosition { ticker, isin, name, quantity: units.to_string() }
    }

    /// The prices of all statements, behind everything else.
    pub(super) fn prices(&mut self) -> std::io::Result<()> {
        let currencies: Vec<&String> = self.currencies.iter().filter(|it| !it.is_empty()).collect();
        let only = match currencies.as_slice() {
            [only] => Some(only.as_str()),
            _ => None,
        };
        // A security may have several identifiers in one file.
        let otherwise = self.prices.otherwise.difference(&self.options);
        let tickers = otherwise.map(|key| self.security(Some(key))[0].to_uppercase());
        let tickers: BTreeSet<String> = tickers.filter(|ticker| !ticker.is_empty()).collect();
        for key in &self.used {
            if let Some(security) = self.securities.get(key) {
                let ticker = self.security(Some(key))[0].to_uppercase();
                let is_otherwise = self.prices.otherwise.contains(key) || tickers.contains(&ticker);
                self.prices.of_security(security, only, is_otherwise);
            }
        }
        self.account.clear();
        let Prices { known, unused, .. } = std::mem::take(&mut self.prices);
        for (line, reason) in unused {
            self.not_used(line, &reason)?;
        }
        for ((key, day, currency), price) in known {
            self.of_security(&key, (day, SECURITY_PRICE), |cells| {
                cells[6] = padded(price);
                cells[10] = currency;
            })?;
        }
        Ok(())
    }

    /// A row about a security that is no trade.
    fn of_security(
        &mut self,
        key: &SecurityKey,
        (day, kind): (Date, &str),
        fill: impl FnOnce(&mut [String; HEADER.len()]),
    ) -> std::io::Result<()> {
        let mut cells: [String; HEADER.len()] = Default::default();
        (cells[0], cells[1]) = (day.to_string(), kind.to_owned());
        [cells[2], cells[3], cells[4]] = self.security(Some(key));
        cells[12].clone_from(&self.account);
        fill(&mut cells);
        self.put(cells)
    }
}
