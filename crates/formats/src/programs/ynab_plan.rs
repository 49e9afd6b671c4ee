//! The plan of YNAB: what is assigned to each category in each month.
//!
//! Two categories may become one, such as `Food: Bread` and `Food: bread`, so that its budget is
//! what is assigned to both: a record with the amounts as its parts, which are added up where
//! amounts are read. A category that the plan has twice in a month as it is written may be there
//! because exports were put together: nothing is added up then. Those repeat all rows of a month,
//! so where rows of the month are there more often than others, it may be two categories as well: a
//! question.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::io::{Read, Write};

use purser_core::import::register::{BUDGET, PartCell, Program};
use purser_core::limits::SPLIT_PARTS_MAX;
use purser_core::text::label::name_key;

use super::RewriteError;
use super::register::{Entry, Register};
use super::table::{self, Table};
use super::ynab::{ASSIGNED, BOTH, CATEGORY, GROUP, MONTH, PLAN, SUB, category, is_signed};

/// What comes more than once in a plan.
pub(super) struct Repeated {
    /// How often a category has an amount in a month, by the hash of both, if that is more than
    /// once and the amounts are added up.
    sums: HashMap<u64, usize>,
    /// Months of which some rows come more often than others.
    doubtful: HashSet<String>,
}

/// What a record of the plan states.
struct Assigned {
    line: u64,
    month: String,
    /// The first day of the month, if that is understood.
    day: Option<String>,
    category: String,
    /// The hash of its cells with the category.
    written: u64,
    amount: String,
}

/// The amounts of one category in a month.
#[derive(Default)]
struct MonthAmounts {
    /// The hashes of the cells with the category, one for each amount.
    written: Vec<u64>,
    is_signed: bool,
}

impl MonthAmounts {
    /// Whether they are those of different categories, of which no amount is below zero.
    fn is_sum(&self) -> bool {
        // More than can be parts are a question, as amounts that contradict each other are.
        let is_many = (2..=SPLIT_PARTS_MAX).contains(&self.written.len());
        let mut distinct = self.written.clone();
        distinct.sort_unstable();
        distinct.dedup();
        is_many && !self.is_signed && distinct.len() == self.written.len()
    }
}

impl Assigned {
    /// Whether nothing is assigned, which is no budget.
    fn is_nothing(&self) -> bool {
        !self.amount.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
    }

    /// What is the same for amounts that are added up.
    fn place(&self) -> Option<u64> {
        Some(hashed((self.day.as_ref()?, name_key(&self.category))))
    }

    fn write<W: Write>(
        &self,
        parts: &[String],
        problem: &str,
        register: &mut Register<W>,
    ) -> Result<(), RewriteError> {
        let month = &self.month;
        let problem = match &self.day {
            None => &format!("\"{month}\" is no month that is understood"),
            Some(_) => problem,
        };
        let part = |amount| PartCell {
            amounts: vec![Cow::Borrowed(""), Cow::Borrowed(amount)],
            category: Cow::Borrowed(""),
            notes: Cow::Borrowed(""),
            tag: Cow::Borrowed(""),
            apart: false,
        };
        let parts: Vec<PartCell<'_>> = parts.iter().map(|amount| part(amount.as_str())).collect();
        register.push(&Entry {
            line: self.line,
            role: BUDGET,
            date: self.day.as_deref().unwrap_or(month),
            category: &self.category,
            amounts: &["", if parts.is_empty() { &self.amount } else { "" }],
            parts: &parts,
            problem,
            ..Entry::default()
        })?;
        Ok(())
    }
}

/// Finds what comes more than once.
pub(super) fn repeated(input: impl Read) -> Result<Repeated, RewriteError> {
    let mut plan = Plan::open(input)?;
    let mut places: HashMap<u64, MonthAmounts> = HashMap::new();
    let mut months: HashMap<String, HashMap<u64, usize>> = HashMap::new();
    while let Some(assigned) = plan.next()? {
        if let Some(day) = &assigned.day {
            let month = months.entry(day.clone()).or_default();
            *month.entry(assigned.written).or_default() += 1;
        }
        if let Some(place) = assigned.place().filter(|_| !assigned.is_nothing()) {
            let place = places.entry(place).or_default();
            place.is_signed |= is_signed(&assigned.amount);
            if place.written.len() <= SPLIT_PARTS_MAX {
                place.written.push(assigned.written);
            }
        }
    }
    places.retain(|_, place| place.is_sum());
    let sums = places.into_iter().map(|(place, its)| (place, its.written.len())).collect();
    months.retain(|_, rows| rows.values().min() != rows.values().max());
    Ok(Repeated { sums, doubtful: months.into_keys().collect() })
}

/// Writes what the plan assigns to categories in each month. Nothing is no budget.
pub(super) fn write<W: Write>(
    input: impl Read,
    repeated: &Repeated,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let mut plan = Plan::open(input)?;
    let mut waiting: HashMap<u64, (Assigned, Vec<String>)> = HashMap::new();
    let mut seen = HashSet::new();
    while let Some(assigned) = plan.next()? {
        if assigned.is_nothing() {
            continue;
        }
        let place = assigned.place();
        let sum = place.and_then(|place| Some((place, *repeated.sums.get(&place)?)));
        let Some((place, count)) = sum else {
            let is_doubtful =
                assigned.day.as_ref().is_some_and(|it| repeated.doubtful.contains(it));
            let row = (place, assigned.written, assigned.amount.clone());
            let problem = if is_doubtful && !seen.insert(row) { TWICE } else { "" };
            assigned.write(&[], problem, register)?;
            continue;
        };
        let amount = assigned.amount.clone();
        let (_, amounts) = waiting.entry(place).or_insert((assigned, Vec::new()));
        amounts.push(amount);
        if amounts.len() == count
            && let Some((first, amounts)) = waiting.remove(&place)
        {
            first.write(&amounts, "", register)?;
        }
    }
    Ok(())
}

/// Why a row may be a second category as well as a repetition.
const TWICE: &str = "the plan has this amount of the category at least twice in the month, and not \
                     as often as other rows of the month: leave the row out if it is the same \
                     amount, or correct the other one to the sum if these are two categories of \
                     one name";

/// The table of a plan.
struct Plan<R> {
    table: Table<R>,
    columns: [Option<usize>; 6],
}

impl<R: Read> Plan<R> {
    fn open(input: R) -> Result<Self, RewriteError> {
        let table = table::open(input, Program::Ynab.as_str(), &PLAN)?;
        let names = [MONTH, BOTH, GROUP, SUB, CATEGORY, ASSIGNED];
        let columns = names.map(|names| table.column(names));
        Ok(Self { table, columns })
    }

    /// The next record, also one without an amount.
    fn next(&mut self) -> Result<Option<Assigned>, RewriteError> {
        let Some(record) = self.table.read()? else { return Ok(None) };
        let cells = self.columns.map(|column| column.map_or("", |at| record.cells.get(at)));
        let [month, both, parent, sub, name, amount] = cells;
        Ok(Some(Assigned {
            line: record.line,
            month: month.to_owned(),
            day: first_of_month(month),
            category: category(both, parent, if sub.is_empty() { name } else { sub }),
            written: hashed([both, parent, sub, name]),
            amount: amount.to_owned(),
        }))
    }
}

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The first day of a month that is written `Jul 2026`, `July 2026` or `2026-07`.
fn first_of_month(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let is_year = |text: &str| text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some((year, rest)) = text.split_once('-').filter(|(year, _)| is_year(year)) {
        let month: u8 = rest.get(..2)?.parse().ok()?;
        let is_first = matches!(rest.get(2..), Some("" | "-01"));
        return ((1..=12).contains(&month) && is_first).then(|| format!("{year}-{month:02}-01"));
    }
    let (name, year) = text.split_once(' ')?;
    let name = name.trim_end_matches(['.', ',']).to_lowercase();
    let place = MONTHS.iter().position(|month| name.starts_with(month))?;
    let is_name = LONG_MONTHS[place].starts_with(name.as_str());
    (is_year(year) && is_name).then(|| format!("{year}-{:02}-01", place + 1))
}

const LONG_MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
