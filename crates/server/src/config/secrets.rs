//! Secrets of the configuration: each can be given as a file, which is how containers pass them.

use std::path::PathBuf;

use clap::Args;
use purser_app::Secret;
use purser_app::data::Location;
use purser_app::secrets::SecretKeys;
use purser_core::error::Error;

/// The key that encrypts what families keep secret.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SecretKeyArgs {
    /// Encrypts the keys of bank-data providers: 32 random characters or more, the same on every
    /// node; several with commas between them, of which the first encrypts [default: a file in the
    /// data directory, made when it is needed]
    #[arg(long, global = true, env = "PURSER_SECRET_KEY", hide_env_values = true)]
    secret_key: Option<Secret>,
    /// File that holds the secret key
    #[arg(
        long,
        global = true,
        env = "PURSER_SECRET_KEY_FILE",
        conflicts_with = "secret_key",
        value_name = "PATH"
    )]
    secret_key_file: Option<PathBuf>,
}

impl SecretKeyArgs {
    /// The keys, from the configuration or from the file in the data directory.
    pub(super) fn keys(&self, location: &Location) -> Result<SecretKeys, Error> {
        let given = given(&self.secret_key, self.secret_key_file.as_ref())
            .map_err(|error| Error::internal(format!("can't read the secret key: {error}")))?;
        match given {
            Some(texts) => SecretKeys::configured(&texts)
                .map_err(|error| Error::internal(format!("PURSER_SECRET_KEY: {error}"))),
            None => Ok(SecretKeys::in_directory(&location.data_dir)),
        }
    }
}

/// A secret that may be given as a file.
pub(super) fn given(
    value: &Option<Secret>,
    file: Option<&PathBuf>,
) -> std::io::Result<Option<Secret>> {
    let secret = match file {
        // The line break that editors leave at the end doesn't count.
        Some(path) => {
            let text = std::fs::read_to_string(path)?;
            Some(Secret::new(text.trim_end_matches(['\r', '\n'])))
        }
        None => value.clone(),
    };
    // An empty variable is how some tools write one that isn't set.
    Ok(secret.filter(|secret| !secret.reveal().is_empty()))
}
