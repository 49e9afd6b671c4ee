//! `PATCH` and `PUT /api/v1/family_settings`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::people;
use purser_app::people::families::Changes;
use purser_core::error::{Error, Problems};
use purser_core::family;
use purser_core::money::Currency;
use purser_core::transfers::Matching;
use utoipa::ToSchema;

use super::shape::FamilyBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors};
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes; what is missing stays. The fields may also stand inside of `family_settings` or of
/// `family`.
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
    /// What the family counts in: accounts and budgets keep theirs, reports convert.
    #[schema(example = "EUR")]
    currency: Option<String>,
    /// The day on which its months begin; budgets that there are keep their days.
    #[schema(minimum = 1, maximum = 28)]
    month_start_day: Option<i8>,
    /// A language such as `en` or `pt-BR`.
    #[schema(example = "en", max_length = 20)]
    locale: Option<String>,
    /// A strftime pattern that names a whole date.
    #[schema(example = "%d.%m.%Y", max_length = 40)]
    date_format: Option<String>,
    /// A code of ISO 3166; null clears it.
    #[schema(example = "DE")]
    country: Option<String>,
}

/// The values that were sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Wanted {
    name: Option<String>,
    time_zone: Option<String>,
    matching: Option<Matching>,
    currency: Option<Currency>,
    month_start_day: Option<i8>,
    locale: Option<String>,
    date_format: Option<String>,
    country: Option<Option<String>>,
}

impl Wanted {
    fn as_changes(&self) -> Changes<'_> {
        Changes {
            name: self.name.as_deref(),
            time_zone: self.time_zone.as_deref(),
            transfer_matching: self.matching,
            currency: self.currency,
            month_start_day: self.month_start_day,
            locale: self.locale.as_deref(),
            date_format: self.date_format.as_deref(),
            country: self.country.as_ref().map(Option::as_deref),
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
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let actor = Actor::Key(caller.key.id);
            let family =
                people::families::configure(tx, caller.family, actor, wanted.as_changes())?;
            FamilyBody::read(tx, family, caller.accounts())
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &body))
}

/// Change the family's settings (as `PATCH`)
///
/// What is missing stays here too.
#[utoipa::path(
    put,
    path = "/family_settings",
    operation_id = "put_family_settings",
    tag = "family_settings",
    request_body = Request,
    responses((status = 200, body = FamilyBody), BodyErrors, CommonErrors)
)]
pub(crate) async fn put(app: State<AppState>, caller: Writer, body: Unread) -> ApiResult<Response> {
    update(app, caller, body).await
}

/// Reads the fields, inside of one of the wrappers or outside.
fn wanted(body: &Fields) -> Result<Wanted, Error> {
    match (body.object("family_settings")?, body.object("family")?) {
        (Some(_), Some(_)) => {
            Err(Error::invalid("Only one of family_settings and family may be sent"))
        }
        (Some(wrapped), None) | (None, Some(wrapped)) => settings(&wrapped),
        (None, None) => settings(body),
    }
}

fn settings(body: &Fields) -> Result<Wanted, Error> {
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
    let currency = body.text("currency", &mut problems).and_then(|code| {
        let currency = Currency::parse(&code);
        if currency.is_none() {
            problems.push("currency must be a known currency code such as USD");
        }
        currency
    });
    let month_start_day = body.nullable_scalar("month_start_day", &mut problems).flatten();
    let month_start_day =
        month_start_day.and_then(|text| family::month_start_day(&text, &mut problems));
    let locale = body.text("locale", &mut problems);
    let locale = locale.and_then(|text| family::locale(&text, &mut problems));
    let date_format = body.text("date_format", &mut problems);
    let date_format = date_format.and_then(|text| family::date_format(&text, &mut problems));
    let country = body.nullable_text("country", &mut problems);
    let country = country.map(|text| {
        let text = text.filter(|text| !text.trim().is_empty());
        text.and_then(|text| family::country(&text, &mut problems))
    });
    problems.into_result()?;
    Ok(Wanted {
        name,
        time_zone,
        matching,
        currency,
        month_start_day,
        locale,
        date_format,
        country,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<Wanted, Vec<String>> {
        wanted(&serde_json::from_str(json).unwrap()).map_err(|error| match error {
            Error::Invalid { problems, .. } => purser_core::error::texts(&problems),
            other => panic!("{other}"),
        })
    }

    #[test]
    fn what_is_missing_stays() {
        assert_eq!(
            read(r#"{"name": null, "currency": null, "moniker": 1}"#),
            Ok(Wanted::default())
        );
        let read = read(r#"{"timezone": "europe/paris", "transfer_matching": "off"}"#).unwrap();
        assert_eq!(read.time_zone.as_deref(), Some("Europe/Paris"));
        assert_eq!(read.matching, Some(Matching::Off));
    }

    #[test]
    fn both_wrappers_are_read_but_not_at_once() {
        let bare = read(r#"{"name": "A"}"#).unwrap();
        assert_eq!(bare.name.as_deref(), Some("A"));
        for wrapper in ["family_settings", "family"] {
            assert_eq!(read(&format!(r#"{{"{wrapper}": {{"name": "A"}}}}"#)).unwrap(), bare);
            assert_eq!(read(&format!(r#"{{"{wrapper}": 1}}"#)).unwrap_err().len(), 1);
        }
        let both = r#"{"family": {"name": "A"}, "family_settings": {"name": "B"}}"#;
        assert_eq!(read(both).unwrap_err().len(), 1);
    }

    #[test]
    fn every_problem_is_reported() {
        let json = r#"{"name": 1, "timezone": "Mars", "transfer_matching": "sometimes",
            "currency": "XYZ", "month_start_day": 29, "locale": "English", "date_format": "%d",
            "country": "XX"}"#;
        assert_eq!(read(json).unwrap_err().len(), 8);
        let json = r#"{"month_start_day": "25", "country": null, "currency": "eur"}"#;
        let read = read(json).unwrap();
        assert_eq!((read.month_start_day, read.country), (Some(25), Some(None)));
        assert_eq!(read.currency, Some(Currency::EUR));
    }
}
