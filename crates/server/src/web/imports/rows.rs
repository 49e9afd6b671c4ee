//! Rows of a file as lines of a page, by what becomes of them.

use purser_app::imports::row_content::{self, Named, ShownRow};
use purser_core::import::mapping::MappingKind;
use purser_core::import::row_edit::{RowChoice, RowEdit};
use purser_core::import::verdict::{Counts, Verdict};
use purser_core::money::{Currency, decimal};

use super::rows_position::{ALL, PARTS};
use super::{grouped, shortened};
use crate::web::view::{self, Amount};

/// How much is shown of a field without an amount, such as the conditions of a rule.
const FIELD_CHARS_MAX: usize = 200;

/// A row in the table of rows.
pub(super) struct Line {
    /// The number of the row.
    pub(super) row: u64,
    /// Where it is in the file.
    pub(super) line: u64,
    /// The fields of the row, if it can be read.
    pub(super) content: Option<Content>,
    /// Why it can't be taken.
    pub(super) errors: Vec<String>,
    /// Its text, if it can't be read.
    pub(super) raw: String,
    /// The row that a button or a link is about, for screen readers.
    pub(super) label: String,
    /// What is to become of it.
    pub(super) verdict: Option<VerdictView>,
    /// The reason for the verdict.
    pub(super) reason: Option<String>,
    /// The transaction that it refers to.
    pub(super) entry: Option<String>,
    /// A person corrected cells of it.
    pub(super) corrected: bool,
    /// What can be done about it.
    pub(super) actions: Vec<Action>,
}

/// The fields of a row that can be read.
pub(super) struct Content {
    pub(super) day: String,
    pub(super) amount: Amount,
    pub(super) name: String,
    pub(super) notes: Option<String>,
    pub(super) account: Option<String>,
    pub(super) category: Option<String>,
    pub(super) tags: Vec<String>,
}

/// A verdict for people.
#[derive(Debug, Clone, Copy)]
pub(super) struct VerdictView {
    pub(super) text: &'static str,
    pub(super) class: &'static str,
}

/// A choice for a row that takes one press of a button.
pub(super) struct Action {
    /// What is chosen: a [`RowChoice`], or a direction.
    pub(super) field: &'static str,
    /// As the form sends it.
    pub(super) choice: &'static str,
    pub(super) text: &'static str,
}

/// The field of a form that states which way the money of a row went.
pub(super) const DIRECTION: &str = "direction";
/// The values of that field.
pub(super) const MONEY_IN: &str = "in";
pub(super) const MONEY_OUT: &str = "out";
/// The field with [`Line::seen`].
pub(super) const SEEN: &str = "seen";

/// The question about a row of which only the direction is missing.
const WHICH_WAY: &str = "Is this money out or money in? Its amount has no sign, and the balances \
                         of the file don't show it.";

impl Line {
    /// A row that was read; with `edit`, the choice of a person can be changed.
    pub(super) fn of(shown: ShownRow, edit: Option<Option<&RowEdit>>) -> Self {
        let raw = match shown.outcome {
            Ok(_) => String::new(),
            Err(_) => raw(&shown),
        };
        let reason = shown.reason(view::day);
        let entry = shown.entry();
        let ShownRow { row, line, outcome, verdict, asks_direction, .. } = shown;
        let (content, errors) = match outcome {
            Ok(content) => (Some(Content::of(content)), Vec::new()),
            // Where there are buttons for it.
            Err(_) if asks_direction && edit.is_some() => (None, vec![WHICH_WAY.to_owned()]),
            Err(errors) => (None, errors),
        };
        let label = match &content {
            Some(content) if content.day.is_empty() => content.name.clone(),
            Some(content) => format!("{} of {}", content.name, content.day),
            None => format!("line {line}"),
        };
        let choice = edit.flatten().map_or(RowChoice::Plan, |edit| edit.choice);
        Self {
            row,
            line,
            content,
            // An invalid row's reason is what is wrong with it.
            reason: reason.filter(|_| verdict != Some(Verdict::Invalid)),
            errors,
            raw,
            label,
            verdict: verdict.map(|verdict| match asks_direction && edit.is_some() {
                true => VerdictView { text: "Needs an answer", class: "invalid" },
                false => verdict_view(verdict, false),
            }),
            entry: entry.map(|id| id.to_string()),
            corrected: edit.flatten().is_some_and(|edit| !edit.cells.is_empty()),
            actions: match (edit, verdict) {
                (Some(_), Some(verdict)) if asks_direction => {
                    directions().into_iter().chain(actions(verdict, choice)).collect()
                }
                (Some(_), Some(verdict)) => actions(verdict, choice),
                _ => Vec::new(),
            },
        }
    }
}

impl Line {
    /// What a person sees of a row that they answer a question about: an answer from a page that is
    /// out of date may be about another one.
    pub(super) fn seen(&self) -> String {
        format!("{} {}", self.line, self.raw)
    }

    /// The answers to the question about its direction, if it is asked.
    pub(super) fn answers(&self) -> impl Iterator<Item = &Action> {
        self.actions.iter().filter(|action| action.field == DIRECTION)
    }

    /// As it is after a publish.
    pub(super) fn done(mut self, verdict: Option<Verdict>) -> Self {
        self.verdict = verdict.map(|verdict| verdict_view(verdict, true));
        self
    }
}

impl Content {
    fn of(content: row_content::Content) -> Self {
        match content {
            row_content::Content::Transaction(content) => Self::of_transaction(*content),
            row_content::Content::Plain(content) if content.is_trade() => Self::of_trade(&content),
            row_content::Content::Plain(content) => Self::of_plain(&content),
        }
    }

    fn of_transaction(content: row_content::TransactionContent) -> Self {
        let name = |named: Named| named.name;
        Self {
            day: view::day(content.date),
            amount: Amount::of_entry(content.amount.amount, content.amount.currency),
            name: content.name,
            notes: content.notes,
            account: content.account.map(name).filter(|name| !name.is_empty()),
            category: content.category.map(name),
            tags: content.tags.into_iter().map(name).collect(),
        }
    }

    /// A trade, or money of an account for trades: what has no place of its own is in the notes.
    fn of_trade(content: &row_content::PlainContent) -> Self {
        let field = |name: &str| content.field(name);
        let day = field("date").and_then(|text| text.parse().ok()).map(view::day);
        let currency = field("currency").and_then(Currency::parse);
        let amount = currency.and_then(|currency| {
            let amount = decimal::parse(field("amount")?, currency.scale()).ok()?;
            Some(Amount::of_entry(amount, currency))
        });
        let name = row_content::Content::Plain(content.clone()).name();
        let shown = ["price", "fee", "cost", "exchange_rate", "split_ratio", "name", "notes"];
        let others: Vec<String> = shown
            .iter()
            .filter_map(|name| Some((name, field(name)?)))
            .filter(|(_, text)| *text != name)
            .map(|(name, text)| {
                format!("{} {}", name.replace('_', " "), shortened(text, FIELD_CHARS_MAX))
            })
            .collect();
        let account = content.named(MappingKind::Account).map(|named| named.name.clone());
        Self {
            day: day.unwrap_or_default(),
            amount: amount.unwrap_or_else(Amount::none),
            name,
            notes: Some(others.join(", ")).filter(|notes| !notes.is_empty()),
            account: account.filter(|name| !name.is_empty()),
            category: None,
            tags: Vec::new(),
        }
    }

    /// A record: a parent stands where a transaction has its category, the rest in the notes.
    fn of_plain(content: &row_content::PlainContent) -> Self {
        let others: Vec<String> = content
            .fields
            .iter()
            .filter(|(field, _)| !["name", "parent"].contains(field))
            .map(|(field, text)| {
                format!("{} {}", field.replace('_', " "), shortened(text, FIELD_CHARS_MAX))
            })
            .collect();
        Self {
            day: String::new(),
            amount: Amount::none(),
            name: content.field("name").unwrap_or("Without a name").to_owned(),
            notes: Some(others.join(", ")).filter(|notes| !notes.is_empty()),
            account: None,
            category: content.field("parent").map(str::to_owned),
            tags: Vec::new(),
        }
    }
}

/// The cells of a row as they count: those of the file, or what a person put in their place.
fn raw(shown: &ShownRow) -> String {
    const CHARS_MAX: usize = 60;
    let cells = shown.cells.iter().map(|(name, cell)| {
        let corrected = shown.corrected.iter().find(|(known, _)| known == name);
        corrected.map_or(cell, |(_, text)| text).trim()
    });
    let cells = cells.filter(|cell| !cell.is_empty()).map(|cell| shortened(cell, CHARS_MAX));
    cells.collect::<Vec<_>>().join(" · ")
}

fn verdict_view(verdict: Verdict, is_done: bool) -> VerdictView {
    let (text, class) = match verdict {
        Verdict::Create if is_done => ("Imported", "new"),
        Verdict::Create => ("New", "new"),
        Verdict::PossibleDuplicate => ("Possible duplicate", "possible"),
        Verdict::MatchedById
        | Verdict::MatchedByContent
        | Verdict::MatchedByRecord
        | Verdict::MatchedByName => ("Already there", "known"),
        Verdict::Change if is_done => ("Changed", "possible"),
        Verdict::Change => ("Will be changed", "possible"),
        Verdict::Repeats => ("Repeated", "known"),
        Verdict::DeletedBefore => ("Deleted before", "known"),
        Verdict::Invalid => ("Can't be read", "invalid"),
        Verdict::LeftOut => ("Left out", "out"),
        Verdict::NeedsChoice => ("Needs a choice", "invalid"),
    };
    VerdictView { text, class }
}

/// The answers to which way the money of a row went; the one that makes nobody richer comes first.
fn directions() -> [Action; 2] {
    let action = |choice, text| Action { field: DIRECTION, choice, text };
    [action(MONEY_OUT, "Money out"), action(MONEY_IN, "Money in")]
}

fn actions(verdict: Verdict, choice: RowChoice) -> Vec<Action> {
    let action = |choice, text| Action { field: "choice", choice, text };
    let leave_out = action("leave_out", "Leave out");
    let create = action("create", "Import anyway");
    let plan = action("plan", "Take that back");
    match (choice, verdict) {
        (RowChoice::LeaveOut | RowChoice::Create, _) => vec![plan],
        // Left out by the file, or there already.
        (
            _,
            Verdict::MatchedById
            | Verdict::MatchedByContent
            | Verdict::MatchedByRecord
            | Verdict::DeletedBefore
            | Verdict::LeftOut,
        ) => vec![create],
        _ => vec![leave_out],
    }
}

/// A part of the rows.
pub(super) struct Tab {
    /// The name in the address.
    pub(super) key: &'static str,
    pub(super) text: &'static str,
    pub(super) count: String,
    pub(super) class: &'static str,
    pub(super) is_current: bool,
}

/// The parts that have rows, and all of them together.
pub(super) fn tabs(counts: &Counts, current: &str, is_done: bool) -> Vec<Tab> {
    let all = Tab {
        key: ALL,
        text: "All rows",
        count: grouped(counts.all()),
        class: "all",
        is_current: current == ALL,
    };
    let parts = PARTS.iter().filter_map(|(key, text, class, verdicts)| {
        let count: u64 = verdicts.iter().map(|verdict| counts.of(*verdict)).sum();
        let is_current = *key == current;
        let text = if is_done && *key == "new" { &"Imported" } else { text };
        (count > 0 || is_current).then(|| Tab {
            key,
            text,
            count: grouped(count),
            class,
            is_current,
        })
    });
    std::iter::once(all).chain(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_are_those_with_rows() {
        let counts = Counts { create: 1_200, invalid: 1, ..Counts::default() };
        let shown: Vec<(&str, String, bool)> = tabs(&counts, "invalid", false)
            .into_iter()
            .map(|tab| (tab.key, tab.count, tab.is_current))
            .collect();
        let tab = |key, count: &str, is_current| (key, count.to_owned(), is_current);
        assert_eq!(
            shown,
            [tab("all", "1,201", false), tab("new", "1,200", false), tab("invalid", "1", true)]
        );
    }

    #[test]
    fn a_choice_can_be_taken_back() {
        let choices = |verdict, choice| -> Vec<&str> {
            actions(verdict, choice).iter().map(|action| action.choice).collect()
        };
        assert_eq!(choices(Verdict::Create, RowChoice::Plan), ["leave_out"]);
        assert_eq!(choices(Verdict::MatchedById, RowChoice::Plan), ["create"]);
        assert_eq!(choices(Verdict::LeftOut, RowChoice::LeaveOut), ["plan"]);
        assert_eq!(choices(Verdict::LeftOut, RowChoice::Plan), ["create"]);
        assert_eq!(choices(Verdict::Create, RowChoice::Create), ["plan"]);
    }
}
