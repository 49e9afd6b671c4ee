//! Why an import can't be published as it is.

use purser_core::import::layout::Layout;
use purser_core::import::status::{Condition, Obstacle};
use purser_store::imports::{Import, Mapping};

use super::reading::Finding;

/// A refused publish.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rejection {
    /// Stable machine code.
    pub(crate) code: &'static str,
    /// One sentence.
    pub(crate) message: String,
    /// The first problems, with their lines.
    pub(crate) errors: Vec<String>,
}

/// What stands in the way of publishing, if anything.
pub(crate) fn rejection(import: &Import, mappings: &[Mapping]) -> Option<Rejection> {
    let condition = import.condition();
    let rejection = match condition.obstacle(import.skip_invalid)? {
        Obstacle::Status => Rejection {
            code: "not_publishable",
            message: format!("The import is {}", condition.status.as_str()),
            errors: Vec::new(),
        },
        Obstacle::NotConfigured => not_configured(import, condition),
        Obstacle::InvalidRows => invalid_rows(import, condition),
        Obstacle::NoValidRow => Rejection {
            code: "not_publishable",
            message: "The file has no valid row".into(),
            errors: Vec::new(),
        },
        Obstacle::UnassignedMappings => Rejection {
            code: "unassigned_mappings",
            message: format!(
                "{} must be chosen before the import can be published",
                counted(condition.unassigned_mappings, "name", "names")
            ),
            errors: mappings.iter().filter_map(|mapping| mapping.problem.clone()).collect(),
        },
    };
    Some(rejection)
}

fn not_configured(import: &Import, condition: Condition) -> Rejection {
    let errors = if !condition.uploaded {
        vec!["There is no content yet".to_owned()]
    } else if condition.readable {
        vec!["The file has no rows".to_owned()]
    } else {
        problems(import)
    };
    Rejection {
        code: "not_configured",
        message: errors.first().cloned().unwrap_or_else(|| "The file can't be read yet".into()),
        errors,
    }
}

fn problems(import: &Import) -> Vec<String> {
    let layout = import.layout.as_deref().map(serde_json::from_str::<Layout>);
    layout.and_then(Result::ok).map(|layout| layout.problems).unwrap_or_default()
}

fn invalid_rows(import: &Import, condition: Condition) -> Rejection {
    let findings: Vec<Finding> = serde_json::from_str(&import.findings).unwrap_or_default();
    let errors = findings
        .iter()
        .map(|finding| format!("line {}: {}", finding.line, finding.reasons.join("; ")))
        .collect();
    Rejection {
        code: "invalid_rows",
        message: format!(
            "{} of {} can't be imported",
            counted(condition.invalid_rows, "row", "rows"),
            condition.rows
        ),
        errors,
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
