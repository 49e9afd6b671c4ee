//! Categories and rules in a plan, and what creations and changes point to.

use uuid::Uuid;

use super::{Creation, RecordChange, Target};
use crate::error::{Error, Result};
use crate::rules::{Noun, Reference, Rule};

/// The changes of a category; `None` leaves a field alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryRevision {
    /// The category that changes.
    pub id: Uuid,
    /// The new name of its own level.
    pub name: Option<String>,
    /// The new parent, which is of the first level; `Some(None)` moves it to the first level.
    pub parent: Option<Option<Target>>,
    /// Another color; `Some(None)` clears it.
    pub color: Option<Option<String>>,
    /// Another icon; `Some(None)` clears it.
    pub icon: Option<Option<String>>,
}

impl CategoryRevision {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.name.is_none() && self.parent.is_none() && self.color.is_none() && self.icon.is_none()
    }
}

/// A rule with the values that it has from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleDraft {
    /// As somebody calls it.
    pub name: Option<String>,
    /// Whether it is switched on.
    pub active: bool,
    /// When it runs, compared with others.
    pub position: u32,
    /// Its conditions and actions. A name in them is one of [`RuleDraft::named`].
    pub rule: Rule,
    /// What the names in its conditions and actions stand for.
    pub named: Vec<NamedTarget>,
}

/// What a name in a rule stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedTarget {
    /// The kind of thing that is named.
    pub noun: Noun,
    /// The name as the rule has it.
    pub name: String,
    /// What it stands for.
    pub target: Target,
}

impl RuleDraft {
    fn targets_mut(&mut self) -> Vec<&mut Target> {
        self.named.iter_mut().map(|one| &mut one.target).collect()
    }

    /// The rule with the ids of everything that it names; `id` returns that of a target.
    ///
    /// # Errors
    /// The name that stands for nothing, or an error of `id`.
    pub fn resolved(&self, id: impl Fn(Target) -> Result<Uuid>) -> Result<Rule> {
        let mut rule = self.rule.clone();
        let mut visit = |noun: Noun, reference: &mut Reference| {
            let Reference::Name(name) = &*reference else { return Ok(()) };
            let found = self.named.iter().find(|one| one.noun == noun && one.name == *name);
            let unknown = || Error::internal(format!("a rule names {name:?}, which is nothing"));
            *reference = Reference::Id(id(found.ok_or_else(unknown)?.target)?);
            Ok::<(), Error>(())
        };
        rule.conditions.iter_mut().try_for_each(|one| one.for_each_reference(&mut visit))?;
        rule.actions.iter_mut().try_for_each(|one| one.for_each_reference(&mut visit))?;
        Ok(rule)
    }
}

impl Creation {
    /// What it points to.
    pub fn targets_mut(&mut self) -> Vec<&mut Target> {
        match self {
            Self::Category { parent, .. } => parent.iter_mut().collect(),
            Self::Rule(draft) => draft.targets_mut(),
            Self::Account(_) | Self::Tag { .. } | Self::Merchant { .. } => Vec::new(),
        }
    }
}

impl RecordChange {
    /// What it points to.
    pub fn targets_mut(&mut self) -> Vec<&mut Target> {
        match self {
            Self::ReviseCategory(CategoryRevision { parent: Some(Some(parent)), .. }) => {
                vec![parent]
            }
            Self::ReviseRule { draft, .. } => draft.targets_mut(),
            _ => Vec::new(),
        }
    }
}
