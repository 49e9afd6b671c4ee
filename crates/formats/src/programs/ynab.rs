//! YNAB: the register of all accounts, of the web and of YNAB 4, with commas or tabs.
//!
//! ```text
//! "Account","Flag","Date","Payee","Category Group/Category","Category Group","Category","Memo",
//! "Outflow","Inflow","Cleared"
//! Account,Flag,Check Number,Date,Payee,Category,Master Category,Sub Category,Memo,Outflow,Inflow,
//! Cleared,Running Balance
//! ```
//!
//! Dates and amounts are written as the plan has it. Both sides of a transfer are rows, called
//! `Transfer : Savings`. Each part of a split transaction is a row; its memo begins with
//! `Split (1/3)`. What an account began with is called `Starting Balance`. The plan, which the web
//! calls so, is a table of its own: what is assigned to each category in a month.

use std::io::{Read, Seek, SeekFrom, Write};

use purser_core::import::register::{Amounts, OPENING, Program};
use purser_core::limits::SPLIT_PARTS_MAX;

use super::RewriteError;
use super::register::{Entry, Register, tags};
use super::splits::{Group, PartPosition, SplitRow};
use super::{table, ynab_plan};

const ACCOUNT: &[&str] = &["account"];
const FLAG: &[&str] = &["flag"];
const CHECK: &[&str] = &["check number"];
const DATE: &[&str] = &["date"];
const PAYEE: &[&str] = &["payee"];
pub(super) const BOTH: &[&str] = &["category group/category"];
pub(super) const GROUP: &[&str] = &["category group", "master category"];
pub(super) const SUB: &[&str] = &["sub category"];
pub(super) const CATEGORY: &[&str] = &["category"];
const MEMO: &[&str] = &["memo"];
const OUTFLOW: &[&str] = &["outflow"];
const INFLOW: &[&str] = &["inflow"];
const CLEARED: &[&str] = &["cleared"];
pub(super) const MONTH: &[&str] = &["month"];
pub(super) const ASSIGNED: &[&str] = &["assigned", "budgeted"];
const LEFT: &[&str] = &["available", "category balance"];

const STARTING_BALANCE: &str = "Starting Balance";
const TRANSFER: &str = "Transfer : ";
/// Outflow and inflow have no signs: one with a sign could mean the other.
const SIGNED: &str = "The outflow or the inflow has a minus";

/// The columns that every register has.
pub(super) const REGISTER: [&[&str]; 5] = [ACCOUNT, DATE, PAYEE, OUTFLOW, INFLOW];
/// The columns that every plan has.
pub(super) const PLAN: [&[&str]; 4] = [MONTH, CATEGORY, ASSIGNED, LEFT];

pub(super) fn rewrite(mut input: impl Read + Seek, output: impl Write) -> Result<(), RewriteError> {
    let mut register = Register::begin(output, Amounts::OutAndIn)?;
    let is_plan = table::open(&mut input, Program::Ynab.as_str(), &PLAN).is_ok();
    input.seek(SeekFrom::Start(0))?;
    if is_plan {
        let repeated = ynab_plan::repeated(&mut input)?;
        input.seek(SeekFrom::Start(0))?;
        ynab_plan::write(input, &repeated, &mut register)?;
    } else {
        transactions(input, &mut register)?;
    }
    register.finish().map_err(RewriteError::Io)
}

/// Writes the transactions of a register.
pub(super) fn transactions<W: Write>(
    input: impl Read,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let mut table = table::open(input, Program::Ynab.as_str(), &REGISTER)?;
    let columns = [
        ACCOUNT, FLAG, CHECK, DATE, PAYEE, BOTH, GROUP, SUB, CATEGORY, MEMO, OUTFLOW, INFLOW,
        CLEARED,
    ]
    .map(|names| table.column(names));
    let mut group = Group::default();
    while let Some(record) = table.read()? {
        let cells = columns.map(|column| column.map_or("", |column| record.cells.get(column)));
        let [account, flag, check, date, payee, both, parent, sub, name, memo, out, inn, cleared] =
            cells;
        let category = category(both, parent, if sub.is_empty() { name } else { sub });
        let tags = tags([flag, standing(cleared)].into_iter());
        let (place, notes) = split(memo);
        let row = SplitRow {
            line: record.line,
            account: account.to_owned(),
            date: date.to_owned(),
            payee: payee.to_owned(),
            category,
            tags,
            marked_notes: with_check(memo, check),
            notes: with_check(notes, check),
            transfer: partner(payee).to_owned(),
            amounts: vec![out.to_owned(), inn.to_owned()],
            sum: String::new(),
            problem: if [out, inn].into_iter().any(is_signed) { SIGNED } else { "" },
            place,
        };
        if place != PartPosition::Unknown {
            group.push(row, register)?;
            continue;
        }
        group.end(register)?;
        register.push(&Entry {
            line: row.line,
            role: if payee == STARTING_BALANCE { OPENING } else { "" },
            account,
            date,
            payee,
            category: &row.category,
            tags: &row.tags,
            notes: &row.notes,
            transfer: &row.transfer,
            amounts: &[out, inn],
            problem: row.problem,
            ..Entry::default()
        })?;
    }
    group.end(register).map_err(RewriteError::Io)
}

/// The path of a category: its group has no colon, because that would be one level more.
pub(super) fn category(both: &str, group: &str, name: &str) -> String {
    match (group, name) {
        ("", "") => both.to_owned(),
        ("", name) => name.to_owned(),
        (group, "") => group.to_owned(),
        (group, name) => format!("{}:{name}", group.replace(':', " -")),
    }
}

/// The account on the other side. YNAB 4 may have a payee before it: `Landlord / Transfer : Cash`.
fn partner(payee: &str) -> &str {
    match payee.split_once(TRANSFER) {
        Some((before, account)) if before.is_empty() || before.ends_with("/ ") => account.trim(),
        _ => "",
    }
}

/// Which part of a split transaction a memo marks, and what else it has.
fn split(memo: &str) -> (PartPosition, &str) {
    let none = (PartPosition::Unknown, memo);
    let (marked, end) = match (memo.strip_prefix("Split ("), memo.strip_prefix("(Split ")) {
        (Some(rest), _) | (_, Some(rest)) => (rest, ')'),
        _ => return none,
    };
    let Some((mark, rest)) = marked.split_once(end) else { return none };
    let numbers = mark.split_once('/').and_then(|(number, count)| {
        Some((number.trim().parse::<usize>().ok()?, count.trim().parse::<usize>().ok()?))
    });
    match numbers {
        Some((number, count)) if number > 0 && number <= count && count <= SPLIT_PARTS_MAX => {
            (PartPosition::Part(number, count), rest.trim())
        }
        _ => none,
    }
}

/// What a person has found out about the row, as a tag; that nobody has is none.
fn standing(cleared: &str) -> &'static str {
    match cleared {
        "Cleared" | "C" => "Cleared",
        "Reconciled" | "R" => "Reconciled",
        _ => "",
    }
}

fn with_check(memo: &str, check: &str) -> String {
    match (memo, check) {
        (memo, "") => memo.to_owned(),
        ("", check) => format!("Check {check}"),
        (memo, check) => format!("{memo}; check {check}"),
    }
}

pub(super) fn is_signed(cell: &str) -> bool {
    cell.contains(['-', '\u{2212}', '(']) && cell.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

#[cfg(test)]
#[path = "ynab_tests.rs"]
mod tests;
