//! `/api/v1/family_settings`: what a family has set for all of its members.

mod view;

use purser_app::families;
use purser_app::people::families::{Changes, configure, time_zone};
use purser_core::error::{Problems, Result};
use purser_core::family;
use purser_core::limits::LABEL_CHARS_MAX;
use purser_core::money::Currency;
use purser_core::transfers::Matching;

pub(crate) use self::view::FamilyBody;
use crate::http::answer::{Answer, Json};
use crate::http::body::kinds::{CurrencyCode, Form, Formed, OneOf, Text, Whole};
use crate::http::body::presence::{Nullable, Optional};
use crate::http::body::{Change, Checked, body};
use crate::http::call::{Call, List};
use crate::http::error::ApiResult;
use crate::http::permit::Unrestricted;
use crate::http::table::routes;

routes! { "family_settings":
    /// Show the family's settings
    GET "/family_settings" => show as show_family_settings;
    /// Change the family's settings
    ///
    /// Members that are missing stay as they are. A new `transfer_matching` applies from now on;
    /// transfers that exist stay. A key that is restricted to chosen accounts gets 403
    /// `restricted_key`.
    PATCH PUT "/family_settings" => update as update_family_settings;
}

struct Language;

impl Form for Language {
    const PATTERN: &'static str = "^ *[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})* *$";
}

struct Country;

impl Form for Country {
    const PATTERN: &'static str = "^ *([A-Za-z]{2})? *$";
}

body! {
    /// The settings of the family.
    struct SettingsFields as "FamilySettings" in ["family_settings", "family"] {
        /// The name of the family.
        #[example("The Smiths")]
        name: Optional<Text<1, LABEL_CHARS_MAX>>,
        /// The IANA name of the time zone that decides which day is today.
        #[example("Europe/Berlin")]
        timezone: Optional<Text<1, 100>>,
        /// What becomes of transfers that are found: `automatic` confirms certain ones and proposes
        /// the others, `propose` proposes all, `off` looks for none.
        transfer_matching: Optional<OneOf<Matching>>,
        /// The code of the currency of reports. Accounts and budgets keep their currencies.
        #[example("EUR")]
        currency: Optional<Formed<CurrencyCode>>,
        /// The day on which the family's months begin, from 1 to 28. Existing budgets keep their
        /// days.
        month_start_day: Optional<Whole<1, 28>>,
        /// The language that clients should use.
        #[example("en")]
        locale: Optional<Formed<Language>>,
        /// The strftime pattern with which clients should show dates. It must name a whole date.
        #[example("%d.%m.%Y")]
        date_format: Optional<Text<1, 40>>,
        /// The country as two letters (ISO 3166). Null clears it.
        #[example("DE")]
        country: Nullable<Formed<Country>>,
    }
}

/// The settings that are changed.
struct NewSettings {
    name: Option<String>,
    time_zone: Option<String>,
    transfer_matching: Option<Matching>,
    currency: Option<Currency>,
    month_start_day: Option<i8>,
    locale: Option<String>,
    date_format: Option<String>,
    country: Option<Option<String>>,
}

impl Checked for SettingsFields {
    type Output = NewSettings;

    fn check(self, mut problems: Problems) -> Result<NewSettings> {
        let found = &mut problems;
        let time_zone = self.timezone.and_then(|text| {
            let zone = time_zone(&text);
            if zone.is_none() {
                found.field(
                    "timezone",
                    "must be the IANA name of a time zone such as Europe/Berlin",
                );
            }
            zone
        });
        let currency = self.currency.and_then(|code| {
            let currency = Currency::parse(&code);
            if currency.is_none() {
                found.field("currency", "must be a known currency code such as USD");
            }
            currency
        });
        let settings = NewSettings {
            name: self.name,
            time_zone,
            transfer_matching: self.transfer_matching,
            currency,
            month_start_day: self.month_start_day.and_then(|day| i8::try_from(day).ok()),
            locale: self.locale.and_then(|text| family::locale(&text, found)),
            date_format: self.date_format.and_then(|text| family::date_format(&text, found)),
            country: self.country.map(|text| {
                let text = text.filter(|text| !text.trim().is_empty());
                text.and_then(|text| family::country(&text, found))
            }),
        };
        problems.into_result()?;
        Ok(settings)
    }
}

impl NewSettings {
    fn as_changes(&self) -> Changes<'_> {
        Changes {
            name: self.name.as_deref(),
            time_zone: self.time_zone.as_deref(),
            transfer_matching: self.transfer_matching,
            currency: self.currency,
            month_start_day: self.month_start_day,
            locale: self.locale.as_deref(),
            date_format: self.date_format.as_deref(),
            country: self.country.as_ref().map(Option::as_deref),
        }
    }
}

async fn show(call: List) -> ApiResult<Answer<Json<FamilyBody>>> {
    call.read(|tx, _| {
        let family = families::get(tx)?;
        Ok(Json(FamilyBody::read(tx, family)?))
    })
    .await
}

async fn update(
    call: Call<Unrestricted, (), (), Change<SettingsFields>>,
) -> ApiResult<Answer<Json<FamilyBody>>> {
    call.write(|tx, sent| {
        let family = configure(tx, sent.body.as_changes())?;
        Ok(Json(FamilyBody::read(tx, family)?))
    })
    .await
}
