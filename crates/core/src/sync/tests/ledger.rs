//! A small ledger, which keeps what is known of rows as the store does.

use super::*;

/// What a person does with an entry.
#[derive(Debug, Clone, Copy)]
pub(super) enum Deed {
    Delete,
    Touch,
}

/// What makes a plan: [`reconcile`], or something with a defect.
pub(super) type Planner = fn(&KnownAccount, &ReportedRows, Date) -> SyncPlan;

/// Everything that is known of an account.
#[derive(Debug, Clone)]
pub(super) struct Ledger {
    pub(super) rows: Vec<KnownRow>,
    created: u128,
    planner: Planner,
}

impl Default for Ledger {
    fn default() -> Self {
        Self::with(reconcile)
    }
}

impl Ledger {
    pub(super) fn with(planner: Planner) -> Self {
        Self { rows: Vec::new(), created: 0, planner }
    }

    /// As much of it as a sync reads for an answer.
    pub(super) fn known_for(&self, reported: &ReportedRows) -> KnownAccount {
        let is_stated =
            |id: &str| reported.rows.iter().any(|one| one.row.id.as_deref() == Some(id));
        let is_read = |one: &&KnownRow| {
            one.row.pending
                || reported.covers(one.row.date)
                || one.row.id.as_deref().is_some_and(is_stated)
        };
        account(self.rows.iter().filter(is_read).cloned())
    }

    /// One sync: the plan is made and executed, and a second one of the same answer changes
    /// nothing.
    pub(super) fn sync(&mut self, reported: &ReportedRows, today: i64) -> SyncPlan {
        let plan = (self.planner)(&self.known_for(reported), reported, day(today));
        self.check(&plan, reported);
        self.execute(&plan, reported, today);
        let again = (self.planner)(&self.known_for(reported), reported, day(today));
        assert_eq!(again.changes, [], "the same answer again");
        plan
    }

    /// What holds for every plan.
    fn check(&self, plan: &SyncPlan, reported: &ReportedRows) {
        for change in &plan.changes {
            match change {
                SyncChange::Remove { entry, .. } => {
                    let one = self.get(*entry);
                    assert!(one.row.pending && one.state == KnownState::Untouched, "{one:?}");
                    assert!(reported.is_whole && reported.has_pending);
                }
                SyncChange::Follow { entry, row, .. } => {
                    let (before, now) = (&self.get(*entry).row, &reported.rows[*row].row);
                    let is_one = before.id.is_some() && before.id == now.id;
                    let is_alike = are_similar(&before.name, &now.name);
                    assert!(
                        is_alike || is_one && before.amount == now.amount,
                        "{before:?} {now:?}"
                    );
                }
                _ => {}
            }
        }
    }

    fn get(&self, entry: EntryId) -> &KnownRow {
        self.rows.iter().find(|one| one.entry == entry).expect("a plan names what is known")
    }

    fn execute(&mut self, plan: &SyncPlan, reported: &ReportedRows, today: i64) {
        for change in &plan.changes {
            match *change {
                SyncChange::Add { row, keeps_id } => {
                    self.created += 1;
                    let row = reported.rows[row].row.clone();
                    let id = row.id.clone().filter(|_| keeps_id);
                    self.rows.push(known(self.created, SourceRow { id, ..row }));
                }
                SyncChange::Follow { entry, row, keeps_id, .. } => {
                    let now = reported.rows[row].row.clone();
                    let one = self.get_mut(entry);
                    let id = if keeps_id { now.id.clone() } else { one.row.id.clone() };
                    one.row = SourceRow { id, ..now };
                    (one.absences, one.absent_on) = (0, None);
                }
                SyncChange::Claim { .. } | SyncChange::LeaveDeleted { .. } => {
                    panic!("there are no other entries")
                }
                SyncChange::MarkAbsent { entry } => {
                    let one = self.get_mut(entry);
                    one.absences += 1;
                    one.absent_on = Some(day(today));
                }
                SyncChange::MarkPresent { entry } => {
                    let one = self.get_mut(entry);
                    (one.absences, one.absent_on) = (0, None);
                }
                SyncChange::Remove { entry, .. } => self.rows.retain(|one| one.entry != entry),
            }
        }
        let lasting = plan.suggestions.iter().filter(|one| one.doubt != Doubt::AnswerIncomplete);
        for one in lasting {
            self.get_mut(one.entry).is_questioned = true;
        }
        let mut ids: Vec<&str> = self.rows.iter().filter_map(|one| one.row.id.as_deref()).collect();
        ids.sort_unstable();
        assert!(ids.windows(2).all(|two| two[0] != two[1]), "an id is of one entry: {ids:?}");
    }

    fn get_mut(&mut self, entry: EntryId) -> &mut KnownRow {
        self.rows.iter_mut().find(|one| one.entry == entry).expect("a plan names what is known")
    }

    /// A person decides that the pairs are different transactions.
    pub(super) fn dismiss_all(&mut self) {
        self.rows.iter_mut().for_each(|one| one.is_questioned = false);
    }

    /// A person does something with one of the entries.
    pub(super) fn person(&mut self, which: usize, deed: Deed) {
        let living: Vec<usize> =
            (0..self.rows.len()).filter(|at| self.rows[*at].state != KnownState::Deleted).collect();
        if living.is_empty() {
            return;
        }
        self.rows[living[which % living.len()]].state = match deed {
            Deed::Delete => KnownState::Deleted,
            Deed::Touch => KnownState::Touched,
        };
    }

    /// The booked rows without ids, sorted; those of deleted entries, too.
    pub(super) fn booked(&self) -> Vec<(Date, i64, String)> {
        let rows = self.rows.iter().filter(|one| !one.row.pending);
        sorted(rows.map(|one| one.row.clone()))
    }

    /// What people see as pending and nobody touched.
    pub(super) fn untouched_pending(&self) -> usize {
        let is_left = |one: &&KnownRow| one.row.pending && one.state == KnownState::Untouched;
        self.rows.iter().filter(is_left).count()
    }

    pub(super) fn deleted(&self) -> usize {
        self.rows.iter().filter(|one| one.state == KnownState::Deleted).count()
    }

    /// The day from which on a sync asks: ten days back, or before the oldest pending row.
    pub(super) fn from(&self, synced_to: i64) -> i64 {
        let pending = self.rows.iter().filter(|one| one.row.pending).map(|one| one.row.date);
        let oldest = pending.min().map(|date| i64::from(days_between(day(0), date)) - 1);
        oldest.map_or(synced_to - 10, |oldest| oldest.min(synced_to - 10))
    }
}

/// Day, amount and name of rows, sorted.
pub(super) fn sorted(rows: impl IntoIterator<Item = SourceRow>) -> Vec<(Date, i64, String)> {
    let mut rows: Vec<(Date, i64, String)> =
        rows.into_iter().map(|row| (row.date, row.amount, row.name)).collect();
    rows.sort();
    rows
}
