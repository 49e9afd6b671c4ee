//! Records of kinds that stand alone: an import may have very many of them (a file of prices).
//!
//! Nothing points to such a record, and none makes room for another, so each is judged for itself,
//! a page at a time. The survey counts, and keeps the names of the first; the undo judges them once
//! more while it writes. What the import created goes before everything else, and what it changed
//! is restored after everything else, in the survey as in the undo, so both come to the same
//! numbers; if they don't, the undo fails and nothing is written.

use std::collections::BTreeMap;

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::restore::restore;
use serde_json::Value;
use uuid::Uuid;

use super::planner::{Changed, CreatedRecord, changed_since, split};
use super::{Created, KeptRecord, Outlook, RecordSurvey, Removal, RestoredRecord, kind_named};
use crate::access::FamilyTx;
use crate::ledger::Executor;
use crate::ledger::records::kinds::Kind;
use crate::ledger::records::notes::{Noted, each_noted, noted_of};

/// Records of a kind that each list of a survey names.
pub(crate) const LISTED_MAX: u64 = 20;

/// What becomes of the records of a kind that stands alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Those that get values back, or that come back.
    pub restored: u64,
    /// Those of which something stays as it is.
    pub kept: u64,
    /// Those that the import created and that are removed.
    pub removed: u64,
    /// Those that the import created and that stay.
    pub staying: u64,
}

impl Tally {
    /// Without those that the lists name.
    pub(super) fn unlisted(self) -> Self {
        let rest = |count: u64| count.saturating_sub(LISTED_MAX);
        Self {
            restored: rest(self.restored),
            kept: rest(self.kept),
            removed: rest(self.removed),
            staying: rest(self.staying),
        }
    }
}

/// Counts one more, and lists it if it is among the first.
fn add<T>(list: &mut Vec<T>, count: &mut u64, one: T) {
    if *count < LISTED_MAX {
        list.push(one);
    }
    *count += 1;
}

/// Surveys some of the records that the import created. Those that it changed wait for
/// [`survey_changed`].
pub(super) fn survey_created(
    tx: &mut FamilyTx<'_>,
    kind: &'static dyn Kind,
    noted: Vec<Noted>,
    (outlook, survey): (&mut Outlook, &mut RecordSurvey),
) -> Result<()> {
    let tally = survey.alone.entry(kind.name()).or_default();
    for CreatedRecord { id, now, reason, .. } in created(tx, kind, noted)? {
        let (name, list) = (kind.title(&now)?, &mut survey.created);
        let named = |removal| Created { kind: kind.name(), id, name, removal };
        match reason {
            Some(reason) => add(list, &mut tally.staying, named(Removal::Stays(reason))),
            None => {
                outlook.lose_pointers(kind, &now);
                add(list, &mut tally.removed, named(Removal::Goes));
            }
        }
    }
    Ok(())
}

/// Surveys the records that the import changed or removed, once everything else is decided.
pub(super) fn survey_changed(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    outlook: &Outlook,
    survey: &mut RecordSurvey,
) -> Result<()> {
    let RecordSurvey { restored, kept, alone, .. } = survey;
    for (&name, tally) in alone {
        let kind = kind_named(name)?;
        each_noted(tx, import, Some(name), |tx, _, noted| {
            for one in split(tx, kind, noted)?.1 {
                let Verdict { image, stays } = judge(tx, import, outlook, &one)?;
                let (kind, id) = (name, one.id);
                let title = || one.kind.title(one.now.as_ref().unwrap_or(&one.before));
                if let Some(fields) = stays {
                    add(kept, &mut tally.kept, KeptRecord { kind, id, name: title()?, fields });
                }
                if image.is_some() {
                    let record = RestoredRecord { kind, id, name: title()? };
                    add(restored, &mut tally.restored, record);
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Removes what the import created, and returns how many of each kind.
pub(super) fn remove_created(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    import: ImportId,
    kinds: &BTreeMap<&'static str, Tally>,
) -> Result<Vec<u64>> {
    let mut counts = Vec::with_capacity(kinds.len());
    for &name in kinds.keys() {
        let (kind, mut removed) = (kind_named(name)?, 0);
        each_noted(tx, import, Some(name), |tx, _, noted| {
            for one in created(tx, kind, noted)?.iter().filter(|one| one.reason.is_none()) {
                kind.write(tx, executor, one.id, (Some(&one.now), None))?;
                removed += 1;
            }
            Ok(())
        })?;
        counts.push(removed);
    }
    Ok(counts)
}

/// Restores what the import changed or removed. Fails if it is not as many as the survey has, or if
/// `removed` are not.
pub(super) fn restore_changed(
    tx: &mut FamilyTx<'_>,
    executor: &mut Executor,
    import: ImportId,
    (kinds, removed): (&BTreeMap<&'static str, Tally>, &[u64]),
) -> Result<()> {
    // Everything else is written: what the database has is what is there.
    let outlook = Outlook::default();
    for ((&name, tally), removed) in kinds.iter().zip(removed) {
        let (kind, mut restored) = (kind_named(name)?, 0);
        each_noted(tx, import, Some(name), |tx, _, noted| {
            for one in split(tx, kind, noted)?.1 {
                if let Some(image) = judge(tx, import, &outlook, &one)?.image {
                    kind.write(tx, executor, one.id, (one.now.as_ref(), Some(&image)))?;
                    restored += 1;
                }
            }
            Ok(())
        })?;
        if (*removed, restored) != (tally.removed, tally.restored) {
            return Err(Error::internal(format!(
                "of the kind {name} {removed} records went and {restored} were restored, not \
                 {tally:?}"
            )));
        }
    }
    Ok(())
}

/// What becomes of a record that the import changed or removed.
struct Verdict {
    /// What it becomes; `None` leaves it as it is.
    image: Option<Value>,
    /// The members that stay, if any does; none of a record that can't come back.
    stays: Option<Vec<String>>,
}

/// Judges one record. Its place stays as it is; one that is gone needs its place.
fn judge(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    outlook: &Outlook,
    one: &Changed,
) -> Result<Verdict> {
    let (Some(now), Some(after)) = (&one.now, &one.after) else {
        let fits = outlook.missing(tx, one, &one.before)?.is_empty()
            && is_free(tx, import, one.kind, &one.before)?;
        let image = fits.then(|| one.before.clone());
        return Ok(Verdict { image, stays: (!fits).then(Vec::new) });
    };
    let place: Vec<String> = one.kind.place_fields().iter().map(|&field| field.into()).collect();
    let restored = restore(&one.before, after, now, &place);
    let is_moved = |field: &String| {
        let was = &one.before[field];
        *was != after[field] && *was != now[field]
    };
    let mut stays = restored.kept;
    stays.extend(place.into_iter().filter(is_moved));
    stays.sort_unstable();
    let image = Some(restored.image).filter(|image| image != now);
    Ok(Verdict { image, stays: Some(stays).filter(|stays| !stays.is_empty()) })
}

/// Whether nobody has a place, or only what the import created and what goes.
fn is_free(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    kind: &'static dyn Kind,
    image: &Value,
) -> Result<bool> {
    let Some(holder) = kind.holder(tx, image)? else { return Ok(true) };
    let noted: Vec<Noted> = noted_of(tx, import, kind.name(), holder)?.into_iter().collect();
    Ok(created(tx, kind, noted)?.iter().any(|one| one.reason.is_none()))
}

/// Those of some records that the import created and that are there, judged.
fn created(
    tx: &mut FamilyTx<'_>,
    kind: &'static dyn Kind,
    noted: Vec<Noted>,
) -> Result<Vec<CreatedRecord>> {
    let created = split(tx, kind, noted)?.0;
    changed_since(tx, kind, created)
}

impl Outlook {
    /// A record that stands alone goes: what it points to has one pointer less.
    fn lose_pointers(&mut self, kind: &dyn Kind, image: &Value) {
        for (field, _) in kind.points_to() {
            if let Some(id) = image[*field].as_str().and_then(|id| id.parse::<Uuid>().ok()) {
                *self.lost_pointers.entry(id).or_default() += 1;
            }
        }
    }
}
