//! Which part may know which, read from the manifests and the sources themselves.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

mod writers;

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_server_reaches_the_store_only_through_the_use_cases() {
    assert!(
        !dependencies("server").contains(&"purser-store".to_owned()),
        "what the edges may read and do is what purser-app offers: re-export it there"
    );
}

#[test]
fn the_use_cases_know_no_edge() {
    let known = dependencies("app");
    for edge in ["axum", "http", "hyper", "tower", "utoipa", "askama", "clap"] {
        assert!(!known.contains(&edge.to_owned()), "purser-app must not depend on {edge}");
    }
}

#[test]
fn the_clients_of_providers_know_no_database() {
    for name in ["providers", "outbound", "objects", "bank-simulator"] {
        let known = dependencies(name);
        for other in ["purser-store", "purser-app", "rusqlite", "postgres", "axum"] {
            assert!(!known.contains(&other.to_owned()), "{name} must not depend on {other}");
        }
    }
}

/// What holds for every request (limits, redirects, inner addresses) is decided once.
#[test]
fn one_crate_asks_others() {
    for entry in fs::read_dir(crates()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let asks = dependencies(&name).contains(&"reqwest".to_owned());
        assert_eq!(asks, name == "outbound", "{name}: requests are made by purser-outbound");
    }
}

/// The API, the pages and the command line are siblings; the request edge and the basics of HTTP
/// are below them.
#[test]
fn the_edges_do_not_know_each_other() {
    let unknown: [(&str, &[&str]); 5] = [
        ("api", &["web", "cli"]),
        ("web", &["api", "cli"]),
        ("cli", &["web"]),
        ("edge", &["api", "web", "cli"]),
        ("http", &["api", "web", "cli", "edge"]),
    ];
    for (part, others) in unknown {
        for (path, source) in sources(&crates().join("server/src").join(part)) {
            for other in others {
                let is_known = source.contains(&format!("crate::{other}::"))
                    || source.contains(&format!("crate::{other};"))
                    || source.contains(&format!("crate::{other} as"));
                assert!(!is_known, "{} imports {other}", path.display());
            }
            assert!(!source.contains("use crate::{"), "{}: one `use` each", path.display());
        }
    }
}

/// What reaches the rows of every family on PostgreSQL is opened as such: a function that gets a
/// transaction can't widen it.
#[test]
fn only_the_store_opens_transactions_for_every_family() {
    let folder = crates().join("store/src");
    let mut openers = Vec::new();
    for (path, source) in sources(&folder) {
        if ["with_every_family(", "RowScope::EveryFamily", "EveryFamily,"]
            .iter()
            .any(|text| source.contains(text))
        {
            openers.push(path.strip_prefix(&folder).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
    openers.sort();
    assert_eq!(
        openers,
        [
            "access.rs",
            "driver/postgres/scope_tests.rs",
            "driver/row_scope.rs",
            "store.rs",
            "store/boxed.rs",
            "store/founding.rs",
            "store/reading.rs"
        ]
    );
}

/// Every source below a folder.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources.extend(self::sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).unwrap();
            sources.push((path, source));
        }
    }
    sources
}

/// The names in `[dependencies]` of a crate's manifest.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
    let section = manifest.split("\n[dependencies]\n").nth(1).expect("a section of dependencies");
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(['.', '=', ' ']).next())
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}
