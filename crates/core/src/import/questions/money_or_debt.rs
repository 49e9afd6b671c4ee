//! Answers to what a balance counts that alone shows which way amounts went.

use super::{Reading, balance};
use crate::import::cells::CellsBuf;
use crate::import::kind::{Context, Interpreted};
use crate::import::layout::Layout;
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
