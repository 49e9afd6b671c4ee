//! Which amounts went which way: the reading that the balances prove.

use purser_core::import::left_out::AnchorKind;

use super::super::fixed::Fixed;
use super::amounts::{Written, WrittenAmount};
use super::header::{Column, Header};
use super::rows::{RawRow, Scanned, Stated};

/// Readings that are tried.
const READINGS_MAX: usize = 128;
/// Columns of amounts that are looked at.
const COLUMNS_MAX: usize = 6;

/// A row with its amount and the balance after it, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Booked {
    /// The row of the document.
    pub(super) row: usize,
    pub(super) amount: i64,
    pub(super) balance: Option<i64>,
}

/// What proves the amounts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PdfProof {
    /// The balances of the document and all amounts agree, to the last digit.
    Proven,
    /// Some of them don't agree.
    Differs,
    /// There are too few balances, or those beside the rows are left out.
    Nothing,
}

/// A document as it is read, the oldest row first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) booked: Vec<Booked>,
    /// A positive amount is money in; else it may be a debt that grows.
    pub(super) is_money: bool,
    pub(super) opening: Option<i64>,
    pub(super) closing: Option<i64>,
    pub(super) proof: PdfProof,
    /// Which way money went would not come out the other way round if every sign was lost.
    pub(super) is_directed: bool,
    /// Lines state the balance before the first row, and the one after the last row.
    pub(super) states_ends: (bool, bool),
}

/// How signs are understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    /// As they are written.
    Printed,
    /// What has no `CR` went out.
    UnmarkedOut,
    /// By the headings above the rows.
    Sections,
    /// By the change of the balance.
    Changes,
}

type Roles = Vec<Option<Column>>;

pub(super) fn choose(scanned: &Scanned) -> Option<Reading> {
    let candidates = match &scanned.header {
        Some(header) => by_header(header, &scanned.columns),
        None => by_place(scanned.columns.len()),
    };
    // Headings that show the direction of every row come before amounts without any sign.
    let senses = [Sense::Sections, Sense::Printed, Sense::UnmarkedOut, Sense::Changes];
    let mut first = None;
    for roles in candidates.iter().take(READINGS_MAX) {
        for sense in senses {
            for is_opposite in [false, true] {
                let eyes = Eyes::new(scanned, roles, sense, is_opposite);
                let Some(book) = eyes.and_then(|eyes| Book::new(&eyes)) else { continue };
                for is_reversed in [false, true] {
                    let reading = book.check(is_reversed);
                    if reading.proof == PdfProof::Proven {
                        return Some(reading);
                    }
                    first.get_or_insert(reading);
                }
            }
        }
    }
    // Without names, only balances show which column is which.
    let is_plain = scanned.header.is_some() || scanned.columns.len() == 1;
    first.filter(|_| is_plain)
}

/// Which columns the names of a header may stand above, the nearest first.
fn by_header(header: &Header, columns: &[(Fixed, Fixed)]) -> Vec<Roles> {
    let mut found: Vec<(Fixed, Roles)> = vec![(Fixed::ZERO, Vec::new())];
    let names = &header.amounts[..header.amounts.len().min(COLUMNS_MAX)];
    for (left, right) in columns {
        let mut next = Vec::new();
        for (cost, roles) in &found {
            let used = last_used(roles, names);
            let skipped = cost.plus(Fixed::whole(300));
            next.push((skipped, [&roles[..], &[None]].concat()));
            for (at, (column, from, to)) in names.iter().enumerate() {
                if used.is_some_and(|used| at <= used) {
                    continue;
                }
                let apart = left.minus(*to).max(from.minus(*right)).max(Fixed::ZERO);
                // Of names that stand equally near, the one with the same edge.
                let edges = right.minus(*to).abs().min(left.minus(*from).abs()).part(1, 100);
                next.push((cost.plus(apart).plus(edges), [&roles[..], &[Some(*column)]].concat()));
            }
        }
        next.sort_by_key(|(cost, _)| *cost);
        next.truncate(READINGS_MAX);
        found = next;
    }
    found.retain(|(_, roles)| is_complete(roles));
    found.into_iter().map(|(_, roles)| roles).collect()
}

/// The last name that is used already: names and columns have the same order.
fn last_used(roles: &Roles, names: &[(Column, Fixed, Fixed)]) -> Option<usize> {
    let mut at = None;
    for role in roles.iter().flatten() {
        let from = at.map_or(0, |at| at + 1);
        at = names[from..].iter().position(|(name, ..)| name == role).map(|found| from + found);
    }
    at
}

fn is_complete(roles: &Roles) -> bool {
    let has = |column: Column| roles.contains(&Some(column));
    has(Column::Amount) || has(Column::Debit) || has(Column::Credit)
}

/// What columns without names may be.
fn by_place(columns: usize) -> Vec<Roles> {
    use Column::{Amount, Balance, Credit, Debit};
    const PATTERNS: [&[Column]; 6] = [
        &[Amount, Balance],
        &[Amount],
        &[Debit, Credit, Balance],
        &[Credit, Debit, Balance],
        &[Debit, Credit],
        &[Credit, Debit],
    ];
    let columns = columns.min(COLUMNS_MAX);
    let mut found = Vec::new();
    for pattern in PATTERNS {
        for chosen in 0_u32..1 << columns {
            if chosen.count_ones() as usize != pattern.len() {
                continue;
            }
            let mut names = pattern.iter();
            let role = |at: usize| (chosen >> at & 1 == 1).then(|| names.next().copied()).flatten();
            found.push((0..columns).map(role).collect());
        }
    }
    found
}

/// How the cells of rows are understood.
struct Eyes<'s> {
    scanned: &'s Scanned,
    roles: &'s Roles,
    sense: Sense,
    /// Balances have the other sign than they are written with.
    is_opposite: bool,
    /// What the amounts of money out are multiplied with.
    debit: i64,
    has_sides: bool,
}

impl<'s> Eyes<'s> {
    /// None if the document doesn't have what the sense needs.
    fn new(
        scanned: &'s Scanned,
        roles: &'s Roles,
        sense: Sense,
        is_opposite: bool,
    ) -> Option<Self> {
        let has = |column: Column| roles.contains(&Some(column));
        let has_sides = has(Column::Debit) || has(Column::Credit);
        let mut eyes = Self { scanned, roles, sense, is_opposite, debit: -1, has_sides };
        // Some banks write a minus before everything in the column of money out.
        let mut debits = eyes.all(Column::Debit).peekable();
        let is_negative = debits.peek().is_some() && debits.all(|found| found.signed() <= 0);
        let signs = eyes.written(&[Written::Minus, Written::Plus, Written::Out]);
        let is_mark = |one: &&Stated| one.found.written == Written::In;
        let marks = eyes.written(&[Written::In]) + scanned.stated.iter().filter(is_mark).count();
        let applies = match sense {
            Sense::Printed => true,
            Sense::UnmarkedOut => !has_sides && signs == 0 && marks > 0,
            Sense::Sections | Sense::Changes => !has_sides && signs + marks == 0,
        };
        eyes.debit = if is_negative { 1 } else { -1 };
        applies.then_some(eyes)
    }

    fn of(&self, row: &'s RawRow, column: Column) -> Option<&'s WrittenAmount> {
        let roles = self.roles;
        let is_it = |(at, _): &&(usize, WrittenAmount)| roles.get(*at) == Some(&Some(column));
        row.cells.iter().find(is_it).map(|(_, found)| found)
    }

    fn all(&self, column: Column) -> impl Iterator<Item = &'s WrittenAmount> + use<'s> {
        let (roles, rows) = (self.roles, &self.scanned.rows);
        let cells = rows.iter().flat_map(|row| &row.cells);
        let is_it = move |(at, _): &&(usize, WrittenAmount)| roles.get(*at) == Some(&Some(column));
        cells.filter(is_it).map(|(_, found)| found)
    }

    /// How many amounts have one of these signs.
    fn written(&self, wanted: &[Written]) -> usize {
        self.all(Column::Amount).filter(|found| wanted.contains(&found.written)).count()
    }

    /// Whether amounts stand in a column without a name, although the name of the balance stands
    /// above none: one that contradicts the rows would be left out.
    fn is_partial(&self) -> bool {
        let has = |(name, ..): &(Column, Fixed, Fixed)| *name == Column::Balance;
        let is_named = self.scanned.header.as_ref().is_some_and(|it| it.amounts.iter().any(has));
        is_named && !self.roles.contains(&Some(Column::Balance)) && self.roles.contains(&None)
    }

    /// Whether something besides single signs fixes which way money went: names above columns for
    /// both ways, signs or marks of both kinds, or headings of both kinds. Balances that have to be
    /// turned to agree with names may have lost their signs.
    fn is_directed(&self) -> bool {
        let names = self.scanned.header.iter().flat_map(|header| &header.amounts);
        let names: Vec<Column> = names.map(|(column, ..)| *column).collect();
        let amounts = || self.all(Column::Amount).filter(|found| found.cents != 0);
        let any = |is_it: &dyn Fn(&WrittenAmount) -> bool| amounts().any(is_it);
        match self.sense {
            _ if self.has_sides => {
                let has_both = [Column::Debit, Column::Credit].iter().all(|it| names.contains(it));
                has_both && !self.is_opposite
            }
            Sense::Printed => any(&|found| found.signed() < 0) && any(&|found| found.signed() > 0),
            Sense::UnmarkedOut => {
                let is_marked = |found: &WrittenAmount| found.written == Written::In;
                any(&is_marked) && any(&|found| !is_marked(found))
            }
            Sense::Sections => {
                let has =
                    |is_in: bool| self.scanned.rows.iter().any(|row| row.is_in == Some(is_in));
                has(true) && has(false) && !self.is_opposite
            }
            Sense::Changes => false,
        }
    }

    fn balance(&self, found: &WrittenAmount) -> i64 {
        let plain = match (self.sense, found.written) {
            (Sense::UnmarkedOut, Written::Nothing) => -found.cents,
            _ => found.signed(),
        };
        if self.is_opposite { -plain } else { plain }
    }

    /// The amount of a row between two balances. The outer option is none if the sense can't read
    /// it.
    fn amount(
        &self,
        row: &'s RawRow,
        before: Option<i64>,
        after: Option<i64>,
    ) -> Option<Option<i64>> {
        let Some(found) = self.of(row, Column::Amount) else {
            let debit = self.of(row, Column::Debit).map(|found| self.debit * found.signed());
            let credit = self.of(row, Column::Credit).map(WrittenAmount::signed);
            let has_one = debit.is_some() || credit.is_some();
            return Some(has_one.then(|| debit.unwrap_or(0).saturating_add(credit.unwrap_or(0))));
        };
        let is_in = match self.sense {
            Sense::Printed => return Some(Some(found.signed())),
            Sense::UnmarkedOut => found.written == Written::In,
            Sense::Sections => row.is_in?,
            Sense::Changes => after? >= before?,
        };
        Some(Some(if is_in { found.cents } else { -found.cents }))
    }
}

/// A balance that isn't one of a row with an amount.
#[derive(Debug, Clone, Copy)]
struct StatedBalance {
    kind: AnchorKind,
    amount: i64,
    /// How many rows stand before it.
    place: usize,
    /// A line states it; else it stands in a row of which no amount was read.
    is_line: bool,
}

/// Rows and balances under one reading, in the order of the document.
struct Book {
    booked: Vec<Booked>,
    stated: Vec<StatedBalance>,
    is_money: bool,
    is_directed: bool,
    is_partial: bool,
}

impl Book {
    fn new(eyes: &Eyes<'_>) -> Option<Self> {
        let (mut booked, mut stated) = (Vec::new(), Vec::new());
        let mut waiting = eyes.scanned.stated.iter().peekable();
        let mut before: Option<i64> = None;
        for (at, row) in eyes.scanned.rows.iter().enumerate() {
            while let Some(one) = waiting.next_if(|one| one.place <= at) {
                let amount = eyes.balance(&one.found);
                let (kind, place) = (one.kind, booked.len());
                stated.push(StatedBalance { kind, amount, place, is_line: true });
                if kind == AnchorKind::Opening {
                    before = Some(amount);
                }
            }
            let after = eyes.of(row, Column::Balance).map(|found| eyes.balance(found));
            match (eyes.amount(row, before, after)?, after) {
                (Some(amount), balance) => booked.push(Booked { row: at, amount, balance }),
                // A balance alone is one that the bank states.
                (None, Some(amount)) => {
                    let (kind, place) = (AnchorKind::Balance, booked.len());
                    stated.push(StatedBalance { kind, amount, place, is_line: false });
                }
                (None, None) => {}
            }
            before = after.or(before);
        }
        for one in waiting {
            let (kind, amount, place) = (one.kind, eyes.balance(&one.found), booked.len());
            stated.push(StatedBalance { kind, amount, place, is_line: true });
        }
        let is_money = eyes.has_sides
            || matches!(eyes.sense, Sense::Sections | Sense::UnmarkedOut)
            || eyes.written(&[Written::Out]) > 0;
        let (is_directed, is_partial) = (eyes.is_directed(), eyes.is_partial());
        (!booked.is_empty()).then_some(Self { booked, stated, is_money, is_directed, is_partial })
    }

    /// Compares rows and balances, from the first row to the last one or the other way round.
    fn check(&self, is_reversed: bool) -> Reading {
        let count = self.booked.len();
        let (mut booked, mut stated) = (self.booked.clone(), self.stated.clone());
        if is_reversed {
            booked.reverse();
            stated.reverse();
            stated.iter_mut().for_each(|one| one.place = count - one.place);
        }
        use AnchorKind::{Balance, Closing, Opening, Total};
        let find = |kind: AnchorKind| stated.iter().filter(move |one| one.kind == kind);
        let at = |place: usize| find(Balance).filter(move |one| one.place == place);
        let value = |one: &StatedBalance| one.amount;
        let is_stated =
            |kind: AnchorKind, place: usize| find(kind).chain(at(place)).any(|one| one.is_line);
        let states_ends = (is_stated(Opening, 0), is_stated(Closing, count));
        let opening = find(Opening).next().or_else(|| at(0).next()).map(value);
        let last = booked.last().and_then(|last| last.balance);
        let closing = find(Closing).next_back().or_else(|| at(count).next_back()).map(value);
        let first = booked.first();
        let derived = first.and_then(|first| Some(first.balance?.saturating_sub(first.amount)));
        let mut is_right = true;
        let (mut sums, mut links) = (Vec::with_capacity(count + 1), 0_usize);
        let mut sum = opening.or(derived);
        sums.push(sum);
        for row in &booked {
            sum = sum.and_then(|sum| sum.checked_add(row.amount));
            if let Some(balance) = row.balance {
                links += 1;
                is_right &= sum.is_none_or(|sum| sum == balance);
                sum = Some(balance);
            }
            sums.push(sum);
        }
        let end = sum;
        for StatedBalance { kind, amount, place, .. } in &stated {
            let is_it = |sum: Option<i64>| sum.is_none_or(|sum| sum == *amount);
            let is_end = is_it(opening.or(derived)) || is_it(closing.or(end));
            let is_here = sums.get(*place).copied().flatten().is_none_or(|sum| sum == *amount);
            is_right &= match kind {
                Total => true,
                Opening | Closing | Balance if *place == 0 || *place == count => is_end,
                _ => is_here,
            };
        }
        is_right &= closing.is_none() || end.is_none() || closing == end;
        let has_ends = opening.is_some() && (closing.is_some() || last.is_some());
        let has_chain = links == count && count >= 3;
        let proof = match (is_right, (has_ends || has_chain) && !self.is_partial) {
            (true, true) => PdfProof::Proven,
            (false, _) if links > 0 || (opening.is_some() && closing.is_some()) => {
                PdfProof::Differs
            }
            _ => PdfProof::Nothing,
        };
        let Self { is_money, is_directed, .. } = *self;
        Reading { booked, is_money, opening, closing, proof, is_directed, states_ends }
    }
}
