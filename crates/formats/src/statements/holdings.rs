//! What statements of investments state besides trades: what an account held, and prices.
//!
//! What was held before the first trade follows from the positions at the end and the trades,
//! backwards, in the order in which the ledger counts them: within a day splits come first.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;

use super::amount::Amount;
use super::model::{PositionFacts, SecurityFacts};

/// The identifier of a security in a file, and its kind.
pub(super) type SecurityKey = (String, String);

/// Securities of which the price may be one of something else than a unit, unless the value of a
/// position shows how many: a hundred units of a bond, one of a hundred shares of an option.
const PRICED_OTHERWISE: [&str; 6] =
    ["POSDEBT", "POSOPT", "POSOTHER", "DEBTINFO", "OPTINFO", "OTHERINFO"];

const NO_CURRENCY: &str = "The price has no currency";

/// What trades do to the units of a security.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Every `old` units became `new`.
    Split { new: i128, old: i128 },
    /// Units that came, or that went with a minus.
    Units(Amount),
}

/// The positions of a statement, and the trades that lead to them.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    pub(super) positions: Vec<PositionFacts>,
    steps: BTreeMap<SecurityKey, Vec<(Date, Step)>>,
    /// Securities with trades that can't be read.
    unknown: BTreeSet<SecurityKey>,
    /// A trade that can't be read is of any security.
    is_unknown: bool,
}

impl Holdings {
    pub(super) fn step(&mut self, security: SecurityKey, day: Date, step: Step) {
        self.steps.entry(security).or_default().push((day, step));
    }

    /// A trade can't be read.
    pub(super) fn unreadable(&mut self, security: Option<SecurityKey>) {
        match security {
            Some(security) => drop(self.unknown.insert(security)),
            None => self.is_unknown = true,
        }
    }

    /// The first day of a trade.
    pub(super) fn first_day(&self) -> Option<Date> {
        self.steps.values().flatten().map(|(day, _)| *day).min()
    }

    /// The units of each security at the end; of several positions in one, their sum.
    pub(super) fn units(&self) -> BTreeMap<&SecurityKey, Option<Amount>> {
        let mut units: BTreeMap<&SecurityKey, Option<Amount>> = BTreeMap::new();
        for position in &self.positions {
            let sum = units.entry(&position.security).or_insert(Some(Amount::default()));
            let its = position.units.filter(|_| !position.is_unsure());
            *sum = sum.zip(its).and_then(|(sum, one)| sum.checked_add(one));
        }
        units
    }

    /// What was held before the trades until the end of `last`, but for what was nothing, and what
    /// isn't known.
    pub(super) fn openings(&self, last: Date) -> Vec<(SecurityKey, Amount)> {
        if self.is_unknown {
            return Vec::new();
        }
        let mut ends = self.units();
        for security in self.steps.keys() {
            ends.entry(security).or_insert(Some(Amount::default()));
        }
        let known = ends.into_iter().filter(|(security, _)| !self.unknown.contains(*security));
        let before = known.filter_map(|(security, end)| {
            let mut steps = self.steps.get(security).cloned().unwrap_or_default();
            steps.retain(|(day, _)| *day <= last);
            steps.sort_by_key(|(day, step)| (*day, matches!(step, Step::Units(_))));
            let before = steps.iter().rev().try_fold(end?, |units, (_, step)| match step {
                Step::Units(moved) => units.checked_sub(*moved),
                Step::Split { new, old } => units.times_exactly(*old, *new),
            })?;
            Some((security.clone(), before))
        });
        before.filter(|(_, units)| !units.is_zero()).collect()
    }
}

/// Prices of a file: one of each security, day and currency.
#[derive(Debug, Default)]
pub(super) struct Prices {
    pub(super) known: BTreeMap<(SecurityKey, Date, String), Amount>,
    /// Lines with a price that can't be used, each with the reason.
    pub(super) unused: Vec<(u64, String)>,
    /// Securities of which a position has a price that isn't that of a unit as it stands. What the
    /// list of securities has of them isn't either.
    pub(super) otherwise: BTreeSet<SecurityKey>,
}

impl Prices {
    /// The price that a position states; `day` is that of the statement.
    pub(super) fn of_position(&mut self, its: &PositionFacts, day: Date, currency: &str) {
        let currency = its.currency.as_deref().unwrap_or(currency);
        let price = price_of(its);
        let is_of_unit = match &price {
            Ok(None) => !PRICED_OTHERWISE.contains(&its.kind.as_str()),
            Ok(Some(price)) => Some(*price) == its.unit_price,
            Err(_) => false,
        };
        if !is_of_unit {
            self.otherwise.insert(its.security.clone());
        }
        match price {
            Ok(Some(_)) if currency.is_empty() => {
                self.unused.push((its.line, NO_CURRENCY.to_owned()));
            }
            Ok(Some(price)) => {
                let key = (its.security.clone(), its.on.unwrap_or(day), currency.to_owned());
                self.add(key, price, its.line);
            }
            Ok(None) => {}
            Err(reason) => self.unused.push((its.line, reason)),
        }
    }

    /// The price that the list of securities states. `currency` is that of the statements;
    /// `is_otherwise` where a position shows that it isn't the price of a unit.
    pub(super) fn of_security(
        &mut self,
        its: &SecurityFacts,
        currency: Option<&str>,
        is_otherwise: bool,
    ) {
        let Some(price) = &its.price else { return };
        let is_otherwise = is_otherwise || PRICED_OTHERWISE.contains(&its.kind.as_str());
        match (price, its.currency.as_deref().or(currency)) {
            (Err(reason), _) => self.unused.push((its.line, reason.clone())),
            (Ok((price, _)), _) if is_otherwise => {
                let reason = format!("Nothing shows that {price} is the price of one unit");
                self.unused.push((its.line, reason));
            }
            (Ok(_), None) => self.unused.push((its.line, NO_CURRENCY.to_owned())),
            (Ok((price, day)), Some(currency)) => {
                self.add((its.id.clone(), *day, currency.to_owned()), *price, its.line);
            }
        }
    }

    fn add(&mut self, key: (SecurityKey, Date, String), price: Amount, line: u64) {
        if price.is_negative() {
            self.unused.push((line, format!("The price {price} is below zero")));
            return;
        }
        let Some(known) = self.known.get_mut(&key) else {
            self.known.insert(key, price);
            return;
        };
        // One of them may be rounded.
        let (finer, coarser) = match known.step().cmp(&price.step()) {
            Ordering::Greater => (price, *known),
            Ordering::Less | Ordering::Equal => (*known, price),
        };
        match is_about(finer, coarser, coarser.step()) {
            true => *known = finer,
            false => {
                let reason = format!(
                    "The price {price} of {} is another one than {known}, which the file has for \
                     that day, too",
                    key.1
                );
                self.unused.push((line, reason));
            }
        }
    }
}

/// Whether two amounts differ by no more than `tolerance`, and not at all if one is whole.
fn is_about(one: Amount, other: Amount, tolerance: Amount) -> bool {
    one.checked_sub(other).is_some_and(|difference| {
        difference.is_zero() || (tolerance < Amount::new(1, 0) && difference.abs() <= tolerance)
    })
}

/// The price of one unit, by which the units come to the stated value.
fn price_of(its: &PositionFacts) -> Result<Option<Amount>, String> {
    let Some(price) = its.unit_price.filter(|price| !price.is_zero()) else { return Ok(None) };
    let is_other = PRICED_OTHERWISE.contains(&its.kind.as_str());
    let units = its.units.map(Amount::abs).filter(|units| !units.is_zero());
    let Some((units, value)) = units.zip(its.value.map(Amount::abs)) else {
        return match is_other {
            true => Err(format!("Nothing shows what the price {price} is of")),
            false => Ok(Some(price)),
        };
    };
    let factors: &[(i128, i128)] = if is_other { &[(1, 1), (1, 100), (100, 1)] } else { &[(1, 1)] };
    let prices = factors.iter().filter_map(|(factor, by)| price.times_exactly(*factor, *by));
    let found = prices.into_iter().find(|price| comes_to(units, *price, value));
    let reason = || format!("The position's {units} × {price} don't come to {value}");
    found.map(Some).ok_or_else(reason)
}

/// Whether units × price is the value, as far as the three are rounded; by a hundredth of the
/// value at most, because a factor with few digits would allow anything.
fn comes_to(units: Amount, price: Amount, value: Amount) -> bool {
    let rounding = |rounded: Amount, other: Amount| match rounded.is_whole() {
        true => Some(Amount::default()),
        false => other.checked_mul(rounded.step()),
    };
    let tolerance = || {
        let of_factors = rounding(price, units)?.checked_add(rounding(units, price)?)?;
        let most = value.times_exactly(1, 100)?;
        Some(of_factors.checked_add(value.step())?.min(most))
    };
    let rest = units.checked_mul(price).and_then(|product| product.checked_sub(value));
    rest.zip(tolerance()).is_some_and(|(rest, tolerance)| rest.abs() <= tolerance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::amount::DecimalMark;

    fn amount(text: &str) -> Amount {
        Amount::parse(text, DecimalMark::Point, None).unwrap()
    }

    fn key(id: &str) -> SecurityKey {
        (id.to_owned(), "CUSIP".to_owned())
    }

    fn day(day: &str) -> Date {
        format!("2024-01-{day}").parse().unwrap()
    }

    fn position(kind: &str, units: &str, price: &str, value: &str) -> PositionFacts {
        PositionFacts {
            security: key("A"),
            kind: kind.to_owned(),
            units: Some(amount(units)),
            unit_price: Some(amount(price)),
            value: Some(value).filter(|value| !value.is_empty()).map(amount),
            ..PositionFacts::default()
        }
    }

    fn openings(units: &str, steps: &[(&str, Step)]) -> Vec<String> {
        let mut held = Holdings::default();
        if !units.is_empty() {
            held.positions.push(position("POSSTOCK", units, "1", ""));
        }
        steps.iter().for_each(|(on, step)| held.step(key("A"), day(on), *step));
        held.openings(day("31")).into_iter().map(|(_, units)| units.to_string()).collect()
    }

    #[test]
    fn what_was_held_before_follows_backwards() {
        let units = |text: &str| Step::Units(amount(text));
        let split = |new, old| Step::Split { new, old };
        assert_eq!(openings("10", &[("02", units("10"))]), [""; 0]);
        assert_eq!(openings("10", &[("02", units("-2.5"))]), ["12.5"]);
        assert_eq!(openings("", &[("02", units("-3"))]), ["3"]);
        assert_eq!(openings("-4", &[]), ["-4"]);
        // The split of a day comes before what is bought on it, wherever it stands.
        let steps = [("05", units("1")), ("05", split(2, 1)), ("02", units("3"))];
        assert_eq!(openings("21", &steps), ["7"]);
        assert_eq!(openings("10", &[("02", split(3, 1))]), [""; 0], "no decimal");
        // Trades after the day of the positions have nothing to do with them.
        let mut held = Holdings::default();
        held.positions.push(position("POSSTOCK", "5", "1", ""));
        held.step(key("A"), day("20"), units("2"));
        assert_eq!(held.openings(day("19"))[0].1, amount("5"));
        assert_eq!(held.openings(day("20"))[0].1, amount("3"));
        let short = position("POSSTOCK", "4", "1", "");
        let unsure = PositionFacts { is_short: true, ..short };
        assert!(
            Holdings { positions: vec![unsure], ..Holdings::default() }
                .openings(day("20"))
                .is_empty()
        );
        held.unreadable(Some(key("A")));
        assert!(held.openings(day("20")).is_empty());
    }

    #[test]
    fn a_price_comes_to_the_value_of_its_position() {
        let price = |kind, units, price, value| {
            price_of(&position(kind, units, price, value))
                .map(|price| price.map(|price| price.to_string()).unwrap_or_default())
        };
        assert_eq!(price("POSSTOCK", "10", "12.5", "125.00").as_deref(), Ok("12.5"));
        assert_eq!(price("POSSTOCK", "-10", "12.5", "-125.00").as_deref(), Ok("12.5"));
        assert_eq!(price("POSMF", "3.333", "10.01", "33.37").as_deref(), Ok("10.01"));
        assert_eq!(price("POSSTOCK", "10", "12.5", "").as_deref(), Ok("12.5"));
        assert!(price("POSSTOCK", "10", "1250", "125.00").is_err(), "pence are no pounds");
        assert_eq!(price("POSDEBT", "5000", "98.75", "4937.50").as_deref(), Ok("0.9875"));
        assert_eq!(price("POSOPT", "2", "1.35", "270.00").as_deref(), Ok("135.00"));
        assert_eq!(price("POSOTHER", "5000", "98.75", "4937.50").as_deref(), Ok("0.9875"));
        for (kind, value) in [("POSDEBT", ""), ("POSDEBT", "1.00"), ("POSOTHER", "")] {
            assert!(price(kind, "5000", "98.75", value).is_err(), "{kind} {value}");
        }
        assert!(price("POSSTOCK", "10", "12.5", "0.00").is_err());
    }

    #[test]
    fn few_units_leave_no_room_for_another_price() {
        for (units, pence, bond) in
            [("1", "12.50", "0.9875"), ("2", "25.00", "1.975"), ("3", "37.50", "2.96")]
        {
            for price in ["1250", "1250.00"] {
                let its = position("POSSTOCK", units, price, pence);
                assert!(price_of(&its).is_err(), "{units} × {price}");
            }
            let found = price_of(&position("POSDEBT", units, "98.75", bond));
            assert_eq!(found.map(|price| price.unwrap().to_string()).as_deref(), Ok("0.9875"));
        }
        assert!(price_of(&position("POSSTOCK", "0.5", "1250", "6.25")).is_err());
        assert!(price_of(&position("POSSTOCK", "1000", "0.01", "12.34")).is_err());
        let rounded = price_of(&position("POSMF", "100", "12.34", "1234.40"));
        assert_eq!(rounded.map(|price| price.unwrap().to_string()).as_deref(), Ok("12.34"));
    }

    #[test]
    fn the_list_has_no_better_price_than_a_position_that_contradicts_it() {
        let listed = |kind: &str| SecurityFacts {
            id: key("A"),
            kind: kind.to_owned(),
            price: Some(Ok((amount("1250"), day("30")))),
            line: 9,
            ..SecurityFacts::default()
        };
        let is_taken = |position: PositionFacts, kind: &str| {
            let mut prices = Prices::default();
            prices.of_position(&position, day("31"), "USD");
            let is_otherwise = prices.otherwise.contains(&key("A"));
            prices.of_security(&listed(kind), Some("USD"), is_otherwise);
            let is_shown = prices.unused.iter().any(|(line, _)| *line == 9);
            let is_taken = prices.known.keys().any(|(_, on, _)| *on == day("30"));
            assert_ne!(is_taken, is_shown);
            is_taken
        };
        assert!(is_taken(position("POSSTOCK", "10", "1250", "12500.00"), "STOCKINFO"));
        assert!(!is_taken(position("POSSTOCK", "10", "1250", "125.00"), "STOCKINFO"));
        for kind in ["STOCKINFO", "OTHERINFO", "DEBTINFO"] {
            assert!(!is_taken(position("POSDEBT", "5000", "98.75", "4937.50"), kind));
            assert!(!is_taken(position("POSDEBT", "5000", "98.75", ""), kind));
            assert!(!is_taken(
                PositionFacts { unit_price: None, ..position("POSDEBT", "1", "1", "") },
                kind
            ));
        }
    }

    #[test]
    fn two_prices_of_a_day_agree_or_are_shown() {
        let mut prices = Prices::default();
        for (price, line) in [("10.5", 1), ("10.4987", 2), ("10.50", 3), ("10.7", 4)] {
            let its = position("POSSTOCK", "1", price, "");
            prices.of_position(&PositionFacts { line, ..its }, day("31"), "USD");
        }
        let known: Vec<String> = prices.known.values().map(Amount::to_string).collect();
        assert_eq!(known, ["10.4987"]);
        let lines: Vec<u64> = prices.unused.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [4]);
    }
}
