//! What a publish creates by name: when the first row needs it, and never twice.

use purser_core::error::{Error, Result};
use purser_core::plan::{Creation, Target};
use purser_store::FamilyTx;
use purser_store::ledger::Executor;
use uuid::Uuid;

/// What may have to be created.
pub(in crate::imports) struct Creations {
    wanted: Vec<Creation>,
    /// What of it is created, as the executor numbers it.
    made: Vec<Option<Target>>,
}

impl Creations {
    /// Nothing is created yet.
    pub(in crate::imports) fn new(wanted: Vec<Creation>) -> Self {
        Self { made: vec![None; wanted.len()], wanted }
    }

    /// Creates what a target stands for, and what that is below, unless it is done.
    pub(in crate::imports) fn create(
        &mut self,
        tx: &mut FamilyTx<'_>,
        executor: &mut Executor,
        target: Target,
    ) -> Result<Target> {
        let Target::Created(slot) = target else { return Ok(target) };
        let missing = || Error::internal("a name points to a creation that there isn't");
        let index = slot.0 as usize;
        if let Some(made) = self.made.get(index).ok_or_else(missing)? {
            return Ok(*made);
        }
        let mut creation = self.wanted.get(index).ok_or_else(missing)?.clone();
        for target in creation.targets_mut() {
            *target = self.create(tx, executor, *target)?;
        }
        let slot = executor.create(tx, &creation)?;
        let made = Target::Created(slot);
        *self.made.get_mut(index).ok_or_else(missing)? = Some(made);
        Ok(made)
    }

    /// The id of what a name stands for; `None` if no row needed it.
    pub(in crate::imports) fn id(
        &self,
        target: Target,
        executor: &Executor,
    ) -> Result<Option<Uuid>> {
        match target {
            Target::Existing(id) => Ok(Some(id)),
            Target::Created(slot) => match self.made.get(slot.0 as usize) {
                Some(Some(Target::Created(slot))) => executor.created_id(*slot).map(Some),
                _ => Ok(None),
            },
        }
    }
}
