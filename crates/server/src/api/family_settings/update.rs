//! `PATCH /api/v1/family_settings`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_core::error::{Error, Problems};
use purser_core::transfers::Matching;
use purser_store::audit::Actor;
use utoipa::ToSchema;

use super::shape::FamilyBody;
use crate::api::error::ApiResult;
use crate::api::fields::Fields;
use crate::api::openapi::{BodyErrors, CommonErrors};
use crate::edge::auth::Writer;
use crate::edge::body::Unread;
use crate::people;
use crate::people::families::Changes;
use crate::state::AppState;

/// What changes; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = FamilySettingsChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// As its members call it.
    #[schema(max_length = 200)]
    name: Option<String>,
    /// An IANA name.
    #[schema(example = "Europe/Berlin")]
    timezone: Option<String>,
    /// `automatic`, `propose` or `off`.
    #[schema(example = "propose")]
    transfer_matching: Option<String>,
}

/// The values that were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Wanted {
    name: Option<String>,
    time_zone: Option<String>,
    matching: Option<Matching>,
}

impl Wanted {
    fn as_changes(&self) -> Changes<'_> {
        Changes {
            name: self.name.as_deref(),
            time_zone: self.time_zone.as_deref(),
            transfer_matching: self.matching,
        }
    }
}

/// Change the family's settings
///
/// Not with a key that is restricted to chosen accounts. A new `transfer_matching` counts from now
/// on: what was made or proposed before stays.
#[utoipa::path(
    patch,
    path = "/family_settings",
    operation_id = "update_family_settings",
    tag = "family_settings",
    request_body = Request,
    responses((status = 200, body = FamilyBody), BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    body: Unread,
) -> ApiResult<Response> {
    if caller.accounts().is_some() {
        return Err(Error::Forbidden {
            code: "restricted_key",
            message: "A key that is restricted to chosen accounts can't change the family".into(),
        }
        .into());
    }
    let wanted = wanted(&Fields::read(body).await?)?;
    let family = app
        .store
        .write(caller.family, move |tx| {
            let actor = Actor::Key(caller.key.id);
            people::families::configure(tx, caller.family, actor, wanted.as_changes())
        })
        .await?;
    Ok(crate::api::json(StatusCode::OK, &FamilyBody::from(family)))
}

fn wanted(body: &Fields) -> Result<Wanted, Error> {
    let mut problems = Problems::new();
    let name = body.text("name", &mut problems);
    let time_zone = body.text("timezone", &mut problems).and_then(|text| {
        let zone = people::families::time_zone(&text);
        if zone.is_none() {
            problems.push("timezone must be the IANA name of a time zone");
        }
        zone
    });
    let matching = body.text("transfer_matching", &mut problems).and_then(|text| {
        let matching = Matching::parse(&text);
        if matching.is_none() {
            problems.push("transfer_matching must be automatic, propose or off");
        }
        matching
    });
    problems.into_result()?;
    Ok(Wanted { name, time_zone, matching })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Wanted, Vec<String>> {
        wanted(&serde_json::from_str(json).unwrap()).map_err(|error| match error {
            Error::Invalid { errors, .. } => errors,
            other => panic!("{other}"),
        })
    }

    #[test]
    fn what_is_missing_stays() {
        assert_eq!(read(r#"{"name": null, "currency": "EUR"}"#), Ok(Wanted::default()));
        let read = read(r#"{"timezone": "europe/paris", "transfer_matching": "off"}"#).unwrap();
        assert_eq!(read.time_zone.as_deref(), Some("Europe/Paris"));
        assert_eq!(read.matching, Some(Matching::Off));
    }

    #[test]
    fn every_problem_is_reported() {
        let json = r#"{"name": 1, "timezone": "Mars", "transfer_matching": "sometimes"}"#;
        assert_eq!(read(json).unwrap_err().len(), 3);
    }
}
