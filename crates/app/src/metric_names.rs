//! Names of the numbers that the use cases keep.

/// Jobs by kind and result: `done`, `failed`, or `waits` for what is not its fault.
pub const JOBS: &str = "purser_jobs_total";
/// Duration of jobs by kind.
pub const JOB_SECONDS: &str = "purser_job_duration_seconds";
/// Backups that the server made by itself, by result: `done` or `failed`.
pub const BACKUPS: &str = "purser_backups_total";
/// The age of the newest backup in the folder of the server's own backups.
pub const BACKUP_AGE_SECONDS: &str = "purser_backup_age_seconds";
/// Files of the inbox by result: `imported`, `waits`, or `failed` for what is not their fault.
pub const INBOX_FILES: &str = "purser_inbox_files_total";
/// Runs of connections by provider and result: `completed` or `failed`.
pub const SYNCS: &str = "purser_syncs_total";
/// Connections to providers by state, of all families.
pub const PROVIDER_CONNECTIONS: &str = "purser_provider_connections";
