//! What is found in a file, and decides in the next one between readings that fit equally well.

use serde::{Deserialize, Serialize};

use super::Signage;
use crate::import::transaction::reversals::Reversals;
use crate::text::number::NumberFormat;

/// The formats that can be found in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Formats {
    /// The strftime pattern of dates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_format: Option<String>,
    /// How numbers are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number_format: Option<NumberFormat>,
    /// Which sign an inflow has, where the signs of the file don't show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signage: Option<Signage>,
    /// Whether some amounts had a minus, or a plus about which somebody decided, so that the
    /// convention is one about signs; else it counts for that file alone. Earlier versions didn't
    /// keep it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_signs: Option<bool>,
    /// Whether amounts without a mark are money out, beside others that a plus or `CR` marks as
    /// money in; nothing if no file had such marks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unmarked_is_out: Option<bool>,
    /// Which signs the amounts of columns or words usually have, where an unusual one is money that
    /// came back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reversals: Option<Reversals>,
    /// Whether the strategy in the settings was sent for an earlier file and not for this one.
    #[serde(skip)]
    pub is_strategy_taken: bool,
    /// Whether balances that lines of the account's last file stated are a debt beside amounts that
    /// are money; nothing if none proved its rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stated_is_debt: Option<bool>,
    /// A file with the same header had positive amounts as money out, but not one that is known to
    /// have gone to the same account.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_negative_elsewhere: bool,
    /// A column of such a file that somebody named as that of money out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debit_elsewhere: Option<String>,
    /// A word of such a file that somebody named as money in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inflow_value_elsewhere: Option<String>,
}
