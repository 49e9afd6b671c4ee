//! A certificate for the server of the tests, and the authority that signed it.
//!
//! It is for 127.0.0.1 and for no name, so that a test can connect by a wrong one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::account::Account;
use crate::Result;
use crate::process::cannot_run;

/// Makes an authority, a key, a request for a certificate of it, and the certificate.
const STEPS: [&str; 3] = [
    "req -x509 -newkey rsa:2048 -nodes -days 7 -subj /CN=purser-test-authority \
     -keyout authority.key -out authority.crt",
    "req -newkey rsa:2048 -nodes -subj /CN=purser-test -keyout server.key -out server.csr",
    "x509 -req -in server.csr -CA authority.crt -CAkey authority.key -set_serial 1 -days 7 \
     -extfile extensions -out server.crt",
];
const EXTENSIONS: &str = "subjectAltName=IP:127.0.0.1\n";

/// Makes the files in a folder of the user who runs the server.
pub(super) fn create(account: Account, folder: &Path) -> Result<()> {
    std::fs::write(folder.join("extensions"), EXTENSIONS)
        .map_err(|error| format!("cannot write to {folder:?}: {error}"))?;
    for step in STEPS {
        let mut command = Command::new("openssl");
        command.args(step.split_whitespace()).current_dir(folder).stdin(Stdio::null());
        let output = account.run_as(&mut command).output();
        let output = output.map_err(|error| cannot_run(&command, &error))?;
        if !output.status.success() {
            return Err(format!("openssl: {}", String::from_utf8_lossy(&output.stderr).trim()));
        }
    }
    Ok(())
}

/// The arguments that make the server encrypt connections.
pub(super) fn settings(folder: &Path) -> [String; 3] {
    let file = |name: &str| folder.join(name).display().to_string();
    [
        "--ssl=on".to_owned(),
        format!("--ssl_cert_file={}", file("server.crt")),
        format!("--ssl_key_file={}", file("server.key")),
    ]
}

/// The certificate of the authority.
pub(super) fn authority(folder: &Path) -> PathBuf {
    folder.join("authority.crt")
}
