//! Why an import can't be published as it is.

use purser_core::error::{Error, Problem, Result, texts};
use purser_core::import::layout::Layout;
use purser_core::import::layout_problem::LayoutProblem;
use purser_core::import::source_file::SourceFile;
use purser_core::import::status::{Condition, Obstacle};
use purser_core::limits::IMPORT_FINDINGS_MAX;
use purser_store::imports::{Import, Mapping};
use serde::{Serialize, Serializer};

use super::reading::Finding;

/// The code where rows need a choice.
pub(super) const UNDECIDED_ROWS: &str = "undecided_rows";

/// A publish that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rejection {
    /// The stable code for programs.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
    /// The first problems, with their lines.
    #[serde(serialize_with = "as_texts")]
    pub errors: Vec<Problem>,
}

fn as_texts<S: Serializer>(
    problems: &[Problem],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    texts(problems).serialize(serializer)
}

/// What a rejection follows from and is explained by.
#[derive(Debug)]
pub struct Facts<'a> {
    /// What the booleans follow from.
    pub condition: Condition,
    /// Invalid rows are to be left out.
    pub skip_invalid: bool,
    /// Why the file can't be read.
    pub problems: Vec<LayoutProblem>,
    /// The first invalid rows.
    pub findings: Vec<Finding>,
    /// What the file is.
    pub file: SourceFile,
    /// What the names stand for.
    pub mappings: &'a [Mapping],
    /// What the statements of the file show against the accounts of its rows.
    pub objections: Vec<String>,
}

impl<'a> Facts<'a> {
    /// The facts of an import that is stored, with what is found against it now.
    pub fn of(import: &Import, mappings: &'a [Mapping], objections: Vec<String>) -> Result<Self> {
        let layout = import.layout.as_deref().map(serde_json::from_str::<Layout>).transpose();
        let layout = layout.map_err(Error::internal)?;
        Ok(Self {
            condition: import.condition(),
            skip_invalid: import.skip_invalid,
            file: layout.as_ref().map(|layout| layout.file.clone()).unwrap_or_default(),
            problems: layout.map(|layout| layout.problems).unwrap_or_default(),
            findings: serde_json::from_str(&import.findings).map_err(Error::internal)?,
            mappings,
            objections,
        })
    }

    /// What stands in the way of publishing, if anything.
    pub fn rejection(&self) -> Option<Rejection> {
        let condition = self.condition;
        let Some(obstacle) = condition.obstacle(self.skip_invalid) else {
            return self.not_proven();
        };
        let rejection = match obstacle {
            Obstacle::Status => Rejection {
                code: "not_publishable",
                message: format!("The import is {}", condition.status.as_str()),
                errors: Vec::new(),
            },
            Obstacle::NotConfigured => self.not_configured(),
            Obstacle::InvalidRows => self.invalid_rows(),
            Obstacle::NoValidRow => Rejection {
                code: "not_publishable",
                message: "The file has no valid row".into(),
                errors: Vec::new(),
            },
            Obstacle::UnassignedMappings => self.unassigned_mappings(),
            Obstacle::UndecidedRows => Rejection {
                code: UNDECIDED_ROWS,
                message: format!(
                    "{} a choice before the import can be published",
                    counted(condition.undecided_rows, "row needs", "rows need")
                ),
                errors: Vec::new(),
            },
        };
        Some(rejection)
    }

    fn not_proven(&self) -> Option<Rejection> {
        let errors = self.objections.iter();
        let errors = errors.map(|it| Problem::about("balance_check", it.clone())).collect();
        let message = self.objections.first()?.clone();
        Some(Rejection { code: "not_proven", message, errors })
    }

    fn not_configured(&self) -> Rejection {
        let errors = if !self.condition.uploaded {
            vec![Problem::sentence("There is no content yet")]
        } else if self.condition.readable {
            vec![Problem::sentence("The file has no rows")]
        } else {
            self.problems.iter().cloned().map(Problem::from).collect()
        };
        let first = errors.first().map(Problem::to_string);
        Rejection {
            code: "not_configured",
            message: first.unwrap_or_else(|| "The file can't be read".into()),
            errors,
        }
    }

    fn invalid_rows(&self) -> Rejection {
        let of_line = |finding: &Finding| {
            Problem::remark(self.file.place_of(finding.line), finding.reasons.join("; "))
        };
        Rejection {
            code: "invalid_rows",
            message: format!(
                "{} of {} can't be imported",
                counted(self.condition.invalid_rows, "row", "rows"),
                self.condition.rows
            ),
            errors: self.findings.iter().map(of_line).collect(),
        }
    }

    fn unassigned_mappings(&self) -> Rejection {
        let problem = |mapping: &Mapping| mapping.problem.clone().map(Problem::sentence);
        let problems = self.mappings.iter().filter_map(problem);
        Rejection {
            code: "unassigned_mappings",
            message: format!(
                "{} must be chosen before the import can be published",
                counted(self.condition.unassigned_mappings, "name", "names")
            ),
            errors: problems.take(IMPORT_FINDINGS_MAX).collect(),
        }
    }
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
