//! Whether a file goes without a person.
//!
//! What a person would be asked about, and what they would want to see first, isn't decided by a
//! folder: the first file of its kind, new accounts, rows that may be there already.

use purser_core::error::texts;
use purser_core::import::mapping::MappingKind;

use crate::imports::preview::Preview;

/// Why a person must look at it; `None` if it can be published.
pub(super) fn obstacle(preview: &Preview, has_template: bool) -> Option<String> {
    if let Some(rejection) = &preview.obstacle {
        let mut lines = vec![rejection.message.clone()];
        lines.extend(texts(&rejection.errors));
        // The only problem is the message, too.
        lines.dedup();
        return Some(lines.join("\n"));
    }
    if !has_template {
        let sentence = "It is the first file of its kind. Publish it under Imports; the next one \
                        is imported by itself.";
        return Some(sentence.to_owned());
    }
    let new_account = preview
        .mappings
        .iter()
        .find(|mapping| mapping.kind == MappingKind::Account && mapping.create);
    if let Some(account) = new_account {
        return Some(format!("It names the account \"{}\", which is a new one.", account.name));
    }
    let similar = preview.plan.map_or(0, |counts| counts.possible_duplicate);
    match similar {
        0 => None,
        1 => Some("One row may be there already, with another day or name.".to_owned()),
        _ => Some(format!("{similar} rows may be there already, with another day or name.")),
    }
}

/// Why a file waits that was imported before somebody wrote to it again, with what else there is.
pub(super) fn written_on(obstacle: Option<String>) -> String {
    let sentence = "It was written on after it had been imported, perhaps within a row: undo that \
                    import before this one is published, or look whether its last row is right.";
    match obstacle {
        Some(obstacle) => format!("{sentence}\n{obstacle}"),
        None => sentence.to_owned(),
    }
}
