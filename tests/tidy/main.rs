//! What the compiler and clippy don't look at: sizes, words, leftovers, in all sources.
//!
//! The rules are in `rules.rs`, the words in `docs/glossary.md`, and what is left of older
//! offences in `ratchet.txt`.

#![expect(clippy::unwrap_used, reason = "a failed test should stop")]

mod glossary;
mod lexer;
mod ratchet;
mod rules;
mod rules_tests;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use glossary::Glossary;
use rules::{FILE_LINES_CAP, Finding};

/// Where sources are; `target` is not among them.
const FOLDERS: [&str; 5] = ["bench", "crates", "fuzz", "tests", "xtask"];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn glossary() -> Glossary {
    Glossary::parse(&fs::read_to_string(workspace().join("docs/glossary.md")).unwrap())
}

/// The pages of the documentation, but for the glossary itself and the history of changes.
fn pages() -> Vec<(String, String)> {
    let names = |folder: &str| {
        let entries = fs::read_dir(workspace().join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut paths: Vec<String> = names.map(|name| format!("{folder}{name}")).collect();
        paths.sort();
        paths
    };
    let is_page = |path: &String| {
        path.ends_with(".md") && !["docs/glossary.md", "CHANGELOG.md"].contains(&path.as_str())
    };
    let paths = [names(""), names("docs/")].concat().into_iter().filter(is_page);
    paths.map(|path| (path.clone(), fs::read_to_string(workspace().join(&path)).unwrap())).collect()
}

/// Paths relative to the workspace, and what is in the files.
fn sources() -> Vec<(String, String)> {
    let mut sources = Vec::new();
    for folder in FOLDERS {
        add_sources(&workspace(), folder, &mut sources);
    }
    assert!(sources.len() > 500, "only {} files were found", sources.len());
    sources
}

fn add_sources(root: &Path, folder: &str, sources: &mut Vec<(String, String)>) {
    let mut entries: Vec<_> =
        fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap()).collect();
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{folder}/{name}");
        if entry.file_type().unwrap().is_dir() {
            if name != "target" {
                add_sources(root, &path, sources);
            }
        } else if name.ends_with(".rs") {
            let source = fs::read_to_string(root.join(&path)).unwrap();
            sources.push((path, source));
        }
    }
}

#[test]
fn sources_keep_the_rules() {
    let glossary = glossary();
    let sources = sources();
    let in_sources =
        sources.iter().flat_map(|(path, source)| rules::check(path, source, &glossary));
    let pages = pages();
    let in_pages = pages.iter().flat_map(|(path, page)| rules::check_page(path, page, &glossary));
    let findings: Vec<Finding> = in_sources.chain(in_pages).collect();
    for finding in findings.iter().filter(|finding| finding.rule == "file-length") {
        assert!(finding.number <= FILE_LINES_CAP, "{} is too long", finding.place);
    }

    let list = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tidy/ratchet.txt");
    let allowed = ratchet::parse(&fs::read_to_string(&list).unwrap_or_default());
    let differences = ratchet::differences(&allowed, &findings);
    if std::env::var("PURSER_TIDY").is_ok_and(|wish| wish == "update") {
        let found = ratchet::count(&findings);
        let before = ratchet::sums(&allowed);
        for (rule, sum) in ratchet::sums(&found) {
            let may = before.get(rule).copied().unwrap_or_default();
            assert!(
                sum <= may || list.metadata().is_err(),
                "{rule}: {sum} instead of {may}; what is new:\n{}",
                differences.join("\n")
            );
        }
        fs::write(&list, ratchet::render(&found)).unwrap();
        return;
    }
    assert!(
        differences.is_empty(),
        "{}\n\nPURSER_TIDY=update lowers the numbers in tests/tidy/ratchet.txt",
        differences.join("\n")
    );
}

#[test]
fn the_glossary_names_what_is_in_the_code() {
    let sources = sources();
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let words: HashSet<&str> =
        sources.iter().flat_map(|(_, source)| source.split(|c| !is_letter(c))).collect();
    for name in glossary().code_names {
        assert!(words.contains(name.trim_end_matches('!')), "{name} is nowhere");
    }
}
