//! Texts that stand for one of a few things: what the program doesn't know, it can't read.

use jiff::tz::TimeZone;
use purser_core::connection::SyncStatus;
use purser_core::error::Result;
use purser_core::import::import_type::ImportType;
use purser_core::import::mapping::MappingKind;
use purser_core::import::status::ImportStatus;
use purser_core::ledger::account::{AccountStatus, AccountType};
use purser_core::ledger::entry::ValuationKind;
use purser_core::money::Currency;
use purser_core::named::Named as _;
use purser_core::recurring::input::{RecurringMaker, RecurringStatus};
use purser_core::transfers::{Maker, Matching, TransferStatus};

use super::report::Findings;
use crate::driver::{Tx, statements};
use crate::keys::Scope;
use crate::users::Role;

statements! {
    /// Every distinct value of such columns, and how often it is there.
    VALUES = "SELECT 'families.currency', currency, CAST(COUNT(*) AS BIGINT)
            FROM families GROUP BY currency
        UNION ALL SELECT 'families.time_zone', time_zone, CAST(COUNT(*) AS BIGINT)
            FROM families GROUP BY time_zone
        UNION ALL SELECT 'families.transfer_matching', transfer_matching,
            CAST(COUNT(*) AS BIGINT) FROM families GROUP BY transfer_matching
        UNION ALL SELECT 'transfers.status', status, CAST(COUNT(*) AS BIGINT)
            FROM transfers GROUP BY status
        UNION ALL SELECT 'transfers.made_by', made_by, CAST(COUNT(*) AS BIGINT)
            FROM transfers GROUP BY made_by
        UNION ALL SELECT 'users.role', role, CAST(COUNT(*) AS BIGINT)
            FROM users GROUP BY role
        UNION ALL SELECT 'api_keys.scope', scope, CAST(COUNT(*) AS BIGINT)
            FROM api_keys GROUP BY scope
        UNION ALL SELECT 'accounts.account_type', account_type, CAST(COUNT(*) AS BIGINT)
            FROM accounts GROUP BY account_type
        UNION ALL SELECT 'accounts.status', status, CAST(COUNT(*) AS BIGINT)
            FROM accounts GROUP BY status
        UNION ALL SELECT 'accounts.currency', currency, CAST(COUNT(*) AS BIGINT)
            FROM accounts GROUP BY currency
        UNION ALL SELECT 'entries.kind', CAST(kind AS TEXT), CAST(COUNT(*) AS BIGINT)
            FROM ledger_entries GROUP BY kind
        UNION ALL SELECT 'entries.valuation_kind', valuation_kind, CAST(COUNT(*) AS BIGINT)
            FROM ledger_entries WHERE kind = 1 AND valuation_kind IS NOT NULL
            GROUP BY valuation_kind
        UNION ALL SELECT 'recurring_transactions.status', status, CAST(COUNT(*) AS BIGINT)
            FROM recurring_transactions GROUP BY status
        UNION ALL SELECT 'recurring_transactions.made_by', made_by, CAST(COUNT(*) AS BIGINT)
            FROM recurring_transactions GROUP BY made_by
        UNION ALL SELECT 'recurring_transactions.currency', currency, CAST(COUNT(*) AS BIGINT)
            FROM recurring_transactions GROUP BY currency
        UNION ALL SELECT 'budgets.currency', currency, CAST(COUNT(*) AS BIGINT)
            FROM budgets GROUP BY currency
        UNION ALL SELECT 'imports.import_type', import_type, CAST(COUNT(*) AS BIGINT)
            FROM imports GROUP BY import_type
        UNION ALL SELECT 'imports.status', status, CAST(COUNT(*) AS BIGINT)
            FROM imports GROUP BY status
        UNION ALL SELECT 'import_mappings.kind', kind, CAST(COUNT(*) AS BIGINT)
            FROM import_mappings GROUP BY kind
        UNION ALL SELECT 'syncs.status', status, CAST(COUNT(*) AS BIGINT)
            FROM syncs GROUP BY status
        UNION ALL SELECT 'jobs.state', state, CAST(COUNT(*) AS BIGINT)
            FROM jobs GROUP BY state";
}

/// Every value is one that the program knows.
pub(super) fn known(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&VALUES, &[], |row| {
        let (column, value, rows) = (row.text(0)?, row.text(1)?, row.count(2)?);
        findings.count(1);
        if !is_known(column, value) {
            findings.problem(|| format!("{column} is {value:?} in {rows} rows"));
        }
        Ok(())
    })
}

fn is_known(column: &str, value: &str) -> bool {
    match column {
        "families.currency"
        | "accounts.currency"
        | "budgets.currency"
        | "recurring_transactions.currency" => {
            Currency::parse(value).is_some_and(|currency| currency.code() == value)
        }
        "recurring_transactions.status" => RecurringStatus::parse(value).is_some(),
        "recurring_transactions.made_by" => RecurringMaker::parse(value).is_some(),
        "families.transfer_matching" => Matching::parse(value).is_some(),
        "transfers.status" => TransferStatus::parse(value).is_some(),
        "transfers.made_by" => Maker::parse(value).is_some(),
        "families.time_zone" => TimeZone::get(value).is_ok(),
        "users.role" => Role::parse(value).is_some(),
        "api_keys.scope" => Scope::named(value).is_some(),
        "accounts.account_type" => AccountType::parse(value).is_some(),
        "accounts.status" => AccountStatus::parse(value).is_some(),
        "entries.kind" => ["0", "1", "2", "3"].contains(&value),
        "entries.valuation_kind" => ValuationKind::parse(value).is_some(),
        "imports.import_type" => ImportType::parse(value).is_some(),
        "imports.status" => ImportStatus::parse(value).is_some(),
        "import_mappings.kind" => MappingKind::parse(value).is_some(),
        "syncs.status" => SyncStatus::parse(value).is_some(),
        "jobs.state" => ["queued", "running", "failed"].contains(&value),
        _ => false,
    }
}
