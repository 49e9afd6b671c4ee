//! What becomes of the rows of a file of merchants: a row stands for the merchant of its name, and
//! may change its color and website, or it is a new one.

use std::collections::HashMap;

use super::set::MerchantRow;
use super::{MerchantKind, Row};
use crate::import::kind::WholePlanner;
use crate::import::row_edit::RowChoice;
use crate::import::whole::decision::{Decision, Differences};
use crate::import::whole::rows::{ChosenRows, Group};
use crate::import::whole::{FamilyRecords, MerchantRecord, NameTargets, WholePlan};
use crate::limits::LABELS_MAX;
use crate::plan::{Creation, RecordChange, Slot};
use crate::text::label::name_key;

/// Collects the rows and plans them.
#[derive(Debug, Default)]
pub(super) struct MerchantPlanner(ChosenRows<MerchantRow>);

impl WholePlanner<MerchantKind> for MerchantPlanner {
    fn row(&mut self, number: u64, line: u64, row: Option<&Row<'_>>, choice: RowChoice) {
        self.0.push(row.map(|row| MerchantRow::of(number, line, row)), choice);
    }

    fn finish(
        self: Box<Self>,
        view: &FamilyRecords,
        _mapped: &dyn NameTargets,
        prepared: &[Creation],
    ) -> WholePlan {
        let known: HashMap<String, &MerchantRecord> =
            view.merchants.iter().map(|one| (name_key(&one.name), one)).collect();
        let (mut creations, mut decisions) = (Vec::new(), HashMap::new());
        for (key, group) in self.0.grouped() {
            let decision = match known.get(&key) {
                Some(one) if group.is_new => {
                    Decision::Open(format!("There is already a merchant {:?}", one.name))
                }
                Some(one) => change(one, &group),
                None if (known.len() + creations.len()) as u64 >= LABELS_MAX => {
                    Decision::Open(format!("A family has at most {LABELS_MAX} merchants"))
                }
                None => create(&group, prepared, &mut creations),
            };
            decisions.insert(key, decision);
        }
        let title = |id| {
            let found = view.merchants.iter().find(|one| one.id == id);
            format!("merchant {:?}", found.map_or("", |one| &one.name))
        };
        let rows = self.0.planned("merchant", &decisions, title);
        WholePlan { creations, rows }
    }
}

fn create(
    group: &Group<'_, MerchantRow>,
    prepared: &[Creation],
    creations: &mut Vec<Creation>,
) -> Decision {
    let Some(first) = group.rows.first() else {
        return Decision::Open("There is no row".to_owned());
    };
    let Ok(slot) = u32::try_from(prepared.len() + creations.len()) else {
        return Decision::Open("There are too many rows".to_owned());
    };
    creations.push(Creation::Merchant {
        name: first.name.clone(),
        color: group.first(|row| row.color.as_ref()).cloned(),
        website: group.first(|row| row.website.as_ref()).cloned(),
    });
    Decision::New(Slot(slot), None)
}

fn change(before: &MerchantRecord, group: &Group<'_, MerchantRow>) -> Decision {
    let mut differences = Differences::default();
    // A color is the same in either case.
    let (old, new) = (before.color.as_deref(), group.first(|row| row.color.as_ref()));
    let new = new.map(String::as_str);
    let color = differences.replaced("color", old, new, str::eq_ignore_ascii_case);
    let (old, new) = (before.website.as_deref(), group.first(|row| row.website.as_ref()));
    let new = new.map(String::as_str);
    let website = differences.replaced("website", old, new, |old, new| old == new);
    let change = RecordChange::ReviseMerchant {
        id: before.id,
        name: None,
        color: color.map(|color| Some(color.to_owned())),
        website: website.map(|website| Some(website.to_owned())),
    };
    Decision::Known(before.id, differences.text().map(|text| (change, text)))
}
