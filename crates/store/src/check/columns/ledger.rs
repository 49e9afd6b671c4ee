//! The columns of accounts, of entries, and of what follows from them.

use purser_core::ledger::account::{AccountStatus, AccountType};
use purser_core::ledger::entry::{EntryKind, ValuationKind};
use purser_core::ledger::holding::CostBasisSource;
use purser_core::ledger::locks::LockField;
use purser_core::ledger::trade::{CostMethod, TradeType};
use purser_core::limits::SPLIT_PART_MAX;
use purser_core::rates::Rate;
use purser_core::transfers::{Maker, TransferStatus};

use super::values::{COLOR, COUNT, CURRENCY, DECIMAL, FRACTION, NAME, NOT_NEGATIVE, NUMBER, TEXT};
use super::{Domain, Table};
use crate::ledger::checkpoints::stored_state_can_be_read;
use crate::ledger::stated_costs::stored_costs_can_be_read;
use crate::ledger::stored_lots_can_be_read;

/// One bit for each field.
const LOCKS: Domain = Domain::Number(0, (1 << LockField::ALL.len()) - 1);
const SPLIT_PART: Domain = Domain::Number(1, SPLIT_PART_MAX as i64);
const KIND: Domain = Domain::Number(0, EntryKind::ALL.len() as i64 - 1);

/// Whether bytes are some parts of one length.
const fn is_list(length: usize, part: usize) -> bool {
    length > 0 && length.is_multiple_of(part)
}

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "accounts",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("name", NAME),
            ("name_key", NAME),
            ("account_type", Domain::named::<AccountType>()),
            ("subtype", TEXT),
            ("currency", CURRENCY),
            ("status", Domain::named::<AccountStatus>()),
            ("opening_amount", NUMBER),
            ("institution_name", TEXT),
            ("institution_domain", TEXT),
            ("transactions_count", COUNT),
            ("valuations_count", COUNT),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("owner_id", Domain::To("users")),
            ("cost_method", Domain::named::<CostMethod>()),
            ("trades_count", COUNT),
            ("backward", Domain::Flag),
            ("opening_derived", NUMBER),
            ("notes", TEXT),
        ],
    },
    Table {
        name: "categories",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("parent_id", Domain::CheckedBy("categories")),
            ("name", NAME),
            ("name_key", NAME),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("color", COLOR),
            ("icon", NAME),
        ],
    },
    Table {
        name: "tags",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("name", NAME),
            ("name_key", NAME),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("color", COLOR),
        ],
    },
    Table {
        name: "merchants",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("name", NAME),
            ("name_key", NAME),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("color", COLOR),
            ("website", NAME),
        ],
    },
    Table {
        name: "entries",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("account_id", Domain::To("accounts")),
            ("kind", KIND),
            ("date", Domain::Day),
            ("amount", NUMBER),
            ("currency", CURRENCY),
            ("name", TEXT),
            ("notes", TEXT),
            ("category_id", Domain::To("categories")),
            ("merchant_id", Domain::To("merchants")),
            ("valuation_kind", Domain::named::<ValuationKind>()),
            ("pending", Domain::Flag),
            ("source", NAME),
            ("external_id", NAME),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("changed_at", Domain::Time),
            ("booked", NUMBER),
            ("excluded", Domain::Flag),
            ("is_split", Domain::Flag),
            ("parent_id", Domain::CheckedBy("split_parts")),
            ("locked", LOCKS),
            ("has_origin", Domain::Flag),
        ],
    },
    Table {
        name: "entry_tags",
        key: &["entry_id", "tag_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("entry_id", Domain::To("entries")),
            ("tag_id", Domain::To("tags")),
        ],
    },
    Table {
        name: "entry_origins",
        key: &["entry_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("entry_id", Domain::CheckedBy("entry_origins")),
            ("account_id", Domain::To("accounts")),
            ("date", Domain::Day),
            ("amount", NUMBER),
            ("currency", CURRENCY),
            ("name", TEXT),
            ("external_id", NAME),
            ("deleted_at", Domain::Time),
            ("source", NAME),
            ("kind", KIND),
            ("import_id", Domain::MayBeGone),
        ],
    },
    Table {
        name: "entry_records",
        key: &["import_id", "first_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::MayBeGone),
            ("first_id", Domain::MayBeGone),
            ("last_id", Domain::MayBeGone),
            ("hashes", Domain::Bytes("hashes of 8 bytes each", |length| is_list(length, 8))),
            ("entries", Domain::Bytes("ids of 16 bytes each", |length| is_list(length, 16))),
        ],
    },
    Table {
        name: "entry_conversions",
        key: &["entry_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("entry_id", Domain::To("entries")),
            ("account_id", Domain::To("accounts")),
            ("date", Domain::Day),
            ("from_currency", CURRENCY),
            ("to_currency", CURRENCY),
            ("rate", NOT_NEGATIVE),
            ("given", Domain::Flag),
            ("origin", Domain::json::<Option<Rate>>("the origin of a rate")),
        ],
    },
    Table {
        name: "balances",
        key: &["account_id", "date"],
        columns: &[
            ("family_id", Domain::Family),
            ("account_id", Domain::To("accounts")),
            ("date", Domain::Day),
            ("inflow", NUMBER),
            ("outflow", NUMBER),
            ("valued", NUMBER),
            ("adjustment", NUMBER),
            ("end_amount", NUMBER),
            ("transactions_count", NUMBER),
            ("bought", NUMBER),
            ("sold", NUMBER),
        ],
    },
    Table {
        name: "trades",
        key: &["entry_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("entry_id", Domain::CheckedBy("trades")),
            ("security_id", Domain::To("securities")),
            ("trade_type", Domain::named::<TradeType>()),
            ("qty", DECIMAL),
            ("price", NOT_NEGATIVE),
            ("fee", COUNT),
            ("value", NUMBER),
            ("cost", NUMBER),
            ("split_to", SPLIT_PART),
            ("split_from", SPLIT_PART),
            ("counterpart_id", Domain::CheckedBy("trades")),
            ("lots", Domain::Text("lots", stored_lots_can_be_read)),
            ("date", Domain::Day),
        ],
    },
    Table {
        name: "position_statements",
        key: &["account_id", "security_id", "date"],
        columns: &[
            ("family_id", Domain::Family),
            ("account_id", Domain::To("accounts")),
            ("security_id", Domain::To("securities")),
            ("date", Domain::Day),
            ("qty", DECIMAL),
            ("price", NOT_NEGATIVE),
            ("currency", CURRENCY),
            ("cost_total", NUMBER),
            ("cost_qty", DECIMAL),
            ("import_id", Domain::MayBeGone),
        ],
    },
    Table {
        name: "holdings",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("account_id", Domain::To("accounts")),
            ("security_id", Domain::To("securities")),
            ("cost_total", NUMBER),
            ("cost_qty", DECIMAL),
            ("cost_date", Domain::Day),
            ("cost_said_at", Domain::Time),
            ("cost_locked", Domain::Flag),
            ("earlier_costs", Domain::Text("costs", stored_costs_can_be_read)),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("import_id", Domain::MayBeGone),
        ],
    },
    Table {
        name: "position_segments",
        key: &["account_id", "security_id", "date"],
        columns: &[
            ("family_id", Domain::Family),
            ("account_id", Domain::To("accounts")),
            ("security_id", Domain::To("securities")),
            ("date", Domain::Day),
            ("qty", DECIMAL),
            ("cost", FRACTION),
            ("cost_source", Domain::named::<CostBasisSource>()),
        ],
    },
    Table {
        name: "position_checkpoints",
        key: &["security_id", "date"],
        columns: &[
            ("family_id", Domain::Family),
            ("security_id", Domain::To("securities")),
            ("date", Domain::Day),
            ("state", Domain::Text("the state of a fold", stored_state_can_be_read)),
        ],
    },
    Table {
        name: "transfers",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("outflow_id", Domain::CheckedBy("transfers")),
            ("inflow_id", Domain::CheckedBy("transfers")),
            ("status", Domain::named::<TransferStatus>()),
            ("made_by", Domain::named::<Maker>()),
            ("score", Domain::Number(0, 100)),
            ("reasons", Domain::json::<Vec<String>>("a list of sentences")),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("import_id", Domain::MayBeGone),
        ],
    },
    Table {
        name: "rejected_transfers",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("outflow_id", Domain::MayBeGone),
            ("inflow_id", Domain::MayBeGone),
            ("created_at", Domain::Time),
            ("import_id", Domain::MayBeGone),
        ],
    },
];
