//! `/api/v1/rule_runs`: runs of rules, with their results. A key that is restricted to chosen
//! accounts sees none.

pub(in crate::api) mod view;

use jiff::Timestamp;
use purser_app::FamilyTx;
use purser_app::rules::runs::{self, Listing, RunStatus};
use purser_core::error::{Error, Result};
use purser_core::ids::{RuleId, RuleRunId};
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use utoipa::openapi::{RefOr, Schema};

use self::view::{Detail, ExecutionBody, RuleRunBody};
use crate::http::answer::{Answer, Json};
use crate::http::call::{List, Show};
use crate::http::error::ApiResult;
use crate::http::filters;
use crate::http::pagination::{DataPage, Meta, QueryParams};
use crate::http::path::path_id;
use crate::http::query::{Choice, Id, Paged, Parameter, query};
use crate::http::table::routes;

routes! { "rule_runs":
    /// List runs of rules
    ///
    /// The newest runs come first.
    GET "/rule_runs" => list as list_rule_runs;
    /// Show a run of a rule
    GET "/rule_runs/{id}" => show as show_rule_run;
}

path_id!(RuleRunId, "Rule run", |tx: &mut FamilyTx<'_>, id| {
    require_visible(tx)?;
    runs::get(tx, id)
});

/// A time with its offset, as RFC 3339 writes it.
struct Time;

impl Parameter for Time {
    type Value = Option<Timestamp>;

    fn read(params: &QueryParams, name: &'static str) -> Result<Self::Value> {
        let Some(text) = filters::value(params, name)? else { return Ok(None) };
        text.parse().map(Some).map_err(|_| {
            let form = "must be a time with its offset, such as 2026-01-15T10:30:00Z";
            filters::invalid(name, form)
        })
    }

    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime))).into()
    }
}

query! {
    /// The filter of a list of runs.
    struct RunFilter {
        /// Only runs of this rule.
        rule_id: Id<RuleId>,
        /// Only runs with this status.
        status: Choice<RunStatus>,
        /// Only runs for this reason.
        execution_type: Choice<ExecutionBody>,
        /// Only runs from this time on.
        start_executed_at: Time,
        /// Only runs up to this time.
        end_executed_at: Time,
    }
}

fn require_visible(tx: &FamilyTx<'_>) -> Result<()> {
    if tx.accounts().is_restricted() {
        return Err(Error::NotFound { what: "Rule run" });
    }
    Ok(())
}

async fn list(call: List<Paged<RunFilter>>) -> ApiResult<Answer<Json<DataPage<RuleRunBody>>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing {
            rule: filter.rule_id,
            status: filter.status,
            execution: filter.execution_type.map(Into::into),
            from: filter.start_executed_at,
            to: filter.end_executed_at,
        };
        let (found, total) = match tx.accounts().is_restricted() {
            false => runs::list(tx, listing, page.limit(), page.offset())?,
            true => (Vec::new(), 0),
        };
        let data = RuleRunBody::read_all(tx, found)?;
        Ok(Json(DataPage { data, meta: Meta::new(page, total) }))
    })
    .await
}

async fn show(call: Show<RuleRunId>) -> ApiResult<Answer<Json<Detail>>> {
    call.read(|tx, sent| {
        require_visible(tx)?;
        let run = runs::get(tx, sent.id)?;
        Ok(Json(Detail::read(tx, run)?))
    })
    .await
}
