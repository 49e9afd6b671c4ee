//! Finding a browser and its driver for the tests that look at pages, and installing them when that
//! is wanted.

use std::path::PathBuf;

use crate::Result;
use crate::apt;

/// Names of the browser, the first that is here is taken.
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const DRIVER: &str = "chromedriver";
const PACKAGES: [&str; 2] = ["chromium", "chromium-driver"];

/// The programs that the browser tests need.
#[derive(Debug)]
pub(crate) struct Browser {
    /// The browser itself, which renders the pages.
    pub(crate) browser: PathBuf,
    /// The WebDriver server that controls the browser.
    pub(crate) driver: PathBuf,
}

/// Finds the programs; with `install`, fetches them when one is missing.
pub(crate) fn find_or_install(install: bool) -> Result<Browser> {
    match find() {
        Ok(found) => Ok(found),
        Err(missing) if !install => Err(format!(
            "{missing}; install both (apt-get install {}) or run cargo xtask test --install",
            PACKAGES.join(" ")
        )),
        Err(missing) => {
            println!("{missing}: installing it with apt-get");
            apt::install(&PACKAGES)?;
            find().map_err(|missing| format!("{missing}, even after apt-get install"))
        }
    }
}

fn find() -> Result<Browser> {
    let browser = BROWSERS.iter().find_map(|name| on_path(name));
    Ok(Browser {
        browser: browser.ok_or("Chromium is not here, which shows the pages under test")?,
        driver: on_path(DRIVER).ok_or("chromedriver is not here, which drives Chromium")?,
    })
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|found| found.is_file())
}
