//! The bucket that uploaded files are in, if they aren't in the data directory.

use std::path::PathBuf;

use clap::Args;
use purser_app::Secret;
use purser_app::objects::{BucketSettings, Given, ObjectStore};
use purser_core::error::Error;

use super::secrets::given;
use super::switch;

const CACHE_BYTES_DEFAULT: u64 = 1024 * 1024 * 1024;
const CACHE_BYTES_MIN: u64 = 16 * 1024 * 1024;

/// A bucket of an object store that speaks the S3 protocol.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Object store")]
pub(crate) struct ObjectStoreArgs {
    /// Bucket for uploaded files, which are in the data directory without it
    #[arg(long, global = true, env = "PURSER_S3_BUCKET", value_name = "NAME")]
    s3_bucket: Option<String>,
    /// Scheme, host and port of the object store, such as `https://s3.example`
    #[arg(long, global = true, env = "PURSER_S3_ENDPOINT", value_name = "URL")]
    s3_endpoint: Option<String>,
    /// Region of the bucket [default: us-east-1]
    #[arg(long, global = true, env = "PURSER_S3_REGION", value_name = "NAME")]
    s3_region: Option<String>,
    /// What the names of all objects begin with, for a bucket with other things in it
    #[arg(long, global = true, env = "PURSER_S3_PREFIX", value_name = "PREFIX")]
    s3_prefix: Option<String>,
    /// Access key of the object store
    #[arg(long, global = true, env = "PURSER_S3_ACCESS_KEY", hide_env_values = true)]
    s3_access_key: Option<Secret>,
    /// File that holds the access key
    #[arg(
        long,
        global = true,
        env = "PURSER_S3_ACCESS_KEY_FILE",
        conflicts_with = "s3_access_key",
        value_name = "PATH"
    )]
    s3_access_key_file: Option<PathBuf>,
    /// Secret key of the object store
    #[arg(long, global = true, env = "PURSER_S3_SECRET_KEY", hide_env_values = true)]
    s3_secret_key: Option<Secret>,
    /// File that holds the secret key of the object store
    #[arg(
        long,
        global = true,
        env = "PURSER_S3_SECRET_KEY_FILE",
        conflicts_with = "s3_secret_key",
        value_name = "PATH"
    )]
    s3_secret_key_file: Option<PathBuf>,
    /// Whether the bucket is part of the path and not of the host's name [default: on]
    #[arg(long, global = true, env = "PURSER_S3_PATH_STYLE", value_parser = switch)]
    s3_path_style: Option<bool>,
    /// Accept an endpoint that isn't encrypted [default: off]
    #[arg(
        long,
        global = true,
        env = "PURSER_S3_ALLOW_HTTP",
        value_parser = switch,
        default_missing_value = "true",
        num_args = 0..=1,
        require_equals = true
    )]
    s3_allow_http: Option<bool>,
    /// Bytes of copies of uploaded files that are kept in the data directory [default: 1 GiB]
    #[arg(
        long,
        global = true,
        env = "PURSER_S3_CACHE_BYTES",
        value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(CACHE_BYTES_MIN..)
    )]
    s3_cache_bytes: Option<u64>,
}

impl ObjectStoreArgs {
    /// The bucket, if one was named. Keys that were given as files are read.
    pub(super) fn object_store(&self) -> Result<Option<ObjectStore>, Error> {
        let text = |value: &Option<String>| value.clone().unwrap_or_default().trim().to_owned();
        let bucket = text(&self.s3_bucket);
        // An empty variable is how some tools write one that isn't set.
        if bucket.is_empty() {
            return Ok(None);
        }
        let key = |value, file: &Option<PathBuf>| {
            given(value, file.as_ref())
                .map_err(|error| refused(format!("the keys can't be read: {error}")))
                .map(|key| key.unwrap_or_else(|| Secret::new("")))
        };
        let region = Some(text(&self.s3_region)).filter(|region| !region.is_empty());
        let settings = BucketSettings::new(Given {
            endpoint: text(&self.s3_endpoint),
            region: region.unwrap_or_else(|| "us-east-1".to_owned()),
            bucket,
            prefix: text(&self.s3_prefix),
            access_key: key(&self.s3_access_key, &self.s3_access_key_file)?,
            secret_key: key(&self.s3_secret_key, &self.s3_secret_key_file)?,
            path_style: self.s3_path_style.unwrap_or(true),
            allow_http: self.s3_allow_http.unwrap_or(false),
        });
        let bucket = settings.map_err(|error| refused(error.to_string()))?;
        let cache_bytes_max = self.s3_cache_bytes.unwrap_or(CACHE_BYTES_DEFAULT);
        Ok(Some(ObjectStore { bucket, cache_bytes_max }))
    }
}

fn refused(problem: String) -> Error {
    let message = format!("The settings PURSER_S3_… can't be used: {problem}.");
    Error::Conflict { code: "object_store_refused", message }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Program {
        #[command(flatten)]
        objects: ObjectStoreArgs,
    }

    fn parsed(arguments: &[&str]) -> Program {
        Program::parse_from([&["purser"], arguments].concat())
    }

    #[test]
    fn files_are_in_the_directory_unless_a_bucket_is_named() {
        assert!(parsed(&[]).objects.object_store().unwrap().is_none());
        assert!(parsed(&["--s3-bucket="]).objects.object_store().unwrap().is_none());
    }

    #[test]
    fn keys_may_be_files_and_are_never_printed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        std::fs::write(&file, "canary-secret\n").unwrap();
        let file = format!("--s3-secret-key-file={}", file.display());
        let endpoint = "--s3-endpoint=https://s3.example";
        let given = ["--s3-bucket=books", endpoint, "--s3-access-key=canary-name", &file];
        let program = parsed(&given);
        let store = program.objects.object_store().unwrap().unwrap();
        assert_eq!(store.bucket.shown(), "books at s3.example");
        assert!(!format!("{store:?} {program:?}").contains("canary"));
    }

    #[test]
    fn what_is_missing_is_named() {
        let problem =
            |arguments: &[&str]| parsed(arguments).objects.object_store().unwrap_err().to_string();
        assert!(problem(&["--s3-bucket=books"]).contains("endpoint"));
        let plain = ["--s3-bucket=books", "--s3-endpoint=http://s3.example"];
        assert!(problem(&plain).contains("https://"));
        let allowed = [plain[0], plain[1], "--s3-allow-http"];
        assert!(problem(&allowed).contains("access key"));
    }
}
