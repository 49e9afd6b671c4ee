//! Running other programs: one place for the workspace's folder, cargo, and exit codes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Result;

/// The folder of the workspace, whatever folder the command was typed in.
pub(crate) fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_path_buf()
}

/// The same cargo that runs this program, in the workspace.
pub(crate) fn cargo() -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(workspace());
    // What cargo states of this package when it runs it. Build scripts look at variables of these
    // names, so with them the same crates would be built anew after each command without them.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        }) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs to the end, output shown; the exit code (1 when a signal ended it).
pub(crate) fn exit_code(command: &mut Command) -> Result<u8> {
    let status = command.status().map_err(|error| cannot_run(command, &error))?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
}

/// Runs to the end, output shown; anything but success is an error.
pub(crate) fn must_succeed(command: &mut Command) -> Result<()> {
    match exit_code(command)? {
        0 => Ok(()),
        code => Err(format!("{} ended with exit code {code}", shown(command))),
    }
}

/// Runs with errors shown; what it printed. Anything but success is an error.
pub(crate) fn must_output(command: &mut Command) -> Result<String> {
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| cannot_run(command, &error))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{} failed", shown(command))),
    }
}

/// Runs silently; what it printed, if it succeeded.
pub(crate) fn output_of(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether a program answers to the arguments with success.
pub(crate) fn answers(command: &mut Command) -> bool {
    output_of(command).is_some()
}

/// The sentence for a program that could not even start.
pub(crate) fn cannot_run(command: &Command, error: &std::io::Error) -> String {
    format!("cannot run {}: {error}", shown(command))
}

fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}
