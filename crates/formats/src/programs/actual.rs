//! Actual Budget: both of its CSV exports, of accounts and of chosen transactions.
//!
//! ```text
//! Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared
//! Account,Date,Payee,Notes,Category,Amount,Cleared,Reconciled
//! ```
//!
//! Days are ISO, amounts plain decimals; money in is positive. A split transaction is a row with
//! the amount 0, its sum in `Split_Amount` and notes that begin with `(SPLIT INTO 2)`, and a row
//! for each part, with notes that begin with `(SPLIT 1 OF 2)`. Both sides of a transfer are rows;
//! the payee is the other account. Nothing else marks them, so that only rows are a transfer that
//! name each other.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{Read, Seek, SeekFrom, Write};

use purser_core::import::register::{Amounts, OPENING, Program};
use purser_core::limits::{IMPORT_MAPPINGS_MAX, SPLIT_PARTS_MAX};
use purser_core::text::label::name_key;
use purser_core::text::number::{Written, without_signs, written_sign};

use super::RewriteError;
use super::register::{Entry, Register, tags};
use super::splits::{Group, PartPosition, SplitRow};
use super::table;

const ACCOUNT: &[&str] = &["account"];
const DATE: &[&str] = &["date"];
const PAYEE: &[&str] = &["payee"];
const NOTES: &[&str] = &["notes"];
const GROUP: &[&str] = &["category group"];
const CATEGORY: &[&str] = &["category"];
const AMOUNT: &[&str] = &["amount"];
const SUM: &[&str] = &["split amount"];
const CLEARED: &[&str] = &["cleared"];
const RECONCILED: &[&str] = &["reconciled"];

const STARTING_BALANCE: &str = "Starting Balance";

pub(super) fn rewrite(mut input: impl Read + Seek, output: impl Write) -> Result<(), RewriteError> {
    let survey = survey(&mut input)?;
    input.seek(SeekFrom::Start(0))?;
    transactions(input, &survey, output)
}

/// The columns that every export has.
pub(super) const REQUIRED: [&[&str]; 5] = [ACCOUNT, DATE, PAYEE, AMOUNT, CLEARED];

/// Writes the transactions of an export of which the accounts are known.
pub(super) fn transactions(
    input: impl Read,
    survey: &Survey,
    output: impl Write,
) -> Result<(), RewriteError> {
    let mut table = table::open(input, Program::Actual.as_str(), &REQUIRED)?;
    let columns = [ACCOUNT, DATE, PAYEE, NOTES, GROUP, CATEGORY, AMOUNT, SUM, CLEARED, RECONCILED]
        .map(|names| table.column(names));
    let mut register = Register::begin(output, Amounts::Signed)?;
    let mut group = Group::with_whole();
    while let Some(record) = table.read()? {
        let cells = columns.map(|column| column.map_or("", |column| record.cells.get(column)));
        let [account, date, payee, notes, parent, name, amount, sum, cleared, reconciled] = cells;
        let category = match (parent, name) {
            ("", name) => name.to_owned(),
            (parent, "") => parent.to_owned(),
            (parent, name) => format!("{}:{name}", parent.replace(':', " -")),
        };
        let tags = tags(std::iter::once(standing(cleared, reconciled)));
        let (place, rest) = split(notes);
        // Money that leaves the budget has a category, too.
        let is_transfer = survey.accounts.contains(&name_key(payee))
            && (category.is_empty() || survey.has_opposite([account, date, payee, amount]));
        let transfer = if is_transfer { payee } else { "" };
        if place == PartPosition::Unknown {
            group.end(&mut register)?;
            register.push(&Entry {
                line: record.line,
                role: if payee == STARTING_BALANCE { OPENING } else { "" },
                account,
                date,
                payee,
                category: &category,
                tags: &tags,
                notes,
                transfer,
                amounts: &[amount],
                ..Entry::default()
            })?;
            continue;
        }
        let is_whole = matches!(place, PartPosition::Whole(_));
        let row = SplitRow {
            line: record.line,
            account: account.to_owned(),
            date: date.to_owned(),
            payee: payee.to_owned(),
            category,
            tags,
            marked_notes: notes.to_owned(),
            notes: rest.to_owned(),
            transfer: transfer.to_owned(),
            amounts: vec![amount.to_owned()],
            sum: if is_whole { sum.to_owned() } else { String::new() },
            problem: "",
            place,
        };
        group.push(row, &mut register)?;
    }
    group.end(&mut register)?;
    register.finish().map_err(RewriteError::Io)
}

/// What has to be known of the whole file.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The accounts of the file.
    accounts: HashSet<String>,
    /// What stands for account, day, payee and amount of each row.
    rows: HashSet<u64>,
}

impl Survey {
    /// Whether the account that a row names as its payee has a row with the opposite amount that
    /// names this one.
    fn has_opposite(&self, [account, date, payee, amount]: [&str; 4]) -> bool {
        let is_negative = written_sign(amount) == Written::Minus;
        name_key(account) != name_key(payee)
            && self.rows.contains(&row_key([payee, date, account, amount], !is_negative))
    }
}

fn row_key([account, date, payee, amount]: [&str; 4], is_negative: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    let key = (name_key(account), date, name_key(payee), without_signs(amount), is_negative);
    key.hash(&mut hasher);
    hasher.finish()
}

/// Looks at all rows.
pub(super) fn survey(input: &mut impl Read) -> Result<Survey, RewriteError> {
    let mut survey = Survey::default();
    let mut table = table::open(input, Program::Actual.as_str(), &[ACCOUNT])?;
    let columns = [ACCOUNT, DATE, PAYEE, AMOUNT].map(|names| table.column(names));
    while let Some(record) = table.read()? {
        let cells = columns.map(|column| column.map_or("", |column| record.cells.get(column)));
        if survey.accounts.len() < IMPORT_MAPPINGS_MAX {
            survey.accounts.insert(name_key(cells[0]));
        }
        survey.rows.insert(row_key(cells, written_sign(cells[3]) == Written::Minus));
    }
    Ok(survey)
}

/// Which row of a split transaction the notes mark, and what else they have.
fn split(notes: &str) -> (PartPosition, &str) {
    let marked = notes.strip_prefix("(SPLIT ").and_then(|rest| rest.split_once(')'));
    let place = marked.and_then(|(mark, rest)| {
        let place = match mark.split_once(" OF ") {
            Some((number, count)) => PartPosition::Part(number.parse().ok()?, count.parse().ok()?),
            None => PartPosition::Whole(mark.strip_prefix("INTO ")?.parse().ok()?),
        };
        let is_sound = match place {
            PartPosition::Whole(count) => (1..=SPLIT_PARTS_MAX).contains(&count),
            PartPosition::Part(number, count) => {
                (1..=SPLIT_PARTS_MAX).contains(&count) && (1..=count).contains(&number)
            }
            PartPosition::Unknown => false,
        };
        is_sound.then_some((place, rest.trim()))
    });
    place.unwrap_or((PartPosition::Unknown, notes))
}

/// What a person has found out about the row, as a tag.
fn standing(cleared: &str, reconciled: &str) -> &'static str {
    let is_true = |cell: &str| cell.eq_ignore_ascii_case("true");
    if is_true(reconciled) || cleared == "Reconciled" {
        "Reconciled"
    } else if is_true(cleared) || cleared == "Cleared" {
        "Cleared"
    } else {
        ""
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::testing::rewritten;

    const ACCOUNTS: &str =
        "Account,Date,Payee,Notes,Category_Group,Category,Amount,Split_Amount,Cleared\n";

    fn records(text: &str) -> Vec<String> {
        let records = rewritten(Program::Actual, text.as_bytes()).unwrap();
        let shown = |record: &Vec<String>| {
            let cell = |at: usize| record[at].as_str();
            let kept = [1, 2, 4, 5, 6, 7, 9, 10, 11, 12].map(cell);
            kept.into_iter().filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" | ")
        };
        records.iter().skip(1).map(shown).collect()
    }

    #[test]
    fn a_split_transaction_has_its_sum_beside_its_parts() {
        let text = format!(
            "{ACCOUNTS}Cash,2026-01-02,Shop,(SPLIT INTO 3) all,,,0,-6.00,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT 1 OF 3) one,Food,Fruit,-1.00,0,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT 2 OF 3),Food,Bread,-2.00,0,Cleared\n\
             Cash,2026-01-02,Bank,(SPLIT 3 OF 3),,,-3.00,0,Cleared\n\
             Bank,2026-01-02,Cash,,,,3.00,0,Not cleared\n"
        );
        let parts = concat!(
            r#"[{"amounts":["-1.00"],"category":"Food:Fruit","notes":"one"},"#,
            r#"{"amounts":["-2.00"],"category":"Food:Bread","notes":""},"#,
            r#"{"amounts":["-3.00"],"category":"","notes":"Bank","apart":true}]"#
        );
        assert_eq!(
            records(&text),
            [
                "Cash | Bank | Cleared | Bank | -3.00".to_owned(),
                format!("Cash | Shop | Cleared | all | {parts} | -6.00"),
                "Bank | Cash | Cash | 3.00".to_owned(),
            ]
        );
    }

    #[test]
    fn a_transfer_out_of_the_budget_has_a_category() {
        let text = format!(
            "{ACCOUNTS}Bank,2026-01-02,Depot,,Saving,Shares,-50.00,0,Cleared\n\
             Depot,2026-01-02,Bank,,,,50.00,0,Cleared\n\
             Bank,2026-01-03,Depot,,Saving,Shares,-7.00,0,Cleared\n"
        );
        assert_eq!(
            records(&text),
            [
                "Bank | Depot | Saving:Shares | Cleared | Depot | -50.00",
                "Depot | Bank | Cleared | Bank | 50.00",
                "Bank | Depot | Saving:Shares | Cleared | -7.00",
            ]
        );
    }

    #[test]
    fn one_part_beside_transfers_is_compared_with_the_sum_too() {
        let text = format!(
            "{ACCOUNTS}Cash,2026-01-02,Shop,(SPLIT INTO 2) all,,,0,-6.00,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT 1 OF 2) one,Food,Fruit,-1.00,0,Cleared\n\
             Cash,2026-01-02,Bank,(SPLIT 2 OF 2),,,-3.00,0,Cleared\n\
             Cash,2026-01-03,Moves,(SPLIT INTO 2) both,,,0,-6.00,Cleared\n\
             Cash,2026-01-03,Bank,(SPLIT 1 OF 2),,,-1.00,0,Cleared\n\
             Cash,2026-01-03,Bank,(SPLIT 2 OF 2),,,-5.00,0,Cleared\n\
             Bank,2026-01-02,Cash,,,,3.00,0,Not cleared\n"
        );
        let one = concat!(
            r#"[{"amounts":["-1.00"],"category":"Food:Fruit","notes":"one"},"#,
            r#"{"amounts":["-3.00"],"category":"","notes":"Bank","apart":true}]"#
        );
        let both = concat!(
            r#"[{"amounts":["-1.00"],"category":"","notes":"Bank","apart":true},"#,
            r#"{"amounts":["-5.00"],"category":"","notes":"Bank"}]"#
        );
        assert_eq!(
            records(&text),
            [
                "Cash | Bank | Cleared | Bank | -3.00".to_owned(),
                format!("Cash | Shop | Food:Fruit | Cleared | all; one | {one} | -6.00"),
                "Cash | Bank | Cleared | Bank | -1.00".to_owned(),
                format!("Cash | Bank | Cleared | both | Bank | {both} | -6.00"),
                "Bank | Cash | Cash | 3.00".to_owned(),
            ]
        );
    }

    #[test]
    fn a_part_that_is_missing_leaves_the_others_as_they_are() {
        let text = format!(
            "{ACCOUNTS}Cash,2026-01-02,Shop,(SPLIT INTO 2),,,0,-3.00,Cleared\n\
             Cash,2026-01-02,Shop,(SPLIT 1 OF 2) one,Food,Fruit,-1.00,0,Cleared\n"
        );
        assert_eq!(
            records(&text),
            [
                "Cash | Shop | Cleared | (SPLIT INTO 2) | 0",
                "Cash | Shop | Food:Fruit | Cleared | (SPLIT 1 OF 2) one | -1.00",
            ]
        );
    }

    #[test]
    fn chosen_transactions_have_flags_and_whole_categories() {
        let text = "Account,Date,Payee,Notes,Category,Amount,Cleared,Reconciled\n\
             Cash,2026-01-02,Shop,apples,Food: Fruit,-1.00,true,true\n\
             Cash,2026-01-02,Cash,,Food: Fruit,-1.00,true,false\n\
             Cash,2026-01-02,Starting Balance,,Starting Balances,9.00,false,false\n";
        assert_eq!(
            records(text),
            [
                "Cash | Shop | Food: Fruit | Reconciled | apples | -1.00",
                "Cash | Cash | Food: Fruit | Cleared | -1.00",
                "opening | Cash | Starting Balance | Starting Balances | 9.00",
            ]
        );
    }
}
