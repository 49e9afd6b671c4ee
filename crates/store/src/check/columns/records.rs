//! The columns of securities, prices and rates, of rules, and of plans for money.

use purser_core::ledger::security::{Listing, SecurityKind};
use purser_core::ledger::valuing::PriceSource;
use purser_core::rates::Source;
use purser_core::recurring::input::{RecurringMaker, RecurringStatus};
use purser_core::rules::{Execution, RunStatus};

use super::values::{
    ACTIONS, CONDITIONS, COUNT, COUNTRY, CURRENCY, NAME, NUMBER, POSITIVE, TEXT, is_as_read,
};
use super::{Domain, Table};

/// Any day that can be written with four digits of its year: rules may begin before the ledger.
const CALENDAR_DAY: Domain = Domain::Number(-719_528, 2_932_896);
const TICKER: Domain = Domain::Text("a ticker in capital letters", |text| {
    is_as_read(text, |text, found| Some(Listing::read(text, None, found).ticker))
});
const MARKET: Domain = Domain::Text("the code of a market, or empty", |text| {
    is_as_read(text, |text, found| {
        Some(Listing::read("X", Some(text), found).exchange_operating_mic)
    })
});

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "securities",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("ticker", TICKER),
            ("exchange_operating_mic", MARKET),
            ("name", NAME),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("kind", Domain::named::<SecurityKind>()),
            ("isin", NAME),
            ("country_code", COUNTRY),
            ("currency", CURRENCY),
            ("offline", Domain::Flag),
            ("feed_symbol", NAME),
            ("feed_at", Domain::Time),
            ("feed_error", TEXT),
        ],
    },
    Table {
        name: "security_prices",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("security_id", Domain::To("securities")),
            ("date", Domain::Day),
            ("currency", CURRENCY),
            ("price", POSITIVE),
            ("source", Domain::named::<PriceSource>()),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
        ],
    },
    Table {
        name: "feed_rates",
        key: &["base", "quote", "date"],
        columns: &[
            ("base", CURRENCY),
            ("quote", CURRENCY),
            ("date", Domain::Day),
            ("rate", POSITIVE),
        ],
    },
    Table {
        name: "family_rates",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("base", CURRENCY),
            ("quote", CURRENCY),
            ("date", Domain::Day),
            ("rate", POSITIVE),
            ("source", Domain::named::<Source>()),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
        ],
    },
    Table {
        name: "feeds",
        key: &["name"],
        columns: &[
            ("name", NAME),
            ("asked_at", Domain::Time),
            ("succeeded_at", Domain::Time),
            ("error", TEXT),
        ],
    },
    Table {
        name: "rules",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("name", NAME),
            ("active", Domain::Flag),
            ("effective_date", CALENDAR_DAY),
            ("conditions", CONDITIONS),
            ("actions", ACTIONS),
            ("position", Domain::Number(0, u32::MAX as i64)),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
        ],
    },
    Table {
        name: "rule_runs",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("rule_id", Domain::MayBeGone),
            ("rule_name", TEXT),
            ("execution_type", Domain::named::<Execution>()),
            ("import_id", Domain::MayBeGone),
            ("status", Domain::named::<RunStatus>()),
            ("matched_count", COUNT),
            ("changed_count", COUNT),
            ("error", TEXT),
            ("last_entry_id", Domain::MayBeGone),
            ("executed_at", Domain::Time),
            ("finished_at", Domain::Time),
        ],
    },
    Table {
        name: "recurring_transactions",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("account_id", Domain::To("accounts")),
            ("merchant_id", Domain::To("merchants")),
            ("category_id", Domain::To("categories")),
            ("name", NAME),
            ("amount", NUMBER),
            ("currency", CURRENCY),
            ("expected_day", Domain::Number(1, 31)),
            ("last_occurrence_date", Domain::Day),
            ("next_expected_date", Domain::Day),
            ("status", Domain::named::<RecurringStatus>()),
            ("occurrences_count", COUNT),
            ("made_by", Domain::named::<RecurringMaker>()),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
        ],
    },
    Table {
        name: "budgets",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("start_date", Domain::Day),
            ("end_date", Domain::Day),
            ("currency", CURRENCY),
            ("budgeted_spending", COUNT),
            ("expected_income", COUNT),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
        ],
    },
    Table {
        name: "budget_categories",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("budget_id", Domain::To("budgets")),
            ("category_id", Domain::To("categories")),
            ("budgeted_spending", COUNT),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
        ],
    },
];
