//! What becomes of the rows of a file of categories.
//!
//! A row stands for the category of the same name below the same parent. If the family has none
//! there, but exactly one category of that name, and the file names it once and gives a parent,
//! that one is moved: unless the name was written as a path, which means this place and no other. A
//! row without a parent stands for the category of the first level, else for the only one of its
//! name; it never takes a category away from its parent.

use std::collections::{BTreeMap, HashMap, HashSet};

use uuid::Uuid;

use super::set::{Identity, OwnedRow};
use super::{CategoryKind, Row};
use crate::import::kind::WholePlanner;
use crate::import::mapping::MappingKind;
use crate::import::row_edit::RowChoice;
use crate::import::verdict::Verdict;
use crate::import::whole::{
    CategoryRecord, FamilyRecords, NameTargets, PlannedRow, Step, WholePlan,
};
use crate::plan::{CategoryRevision, Creation, RecordChange, Slot, Target};
use crate::text::label::name_key;

/// Collects the rows and plans them.
#[derive(Debug, Default)]
pub(super) struct CategoryPlanner {
    rows: Vec<(Option<OwnedRow>, RowChoice)>,
}

impl WholePlanner<CategoryKind> for CategoryPlanner {
    fn row(&mut self, number: u64, line: u64, row: Option<&Row<'_>>, choice: RowChoice) {
        self.rows.push((row.map(|row| OwnedRow::of(number, line, row)), choice));
    }

    fn finish(
        self: Box<Self>,
        view: &FamilyRecords,
        mapped: &dyn NameTargets,
        prepared: &[Creation],
    ) -> WholePlan {
        let groups = Groups::of(&self.rows);
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
        let mut order: Vec<&Identity> = groups.all.keys().collect();
        order.sort_by_key(|identity| (identity.0.is_some(), groups.first_row(identity)));
        for identity in order {
            planning.settle(identity);
        }
        let rows = self.rows.iter().enumerate().map(|(at, (row, choice))| match (row, choice) {
            (_, RowChoice::LeaveOut) => PlannedRow::idle(Verdict::LeftOut),
            (None, _) => PlannedRow::idle(Verdict::Invalid),
            (Some(row), _) => planning.outcome(at, row),
        });
        let rows = rows.collect();
        WholePlan { rows, ..planning.plan }
    }
}

/// Rows that stand for one category, as one.
#[derive(Debug)]
struct Group {
    /// Position of the first of its rows.
    first: usize,
    line: u64,
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
    fn of(rows: &[(Option<OwnedRow>, RowChoice)]) -> Self {
        let mut groups = Self::default();
        for (at, (row, choice)) in rows.iter().enumerate() {
            let Some(row) = row.as_ref().filter(|_| *choice != RowChoice::LeaveOut) else {
                continue;
            };
            let identity = row.identity();
            groups.parents.extend(identity.0.clone());
            let group = groups.all.entry(identity).or_insert_with(|| {
                *groups.named.entry(name_key(&row.name)).or_default() += 1;
                Group {
                    first: at,
                    line: row.line,
                    name: row.name.clone(),
                    parent: row.parent.clone(),
                    is_path: false,
                    color: None,
                    icon: None,
                    is_new: false,
                }
            });
            group.is_path |= row.is_path;
            group.is_new |= *choice == RowChoice::Create;
            group.color = group.color.take().or_else(|| row.color.clone());
            group.icon = group.icon.take().or_else(|| row.icon.clone());
        }
        groups
    }

    fn first_row(&self, identity: &Identity) -> usize {
        self.all.get(identity).map_or(usize::MAX, |group| group.first)
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

/// The decision on a category of the file.
#[derive(Debug, Clone)]
enum Decision {
    /// The category is created with this slot.
    New(Slot),
    /// It exists; with the change and its description, if anything of it changes.
    Known(Uuid, Option<(RecordChange, String)>),
    /// A person must decide, for the given reason.
    Open(String),
}

impl Decision {
    fn target(&self) -> Option<Target> {
        match self {
            Self::New(slot) => Some(Target::Created(*slot)),
            Self::Known(id, _) => Some(Target::Existing(*id)),
            Self::Open(_) => None,
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
    fn settle(&mut self, identity: &Identity) {
        let Some(group) = self.groups.all.get(identity) else { return };
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
        Decision::New(Slot(number))
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
        // A color is the same in either case.
        let is_same =
            |new: &&String| before.color.as_ref().is_some_and(|old| old.eq_ignore_ascii_case(new));
        let color = group.color.as_ref().filter(|new| !is_same(new)).cloned();
        let icon = group.icon.clone().filter(|new| Some(new) != before.icon.as_ref());
        let mut parts = Vec::new();
        let shown = |value: Option<&str>| value.map_or_else(|| "none".to_owned(), str::to_owned);
        if moves {
            let old = before.parent.and_then(|parent| self.tree.by_id.get(&parent));
            let new = parent.and_then(|parent| self.name_of(parent)).or(group.parent.clone());
            parts.push(format!(
                "parent: {} → {}",
                shown(old.map(|old| old.name.as_str())),
                shown(new.as_deref())
            ));
        }
        for (field, new, old) in [("color", &color, &before.color), ("icon", &icon, &before.icon)] {
            if let Some(new) = new {
                parts.push(format!("{field}: {} → {new}", shown(old.as_deref())));
            }
        }
        if parts.is_empty() {
            return Decision::Known(id, None);
        }
        let revision = CategoryRevision {
            id,
            name: None,
            parent: moves.then_some(parent),
            color: color.map(Some),
            icon: icon.map(Some),
        };
        Decision::Known(id, Some((RecordChange::ReviseCategory(revision), parts.join(", "))))
    }

    /// The plan of a row: the first row of a category acts for all of them.
    fn outcome(&self, at: usize, row: &OwnedRow) -> PlannedRow {
        let identity = row.identity();
        let group = self.groups.all.get(&identity);
        let (Some(group), Some(settled)) = (group, self.settled.get(&identity)) else {
            return PlannedRow::idle(Verdict::Invalid);
        };
        let open = |why: &String| PlannedRow {
            reason: Some(why.clone()),
            ..PlannedRow::idle(Verdict::NeedsChoice)
        };
        match settled {
            Decision::Open(why) => open(why),
            _ if group.first != at => PlannedRow {
                reason: Some(format!("Line {} has the same category", group.line)),
                ..PlannedRow::idle(Verdict::Repeats)
            },
            Decision::New(slot) => {
                PlannedRow { step: Some(Step::Create(*slot)), ..PlannedRow::idle(Verdict::Create) }
            }
            Decision::Known(id, None) => PlannedRow {
                record: Some(*id),
                reason: Some(format!("It is the category {:?}", self.tree.path(*id))),
                ..PlannedRow::idle(Verdict::MatchedByName)
            },
            Decision::Known(id, Some((change, what))) => PlannedRow {
                verdict: Verdict::Change,
                record: Some(*id),
                reason: Some(format!("The category {:?} changes: {what}", self.tree.path(*id))),
                step: Some(Step::Change(change.clone())),
            },
        }
    }
}
