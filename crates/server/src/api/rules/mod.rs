//! `/api/v1/rules`: conditions on transactions, and what is changed in those that meet them.
//!
//! A key that is restricted to chosen accounts sees no rule, because rules apply to all accounts
//! and name what is in them: its lists are empty, and every id is not found.

mod fields;
mod preview_view;
pub(in crate::api) mod view;

use purser_app::FamilyTx;
use purser_app::rules::{self, preview};
use purser_core::error::{Error, Result};
use purser_core::ids::RuleId;
use purser_core::rules::ResourceType;
use serde::Serialize;
use utoipa::ToSchema;

use self::fields::RuleFields;
use self::preview_view::PreviewDetail;
use self::view::{Detail, RuleBody};
use super::rule_runs::view::{Detail as RunDetail, RuleRunBody};
use crate::http::answer::{Accepted, Answer, Created, Deleted, Json};
use crate::http::body::{Change, New, Nothing};
use crate::http::call::{Call, Create, Delete, List, Show, Update};
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::pagination::{DataPage, Meta};
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::{Choice, Flag, Paged, query};
use crate::http::table::routes;

routes! { "rules":
    /// List rules
    ///
    /// They are sorted in the order in which they run.
    GET "/rules" => list as list_rules;
    /// Create a rule
    ///
    /// The rule runs on the transactions of imports from now on; it changes existing transactions
    /// when it is run. A key that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/rules" => create as create_rule;
    /// Preview a new rule
    ///
    /// The body is that of a rule that isn't created yet. Nothing is stored or changed. In a large
    /// ledger, possibly only the transactions that were added last are looked at, as `is_complete`
    /// shows. A key that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/rules/preview" => preview_new as preview_new_rule;
    /// Run all rules
    ///
    /// Every active rule is run, in their order: each sees the changes of those before it. A key
    /// that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/rules/run" => run_all as run_rules;
    /// Show a rule
    ///
    /// An unknown rule and one that the key may not see are answered with 404 `not_found`.
    GET "/rules/{id}" => show as show_rule;
    /// Change a rule
    ///
    /// Members that are missing stay as they are; conditions and actions that are sent replace all
    /// earlier ones. What the rule changed until now stays.
    PATCH PUT "/rules/{id}" => update as update_rule;
    /// Delete a rule
    ///
    /// What it changed stays, and so do its runs.
    DELETE "/rules/{id}" => delete as delete_rule;
    /// Preview a rule
    ///
    /// Nothing is changed. A rule that can't run matches nothing. In a large ledger, possibly only
    /// the transactions that were added last are looked at, as `is_complete` shows.
    GET "/rules/{id}/preview" => preview_one as preview_rule;
    /// Run a rule
    ///
    /// The rule runs on all transactions of active and draft accounts, whether it is active or not.
    /// The answer has the status `pending`; the run shows when it is done and how many transactions
    /// it changed. What a person has set stays. The request fails with 409 `rule_not_runnable` if
    /// something that the rule names is deleted.
    POST "/rules/{id}/run" => run as run_rule;
}

path_id!(RuleId, "Rule", |tx: &mut FamilyTx<'_>, id| {
    require_visible(tx)?;
    rules::get(tx, id)
});

query! {
    /// The filter of a list of rules.
    struct RuleFilter {
        /// Only rules for this kind of thing; there is only one.
        resource_type: Choice<ResourceType>,
        /// Only rules that run on the transactions of imports (`true`), or only the others
        /// (`false`).
        active: Flag,
    }
}

/// The runs that were queued.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RuleRunsBegun)]
struct RunsBody {
    /// One run for each active rule, in their order.
    data: Vec<RuleRunBody>,
}

/// For a restricted key there is no rule.
fn require_visible(tx: &FamilyTx<'_>) -> Result<()> {
    if tx.accounts().is_restricted() {
        return Err(Error::NotFound { what: "Rule" });
    }
    Ok(())
}

async fn list(call: List<Paged<RuleFilter>>) -> ApiResult<Answer<Json<DataPage<RuleBody>>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        // Every rule is for the only kind of thing that there is.
        let RuleFilter { resource_type: Some(ResourceType::Transaction) | None, active } = filter;
        let (mut found, catalogue) = match tx.accounts().is_restricted() {
            false => rules::all(tx)?,
            true => Default::default(),
        };
        found.retain(|rule| active.is_none_or(|active| rule.is_active() == active));
        let meta = Meta::new(page, found.len() as u64);
        let offset = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let shown = found.iter().skip(offset).take(page.per_page as usize);
        let data = shown.map(|rule| RuleBody::new(rule, &catalogue)).collect();
        Ok(Json(DataPage { data, meta }))
    })
    .await
}

async fn create(call: Create<New<RuleFields>, Unrestricted>) -> ApiResult<Answer<Created<Detail>>> {
    call.write(|tx, sent| {
        let rule = rules::create(tx, &sent.body)?;
        Ok(Created(Detail::new(&rule)))
    })
    .await
}

async fn preview_new(
    call: Create<New<RuleFields>, Unrestricted>,
) -> ApiResult<Answer<Json<PreviewDetail>>> {
    call.compute(|tx, sent| {
        let preview = preview::of_values(tx, &sent.body)?;
        Ok(Json(PreviewDetail { data: preview.into() }))
    })
    .await
}

async fn run_all(call: Create<Nothing, Unrestricted>) -> ApiResult<Answer<Accepted<RunsBody>>> {
    call.write(|tx, _| {
        let runs = rules::queue_all(tx)?;
        Ok(Accepted(RunsBody { data: RuleRunBody::read_all(tx, runs)? }))
    })
    .await
}

async fn show(call: Show<RuleId>) -> ApiResult<Answer<Json<Detail>>> {
    call.read(|tx, sent| {
        require_visible(tx)?;
        Ok(Json(Detail::new(&rules::get(tx, sent.id)?)))
    })
    .await
}

async fn update(call: Update<RuleId, Change<RuleFields>>) -> ApiResult<Answer<Json<Detail>>> {
    call.write(|tx, sent| {
        require_visible(tx)?;
        let rule = rules::revise(tx, sent.id, &sent.body)?;
        Ok(Json(Detail::new(&rule)))
    })
    .await
}

async fn delete(call: Delete<RuleId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| {
        require_visible(tx)?;
        rules::remove(tx, sent.id)
    })
    .await
}

async fn preview_one(call: Show<RuleId>) -> ApiResult<Answer<Json<PreviewDetail>>> {
    call.compute(|tx, sent| {
        require_visible(tx)?;
        let preview = preview::of_rule(tx, sent.id)?;
        Ok(Json(PreviewDetail { data: preview.into() }))
    })
    .await
}

async fn run(call: Call<Writer, RuleId, (), Nothing>) -> ApiResult<Answer<Accepted<RunDetail>>> {
    call.write(|tx, sent| {
        require_visible(tx)?;
        let run = rules::queue(tx, sent.id)?;
        Ok(Accepted(RunDetail::read(tx, run)?))
    })
    .await
}
