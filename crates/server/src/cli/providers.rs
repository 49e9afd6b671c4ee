//! `purser providers`: the providers of bank data that connections can be made to.

use purser_app::connections;
use purser_core::error::Result;
use serde_json::json;

use super::{Globals, output};

/// Lists the providers; no database is needed.
pub(super) fn run(globals: &Globals) -> Result<()> {
    if globals.json {
        let providers: Vec<_> = connections::providers()
            .map(|one| {
                json!({
                    "provider": one.name,
                    "provider_type": one.provider_type,
                    "title": one.title,
                    "entered": one.entered,
                    "is_entered_once": one.is_entered_once,
                })
            })
            .collect();
        return output::json(&json!({ "providers": providers }));
    }
    let mut table = output::Table::new(&["Provider", "Name", "What is entered"], &[]);
    for one in connections::providers() {
        let entered = match one.is_entered_once {
            true => format!("{}, which works once", one.entered),
            false => one.entered.to_owned(),
        };
        table.row(vec![one.name.to_owned(), one.title.to_owned(), entered]);
    }
    table.print("")
}
