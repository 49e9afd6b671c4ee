//! Answers to what a balance counts that alone shows which way amounts went.

use super::signs::{inflow, two, words_of};
use super::{Reading, balance};
use crate::import::cells::CellsBuf;
use crate::import::kind::{Context, Interpreted};
use crate::import::layout::{AmountSource, Layout};
use crate::import::scratch::Scratch;
use crate::import::settings::{BalanceCheck, Signage};
use crate::import::transaction::Interpreter;
use crate::import::transaction::balance::directions::{
    CorrectedDirection, DirectionFinder, Directions,
};
use crate::import::transaction::balance::{RowOrder, RunningBalance, Sense};

/// That the balance is a debt, or money, with the directions of the records by their positions,
/// counted from 1; the answer that makes nobody richer first. A sign convention alone is no answer:
/// clients may always send one.
pub(super) fn answers(
    layout: &Layout,
    (column, order): (usize, RowOrder),
    context: Context<'_>,
    records: &[CellsBuf],
) -> Vec<Reading> {
    let debt = "the balance is what is owed: it grows with money out";
    let money = "the balance is what the account holds: it grows with money in";
    let choices = [
        (Signage::InflowsNegative, Sense::Debt, debt),
        (Signage::InflowsPositive, Sense::Money, money),
    ];
    let reading = |(signage, sense, meaning): (Signage, Sense, &str)| {
        let mut reading = balance(layout, BalanceCheck::Compare, meaning);
        reading.settings.insert(0, ("signage_convention", signage.as_str().to_owned()));
        let mut balance = RunningBalance {
            column,
            order,
            sense,
            proofs: 0,
            breaks: Vec::new(),
            ends: Vec::new(),
            directions: None,
        };
        reading.layout.problems.clear();
        reading.layout.balance = Some(balance.clone());
        balance.directions = directions(&reading.layout, &balance, context, records);
        reading.layout.balance = Some(balance);
        reading
    };
    choices.into_iter().map(reading).collect()
}

/// That the balance is a debt, or money, if it alone shows what columns or words mean: then they
/// mean the opposite for the other one. Without the balance nobody knows what they mean.
pub(super) fn of_unknown_words(
    layout: &Layout,
    context: Context<'_>,
    records: &[CellsBuf],
) -> Vec<Reading> {
    let none = Reading {
        layout: Layout { number_format: None, ..layout.clone() },
        ..super::no_balance(layout)
    };
    let mut found = match &layout.amount {
        Some(AmountSource::DebitCredit { debit, credit }) => {
            vec![two(layout, *credit, *debit), two(layout, *debit, *credit)]
        }
        Some(AmountSource::Directed { amount, direction, inflow_value: Some(word) }) => {
            let columns = (*amount, *direction);
            let taken = taken(layout, context, records);
            let words = words_of(&taken, columns.1).into_iter();
            let others: Vec<&str> =
                words.filter(|other| !other.eq_ignore_ascii_case(word)).collect();
            let debt = (!others.is_empty()).then(|| inflow(layout, columns, &others));
            debt.into_iter().chain([inflow(layout, columns, &[word])]).collect()
        }
        _ => Vec::new(),
    };
    for reading in &mut found {
        let is_debt = reading.layout.amount != layout.amount;
        let what = if is_debt { "what is owed" } else { "what the account holds" };
        reading.meaning = format!("{}, and the balance is {what}", reading.meaning);
        reading.settings.push(("balance_check", BalanceCheck::Compare.as_str().to_owned()));
    }
    found.push(none);
    found
}

/// The records that are rows: what is left out has words that mean nothing.
fn taken(layout: &Layout, context: Context<'_>, records: &[CellsBuf]) -> Vec<CellsBuf> {
    let readable = Layout { problems: Vec::new(), ..layout.clone() };
    let interpreter = Interpreter::new(&readable, context).ok();
    let is_left_out = |record: &&CellsBuf| {
        let left_out = interpreter.as_ref().map(|it| it.left_out(record.as_cells()).is_some());
        left_out.unwrap_or_default()
    };
    records.iter().filter(|record| !is_left_out(record)).cloned().collect()
}

/// Which way the amounts of the records went; nothing if something else of the file is open.
fn directions(
    layout: &Layout,
    balance: &RunningBalance,
    context: Context<'_>,
    records: &[CellsBuf],
) -> Option<Directions> {
    let interpreter = Interpreter::new(layout, context).ok()?;
    let mut finder = DirectionFinder::new(balance);
    let mut scratch = Scratch::default();
    for (record, number) in records.iter().zip(1..) {
        let cells = record.as_cells();
        match interpreter.interpret(cells, &mut scratch) {
            Interpreted::Row(row) => {
                let link = interpreter.link(cells, &row)?;
                let is_left_out = interpreter.left_out(cells).is_some();
                let corrected = CorrectedDirection::default();
                finder.row((number, number), &link, is_left_out, corrected);
            }
            Interpreted::NotARow => {}
            Interpreted::Invalid(_) => finder.unreadable_row(),
        }
    }
    Some(finder.finish(|_, _| None).directions)
}
