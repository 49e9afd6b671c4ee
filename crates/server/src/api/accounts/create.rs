//! `POST /api/v1/accounts`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::accounts;
use purser_app::audit::Actor;
use purser_core::error::{Error, Problems};
use purser_core::ledger::new_account::AccountInput;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shape::AccountBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::{Fields, FieldsBody};
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /accounts";

/// A new account. The fields may also stand outside of `account`.
#[derive(Debug, ToSchema)]
#[schema(as = NewAccount)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The account.
    account: RequestFields,
}

/// The fields of a new account.
#[derive(Debug, ToSchema)]
#[schema(as = NewAccountFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Shown name, at most 200 characters.
    #[schema(example = "Checking", min_length = 1, max_length = 200)]
    name: String,
    /// `depository`, `credit_card`, `investment`, `crypto`, `loan`, `property`, `vehicle`,
    /// `other_asset` or `other_liability`; in any case, and also without the underscores.
    #[schema(example = "depository")]
    account_type: String,
    /// A currency's code; the family's currency if missing.
    #[schema(example = "USD")]
    currency: Option<String>,
    /// Free text such as `checking`.
    #[schema(max_length = 200)]
    subtype: Option<String>,
    /// A plain decimal as text or a number, read exactly; positive debt for liabilities. Zero if
    /// missing.
    #[schema(example = "1000.00")]
    opening_balance: Option<String>,
    /// The same as `opening_balance`; if both are sent, they must be equal.
    #[schema(example = "1000.00")]
    balance: Option<String>,
    /// The end of this day has the opening balance. Without it, the balance stands before
    /// everything that is ever entered.
    #[schema(format = Date, example = "2026-01-01")]
    opening_date: Option<String>,
    /// What the account has now, as its bank says: earlier days follow from it and from the
    /// entries. It becomes the valuation `current_anchor` of the family's today.
    #[schema(example = "1234.56")]
    current_balance: Option<String>,
    /// A user of the family whose account it is.
    owner_id: Option<Uuid>,
    /// How the cost of what is sold is found: `average` (if missing), `fifo` or `lifo`.
    #[schema(example = "average")]
    cost_method: Option<String>,
    /// The bank's name.
    #[schema(max_length = 200)]
    institution_name: Option<String>,
    /// The bank's web domain.
    #[schema(max_length = 200, example = "bank.example")]
    institution_domain: Option<String>,
}

/// Create an account
///
/// A key that is restricted to chosen accounts can't: 403 `restricted_key`.
#[utoipa::path(
    post,
    path = "/accounts",
    operation_id = "create_account",
    tag = "accounts",
    params(IdempotencyParams),
    request_body = Request,
    responses(
        (status = 201, body = AccountBody),
        BodyErrors,
        ConflictError,
        CommonErrors
    )
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before what is wrong with the request.
    accounts::require_unrestricted(caller.accounts())?;
    let key = key?;
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let input = read(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let actor = Actor::Key(caller.key.id);
            let account = accounts::create(tx, caller.family, caller.accounts(), actor, &input)?;
            let body =
                serde_json::to_string(&AccountBody::from(account)).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}

fn read(body: &Fields) -> Result<AccountInput, Error> {
    let wrapped = body.object("account")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    let mut text = |name| fields.text(name, &mut problems);
    let input = AccountInput {
        name: text("name"),
        account_type: text("account_type"),
        subtype: text("subtype"),
        currency: text("currency"),
        opening_balance: fields.amount("opening_balance"),
        balance: fields.amount("balance"),
        opening_date: fields.written("opening_date").filter(|date| !date.is_empty()),
        institution_name: text("institution_name"),
        institution_domain: text("institution_domain"),
        owner: text("owner_id"),
        cost_method: text("cost_method"),
        current_balance: fields.amount("current_balance"),
        problems: Vec::new(),
    };
    Ok(AccountInput { problems: problems.into_list(), ..input })
}

#[cfg(test)]
mod tests {
    use purser_core::ledger::input::AmountText;

    use super::*;

    fn input(json: &str) -> AccountInput {
        read(&serde_json::from_str(json).unwrap()).unwrap()
    }

    #[test]
    fn the_wrapper_may_be_left_out() {
        for json in [
            r#"{"account": {"name": "A", "account_type": "loan", "opening_balance": 10.50}}"#,
            r#"{"name": "A", "account_type": "loan", "opening_balance": 10.50}"#,
        ] {
            let input = input(json);
            assert_eq!(input.name.as_deref(), Some("A"));
            assert_eq!(input.account_type.as_deref(), Some("loan"));
            assert_eq!(input.opening_balance, Some(AmountText::JsonNumber("10.50".into())));
            assert!(input.problems.is_empty());
        }
    }

    #[test]
    fn values_of_a_wrong_type_are_problems() {
        let input = input(r#"{"account": {"name": 5, "subtype": [], "opening_balance": true}}"#);
        assert_eq!(input.problems.len(), 2, "{:?}", input.problems);
        assert_eq!(input.opening_balance, Some(AmountText::Text("true".into())));
        assert!(read(&serde_json::from_str(r#"{"account": "A"}"#).unwrap()).is_err());
    }
}
