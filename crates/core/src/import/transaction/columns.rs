//! Which column of the header is what.
//!
//! A label that was sent must be in the header: compared without case, Unicode form, `*`, and with
//! any run of spaces, hyphens and underscores as one space. Columns that nobody named are found by
//! [`super::header_names`], among those that no label took. Of columns with the same name the
//! first counts.

mod positions;
mod score;

pub use positions::Columns;
pub(super) use score::header_score;

use super::continued::{continued, known_stem};
use super::header_names::statuses::statuses_of;
use super::header_names::{
    BOOKED, PLAIN, Role, TRANSACTION, currency_in, is_amount_in_another_currency, known,
};
use crate::error::Problem;
use crate::import::columns::{column_of, label_key, missing};
use crate::import::layout::AmountSource;
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::rate::{INVERSE_RATE_SETTING, RATE_SETTING, RateColumns};
use crate::import::row_filter::values_of;
use crate::import::settings::{ALL_IN, Labels, NO_COLUMN};
use crate::money::Currency;
use crate::text::quoted;

/// The rank of a name of currencies that means other things elsewhere.
const DOUBTFUL_CURRENCY: u8 = 3;
/// The setting of a column with fees that come off beside the amounts.
pub(super) const FEE_SETTING: &str = "fee_col_label";

/// Finds the columns, or lists the labels that are not in the header.
pub fn resolve(headers: &[String], labels: &Labels) -> Result<Columns, Vec<Problem>> {
    let mut search = Search::new(headers);
    let more = |setting: &str| labels.more.get(setting).cloned();
    let is_none = |label: &str| label.trim() == NO_COLUMN || label.trim().starts_with(ALL_IN);
    let has_no_currency = labels.currency.as_deref().is_some_and(is_none);
    let currency = labels.currency.clone().filter(|_| !has_no_currency);
    let fee = more(FEE_SETTING).filter(|label| label.trim() != NO_COLUMN);
    let mut columns = Columns {
        date: search.labelled("date_col_label", &labels.date),
        amount: search.labelled("amount_col_label", &labels.amount),
        debit: search.labelled("debit_col_label", &more("debit_col_label")),
        credit: search.labelled("credit_col_label", &more("credit_col_label")),
        names: search.labelled("name_col_label", &labels.name).into_iter().collect(),
        category: search.labelled("category_col_label", &labels.category),
        tags: search.labelled("tags_col_label", &labels.tags),
        notes: search.labelled("notes_col_label", &labels.notes),
        account: search.labelled("account_col_label", &labels.account),
        direction: search.labelled("entity_type_col_label", &labels.entity_type),
        currency: search.labelled("currency_col_label", &currency),
        balance: search.labelled("balance_col_label", &labels.balance),
        ..Columns::default()
    };
    columns.set_fees(search.several(FEE_SETTING, &fee));
    let rates = [RATE_SETTING, INVERSE_RATE_SETTING]
        .map(|setting| search.labelled(setting, &more(setting)));
    columns.rates = RateColumns::of(headers, rates);
    if !search.problems.is_empty() {
        return Err(search.problems);
    }
    search.complete(&mut columns);
    columns.currency = columns.currency.filter(|_| !has_no_currency);
    // A column that a label names has its own role.
    let is_free = |(_, next): &(usize, usize)| !columns.uses(*next);
    columns.continued = search.continued.iter().copied().filter(is_free).collect();
    columns.set_statuses(statuses_of(headers).into_iter());
    Ok(columns)
}

/// The position of a column by its label, or by its place (`#2`).
pub(in crate::import) fn position(headers: &[String], label: &str) -> Option<usize> {
    let keys: Vec<String> = headers.iter().map(|header| label_key(header)).collect();
    column_of(label, &keys)
}

/// The currency that the header of the amount names, or the headers of both its columns.
pub(super) fn amount_currency(headers: &[String], columns: &Columns) -> Option<Currency> {
    let named = |column: Option<usize>| currency_in(headers.get(column?)?);
    match columns.amount {
        Some(_) => named(columns.amount),
        None => named(columns.debit).filter(|debit| named(columns.credit) == Some(*debit)),
    }
}

/// The column that is just called a currency, which may be that of the amount or of the purchase;
/// none if a column is called the currency of the purchase.
pub(super) fn plain_currency(headers: &[String], columns: &Columns) -> Option<usize> {
    let search = Search::new(headers);
    let of = |rank| search.known.iter().position(|its| *its == Some((Role::Currency, rank)));
    let is_plain = |column: &usize| {
        matches!(search.known[*column], Some((Role::Currency, PLAIN | DOUBTFUL_CURRENCY)))
    };
    let first = || of(PLAIN).or_else(|| of(DOUBTFUL_CURRENCY));
    let column = columns.currency.or_else(first).filter(is_plain)?;
    of(TRANSACTION).is_none().then_some(column)
}

/// Columns beside that of the amount that have it in the currency of the purchase.
pub(super) fn amounts_abroad(headers: &[String], columns: &Columns) -> Vec<usize> {
    Search::new(headers).amounts_abroad(columns)
}

/// Moves to the amount that the cells show to be the right one: the currency column that goes with
/// it, and the currency that its header names.
pub(super) fn take_amount(
    headers: &[String],
    columns: &mut Columns,
    source: &AmountSource,
    is_currency_sent: bool,
) -> Option<Currency> {
    (columns.amount, columns.debit, columns.credit) = match source {
        AmountSource::Signed { column }
        | AmountSource::ByBalance { column }
        | AmountSource::Directed { amount: column, .. } => (Some(*column), None, None),
        AmountSource::DebitCredit { debit, credit } => (None, Some(*debit), Some(*credit)),
    };
    if is_currency_sent {
        return None;
    }
    let currency = amount_currency(headers, columns);
    columns.currency = match currency {
        Some(_) => None,
        // Where the header names none, the cells may have shown it.
        None => Search::new(headers).currency(columns).or(columns.currency),
    };
    currency
}

struct Search<'h> {
    headers: &'h [String],
    keys: Vec<String>,
    /// By column: what its name is known for, gone once the column is taken.
    known: Vec<Option<(Role, u8)>>,
    continued: Vec<(usize, usize)>,
    problems: Vec<Problem>,
}

impl<'h> Search<'h> {
    fn new(headers: &'h [String]) -> Self {
        let keys: Vec<String> = headers.iter().map(|header| label_key(header)).collect();
        let first = |index: usize| !keys[..index].contains(&keys[index]);
        let known = headers.iter().enumerate();
        let mut known: Vec<Option<(Role, u8)>> =
            known.map(|(index, header)| known_once(header, first(index))).collect();
        let continued = continued(headers);
        for (first, next) in continued.iter().copied() {
            known[first] = known[first].or_else(|| known_stem(&headers[first]));
            known[next] = None;
        }
        Self { headers, keys, known, continued, problems: Vec::new() }
    }

    /// The column of the label that was sent in a setting.
    fn labelled(&mut self, setting: &str, label: &Option<String>) -> Option<usize> {
        let label = label.as_deref()?;
        let found = column_of(label, &self.keys);
        match found {
            Some(column) => self.known[column] = None,
            None => self.problems.push(missing(setting, label, self.headers)),
        }
        found
    }

    /// The columns of the labels that were sent in a setting: of one, or of several with `|`
    /// between them.
    fn several(&mut self, setting: &str, label: &Option<String>) -> Vec<usize> {
        let Some(label) = label.as_deref() else { return Vec::new() };
        let labels = match column_of(label, &self.keys) {
            Some(_) => None,
            None => values_of(label),
        };
        let labels = labels.unwrap_or_else(|| vec![label.to_owned()]);
        labels.into_iter().filter_map(|one| self.labelled(setting, &Some(one))).collect()
    }

    /// Columns of a role that no label took, the preferred first.
    fn all(&self, role: Role) -> Vec<usize> {
        let ranked = self.known.iter().enumerate();
        let mut ranked: Vec<(u8, usize)> = ranked
            .filter_map(|(column, known)| known.filter(|k| k.0 == role).map(|k| (k.1, column)))
            .collect();
        ranked.sort_unstable();
        ranked.into_iter().map(|(_, column)| column).collect()
    }

    fn one(&self, role: Role) -> Option<usize> {
        self.all(role).first().copied()
    }

    /// Fills in the columns that no label named.
    fn complete(&self, columns: &mut Columns) {
        let mut doubts = Vec::new();
        columns.date =
            columns.date.or_else(|| self.only(Role::Date, ColumnContent::Date, &mut doubts));
        columns.category = columns.category.or_else(|| self.one(Role::Category));
        columns.tags = columns.tags.or_else(|| self.one(Role::Tags));
        columns.account = columns.account.or_else(|| self.one(Role::Account));
        columns.external_id = self.one(Role::ExternalId);
        self.complete_amount(columns);
        if columns.currency.is_none() && amount_currency(self.headers, columns).is_none() {
            columns.currency = self.currency(columns);
        }
        self.complete_texts(columns);
        columns.doubts.extend(doubts);
    }

    /// The currency that goes with the amount: that of the booking with what was booked, that of
    /// the deed with what was paid.
    fn currency(&self, columns: &Columns) -> Option<usize> {
        let amount = columns.amount.and_then(|column| known(self.headers.get(column)?));
        let ranks: &[u8] = match amount {
            Some((Role::Amount, BOOKED)) => &[BOOKED, PLAIN, DOUBTFUL_CURRENCY],
            Some((Role::Amount, TRANSACTION)) => &[TRANSACTION, PLAIN, DOUBTFUL_CURRENCY, BOOKED],
            // Beside an amount in the currency of the purchase, that one has it.
            _ if !self.amounts_abroad(columns).is_empty() => &[BOOKED, PLAIN, DOUBTFUL_CURRENCY],
            _ => &[PLAIN, BOOKED, TRANSACTION, DOUBTFUL_CURRENCY],
        };
        let of = |rank: &u8| self.known.iter().position(|k| *k == Some((Role::Currency, *rank)));
        ranks.iter().find_map(of)
    }

    /// Columns that have the amount in the currency of the purchase, beside the one that was
    /// booked: a plain amount, too, beside one that is called booked.
    fn amounts_abroad(&self, columns: &Columns) -> Vec<usize> {
        let amount = columns.amount.and_then(|column| known(self.headers.get(column)?));
        let is_booked = amount == Some((Role::Amount, BOOKED));
        let is_abroad = |column: &usize| match self.known[*column] {
            Some((role, rank)) => {
                role == Role::Amount && (rank == TRANSACTION || (is_booked && rank == PLAIN))
            }
            None => {
                let header = &self.headers[*column];
                known(header).is_none() && is_amount_in_another_currency(header)
            }
        };
        let others = (0..self.headers.len()).filter(|column| columns.amount != Some(*column));
        others.filter(is_abroad).collect()
    }

    /// The column of a role; a second one with equal right is a doubt.
    fn only(
        &self,
        role: Role,
        content: ColumnContent,
        doubts: &mut Vec<LayoutProblem>,
    ) -> Option<usize> {
        let all = self.all(role);
        let (first, second) = (*all.first()?, all.get(1));
        if let Some(second) = second.filter(|second| self.known[**second] == self.known[first]) {
            let headers = [first, *second].map(|column| quoted(&self.headers[column]));
            doubts.push(LayoutProblem::TwoColumns { content, headers });
        }
        Some(first)
    }

    /// Two columns for out and in are preferred to one with a sign, unless a label names that one.
    fn complete_amount(&self, columns: &mut Columns) {
        let mut doubts = Vec::new();
        let is_open = columns.amount.is_none() && columns.direction.is_none();
        if columns.debit.is_some() || columns.credit.is_some() {
            // One of both was named: the other is what the header calls so.
            columns.debit = columns.debit.or_else(|| self.one(Role::Debit));
            columns.credit = columns.credit.or_else(|| self.one(Role::Credit));
        } else if is_open && self.one(Role::Debit).is_some() && self.one(Role::Credit).is_some() {
            columns.debit = self.only(Role::Debit, ColumnContent::MoneyOut, &mut doubts);
            columns.credit = self.only(Role::Credit, ColumnContent::MoneyIn, &mut doubts);
        } else {
            columns.amount = columns
                .amount
                .or_else(|| self.only(Role::Amount, ColumnContent::Amount, &mut doubts));
            columns.direction = columns.direction.or_else(|| self.one(Role::Direction));
        }
        columns.doubts.extend(doubts);
    }

    /// The name is the other party, else what the bank writes, else what the payer wrote; the
    /// notes are a column of notes, else the best of these that isn't already the name.
    fn complete_texts(&self, columns: &mut Columns) {
        let mut texts = self.all(Role::Payee);
        texts.extend(self.all(Role::Description));
        texts.extend(self.all(Role::Purpose));
        if columns.names.is_empty() {
            columns.names = texts;
        }
        let name = columns.names.first().copied();
        let other = |role| self.all(role).into_iter().find(|column| Some(*column) != name);
        columns.notes = columns
            .notes
            .or_else(|| self.one(Role::Notes))
            .or_else(|| other(Role::Purpose))
            .or_else(|| other(Role::Description));
    }
}

fn known_once(header: &str, is_first: bool) -> Option<(Role, u8)> {
    known(header).filter(|_| is_first)
}

#[cfg(test)]
#[path = "columns_tests.rs"]
mod tests;
