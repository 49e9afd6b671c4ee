//! What an earlier file was read with, beside the answer that it was.
//!
//! It may have been of another account, or its answer one about that file alone, so it decides
//! nothing here.

use super::Reading;
use crate::import::layout::Layout;
use crate::import::template::{AccountSettings, TemplateUse};

/// Notes the answer that the last file with the same header was read with.
pub(super) fn note(layout: &Layout, readings: &mut [Reading]) {
    let Some(proposal) = layout.template.as_ref().and_then(TemplateUse::proposal) else { return };
    for reading in readings {
        if let [(setting, value)] = reading.settings.as_slice()
            && known(proposal, setting).as_deref() == Some(value)
        {
            reading.meaning.push_str(", as in the last such file");
        }
    }
}

fn known(proposal: &AccountSettings, setting: &str) -> Option<String> {
    let found = &proposal.found;
    match setting {
        "date_format" => proposal.settings.date_format.clone().or(found.date_format.clone()),
        "number_format" => {
            let format = proposal.settings.number_format.or(found.number_format);
            format.map(|format| format.as_str().to_owned())
        }
        "fee_col_label" | "currency_col_label" => proposal.settings.fields().remove(setting),
        "signage_convention" => found.signage.map(|signage| signage.as_str().to_owned()),
        _ => None,
    }
}
