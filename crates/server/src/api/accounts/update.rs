//! `PATCH` and `PUT /api/v1/accounts/{id}`: both change what is sent and leave the rest.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::accounts;
use purser_app::audit::Actor;
use purser_core::error::{Error, Problems};
use purser_core::ids::AccountId;
use purser_core::ledger::account_values::AccountValues;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shape::AccountBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `account`.
#[derive(Debug, ToSchema)]
#[schema(as = AccountChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    account: RequestFields,
}

/// The fields of an account; what is missing stays. Type and currency can't change.
#[derive(Debug, ToSchema)]
#[schema(as = AccountChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Shown name.
    #[schema(min_length = 1, max_length = 200)]
    name: Option<String>,
    /// Free text such as `checking`; cleared by null.
    #[schema(max_length = 200)]
    subtype: Option<String>,
    /// `active`, `draft` or `disabled` (kept, but out of sight).
    #[schema(example = "disabled")]
    status: Option<String>,
    /// A user of the family whose account it is; cleared by null.
    owner_id: Option<Uuid>,
    /// The bank's name; cleared by null.
    #[schema(max_length = 200)]
    institution_name: Option<String>,
    /// The bank's web domain; cleared by null.
    #[schema(max_length = 200)]
    institution_domain: Option<String>,
    /// How the cost of what is sold is found: `average`, `fifo` or `lifo`. Positions are folded
    /// again from the first trade on.
    #[schema(example = "fifo")]
    cost_method: Option<String>,
    /// A plain decimal as text or a number, read exactly; positive debt for liabilities. The
    /// balance before everything, or at the end of the opening day if there is one.
    #[schema(example = "1000.00")]
    opening_balance: Option<String>,
    /// The end of this day has the opening balance; it must be before the first entry. Null puts
    /// the balance before everything.
    #[schema(format = Date, example = "2026-01-01")]
    opening_date: Option<String>,
    /// What the account has now, as its bank says: earlier days follow from it and from the
    /// entries. It becomes the valuation `current_anchor` of the family's today.
    #[schema(example = "1234.56")]
    current_balance: Option<String>,
    /// May only say what the balance is, as a decimal or as answers show it: it follows from the
    /// entries. To set it, record a valuation, or send `current_balance`.
    #[schema(example = "1234.56")]
    balance: Option<String>,
}

/// Change an account
#[utoipa::path(
    patch,
    path = "/accounts/{id}",
    operation_id = "update_account",
    tag = "accounts",
    params(("id" = Uuid, Path, description = "The account's id")),
    request_body = Request,
    responses((status = 200, body = AccountBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<AccountId>,
    body: Unread,
) -> ApiResult<Response> {
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| accounts::get(tx, reader.family, reader.accounts(), id))
        .await?;
    let fields = Fields::read(body).await?;
    let values = read(&fields)?;
    let account = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            accounts::revise(tx, caller.family, accounts, actor, id, &values)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &AccountBody::from(account)))
}

/// Change an account
///
/// The same as `PATCH`: fields that are not sent stay as they are.
#[utoipa::path(
    put,
    path = "/accounts/{id}",
    operation_id = "put_account",
    tag = "accounts",
    params(("id" = Uuid, Path, description = "The account's id")),
    request_body = Request,
    responses((status = 200, body = AccountBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: Id<AccountId>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}

fn read(body: &Fields) -> Result<AccountValues, Error> {
    let wrapped = body.object("account")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut text = |name| fields.nullable_text(name, &mut problems);
    let values = AccountValues {
        name: text("name"),
        subtype: text("subtype"),
        status: fields.written("status").filter(|text| !text.is_empty()),
        owner: text("owner_id"),
        institution_name: text("institution_name"),
        institution_domain: text("institution_domain"),
        cost_method: fields.written("cost_method").filter(|text| !text.is_empty()),
        opening_balance: fields.amount("opening_balance"),
        opening_date: text("opening_date"),
        current_balance: fields.amount("current_balance"),
        balance: fields.amount("balance"),
        problems: Vec::new(),
    };
    Ok(AccountValues { problems: problems.into_list(), ..values })
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    #[test]
    fn what_is_not_sent_stays_and_null_clears() {
        let json = r#"{"account": {"name": "A", "subtype": null, "current_balance": 5.10,
            "owner_id": 7}}"#;
        let values = read(&serde_json::from_str(json).unwrap()).unwrap();
        assert_eq!(values.name, Some(Some("A".into())));
        assert_eq!((values.subtype, values.institution_name), (Some(None), None));
        assert_eq!(values.current_balance, Some(AmountText::JsonNumber("5.10".into())));
        assert_eq!(values.problems.len(), 1, "{:?}", values.problems);
    }
}
