//! Series as the executor writes them, whether a person created them or a detection.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::limits::SERIES_MAX;
use purser_core::money::Currency;
use purser_core::recurring::input::{RecurringMaker, RecurringStatus, RecurringValues};
use purser_core::recurring::series_key;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::Recurring;
use crate::access::FamilyTx;
use crate::driver::{Bulk, ColumnType, Inserter, Row, Val, statements, vals};
use crate::ledger::records::{BulkRecord, Limit, Record, read_by_ids};

statements! {
    /// How many there are.
    SERIES_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM recurring_transactions WHERE family_id = $1";
    /// Series by their ids.
    SERIES_BY_IDS = "SELECT id, account_id, merchant_id, category_id, name, amount, currency,
            expected_day, last_occurrence_date, next_expected_date, status, occurrences_count,
            made_by
        FROM recurring_transactions WHERE family_id = $1 AND id = ANY($2)";
    /// Series of an amount, among which one may be the same.
    SERIES_OF_AMOUNT = "SELECT id, account_id, merchant_id, category_id, name, amount, currency,
            expected_day, last_occurrence_date, next_expected_date, status, occurrences_count,
            made_by
        FROM recurring_transactions
        WHERE family_id = $1 AND amount = $2 AND currency = $3 ORDER BY id";
    /// What a series is from now on.
    SERIES_SET = "UPDATE recurring_transactions SET account_id = $1, merchant_id = $2,
            category_id = $3, name = $4, amount = $5, currency = $6, expected_day = $7,
            last_occurrence_date = $8, next_expected_date = $9, status = $10,
            occurrences_count = $11, updated_at = $12
        WHERE family_id = $13 AND id = $14";
    /// Removes the series with an id.
    SERIES_REMOVE = "DELETE FROM recurring_transactions WHERE family_id = $1 AND id = $2";
}

pub(crate) static SERIES: Bulk = Bulk {
    table: "recurring_transactions",
    columns: &[
        ("family_id", ColumnType::Int),
        ("id", ColumnType::Uuid),
        ("account_id", ColumnType::Uuid),
        ("merchant_id", ColumnType::Uuid),
        ("category_id", ColumnType::Uuid),
        ("name", ColumnType::Text),
        ("amount", ColumnType::Int),
        ("currency", ColumnType::Text),
        ("expected_day", ColumnType::Int),
        ("last_occurrence_date", ColumnType::Int),
        ("next_expected_date", ColumnType::Int),
        ("status", ColumnType::Text),
        ("occurrences_count", ColumnType::Int),
        ("made_by", ColumnType::Text),
        ("created_at", ColumnType::Int),
        ("updated_at", ColumnType::Int),
    ],
};

/// What a series points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pointing {
    pub(crate) account: Option<AccountId>,
    pub(crate) merchant: Option<Uuid>,
    pub(crate) category: Option<Uuid>,
}

impl Pointing {
    pub(super) fn of(one: &Recurring) -> Self {
        Self {
            account: one.account.as_ref().map(|account| account.id),
            merchant: one.merchant.as_ref().map(|(id, _)| id.0),
            category: one.category.as_ref().map(|category| category.id.0),
        }
    }
}

/// A series as it is kept before and after a change.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SeriesImage {
    account: Option<AccountId>,
    merchant: Option<Uuid>,
    category: Option<Uuid>,
    name: String,
    amount: i64,
    currency: Currency,
    day: i8,
    last: Date,
    next: Date,
    status: RecurringStatus,
    count: u64,
    made_by: RecurringMaker,
}

impl SeriesImage {
    pub(crate) fn new(
        to: Pointing,
        values: &RecurringValues,
        (count, made_by): (u64, RecurringMaker),
    ) -> Self {
        let Pointing { account, merchant, category } = to;
        let RecurringValues { name, amount, currency, day, last, next, status } = values.clone();
        Self {
            account,
            merchant,
            category,
            name,
            amount,
            currency,
            day,
            last,
            next,
            status,
            count,
            made_by,
        }
    }

    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            account: row.opt_id(1)?,
            merchant: row.opt_uuid(2)?,
            category: row.opt_uuid(3)?,
            name: row.string(4)?,
            amount: row.int(5)?,
            currency: row.currency(6)?,
            day: i8::try_from(row.int(7)?).map_err(Error::internal)?,
            last: row.date(8)?,
            next: row.date(9)?,
            status: row.named(10)?,
            count: row.count(11)?,
            made_by: row.named(12)?,
        })
    }
}

/// Series as the executor writes them.
pub(crate) struct SeriesRecord;

impl Record for SeriesRecord {
    const KIND: &'static str = "recurring_transaction";
    const PLACE: &'static [&'static str] = &["account", "merchant", "name", "amount", "currency"];
    const POINTS_TO: &'static [(&'static str, &'static str)] =
        &[("account", "account"), ("merchant", "merchant"), ("category", "category")];
    const LIMIT: Option<Limit> =
        Some(Limit { max: SERIES_MAX, plural: "recurring transactions", count: &SERIES_COUNT });
    type Values = SeriesImage;

    fn read(tx: &mut FamilyTx<'_>, ids: &[Uuid]) -> Result<Vec<(Uuid, SeriesImage)>> {
        read_by_ids(tx, &SERIES_BY_IDS, ids, SeriesImage::read)
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, series: &SeriesImage) -> Result<()> {
        let mut inserter = Inserter::new(&SERIES);
        Self::push(tx, &mut inserter, id, series)?;
        inserter.flush(tx).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, series: &SeriesImage) -> Result<()> {
        let SeriesImage { name, amount, currency, last, next, status, .. } = series;
        let count = i64::try_from(series.count).map_err(Error::internal)?;
        let (family, now, day) = (tx.family(), tx.now(), i64::from(series.day));
        tx.execute(
            &SERIES_SET,
            vals![
                series.account,
                series.merchant,
                series.category,
                name,
                *amount,
                currency.code(),
                day,
                *last,
                *next,
                status.as_str(),
                count,
                now,
                family,
                id
            ],
        )
        .map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&SERIES_REMOVE, vals![family, id]).map(drop)
    }

    fn title(series: &SeriesImage) -> String {
        series.name.clone()
    }

    fn holder(tx: &mut FamilyTx<'_>, series: &SeriesImage) -> Result<Option<Uuid>> {
        let (family, place) = (tx.family(), Self::place(series)?);
        let key = vals![family, series.amount, series.currency.code()];
        let others = tx.query(&SERIES_OF_AMOUNT, key, |row| {
            Ok((row.uuid(0)?, Self::place(&SeriesImage::read(row)?)?))
        })?;
        Ok(others.into_iter().find(|(_, its)| *its == place).map(|(id, _)| id))
    }

    fn place(series: &SeriesImage) -> Result<String> {
        let SeriesImage { account, merchant, name, amount, currency, .. } = series;
        Ok(json!([account, merchant, series_key(name), amount, currency]).to_string())
    }
}

impl BulkRecord for SeriesRecord {
    fn push(
        tx: &mut FamilyTx<'_>,
        inserter: &mut Inserter,
        id: Uuid,
        series: &SeriesImage,
    ) -> Result<()> {
        let (family, now) = (tx.family(), Val::from(tx.now()));
        let row: [Val<'_>; 16] = [
            family.into(),
            Val::Uuid(id),
            series.account.into(),
            series.merchant.into(),
            series.category.into(),
            Val::Text(&series.name),
            Val::Int(series.amount),
            Val::Text(series.currency.code()),
            Val::Int(series.day.into()),
            series.last.into(),
            series.next.into(),
            Val::Text(series.status.as_str()),
            Val::Int(i64::try_from(series.count).map_err(Error::internal)?),
            Val::Text(series.made_by.as_str()),
            now,
            now,
        ];
        inserter.push(tx, &row)
    }
}
