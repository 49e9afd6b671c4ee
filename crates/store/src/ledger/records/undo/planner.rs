//! What an undo does to each record, decided without writing.

use std::collections::{BTreeMap, HashSet};

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::restore::{Restored, restore};
use serde_json::Value;
use uuid::Uuid;

use super::{
    ACCOUNT, ACCOUNT_THERE, Context, Created, KeptRecord, Outlook, RecordSurvey, Remaining,
    Removal, RestoredRecord, SUBJECTS_CHANGED, Step, alone, kind_named,
};
use crate::access::FamilyTx;
use crate::driver::{Val, vals};
use crate::ledger::records::kinds::Kind;
use crate::ledger::records::notes::{Noted, each_noted};

/// A record that the import changed or removed.
pub(super) struct Changed {
    pub(super) kind: &'static dyn Kind,
    pub(super) id: Uuid,
    pub(super) now: Option<Value>,
    pub(super) before: Value,
    pub(super) after: Option<Value>,
}

impl Changed {
    /// What it becomes, but for some members.
    fn restored(&self, but: &[String]) -> Restored {
        match (&self.now, &self.after) {
            (Some(now), Some(after)) => restore(&self.before, after, now, but),
            _ => Restored { image: self.before.clone(), ..Restored::default() },
        }
    }

    /// Whether a member would get another value with an image.
    fn differs(&self, field: &str, image: &Value) -> bool {
        self.now.as_ref().is_none_or(|now| now[field] != image[field])
    }
}

/// A record that the import created and that is there, with a reason for which it stays.
pub(super) struct CreatedRecord {
    pub(super) kind: &'static dyn Kind,
    pub(super) id: Uuid,
    pub(super) now: Value,
    pub(super) reason: Option<&'static str>,
}

/// A record that the import created and that is there, with what the import made it.
type CreatedImages = (Uuid, Value, Option<Option<Value>>);

/// Decides on one record after the other.
pub(super) struct Planner {
    import: ImportId,
    changed: Vec<Changed>,
    made: Vec<CreatedRecord>,
    outlook: Outlook,
    survey: RecordSurvey,
}

impl Planner {
    /// What the import did to records, and what is there of them. Of kinds that stand alone this
    /// surveys what the import created.
    pub(super) fn read(
        tx: &mut FamilyTx<'_>,
        remaining: &Remaining,
        context: &Context,
    ) -> Result<Self> {
        let import = remaining.import;
        let (mut outlook, mut survey) = (Outlook::default(), RecordSurvey::default());
        let mut by_kind: BTreeMap<&'static str, Vec<Noted>> = BTreeMap::new();
        each_noted(tx, import, None, |tx, name, mut noted| {
            if name == ACCOUNT {
                return Ok(());
            }
            let kind = kind_named(name)?;
            if kind.stands_alone() {
                return alone::survey_created(tx, kind, noted, (&mut outlook, &mut survey));
            }
            by_kind.entry(kind.name()).or_default().append(&mut noted);
            Ok(())
        })?;
        let (mut changed, mut made) = (Vec::new(), Vec::new());
        for (name, noted) in by_kind {
            let kind = kind_named(name)?;
            let (created, mut others) = split(tx, kind, noted)?;
            changed.append(&mut others);
            made.append(&mut judge(tx, kind, created, (remaining, context))?);
        }
        Ok(Self { import, changed, made, outlook, survey })
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
        let mut blocked = self.outlook.missing(tx, one, image)?;
        if !blocked.is_empty() {
            return Ok(blocked);
        }
        let differs = |field: &str| one.differs(field, image);
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
        if let Some(pointer) = found {
            return Ok(Some(pointer.reason));
        }
        let many = one.kind.pointers_alone(tx, one.id)?;
        Ok(many.filter(|many| self.outlook.leaves_some(one.id, many)).map(|many| many.reason))
    }

    /// Surveys what is left, and puts the lists in order.
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
        alone::survey_changed(tx, self.import, &self.outlook, &mut self.survey)?;
        self.survey.created.sort_by_key(|one| !one.goes());
        self.survey.kept.sort_by_key(|one| (one.kind, one.id));
        Ok(self.survey)
    }
}

impl Outlook {
    /// The members of an image that point to something that will not be there.
    pub(super) fn missing(
        &self,
        tx: &mut FamilyTx<'_>,
        one: &Changed,
        image: &Value,
    ) -> Result<Vec<String>> {
        let mut missing = Vec::new();
        for (field, kind) in one.kind.points_to() {
            let Some(id) = image[*field].as_str().and_then(|id| id.parse::<Uuid>().ok()) else {
                continue;
            };
            if one.differs(field, image) && !self.is_there(tx, kind, id)? {
                missing.push((*field).to_owned());
            }
        }
        Ok(missing)
    }

    /// Whether something will be there.
    fn is_there(&self, tx: &mut FamilyTx<'_>, kind: &str, id: Uuid) -> Result<bool> {
        if self.gone.contains(&id) {
            return Ok(false);
        }
        if self.images.contains_key(&id) {
            return Ok(true);
        }
        if kind == ACCOUNT {
            let family = tx.family();
            return Ok(tx.query_opt(&ACCOUNT_THERE, vals![family, id], |_| Ok(()))?.is_some());
        }
        Ok(!kind_named(kind)?.read(tx, &[id])?.is_empty())
    }
}

/// What is there of some records: those that the import created, and those that it changed or
/// removed. What somebody removed since stays removed.
pub(super) fn split(
    tx: &mut FamilyTx<'_>,
    kind: &'static dyn Kind,
    noted: Vec<Noted>,
) -> Result<(Vec<CreatedImages>, Vec<Changed>)> {
    let ids: Vec<Uuid> = noted.iter().map(|one| one.id).collect();
    let mut present = kind.read(tx, &ids)?;
    let (mut created, mut changed) = (Vec::new(), Vec::new());
    for Noted { id, before, after } in noted {
        let now = present.remove(&id);
        match (before, now) {
            (None, None) => {}
            (None, Some(now)) => created.push((id, now, after)),
            (Some(before), now) => {
                let after = after.flatten();
                if now.is_some() == after.is_some() {
                    changed.push(Changed { kind, id, now, before, after });
                }
            }
        }
    }
    Ok((created, changed))
}

/// Records that were created, with the reason of those that somebody changed since.
pub(super) fn changed_since(
    tx: &mut FamilyTx<'_>,
    kind: &'static dyn Kind,
    created: Vec<CreatedImages>,
) -> Result<Vec<CreatedRecord>> {
    let keys: Vec<Val<'_>> = created.iter().map(|(id, ..)| Val::Uuid(*id)).collect();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let (family, mut touched) = (tx.family(), HashSet::new());
    tx.lookup(&SUBJECTS_CHANGED, vals![family], &keys, |row| {
        touched.insert(row.uuid(0)?);
        Ok(())
    })?;
    let judged = created.into_iter().map(|(id, now, after)| {
        let is_other = after.is_some_and(|after| after.as_ref() != Some(&now));
        let is_changed = is_other || touched.contains(&id);
        CreatedRecord { kind, id, now, reason: is_changed.then_some("it was changed since") }
    });
    Ok(judged.collect())
}

/// Finds reasons for which records that were created stay, whatever else the undo does.
fn judge(
    tx: &mut FamilyTx<'_>,
    kind: &'static dyn Kind,
    created: Vec<CreatedImages>,
    (remaining, context): (&Remaining, &Context),
) -> Result<Vec<CreatedRecord>> {
    let mut made = changed_since(tx, kind, created)?;
    if made.is_empty() {
        return Ok(made);
    }
    let used: HashSet<Uuid> = kind.used(tx, remaining)?.into_iter().collect();
    for CreatedRecord { id, reason, .. } in &mut made {
        if used.contains(id) || context.filled.contains(id) {
            *reason = Some("transactions have it");
        } else if reason.is_none() && context.named.contains(id) {
            *reason = Some("another import uses it");
        }
    }
    Ok(made)
}
