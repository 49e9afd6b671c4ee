//! `/api/v1/holdings`

pub(in crate::api) mod view;

use purser_app::FamilyTx;
use purser_app::holdings::{self, Days, HoldingChange};
use purser_core::error::{Problems, Result};
use purser_core::ids::{AccountId, HoldingId, SecurityId};
use serde::Serialize;
use utoipa::ToSchema;

use self::view::HoldingBody;
use crate::http::answer::{Answer, Json};
use crate::http::body::kinds::{self, Decimal, Flag};
use crate::http::body::presence::{Nullable, Optional};
use crate::http::body::{Change, Checked, body};
use crate::http::call::{List, Show, Update};
use crate::http::describe::Description;
use crate::http::error::ApiResult;
use crate::http::pagination::{Pagination, QueryParams};
use crate::http::path::path_id;
use crate::http::query::{Day, Filter, Id, Ids, Paged, query};
use crate::http::table::routes;

routes! { "holdings":
    /// List holdings
    ///
    /// The answer lists open positions of active and draft accounts: those of today, of another
    /// day, or of each day of a period up to today. They are sorted by day, the earliest first, and
    /// then by the id of the position.
    GET "/holdings" => list as list_holdings;
    /// Show a holding
    ///
    /// The holding must be of an active or draft account. The id of a position shows it as of
    /// today, the id of a holding in a list as of the day of that list. Ids stay the same when
    /// holdings are computed again.
    GET "/holdings/{id}" => show as show_holding;
    /// Change a holding
    ///
    /// Members that are missing stay as they are. A cost basis that a person sets comes before the
    /// one that follows from the trades. It stays when holdings are computed again; later share
    /// splits change the number of shares that it is for.
    PATCH PUT "/holdings/{id}" => update as update_holding;
}

path_id!(HoldingId, "Holding", |tx: &mut FamilyTx<'_>, id| holdings::get(tx, id));

body! {
    /// The members of a holding that change; what is missing stays as it is.
    struct HoldingFields as "Holding" in ["holding"] {
        /// The cost of one share. Null resets it to the cost that follows from the trades, on all
        /// days.
        #[example("150.33")]
        avg_cost: Nullable<Decimal>,
        /// The cost of all shares of the day that the holding's id names, or of today, instead of
        /// `avg_cost`. Costs that were stated of earlier days stay. Null resets it to the cost that
        /// follows from the trades, on all days.
        cost_basis: Nullable<Decimal>,
        /// Whether this cost basis is never replaced. Another cost is refused until it is unlocked.
        cost_basis_locked: Optional<Flag>,
        /// The id of the correct security of the position: all trades of the position become trades
        /// in it.
        security_id: Optional<kinds::Id>,
    }
}

impl Checked for HoldingFields {
    type Output = HoldingChange;

    fn check(self, problems: Problems) -> Result<HoldingChange> {
        Ok(HoldingChange {
            average: self.avg_cost,
            total: self.cost_basis,
            locked: self.cost_basis_locked,
            security: self.security_id,
            problems: problems.into_list(),
        })
    }
}

query! {
    /// The filter of a list of holdings.
    struct HoldingFilter {
        /// Only holdings of this account.
        account_id: Ids<AccountId>,
        /// Only holdings of this security.
        security_id: Id<SecurityId>,
        /// Only holdings at the end of this day; of today if no day is sent.
        date: Day,
        /// Only holdings of this day and later ones. It can't be sent together with `date`.
        start_date: Day,
        /// Only holdings of this day and earlier ones. It can't be sent together with `date`.
        end_date: Day,
    }
}

/// A filter with days that were checked together.
struct DatedFilter {
    filter: HoldingFilter,
    days: Days,
}

impl Filter for DatedFilter {
    fn describe(operation: &mut Description<'_>) {
        HoldingFilter::describe(operation);
    }

    fn read(params: &QueryParams, problems: &mut Problems) -> Self {
        let filter = HoldingFilter::read(params, problems);
        let days = match (filter.date, filter.start_date, filter.end_date) {
            (None, None, None) => Days::Today,
            (Some(day), None, None) => Days::On(day),
            (None, start, end) => Days::Between(start, end),
            (Some(_), _, _) => {
                problems.field("date", "can't be sent together with start_date or end_date");
                Days::Today
            }
        };
        Self { filter, days }
    }
}

/// A page of holdings.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = HoldingPage)]
struct Page {
    /// The holdings of the page, the earliest day first.
    holdings: Vec<HoldingBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(call: List<Paged<DatedFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter: DatedFilter { filter, days } } = sent.query;
        let accounts = filter.account_id;
        let accounts = (!accounts.is_empty()).then_some(accounts.as_slice());
        let listing = holdings::Listing { accounts, security: filter.security_id, days };
        let (listed, total) = holdings::list(tx, listing, page.limit(), page.offset())?;
        let holdings = listed.into_iter().map(Into::into).collect();
        Ok(Json(Page { holdings, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn show(call: Show<HoldingId>) -> ApiResult<Answer<Json<HoldingBody>>> {
    call.read(|tx, sent| Ok(Json(holdings::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<HoldingId, Change<HoldingFields>>,
) -> ApiResult<Answer<Json<HoldingBody>>> {
    call.write(|tx, sent| Ok(Json(holdings::update(tx, sent.id, &sent.body)?.into()))).await
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use purser_core::error::{Error, texts};

    use super::*;
    use crate::http::query::{Query as _, Unpaged};

    fn read(text: &str) -> std::result::Result<DatedFilter, Vec<String>> {
        let params = QueryParams::parse(&format!("/x?{text}").parse().unwrap()).unwrap();
        match Unpaged::<DatedFilter>::read(&params) {
            Ok(Unpaged(filter)) => Ok(filter),
            Err(Error::Invalid { problems, .. }) => Err(texts(&problems)),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn days_are_one_or_a_period() {
        let day = date(2024, 2, 29);
        let days = |text: &str| read(text).ok().map(|filter| filter.days);
        assert_eq!(days("account_id=&date="), Some(Days::Today));
        assert_eq!(days("date=2024-02-29"), Some(Days::On(day)));
        assert_eq!(days("end_date=2024-02-29"), Some(Days::Between(None, Some(day))));
        let both = read("date=2024-02-29&end_date=2024-02-29").err().unwrap();
        assert_eq!(both, ["The date can't be sent together with start_date or end_date"]);
    }

    #[test]
    fn every_problem_is_reported() {
        let errors = read("account_ids[]=1&security_id=2&date=3&start_date=4&end_date=5");
        assert_eq!(errors.err().unwrap().len(), 5);
    }
}
