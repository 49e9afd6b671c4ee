//! `/api/v1/provider_connections/{id}/accounts`: the accounts at a provider, and their links.

use axum::extract::RawPathParams;
use purser_app::connections::links::{self, LinkableAccount};
use purser_app::{FamilyTx, connections};
use purser_core::error::{Error, Result};
use purser_core::ids::{self, ConnectionId, FoundAccountId};
use purser_core::money::decimal::{amount_text, quantity_text};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::path::ParameterIn;
use utoipa::openapi::schema::{KnownFormat, ObjectBuilder, SchemaFormat, Type};
use uuid::Uuid;

use super::fields::LinkFields;
use crate::http::answer::{Answer, Json};
use crate::http::body::{New, Nothing};
use crate::http::call::{Call, Show};
use crate::http::describe::Description;
use crate::http::error::ApiResult;
use crate::http::named::{AccountTypeName, FoundAccountStateName};
use crate::http::path::{PathParams, describe_id, read_id};
use crate::http::permit::Unrestricted;

/// An account at a provider, in the path.
#[derive(Debug, Clone, Copy)]
pub(super) struct FoundAccountPath {
    connection: ConnectionId,
    /// The id of the account; none if what was sent is no id.
    account: Option<FoundAccountId>,
}

impl PathParams for FoundAccountPath {
    fn read(params: Option<&RawPathParams>) -> Result<Self> {
        let mut all = params.into_iter().flat_map(RawPathParams::iter);
        let account = all.find(|(name, _)| *name == "account").map(|(_, id)| id);
        let account = account.and_then(|id| ids::read(id).ok()).map(FoundAccountId);
        Ok(Self { connection: read_id(params)?, account })
    }

    fn describe(operation: &mut Description<'_>) -> bool {
        let id = ObjectBuilder::new().schema_type(Type::String);
        let id = id.format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)));
        describe_id::<ConnectionId>(operation);
        let description = "The id of the account at the provider.".to_owned();
        operation.parameter(ParameterIn::Path, "account", description, id.into());
        true
    }

    fn require(&self, tx: &mut FamilyTx<'_>) -> Result<()> {
        connections::require(tx, self.connection)?;
        links::get(tx, self.connection, self.account()?).map(drop)
    }
}

impl FoundAccountPath {
    fn account(self) -> Result<FoundAccountId> {
        self.account.ok_or(Error::NotFound { what: "Provider account" })
    }
}

/// An account at a provider.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderAccount)]
pub(super) struct ProviderAccountBody {
    /// The id of the account here.
    id: Uuid,
    /// The name at the provider.
    #[schema(example = "Checking")]
    name: String,
    /// The name of the bank; null if it is unknown.
    #[schema(required)]
    institution_name: Option<String>,
    /// Whether the bank still gives data about it.
    status: FoundAccountStateName,
    /// Whether the newest list of the provider has it.
    listed: bool,
    /// Whether it is left alone: it needs no setup.
    ignored: bool,
    /// The currency that the provider stated first; null if it never did.
    #[schema(required, example = "EUR")]
    currency: Option<&'static str>,
    /// The currency that the provider states now, if it is another one; mostly null. An account
    /// that is linked keeps its own.
    #[schema(required, example = "USD")]
    other_currency: Option<&'static str>,
    /// The balance that the provider reported last, negative if money is owed, in
    /// `other_currency` if there is one; null if it never did.
    #[schema(required, example = "1250.4")]
    reported_balance: Option<String>,
    /// The id of the family's account that it is linked to; null if it isn't.
    #[schema(required)]
    account_id: Option<Uuid>,
    /// The name of that account; null if it isn't linked.
    #[schema(required)]
    account_name: Option<String>,
    /// The last day up to which everything was retrieved; null before that.
    #[schema(required, format = Date)]
    synced_until: Option<String>,
    /// The day of the balance that a sync booked last; null before that.
    #[schema(required, format = Date)]
    balance_date: Option<String>,
    /// What that balance had more than the transactions since the balance before come to, in the
    /// sign of the family's account: what the bank has and the ledger lacks. The first balance is
    /// compared with the opening balance or one that was stated of an earlier day; null without
    /// any, and for accounts with securities.
    #[schema(required, example = "0.00")]
    drift: Option<String>,
    /// Whether the provider may report holdings of it: not if it had none to report when it was
    /// asked last. It is asked again after 30 days.
    holdings_supported: bool,
    /// What a new account would be, unless another type is chosen.
    proposal: ProposalBody,
}

/// The type that an account at a provider probably has, by its name and balance.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderAccountProposal)]
struct ProposalBody {
    /// The type of the account.
    account_type: AccountTypeName,
    /// A subtype; null if the name has none.
    #[schema(required, example = "checking")]
    subtype: Option<&'static str>,
}

/// The accounts of a connection.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProviderAccounts)]
pub(super) struct ProviderAccounts {
    /// The accounts by bank and name; those that are left alone come last.
    data: Vec<ProviderAccountBody>,
}

impl From<LinkableAccount> for ProviderAccountBody {
    fn from(account: LinkableAccount) -> Self {
        let LinkableAccount { found, account_name, account_currency, proposal } = account;
        let drift = account_currency.zip(found.drift);
        let drift = drift.map(|(currency, drift)| amount_text(drift, currency));
        Self {
            id: found.id.0,
            name: found.name,
            institution_name: found.institution_name,
            status: found.state.into(),
            listed: found.is_listed,
            ignored: found.is_ignored,
            currency: found.currency.map(|currency| currency.code()),
            other_currency: found.other_currency.map(|currency| currency.code()),
            reported_balance: found.reported_balance.map(quantity_text),
            account_id: found.account.map(|account| account.0),
            account_name,
            synced_until: found.watermark.map(|day| day.to_string()),
            balance_date: found.observed_on.map(|day| day.to_string()),
            drift,
            holdings_supported: found.holdings_unsupported_at.is_none(),
            proposal: ProposalBody {
                account_type: proposal.account_type.into(),
                subtype: proposal.subtype,
            },
        }
    }
}

pub(super) async fn list(call: Show<ConnectionId>) -> ApiResult<Answer<Json<ProviderAccounts>>> {
    call.read(|tx, sent| {
        let found = links::list(tx, sent.id)?;
        Ok(Json(ProviderAccounts { data: found.into_iter().map(Into::into).collect() }))
    })
    .await
}

pub(super) async fn link(
    call: Call<Unrestricted, FoundAccountPath, (), New<LinkFields>>,
) -> ApiResult<Answer<Json<ProviderAccountBody>>> {
    call.write(|tx, sent| {
        connections::require(tx, sent.id.connection)?;
        let linked = links::link(tx, sent.id.connection, sent.id.account()?, &sent.body)?;
        Ok(Json(linked.into()))
    })
    .await
}

pub(super) async fn unlink(
    call: Call<Unrestricted, FoundAccountPath, (), Nothing>,
) -> ApiResult<Answer<Json<ProviderAccountBody>>> {
    call.write(|tx, sent| {
        connections::require(tx, sent.id.connection)?;
        Ok(Json(links::unlink(tx, sent.id.connection, sent.id.account()?)?.into()))
    })
    .await
}

pub(super) async fn ignore(
    call: Call<Unrestricted, FoundAccountPath, (), Nothing>,
) -> ApiResult<Answer<Json<ProviderAccountBody>>> {
    call.write(|tx, sent| {
        connections::require(tx, sent.id.connection)?;
        Ok(Json(links::ignore(tx, sent.id.connection, sent.id.account()?)?.into()))
    })
    .await
}
