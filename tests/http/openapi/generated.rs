//! The description as other programs read it: a public validator accepts it, and a client that a
//! public generator makes of it calls every operation, on both databases.
//!
//! The two are Python programs. `cargo xtask test` finds or installs them; without them the tests
//! fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::document::document;
use crate::isolation_data::Data;
use crate::support::{Backend, Banks, Scope, Server};

/// The variable with a Python that has what `requirements.txt` names.
const PYTHON: &str = "PURSER_TEST_OPENAPI";

#[test]
fn a_public_validator_accepts_the_description() {
    let server = Server::start(Backend::Sqlite);
    let folder = TempDir::with_prefix("purser-description-").unwrap();
    let description = written(&server, &folder);
    run(python().arg(own("validate.py")).arg(description));
}

#[test]
fn a_generated_client_calls_every_operation() {
    let folder = TempDir::with_prefix("purser-client-").unwrap();
    let client = folder.path().join("purser_client");
    for backend in [Backend::Sqlite, Backend::Postgres] {
        let limit = Banks::shared().options().env("PURSER_RATE_LIMIT", "0");
        let server = Server::start_with(backend, limit);
        let description = written(&server, &folder);
        if !client.exists() {
            generate(&description, &client);
        }
        let family = server.family();
        // What no route makes is there, too.
        Data::fill(&server, &family, "amber");
        let mut story = python();
        story.arg(own("story.py")).arg(description).arg(&client).arg(server.address());
        for scope in [Scope::ReadWrite, Scope::Read] {
            story.arg(server.key(&family.email, scope));
        }
        run(&mut story);
    }
}

/// Makes the client. The generator warns of what it leaves out, which fails the test.
fn generate(description: &Path, client: &Path) {
    let mut generator = python();
    generator.args(["-m", "openapi_python_client", "generate", "--meta", "none"]);
    generator.arg("--config").arg(own("generator.json"));
    generator.arg("--path").arg(description).arg("--output-path").arg(client);
    let output = run(&mut generator);
    let is_whole = !output.to_lowercase().contains("warning");
    assert!(is_whole && client.join("api").is_dir(), "{output}");
}

/// The description in a file.
fn written(server: &Server, folder: &TempDir) -> PathBuf {
    let path = folder.path().join("openapi.json");
    std::fs::write(&path, document(server).to_string()).unwrap();
    path
}

fn python() -> Command {
    let program = std::env::var_os(PYTHON);
    let program =
        program.unwrap_or_else(|| panic!("{PYTHON} is not set; run cargo xtask test --install"));
    let mut command = Command::new(program);
    // The scripts' folder stays as it is.
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// A file beside the scripts.
fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/http/openapi/generated").join(name)
}

/// Runs to the end; what was printed.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().expect("Python runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let printed = text(&output.stdout) + &text(&output.stderr);
    assert!(output.status.success(), "{printed}");
    printed
}
