//! The filter of a list of transactions.

use purser_app::transactions::{AmountBound, Listing, SEARCH_CHARS_MAX, Search, TAGS_MAX};
use purser_core::error::Result;
use purser_core::ids::{AccountId, CategoryId, MerchantId, TagId};
use purser_core::ledger::nature::Nature;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};

use crate::http::describe::Description;
use crate::http::filters;
use crate::http::pagination::QueryParams;
use crate::http::query::{Choice, Day, Decimal, Flag, Ids, Parameter, query};

query! {
    /// The filter of a list of transactions.
    pub(super) struct TransactionFilter {
        /// Only transactions of this account.
        account_id: Ids<AccountId>,
        /// Only transactions with this category itself, without its subcategories.
        category_id: Ids<CategoryId>,
        /// Only transactions without a category (`true`), or only the others (`false`).
        uncategorized: Flag,
        /// Only transactions with this merchant.
        merchant_id: Ids<MerchantId>,
        /// Only transactions with at least one of these tags, of which there may be 64.
        tag_id: TagIds,
        /// Only transactions from this day on.
        start_date: Day,
        /// Only transactions up to this day.
        end_date: Day,
        /// Only amounts from this one on; amounts are positive for money out.
        min_amount: Decimal,
        /// Only amounts up to this one; amounts are positive for money out.
        max_amount: Decimal,
        /// Only money in (`income`), or only money out and amounts of zero (`expense`).
        r#type: Choice<Nature>,
        /// Only transactions with this text in their name, their notes or the name of their
        /// merchant, in any case. `%` and `_` are ordinary characters. Letters with and without
        /// accents differ: `é` is not `e`.
        search: SearchText,
    }
}

impl TransactionFilter {
    pub(super) fn listing(self) -> Listing {
        let filter = self;
        Listing {
            accounts: (!filter.account_id.is_empty()).then_some(filter.account_id),
            categories: filter.category_id,
            merchants: filter.merchant_id,
            tags: filter.tag_id,
            uncategorized: filter.uncategorized,
            start: filter.start_date,
            end: filter.end_date,
            min_amount: filter.min_amount.map(AmountBound::at_least),
            max_amount: filter.max_amount.map(AmountBound::at_most),
            nature: filter.r#type,
            search: filter.search,
        }
    }
}

/// The ids of at most [`TAGS_MAX`] tags.
struct TagIds;

impl Parameter for TagIds {
    type Value = Vec<TagId>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Vec<TagId>> {
        let tags = Ids::<TagId>::read(params, name)?;
        if tags.len() > TAGS_MAX {
            return Err(filters::invalid("tag_ids", format!("must be at most {TAGS_MAX} ids")));
        }
        Ok(tags)
    }

    fn describe(operation: &mut Description<'_>, name: &'static str, description: String) {
        Ids::<TagId>::describe(operation, name, description);
    }

    fn schema() -> RefOr<Schema> {
        Ids::<TagId>::schema()
    }
}

/// A text to search for.
struct SearchText;

impl Parameter for SearchText {
    type Value = Option<Search>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Option<Search>> {
        params.one(name)?.map_or(Ok(None), Search::new)
    }

    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.max_length(Some(SEARCH_CHARS_MAX)).into()
    }
}

#[cfg(test)]
mod tests {
    use purser_core::error::{Error, texts};

    use super::*;
    use crate::http::query::{Query as _, Unpaged};

    fn read(text: &str) -> std::result::Result<Listing, Vec<String>> {
        let params = QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap();
        match Unpaged::<TransactionFilter>::read(&params) {
            Ok(Unpaged(filter)) => Ok(filter.listing()),
            Err(Error::Invalid { problems, .. }) => Err(texts(&problems)),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn blank_parameters_do_not_filter() {
        let listing = read("account_id=&type=&search=+&min_amount=&start_date=").unwrap();
        assert!(listing.accounts.is_none() && listing.nature.is_none());
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
        assert_eq!(listing.nature, Some(Nature::Income));
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
