//! The parameters of the list of transactions.

use purser_app::transactions::{AmountBound, Direction, Listing, Search, TAGS_MAX};
use purser_core::error::{Error, Problems};
use purser_core::ids::AccountId;
use utoipa::IntoParams;
use uuid::Uuid;

use crate::http::filters::{self, collect};
use crate::http::pagination::QueryParams;

/// The filter, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what listing() reads")]
pub(super) struct TransactionFilter {
    /// Only of this account.
    account_id: Option<Uuid>,
    /// Only of these accounts; also as `account_ids=a,b`.
    #[param(rename = "account_ids[]")]
    account_ids: Option<Vec<Uuid>>,
    /// Only of this category, not of those below it.
    category_id: Option<Uuid>,
    /// Only of these categories; also as `category_ids=a,b`.
    #[param(rename = "category_ids[]")]
    category_ids: Option<Vec<Uuid>>,
    /// Only without (`true`) or only with (`false`) a category.
    uncategorized: Option<bool>,
    /// Only of this merchant.
    merchant_id: Option<Uuid>,
    /// Only of these merchants; also as `merchant_ids=a,b`.
    #[param(rename = "merchant_ids[]")]
    merchant_ids: Option<Vec<Uuid>>,
    /// Only with at least one of these tags, 64 at most; also as `tag_ids=a,b`.
    #[param(rename = "tag_ids[]")]
    tag_ids: Option<Vec<Uuid>>,
    /// From this day on, as `YYYY-MM-DD`.
    #[param(format = Date)]
    start_date: Option<String>,
    /// Up to this day, as `YYYY-MM-DD`.
    #[param(format = Date)]
    end_date: Option<String>,
    /// From this amount on, as a plain decimal; amounts are positive for money out.
    #[param(example = "10.00")]
    min_amount: Option<String>,
    /// Up to this amount, as a plain decimal; amounts are positive for money out.
    #[param(example = "99.99")]
    max_amount: Option<String>,
    /// `income` for money in, `expense` for money out and amounts of zero.
    #[param(rename = "type", example = "expense")]
    direction: Option<String>,
    /// Only with this text in name, notes or the name of the merchant, whatever its case. `%` and
    /// `_` are ordinary characters. Letters are compared as they are written: `é` is not `e`.
    #[param(max_length = 200)]
    search: Option<String>,
}

/// Reads the filter; every problem is reported at once.
pub(super) fn listing(
    query: &QueryParams,
    restriction: Option<&[AccountId]>,
) -> Result<Listing, Error> {
    let mut problems = Problems::new();
    let found = &mut problems;
    let accounts = collect(filters::ids(query, "account_id", "account_ids"), found);
    let tags = collect(filters::ids(query, "tag_id", "tag_ids"), found);
    if tags.len() > TAGS_MAX {
        found.push(format!("tag_ids must name at most {TAGS_MAX} ids"));
    }
    let listing = Listing {
        restriction: restriction.map(<[AccountId]>::to_vec),
        accounts: (!accounts.is_empty()).then_some(accounts),
        categories: collect(filters::ids(query, "category_id", "category_ids"), found),
        merchants: collect(filters::ids(query, "merchant_id", "merchant_ids"), found),
        tags,
        uncategorized: collect(filters::flag(query, "uncategorized"), found),
        start: collect(filters::day(query, "start_date"), found),
        end: collect(filters::day(query, "end_date"), found),
        min_amount: collect(filters::decimal(query, "min_amount"), found)
            .map(AmountBound::at_least),
        max_amount: collect(filters::decimal(query, "max_amount"), found).map(AmountBound::at_most),
        direction: collect(direction(query), found),
        search: collect(search(query), found),
    };
    problems.into_result()?;
    Ok(listing)
}

fn direction(query: &QueryParams) -> Result<Option<Direction>, Error> {
    match filters::value(query, "type")? {
        None => Ok(None),
        Some("income") => Ok(Some(Direction::Income)),
        Some("expense") => Ok(Some(Direction::Expense)),
        Some(_) => Err(Error::invalid("type must be income or expense")),
    }
}

fn search(query: &QueryParams) -> Result<Option<Search>, Error> {
    query.one("search")?.map_or(Ok(None), Search::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Listing, Vec<String>> {
        let query = QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap();
        listing(&query, None).map_err(|error| match error {
            Error::Invalid { problems, .. } => purser_core::error::texts(&problems),
            other => panic!("{other}"),
        })
    }

    #[test]
    fn blank_parameters_do_not_filter() {
        let listing = read("account_id=&type=&search=+&min_amount=&start_date=").unwrap();
        assert!(listing.accounts.is_none() && listing.direction.is_none());
        assert!(listing.search.is_none() && listing.min_amount.is_none());
    }

    #[test]
    fn every_problem_is_reported() {
        let errors = read(
            "account_ids[]=1&category_id=2&merchant_id=3&tag_ids[]=4&start_date=5&end_date=6\
             &min_amount=x&max_amount=y&type=other&uncategorized=maybe&search=%00",
        )
        .unwrap_err();
        assert_eq!(errors.len(), 11, "{errors:?}");
    }

    #[test]
    fn filters_are_read() {
        let listing =
            read("type=income&min_amount=-5&uncategorized=true&search=Caf%C3%A9").unwrap();
        assert_eq!(listing.direction, Some(Direction::Income));
        assert_eq!(listing.uncategorized, Some(true));
        assert_eq!(listing.search, Search::new("café").unwrap());
        assert!(listing.min_amount.is_some());
    }

    #[test]
    fn tags_are_limited() {
        let one = "tag_ids[]=0190f5f0-7c00-7a10-8000-00000000000a&";
        assert_eq!(read(&one.repeat(TAGS_MAX)).unwrap().tags.len(), TAGS_MAX);
        assert_eq!(read(&one.repeat(TAGS_MAX + 1)).unwrap_err().len(), 1);
    }
}
