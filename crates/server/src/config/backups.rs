//! Settings of the server's own backups.

use std::path::PathBuf;

use clap::Args;
use jiff::SignedDuration;
use purser_app::settings::{self, BackupPlace};
use purser_core::error::Error;

use super::switch;

/// The backups that the server makes by itself.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Backups")]
pub(crate) struct Backups {
    /// Folder that the server writes backups to by itself; none without it
    #[arg(long, env = "PURSER_BACKUP_DIR", value_name = "FOLDER")]
    backup_dir: Option<PathBuf>,
    /// Write the backups to the bucket that uploaded files are in
    #[arg(
        long,
        env = "PURSER_BACKUP_TO_BUCKET",
        value_parser = switch,
        default_value = "off",
        default_missing_value = "on",
        num_args = 0..=1,
        require_equals = true
    )]
    backup_to_bucket: bool,
    /// Time from one backup to the next, such as 24h, 90m or 7d
    #[arg(
        long,
        env = "PURSER_BACKUP_EVERY",
        value_name = "TIME",
        default_value = "24h",
        value_parser = backup_pause
    )]
    backup_every: SignedDuration,
    /// Backups that are kept there; the oldest are removed
    #[arg(
        long,
        env = "PURSER_BACKUP_KEEP",
        value_name = "NUMBER",
        default_value_t = 7,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    backup_keep: u16,
}

impl Backups {
    /// The settings, unless they name two places.
    pub(crate) fn settings(self) -> Result<settings::Backups, Error> {
        // An empty variable is how some tools write one that isn't set.
        let folder = self.backup_dir.filter(|folder| !folder.as_os_str().is_empty());
        let place = match (self.backup_to_bucket, folder) {
            (true, Some(_)) => {
                return Err(Error::Conflict {
                    code: "backup_places",
                    message: "Backups go to a folder or to the bucket: unset PURSER_BACKUP_DIR or \
                              PURSER_BACKUP_TO_BUCKET."
                        .to_owned(),
                });
            }
            (true, None) => Some(BackupPlace::Bucket),
            (false, folder) => folder.map(BackupPlace::Folder),
        };
        let (every, keep) = (self.backup_every, self.backup_keep.into());
        Ok(settings::Backups { place, every, keep })
    }
}

/// A number of minutes, hours or days: at least a minute.
fn backup_pause(text: &str) -> Result<SignedDuration, &'static str> {
    let text = text.trim();
    let units = [("m", 60), ("h", 3_600), ("d", 86_400)];
    let seconds = units.into_iter().find_map(|(unit, seconds)| {
        let number: i64 = text.strip_suffix(unit)?.parse().ok()?;
        number.checked_mul(seconds)
    });
    match seconds {
        Some(seconds @ 60..=31_622_400) => Ok(SignedDuration::from_secs(seconds)),
        _ => Err("a number with m, h or d, such as 24h: from 1m to 366d"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_are_minutes_hours_or_days() {
        for (text, seconds) in [("1m", 60), (" 24h ", 86_400), ("7d", 604_800)] {
            assert_eq!(backup_pause(text), Ok(SignedDuration::from_secs(seconds)), "{text}");
        }
        for text in ["", "24", "0h", "1s", "-1h", "1.5h", "367d", "h", "9223372036854775807d"] {
            assert!(backup_pause(text).is_err(), "{text}");
        }
    }
}
