//! `/api/v1/accounts`

mod fields;
pub(crate) mod view;

use purser_app::accounts::{self, Listing};
use purser_core::ids::AccountId;
use serde::Serialize;
use utoipa::ToSchema;

use self::fields::{AccountFields, NewAccountFields};
use self::view::AccountBody;
use crate::http::answer::{Answer, Created, Deleted, Json};
use crate::http::body::{Change, New};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::{Flag, Paged, query};
use crate::http::table::routes;

routes! { "accounts":
    /// List accounts
    ///
    /// The answer lists active and draft accounts by name, each with its balance of today.
    GET "/accounts" => list as list_accounts;
    /// Create an account
    ///
    /// A key that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/accounts" => create as create_account;
    /// Show an account
    ///
    /// The answer has the account in any status.
    GET "/accounts/{id}" => show as show_account;
    /// Change an account
    ///
    /// Members that are missing stay as they are. The type and the currency can't be changed.
    PATCH PUT "/accounts/{id}" => update as update_account;
    /// Delete an account
    ///
    /// Everything that belongs to it is deleted with it: entries, trades, holdings, valuations, and
    /// its sides of transfers. A large account is hidden at once (`pending_deletion`) and deleted
    /// in the background; if that is given up because of errors on the server, deleting it again
    /// goes on. If shares moved between it and an account that the key may not see, the
    /// answer is 403 `restricted_key`.
    DELETE "/accounts/{id}" => delete as delete_account;
}

path_id!(AccountId, "Account", |tx: &mut purser_app::FamilyTx<'_>, id| { accounts::get(tx, id) });

query! {
    /// The filter of a list of accounts.
    struct AccountFilter {
        /// Whether `disabled` and `pending_deletion` accounts are listed too.
        include_disabled: Flag,
    }
}

/// A page of accounts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccountPage)]
struct Page {
    /// The accounts of the page, by name.
    accounts: Vec<AccountBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(call: List<Paged<AccountFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing { include_disabled: filter.include_disabled.unwrap_or(false) };
        let (found, total) = accounts::list(tx, listing, page.limit(), page.offset())?;
        let accounts = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { accounts, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<NewAccountFields>, Unrestricted>,
) -> ApiResult<Answer<Created<AccountBody>>> {
    call.write(|tx, sent| Ok(Created(accounts::create(tx, &sent.body)?.into()))).await
}

async fn show(call: Show<AccountId>) -> ApiResult<Answer<Json<AccountBody>>> {
    call.read(|tx, sent| Ok(Json(accounts::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<AccountId, Change<AccountFields>>,
) -> ApiResult<Answer<Json<AccountBody>>> {
    call.write(|tx, sent| Ok(Json(accounts::revise(tx, sent.id, &sent.body)?.into()))).await
}

async fn delete(call: Delete<AccountId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| accounts::remove(tx, sent.id)).await
}
