//! What conditions and actions of a file name: records of the family, or such that are created.

use std::collections::HashMap;

use crate::import::mapping::{path_key, split_path};
use crate::labels::input::is_path;
use crate::limits::LABEL_CHARS_MAX;
use crate::plan::{Creation, NamedTarget, Slot, Target};
use crate::rules::catalogue::{Catalogue, NameMatch, key_of, with_article};
use crate::rules::{Noun, Reference, Rule};
use crate::text::label::name_key;

/// Resolves the names of all rules of a file, so that what two of them name is created once.
pub(super) struct References<'c> {
    catalogue: &'c Catalogue,
    /// The number of the first creation.
    first: usize,
    /// What is created, in an order in which what something is below comes before it.
    pub(super) creations: Vec<Creation>,
    created: HashMap<(Noun, String), Target>,
}

/// The names of a rule that nothing in the family has yet.
#[derive(Debug, Default)]
pub(super) struct NewNames {
    /// What they stand for.
    pub(super) named: Vec<NamedTarget>,
    /// For people: `the category "Food"`.
    pub(super) shown: Vec<String>,
}

impl<'c> References<'c> {
    /// Nothing is created yet but what is numbered below `first`.
    pub(super) fn new(catalogue: &'c Catalogue, first: usize) -> Self {
        Self { catalogue, first, creations: Vec::new(), created: HashMap::new() }
    }

    /// Adds a creation; its slot.
    pub(super) fn create(&mut self, creation: Creation) -> Result<Slot, String> {
        let slot = u32::try_from(self.first + self.creations.len());
        self.creations.push(creation);
        slot.map(Slot).map_err(|_| "There are too many rows".to_owned())
    }

    /// The rule with the ids of what the family has; names that it doesn't have are left, and are
    /// in the second value. Nothing is created if a person must decide.
    pub(super) fn resolve(&self, rule: &Rule) -> Result<(Rule, Vec<(Noun, String)>), String> {
        let (mut rule, mut new) = (rule.clone(), Vec::new());
        let mut visit = |noun: Noun, reference: &mut Reference| {
            match self.known(noun, reference)? {
                Some(known) => *reference = known,
                None => {
                    let name = reference.text();
                    check_new(noun, &name)?;
                    if !new.contains(&(noun, name.clone())) {
                        new.push((noun, name));
                    }
                }
            }
            Ok::<(), String>(())
        };
        rule.conditions.iter_mut().try_for_each(|one| one.for_each_reference(&mut visit))?;
        rule.actions.iter_mut().try_for_each(|one| one.for_each_reference(&mut visit))?;
        Ok((rule, new))
    }

    /// What the family has for a reference; `None` if it has nothing of that name.
    fn known(&self, noun: Noun, reference: &Reference) -> Result<Option<Reference>, String> {
        match reference {
            Reference::Id(id) if self.catalogue.name(noun, *id).is_some() => {
                Ok(Some(reference.clone()))
            }
            Reference::Id(id) => {
                Err(format!("The id {id} is not of {} of this family", with_article(noun)))
            }
            Reference::Name(name) => match self.catalogue.find(noun, name) {
                NameMatch::One(id) => Ok(Some(Reference::Id(id))),
                NameMatch::Nothing => Ok(None),
                NameMatch::Several(names) => Err(format!(
                    "The name {name:?} is ambiguous: it stands for {}",
                    names.join(" and for ")
                )),
            },
        }
    }

    /// Creates what the names of a rule stand for, unless another rule of the file named it before.
    pub(super) fn create_names(&mut self, names: &[(Noun, String)]) -> Result<NewNames, String> {
        let mut new = NewNames::default();
        for (noun, name) in names {
            let key = (*noun, key_of(*noun, name));
            let target = match self.created.get(&key) {
                Some(target) => *target,
                None => {
                    new.shown.push(format!("the {} {name:?}", noun.as_str()));
                    self.create_named(*noun, name)?
                }
            };
            let (noun, name) = (*noun, name.clone());
            new.named.push(NamedTarget { noun, name, target });
        }
        Ok(new)
    }

    fn create_named(&mut self, noun: Noun, name: &str) -> Result<Target, String> {
        let plain = || name.trim().to_owned();
        let creation = match noun {
            Noun::Category => return self.create_category(name),
            Noun::Tag => Creation::Tag { name: plain(), color: None },
            Noun::Merchant => Creation::Merchant { name: plain(), color: None, website: None },
            Noun::Account => return Err(format!("There is no account {name:?}")),
        };
        self.remember(noun, name, creation)
    }

    fn create_category(&mut self, name: &str) -> Result<Target, String> {
        let (above, leaf) = split_path(name);
        let parent = match above {
            None => None,
            // What is above is of the first level, whatever else is called so.
            Some(above) => Some(match self.catalogue.category_of_path(above) {
                Some(id) => Target::Existing(id),
                None => match self.created.get(&(Noun::Category, path_key(above))) {
                    Some(target) => *target,
                    None => self.create_category(above)?,
                },
            }),
        };
        let (name_of_level, key) = (leaf.to_owned(), path_key(name));
        let creation =
            Creation::Category { name: name_of_level, key, parent, color: None, icon: None };
        self.remember(Noun::Category, name, creation)
    }

    fn remember(&mut self, noun: Noun, name: &str, creation: Creation) -> Result<Target, String> {
        let target = Target::Created(self.create(creation)?);
        self.created.insert((noun, key_of(noun, name)), target);
        Ok(target)
    }
}

/// Whether something can be called so.
fn check_new(noun: Noun, name: &str) -> Result<(), String> {
    if noun == Noun::Account {
        return Err(format!("There is no account {name:?}; accounts are not created for rules"));
    }
    let (above, leaf) = if noun == Noun::Category { split_path(name) } else { (None, name) };
    let mut levels = above.into_iter().chain([leaf]);
    if levels.clone().any(|level| name_key(level).is_empty()) {
        return Err(format!("The {} {name:?} would have no name", noun.as_str()));
    }
    if noun == Noun::Category && levels.clone().any(is_path) {
        return Err(format!("The category {name:?} has more than two levels"));
    }
    if levels.any(|level| level.chars().count() > LABEL_CHARS_MAX) {
        let noun = noun.as_str();
        return Err(format!(
            "The name of a new {noun} is longer than {LABEL_CHARS_MAX} characters"
        ));
    }
    Ok(())
}
