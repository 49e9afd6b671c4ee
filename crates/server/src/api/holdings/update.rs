//! `PATCH` and `PUT /api/v1/holdings/{id}`: both change what is sent and leave the rest.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::holdings::{self, HoldingChange};
use purser_core::error::{Error, Problems};
use purser_core::ids::HoldingId;
use purser_core::ledger::input::AmountText;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shape::HoldingBody;
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `holding`.
#[derive(Debug, ToSchema)]
#[schema(as = HoldingChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    holding: RequestFields,
}

/// What a person says of a holding; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = HoldingChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// What one share cost: a number, or a plain decimal as text; read exactly. Null takes a
    /// person's word back, and the cost follows from the trades again.
    #[schema(value_type = Option<AmountSchema>, example = "150.33")]
    avg_cost: (),
    /// What all shares of today cost, instead of `avg_cost`.
    #[schema(value_type = Option<AmountSchema>, example = "1503.30")]
    cost_basis: (),
    /// Whether this cost is never replaced. A locked one can't be said anew before it is unlocked.
    cost_basis_locked: Option<bool>,
    /// The security that it really is: all trades of the position become trades in it.
    security_id: Option<Uuid>,
}

/// Change a holding
///
/// A cost that a person says comes before the one that follows from the trades. It stays, whatever
/// is computed again; later splits change the number of shares that it is of.
#[utoipa::path(
    patch,
    path = "/holdings/{id}",
    operation_id = "update_holding",
    tag = "holdings",
    params(("id" = Uuid, Path, description = "The holding's id")),
    request_body = Request,
    responses((status = 200, body = HoldingBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<HoldingId>,
    body: Unread,
) -> ApiResult<Response> {
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| holdings::get(tx, reader.family, reader.accounts(), id))
        .await?;
    let fields = Fields::read(body).await?;
    let change = change(&fields)?;
    let holding = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            holdings::update(tx, caller.family, accounts, actor, id, &change)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &HoldingBody::from(holding)))
}

/// Change a holding
///
/// The same as `PATCH`: fields that are not sent stay as they are.
#[utoipa::path(
    put,
    path = "/holdings/{id}",
    operation_id = "put_holding",
    tag = "holdings",
    params(("id" = Uuid, Path, description = "The holding's id")),
    request_body = Request,
    responses((status = 200, body = HoldingBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: Id<HoldingId>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}

fn change(body: &Fields) -> Result<HoldingChange, Error> {
    let wrapped = body.object("holding")?;
    let fields = wrapped.as_ref().unwrap_or(body);
    let mut problems = Problems::new();
    Ok(HoldingChange {
        average: nullable_amount(fields, "avg_cost"),
        total: nullable_amount(fields, "cost_basis"),
        locked: fields.flag("cost_basis_locked", &mut problems),
        security: fields.written("security_id").filter(|text| !text.trim().is_empty()),
        problems: problems.into_list(),
    })
}

/// An amount; `Some(None)` when null or blank text was sent.
pub(in crate::api) fn nullable_amount(fields: &Fields, name: &str) -> Option<Option<AmountText>> {
    fields.has(name).then(|| fields.amount(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> HoldingChange {
        change(&serde_json::from_str(json).unwrap()).unwrap()
    }

    #[test]
    fn what_is_missing_stays_and_null_takes_back() {
        assert_eq!(read("{}"), HoldingChange::default());
        assert_eq!(read(r#"{"avg_cost": null}"#).average, Some(None));
        let said = r#"{"cost_basis": 1.50, "cost_basis_locked": true, "security_id": "s"}"#;
        let expected = HoldingChange {
            total: Some(Some(AmountText::JsonNumber("1.50".into()))),
            locked: Some(true),
            security: Some("s".into()),
            ..HoldingChange::default()
        };
        assert_eq!(read(said), expected);
        assert_eq!(read(&format!(r#"{{"holding": {said}}}"#)), expected);
        assert_eq!(read(r#"{"cost_basis_locked": "no"}"#).problems.len(), 1);
    }
}
