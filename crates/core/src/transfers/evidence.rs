//! The evidence for and against a pair: the score and its reasons.
//!
//! Equal and opposite amounts are the start. Each day between the two, each rival and each sign of
//! something else takes points away; texts about transfers give points. The numbers are chosen so
//! that a pair without any text is certain enough up to three days apart if there is no other
//! candidate, and so that a busy ledger, where equal amounts are chance, needs a text.

use std::collections::HashMap;

use super::words::Words;
use super::{CROWD_MIN, Context, DAYS_CERTAIN_MAX, DAYS_MAX, Decision, Entry, TransferType};
use crate::ids::AccountId;

/// Equal and opposite amounts.
const START: i64 = 50;
/// For each day less than [`DAYS_MAX`].
const PER_DAY: i64 = 5;
/// Points if a text is about a transfer.
const TEXT: i64 = 20;
/// A text names the other account.
const NAMED: i64 = 20;
/// For each rival, up to [`RIVALS_COUNTED`].
const PER_RIVAL: i64 = -10;
const RIVALS_COUNTED: i64 = 4;
/// Chance may explain it.
const CROWDED: i64 = -35;
/// A category or a text speaks against it.
const AGAINST: i64 = -30;
/// From here on it is made without asking, if nothing else forbids.
const CONFIRM_MIN: i64 = 55;
/// From here on it is proposed.
const PROPOSE_MIN: i64 = 40;
/// Characters of a text that a reason quotes.
const QUOTED_CHARS: usize = 60;

/// What an account is to the texts of the others.
#[derive(Debug)]
pub(super) struct NamedAccount {
    name: String,
    words: Words,
    is_debt: bool,
}

/// The accounts of a context, with their names taken apart.
pub(super) fn accounts(context: &Context) -> HashMap<AccountId, NamedAccount> {
    let named = context.accounts.iter().map(|(id, account)| {
        let into = TransferType::into_account(account.account_type);
        let is_debt = into != TransferType::Transfer;
        let words = Words::of(&account.name);
        (*id, NamedAccount { name: account.name.clone(), words, is_debt })
    });
    named.collect()
}

/// The signs in the texts and the category of an entry by itself.
#[derive(Debug, Default)]
pub(super) struct Hints {
    /// As a reason quotes them, with their words.
    texts: Vec<(String, Words)>,
    /// The text that is about money between accounts, about paying a debt, about something else.
    transfer: Option<usize>,
    payment: Option<usize>,
    other: Option<usize>,
    /// A category that is not one of transfers.
    category: Option<String>,
}

impl Hints {
    /// Reads an entry's texts and its category.
    pub(super) fn of(context: &Context, entry: &Entry) -> Self {
        let texts = std::iter::once(entry.name.as_str()).chain(entry.notes.as_deref());
        let texts: Vec<(String, Words)> =
            texts.map(|text| (quoted(text), Words::of(text))).collect();
        let first = |test: fn(&Words) -> bool| texts.iter().position(|(_, words)| test(words));
        let category = entry.category.and_then(|id| context.categories.get(&id));
        Self {
            transfer: first(Words::mean_transfer),
            payment: first(Words::mean_payment),
            other: first(Words::mean_other),
            category: category.filter(|name| !Words::of(name).allow_transfer()).cloned(),
            texts,
        }
    }

    fn text(&self, index: Option<usize>) -> Option<&str> {
        self.texts.get(index?).map(|(text, _)| text.as_str())
    }

    /// The text that names an account.
    fn naming<'e>(&'e self, account: Option<&'e NamedAccount>) -> Option<(&'e str, &'e str)> {
        let account = account?;
        let (text, _) = self.texts.iter().find(|(_, words)| words.name(&account.words))?;
        Some((text, &account.name))
    }
}

/// One side of a pair with what is known around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'e> {
    pub(super) day: i64,
    pub(super) account: Option<&'e NamedAccount>,
    pub(super) hints: &'e Hints,
    /// Entries that could be the other side.
    pub(super) candidates: usize,
    /// Opposite entries around it, whatever their amounts.
    pub(super) crowd: u32,
}

/// What speaks for a pair and against it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Evidence<'e> {
    /// Days between the two.
    pub(super) days_apart: i64,
    /// Other entries that could be meant instead.
    pub(super) rivals: usize,
    /// Opposite entries around the quieter side, whatever their amounts.
    pub(super) crowd: u32,
    /// The text that is about a transfer.
    pub(super) transfer_text: Option<&'e str>,
    /// The text that names the other account, and the account.
    pub(super) named: Option<(&'e str, &'e str)>,
    /// The category that is not one of transfers.
    pub(super) other_category: Option<&'e str>,
    /// The text that is about something else than a transfer.
    pub(super) other_text: Option<&'e str>,
}

/// A score and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Assessment {
    /// The score, from 0 to 100.
    pub(super) score: u8,
    /// `None`: not worth mentioning.
    pub(super) decision: Option<Decision>,
}

impl<'e> Evidence<'e> {
    /// The evidence from the side of the outflow and the side of the inflow.
    pub(super) fn of(outflow: Side<'e>, inflow: Side<'e>) -> Self {
        let (from, to) = (outflow.hints, inflow.hints);
        let either = |index: fn(&Hints) -> Option<usize>| {
            from.text(index(from)).or_else(|| to.text(index(to)))
        };
        let transfer = either(|hints| hints.transfer);
        let into_debt = inflow.account.is_some_and(|account| account.is_debt);
        let payment = either(|hints| hints.payment).filter(|_| into_debt);
        Self {
            days_apart: outflow.day.abs_diff(inflow.day).cast_signed(),
            rivals: outflow.candidates.max(inflow.candidates).saturating_sub(1),
            crowd: outflow.crowd.min(inflow.crowd),
            transfer_text: transfer.or(payment),
            named: from.naming(inflow.account).or_else(|| to.naming(outflow.account)),
            other_category: from.category.as_deref().or(to.category.as_deref()),
            other_text: either(|hints| hints.other),
        }
    }

    /// The score, and what is to be done.
    pub(super) fn assess(&self) -> Assessment {
        let given = |condition: bool, points: i64| if condition { points } else { 0 };
        let rivals = i64::try_from(self.rivals).unwrap_or(RIVALS_COUNTED).min(RIVALS_COUNTED);
        let points = START
            + PER_DAY * (DAYS_MAX - self.days_apart.min(DAYS_MAX))
            + given(self.transfer_text.is_some(), TEXT)
            + given(self.named.is_some(), NAMED)
            + PER_RIVAL * rivals
            + given(self.is_crowded(), CROWDED)
            + given(self.other_category.is_some(), AGAINST)
            + given(self.other_text.is_some(), AGAINST);
        let score = points.clamp(0, 100);
        let decision = if score < PROPOSE_MIN {
            None
        } else if score >= CONFIRM_MIN && self.is_certain() {
            Some(Decision::Confirm)
        } else {
            Some(Decision::Propose)
        };
        Assessment { score: u8::try_from(score).unwrap_or(0), decision }
    }

    /// Whether nothing forbids that it is made without asking.
    fn is_certain(&self) -> bool {
        self.days_apart <= DAYS_CERTAIN_MAX
            && self.rivals == 0
            && self.other_category.is_none()
            && self.other_text.is_none()
    }

    fn is_crowded(&self) -> bool {
        self.crowd >= CROWD_MIN
    }

    /// The reasons, in sentences.
    pub(super) fn reasons(&self) -> Vec<String> {
        let mut reasons = vec!["The amounts are equal and opposite.".to_owned()];
        reasons.push(match self.days_apart {
            0 => "Both are of the same day.".to_owned(),
            1 => "They are one day apart.".to_owned(),
            days => format!("They are {days} days apart."),
        });
        if let Some(text) = self.transfer_text {
            reasons.push(format!("“{text}” reads like a transfer."));
        }
        if let Some((text, account)) = self.named {
            reasons.push(format!("“{text}” names the account {account}."));
        }
        reasons.push(match self.rivals {
            0 => "Nothing else fits to either of them.".to_owned(),
            1 => "One other entry would fit as well.".to_owned(),
            rivals => format!("{rivals} other entries would fit as well."),
        });
        if self.is_crowded() {
            reasons.push(format!(
                "There are {} bookings around it, so equal amounts may be chance.",
                self.crowd
            ));
        }
        if let Some(category) = self.other_category {
            reasons.push(format!("The category {category} speaks against a transfer."));
        }
        if let Some(text) = self.other_text {
            reasons.push(format!("“{text}” reads like something else."));
        }
        reasons
    }
}

/// The beginning of a text, in one line.
fn quoted(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = line.char_indices().nth(QUOTED_CHARS) {
        line.truncate(end);
        line.push('…');
    }
    line
}
