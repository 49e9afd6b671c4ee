//! What becomes of the rows of a file of categories.
//!
//! A row stands for the category of the same name below the same parent. If the family has none
//! there, but exactly one category of that name, and the file names it once and gives a parent,
//! that one is moved: unless the name was written as a path, which means this place and no other. A
//! row without a parent stands for the category of the first level, else for the only one of its
//! name; it never takes a category away from its parent.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use super::set::{CategoryRow, Identity};
use super::{CategoryKind, Row};
use crate::import::kind::WholePlanner;
use crate::import::mapping::MappingKind;
use crate::import::row_edit::RowChoice;
use crate::import::whole::decision::{Decision, Differences};
use crate::import::whole::rows::ChosenRows;
use crate::import::whole::{CategoryRecord, FamilyRecords, NameTargets, WholePlan};
use crate::plan::{CategoryRevision, Creation, RecordChange, Slot, Target};
use crate::text::label::name_key;

/// Collects the rows and plans them.
#[derive(Debug, Default)]
pub(super) struct CategoryPlanner(ChosenRows<CategoryRow>);

impl WholePlanner<CategoryKind> for CategoryPlanner {
    fn row(&mut self, number: u64, line: u64, row: Option<&Row<'_>>, choice: RowChoice) {
        self.0.push(row.map(|row| CategoryRow::of(number, line, row)), choice);
    }

    fn finish(
        self: Box<Self>,
        view: &FamilyRecords,
        mapped: &dyn NameTargets,
        prepared: &[Creation],
    ) -> WholePlan {
        let groups = Groups::of(&self.0);
        let mut planning = PlanBuilder {
            tree: Tree::of(&view.categories),
            mapped,
            prepared,
            plan: WholePlan::default(),
            settled: HashMap::new(),
            taken: HashSet::new(),
            groups: &groups,
        };
        for creation in prepared {
            if let Creation::Category { name, parent: None, .. } = creation {
                planning.taken.insert(Claim::New(None, name_key(name)));
            }
        }
        // Those of the first level come before what is below them, wherever they stand.
        let mut order: Vec<(&Identity, &Group)> = groups.all.iter().collect();
        order.sort_unstable_by_key(|(identity, group)| (identity.0.is_some(), group.place));
        for (identity, group) in order {
            planning.settle(identity, group);
        }
        let title = |id| format!("category {:?}", planning.tree.path(id));
        let rows = self.0.planned("category", &planning.settled, title);
        WholePlan { rows, ..planning.plan }
    }
}

/// Rows that stand for one category, as one.
#[derive(Debug)]
struct Group {
    /// Its position among those of the file, by their first rows.
    place: usize,
    name: String,
    parent: Option<String>,
    is_path: bool,
    color: Option<String>,
    icon: Option<String>,
    /// A person wants a new one.
    is_new: bool,
}

#[derive(Debug, Default)]
struct Groups {
    all: BTreeMap<Identity, Group>,
    /// How many categories of a name the file has.
    named: HashMap<String, usize>,
    /// Keys of names that have others below them in the file.
    parents: HashSet<String>,
}

impl Groups {
    fn of(rows: &ChosenRows<CategoryRow>) -> Self {
        let mut groups = Self::default();
        for (place, (identity, group)) in rows.grouped().into_iter().enumerate() {
            let Some(first) = group.rows.first() else { continue };
            groups.parents.extend(identity.0.clone());
            *groups.named.entry(identity.1.clone()).or_default() += 1;
            let one = Group {
                place,
                name: first.name.clone(),
                parent: first.parent.clone(),
                is_path: group.rows.iter().any(|row| row.is_path),
                color: group.first(|row| row.color.as_ref()).cloned(),
                icon: group.first(|row| row.icon.as_ref()).cloned(),
                is_new: group.is_new,
            };
            groups.all.insert(identity, one);
        }
        groups
    }

    fn is_only_one(&self, name: &str) -> bool {
        self.named.get(name).copied() == Some(1)
    }
}

/// The family's categories by id, position and name.
struct Tree<'v> {
    by_id: HashMap<Uuid, &'v CategoryRecord>,
    by_place: HashMap<(Option<Uuid>, String), Uuid>,
    by_name: HashMap<String, Vec<Uuid>>,
    has_below: HashSet<Uuid>,
}

impl<'v> Tree<'v> {
    fn of(categories: &'v [CategoryRecord]) -> Self {
        let mut tree = Self {
            by_id: HashMap::new(),
            by_place: HashMap::new(),
            by_name: HashMap::new(),
            has_below: HashSet::new(),
        };
        for category in categories {
            let key = name_key(&category.name);
            tree.by_id.insert(category.id, category);
            tree.has_below.extend(category.parent);
            tree.by_name.entry(key.clone()).or_default().push(category.id);
            tree.by_place.insert((category.parent, key), category.id);
        }
        tree
    }

    fn path(&self, id: Uuid) -> String {
        let Some(category) = self.by_id.get(&id) else { return String::new() };
        match category.parent.and_then(|parent| self.by_id.get(&parent)) {
            Some(parent) => format!("{}: {}", parent.name, category.name),
            None => category.name.clone(),
        }
    }
}

struct PlanBuilder<'a> {
    tree: Tree<'a>,
    mapped: &'a dyn NameTargets,
    prepared: &'a [Creation],
    plan: WholePlan,
    settled: HashMap<Identity, Decision>,
    /// Categories that rows stand for already, and positions of new ones.
    taken: HashSet<Claim>,
    groups: &'a Groups,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Claim {
    Record(Uuid),
    New(Option<TargetKey>, String),
}

type TargetKey = (Option<Uuid>, Option<u32>);

fn target_key(target: Target) -> TargetKey {
    match target {
        Target::Existing(id) => (Some(id), None),
        Target::Created(slot) => (None, Some(slot.0)),
    }
}

impl PlanBuilder<'_> {
    fn settle(&mut self, identity: &Identity, group: &Group) {
        let settled = match self.parent(identity, group) {
            Err(why) => Decision::Open(why),
            Ok(parent) => self.place(identity, group, parent),
        };
        self.settled.insert(identity.clone(), settled);
    }

    /// The category above: one of the file, else what its name was mapped to.
    fn parent(&self, identity: &Identity, group: &Group) -> Result<Option<Target>, String> {
        let (Some(key), Some(name)) = (&identity.0, &group.parent) else { return Ok(None) };
        match self.settled.get(&(None, key.clone())) {
            Some(Decision::Open(_)) => Err(format!("A choice is needed for its parent {name:?}")),
            Some(settled) => Ok(settled.target()),
            None => match self.mapped.target(MappingKind::Parent, name) {
                Some(target) => Ok(Some(target)),
                None => Err(self
                    .mapped
                    .problem(MappingKind::Parent, name)
                    .unwrap_or_else(|| format!("There is no category {name:?}"))),
            },
        }
    }

    fn place(&mut self, identity: &Identity, group: &Group, parent: Option<Target>) -> Decision {
        let key = &identity.1;
        match self.known(identity, group, parent) {
            Some(id) if group.is_new => Decision::Open(format!(
                "There is already a category {:?} there",
                self.tree.path(id)
            )),
            Some(id) if !self.taken.insert(Claim::Record(id)) => {
                Decision::Open("Another row stands for the same category".to_owned())
            }
            Some(id) => self.change(id, group, parent),
            None if !self.taken.insert(Claim::New(parent.map(target_key), key.clone())) => {
                Decision::Open("Another row stands for the same category".to_owned())
            }
            None => self.create(identity, group, parent),
        }
    }

    /// The category of the family that the rows stand for, if there is one.
    fn known(&self, identity: &Identity, group: &Group, parent: Option<Target>) -> Option<Uuid> {
        let key = &identity.1;
        let above = match parent {
            None => Some(None),
            Some(Target::Existing(id)) => Some(Some(id)),
            Some(Target::Created(_)) => None,
        };
        let there = above.and_then(|above| self.tree.by_place.get(&(above, key.clone())).copied());
        if there.is_some() || group.is_new || group.is_path {
            return there;
        }
        let is_parent = identity.0.is_none() && self.groups.parents.contains(key);
        match self.tree.by_name.get(key).map(Vec::as_slice) {
            Some([only]) if self.groups.is_only_one(key) && !is_parent => Some(*only),
            _ => None,
        }
    }

    fn create(&mut self, identity: &Identity, group: &Group, parent: Option<Target>) -> Decision {
        let number = self.prepared.len() + self.plan.creations.len();
        let Ok(number) = u32::try_from(number) else {
            return Decision::Open("There are too many rows".to_owned());
        };
        let key = match &group.parent {
            // The parent may be called otherwise in the family than in the file.
            Some(parent_name) => {
                let name = parent.and_then(|parent| self.name_of(parent));
                let above = name.map_or_else(|| name_key(parent_name), |name| name_key(&name));
                format!("{above}:{}", identity.1)
            }
            None => identity.1.clone(),
        };
        self.plan.creations.push(Creation::Category {
            name: group.name.clone(),
            key,
            parent,
            color: group.color.clone(),
            icon: group.icon.clone(),
        });
        Decision::New(Slot(number), None)
    }

    fn name_of(&self, target: Target) -> Option<String> {
        match target {
            Target::Existing(id) => self.tree.by_id.get(&id).map(|one| one.name.clone()),
            Target::Created(slot) => {
                let created = self.prepared.iter().chain(&self.plan.creations);
                match created.into_iter().nth(slot.0 as usize)? {
                    Creation::Category { name, .. } => Some(name.clone()),
                    _ => None,
                }
            }
        }
    }

    fn change(&self, id: Uuid, group: &Group, parent: Option<Target>) -> Decision {
        let Some(before) = self.tree.by_id.get(&id) else {
            return Decision::Known(id, None);
        };
        let moves = parent.is_some() && parent != before.parent.map(Target::Existing);
        if moves && self.tree.has_below.contains(&id) {
            return Decision::Open(format!(
                "{:?} has categories below it, so it can't be put below another one",
                before.name
            ));
        }
        let mut differences = Differences::default();
        if moves {
            let old = before.parent.and_then(|parent| self.tree.by_id.get(&parent));
            let new = parent.and_then(|parent| self.name_of(parent)).or(group.parent.clone());
            differences.add("parent", old.map(|old| old.name.as_str()), new.as_deref());
        }
        let (old, new) = (before.color.as_deref(), group.color.as_deref());
        let color = differences.replaced("color", old, new, str::eq_ignore_ascii_case);
        let (old, new) = (before.icon.as_deref(), group.icon.as_deref());
        let icon = differences.replaced("icon", old, new, |old, new| old == new);
        let (color, icon) = (color.map(str::to_owned), icon.map(str::to_owned));
        let Some(text) = differences.text() else { return Decision::Known(id, None) };
        let revision = CategoryRevision {
            id,
            name: None,
            parent: moves.then_some(parent),
            color: color.map(Some),
            icon: icon.map(Some),
        };
        Decision::Known(id, Some((RecordChange::ReviseCategory(revision), text)))
    }
}
