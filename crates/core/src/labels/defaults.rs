//! A first set of categories, for families that don't want to think of their own.
//!
//! Adding it leaves alone what is there already: see `POST /categories/bootstrap`.

use crate::ledger::nature::Nature;
use crate::text::label::name_key;

const INCOME: &str = "Income";

/// The direction that a category has for clients, by the name of its first level. It has none of
/// its own, because refunds belong to what they are for.
pub fn nature(first_level: &str) -> Nature {
    let is_income = name_key(first_level) == name_key(INCOME);
    if is_income { Nature::Income } else { Nature::Expense }
}

/// A category of the set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultCategory {
    /// What it is called.
    pub name: &'static str,
    /// `#rrggbb`; those below have the same.
    pub color: &'static str,
    /// The name of an icon.
    pub icon: &'static str,
    /// What is below it, with icons.
    pub below: &'static [(&'static str, &'static str)],
}

const fn category(
    name: &'static str,
    color: &'static str,
    icon: &'static str,
    below: &'static [(&'static str, &'static str)],
) -> DefaultCategory {
    DefaultCategory { name, color, icon, below }
}

/// The set, in an order that makes sense to people.
pub const CATEGORIES: &[DefaultCategory] = &[
    category(
        INCOME,
        "#3f9b57",
        "banknote",
        &[("Salary", "briefcase"), ("Interest", "percent"), ("Other income", "plus")],
    ),
    category(
        "Home",
        "#8c6a4f",
        "house",
        &[("Rent & mortgage", "key-round"), ("Utilities", "plug-zap"), ("Repairs", "hammer")],
    ),
    category(
        "Food",
        "#e07a3f",
        "utensils",
        &[("Groceries", "shopping-basket"), ("Eating out", "chef-hat")],
    ),
    category(
        "Transport",
        "#2f7fc1",
        "bus",
        &[("Car", "car"), ("Fuel", "fuel"), ("Tickets", "ticket")],
    ),
    category("Shopping", "#c2498f", "shopping-bag", &[]),
    category("Subscriptions", "#7753c0", "repeat", &[]),
    category("Leisure", "#a04fb8", "drama", &[("Sports", "dumbbell"), ("Travel", "plane")]),
    category("Health", "#d1495b", "heart-pulse", &[]),
    category("Personal care", "#b05a3c", "scissors", &[]),
    category("Children", "#d9a21b", "baby", &[]),
    category("Education", "#4f63c6", "graduation-cap", &[]),
    category("Insurance", "#6b7a8f", "shield", &[]),
    category("Gifts & donations", "#8aa62b", "gift", &[]),
    category("Taxes", "#4d7c6f", "landmark", &[]),
    category("Fees", "#2a9db5", "receipt", &[]),
    category("Savings", "#1f9e89", "piggy-bank", &[]),
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::labels::input::{LabelInput, LabelKind};

    #[test]
    fn every_default_could_have_been_typed_in() {
        let mut names = HashSet::new();
        for category in CATEGORIES {
            let rows = category.below.iter().map(|(name, icon)| (*name, *icon));
            for (name, icon) in rows.chain([(category.name, category.icon)]) {
                let some = |text: &str| Some(Some(text.to_owned()));
                let input = LabelInput {
                    name: some(name),
                    color: some(category.color),
                    icon: some(icon),
                    ..LabelInput::default()
                };
                let checked = input.check_new(LabelKind::Category).unwrap();
                assert_eq!(checked.name.as_deref(), Some(name));
                assert_eq!(checked.color, some(category.color));
                assert!(names.insert(name), "{name} is there twice");
            }
        }
    }
}
