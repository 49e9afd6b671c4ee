//! Completes a layout by what the columns hold.

use super::amounts;
use super::facts::{Facts, facts};
use super::{SAMPLE_CELLS, SAMPLE_RECORDS_MIN, dated, texts};
use crate::import::cells::CellsBuf;
use crate::import::columns::label_key;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::{ColumnContent, LayoutProblem, ProposedColumn};
use crate::import::settings::Settings;
use crate::import::transaction::header_names::balances::balance_rank;
use crate::import::transaction::header_names::statuses::is_unsure_status;
use crate::import::transaction::header_names::units::is_in_another_unit;
use crate::import::transaction::header_names::{Role, known};
use crate::import::transaction::status_column::flagged_status;
use crate::text::Detection;
use crate::text::date::DateFormatDetector;
use crate::text::number::named_currency;
use crate::text::quoted;

/// Whether the cells are asked at all: there is something that the header leaves open.
pub fn is_needed(layout: &Layout) -> bool {
    let is_missing = |problem: &LayoutProblem| matches!(problem, LayoutProblem::NoColumn { .. });
    let is_unknown = |column: &usize| {
        let header = layout.headers.get(*column).map_or("", String::as_str);
        let is_flag = || flagged_status(header).is_some();
        match layout.columns.uses(*column) {
            true => layout.columns.date == Some(*column) && is_flag(),
            false => known(header).is_none() || is_flag(),
        }
    };
    layout.shape.is_some()
        || layout.problems.iter().any(is_missing)
        || [layout.columns.date, signed(layout)]
            .into_iter()
            .flatten()
            .any(|column| namesakes(layout, column).next().is_some())
        || (0..layout.headers.len()).any(|column| is_unknown(&column))
}

/// Takes what the cells of the first records show, and turns what they leave open into questions.
pub fn complete(layout: &mut Layout, settings: &Settings, records: &[CellsBuf]) {
    let count = (SAMPLE_CELLS / layout.headers.len().max(1)).max(SAMPLE_RECORDS_MIN);
    let records = dated(records.get(..count).unwrap_or(records));
    let facts = facts(&records, layout.headers.len());
    let mut search = Search { layout, settings, records: &records, facts: &facts };
    search.flagged_day();
    search.namesake(ColumnContent::Date, search.layout.columns.date);
    search.namesake(ColumnContent::Amount, signed(search.layout));
    search.date();
    search.amount();
    search.currency();
    search.direction();
    search.status();
    search.flags();
    search.texts();
    search.unnamed_ends();
}

/// Columns that are called as another one is.
fn namesakes(layout: &Layout, column: usize) -> impl Iterator<Item = usize> {
    let key = layout.headers.get(column).map(|header| label_key(header)).unwrap_or_default();
    let headers = layout.headers.iter().enumerate();
    headers.filter_map(move |(other, header)| {
        (other != column && !key.is_empty() && label_key(header) == key).then_some(other)
    })
}

/// The column of the amount, if there is one alone.
fn signed(layout: &Layout) -> Option<usize> {
    match layout.amount {
        Some(AmountSource::Signed { column }) => Some(column),
        _ => None,
    }
}

/// The columns of a file and what is known about them.
pub(super) struct Search<'s> {
    pub(super) layout: &'s mut Layout,
    pub(super) settings: &'s Settings,
    pub(super) records: &'s [&'s CellsBuf],
    pub(super) facts: &'s [Facts],
}

impl Search<'_> {
    /// Columns that nothing takes and that the header doesn't call something else, and of which the
    /// facts are so.
    pub(super) fn open(&self, is_so: impl Fn(&Facts) -> bool) -> Vec<usize> {
        let is_open = |column: &usize| {
            let header = self.layout.headers.get(*column).map_or("", String::as_str);
            self.facts.get(*column).is_some_and(&is_so)
                && !self.layout.columns.uses(*column)
                && known(header).is_none()
                && balance_rank(header).is_none()
                && !is_in_another_unit(header)
        };
        (0..self.facts.len()).filter(is_open).collect()
    }

    /// Whether the header has no name for a column but that of a currency, so that its cells alone
    /// show what it is.
    fn is_unnamed(&self, column: usize) -> bool {
        let is_currency = |header: &String| named_currency(header.trim_end_matches('$')).is_some();
        self.layout.shape.is_some()
            || self.layout.headers.get(column).is_none_or(|it| it.is_empty() || is_currency(it))
    }

    /// The only one of some columns, if the header has no other name for it.
    pub(super) fn only(&self, columns: &[usize]) -> Option<usize> {
        match columns {
            [column] if self.is_unnamed(*column) => Some(*column),
            _ => None,
        }
    }

    pub(super) fn facts_of(&self, column: usize) -> Option<&Facts> {
        self.facts.get(column)
    }

    pub(super) fn note(&mut self, setting: &str) {
        for list in [&mut self.layout.found, &mut self.layout.found_by_content] {
            if !list.iter().any(|name| name == setting) {
                list.push(setting.to_owned());
            }
        }
    }

    /// That no column was found is answered, or becomes a question.
    pub(super) fn settle(&mut self, is_about: &[ColumnContent]) {
        self.layout.problems.retain(|problem| match problem {
            LayoutProblem::NoColumn { content, .. } => !is_about.contains(content),
            _ => true,
        });
    }

    /// Asks which of some columns has the content; nothing is asked without one.
    pub(super) fn ask(&mut self, content: ColumnContent, columns: &[usize], likely: usize) {
        let propose = |column: &usize| ProposedColumn {
            column: *column,
            header: quoted(&self.layout.header(*column)),
            cell: quoted(self.facts.get(*column).map_or("", |facts| &facts.first)),
        };
        let proposed: Vec<ProposedColumn> = columns.iter().map(propose).collect();
        if proposed.is_empty() {
            return;
        }
        let likely = columns.iter().position(|column| *column == likely);
        self.layout.problems.push(LayoutProblem::WhichColumn {
            content,
            columns: proposed,
            likely,
        });
    }

    /// Asks about a second column that is called like the one that was found, and holds something
    /// else of the same kind.
    fn namesake(&mut self, content: ColumnContent, column: Option<usize>) {
        let setting = match content {
            ColumnContent::Date => "date_col_label",
            _ => "amount_col_label",
        };
        let is_found = self.layout.found.iter().any(|name| name == setting);
        let Some(column) = column.filter(|_| is_found) else { return };
        let is_rival = |other: &usize| {
            let is_alike = self.facts.get(*other).is_some_and(|facts| match content {
                ColumnContent::Date => facts.are_days(),
                _ => facts.are_numbers(),
            });
            let differs =
                |record: &&CellsBuf| record.as_cells().get(column) != record.as_cells().get(*other);
            is_alike && self.records.iter().any(differs)
        };
        let Some(rival) = namesakes(self.layout, column).find(is_rival) else { return };
        let headers = [column, rival].map(|column| quoted(&self.layout.header(column)));
        let known = |problem: &LayoutProblem| match problem {
            LayoutProblem::TwoColumns { content: its, .. } => *its == content,
            _ => false,
        };
        if !self.layout.problems.iter().any(known) {
            self.layout.problems.push(LayoutProblem::TwoColumns { content, headers });
        }
    }

    /// The day: the only column of days, or the first of several that have the same days.
    fn date(&mut self) {
        if self.layout.columns.date.is_some() {
            return;
        }
        let columns = self.open(Facts::are_days);
        let different = self.different(&columns, |search, column| search.days(column));
        let Some(first) = different.first().copied() else { return };
        self.settle(&[ColumnContent::Date]);
        if let Some(only) = self.only(&different) {
            self.layout.columns.date = Some(only);
            self.note("date_col_label");
            return;
        }
        // The rows stand in the order in which they were booked.
        let ordered = different.iter().copied().filter(|column| is_ordered(&self.days(*column)));
        let likely = ordered.clone().next().filter(|_| ordered.count() == 1).unwrap_or(first);
        self.layout.columns.date = Some(likely);
        self.ask(ColumnContent::Date, &different, likely);
    }

    /// The first of all columns that hold the same.
    fn different<T: PartialEq>(
        &self,
        columns: &[usize],
        read: impl Fn(&Self, usize) -> T,
    ) -> Vec<usize> {
        let mut different: Vec<(usize, T)> = Vec::new();
        for column in columns.iter().copied() {
            let its = read(self, column);
            if !different.iter().any(|(_, known)| *known == its) {
                different.push((column, its));
            }
        }
        different.into_iter().map(|(column, _)| column).collect()
    }

    /// The days of a column in the format that fits best.
    fn days(&self, column: usize) -> Vec<Option<jiff::civil::Date>> {
        let mut detector = DateFormatDetector::new();
        let cells = self.records.iter().map(|record| record.as_cells().get(column));
        cells.clone().for_each(|cell| detector.observe(cell));
        let format = match detector.finish(self.settings.preferred.date_format.as_deref()) {
            Detection::One(format) | Detection::Ambiguous(format, ..) => format,
            Detection::None { best } => best,
            Detection::Empty => return Vec::new(),
        };
        cells.map(|cell| format.parse(cell).ok()).collect()
    }

    /// The currency of the amount: the only column of codes.
    fn currency(&mut self) {
        let is_known = self.layout.columns.currency.is_some()
            || self.layout.amount_currency.is_some()
            || self.settings.labels.currency.is_some()
            || self.layout.shape.is_none();
        if is_known {
            return;
        }
        let columns = self.open(Facts::are_currencies);
        let cells = |search: &Self, column: usize| {
            let cell = |record: &&CellsBuf| record.as_cells().get(column).to_owned();
            search.records.iter().map(cell).collect::<Vec<String>>()
        };
        let different = self.different(&columns, cells);
        if let Some(only) = self.only(&different) {
            self.layout.columns.currency = Some(only);
            self.note("currency_col_label");
        } else if let Some(first) = different.first().copied() {
            self.ask(ColumnContent::Currency, &different, first);
        }
    }

    /// Words for the direction beside an amount. Whether they decide is seen from all rows.
    fn direction(&mut self) {
        let is_signed = matches!(self.layout.amount, None | Some(AmountSource::Signed { .. }));
        if self.layout.shape.is_none() || self.layout.columns.direction.is_some() || !is_signed {
            return;
        }
        let columns = self.open(Facts::are_directions);
        self.layout.columns.direction = self.only(&columns);
    }

    /// Words for what became of the rows. Without a header one that nobody knows among them is
    /// asked about later; a column that a header calls something else has nothing but such words.
    fn status(&mut self) {
        let named = self.layout.columns.status;
        if named.is_some_and(|column| !is_unsure_status(&self.layout.header(column))) {
            return;
        }
        let is_so = if self.layout.shape.is_some() {
            Facts::are_statuses
        } else {
            Facts::are_only_statuses
        };
        if let [column] = self.open(is_so)[..] {
            self.layout.columns.status = Some(column);
            self.layout.columns.other_statuses.splice(..0, named);
        }
    }

    /// Blank cells at the end of a header, below which only some rows have a text: a separator too
    /// many may have moved it there. So may one in each row, if amounts have no decimals and the
    /// next column has nothing but two digits.
    fn unnamed_ends(&mut self) {
        let headers = &self.layout.headers;
        let columns = &self.layout.columns;
        let are_divided = |column: usize| {
            let [amounts, next] = [column, column + 1].map(|column| self.facts.get(column));
            amounts.is_some_and(Facts::are_without_point) && next.is_some_and(Facts::are_cents)
        };
        let mut amounts = [columns.amount, columns.debit, columns.credit].into_iter().flatten();
        let are_divided = amounts.any(are_divided);
        let is_column = |column: &usize| {
            let is_full = |facts: &Facts| facts.filled == facts.records;
            let is_named = headers.get(*column).is_some_and(|header| !header.is_empty());
            let is_full = self.facts.get(*column).is_some_and(is_full);
            is_named || (is_full && !are_divided) || columns.uses(*column)
        };
        let last = (0..headers.len()).rev().find(is_column);
        let named = last.map(|last| last + 1).filter(|named| *named < headers.len());
        self.layout.columns.named = named.filter(|_| self.layout.shape.is_none());
    }

    /// Columns of yes and no below a word for a status (`Pending`, `Declined`) are statuses, too.
    fn flags(&mut self) {
        let is_free = |column: &usize| !self.layout.columns.uses(*column) && self.is_flag(*column);
        let flags: Vec<usize> = (0..self.facts.len()).filter(is_free).collect();
        let all: Vec<usize> = self.layout.columns.statuses().chain(flags).collect();
        self.layout.columns.set_statuses(all.into_iter());
    }

    fn is_flag(&self, column: usize) -> bool {
        let header = self.layout.headers.get(column).map_or("", String::as_str);
        let may_be = |flagged| self.facts.get(column).is_some_and(|it| it.may_be_flags(flagged));
        flagged_status(header).is_some_and(may_be)
    }

    /// A name of a day that is a word for a status, too (`Bokförd`), is none of the day where it
    /// has yes and no, and another column with such a name has days.
    fn flagged_day(&mut self) {
        let is_found = self.layout.found.iter().any(|name| name == "date_col_label");
        let day = self.layout.columns.date.filter(|column| is_found && self.is_flag(*column));
        let Some(day) = day else { return };
        let rank = |column: &usize| match known(&self.layout.headers[*column]) {
            Some((Role::Date, rank)) if self.facts[*column].are_days() => Some(rank),
            _ => None,
        };
        let others = (0..self.facts.len()).filter(|column| *column != day);
        let other = others.filter_map(|column| Some((rank(&column)?, column))).min();
        if let Some((_, other)) = other {
            self.layout.columns.date = Some(other);
        }
    }

    fn amount(&mut self) {
        if self.layout.amount.is_none() {
            amounts::find(self);
        }
    }

    fn texts(&mut self) {
        if self.layout.shape.is_some() {
            texts::find(self);
        }
        texts::keep_others(self);
    }
}

/// Whether days rise or fall throughout, and not all of them are the same.
fn is_ordered(days: &[Option<jiff::civil::Date>]) -> bool {
    let days: Vec<_> = days.iter().flatten().collect();
    let rises = days.windows(2).all(|pair| pair[0] <= pair[1]);
    let falls = days.windows(2).all(|pair| pair[0] >= pair[1]);
    rises != falls
}
