//! Lines of a document as rows of a table, and as balances that stand beside it.

use purser_core::import::left_out::AnchorKind;

use super::super::fixed::Fixed;
use super::super::lines::Line;
use super::accounts::named_in;
use super::amounts::{NumberStyle, WrittenAmount};
use super::dates::WrittenDay;
use super::header::Header;
use super::labels::{below, label_of};
use super::marks::{Marked, columns, mark};
use super::sections::direction_of;

/// How far the days of rows may begin from each other.
const DAY_LEFT_POINTS: i64 = 6;
/// Letters of the texts of one row.
const ROW_TEXT_CHARS_MAX: usize = 2_000;

/// A line with a day and an amount, and the lines that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RawRow {
    pub(super) day: WrittenDay,
    /// The amounts with the columns in which they stand.
    pub(super) cells: Vec<(usize, WrittenAmount)>,
    /// The lines of its text.
    pub(super) texts: Vec<String>,
    /// Whether the heading above it is about money that came in.
    pub(super) is_in: Option<bool>,
    /// The places of its lines among all.
    pub(super) lines: Vec<usize>,
    text_left: Option<Fixed>,
    /// Where its day begins, if it has one of its own.
    day_left: Option<Fixed>,
}

/// A balance or a total that a line states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stated {
    pub(super) kind: AnchorKind,
    pub(super) found: WrittenAmount,
    /// How many rows stand before it.
    pub(super) place: usize,
}

/// What the lines of a document are.
#[derive(Debug, Default)]
pub(super) struct Scanned {
    pub(super) rows: Vec<RawRow>,
    pub(super) stated: Vec<Stated>,
    pub(super) header: Option<Header>,
    /// The lines of the header.
    pub(super) header_lines: Vec<Line>,
    /// The accounts that lines between rows name, with the places of these lines.
    pub(super) accounts: Vec<(usize, String)>,
    /// The ends of each column of amounts, from left to right.
    pub(super) columns: Vec<(Fixed, Fixed)>,
    /// How many lines between the rows have a day where those of rows are, and no amount.
    pub(super) without_amount: usize,
}

pub(super) fn scan(lines: &[Line], style: NumberStyle) -> Scanned {
    let marked = mark(lines, style);
    let has_header = marked.iter().any(|line| line.is_header);
    let start = marked.iter().position(|line| line.is_header).unwrap_or(0);
    let mut scan = Scan {
        scanned: Scanned { columns: columns(&marked[start..]), ..Scanned::default() },
        open: None,
        is_in: None,
        waiting: Vec::new(),
        waiting_lines: Vec::new(),
        last: None,
        is_below_header: false,
        without_amount: Vec::new(),
    };
    for (at, line) in marked.iter().enumerate() {
        if line.is_header {
            scan.close();
            scan.is_below_header = true;
            if scan.scanned.header.is_none() {
                scan.scanned.header.clone_from(&line.header);
            }
            continue;
        }
        let is_in_table = !has_header || at > start;
        let next = marked.get(at + 1);
        let fate = scan.line(line, next, is_in_table);
        match fate {
            Fate::OfRow => scan.add_line(at),
            Fate::OfNextRow => scan.waiting_lines.push(at),
            Fate::OfLastRow => {
                if let Some(row) = scan.scanned.rows.last_mut() {
                    row.lines.push(at);
                }
            }
            Fate::States => {}
            Fate::Apart => {
                scan.scanned.accounts.extend(named_in(line.line).map(|account| (at, account)));
            }
        }
        scan.is_below_header = fate == Fate::OfLastRow;
    }
    scan.close();
    let of_header = marked.iter().skip(start).take_while(|line| line.is_header);
    scan.scanned.header_lines = of_header.map(|line| line.line.clone()).collect();
    scan.scanned
}

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is part of the row that is open.
    OfRow,
    /// It is text of the next row.
    OfNextRow,
    /// It is text of a row that was complete.
    OfLastRow,
    /// It states balances, or totals.
    States,
    /// It belongs to no row.
    Apart,
}

struct Scan {
    scanned: Scanned,
    /// The row that further lines may belong to.
    open: Option<(RawRow, Fixed, u32)>,
    is_in: Option<bool>,
    /// Text that stands just above the line with the day.
    waiting: Vec<String>,
    /// The places of its lines.
    waiting_lines: Vec<usize>,
    /// The day of the last row, where its text began, and its page.
    last: Option<(WrittenDay, Option<Fixed>, u32)>,
    /// The line before is a header: a page may go on with the day of the one before it.
    is_below_header: bool,
    /// Where the days of lines without amounts begin.
    without_amount: Vec<Fixed>,
}

impl Scan {
    fn close(&mut self) {
        let Some((row, _, page)) = self.open.take() else { return };
        if row.cells.is_empty() {
            self.without_amount.extend(row.day_left);
            return;
        }
        self.last = Some((row.day, row.text_left, page));
        self.scanned.rows.push(row);
        // What stands below the last row is no row.
        let first = self.scanned.rows.iter().find_map(|row| row.day_left);
        let is_of_row = |left: &Fixed| {
            first.is_none_or(|its| its.minus(*left).abs() < Fixed::whole(DAY_LEFT_POINTS))
        };
        self.scanned.without_amount += self.without_amount.drain(..).filter(is_of_row).count();
    }

    fn add_line(&mut self, at: usize) {
        if let Some((row, ..)) = &mut self.open {
            row.lines.append(&mut self.waiting_lines);
            row.lines.push(at);
        }
    }

    /// How many rows stand before the line at hand.
    fn place(&self) -> usize {
        let is_open = self.open.as_ref().is_some_and(|(row, ..)| !row.cells.is_empty());
        self.scanned.rows.len() + usize::from(is_open)
    }

    fn line(&mut self, marked: &Marked<'_>, next: Option<&Marked<'_>>, is_in_table: bool) -> Fate {
        if self.state(marked, next) {
            return Fate::States;
        }
        if !is_in_table {
            return Fate::Apart;
        }
        let (line, cells) = (marked.line, self.cells(marked));
        let text = text_of(marked, &cells);
        let text_left = text.as_ref().map(|(_, left)| *left);
        let text: Vec<String> = text.into_iter().map(|(text, _)| text).collect();
        if let Some((day, from, _)) = marked.days.first() {
            self.close();
            let mut texts = std::mem::take(&mut self.waiting);
            texts.extend(text);
            let fate = self.begin(line, *day, cells, (texts, text_left));
            let left = line.words.get(*from).map(|word| word.left);
            self.open.iter_mut().for_each(|(row, ..)| row.day_left = left);
            return fate;
        }
        if self.open.is_none()
            && let Some((day, left, _)) = self.last.filter(|_| self.is_below_header)
            && !cells.is_empty()
            && left.zip(text_left).is_some_and(|(left, its)| its >= left.minus(line.size))
        {
            return self.begin(line, day, cells, (text, text_left));
        }
        let Some((row, base, page)) = &mut self.open else {
            return self.apart(marked, next, (cells.is_empty(), text, text_left));
        };
        let is_near = *page == line.page && base.minus(line.base) <= line.size.part(26, 10);
        let is_indented = match (row.text_left, text_left) {
            (Some(row), Some(line_left)) => line_left >= row.minus(line.size.part(1, 2)),
            _ => true,
        };
        if !is_near || !is_indented {
            self.close();
            self.heading(marked);
            return Fate::Apart;
        }
        if cells.is_empty() {
            // Where the day stands below its text, the gap to the row before is the larger one.
            let is_of_next = next.is_some_and(|next| {
                let (above, below) = (base.minus(line.base), line.base.minus(next.line.base));
                next.line.page == line.page
                    && (below < above.part(93, 100) || (!self.waiting.is_empty() && below <= above))
            });
            *base = line.base;
            if is_of_next {
                self.waiting.extend(text);
                return Fate::OfNextRow;
            }
            add_text(row, text);
            row.text_left = row.text_left.or(text_left);
            return Fate::OfRow;
        }
        let is_free = cells.iter().all(|(at, _)| row.cells.iter().all(|(taken, _)| taken != at));
        if row.cells.is_empty() || (is_free && text.is_empty()) {
            *base = line.base;
            row.cells.extend(cells);
            add_text(row, text);
            return Fate::OfRow;
        }
        // Some banks write the day only beside the first row of it.
        let day = row.day;
        self.close();
        self.begin(line, day, cells, (text, text_left))
    }

    /// A line of no row that is open: where a row is divided by the end of a page, its text goes on
    /// below the next header, and text may stand above the middle of the next row.
    fn apart(
        &mut self,
        marked: &Marked<'_>,
        next: Option<&Marked<'_>>,
        (is_text, text, text_left): (bool, Vec<String>, Option<Fixed>),
    ) -> Fate {
        let line = marked.line;
        let is_heading =
            marked.amounts.is_empty() && direction_of(&line.text(0..line.words.len())).is_some();
        if is_heading || named_in(line).is_some() {
            self.heading(marked);
            return Fate::Apart;
        }
        let is_above = next.is_some_and(|next| {
            let below = line.base.minus(next.line.base);
            next.line.page == line.page && !next.days.is_empty() && below < line.size
        });
        if is_text && is_above {
            self.waiting.extend(text);
            return Fate::OfNextRow;
        }
        let is_divided = |(.., page): &(WrittenDay, Option<Fixed>, u32)| {
            self.is_below_header && *page != line.page
        };
        let left = self.last.filter(is_divided).and_then(|(_, left, _)| left);
        let is_same =
            left.zip(text_left).is_some_and(|(one, two)| one.minus(two).abs() < line.size);
        if is_text
            && is_same
            && let Some(row) = self.scanned.rows.last_mut()
        {
            add_text(row, text);
            return Fate::OfLastRow;
        }
        self.heading(marked);
        Fate::Apart
    }

    /// Opens a row with its first line.
    fn begin(
        &mut self,
        line: &Line,
        day: WrittenDay,
        cells: Vec<(usize, WrittenAmount)>,
        (texts, text_left): (Vec<String>, Option<Fixed>),
    ) -> Fate {
        let row = RawRow {
            day,
            cells,
            texts,
            is_in: self.is_in,
            lines: Vec::new(),
            text_left,
            day_left: None,
        };
        self.open = Some((row, line.base, line.page));
        Fate::OfRow
    }

    /// The amounts of a line that stand in columns.
    fn cells(&self, marked: &Marked<'_>) -> Vec<(usize, WrittenAmount)> {
        let column = |found: &WrittenAmount| {
            let is_in = |(left, right): &(Fixed, Fixed)| found.left < *right && *left < found.right;
            self.scanned.columns.iter().position(is_in)
        };
        let found = marked.amounts.iter().filter(|found| {
            marked
                .days
                .iter()
                .all(|(_, from, to)| found.words.end <= *from || found.words.start >= *to)
        });
        found.filter_map(|found| Some((column(found)?, found.clone()))).collect()
    }

    /// Takes balances and totals; whether the line is nothing else.
    fn state(&mut self, marked: &Marked<'_>, next: Option<&Marked<'_>>) -> bool {
        let mut stated = Vec::new();
        let mut from = 0;
        let mut label = None;
        for found in &marked.amounts {
            let kind = label_of(marked, from, found.words.start).or(label.take());
            from = found.words.end;
            if let Some(kind) = kind {
                // Of several amounts behind one label the last one is the balance.
                if from < marked.line.words.len() && only_amounts_follow(marked, from) {
                    label = Some(kind);
                } else {
                    stated.push((kind, found.clone()));
                }
            }
        }
        if marked.amounts.is_empty()
            && let Some(next) = next
            && next.line.page == marked.line.page
            && marked.line.base.minus(next.line.base) <= marked.line.size.part(3, 1)
        {
            stated = below(marked, next);
        }
        let place = self.place();
        let is_stated = !stated.is_empty();
        for (kind, found) in stated {
            self.scanned.stated.push(Stated { kind, found, place });
        }
        is_stated
    }

    /// A line between rows may name what the following ones are.
    fn heading(&mut self, marked: &Marked<'_>) {
        if marked.amounts.is_empty() && marked.line.words.len() <= 8 {
            let text = marked.line.text(0..marked.line.words.len());
            if let Some(is_in) = direction_of(&text) {
                self.is_in = Some(is_in);
            }
        }
    }
}

fn add_text(row: &mut RawRow, text: Vec<String>) {
    let length: usize = row.texts.iter().map(String::len).sum();
    if length < ROW_TEXT_CHARS_MAX {
        row.texts.extend(text);
    }
}

/// What a line has besides days and amounts of columns, and where it begins.
fn text_of(marked: &Marked<'_>, cells: &[(usize, WrittenAmount)]) -> Option<(String, Fixed)> {
    let is_text = |at: usize| {
        marked.days.iter().all(|(_, from, to)| !(*from..*to).contains(&at))
            && cells.iter().all(|(_, found)| !found.words.contains(&at))
    };
    let words: Vec<usize> = (0..marked.line.words.len()).filter(|at| is_text(*at)).collect();
    let first = marked.line.words.get(*words.first()?)?;
    let text = words.iter().map(|at| marked.line.words[*at].text.as_str()).collect::<Vec<_>>();
    Some((text.join(" "), first.left))
}

fn only_amounts_follow(marked: &Marked<'_>, from: usize) -> bool {
    let is_amount = |at: usize| marked.amounts.iter().any(|found| found.words.contains(&at));
    (from..marked.line.words.len()).all(is_amount)
}
