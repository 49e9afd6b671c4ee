//! The table of the kinds of records.
//!
//! The undo of an import goes through it: a kind that has a row here is taken back like any other.

use std::collections::HashMap;
use std::marker::PhantomData;

use purser_core::error::{Error, Result};
use serde::Deserialize as _;
use serde_json::Value;
use uuid::Uuid;

use super::categories::CategoryRecord;
use super::merchants::MerchantRecord;
use super::notes::RecordNote;
use super::tags::TagRecord;
use super::undo::{Outlook, Pointer, PointersAlone, Remaining};
use super::{Record, image};
use crate::access::FamilyTx;
use crate::budgets::BudgetRecord;
use crate::budgets::lines::LineRecord;
use crate::ledger::Executor;
use crate::prices::record::PriceRecord;
use crate::rates::record::RateRecord;
use crate::recurring::record::SeriesRecord;
use crate::rules::record::RuleRecord;
use crate::securities::record::SecurityRecord;

/// Every kind of record that plans create and change.
pub(crate) static KINDS: &[&dyn Kind] = &[
    &Of::<CategoryRecord>(PhantomData),
    &Of::<TagRecord>(PhantomData),
    &Of::<MerchantRecord>(PhantomData),
    &Of::<RuleRecord>(PhantomData),
    &Of::<BudgetRecord>(PhantomData),
    &Of::<LineRecord>(PhantomData),
    &Of::<SecurityRecord>(PhantomData),
    &Of::<PriceRecord>(PhantomData),
    &Of::<RateRecord>(PhantomData),
    &Of::<SeriesRecord>(PhantomData),
];

/// The kind with a name.
pub(crate) fn find(name: &str) -> Option<&'static dyn Kind> {
    KINDS.iter().copied().find(|kind| kind.name() == name)
}

/// A kind of record as the undo sees it: by the images of its records. See [`Record`].
pub(crate) trait Kind: Sync {
    fn name(&self) -> &'static str;
    fn place_fields(&self) -> &'static [&'static str];
    fn points_to(&self) -> &'static [(&'static str, &'static str)];
    fn stands_alone(&self) -> bool;
    fn read(&self, tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Value>>;
    fn title(&self, image: &Value) -> Result<String>;
    fn place(&self, image: &Value) -> Result<String>;
    fn holder(&self, tx: &mut FamilyTx<'_>, image: &Value) -> Result<Option<Uuid>>;
    fn is_unfit(
        &self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        image: &Value,
        outlook: &Outlook,
    ) -> Result<bool>;
    fn pointers(&self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Vec<Pointer>>;
    fn pointers_alone(&self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Option<PointersAlone>>;
    fn used(&self, tx: &mut FamilyTx<'_>, remaining: &Remaining) -> Result<Vec<Uuid>>;
    /// Makes a record what it was: adds it, changes it or removes it.
    fn write(
        &self,
        tx: &mut FamilyTx<'_>,
        executor: &mut Executor,
        id: Uuid,
        images: (Option<&Value>, Option<&Value>),
    ) -> Result<()>;
    /// Removes a record that nobody has seen yet.
    fn erase(&self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()>;
}

struct Of<R>(PhantomData<fn() -> R>);

impl<R: Record> Kind for Of<R> {
    fn name(&self) -> &'static str {
        R::KIND
    }

    fn place_fields(&self) -> &'static [&'static str] {
        R::PLACE
    }

    fn points_to(&self) -> &'static [(&'static str, &'static str)] {
        R::POINTS_TO
    }

    fn stands_alone(&self) -> bool {
        R::STANDS_ALONE
    }

    fn read(&self, tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<HashMap<Uuid, Value>> {
        R::read(tx, ids)?.iter().map(|(id, values)| Ok((*id, image(values)?))).collect()
    }

    fn title(&self, image: &Value) -> Result<String> {
        Ok(R::title(&values::<R>(image)?))
    }

    fn place(&self, image: &Value) -> Result<String> {
        R::place(&values::<R>(image)?)
    }

    fn holder(&self, tx: &mut FamilyTx<'_>, image: &Value) -> Result<Option<Uuid>> {
        R::holder(tx, &values::<R>(image)?)
    }

    fn is_unfit(
        &self,
        tx: &mut FamilyTx<'_>,
        id: Uuid,
        image: &Value,
        outlook: &Outlook,
    ) -> Result<bool> {
        R::is_unfit(tx, id, &values::<R>(image)?, outlook)
    }

    fn pointers(&self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Vec<Pointer>> {
        R::pointers(tx, id)
    }

    fn pointers_alone(&self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Option<PointersAlone>> {
        R::pointers_alone(tx, id)
    }

    fn used(&self, tx: &mut FamilyTx<'_>, remaining: &Remaining) -> Result<Vec<Uuid>> {
        R::used(tx, remaining)
    }

    fn write(
        &self,
        tx: &mut FamilyTx<'_>,
        executor: &mut Executor,
        id: Uuid,
        (before, after): (Option<&Value>, Option<&Value>),
    ) -> Result<()> {
        let was = before.map(values::<R>).transpose()?;
        let is = after.map(values::<R>).transpose()?;
        match (&was, &is) {
            (None, None) => return Ok(()),
            (None, Some(is)) => {
                R::insert(tx, id, is)?;
                R::affects(is, &mut executor.effects);
                return executor.note_creation(tx, R::KIND, id, after.cloned());
            }
            (Some(_), Some(is)) => R::update(tx, id, is)?,
            (Some(_), None) => R::delete(tx, id)?,
        }
        for values in was.iter().chain(&is) {
            R::affects(values, &mut executor.effects);
        }
        let (before, after) = (before.cloned(), after.cloned());
        executor.note(tx, RecordNote { before, after, ..RecordNote::new(R::KIND, id) })
    }

    fn erase(&self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        R::delete(tx, id)
    }
}

fn values<R: Record>(image: &Value) -> Result<R::Values> {
    R::Values::deserialize(image).map_err(Error::internal)
}
