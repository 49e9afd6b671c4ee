//! Who of two parties is the account's own holder.
//!
//! Where one column has who pays and another one who is paid, the own holder is in one of them in
//! every row, and the other party is the name that a person looks for. If only one name is in every
//! row, it is the holder's.

use crate::import::cells::Cells;
use crate::import::layout::Layout;
use crate::import::transaction::header_names::{Role, known};

/// Two columns of parties, and the names that were in one of them in every row so far.
#[derive(Debug)]
pub(super) struct PartyCandidate {
    columns: [usize; 2],
    candidates: Option<Vec<String>>,
    rows: u64,
    /// Rows that name both.
    pairs: u64,
}

impl PartyCandidate {
    /// The first two columns of parties; none if there is only one.
    pub(super) fn of(layout: &Layout) -> Option<Self> {
        let is_party = |column: &&usize| {
            let header = layout.headers.get(**column).and_then(|header| known(header));
            matches!(header, Some((Role::Payee, _)))
        };
        let mut parties = layout.columns.names.iter().filter(is_party);
        let columns = [*parties.next()?, *parties.next()?];
        Some(Self { columns, candidates: None, rows: 0, pairs: 0 })
    }

    pub(super) fn observe(&mut self, cells: Cells<'_>) {
        let names = self.columns.map(|column| cells.get(column));
        if names.iter().all(|name| name.is_empty()) {
            return;
        }
        self.rows += 1;
        self.pairs += u64::from(names.iter().all(|name| !name.is_empty()));
        let all = || names.iter().filter(|name| !name.is_empty()).map(|name| (*name).to_owned());
        let candidates = self.candidates.get_or_insert_with(|| all().collect());
        candidates.retain(|known| names.iter().any(|name| known.eq_ignore_ascii_case(name)));
    }

    pub(super) fn finish(self, layout: &mut Layout) {
        if self.rows > 1
            && self.pairs * 2 >= self.rows
            && let Some([own]) = self.candidates.as_deref()
        {
            layout.own_name = Some(own.clone());
        }
    }
}
