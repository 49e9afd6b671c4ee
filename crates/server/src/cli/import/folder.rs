//! `purser import FOLDER`: every file in a folder, one after the other.
//!
//! Accounts, categories and merchants come before what names them, and rules last, so that they
//! change nothing of what the other files state. A file that can't be imported doesn't keep the
//! others from it.

use std::fs;
use std::path::{Path, PathBuf};

use purser_app::imports::local::Local;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::import::import_type::ImportType;

use super::{Args, one, proposed};
use crate::cli::Globals;
use crate::cli::output::{self, harmless};

/// Files that are taken from a folder.
const FILES_MAX: usize = 1_000;

pub(super) fn import(
    globals: &Globals,
    args: &Args,
    local: &Local<'_>,
    account: Option<AccountId>,
) -> Result<()> {
    let paths = paths(&args.file)?;
    if paths.is_empty() {
        return Err(Error::invalid(format!("{} has no files", args.file.display())));
    }
    let (count, mut files, mut refused) = (paths.len(), Vec::new(), Vec::new());
    for path in paths {
        match proposed(args, &path) {
            Ok(import_type) => files.push((rank(import_type), path, import_type)),
            Err(error) => refused.push(format!("{}: {error}", harmless(&path.to_string_lossy()))),
        }
    }
    files.sort();
    for (_, path, import_type) in &files {
        let name = harmless(&path.display().to_string());
        if !globals.json {
            output::line(format!("{name}:"))?;
        }
        if let Err(error) = one(globals, args, local, account, (path, *import_type)) {
            refused.push(format!("{name}: {error}"));
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    let count = format!("{} of {} files were not imported", refused.len(), count);
    Err(Error::invalid([vec![count], refused].concat().join("\n")))
}

/// The files of a folder; hidden ones and other folders aren't looked at.
fn paths(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed =
        |error: std::io::Error| Error::invalid(format!("can't read {}: {error}", folder.display()));
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
        if path.is_file() && !is_hidden {
            paths.push(path);
        }
        if paths.len() > FILES_MAX {
            let many = format!("{} has more than {FILES_MAX} files", folder.display());
            return Err(Error::invalid(many));
        }
    }
    Ok(paths)
}

/// The place of a type in the order of the files.
fn rank(import_type: Option<ImportType>) -> u8 {
    match import_type {
        Some(ImportType::Native) => 0,
        Some(ImportType::Account) => 1,
        Some(ImportType::Category | ImportType::Merchant) => 2,
        Some(ImportType::Rule) => 4,
        _ => 3,
    }
}
