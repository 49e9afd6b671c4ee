//! The use cases: what the API, the pages and the command line do alike, and what workers do in the
//! background.
//!
//! * [`imports`]: the pipeline of an import, from an upload to its undo.
//! * [`transactions`], [`accounts`], [`transfers`], [`rules`], [`people`]: changes that set off
//!   more than the change itself.
//! * [`backup`]: the whole database and its files, out and in again.
//! * [`sync`]: what the answers of bank-data providers change in accounts.
//! * [`connections`]: providers of bank data and the runs that ask them; [`secrets`]: their keys,
//!   encrypted.
//! * [`webhooks`]: events sent to addresses of families.
//! * [`jobs`]: workers. [`feeds`]: rates and prices from addresses that the operator names.
//! * [`App`]: what they share in a process that serves.
//!
//! Nothing here knows HTTP as a server does, the command line or a page: those are the edges, and
//! they call this crate.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod accounts;
pub mod api_key;
mod app;
pub mod backup;
pub mod blocking;
pub mod connections;
pub mod data;
pub mod demo;
pub mod exports;
pub mod feeds;
pub mod imports;
pub mod inbox;
pub mod jobs;
pub mod labels;
pub mod limits;
mod looks;
pub mod metric_names;
pub mod naming;
pub mod network;
pub mod objects;
pub mod passwords;
pub mod people;
mod pipe;
pub mod providers;
pub mod rates;
pub mod rules;
mod scratch;
pub mod secrets;
pub mod settings;
pub mod sync;
#[cfg(test)]
mod testing;
pub mod transactions;
pub mod transfers;
pub mod webhooks;

pub use app::{App, Shared};
pub use purser_store::{Access, FamilyId, FamilyTx, Secret, Store, Tx};

/// The actor of a change, for the audit trail.
pub mod audit {
    pub use purser_store::audit::Actor;
}

/// Balances of accounts, day by day.
pub mod balances {
    pub use purser_store::balances::{Point, series};

    /// The stored balance of each day.
    pub mod daily {
        pub use purser_store::balances::daily::{Balance, BalanceListing, get, list};
    }
}

/// Bank statements of published files.
pub mod bank_statements {
    pub use purser_store::bank_statements::{BankStatement, Listing, get, list};
}

/// Budgets, each of one month.
pub mod budgets {
    pub use purser_store::budgets::{Budget, Listing, create, get, list, remove, revise};

    /// The lines of a budget, one for each category.
    pub mod lines {
        pub use purser_store::budgets::lines::{
            BudgetLine, Listing, create, get, list, remove, revise,
        };
    }

    /// Budgets compared with what was spent.
    pub mod overview {
        pub use purser_store::budgets::overview::{BudgetOverview, LineOverview, show, show_line};
    }
}

/// The present day in the time zone of a family.
pub mod calendar {
    pub use purser_store::calendar::today;
}

/// The report of income and expenses.
pub mod cash_flow {
    pub use purser_store::cash_flow::{CashFlow, CashFlowFilter, Line, Missing, cash_flow};
}

/// The categories of a family.
pub mod categories {
    pub use purser_store::categories::{
        Category, Listing, bootstrap, create, get, list, remove, revise,
    };
}

/// The verification of all data.
pub mod check {
    pub use purser_store::check::{Outcome, run, run_beside_server};
}

/// Families over the machines of a cluster.
pub mod distribution {
    pub use purser_store::distribution::Distributed;

    use purser_core::error::Result;

    use crate::data::Location;

    /// Spreads the families of a database over the machines of its cluster, while nobody else is at
    /// work. Blocks.
    pub fn distribute(location: &Location) -> Result<Distributed> {
        let (store, _lock) = location.open_alone()?;
        purser_store::distribution::distribute(&store)
    }
}

/// The stored form of dates.
pub mod driver {
    pub use purser_store::driver::date_to_days;
}

/// Families and their settings.
pub mod families {
    pub use purser_store::families::{
        Family, ListedFamily, NewFamily, every, get, list, require_nobody,
    };
}

/// The store of uploaded files.
pub mod files {
    pub use purser_store::files::{FileStore, FilesPlace, Moved, Swept, Upload};

    use purser_core::error::Result;

    use crate::data::Location;

    /// Moves all files into the bucket of a location, or out of it, while nobody else is at work.
    /// Blocks.
    pub fn move_to(location: &Location, to: FilesPlace) -> Result<Moved> {
        let (store, _lock) = location.open_alone()?;
        purser_store::files::move_files(&store, &location.place()?, to)
    }
}

/// When something of a family is due.
pub mod due {
    pub use crate::looks::{remove_what_is_due, run};
    pub use purser_store::due::repair;
}

/// Guesses of passwords, counted for all nodes.
pub mod guesses {
    pub use purser_store::guesses::purge;
}

/// The holdings of accounts.
pub mod holdings {
    pub use purser_store::holdings::{
        Days, Holding, HoldingChange, Listing, SecuritySummary, get, list, update,
    };
}

/// Idempotency keys of requests.
pub mod idempotency {
    pub use purser_store::idempotency::{
        CLAIM_RENEWAL, Claim, Claimed, bind, claim, end_all, hand_over, let_go, purge, release,
        renew, save,
    };
}

/// API keys, as they are stored.
pub mod keys {
    pub use purser_store::keys::{
        Key, KeyRecord, NewKey, Scope, UNAUTHORIZED, authenticate, create, family_of, list,
        touch_last_used,
    };
}

/// Whether a server runs on a folder.
pub mod lock {
    pub use purser_store::lock::is_server_running;
}

/// The merchants of a family.
pub mod merchants {
    pub use purser_store::merchants::{
        Merchant, create, create_many, get, list, merge, remove, revise,
    };
}

/// Prices of securities on days.
pub mod prices {
    pub use purser_store::prices::{StatedPrice, get};

    /// Prices that a family states itself.
    pub mod changes {
        pub use purser_store::prices::changes::{PriceInput, remove, revise, set};
    }

    /// What the feed did for a security.
    pub mod feed {
        pub use purser_store::prices::feed::{FeedState, standing};
    }

    /// Files with prices of securities.
    pub mod import {
        pub use purser_store::prices::import::import;
    }

    /// Lists of prices, with filters.
    pub mod listing {
        pub use purser_store::prices::listing::{Selection, list};
    }
}

/// Recurring series of transactions.
pub mod recurring {
    pub use purser_store::recurring::{Listing, Recurring, get, list};

    /// Changes of recurring series.
    pub mod changes {
        pub use purser_store::recurring::changes::{create, remove, revise};
    }

    /// The detection of recurring series.
    pub mod detection {
        pub use purser_store::recurring::detection::find;
    }

    /// Storing the series that were detected.
    pub mod keeping {
        pub use purser_store::recurring::keeping::keep;
    }
}

/// Reports that are computed from the ledger.
pub mod reports {
    /// Realised and unrealised gains of securities.
    pub mod gains {
        pub use purser_store::reports::gains::{Line, Year, gains};
    }

    /// Net worth over the course of time.
    pub mod net_worth {
        pub use purser_store::reports::net_worth::{NetWorth, net_worth};
    }
}

/// Securities that can be traded.
pub mod securities {
    pub use purser_store::securities::{Security, Selection, create, get, list, remove, update};
}

/// Sessions of people in the browser.
pub mod sessions {
    pub use purser_store::sessions::{Session, SessionHash, begin, end_one, find, purge, touch};
}

/// Shares of what families use in turn.
pub mod shares {
    pub use purser_store::shares::{Holder, Share, Shares};
}

/// The number of statements that a piece of work sends to the database.
pub mod statement_count {
    pub use purser_store::statement_count::counted;
}

/// Syncs: runs that retrieve data from providers.
pub mod syncs {
    pub use purser_store::sync_outcomes::{NamedOutcome, list as outcomes};
    pub use purser_store::syncs::{Sync, get, latest, list};
}

/// Random bytes of the system.
pub mod system {
    pub use purser_store::system::random_bytes;
}

/// The tags of a family.
pub mod tags {
    pub use purser_store::tags::{Tag, create, get, list, remove, revise};
}

/// Trades of securities in accounts.
pub mod trades {
    pub use purser_store::trades::{
        CashInput, Counterpart, Listing, Trade, create, get, list, remove, revise,
    };
}

/// Users of a family.
pub mod users {
    pub use purser_store::users::{
        EMAIL_CHARS_MAX, NewUser, Role, SignIn, User, check_email, email_taken, find_by_email,
        is_any, is_taken, list, sign_in,
    };
}

/// Valuations of accounts on days.
pub mod valuations {
    pub use purser_store::valuations::{Listing, Valuation, get, list, remove, revise, set};
}
