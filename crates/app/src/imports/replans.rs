//! Plans that are made anew in the background because somebody looked at an outdated one.
//!
//! A look is answered at once, with what is stored and `current: false`. The new plan is made
//! beside it, at most once at a time for each import.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use purser_core::ids::ImportId;
use purser_store::imports::Import;
use purser_store::shares::Holder;
use purser_store::{Access, FamilyId};

use super::planning;
use crate::App;
use crate::blocking::blocking;

/// The imports with plans that are being made; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Replans(Arc<Mutex<HashSet<(FamilyId, ImportId)>>>);

/// An import with a plan that is being made, until this is dropped.
struct UnderWay {
    replans: Replans,
    key: (FamilyId, ImportId),
}

impl Replans {
    /// Notes that the plan of an import is being made, unless somebody is at it.
    fn enter(&self, key: (FamilyId, ImportId)) -> Option<UnderWay> {
        let mut under_way = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.insert(key).then(|| UnderWay { replans: self.clone(), key })
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut under_way = self.replans.0.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.remove(&self.key);
    }
}

/// Sets off a new plan if this import's is outdated and a publish may still come. While one is
/// queued its job makes the plan.
pub fn set_off(app: &App, access: Access, import: &Import) {
    let is_wanted = !import.has_current_plan()
        && import.status != purser_core::import::status::ImportStatus::Importing
        && import.awaits_plan()
        && import.condition().detail().configured;
    if !is_wanted {
        return;
    }
    let Some(under_way) = app.replans.enter((access.family(), import.id)) else { return };
    let (app, id) = (app.clone(), import.id);
    tokio::spawn(async move {
        let Ok(reading) = app.readings.take(Holder::from(&access), 1).await else { return };
        let (store, files) = (app.store.clone(), app.files.clone());
        let renewed = blocking(move || planning::renew(&store, &files, &access, id)).await;
        drop(reading);
        drop(under_way);
        if let Err(error) = renewed {
            tracing::warn!(import = %id, cause = ?error, "the plan can't be made just now");
        }
    });
}
