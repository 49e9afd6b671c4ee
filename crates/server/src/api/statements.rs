//! `/api/v1/statements`: bank statements of published files, beside what the ledger has.

use purser_app::FamilyTx;
use purser_app::bank_statements::{self, BankStatement, Listing};
use purser_core::bank_statement::{Gap, PositionComparison, PositionsComparison};
use purser_core::ids::{AccountId, BankStatementId, EntryId, ImportId};
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::answer::{Answer, Json};
use crate::http::call::{List, Show};
use crate::http::error::ApiResult;
use crate::http::money::Amount;
use crate::http::named::{FileFormatName, StatementKindName};
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::query::{Day, Id, Paged, query};
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "statements":
    /// List statements
    ///
    /// What banks state about accounts and periods, of files that are published: statements in
    /// OFX, CAMT.053 and MT940, PDF documents, and tables with balances. Those that end last come
    /// first. Each is compared with the ledger of this moment, and with the statement of the
    /// account before it. An undo of the import takes its statements back.
    GET "/statements" => list as list_statements;
    /// Show a bank statement
    GET "/statements/{id}" => show as show_statement;
}

path_id!(BankStatementId, "Statement", |tx: &mut FamilyTx<'_>, id| bank_statements::get(tx, id));

query! {
    /// The filter of a list of statements.
    struct StatementFilter {
        /// Only statements of this account.
        account_id: Id<AccountId>,
        /// Only statements that this import brought.
        import_id: Id<ImportId>,
        /// Only statements with a line that became this transaction or stands for it.
        transaction_id: Id<EntryId>,
        /// Only statements that end on this day or later.
        start_date: Day,
        /// Only statements that begin on this day or earlier.
        end_date: Day,
    }
}

/// A bank statement. Balances are in the sense of the account: of a liability, a positive amount is
/// debt.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Statement)]
pub(crate) struct StatementBody {
    /// The id of the statement.
    id: Uuid,
    /// The account that it is about.
    account: StatementAccountBody,
    /// The id of the import that brought it; null for a key that may not see the import.
    #[schema(required)]
    import_id: Option<Uuid>,
    /// The file that it is from.
    file: StatementFileBody,
    /// The kind of account that the file states; if it states none, that of the account's type.
    kind: StatementKindName,
    /// The bank, as the file has it: its code. Null if the file has none.
    #[schema(required)]
    bank: Option<String>,
    /// The owner of the account, as the file has it; null if it has none.
    #[schema(required)]
    holder: Option<String>,
    /// The last four characters of the account's number; null if the file has none.
    #[schema(required, example = "3000")]
    last_four: Option<String>,
    /// The bank's identifier of the statement; null if it has none.
    #[schema(required)]
    identifier: Option<String>,
    /// The number of the statement in the year; null if it has none.
    #[schema(required, example = "12/1")]
    number: Option<String>,
    /// The first day that it is about.
    #[schema(format = Date, example = "2026-01-01")]
    start_date: String,
    /// The last day that it is about.
    #[schema(format = Date, example = "2026-01-31")]
    end_date: String,
    /// The code of the currency of its balances.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The balance before its first line, formatted; null if it isn't known.
    #[schema(required, example = "$1,000.00")]
    opening_balance: Option<String>,
    /// The exact balance before its first line; null if it isn't known.
    #[schema(required, example = "1000.00")]
    opening_balance_decimal: Option<String>,
    /// The balance after its last line, formatted; null if it isn't known.
    #[schema(required, example = "$1,234.56")]
    closing_balance: Option<String>,
    /// The exact balance after its last line; null if it isn't known.
    #[schema(required, example = "1234.56")]
    closing_balance_decimal: Option<String>,
    /// The day at the end of which the closing balance holds.
    #[schema(format = Date, example = "2026-01-31")]
    closing_date: String,
    /// What the ledger has at the end of that day, formatted. Null if that can't be compared: the
    /// account is in another currency, or it has holdings and the key doesn't see all accounts.
    #[schema(required, example = "$1,234.56")]
    ledger_balance: Option<String>,
    /// The exact balance of the ledger at the end of that day; null if it can't be compared.
    #[schema(required, example = "1234.56")]
    ledger_balance_decimal: Option<String>,
    /// What the closing balance has more than the ledger, formatted; null if one of the balances
    /// isn't known.
    #[schema(required, example = "$0.00")]
    difference: Option<String>,
    /// The exact difference; null if one of the balances isn't known.
    #[schema(required, example = "0.00")]
    difference_decimal: Option<String>,
    /// Whether the publish brought or found every line, and the ledger has the closing balance and
    /// the positions, as far as the statement states them; one of the two it must.
    reconciled: bool,
    /// What an account of investments held, beside the ledger; null if the file has no positions.
    #[schema(required)]
    positions: Option<StatementPositionsBody>,
    /// How many lines it has.
    lines_count: u64,
    /// Lines that are not in the ledger: left out, deleted before the publish, or lost since with
    /// the undo of another import.
    missing_lines_count: u64,
    /// What is missing between the statement of the account before this one and this one; null if
    /// nothing is.
    #[schema(required)]
    gap_before: Option<StatementGapBody>,
    /// The time at which it was published.
    created_at: Time,
}

/// The account of a statement.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StatementAccount)]
struct StatementAccountBody {
    /// The id of the account.
    id: Uuid,
    /// The name of the account.
    #[schema(example = "Checking")]
    name: String,
}

/// The file of a statement.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StatementFile)]
struct StatementFileBody {
    /// The name of the file; null if it has none, and for a key that may not see the import.
    #[schema(required, example = "2026-01.ofx")]
    name: Option<String>,
    /// The format of the file; null if it isn't known.
    #[schema(required)]
    format: Option<FileFormatName>,
}

/// What is missing between two statements of an account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StatementGap)]
struct StatementGapBody {
    /// The first day without a statement; null if no day is missing.
    #[schema(required, format = Date, example = "2026-02-01")]
    start_date: Option<String>,
    /// The last day without a statement; null if no day is missing.
    #[schema(required, format = Date, example = "2026-02-28")]
    end_date: Option<String>,
    /// How many days have no statement.
    #[schema(example = 28)]
    days_count: u64,
    /// What the opening balance has more than the closing balance before it, formatted; null if one
    /// of them isn't known.
    #[schema(required, example = "-$120.00")]
    amount: Option<String>,
    /// The exact difference of the two balances; null if one of them isn't known.
    #[schema(required, example = "-120.00")]
    amount_decimal: Option<String>,
}

/// Positions that a statement states, beside those that the ledger has by its trades.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StatementPositions)]
struct StatementPositionsBody {
    /// The day at the end of which they are held.
    #[schema(format = Date, example = "2026-01-31")]
    date: String,
    /// How many positions the statement has.
    count: u64,
    /// How many securities the ledger has otherwise, those included that only the ledger has.
    differing_count: u64,
    /// The first 100 of them.
    differing: Vec<StatementPositionBody>,
}

/// A position that a statement and the ledger have otherwise.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StatementPosition)]
struct StatementPositionBody {
    /// The id of the security; null if it isn't known which one the file means.
    #[schema(required)]
    security_id: Option<Uuid>,
    /// The ticker, as the file has it.
    #[schema(example = "ACME")]
    ticker: String,
    /// The number of units that the statement states; zero if it has none.
    #[schema(example = "12.5")]
    qty: String,
    /// The number of units that the ledger has at the end of the day.
    #[schema(example = "10.0")]
    ledger_qty: String,
    /// What the statement has more; null if it is too large.
    #[schema(required, example = "2.5")]
    difference: Option<String>,
}

/// A page of statements.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = StatementPage)]
struct Page {
    /// The statements of the page, those that end last first.
    statements: Vec<StatementBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

/// An amount formatted and exact.
fn both(amount: Option<i64>, currency: Currency) -> (Option<String>, Option<String>) {
    amount.map(|amount| Amount::new(amount, currency)).map(|it| (it.text, it.decimal)).unzip()
}

impl StatementGapBody {
    fn new(gap: Gap, currency: Currency) -> Self {
        let (amount, amount_decimal) = both(gap.amount, currency);
        Self {
            start_date: gap.days.map(|(first, _)| first.to_string()),
            end_date: gap.days.map(|(_, last)| last.to_string()),
            days_count: gap.days_count,
            amount,
            amount_decimal,
        }
    }
}

impl From<PositionsComparison> for StatementPositionsBody {
    fn from(positions: PositionsComparison) -> Self {
        let body = |one: PositionComparison| StatementPositionBody {
            difference: one.difference().map(quantity_text),
            security_id: one.security.map(|id| id.0),
            ticker: one.name,
            qty: quantity_text(one.stated),
            ledger_qty: quantity_text(one.ledger),
        };
        Self {
            date: positions.day.to_string(),
            count: positions.stated,
            differing_count: positions.differing_count,
            differing: positions.differing.into_iter().map(body).collect(),
        }
    }
}

impl From<BankStatement> for StatementBody {
    fn from(one: BankStatement) -> Self {
        let currency = one.currency;
        let (opening_balance, opening_balance_decimal) = both(one.ends.opening, currency);
        let (closing_balance, closing_balance_decimal) = both(one.ends.closing, currency);
        let (ledger_balance, ledger_balance_decimal) = both(one.comparison.ledger, currency);
        let (difference, difference_decimal) = both(one.comparison.difference(), currency);
        Self {
            id: one.id.0,
            account: StatementAccountBody { id: one.account.0, name: one.account_name },
            import_id: one.import.map(|id| id.0),
            file: StatementFileBody { name: one.file_name, format: one.format.map(FileFormatName) },
            kind: one.kind.into(),
            bank: one.bank,
            holder: one.holder,
            last_four: one.last_four,
            identifier: one.identifier,
            number: one.number,
            start_date: one.ends.first_day.to_string(),
            end_date: one.ends.last_day.to_string(),
            currency: currency.code(),
            opening_balance,
            opening_balance_decimal,
            closing_balance,
            closing_balance_decimal,
            closing_date: one.closing_day.to_string(),
            ledger_balance,
            ledger_balance_decimal,
            difference,
            difference_decimal,
            reconciled: one.comparison.is_reconciled(),
            positions: one.positions.map(Into::into),
            lines_count: one.lines,
            missing_lines_count: one.comparison.missing_lines,
            gap_before: one.gap.map(|gap| StatementGapBody::new(gap, currency)),
            created_at: one.created_at.into(),
        }
    }
}

async fn list(call: List<Paged<StatementFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing {
            account: filter.account_id,
            import: filter.import_id,
            transaction: filter.transaction_id,
            from: filter.start_date,
            to: filter.end_date,
        };
        let (found, total) = bank_statements::list(tx, &listing, page.limit(), page.offset())?;
        let statements = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { statements, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn show(call: Show<BankStatementId>) -> ApiResult<Answer<Json<StatementBody>>> {
    call.read(|tx, sent| Ok(Json(bank_statements::get(tx, sent.id)?.into()))).await
}
