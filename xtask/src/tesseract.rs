//! Finding the program that recognises words in scans, which the server starts if it is installed,
//! and installing it when that is wanted.

use crate::Result;
use crate::apt;

const PROGRAM: &str = "tesseract";
const PACKAGES: [&str; 1] = ["tesseract-ocr"];

/// Makes sure that it is there; with `install`, fetches it when it is missing.
pub(crate) fn require(install: bool) -> Result<()> {
    if is_here() {
        return Ok(());
    }
    let missing = "tesseract is not here, which recognises words in scans";
    if !install {
        return Err(format!(
            "{missing}; install it (apt-get install {}) or run cargo xtask test --install",
            PACKAGES.join(" ")
        ));
    }
    println!("{missing}: installing it with apt-get");
    apt::install(&PACKAGES)?;
    if is_here() { Ok(()) } else { Err(format!("{missing}, even after apt-get install")) }
}

fn is_here() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(PROGRAM).is_file())
}
