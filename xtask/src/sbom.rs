//! `cargo xtask sbom`: the list of parts that the program is made of, as CycloneDX.
//!
//! The parts are those of the lock file that end up in the binary: what only builds or tests it is
//! left out. The list has no date and no number of its own, so the same lock file gives the same
//! list. SQLite is inside `libsqlite3-sys`, and Swagger UI inside `utoipa-swagger-ui-vendored`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::Result;
use crate::process::{cargo, must_output, workspace};

/// Where the list is written.
const FILE: &str = "target/purser.cdx.json";
/// Depth, name and version, licence of each part below another.
const TREE: &str = "tree --locked --package purser --edges normal,no-proc-macro --prefix depth";
const FORMAT: &str = "{p}|{l}";

/// A part of the program.
#[derive(Debug, Default, PartialEq, Eq)]
struct Part {
    licence: String,
    needs: BTreeSet<Id>,
}

/// The name and the version of a part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Id {
    name: String,
    version: String,
}

pub(crate) fn run(arguments: &[String]) -> Result<u8> {
    if !arguments.is_empty() {
        return Err("sbom takes no arguments; see cargo xtask help".to_owned());
    }
    let mut tree = cargo();
    let text = must_output(tree.args(TREE.split(' ')).args(["--format", FORMAT]))?;
    let (program, parts) = read_tree(&text)?;
    let lock = workspace().join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(|error| format!("no Cargo.lock: {error}"))?;
    let document = document(&program, &parts, &read_checksums(&lock));
    fs::write(workspace().join(FILE), document)
        .map_err(|error| format!("cannot write {FILE}: {error}"))?;
    println!("{} parts are listed in {FILE}", parts.len() - 1);
    Ok(0)
}

/// The program, and all parts with what each needs.
fn read_tree(text: &str) -> Result<(Id, BTreeMap<Id, Part>)> {
    let mut parts: BTreeMap<Id, Part> = BTreeMap::new();
    // The way from the program to the line.
    let mut way: Vec<Id> = Vec::new();
    for line in text.lines() {
        let unreadable = || format!("cargo tree has a line of another form: {line}");
        let digits = line.find(|c: char| !c.is_ascii_digit()).ok_or_else(unreadable)?;
        let depth: usize = line[..digits].parse().map_err(|_| unreadable())?;
        let (package, licence) = line[digits..].split_once('|').ok_or_else(unreadable)?;
        let mut words = package.split(' ');
        let (name, version) = (words.next(), words.next());
        let (Some(name), Some(version)) = (name, version.and_then(|text| text.strip_prefix('v')))
        else {
            return Err(unreadable());
        };
        let id = Id { name: name.to_owned(), version: version.to_owned() };
        way.truncate(depth);
        if let Some(above) = way.last() {
            parts.entry(above.clone()).or_default().needs.insert(id.clone());
        }
        parts.entry(id.clone()).or_default().licence =
            licence.trim_end_matches("(*)").trim().to_owned();
        way.push(id);
    }
    let program = way.into_iter().next().ok_or("cargo tree lists nothing")?;
    Ok((program, parts))
}

/// The SHA-256 of each package as it is published; packages of the workspace have none.
fn read_checksums(lock: &str) -> BTreeMap<Id, String> {
    let packages = lock.split("[[package]]").skip(1);
    let checksum = |package: &str| {
        let value = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name))?;
            Some(line.strip_prefix(" = \"")?.strip_suffix('"')?.to_owned())
        };
        Some((Id { name: value("name")?, version: value("version")? }, value("checksum")?))
    };
    packages.filter_map(checksum).collect()
}

fn document(program: &Id, parts: &BTreeMap<Id, Part>, checksums: &BTreeMap<Id, String>) -> String {
    let components: Vec<String> = parts
        .iter()
        .filter(|(id, _)| *id != program)
        .map(|(id, part)| component("library", id, part, checksums.get(id)))
        .collect();
    let needs = |(id, part): (&Id, &Part)| {
        let needs: Vec<String> = part.needs.iter().map(|id| quoted(&url(id))).collect();
        format!("{{\"ref\": {}, \"dependsOn\": [{}]}}", quoted(&url(id)), needs.join(", "))
    };
    let dependencies: Vec<String> = parts.iter().map(needs).collect();
    let own = parts
        .get(program)
        .map_or_else(String::new, |part| component("application", program, part, None));
    format!(
        "{{\n\"bomFormat\": \"CycloneDX\",\n\"specVersion\": \"1.6\",\n\"version\": 1,\n\
         \"metadata\": {{\"component\": {own}}},\n\"components\": [\n{}\n],\n\
         \"dependencies\": [\n{}\n]\n}}\n",
        components.join(",\n"),
        dependencies.join(",\n"),
    )
}

fn component(kind: &str, id: &Id, part: &Part, checksum: Option<&String>) -> String {
    let url = quoted(&url(id));
    let (name, version) = (quoted(&id.name), quoted(&id.version));
    let mut text = format!(
        "{{\"type\": \"{kind}\", \"bom-ref\": {url}, \"name\": {name}, \
         \"version\": {version}, \"purl\": {url}"
    );
    if !part.licence.is_empty() {
        // Older packages separate alternatives with a slash.
        let licence = quoted(&part.licence.replace('/', " OR "));
        text.push_str(&format!(", \"licenses\": [{{\"expression\": {licence}}}]"));
    }
    if let Some(checksum) = checksum {
        let checksum = quoted(checksum);
        let hash = format!(", \"hashes\": [{{\"alg\": \"SHA-256\", \"content\": {checksum}}}]");
        text.push_str(&hash);
    }
    text.push('}');
    text
}

/// The name of a part that is the same everywhere.
fn url(id: &Id) -> String {
    format!("pkg:cargo/{}@{}", id.name, id.version.replace('+', "%2B"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "0purser v0.1.0 (/home/ann/purser/crates/server)|Apache-2.0\n\
        1one v1.2.3|MIT OR Apache-2.0\n\
        2two v0.1.0+sqlite|MIT/Apache-2.0\n\
        1three v2.0.0|ISC\n\
        2one v1.2.3|MIT OR Apache-2.0 (*)\n";
    const LOCK: &str = "version = 4\n\n[[package]]\nname = \"one\"\nversion = \"1.2.3\"\n\
        checksum = \"ab12\"\n\n[[package]]\nname = \"purser\"\nversion = \"0.1.0\"\n";

    fn id(name: &str, version: &str) -> Id {
        Id { name: name.to_owned(), version: version.to_owned() }
    }

    #[test]
    fn each_part_has_what_it_needs_and_its_licence() {
        let (program, parts) = read_tree(LINES).unwrap();
        assert_eq!(program, id("purser", "0.1.0"));
        let of = |name, version| &parts[&id(name, version)];
        let needs = |part: &Part| part.needs.iter().map(|id| id.name.clone()).collect::<Vec<_>>();
        assert_eq!(needs(of("purser", "0.1.0")), ["one", "three"]);
        assert_eq!(needs(of("one", "1.2.3")), ["two"]);
        assert_eq!(needs(of("three", "2.0.0")), ["one"]);
        assert_eq!(of("one", "1.2.3").licence, "MIT OR Apache-2.0");
        assert!(read_tree("purser v1|MIT").is_err() && read_tree("").is_err());
    }

    #[test]
    fn the_document_names_every_part_once() {
        let (program, parts) = read_tree(LINES).unwrap();
        let document = document(&program, &parts, &read_checksums(LOCK));
        for text in [
            "{\"type\": \"application\", \"bom-ref\": \"pkg:cargo/purser@0.1.0\"",
            "\"licenses\": [{\"expression\": \"MIT OR Apache-2.0\"}], \
             \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"ab12\"}]}",
            "{\"ref\": \"pkg:cargo/three@2.0.0\", \"dependsOn\": [\"pkg:cargo/one@1.2.3\"]}",
            "\"purl\": \"pkg:cargo/two@0.1.0%2Bsqlite\"",
        ] {
            assert_eq!(document.matches(text).count(), 1, "{text} in {document}");
        }
    }
}
