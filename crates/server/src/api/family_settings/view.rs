//! The answers about a family.

use purser_app::FamilyTx;
use purser_app::accounts::{self};
use purser_app::families::Family;
use purser_core::error::Result;
use purser_core::money::Currency;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::named::TransferMatchingName;
use crate::http::time::Time;

/// A family and its settings.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FamilySettings)]
pub(crate) struct FamilyBody {
    /// The id of the family.
    id: Uuid,
    /// The name of the family.
    #[schema(example = "The Smiths")]
    name: String,
    /// The code of the currency of reports.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The IANA name of the time zone that decides which day is today.
    #[schema(example = "Europe/Berlin")]
    timezone: String,
    /// The day on which the family's months begin, for budgets and cash flow, from 1 to 28.
    #[schema(example = 1, minimum = 1, maximum = 28)]
    month_start_day: i8,
    /// The language that clients should use.
    #[schema(example = "en")]
    locale: String,
    /// The strftime pattern with which clients should show dates.
    #[schema(example = "%Y-%m-%d")]
    date_format: String,
    /// The country as two letters (ISO 3166); null if it is not set.
    #[schema(required, example = "DE")]
    country: Option<String>,
    /// What becomes of transfers that are found: `automatic` confirms certain ones and proposes the
    /// others, `propose` proposes all, `off` looks for none.
    transfer_matching: TransferMatchingName,
    /// What a group of users is called. It is always `Family`.
    moniker: Moniker,
    /// Who sees a new account. It is always `shared`, because every member sees every account.
    default_account_sharing: AccountSharing,
    /// Whether `enabled_currencies` were chosen. It is always `false`, because they follow from the
    /// accounts.
    #[schema(example = false)]
    custom_enabled_currencies: bool,
    /// The codes of the currencies in use, sorted: the family's currency, and those of the accounts
    /// that the key may see.
    #[schema(example = json!(["EUR", "USD"]))]
    enabled_currencies: Vec<&'static str>,
    /// The time at which it was created.
    created_at: Time,
    /// The time of the latest change of its settings.
    updated_at: Time,
}

/// What a group of users is called.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = FamilyMoniker)]
enum Moniker {
    Family,
}

/// Who sees a new account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AccountSharing {
    Shared,
}

impl FamilyBody {
    /// A family as a key sees it.
    pub(crate) fn read(tx: &mut FamilyTx<'_>, family: Family) -> Result<Self> {
        let mut currencies: Vec<&'static str> =
            accounts::currencies(tx)?.into_iter().map(Currency::code).collect();
        currencies.push(family.currency.code());
        currencies.sort_unstable();
        currencies.dedup();
        Ok(Self::new(family, currencies))
    }

    fn new(family: Family, currencies: Vec<&'static str>) -> Self {
        Self {
            id: family.public_id,
            name: family.name,
            currency: family.currency.code(),
            timezone: family.time_zone,
            month_start_day: family.preferences.month_start_day,
            locale: family.preferences.locale,
            date_format: family.preferences.date_format,
            country: family.preferences.country,
            transfer_matching: family.transfer_matching.into(),
            moniker: Moniker::Family,
            default_account_sharing: AccountSharing::Shared,
            custom_enabled_currencies: false,
            enabled_currencies: currencies,
            created_at: family.created_at.into(),
            updated_at: family.updated_at.into(),
        }
    }
}
