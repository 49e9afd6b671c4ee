//! `purser distribute`: families over the machines of a cluster.

use purser_app::distribution::{self, Distributed};
use purser_core::error::Result;
use serde_json::json;

use super::{Globals, existing, output};

pub(super) fn run(globals: &Globals) -> Result<()> {
    let done = distribution::distribute(&existing(globals)?)?;
    let Distributed { families, directories } = done;
    if globals.json {
        return output::json(&json!({ "family_tables": families, "other_tables": directories }));
    }
    output::line(format!(
        "Spread by family: {families} tables; known to every machine: {directories}"
    ))
}
