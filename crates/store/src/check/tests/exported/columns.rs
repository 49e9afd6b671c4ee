//! Where each column of the schema is in an export, or why it isn't there.

use Export::{Field, Left};

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Export {
    /// It is this field of this record: `Transaction.name`.
    Field(&'static str),
    /// It is left out, for a reason.
    Left(&'static str),
}

/// Reasons that several columns share.
const FAMILY: Export = Left("an export is of one family");
const STORED_AT: Export = Left("when this server stored or changed it: a backup has it");
const NAME_KEY: Export = Left("follows from the name");
pub(super) const DERIVED: Export = Left("follows from entries, trades, prices and rates");
const COUNTER: Export = Left("a count of rows");
pub(super) const FEED: Export =
    Left("fetched from feeds, the same for every family; or when that was done");
pub(super) const PEOPLE: Export =
    Left("people and their keys: they belong to the server, not to the books");
pub(super) const IMPORTS: Export = Left("how files were read: what they brought is in the records");
pub(super) const CONNECTIONS: Export =
    Left("access to banks and receivers: its secrets are of this server");
pub(super) const AUDIT: Export = Left("who changed what on this server: a backup has it");
pub(super) const RUNNING: Export = Left("work and requests of the running server");
pub(super) const RUNS: Export =
    Left("what rules did in the past: what came of it is in the transactions");

/// The columns of every other table.
pub(super) const COLUMNS: &[(&str, &[(&str, Export)])] = &[
    ("families", FAMILIES),
    ("users", USERS),
    ("accounts", ACCOUNTS),
    ("categories", CATEGORIES),
    ("tags", TAGS),
    ("merchants", MERCHANTS),
    ("entries", ENTRIES),
    ("entry_tags", ENTRY_TAGS),
    ("entry_origins", ENTRY_ORIGINS),
    ("entry_conversions", ENTRY_CONVERSIONS),
    ("trades", TRADES),
    ("position_statements", POSITION_STATEMENTS),
    ("holdings", HOLDINGS),
    ("transfers", TRANSFERS),
    ("rejected_transfers", REJECTED_TRANSFERS),
    ("securities", SECURITIES),
    ("security_prices", SECURITY_PRICES),
    ("family_rates", FAMILY_RATES),
    ("rules", RULES),
    ("recurring_transactions", RECURRING_TRANSACTIONS),
    ("budgets", BUDGETS),
    ("budget_categories", BUDGET_CATEGORIES),
];

const FAMILIES: &[(&str, Export)] = &[
    ("id", FAMILY),
    ("public_id", Field("Family.id")),
    ("name", Field("Family.name")),
    ("currency", Field("Family.currency")),
    ("time_zone", Field("Family.time_zone")),
    ("version", COUNTER),
    ("created_at", STORED_AT),
    ("transfer_matching", Field("Family.transfer_matching")),
    ("updated_at", STORED_AT),
    ("month_start_day", Field("Family.month_start_day")),
    ("locale", Field("Family.locale")),
    ("date_format", Field("Family.date_format")),
    ("country", Field("Family.country")),
    ("deletion_at", RUNNING),
];

const USERS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", PEOPLE),
    ("email", Field("Account.owner")),
    ("name", PEOPLE),
    ("role", PEOPLE),
    ("password_hash", PEOPLE),
    ("deactivated_at", PEOPLE),
    ("created_at", STORED_AT),
    ("deletion_at", PEOPLE),
];

const ACCOUNTS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Account.id")),
    ("name", Field("Account.name")),
    ("name_key", NAME_KEY),
    ("account_type", Field("Account.accountable_type")),
    ("subtype", Field("Account.subtype")),
    ("currency", Field("Account.currency")),
    ("status", Field("Account.status")),
    ("opening_amount", Field("Account.opening_balance")),
    ("institution_name", Field("Account.institution_name")),
    ("institution_domain", Field("Account.institution_domain")),
    ("transactions_count", COUNTER),
    ("valuations_count", COUNTER),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
    ("owner_id", Field("Account.owner")),
    ("cost_method", Field("Account.cost_method")),
    ("trades_count", COUNTER),
    ("backward", DERIVED),
    ("opening_derived", DERIVED),
    ("notes", Field("Account.notes")),
];

const CATEGORIES: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Category.id")),
    ("parent_id", Field("Category.parent_id")),
    ("name", Field("Category.name")),
    ("name_key", NAME_KEY),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
    ("color", Field("Category.color")),
    ("icon", Field("Category.lucide_icon")),
];

const TAGS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Tag.id")),
    ("name", Field("Tag.name")),
    ("name_key", NAME_KEY),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
    ("color", Field("Tag.color")),
];

const MERCHANTS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Merchant.id")),
    ("name", Field("Merchant.name")),
    ("name_key", NAME_KEY),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
    ("color", Field("Merchant.color")),
    ("website", Field("Merchant.website_url")),
];

const ENTRIES: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Transaction.id")),
    ("account_id", Field("Transaction.account_id")),
    ("kind", Left("the type of the line")),
    ("date", Field("Transaction.date")),
    ("amount", Field("Transaction.amount")),
    ("currency", Field("Transaction.currency")),
    ("name", Field("Transaction.name")),
    ("notes", Field("Transaction.notes")),
    ("category_id", Field("Transaction.category_id")),
    ("merchant_id", Field("Transaction.merchant_id")),
    ("valuation_kind", Field("Valuation.kind")),
    ("pending", Field("Transaction.pending")),
    ("source", Field("Transaction.source")),
    ("external_id", Field("Transaction.external_id")),
    ("created_at", Field("Trade.recorded_at")),
    ("updated_at", STORED_AT),
    ("changed_at", STORED_AT),
    ("booked", DERIVED),
    ("excluded", Field("Transaction.excluded")),
    ("is_split", Field("Transaction.split_lines")),
    ("parent_id", Field("Transaction.split_lines")),
    ("locked", Field("Transaction.locked_fields")),
    ("has_origin", Left("follows from the origin")),
];

const ENTRY_TAGS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("entry_id", Field("Transaction.tag_ids")),
    ("tag_id", Field("Transaction.tag_ids")),
];

const ENTRY_ORIGINS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("entry_id", Field("Tombstone.id")),
    ("account_id", Field("Tombstone.account_id")),
    ("date", Field("Tombstone.date")),
    ("amount", Field("Tombstone.amount")),
    ("currency", Field("Tombstone.currency")),
    ("name", Field("Tombstone.name")),
    ("external_id", Field("Tombstone.external_id")),
    ("deleted_at", Field("Tombstone.deleted_at")),
    ("source", Field("Tombstone.source")),
    ("kind", Field("Tombstone.kind")),
    ("import_id", IMPORTS),
];

const ENTRY_CONVERSIONS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("entry_id", Field("Transaction.exchange_rate")),
    ("account_id", Left("that of the entry")),
    ("date", Left("that of the entry")),
    ("from_currency", Left("that of the entry")),
    ("to_currency", Left("that of the account")),
    ("rate", Field("Transaction.exchange_rate")),
    ("given", Field("Transaction.exchange_rate")),
    ("origin", Left("of a rate that came with the entry, the rate; else derived")),
];

const TRADES: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("entry_id", Field("Trade.id")),
    ("security_id", Field("Trade.security_id")),
    ("trade_type", Field("Trade.trade_type")),
    ("qty", Field("Trade.qty")),
    ("price", Field("Trade.price")),
    ("fee", Field("Trade.fee")),
    ("value", DERIVED),
    ("cost", Field("Trade.cost")),
    ("split_to", Field("Trade.split_to")),
    ("split_from", Field("Trade.split_from")),
    ("counterpart_id", Field("Trade.counterpart_id")),
    ("lots", Field("Trade.lots")),
    ("date", Left("that of the entry")),
];

const POSITION_STATEMENTS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("account_id", Field("Holding.account_id")),
    ("security_id", Field("Holding.security_id")),
    ("date", Field("Holding.date")),
    ("qty", Field("Holding.qty")),
    ("price", Field("Holding.price")),
    ("currency", Field("Holding.currency")),
    ("cost_total", Field("Holding.cost_total")),
    ("cost_qty", Field("Holding.cost_qty")),
    ("import_id", IMPORTS),
];

const HOLDINGS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Left("the address of a position, which another server makes itself")),
    ("account_id", Field("HoldingCost.account_id")),
    ("security_id", Field("HoldingCost.security_id")),
    ("cost_total", Field("HoldingCost.cost_total")),
    ("cost_qty", Field("HoldingCost.cost_qty")),
    ("cost_date", Field("HoldingCost.date")),
    ("cost_said_at", Field("HoldingCost.stated_at")),
    ("cost_locked", Field("HoldingCost.locked")),
    ("earlier_costs", Field("HoldingCost.cost_total")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
    ("import_id", IMPORTS),
];

const TRANSFERS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Transfer.id")),
    ("outflow_id", Field("Transfer.outflow_transaction_id")),
    ("inflow_id", Field("Transfer.inflow_transaction_id")),
    ("status", Field("Transfer.status")),
    ("made_by", Field("Transfer.made_by")),
    ("score", Field("Transfer.score")),
    ("reasons", Field("Transfer.reasons")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
    ("import_id", IMPORTS),
];

const REJECTED_TRANSFERS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("RejectedTransfer.id")),
    ("outflow_id", Field("RejectedTransfer.outflow_transaction_id")),
    ("inflow_id", Field("RejectedTransfer.inflow_transaction_id")),
    ("created_at", STORED_AT),
    ("import_id", IMPORTS),
];

const SECURITIES: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Security.id")),
    ("ticker", Field("Security.ticker")),
    ("exchange_operating_mic", Field("Security.exchange_operating_mic")),
    ("name", Field("Security.name")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
    ("kind", Field("Security.kind")),
    ("isin", Field("Security.isin")),
    ("country_code", Field("Security.country_code")),
    ("currency", Field("Security.currency")),
    ("offline", Field("Security.offline")),
    ("feed_symbol", Field("Security.feed_symbol")),
    ("feed_at", FEED),
    ("feed_error", FEED),
];

const SECURITY_PRICES: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Left("a price is named by its security, its day and its currency")),
    ("security_id", Field("SecurityPrice.security_id")),
    ("date", Field("SecurityPrice.date")),
    ("currency", Field("SecurityPrice.currency")),
    ("price", Field("SecurityPrice.price")),
    ("source", Field("SecurityPrice.source")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
];

const FAMILY_RATES: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Left("a rate is named by its currencies and its day")),
    ("base", Field("ExchangeRate.from_currency")),
    ("quote", Field("ExchangeRate.to_currency")),
    ("date", Field("ExchangeRate.date")),
    ("rate", Field("ExchangeRate.rate")),
    ("source", Field("ExchangeRate.source")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
];

const RULES: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Rule.id")),
    ("name", Field("Rule.name")),
    ("active", Field("Rule.active")),
    ("effective_date", Field("Rule.effective_date")),
    ("conditions", Field("Rule.conditions")),
    ("actions", Field("Rule.actions")),
    ("position", Field("Rule.position")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
];

const RECURRING_TRANSACTIONS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("RecurringTransaction.id")),
    ("account_id", Field("RecurringTransaction.account_id")),
    ("merchant_id", Field("RecurringTransaction.merchant_id")),
    ("category_id", Field("RecurringTransaction.category_id")),
    ("name", Field("RecurringTransaction.name")),
    ("amount", Field("RecurringTransaction.amount")),
    ("currency", Field("RecurringTransaction.currency")),
    ("expected_day", Field("RecurringTransaction.expected_day_of_month")),
    ("last_occurrence_date", Field("RecurringTransaction.last_occurrence_date")),
    ("next_expected_date", Field("RecurringTransaction.next_expected_date")),
    ("status", Field("RecurringTransaction.status")),
    ("occurrences_count", Field("RecurringTransaction.occurrence_count")),
    ("made_by", Field("RecurringTransaction.manual")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
];

const BUDGETS: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("Budget.id")),
    ("start_date", Field("Budget.start_date")),
    ("end_date", Field("Budget.end_date")),
    ("currency", Field("Budget.currency")),
    ("budgeted_spending", Field("Budget.budgeted_spending")),
    ("expected_income", Field("Budget.expected_income")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
];

const BUDGET_CATEGORIES: &[(&str, Export)] = &[
    ("family_id", FAMILY),
    ("id", Field("BudgetCategory.id")),
    ("budget_id", Field("BudgetCategory.budget_id")),
    ("category_id", Field("BudgetCategory.category_id")),
    ("budgeted_spending", Field("BudgetCategory.budgeted_spending")),
    ("created_at", STORED_AT),
    ("updated_at", STORED_AT),
];
