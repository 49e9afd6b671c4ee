//! Answers to which way money went: what signs, marks and words mean.

use super::{Reading, balance, no_balance};
use crate::import::cells::CellsBuf;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem;
use crate::import::row_filter::listed;
use crate::import::settings::{AmountStrategy, BalanceCheck, Signage};
use crate::import::transaction::direction_words::direction as direction_of;
use crate::import::transaction::reversals::Reversals;
use crate::text::number::{Written, written_sign};
use crate::text::quoted;

/// Words of a column of directions that are offered.
const WORDS_OFFERED: usize = 5;

/// The answers to a problem about the direction of amounts; nothing to any other.
pub(super) fn readings(
    problem: &LayoutProblem,
    layout: &Layout,
    records: &[CellsBuf],
) -> Vec<Reading> {
    match problem {
        LayoutProblem::UnknownDirection { has_signs, .. } => answers(layout, *has_signs),
        LayoutProblem::MoneyOrDebt { is_directed: false, .. } => answers(layout, true),
        LayoutProblem::UnmarkedAmounts { .. } => of_unmarked(layout),
        LayoutProblem::MixedSigns { .. } => reversals(layout, records),
        LayoutProblem::UncertainDirection { .. } => directions(layout, records),
        LayoutProblem::BalanceAgainstColumns { .. } => against_balance(layout),
        LayoutProblem::TurnedElsewhere { .. } => columns(layout),
        LayoutProblem::OldestDirection { others, .. } => {
            let is_that_of_others = |reading: &Reading| {
                reading.settings.iter().any(|(_, value)| value == others.as_str())
            };
            answers(layout, false).into_iter().filter(is_that_of_others).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether positive amounts are money out or money in; the answer that makes nobody richer first.
fn answers(layout: &Layout, has_signs: bool) -> Vec<Reading> {
    let amounts = if has_signs { "amounts without a minus are " } else { "" };
    let choices = [(Signage::InflowsNegative, "money out"), (Signage::InflowsPositive, "money in")];
    let reading = |(signage, meaning): (Signage, &str)| {
        let setting = ("signage_convention", signage.as_str());
        Reading::new(layout, setting, format!("{amounts}{meaning}"), |layout| {
            take(layout, signage);
        })
    };
    choices.into_iter().map(reading).collect()
}

/// Reads the amounts by a convention. Where some are known to be marked as money in, it is one
/// about the others.
fn take(layout: &mut Layout, signage: Signage) {
    layout.signage = signage;
    let is_out = signage == Signage::InflowsNegative;
    layout.unmarked_is_out = layout.unmarked_is_out.map(|_| is_out);
}

/// Whether amounts without a mark are money out beside those that are marked as money in.
fn of_unmarked(layout: &Layout) -> Vec<Reading> {
    let choices = [
        (Signage::InflowsNegative, "amounts without a mark are money out"),
        (Signage::InflowsPositive, "all amounts are money in"),
    ];
    let reading = |(signage, meaning): (Signage, &str)| {
        Reading::new(layout, ("signage_convention", signage.as_str()), meaning, |layout| {
            take(layout, signage);
        })
    };
    choices.into_iter().map(reading).collect()
}

/// That columns or words give the direction, and which sign turns it round, if one does. Where both
/// directions have both signs, the usual ones may be different.
fn reversals(layout: &Layout, records: &[CellsBuf]) -> Vec<Reading> {
    let source = match (&layout.amount, layout.columns.direction) {
        (Some(AmountSource::Signed { column }), Some(direction)) => {
            AmountSource::Directed { amount: *column, direction, inflow_value: None }
        }
        (Some(source), _) => source.clone(),
        (None, _) => return Vec::new(),
    };
    let mut found = Reversals::default();
    for record in records {
        found.observe(&source, record.as_cells());
    }
    let earlier = layout.reversals.filter(|_| layout.balance.is_none());
    let they = match source {
        AmountSource::Directed { .. } => "the words decide",
        _ => "the columns decide",
    };
    let came_back = "is money that came back";
    let mut answers = vec![
        (AmountStrategy::MinusIsReversal, format!("{they}, and a minus {came_back}")),
        (
            AmountStrategy::PlainIsReversal,
            format!("{they}, and an amount without a minus {came_back}"),
        ),
        (AmountStrategy::DirectionOnly, format!("{they}, whatever the sign")),
    ];
    if found.meant(AmountStrategy::DirectionAndSign, earlier).are_in_both() {
        let meaning = format!("{they}, and the rarer sign of each {came_back}");
        answers.push((AmountStrategy::DirectionAndSign, meaning));
    }
    let reading = |(strategy, meaning): (AmountStrategy, String)| {
        Reading::new(layout, ("amount_type_strategy", strategy.as_str()), meaning, |layout| {
            let decided = found.meant(strategy, earlier);
            layout.amount = Some(source.clone());
            layout.reversals = Some(decided).filter(|_| strategy != AmountStrategy::DirectionOnly);
        })
    };
    answers.into_iter().map(reading).collect()
}

/// Which word of a column is money in, and, where amounts have signs, that these decide.
fn directions(layout: &Layout, records: &[CellsBuf]) -> Vec<Reading> {
    let (Some(AmountSource::Signed { column: amount }), Some(direction)) =
        (&layout.amount, layout.columns.direction)
    else {
        return Vec::new();
    };
    let amount = *amount;
    let words = words_of(records, direction);
    let mut found = Vec::new();
    let has_sign = |record: &CellsBuf| written_sign(record.as_cells().get(amount)) != Written::None;
    if records.iter().any(has_sign) {
        let meaning = "the signs of the amounts decide";
        let setting = ("amount_type_strategy", AmountStrategy::SignedAmount.as_str());
        found.push(Reading::new(layout, setting, meaning, |_| {}));
    }
    let known = words.iter().filter(|word| direction_of(word).is_some()).count();
    if known == words.len() && known > 0 {
        found.extend(reversals(layout, records));
    }
    if words.len() > WORDS_OFFERED {
        return found;
    }
    found.extend(words.into_iter().map(|word| inflow(layout, (amount, direction), &[word])));
    found
}

/// The different words of a column, in their order.
pub(super) fn words_of(records: &[CellsBuf], column: usize) -> Vec<&str> {
    let mut words: Vec<&str> = Vec::new();
    for record in records {
        let word = record.as_cells().get(column);
        if !word.is_empty() && !words.iter().any(|known| known.eq_ignore_ascii_case(word)) {
            words.push(word);
        }
    }
    words
}

/// That words of a column are money in.
pub(super) fn inflow(
    layout: &Layout,
    (amount, direction): (usize, usize),
    words: &[&str],
) -> Reading {
    let named: Vec<String> = words.iter().map(|word| format!("\"{}\"", quoted(word))).collect();
    let are = if words.len() > 1 { "are" } else { "is" };
    let meaning = format!("{} {are} money in, anything else money out", named.join(" and "));
    let value = match words {
        // A word alone is taken as it is.
        [word] => (*word).to_owned(),
        _ => listed(words.iter().copied()),
    };
    let setting = ("amount_type_strategy", AmountStrategy::CustomColumn.as_str());
    let mut reading = Reading::new(layout, setting, meaning, |layout| {
        let inflow_value = Some(value.clone());
        layout.reversals = None;
        layout.amount = Some(AmountSource::Directed { amount, direction, inflow_value });
    });
    reading.settings.push(("entity_type_col_label", layout.header(direction)));
    reading.settings.push(("amount_type_inflow_value", value));
    reading
}

/// Which of two columns is money out.
fn columns(layout: &Layout) -> Vec<Reading> {
    let Some(AmountSource::DebitCredit { debit, credit }) = layout.amount else {
        return Vec::new();
    };
    [(debit, credit), (credit, debit)].map(|(out, income)| two(layout, out, income)).into()
}

/// That money out is in one column, and money in in another one.
pub(super) fn two(layout: &Layout, debit: usize, credit: usize) -> Reading {
    let headers = [debit, credit].map(|column| layout.header(column));
    let [out, income] = headers.each_ref().map(|header| quoted(header));
    let meaning = format!("\"{out}\" is money out, and \"{income}\" money in");
    let setting = ("debit_col_label", headers[0].as_str());
    let mut reading = Reading::new(layout, setting, meaning, |layout| {
        layout.amount = Some(AmountSource::DebitCredit { debit, credit });
    });
    reading.settings.push(("credit_col_label", headers[1].clone()));
    reading
}

/// What a balance may mean that rises with what the file calls money out.
fn against_balance(layout: &Layout) -> Vec<Reading> {
    let mut found = Vec::new();
    match layout.amount {
        Some(AmountSource::DebitCredit { debit, credit }) => {
            found.push(two(layout, credit, debit));
        }
        Some(AmountSource::Signed { .. }) => {
            let (other, meaning) = match layout.signage {
                Signage::InflowsPositive => (Signage::InflowsNegative, "positive is money out"),
                Signage::InflowsNegative => (Signage::InflowsPositive, "positive is money in"),
            };
            let meaning = format!("the signs are the other way round: {meaning}");
            let setting = ("signage_convention", other.as_str());
            found.push(Reading::new(layout, setting, meaning, |layout| take(layout, other)));
        }
        _ => {}
    }
    let debt = "the directions are right, and the balance is what is owed";
    found.push(balance(layout, BalanceCheck::Compare, debt));
    found.push(no_balance(layout));
    found
}
