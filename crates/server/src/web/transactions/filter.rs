//! The filters of the list, as its form sends them. A blank field doesn't filter; a value that
//! can't be understood is reported, and nothing is listed.

use purser_app::labels::CategoryPath;
use purser_app::transactions::{Listing, Search};
use purser_core::error::{Error, Problem, Problems};
use purser_core::ids::{AccountId, CategoryId};
use purser_core::ledger::nature::Nature;

use crate::http::filters::{self, collect};
use crate::http::pagination::QueryParams;

/// The category of those that have none.
pub(super) const NO_CATEGORY: &str = "none";
/// The fields, in the order in which addresses have them.
pub(super) const FIELDS: [&str; 6] = ["q", "account", "category", "direction", "from", "to"];

/// Reads the filters of the address.
pub(super) fn listing(query: &QueryParams, categories: &[CategoryPath]) -> Result<Listing, Error> {
    let mut problems = Problems::new();
    let found = &mut problems;
    let account = collect(filters::id::<AccountId>(query, "account"), found);
    let (category, uncategorized) = match collect(filters::value(query, "category"), found) {
        Some(NO_CATEGORY) => (None, Some(true)),
        _ => (collect(filters::id::<CategoryId>(query, "category"), found), None),
    };
    let listing = Listing {
        accounts: account.map(|account| vec![account]),
        categories: category.map(|one| with_those_below(one, categories)).unwrap_or_default(),
        uncategorized,
        start: collect(filters::day(query, "from"), found),
        end: collect(filters::day(query, "to"), found),
        nature: collect(direction(query), found),
        search: collect(query.one("q").and_then(|text| text.map_or(Ok(None), Search::new)), found),
        ..Listing::default()
    };
    problems.into_result()?;
    Ok(listing)
}

/// Whoever chooses `Food` means `Food: Bars` too.
fn with_those_below(chosen: CategoryId, categories: &[CategoryPath]) -> Vec<CategoryId> {
    let below = categories.iter().filter(|one| one.parent == Some(chosen)).map(|one| one.id);
    std::iter::once(chosen).chain(below).collect()
}

fn direction(query: &QueryParams) -> Result<Option<Nature>, Error> {
    match filters::value(query, "direction")? {
        None => Ok(None),
        Some("in") => Ok(Some(Nature::Income)),
        Some("out") => Ok(Some(Nature::Expense)),
        Some(_) => Err(Problem::field("direction", "must be in or out").into()),
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn read(text: &str, categories: &[CategoryPath]) -> Result<Listing, Error> {
        listing(&QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap(), categories)
    }

    #[test]
    fn a_category_stands_for_those_below_it() {
        let id = |number| CategoryId(Uuid::from_u128(number));
        let path = |number, parent| CategoryPath {
            id: id(number),
            parent,
            name: String::new(),
            path: String::new(),
            color: String::new(),
            icon: None,
        };
        let categories = [path(1, None), path(2, Some(id(1))), path(3, None)];
        let found = read(&format!("category={}", id(1)), &categories).unwrap();
        assert_eq!((found.categories, found.uncategorized), (vec![id(1), id(2)], None));
        let found = read("category=none", &categories).unwrap();
        assert_eq!((found.categories, found.uncategorized), (vec![], Some(true)));
    }

    #[test]
    fn blank_fields_do_not_filter_and_wrong_ones_are_named() {
        let found = read("q=+&account=&category=&direction=&from=&to=", &[]).unwrap();
        assert!(found.accounts.is_none() && found.search.is_none() && found.start.is_none());
        let error = read("account=1&category=2&direction=up&from=x&to=y&q=%00", &[]).unwrap_err();
        assert!(matches!(error, Error::Invalid { problems: errors, .. } if errors.len() == 6));
    }
}
