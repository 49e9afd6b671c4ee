//! What an undo does to each record, decided without writing.

use std::collections::{BTreeMap, HashSet};

use purser_core::error::Result;
use purser_core::import::restore::{Restored, restore};
use serde_json::Value;
use uuid::Uuid;

use super::{
    ACCOUNT, ACCOUNT_THERE, Context, Created, KeptRecord, Outlook, RecordSurvey, Remaining,
    Removal, RestoredRecord, SUBJECTS_CHANGED, Step, kind_named,
};
use crate::access::FamilyTx;
use crate::driver::{Val, vals};
use crate::ledger::records::kinds::Kind;
use crate::ledger::records::notes::{Noted, noted};

/// A record that the import changed or removed.
struct Changed {
    kind: &'static dyn Kind,
    id: Uuid,
    now: Option<Value>,
    before: Value,
    after: Option<Value>,
}

impl Changed {
    /// What it becomes, but for some members.
    fn restored(&self, but: &[String]) -> Restored {
        match (&self.now, &self.after) {
            (Some(now), Some(after)) => restore(&self.before, after, now, but),
            _ => Restored { image: self.before.clone(), ..Restored::default() },
        }
    }
}

/// A record that the import created and that is there.
struct CreatedRecord {
    kind: &'static dyn Kind,
    id: Uuid,
    now: Value,
    reason: Option<&'static str>,
}

/// Decides on one record after the other.
pub(super) struct Planner {
    changed: Vec<Changed>,
    made: Vec<CreatedRecord>,
    outlook: Outlook,
    survey: RecordSurvey,
}

impl Planner {
    /// What the import did to records, and what is there of them.
    pub(super) fn read(
        tx: &mut FamilyTx<'_>,
        remaining: &Remaining,
        context: &Context,
    ) -> Result<Self> {
        let mut by_kind: BTreeMap<String, Vec<Noted>> = BTreeMap::new();
        for one in noted(tx, remaining.import)?.into_iter().filter(|one| one.kind != ACCOUNT) {
            by_kind.entry(one.kind.clone()).or_default().push(one);
        }
        let (mut changed, mut made) = (Vec::new(), Vec::new());
        for (name, noted) in by_kind {
            let kind = kind_named(&name)?;
            let ids: Vec<Uuid> = noted.iter().map(|one| one.id).collect();
            let mut present = kind.read(tx, &ids)?;
            let mut created = Vec::new();
            for Noted { id, before, after, .. } in noted {
                let now = present.remove(&id);
                match (before, now) {
                    (None, None) => {}
                    (None, Some(now)) => created.push((id, now, after)),
                    (Some(before), now) => {
                        let after = after.flatten();
                        // What somebody removed since stays removed.
                        if now.is_some() == after.is_some() {
                            changed.push(Changed { kind, id, now, before, after });
                        }
                    }
                }
            }
            judge(tx, kind, created, (remaining, context), &mut made)?;
        }
        let (outlook, survey) = (Outlook::default(), RecordSurvey::default());
        Ok(Self { changed, made, outlook, survey })
    }

    /// Goes through the records until nothing more can be done.
    pub(super) fn plan(mut self, tx: &mut FamilyTx<'_>) -> Result<RecordSurvey> {
        loop {
            let before = self.survey.steps.len();
            self.restore_what_fits(tx)?;
            self.remove_what_is_free(tx)?;
            if self.survey.steps.len() == before {
                break;
            }
        }
        self.restore_in_part(tx)?;
        self.finish(tx)
    }

    /// Restores every record that can be restored as a whole.
    fn restore_what_fits(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        loop {
            let open = self.changed.len();
            for one in std::mem::take(&mut self.changed) {
                let restored = one.restored(&[]);
                if self.blocked(tx, &one, &restored.image)?.is_empty() {
                    self.put(one, restored, Vec::new())?;
                } else {
                    self.changed.push(one);
                }
            }
            if self.changed.len() == open {
                return Ok(());
            }
        }
    }

    /// Restores of the others what doesn't depend on their places.
    fn restore_in_part(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        for one in std::mem::take(&mut self.changed) {
            let blocked = self.blocked(tx, &one, &one.restored(&[]).image)?;
            if one.now.is_none() {
                self.keep(&one, Vec::new())?;
                continue;
            }
            let restored = one.restored(&blocked);
            if self.blocked(tx, &one, &restored.image)?.is_empty() {
                self.put(one, restored, blocked)?;
            } else {
                self.keep(&one, blocked)?;
            }
        }
        Ok(())
    }

    /// The members that keep a record from having an image.
    fn blocked(&self, tx: &mut FamilyTx<'_>, one: &Changed, image: &Value) -> Result<Vec<String>> {
        let differs = |field: &str| one.now.as_ref().is_none_or(|now| now[field] != image[field]);
        let mut blocked = Vec::new();
        for (field, kind) in one.kind.points_to() {
            let Some(id) = image[*field].as_str().and_then(|id| id.parse::<Uuid>().ok()) else {
                continue;
            };
            if differs(field) && !self.is_there(tx, kind, id)? {
                blocked.push((*field).to_owned());
            }
        }
        if !blocked.is_empty() {
            return Ok(blocked);
        }
        let place = one.kind.place_fields();
        let moves = place.iter().any(|field| differs(field));
        if moves
            && (self.is_taken(tx, one, image)?
                || one.kind.is_unfit(tx, one.id, image, &self.outlook)?)
        {
            blocked.extend(place.iter().filter(|field| differs(field)).map(|&field| field.into()));
        }
        Ok(blocked)
    }

    /// Whether something will be there.
    fn is_there(&self, tx: &mut FamilyTx<'_>, kind: &str, id: Uuid) -> Result<bool> {
        if self.outlook.gone.contains(&id) {
            return Ok(false);
        }
        if self.outlook.images.contains_key(&id) {
            return Ok(true);
        }
        if kind == ACCOUNT {
            let family = tx.family();
            return Ok(tx.query_opt(&ACCOUNT_THERE, vals![family, id], |_| Ok(()))?.is_some());
        }
        Ok(!kind_named(kind)?.read(tx, &[id])?.is_empty())
    }

    /// Whether another record will have the place of an image.
    fn is_taken(&self, tx: &mut FamilyTx<'_>, one: &Changed, image: &Value) -> Result<bool> {
        let place = (one.kind.name(), one.kind.place(image)?);
        if self.outlook.places.get(&place).is_some_and(|id| *id != one.id) {
            return Ok(true);
        }
        let holder = one.kind.holder(tx, image)?.filter(|holder| *holder != one.id);
        Ok(holder.is_some_and(|holder| {
            !self.outlook.gone.contains(&holder) && !self.outlook.images.contains_key(&holder)
        }))
    }

    fn put(&mut self, one: Changed, restored: Restored, blocked: Vec<String>) -> Result<()> {
        let kept: Vec<String> = restored.kept.iter().cloned().chain(blocked).collect();
        if !kept.is_empty() {
            self.keep_fields(&one, kept)?;
        }
        if one.now.as_ref() == Some(&restored.image) {
            return Ok(());
        }
        let (kind, id, image) = (one.kind.name(), one.id, restored.image);
        let name = one.kind.title(one.now.as_ref().unwrap_or(&image))?;
        self.survey.restored.push(RestoredRecord { kind, id, name });
        self.outlook.put(one.kind, id, &image)?;
        self.survey.steps.push(Step { kind, id, before: one.now, after: Some(image) });
        Ok(())
    }

    /// Leaves a record as it is.
    fn keep(&mut self, one: &Changed, blocked: Vec<String>) -> Result<()> {
        let fields = one.restored(&[]).kept.into_iter().chain(blocked).collect();
        self.keep_fields(one, fields)
    }

    fn keep_fields(&mut self, one: &Changed, mut fields: Vec<String>) -> Result<()> {
        fields.sort_unstable();
        let name = one.kind.title(one.now.as_ref().unwrap_or(&one.before))?;
        self.survey.kept.push(KeptRecord { kind: one.kind.name(), id: one.id, name, fields });
        Ok(())
    }

    /// Removes what was created and what nothing points to, until nothing more can go.
    fn remove_what_is_free(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        loop {
            let open = self.made.len();
            for one in std::mem::take(&mut self.made) {
                if one.reason.is_some() || self.pointer(tx, &one)?.is_some() {
                    self.made.push(one);
                    continue;
                }
                let (kind, id) = (one.kind.name(), one.id);
                let name = one.kind.title(&one.now)?;
                self.survey.created.push(Created { kind, id, name, removal: Removal::Goes });
                self.outlook.gone.insert(id);
                self.survey.steps.push(Step { kind, id, before: Some(one.now), after: None });
            }
            if self.made.len() == open {
                return Ok(());
            }
        }
    }

    /// Why a record that was created is still needed by others.
    fn pointer(&self, tx: &mut FamilyTx<'_>, one: &CreatedRecord) -> Result<Option<&'static str>> {
        let pointers = one.kind.pointers(tx, one.id)?;
        let found = pointers.iter().find(|pointer| self.outlook.still_names(pointer.id, one.id));
        Ok(found.map(|pointer| pointer.reason))
    }

    fn finish(mut self, tx: &mut FamilyTx<'_>) -> Result<RecordSurvey> {
        for one in std::mem::take(&mut self.made) {
            let reason = match one.reason {
                Some(reason) => reason,
                None => self.pointer(tx, &one)?.unwrap_or("something points to it"),
            };
            let name = one.kind.title(&one.now)?;
            let (kind, id, removal) = (one.kind.name(), one.id, Removal::Stays(reason));
            self.survey.created.push(Created { kind, id, name, removal });
        }
        self.survey.kept.sort_by_key(|one| (one.kind, one.id));
        Ok(self.survey)
    }
}

/// Finds reasons for which records that were created stay, whatever else the undo does.
fn judge(
    tx: &mut FamilyTx<'_>,
    kind: &'static dyn Kind,
    created: Vec<(Uuid, Value, Option<Option<Value>>)>,
    (remaining, context): (&Remaining, &Context),
    made: &mut Vec<CreatedRecord>,
) -> Result<()> {
    if created.is_empty() {
        return Ok(());
    }
    let used: HashSet<Uuid> = kind.used(tx, remaining)?.into_iter().collect();
    let keys: Vec<Val<'_>> = created.iter().map(|(id, ..)| Val::Uuid(*id)).collect();
    let (family, mut touched) = (tx.family(), HashSet::new());
    tx.lookup(&SUBJECTS_CHANGED, vals![family], &keys, |row| {
        touched.insert(row.uuid(0)?);
        Ok(())
    })?;
    for (id, now, after) in created {
        let is_other = after.is_some_and(|after| after.as_ref() != Some(&now));
        let reason = if used.contains(&id) || context.filled.contains(&id) {
            Some("transactions have it")
        } else if is_other || touched.contains(&id) {
            Some("it was changed since")
        } else if context.named.contains(&id) {
            Some("another import uses it")
        } else {
            None
        };
        made.push(CreatedRecord { kind, id, now, reason });
    }
    Ok(())
}
