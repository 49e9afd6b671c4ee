//! What was spent and what came in, compared with a budget.
//!
//! Each category of the first level is one sum with those below it: money out less money in. If it
//! is positive, or a line of the budget names one of them, it is spending; else it is income, so
//! that a refund lessens what was spent, and a salary is not negative spending. Entries without a
//! category have nothing to be taken from: money out is spending, money in is income.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::ids::CategoryId;

/// Income and expense under a category. Neither is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    /// The category, of either level; `None` for entries without one.
    pub category: Option<CategoryId>,
    /// The money that came in.
    pub income: i128,
    /// The money that went out.
    pub expense: i128,
}

/// The sums of a month.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    /// The spending of the whole month.
    pub spending: i128,
    /// The income of the whole month.
    pub income: i128,
    /// Expense minus income for each category that has entries; categories of the first level
    /// include those below them.
    pub by_category: HashMap<CategoryId, i128>,
    /// Spending that no line of the budget covers, by category of the first level; `None` for
    /// entries without a category.
    pub unbudgeted: BTreeMap<Option<CategoryId>, i128>,
}

impl Overview {
    /// The spending under a category.
    pub fn spent(&self, category: CategoryId) -> i128 {
        self.by_category.get(&category).copied().unwrap_or_default()
    }
}

/// Sums up flows that are within [`crate::money::sum::SUM_MAX`] together. `parents` has the
/// category above for each of the second level; `budgeted` are the categories that the budget has
/// lines for.
pub fn overview(
    flows: &[Flow],
    parents: &HashMap<CategoryId, CategoryId>,
    budgeted: &HashSet<CategoryId>,
) -> Overview {
    let mut overview = Overview::default();
    let mut roots: BTreeMap<CategoryId, i128> = BTreeMap::new();
    for flow in flows {
        let net = flow.expense - flow.income;
        let Some(category) = flow.category else {
            overview.income += flow.income;
            overview.spending += flow.expense;
            *overview.unbudgeted.entry(None).or_default() += flow.expense;
            continue;
        };
        *overview.by_category.entry(category).or_default() += net;
        let root = parents.get(&category).copied().unwrap_or(category);
        *roots.entry(root).or_default() += net;
        if root != category {
            *overview.by_category.entry(root).or_default() += net;
        }
    }
    let named: HashSet<CategoryId> =
        budgeted.iter().map(|id| parents.get(id).copied().unwrap_or(*id)).collect();
    for (root, net) in roots {
        let is_named = named.contains(&root);
        if net < 0 && !is_named {
            overview.income -= net;
            continue;
        }
        overview.spending += net;
        let outside = if budgeted.contains(&root) {
            0
        } else {
            // Lines of the second level cover only their own part.
            let below = budgeted.iter().filter(|id| parents.get(id) == Some(&root));
            net - below.map(|id| overview.spent(*id)).sum::<i128>()
        };
        if outside != 0 {
            overview.unbudgeted.insert(Some(root), outside);
        }
    }
    overview.unbudgeted.retain(|_, spent| *spent != 0);
    overview
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    fn id(number: u128) -> CategoryId {
        CategoryId(Uuid::from_u128(number))
    }

    fn flow(category: u128, income: i128, expense: i128) -> Flow {
        Flow { category: (category > 0).then(|| id(category)), income, expense }
    }

    /// Categories 11 and 12 are below 1, and 21 is below 2.
    fn parents() -> HashMap<CategoryId, CategoryId> {
        [(11, 1), (12, 1), (21, 2)].map(|(child, root)| (id(child), id(root))).into()
    }

    #[test]
    fn what_is_below_counts_for_what_is_above() {
        let flows = [flow(1, 0, 10), flow(11, 5, 30), flow(12, 0, 7), flow(21, 2000, 0)];
        let sums = overview(&flows, &parents(), &[id(1), id(11)].into());
        assert_eq!((sums.spending, sums.income), (42, 2000));
        assert_eq!((sums.spent(id(1)), sums.spent(id(11)), sums.spent(id(12))), (42, 25, 7));
        assert_eq!(sums.spent(id(3)), 0);
        assert!(sums.unbudgeted.is_empty());
    }

    #[test]
    fn a_line_of_the_second_level_covers_its_own_part() {
        let flows = [flow(1, 0, 10), flow(11, 0, 30), flow(2, 0, 4), flow(0, 3, 5)];
        let sums = overview(&flows, &parents(), &[id(11)].into());
        assert_eq!((sums.spending, sums.income), (49, 3));
        let unbudgeted: Vec<_> = sums.unbudgeted.into_iter().collect();
        assert_eq!(unbudgeted, [(None, 5), (Some(id(1)), 10), (Some(id(2)), 4)]);
    }

    #[test]
    fn sums_may_be_larger_than_amounts() {
        let most = i128::from(i64::MAX) * 3;
        let flows = [flow(1, 0, most), flow(11, 5, most), flow(2, most, 0), flow(0, 1, most)];
        let sums = overview(&flows, &parents(), &[id(11)].into());
        assert_eq!((sums.spending, sums.income), (most * 3 - 5, most + 1));
        assert_eq!((sums.spent(id(1)), sums.spent(id(11))), (most * 2 - 5, most - 5));
        assert_eq!(sums.unbudgeted[&Some(id(1))], most);
    }

    #[test]
    fn refunds_of_what_is_budgeted_are_no_income() {
        let flows = [flow(1, 50, 10), flow(2, 50, 10)];
        let sums = overview(&flows, &parents(), &[id(1)].into());
        assert_eq!((sums.spending, sums.income), (-40, 40));
        assert_eq!(sums.spent(id(1)), -40);
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_nothing_counted_twice(
            rows in prop::collection::vec(
                (prop::sample::select(vec![0u128, 1, 2, 3, 11, 12, 21]), 0i128..1000, 0i128..1000),
                0..20,
            ),
            lines in prop::collection::hash_set(
                prop::sample::select(vec![1u128, 2, 3, 11, 12, 21]), 0..4),
        ) {
            let flows: Vec<Flow> =
                rows.iter().map(|(category, income, expense)| flow(*category, *income, *expense))
                    .collect();
            let budgeted: HashSet<CategoryId> = lines.into_iter().map(id).collect();
            let sums = overview(&flows, &parents(), &budgeted);
            let net: i128 = flows.iter().map(|one| one.expense - one.income).sum();
            prop_assert_eq!(sums.spending - sums.income, net);
            prop_assert!(sums.income >= 0);
            // Lines of the first level, lines of the second without one for their parent, and the
            // rest.
            let counted = budgeted
                .iter()
                .filter(|id| parents().get(id).is_none_or(|root| !budgeted.contains(root)))
                .map(|id| sums.spent(*id))
                .sum::<i128>();
            prop_assert_eq!(counted + sums.unbudgeted.values().sum::<i128>(), sums.spending);
        }
    }
}
