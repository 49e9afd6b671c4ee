//! The columns of what syncs know and did.

use purser_core::connection::RevertStatus;
use purser_core::sync::holdings::Clues;
use purser_core::sync::{Counts, Doubt};

use super::values::{COUNT, CURRENCY, NAME, NUMBER, TEXT};
use super::{Domain, Table};
use crate::sync_plans::images;

pub(super) const TABLES: &[Table] = &[
    Table {
        name: "sync_rows",
        key: &["entry_id", "source"],
        columns: &[
            ("family_id", Domain::Family),
            ("entry_id", Domain::MayBeGone),
            ("source", NAME),
            ("account_id", Domain::To("accounts")),
            ("external_id", NAME),
            ("date", Domain::Day),
            ("amount", NUMBER),
            ("currency", CURRENCY),
            ("name", TEXT),
            ("pending", Domain::Flag),
            ("absences", COUNT),
            ("absent_on", Domain::Day),
        ],
    },
    Table {
        name: "sync_holdings",
        key: &["account_id", "source", "clues"],
        columns: &[
            ("family_id", Domain::Family),
            ("account_id", Domain::To("accounts")),
            ("source", NAME),
            ("clues", Domain::json::<Clues>("what a security is recognised by")),
            ("security_id", Domain::To("securities")),
        ],
    },
    Table {
        name: "sync_plans",
        key: &["sync_id", "account_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("sync_id", Domain::To("syncs")),
            ("account_id", Domain::To("accounts")),
            ("source", NAME),
            ("counts", Domain::json::<Counts>("numbers of rows")),
            ("warnings", Domain::json::<Vec<String>>("a list of codes")),
            ("first_entry_id", Domain::MayBeGone),
            ("last_entry_id", Domain::MayBeGone),
            ("watermark_before", Domain::Day),
            ("undone_at", Domain::Time),
            ("created_at", Domain::Time),
            ("revert_status", Domain::named::<RevertStatus>()),
        ],
    },
    Table {
        name: "sync_images",
        key: &["sync_id", "account_id", "number"],
        columns: &[
            ("family_id", Domain::Family),
            ("sync_id", Domain::To("syncs")),
            ("account_id", Domain::To("accounts")),
            ("number", COUNT),
            ("image", Domain::Text("what was before a change", images::can_be_read)),
        ],
    },
    Table {
        name: "sync_suggestions",
        key: &["entry_id", "other_id"],
        columns: &[
            ("family_id", Domain::Family),
            ("entry_id", Domain::MayBeGone),
            ("other_id", Domain::MayBeGone),
            ("id", Domain::Id),
            ("account_id", Domain::To("accounts")),
            ("doubt", Domain::named::<Doubt>()),
            ("created_at", Domain::Time),
        ],
    },
];
