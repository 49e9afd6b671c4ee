//! Whether a column has the direction of amounts.
//!
//! It does if its cells are words such as `debit` and `credit`, and the amounts have no signs of
//! their own. Where the amounts have signs, the words still show which sign an inflow has. Amounts
//! without signs beside words of which only some are understood could mean either; and so do `C`
//! alone, which is a credit in English and a charge in Spanish, `K`, and `D` beside `W`.

use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem;
use crate::import::settings::{Settings, Signage};
use crate::import::transaction::direction_words::{Direction, direction};
use crate::import::transaction::header_names::known;
use crate::import::transaction::interpret::is_placeholder;
use crate::text::number::{Written, written_sign};
use crate::text::quoted;

/// A column that may have words for in and out.
#[derive(Debug)]
pub(super) struct DirectionCandidate {
    pub(super) column: usize,
    /// Its name means nothing else.
    is_certain: bool,
    /// A word for money out that was chosen as money in for a file of another account.
    turned: Option<String>,
    ins: u64,
    outs: u64,
    /// A cell that is not blank and no word for a direction.
    other: Option<String>,
    others: u64,
    signs: u64,
    minus: u64,
    /// The numbers of amounts with a sign that agrees with the word, if inflows are positive, and
    /// with one that differs.
    agrees: u64,
    differs: u64,
    /// Amounts with a minus beside a word for money out.
    outs_with_minus: u64,
    /// `C` or `K`, and whether there is a `D`.
    lone_letter: Option<String>,
    has_d: bool,
    /// `W` for a withdrawal, beside which `D` is a deposit.
    has_w: bool,
    last: (String, Option<Direction>),
}

impl DirectionCandidate {
    pub(super) fn of(layout: &Layout, settings: &Settings) -> Option<Self> {
        let column = layout.columns.direction?;
        let elsewhere = settings.preferred.inflow_value_elsewhere.clone();
        // Without a header the words alone have shown that the column is one of directions.
        let is_certain = layout.shape.is_some()
            || known(&layout.header(column)).is_some_and(|(_, rank)| rank == 0);
        Some(Self {
            column,
            is_certain,
            turned: elsewhere.filter(|word| direction(word) == Some(Direction::Out)),
            ins: 0,
            outs: 0,
            other: None,
            others: 0,
            signs: 0,
            minus: 0,
            agrees: 0,
            differs: 0,
            outs_with_minus: 0,
            lone_letter: None,
            has_d: false,
            has_w: false,
            last: (String::new(), None),
        })
    }

    pub(super) fn observe(&mut self, amount: &str, cell: &str) {
        // Few different values follow each other.
        if cell != self.last.0 {
            self.last.0.clear();
            self.last.0.push_str(cell);
            self.last.1 = direction(cell);
            if matches!(cell, "C" | "c" | "K" | "k") {
                self.lone_letter.get_or_insert_with(|| cell.to_uppercase());
            }
            self.has_d |= cell.eq_ignore_ascii_case("d");
            self.has_w |= cell.eq_ignore_ascii_case("w");
        }
        match self.last.1 {
            Some(Direction::In) => self.ins += 1,
            Some(Direction::Out) => self.outs += 1,
            None if cell.is_empty() => {}
            None => {
                self.others += 1;
                self.other.get_or_insert_with(|| quoted(cell));
            }
        }
        self.compare(amount);
    }

    fn compare(&mut self, amount: &str) {
        let written = written_sign(amount);
        if written == Written::None || is_placeholder(amount) {
            self.differs_if_plain(amount);
            return;
        }
        self.signs += 1;
        self.minus += u64::from(written == Written::Minus);
        let is_out = self.last.1 == Some(Direction::Out);
        self.outs_with_minus += u64::from(is_out && written == Written::Minus);
        match (written, self.last.1) {
            (Written::Minus, Some(Direction::Out)) | (Written::Plus, Some(Direction::In)) => {
                self.agrees += 1;
            }
            (Written::Minus, Some(Direction::In)) | (Written::Plus, Some(Direction::Out)) => {
                self.differs += 1;
            }
            _ => {}
        }
    }

    /// An amount without a sign is a positive one, unless nothing in the file has a sign.
    fn differs_if_plain(&mut self, amount: &str) {
        let is_zero = !amount.bytes().any(|byte| matches!(byte, b'1'..=b'9'));
        match self.last.1 {
            _ if is_zero => {}
            Some(Direction::In) => self.agrees += 1,
            Some(Direction::Out) => self.differs += 1,
            None => {}
        }
    }

    /// Whether words beside signs show that money out has the minus.
    pub(super) fn proves_signs(&self) -> bool {
        let is_of_words = self.others == 0 || self.is_certain;
        is_of_words && self.outs_with_minus > 0 && self.differs == 0
    }

    /// Decides by what was seen, or adds a problem.
    pub(super) fn finish(self, layout: &mut Layout) {
        let Some(AmountSource::Signed { column: amount }) = layout.amount else { return };
        if self.ins + self.outs == 0 {
            if self.is_certain && self.minus == 0 && self.others > 0 {
                let other = self.other.as_deref().unwrap_or_default();
                let what = format!(
                    "the amounts have no signs, and whether \"{other}\" is money in or out is not \
                     known"
                );
                layout.problems.push(self.doubt(layout, what));
            }
            return;
        }
        // A plus before every amount is no sign of the direction that words distinguish.
        let is_unsigned = self.signs == 0 || (self.minus == 0 && self.outs + self.others > 0);
        if !is_unsigned {
            self.decide_with_signs(layout);
        } else if self.others == 0 || self.is_certain {
            if self.has_d && self.has_w {
                let what = "\"D\" may mean debit or, beside \"W\" for withdrawal, deposit";
                layout.problems.push(self.doubt(layout, what));
                return;
            }
            let lone = self.lone_letter.as_ref().filter(|_| !self.has_d || self.others > 0);
            if let Some(letter) = lone {
                let what = format!("\"{letter}\" may mean credit or charge");
                layout.problems.push(self.doubt(layout, what));
                return;
            }
            if let Some(word) = &self.turned {
                let what =
                    format!("\"{}\" was chosen as money in for another account", quoted(word));
                layout.problems.push(self.doubt(layout, what));
                return;
            }
            layout.amount =
                Some(AmountSource::Directed { amount, direction: self.column, inflow_value: None });
            layout.found.push("amount_type_strategy".to_owned());
        } else if self.outs > 0 {
            let other = self.other.as_deref().unwrap_or_default();
            let what = format!(
                "the amounts have no signs, and \"{other}\" does not say whether money came in or \
                 went out"
            );
            layout.problems.push(self.doubt(layout, what));
        }
    }

    /// Signs decide. If all words are opposite to the signs, inflows are negative; words that are
    /// opposite only sometimes leave a doubt if there are no others, or if most amounts with a word
    /// for money out have no minus.
    fn decide_with_signs(self, layout: &mut Layout) {
        let are_words = self.others == 0;
        if self.differs > 0 && self.agrees == 0 && (are_words || self.is_certain) {
            layout.signage = Signage::InflowsNegative;
            layout.found.push("signage_convention".to_owned());
        } else if self.differs > 0
            && !self.is_same_by_sign()
            && (are_words || self.outs > 2 * self.outs_with_minus)
        {
            let what = "its words say the opposite of the amounts' signs in some rows";
            layout.problems.push(self.doubt(layout, what));
        }
    }

    /// Whether the usual sign of each word is that of its direction, so that an unusual one is
    /// money that came back, by the words as by the signs.
    fn is_same_by_sign(&self) -> bool {
        let other_minus = self.minus.saturating_sub(self.outs_with_minus);
        2 * self.outs_with_minus > self.outs && (other_minus == 0 || 2 * other_minus < self.ins)
    }

    fn doubt(&self, layout: &Layout, reason: impl Into<String>) -> LayoutProblem {
        let header = quoted(&layout.header(self.column));
        LayoutProblem::UncertainDirection { header, reason: reason.into() }
    }
}
