//! What is found in a file, and decides in the next one between readings that fit equally well.

use serde::{Deserialize, Serialize};

use super::Signage;
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
    /// Amounts marked with a plus or `CR` are money in, and those without a mark money out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unmarked_is_out: bool,
    /// A file with the same header had positive amounts as money out, but not one that is known to
    /// have gone to the same account.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_negative_elsewhere: bool,
}
