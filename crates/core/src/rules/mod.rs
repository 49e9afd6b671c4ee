//! Rules: conditions on transactions, and what becomes of those that meet them.
//!
//! A rule holds conditions, all of which must hold, and actions. [`Rules`] runs several in their
//! order over the [`Facts`] of one transaction; each sees what those before it made of it. The
//! result names each field that changes, the rule that changes it, and what was left alone because
//! a person had set it. Nothing here knows where facts come from: an import, a slice of the ledger
//! and a preview run the same function, and count what it costs ([`Work`]).
//!
//! Conditions and actions are written as JSON ([`json`]), in the interface, in files and in the
//! database alike. What a rule points to (categories, tags, merchants, accounts) is a
//! [`Reference`]: an id, or a name until the store has found out what it stands for.

mod action;
mod amount;
pub mod catalogue;
mod condition;
mod facts;
pub mod json;
mod reference;
mod run;
#[cfg(test)]
mod tests;
mod text;
mod values;
mod words;
mod work;

use crate::named::text_enum;

pub use action::{Action, ActionType};
pub use amount::{AmountTest, Comparison};
pub use catalogue::{Catalogue, NameMatch};
pub use condition::{Condition, ConditionParts, ConditionReference, RefTest, TextField, TextTest};
pub use facts::{Facts, TransactionType};
pub use reference::{Noun, Reference};
pub use run::{Effect, Evaluation, NewValue, Rule, Rules};
pub use text::Needle;
pub use values::{CheckedRule, RuleValues};
pub use words::{ConditionType, Operator};
pub use work::Work;

text_enum! {
    /// Why a rule was run.
    Execution {
        /// A person asked for it.
        Manual = "manual",
        /// It ran on the transactions of an import.
        Import = "import",
    }
}

text_enum! {
    /// The status of a run of a rule.
    RunStatus {
        /// The run waits, or is under way.
        Pending = "pending",
        /// The run is done.
        Success = "success",
        /// The run was given up; what it changed until then stays.
        Failed = "failed",
    }
}

text_enum! {
    /// What a rule is for.
    ResourceType {
        /// Transactions; there is nothing else.
        Transaction = "transaction",
    }
}
