//! What a family has that rules can point to: categories, merchants, tags and accounts, by id and
//! by name.
//!
//! Names of categories are unique below their parent only, those of accounts not at all. A name
//! that several have stands for none of them, also where one of them has it alone on the first
//! level: whoever wrote it may mean another.

use std::collections::HashMap;

use uuid::Uuid;

use super::{Noun, Reference, Rule};
use crate::error::{Problem, Problems};
use crate::import::mapping::path_key;
use crate::text::label::name_key;

/// Names by id, and ids by the keys of names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    names: HashMap<(Noun, Uuid), String>,
    keys: HashMap<(Noun, String), Vec<Uuid>>,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameMatch {
    /// Something that only it names.
    One(Uuid),
    /// Several have the name; these are their whole names.
    Several(Vec<String>),
    /// Nothing is called so.
    Nothing,
}

impl Catalogue {
    /// Adds a thing. A category is found by its whole path and by its own name.
    pub fn add(&mut self, noun: Noun, id: Uuid, name: String) {
        let key = key_of(noun, &name);
        if noun == Noun::Category
            && let Some((_, leaf)) = key.split_once(':')
        {
            self.keys.entry((noun, leaf.to_owned())).or_default().push(id);
        }
        self.keys.entry((noun, key)).or_default().push(id);
        self.names.insert((noun, id), name);
    }

    /// The name of a thing, found by its id.
    pub fn name(&self, noun: Noun, id: Uuid) -> Option<&str> {
        self.names.get(&(noun, id)).map(String::as_str)
    }

    /// What a name stands for.
    pub fn find(&self, noun: Noun, name: &str) -> NameMatch {
        match self.keys.get(&(noun, key_of(noun, name))).map(Vec::as_slice) {
            None | Some([]) => NameMatch::Nothing,
            Some([only]) => NameMatch::One(*only),
            Some(several) => {
                let names = several.iter().filter_map(|id| self.name(noun, *id));
                NameMatch::Several(names.map(str::to_owned).collect())
            }
        }
    }

    /// The category with this whole name: a name without a colon is that of the first level.
    pub fn category_of_path(&self, path: &str) -> Option<Uuid> {
        let key = path_key(path);
        let is_whole =
            |id: &&Uuid| self.name(Noun::Category, **id).is_some_and(|name| path_key(name) == key);
        self.keys.get(&(Noun::Category, key.clone()))?.iter().find(is_whole).copied()
    }

    /// Replaces the name in a reference by an id of the family, or adds a problem. A name without a
    /// match is left as it is.
    pub fn resolve(
        &self,
        noun: Noun,
        reference: &mut Reference,
        field: &str,
        problems: &mut Problems,
    ) {
        match reference {
            Reference::Id(id) if self.names.contains_key(&(noun, *id)) => {}
            Reference::Id(_) => {
                problems.push(unknown(noun, field));
            }
            Reference::Name(name) => match self.find(noun, name) {
                NameMatch::One(id) => *reference = Reference::Id(id),
                NameMatch::Nothing => {}
                NameMatch::Several(names) => {
                    problems.push(ambiguous(noun, name, &names, field));
                }
            },
        }
    }

    /// Why a rule can't run: something that it points to is gone.
    pub fn problem(&self, rule: &Rule) -> Option<String> {
        let mut rule = rule.clone();
        let missing = |noun: Noun, reference: &mut Reference| match reference {
            Reference::Id(id) if self.names.contains_key(&(noun, *id)) => Ok(()),
            _ => Err(noun),
        };
        let in_conditions = rule
            .conditions
            .iter_mut()
            .try_for_each(|condition| condition.for_each_reference(&mut &missing));
        let in_actions =
            rule.actions.iter_mut().try_for_each(|action| action.for_each_reference(&mut &missing));
        let (part, noun) = match (in_conditions, in_actions) {
            (Err(noun), _) => ("A condition", noun),
            (_, Err(noun)) => ("An action", noun),
            (Ok(()), Ok(())) => return None,
        };
        Some(format!("{part} names {} that does not exist any more", with_article(noun)))
    }
}

/// The problem of a name that several have.
pub fn ambiguous(noun: Noun, name: &str, names: &[String], field: &str) -> Problem {
    let predicate = match noun {
        Noun::Category => format!(
            "is ambiguous: several categories are called {name} ({}); send the id, or the path of \
             one that is below another",
            names.join("; ")
        ),
        Noun::Merchant | Noun::Tag | Noun::Account => {
            format!("is ambiguous: several {}s are called {name}", noun.as_str())
        }
    };
    Problem::field(field, predicate)
}

/// The problem of something that the family doesn't have, whether an id or a name stands for it.
pub fn unknown(noun: Noun, field: &str) -> Problem {
    Problem::field(field, format!("is not {} of this family", with_article(noun)))
}

/// The noun in a sentence.
pub fn with_article(noun: Noun) -> &'static str {
    match noun {
        Noun::Category => "a category",
        Noun::Merchant => "a merchant",
        Noun::Tag => "a tag",
        Noun::Account => "an account",
    }
}

/// What names of a kind are compared by.
pub fn key_of(noun: Noun, name: &str) -> String {
    match noun {
        Noun::Category => path_key(name),
        Noun::Merchant | Noun::Tag | Noun::Account => name_key(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn one(found: NameMatch) -> Option<Uuid> {
        match found {
            NameMatch::One(id) => Some(id),
            NameMatch::Several(_) | NameMatch::Nothing => None,
        }
    }

    #[test]
    fn categories_are_found_by_path_and_by_a_name_that_only_one_has() {
        let mut catalogue = Catalogue::default();
        for (number, name) in
            [(1, "Food"), (2, "Food: Bars"), (3, "Fun: Bars"), (4, "Fun: Food"), (5, "Fun")]
        {
            catalogue.add(Noun::Category, id(number), name.to_owned());
        }
        let find = |name| one(catalogue.find(Noun::Category, name));
        assert_eq!(find(" FUN"), Some(id(5)));
        assert_eq!(find("food:bars"), Some(id(2)));
        assert_eq!(find("Fun : Food"), Some(id(4)));
        let several = |name: &str| match catalogue.find(Noun::Category, name) {
            NameMatch::Several(names) => names,
            NameMatch::One(_) | NameMatch::Nothing => Vec::new(),
        };
        assert_eq!(several("Bars"), ["Food: Bars", "Fun: Bars"]);
        assert_eq!(several("food"), ["Food", "Fun: Food"], "none is preferred");
        assert_eq!(catalogue.category_of_path("food"), Some(id(1)));
        assert_eq!(catalogue.category_of_path("Fun:Bars"), Some(id(3)));
        assert_eq!(catalogue.category_of_path("Bars"), None);
        assert!(matches!(catalogue.find(Noun::Category, "Cars"), NameMatch::Nothing));
        assert!(matches!(catalogue.find(Noun::Tag, "Food"), NameMatch::Nothing));
    }

    #[test]
    fn a_name_of_several_categories_is_a_problem_that_names_their_paths() {
        let mut catalogue = Catalogue::default();
        catalogue.add(Noun::Category, id(1), "Groceries".to_owned());
        catalogue.add(Noun::Category, id(2), "Food: Groceries".to_owned());
        let mut problems = Problems::new();
        let mut reference = Reference::Name("groceries".to_owned());
        catalogue.resolve(Noun::Category, &mut reference, "value", &mut problems);
        assert_eq!(
            problems.texts(),
            [
                "The value is ambiguous: several categories are called groceries (Groceries; Food: Groceries); \
                 send the id, or the path of one that is below another"
            ]
        );
    }

    #[test]
    fn a_name_of_several_accounts_is_a_problem() {
        let mut catalogue = Catalogue::default();
        catalogue.add(Noun::Account, id(1), "Giro".to_owned());
        catalogue.add(Noun::Account, id(2), "giro".to_owned());
        let mut problems = Problems::new();
        let mut reference = Reference::Name("GIRO".to_owned());
        catalogue.resolve(Noun::Account, &mut reference, "value", &mut problems);
        assert_eq!(problems.texts(), ["The value is ambiguous: several accounts are called GIRO"]);
    }
}
