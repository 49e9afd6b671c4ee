//! Finding the validator and the generator of clients that the description of the interface is
//! tested with, and installing them when that is wanted.

use std::fs;
use std::path::PathBuf;

use crate::process::workspace;
use crate::{Result, python};

/// The folder in which they are installed.
const ENVIRONMENT: &str = "target/openapi";
/// What is installed there, each with its version.
const REQUIREMENTS: &str = "tests/http/openapi/generated/requirements.txt";

/// Finds a Python that has both, in the versions that are wanted; with `install`, fetches them.
pub(crate) fn find_or_install(install: bool) -> Result<PathBuf> {
    let environment = workspace().join(ENVIRONMENT);
    let requirements = workspace().join(REQUIREMENTS);
    let wanted = fs::read(&requirements).map_err(|error| format!("{REQUIREMENTS}: {error}"))?;
    // Written when everything is installed.
    let installed = environment.join("requirements.txt");
    if fs::read(&installed).ok().as_ref() != Some(&wanted) {
        let missing = "the validator and the generator for OpenAPI are not here";
        if !install {
            return Err(format!("{missing}; run cargo xtask test --install"));
        }
        println!("{missing}: installing them");
        python::install(ENVIRONMENT, &format!("--requirement={}", requirements.display()))?;
        fs::write(&installed, wanted).map_err(|error| format!("{ENVIRONMENT}: {error}"))?;
    }
    Ok(environment.join("bin/python"))
}
