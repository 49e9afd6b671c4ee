//! Query strings and pages.
//!
//! A parameter is read strictly: given twice, as an array (`page[]=1`) or as an object
//! (`page[x]=1`) it is refused with 422, not ignored. Unknown parameters are ignored.
//! Lists have one of two envelopes: `{data, meta}`, or `{<nouns>, pagination}`.

use axum::extract::FromRequestParts;
use http::request::Parts;
use purser_core::error::{Error, Problem, Problems};
use purser_core::limits::{PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX};
use serde::Serialize;
use utoipa::openapi::schema::{Array, ArrayBuilder, ObjectBuilder};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::error::{ApiError, ApiResult};

/// The parameters of a query string, decoded, in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct QueryParams(Vec<(String, String)>);

impl QueryParams {
    /// The value of a parameter that may be given once.
    pub(crate) fn one(&self, name: &str) -> Result<Option<&str>, Error> {
        let mut found = None;
        for (key, value) in &self.0 {
            let structured =
                key.strip_prefix(name).is_some_and(|rest| rest.starts_with(['[', '%']));
            if structured || (key == name && found.is_some()) {
                return Err(Problem::field(name, "must be given once, as a plain value").into());
            }
            if key == name {
                found = Some(value.as_str());
            }
        }
        Ok(found)
    }

    /// The values of a parameter that may be given several times, as `name[]` or as `name`, each
    /// after the name that it was given by.
    pub(crate) fn many(&self, name: &str) -> Result<Vec<(&str, &str)>, Error> {
        let mut found = Vec::new();
        for (key, value) in &self.0 {
            match key.strip_prefix(name) {
                Some("" | "[]") => found.push((key.as_str(), value.as_str())),
                Some(rest) if rest.starts_with(['[', '%']) => {
                    return Err(Problem::field(name, format!("must be given as {name}[]")).into());
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Reads the query string of an address.
    pub(crate) fn parse(uri: &http::Uri) -> ApiResult<Self> {
        axum::extract::Query::try_from_uri(uri)
            .map(|axum::extract::Query(pairs)| Self(pairs))
            .map_err(|_| ApiError::bad_request("The query string can't be read"))
    }
}

impl<S: Sync> FromRequestParts<S> for QueryParams {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> ApiResult<Self> {
        Self::parse(&parts.uri)
    }
}

/// The largest page: every client surely reads its number exactly.
const PAGE_MAX: u64 = 9_007_199_254_740_991;

/// The page of a list that is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PageRequest {
    /// The number of the page, from 1.
    pub(crate) page: u64,
    /// The number of items of a page, from 1.
    pub(crate) per_page: u32,
}

impl PageRequest {
    /// The first page, of the usual size.
    pub(crate) const FIRST: Self = Self { page: 1, per_page: PAGE_ITEMS_DEFAULT };

    /// Reads `page` and `per_page`, and names every problem of both.
    pub(crate) fn from_query(query: &QueryParams) -> Result<Self, Error> {
        Self::sized(query, (PAGE_ITEMS_DEFAULT, PAGE_ITEMS_MAX))
    }

    /// The same for a list with other numbers of items: where none is sent, and at most.
    pub(crate) fn sized(query: &QueryParams, (default, most): (u32, u32)) -> Result<Self, Error> {
        let mut problems = Problems::new();
        let mut read = |name, max, default| match number(query, name, max) {
            Ok(number) => number.unwrap_or(default),
            Err(problem) => {
                problems.extend(problem.into_problems());
                default
            }
        };
        let page = read("page", PAGE_MAX, 1);
        let per_page = read("per_page", u64::MAX, u64::from(default));
        problems.into_result()?;
        let per_page = u32::try_from(per_page).unwrap_or(most).min(most);
        Ok(Self { page, per_page })
    }

    /// How many items come before the page.
    pub(crate) fn offset(self) -> i64 {
        let offset = u128::from(self.page - 1) * u128::from(self.per_page);
        i64::try_from(offset).unwrap_or(i64::MAX)
    }

    /// How many items the page has at most.
    pub(crate) fn limit(self) -> i64 {
        i64::from(self.per_page)
    }

    /// The number of pages of a list, at least one.
    pub(crate) fn total_pages(self, total_count: u64) -> u64 {
        total_count.div_ceil(u64::from(self.per_page)).max(1)
    }
}

/// A whole number from 1 to `max`, written with digits only.
fn number(query: &QueryParams, name: &'static str, max: u64) -> Result<Option<u64>, Error> {
    let Some(text) = query.one(name)? else { return Ok(None) };
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // Digits that 64 bits don't hold are a very large number.
    match text.parse().unwrap_or(u64::MAX) {
        number if digits && (1..=max).contains(&number) => Ok(Some(number)),
        _ => Err(Problem::field(name, "must be a whole number of 1 or more").into()),
    }
}

impl<S: Sync> FromRequestParts<S> for PageRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> ApiResult<Self> {
        let query = QueryParams::from_request_parts(parts, state).await?;
        Ok(Self::from_query(&query)?)
    }
}

/// A page of a list, as `{data, meta}`.
#[derive(Debug, Serialize)]
pub(crate) struct DataPage<T> {
    /// The items of this page.
    pub(crate) data: Vec<T>,
    /// The position of the page in the list.
    pub(crate) meta: Meta,
}

/// A derived schema would refer to the items without handing on their own schema.
impl<T: ToSchema> PartialSchema for DataPage<T> {
    fn schema() -> RefOr<Schema> {
        let items = Array::new(Ref::from_schema_name(T::name()));
        ObjectBuilder::new()
            .property(
                "data",
                ArrayBuilder::from(items).description(Some("The items of this page.")),
            )
            .required("data")
            .property("meta", Ref::from_schema_name(Meta::name()))
            .required("meta")
            .into()
    }
}

impl<T: ToSchema> ToSchema for DataPage<T> {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((T::name().into_owned(), T::schema()));
        schemas.push((Meta::name().into_owned(), Meta::schema()));
        T::schemas(schemas);
    }
}

/// The position of a page in its list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Meta {
    /// The number of this page, from 1.
    current_page: u64,
    /// The number of the page after it; null on the last.
    #[schema(required)]
    next_page: Option<u64>,
    /// The number of the page before it; null on the first.
    #[schema(required)]
    prev_page: Option<u64>,
    /// The number of pages; 1 when the list is empty.
    total_pages: u64,
    /// The number of items in the whole list.
    total_count: u64,
    /// The number of items of a page.
    per_page: u32,
}

impl Meta {
    /// For a page of a list of `total_count` items.
    pub(crate) fn new(request: PageRequest, total_count: u64) -> Self {
        let total_pages = request.total_pages(total_count);
        Self {
            current_page: request.page,
            next_page: (request.page < total_pages).then(|| request.page + 1),
            prev_page: (request.page > 1).then(|| (request.page - 1).min(total_pages)),
            total_pages,
            total_count,
            per_page: request.per_page,
        }
    }
}

/// The position of a page in its list, for lists that are named after their nouns.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Pagination {
    /// The number of this page, from 1.
    page: u64,
    /// The number of items of a page.
    per_page: u32,
    /// The number of items in the whole list.
    total_count: u64,
    /// The number of pages; 1 when the list is empty.
    total_pages: u64,
}

impl Pagination {
    /// For a page of a list of `total_count` items.
    pub(crate) fn new(request: PageRequest, total_count: u64) -> Self {
        Self {
            page: request.page,
            per_page: request.per_page,
            total_count,
            total_pages: request.total_pages(total_count),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn page(query: &str) -> Result<PageRequest, Vec<String>> {
        let uri: http::Uri = format!("/x?{query}").parse().unwrap();
        let axum::extract::Query(pairs) = axum::extract::Query::try_from_uri(&uri).unwrap();
        PageRequest::from_query(&QueryParams(pairs)).map_err(|error| match error {
            Error::Invalid { problems, .. } => purser_core::error::texts(&problems),
            other => panic!("{other}"),
        })
    }

    #[test]
    fn pages_are_whole_numbers_from_one() {
        let request = |page, per_page| Ok(PageRequest { page, per_page });
        assert_eq!(page(""), request(1, 25));
        assert_eq!(page("page=3&per_page=10&other=x&other=y"), request(3, 10));
        assert_eq!(page("per_page=101"), request(1, 100));
        assert_eq!(page("per_page=99999999999"), request(1, 100));
        let beyond_64_bits = "99999999999999999999999";
        assert_eq!(page(&format!("per_page={beyond_64_bits}")), request(1, 100));
        assert_eq!(page(&format!("page={beyond_64_bits}")).unwrap_err().len(), 1);
        for wrong in ["0", "-1", "", "2abc", "1.0", "%2B1", "9e3"] {
            assert_eq!(page(&format!("page={wrong}")).unwrap_err().len(), 1, "{wrong}");
            assert_eq!(page(&format!("page={wrong}&per_page={wrong}")).unwrap_err().len(), 2);
        }
        for twice in ["page=1&page=2", "page[]=1", "page%5B%5D=1", "page[a]=1", "page=1&page[]=1"] {
            assert_eq!(page(twice).unwrap_err().len(), 1, "{twice}");
        }
        assert_eq!(page("pages=7&page_=1"), request(1, 25));
    }

    #[test]
    fn a_far_page_has_an_offset_that_fits() {
        let far = PageRequest { page: 9_007_199_254_740_991, per_page: 100 };
        assert_eq!(far.offset(), 900_719_925_474_099_000);
        assert_eq!(PageRequest { page: 1, per_page: 100 }.offset(), 0);
    }

    #[test]
    fn the_ends_of_a_list_have_no_neighbours() {
        let meta = |page, total| {
            serde_json::to_value(Meta::new(PageRequest { page, per_page: 10 }, total)).unwrap()
        };
        assert_eq!(
            meta(1, 0),
            json!({
                "current_page": 1, "next_page": null, "prev_page": null,
                "total_pages": 1, "total_count": 0, "per_page": 10,
            })
        );
        assert_eq!(meta(1, 10)["next_page"], json!(null));
        assert_eq!(meta(1, 11)["next_page"], json!(2));
        assert_eq!(meta(2, 11)["next_page"], json!(null));
        assert_eq!(meta(2, 11)["prev_page"], json!(1));
        assert_eq!(meta(9, 11)["prev_page"], json!(2));
        assert_eq!(meta(9, 11)["next_page"], json!(null));
    }
}
