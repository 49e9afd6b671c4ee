//! Which of several formats a whole column is written in.
//!
//! [`Tally`] counts, for up to 64 candidates, how many cells each one reads, and remembers the
//! first cell that any two of them read differently. That is enough to be truthful at the end:
//! a format is only reported when no other candidate that reads as many cells means something
//! else by any of them.

/// What a detector found in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detection<T> {
    /// Reads every cell that isn't blank; nothing else does so with another meaning.
    One(T),
    /// Both read as many cells as any format does, and they differ in meaning; the text is the
    /// first cell that they read differently.
    Ambiguous(T, T, String),
    /// Nothing reads every cell.
    None {
        /// The format that reads the most cells.
        best: T,
    },
    /// There were only blank cells.
    Empty,
}

impl<T> Detection<T> {
    /// The same finding about other names for the formats.
    pub fn map<U>(self, mut name: impl FnMut(T) -> U) -> Detection<U> {
        match self {
            Self::One(format) => Detection::One(name(format)),
            Self::Ambiguous(a, b, cell) => Detection::Ambiguous(name(a), name(b), cell),
            Self::None { best } => Detection::None { best: name(best) },
            Self::Empty => Detection::Empty,
        }
    }
}

/// The number of candidates that a tally has room for.
pub(super) const CANDIDATES_MAX: usize = 64;

/// The counts over a column; candidates are numbers below [`CANDIDATES_MAX`], the preferred first.
#[derive(Debug)]
pub(super) struct Tally {
    cells: u64,
    fits: [u64; CANDIDATES_MAX],
    /// For each candidate, a bit for each later one that reads some cell differently.
    differ: [u64; CANDIDATES_MAX],
    examples: Vec<(usize, usize, Box<str>)>,
}

impl Default for Tally {
    fn default() -> Self {
        let (fits, differ) = ([0; CANDIDATES_MAX], [0; CANDIDATES_MAX]);
        Self { cells: 0, fits, differ, examples: Vec::new() }
    }
}

impl Tally {
    /// Records a cell that isn't blank: the candidates that read it, in order, and what each reads.
    pub(super) fn record<V: PartialEq>(&mut self, cell: &str, readings: &[(usize, V)]) {
        self.cells += 1;
        for (position, (candidate, value)) in readings.iter().enumerate() {
            self.fits[*candidate] += 1;
            for (other, other_value) in &readings[..position] {
                if value != other_value && self.differ[*other] & (1 << candidate) == 0 {
                    self.differ[*other] |= 1 << candidate;
                    self.examples.push((*other, *candidate, super::quoted(cell).into()));
                }
            }
        }
    }

    /// Whether no candidate reads more cells than this one.
    pub(super) fn leads(&self, candidate: usize) -> bool {
        self.fits.iter().all(|fits| *fits <= self.fits[candidate])
    }

    /// A candidate doesn't count, whatever it reads.
    pub(super) fn rule_out(&mut self, candidate: usize) {
        self.fits[candidate] = 0;
    }

    /// Which candidate it is, as a number. `preferred` is it whenever no other reads more cells.
    pub(super) fn finish(self, preferred: Option<usize>) -> Detection<usize> {
        let most = self.fits.iter().copied().max().unwrap_or(0);
        let best = self.fits.iter().position(|fits| *fits == most).unwrap_or(0);
        if self.cells == 0 {
            return Detection::Empty;
        }
        if most == 0 {
            return Detection::None { best };
        }
        let leads = |candidate: usize| self.fits[candidate] == most;
        if let Some(preferred) = preferred.filter(|candidate| leads(*candidate)) {
            return if most == self.cells {
                Detection::One(preferred)
            } else {
                Detection::None { best: preferred }
            };
        }
        // The pairs in the order of preference, so that the answer doesn't depend on the rows.
        let contested = self
            .examples
            .iter()
            .filter(|(a, b, _)| leads(*a) && leads(*b))
            .min_by_key(|(a, b, _)| (*a, *b));
        match contested {
            Some((a, b, cell)) => Detection::Ambiguous(*a, *b, cell.to_string()),
            None if most == self.cells => Detection::One(best),
            None => Detection::None { best },
        }
    }
}
