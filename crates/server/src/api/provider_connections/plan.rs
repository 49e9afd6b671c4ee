//! `GET /api/v1/provider_connections/{id}/plan`: what a sync would change now.

use purser_app::connections::preview::{self, PlannedAccount};
use purser_app::sync::{LINES_MAX, PlannedHolding, PlannedLine};
use purser_core::connection::outcome::StepOutcome;
use purser_core::ids::ConnectionId;
use purser_core::money::Currency;
use purser_core::money::decimal::{amount_text, quantity_text};
use serde::Serialize;
use tracing::Instrument as _;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::sync_changes::{CountsBody, WarningBody};
use crate::api::sync_outcome::StepBody;
use crate::http::answer::{Answer, Json, Or};
use crate::http::call::Show;
use crate::http::error::{ApiError, ApiResult};
use crate::http::money::Amount;
use crate::http::named::{HoldingReasonName, SyncReasonName};
use crate::http::openapi::InvalidError;

/// What a sync of a connection would change now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderPlan)]
pub(super) struct PlanBody {
    /// The linked accounts, by bank and name.
    data: Vec<AccountPlanBody>,
}

/// What a sync would change in an account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderAccountPlan)]
struct AccountPlanBody {
    /// The id of the account at the provider.
    provider_account_id: Uuid,
    /// The name of the account at the provider.
    #[schema(example = "Checking")]
    account_name: String,
    /// The id of the family's account.
    account_id: Uuid,
    /// What came of each thing that was asked for.
    steps: Vec<StepBody>,
    /// The numbers of rows and transactions, by what would become of them.
    counts: CountsBody,
    /// What is worth knowing about the answers.
    warnings: Vec<WarningBody>,
    /// The first 500 changes, each with its reason.
    changes: Vec<PlannedChangeBody>,
    /// Whether there are more changes.
    has_more: bool,
    /// The changes of positions, each with its reason.
    holdings: Vec<PlannedHoldingBody>,
}

/// A change of a position that a sync would make.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderPlannedHolding)]
struct PlannedHoldingBody {
    /// The reason of the change.
    reason: HoldingReasonName,
    /// The id of the security; null if it isn't there yet.
    #[schema(required)]
    security_id: Option<Uuid>,
    /// The symbol of the security.
    #[schema(example = "VTI")]
    ticker: String,
    /// The name of the security; null if none is known.
    #[schema(required)]
    name: Option<String>,
    /// The number of units that the account has now.
    #[schema(example = "0.0")]
    qty_before: String,
    /// The number of units that the provider reports.
    #[schema(example = "40.5")]
    qty: String,
    /// The cost of all units in the account's currency; null if it isn't stated, or isn't certain.
    #[schema(required, example = "8000.00")]
    cost_basis: Option<String>,
    /// The price of one unit; null if it isn't known.
    #[schema(required, example = "260.5")]
    price: Option<String>,
    /// The code of the price's currency; null without a price.
    #[schema(required, example = "USD")]
    price_currency: Option<&'static str>,
}

impl PlannedHoldingBody {
    fn new(line: PlannedHolding, account: Currency) -> Self {
        let PlannedHolding { reason, security, ticker, name, before, quantity, cost, price } = line;
        Self {
            reason: reason.into(),
            security_id: security.map(|security| security.0),
            ticker,
            name,
            qty_before: quantity_text(before),
            qty: quantity_text(quantity),
            cost_basis: cost.map(|cost| amount_text(cost, account)),
            price: price.map(|(price, _)| quantity_text(price)),
            price_currency: price.map(|(_, currency)| currency.code()),
        }
    }
}

/// A change of a transaction that a sync would make.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderPlannedChange)]
struct PlannedChangeBody {
    /// The reason of the change.
    reason: SyncReasonName,
    /// The id of the transaction; null if it isn't there yet.
    #[schema(required)]
    transaction_id: Option<Uuid>,
    /// The day that the bank reports.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The amount, formatted; positive for money out.
    #[schema(example = "$12.34")]
    amount: String,
    /// The exact amount; positive for money out.
    #[schema(example = "12.34")]
    amount_decimal: String,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The name that the bank reports.
    #[schema(example = "Corner Bakery")]
    name: String,
    /// Whether the bank has authorised it but not posted it yet.
    pending: bool,
}

impl From<PlannedLine> for PlannedChangeBody {
    fn from(line: PlannedLine) -> Self {
        let amount = Amount::new(line.amount, line.currency);
        Self {
            reason: line.reason.into(),
            transaction_id: line.entry.map(|entry| entry.0),
            date: line.date.to_string(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: line.currency.code(),
            name: line.name,
            pending: line.pending,
        }
    }
}

impl From<PlannedAccount> for AccountPlanBody {
    fn from(planned: PlannedAccount) -> Self {
        let PlannedAccount { found, outcomes, plan } = planned;
        Self {
            provider_account_id: found.id.0,
            account_name: found.name,
            account_id: plan.account.0,
            steps: outcomes.into_iter().map(|one: StepOutcome| one.into()).collect(),
            counts: plan.counts.into(),
            warnings: plan.warnings.into_iter().map(Into::into).collect(),
            has_more: plan.changes > LINES_MAX,
            changes: plan.lines.into_iter().map(Into::into).collect(),
            holdings: plan
                .holdings
                .into_iter()
                .map(|line| PlannedHoldingBody::new(line, plan.currency))
                .collect(),
        }
    }
}

pub(super) async fn plan(
    call: Show<ConnectionId>,
) -> ApiResult<Answer<Or<Json<PlanBody>, InvalidError>>> {
    let (app, caller, sent) = call.judged().await?;
    let access = caller.access();
    let work = async move { preview::plan(&app, access, sent.id).await }.in_current_span();
    let planned = tokio::spawn(work).await.map_err(ApiError::internal)??;
    let data = planned.into_iter().map(Into::into).collect();
    let reply: Or<Json<PlanBody>, InvalidError> = Json(PlanBody { data }).into();
    Ok(Answer::new(&reply)?)
}
