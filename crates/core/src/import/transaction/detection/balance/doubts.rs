//! What balances leave in doubt.

use super::BalanceCandidate;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem;
use crate::import::transaction::balance::readings::{Number, Reading};
use crate::text::number::{Written, written_sign};
use crate::text::quoted;

impl BalanceCandidate {
    /// Balances show nothing of the oldest amount, and if none has a sign, nothing else does. A
    /// column that was known to be the amount is asked about with the signs of all rows.
    pub(super) fn ask_about_oldest(&self, layout: &mut Layout, source: &AmountSource) {
        let AmountSource::Signed { column } = source else { return };
        let signs = || self.sample.column(*column).map(written_sign);
        if self.settings.signage.is_some() || signs().any(|sign| sign != Written::None) {
            return;
        }
        layout.has_no_signs = true;
        layout.problems.push(LayoutProblem::OldestDirection {
            header: quoted(&layout.header(*column)),
            others: layout.signage,
        });
    }

    /// Nothing is proven. A column with the same balance in all rows is no running one.
    pub(super) fn contradict(
        mut self,
        layout: &mut Layout,
        readings: &[Reading],
        default: Option<(usize, bool)>,
    ) {
        let is_default = |one: &&Reading| default == Some((one.source, one.is_inverted));
        let best = readings.iter().filter(is_default).max_by_key(|one| one.score.proofs);
        let Some(reading) = best else { return };
        let mut different = Vec::new();
        for number in self.sample.numbers(reading.balance, reading.format) {
            if matches!(number, Number::Value { .. }) && !different.contains(number) {
                different.push(*number);
            }
        }
        let is_sent = self.settings.labels.balance.is_some();
        if !is_sent && different.len() < 2 {
            return;
        }
        layout.problems.push(LayoutProblem::BalanceDiffers {
            header: quoted(&layout.header(reading.balance)),
            follow: reading.score.proofs,
            compared: reading.score.proofs + reading.score.breaks,
        });
    }
}
