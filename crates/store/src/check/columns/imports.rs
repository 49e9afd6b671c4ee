//! The columns of files and of imports.

use std::collections::BTreeMap;

use purser_core::ids::AccountId;
use purser_core::import::file_statement::{FileStatement, StatementKind};
use purser_core::import::layout::Layout;
use purser_core::import::mapping::{MappingChoice, MappingKind};
use purser_core::import::native::Readback;
use purser_core::import::planned_flow::PlannedFlow;
use purser_core::import::row_edit::RowChoice;
use purser_core::import::settings::{Formats, Settings};
use purser_core::import::source_file::FileFormat;
use purser_core::import::status::ImportStatus;
use purser_core::import::verdict::Counts;

use super::values::{
    BYTES, COUNT, CREATED_KIND, CURRENCIES, CURRENCY, DECIMAL, HASH, IMPORT_TYPE, JSON, NAME,
    NUMBER, OBJECTS, RECORD_KIND, TEXT,
};
use super::{Domain, Table};
use crate::ledger::Filled;

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "files",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("name", TEXT),
            ("bytes", COUNT),
            ("sha256", HASH),
            ("created_at", Domain::Time),
        ],
    },
    Table {
        name: "imports",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("import_type", IMPORT_TYPE),
            ("status", Domain::named::<ImportStatus>()),
            ("account_id", Domain::To("accounts")),
            ("file_id", Domain::To("files")),
            ("settings", Domain::json::<Settings>("settings of an import")),
            ("layout", Domain::json::<Layout>("the layout of a file")),
            ("readable", Domain::Flag),
            ("as_of", Domain::Day),
            ("rows_count", COUNT),
            ("valid_rows_count", COUNT),
            ("invalid_rows_count", COUNT),
            ("mappings_count", COUNT),
            ("unassigned_mappings_count", COUNT),
            ("findings", OBJECTS),
            ("publish_wanted", Domain::Flag),
            ("skip_invalid", Domain::Flag),
            ("upload_fingerprint", HASH),
            ("publish_failed_at", Domain::Time),
            ("error", TEXT),
            ("first_entry_id", Domain::MayBeGone),
            ("last_entry_id", Domain::MayBeGone),
            ("created_count", COUNT),
            ("completed_at", Domain::Time),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
            ("plan", Domain::json::<Counts>("the counts of a plan")),
            ("plan_version", COUNT),
            ("plan_flows", Domain::json::<Vec<PlannedFlow>>("sums of a plan by account")),
            ("left_out_count", COUNT),
            ("template_id", Domain::MayBeGone),
            ("rows_done", COUNT),
            ("gone_count", COUNT),
            ("made_accounts", Domain::json::<Vec<AccountId>>("ids of accounts")),
            ("readback", Domain::json::<Readback>("a comparison of counts")),
        ],
    },
    Table {
        name: "import_offsets",
        key: &["import_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("records_file_id", Domain::To("files")),
            ("offsets", BYTES),
        ],
    },
    Table {
        name: "import_pages",
        key: &["import_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("file_id", Domain::To("files")),
        ],
    },
    Table {
        name: "import_statements",
        key: &["import_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("statements", Domain::json::<Vec<FileStatement>>("what statements of a file state")),
        ],
    },
    Table {
        name: "bank_statements",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("account_id", Domain::To("accounts")),
            ("import_id", Domain::To("imports")),
            ("format", Domain::named::<FileFormat>()),
            ("kind", Domain::named::<StatementKind>()),
            ("bank", TEXT),
            ("holder", TEXT),
            ("last_four", TEXT),
            ("identifier", TEXT),
            ("number", TEXT),
            ("first_day", Domain::Day),
            ("last_day", Domain::Day),
            ("currency", CURRENCY),
            ("opening", NUMBER),
            ("closing", NUMBER),
            ("closing_day", Domain::Day),
            ("lines_count", COUNT),
            ("missing_count", COUNT),
            ("first_entry_id", Domain::MayBeGone),
            ("last_entry_id", Domain::MayBeGone),
            ("created_at", Domain::Time),
            ("positions_day", Domain::Day),
        ],
    },
    Table {
        name: "bank_statement_positions",
        key: &["statement_id", "number"],
        columns: &[
            ("family_id", Domain::Family),
            ("statement_id", Domain::To("bank_statements")),
            ("number", COUNT),
            ("security_id", Domain::MayBeGone),
            ("name", TEXT),
            ("isin", TEXT),
            ("qty", DECIMAL),
        ],
    },
    Table {
        name: "bank_statement_matches",
        key: &["entry_id", "statement_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("entry_id", Domain::MayBeGone),
            ("statement_id", Domain::To("bank_statements")),
        ],
    },
    Table {
        name: "import_mappings",
        key: &["import_id", "kind", "value_key"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("kind", Domain::named::<MappingKind>()),
            ("value", TEXT),
            ("value_key", TEXT),
            ("target_id", Domain::CheckedBy("import_mappings")),
            ("creates", Domain::Flag),
            ("currency", CURRENCIES),
            ("problem", TEXT),
            ("rows_count", COUNT),
            ("chosen", Domain::Flag),
            ("new_name", NAME),
            ("per_currency", Domain::Flag),
        ],
    },
    Table {
        name: "import_plan_blocks",
        key: &["import_id", "block"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("block", COUNT),
            ("verdicts", BYTES),
            ("matches", BYTES),
        ],
    },
    Table {
        name: "import_row_edits",
        key: &["import_id", "row_number"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("row_number", COUNT),
            ("cells", Domain::json::<BTreeMap<usize, String>>("texts by their columns")),
            ("choice", Domain::named::<RowChoice>()),
            ("updated_at", Domain::Time),
        ],
    },
    Table {
        name: "import_created",
        key: &["import_id", "kind", "target_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("kind", CREATED_KIND),
            ("target_id", Domain::CheckedBy("import_created")),
        ],
    },
    Table {
        name: "import_changes",
        key: &["import_id", "kind", "target_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("kind", RECORD_KIND),
            ("target_id", Domain::CheckedBy("import_changes")),
            ("before_image", JSON),
            ("after_image", JSON),
        ],
    },
    Table {
        name: "import_fills",
        key: &["import_id", "entry_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::To("imports")),
            ("entry_id", Domain::CheckedBy("import_fills")),
            ("filled", Domain::json::<Filled>("the fields that were filled")),
        ],
    },
    Table {
        name: "import_templates",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("import_type", IMPORT_TYPE),
            ("header_key", HASH),
            ("name", NAME),
            ("settings", Domain::json::<Settings>("settings of an import")),
            ("found", Domain::json::<Formats>("formats")),
            ("choices", Domain::json::<Vec<MappingChoice>>("choices for names")),
            ("account_id", Domain::To("accounts")),
            ("used_at", Domain::Time),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
        ],
    },
    Table {
        name: "hidden_entries",
        key: &["import_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("import_id", Domain::CheckedBy("import_entries")),
            ("action", Domain::Text("publish or undo", |text| ["publish", "undo"].contains(&text))),
            ("first_id", Domain::MayBeGone),
            ("last_id", Domain::MayBeGone),
        ],
    },
    Table {
        name: "import_sessions",
        key: &["id"],
        columns: &[
            ("family_id", Domain::Family),
            ("id", Domain::Id),
            ("client_session_id", NAME),
            ("expected_chunks", COUNT),
            ("import_id", Domain::To("imports")),
            ("created_at", Domain::Time),
            ("updated_at", Domain::Time),
        ],
    },
    Table {
        name: "import_session_chunks",
        key: &["session_id", "sequence"],
        columns: &[
            ("family_id", Domain::Family),
            ("session_id", Domain::To("import_sessions")),
            ("sequence", COUNT),
            ("id", Domain::Id),
            ("client_chunk_id", NAME),
            ("file_id", Domain::To("files")),
            ("bytes", COUNT),
            ("sha256", HASH),
            ("lines_count", COUNT),
            ("rows_count", COUNT),
            ("created_at", Domain::Time),
        ],
    },
];
