//! Which bucket, and the addresses of what is in it.

use purser_core::secret::Secret;
use purser_outbound::Url;
use purser_outbound::origin::Origin;

use crate::signature::Credentials;

/// A bucket and who may reach it. Names and addresses are checked.
#[derive(Debug, Clone)]
pub struct BucketSettings {
    pub(crate) region: String,
    pub(crate) credentials: Credentials,
    /// The address of the store, or of the bucket if that is part of the name.
    root: Url,
    bucket: String,
    is_in_path: bool,
    /// Empty, or with a slash at the end.
    prefix: String,
}

/// A bucket as somebody has written it down.
#[derive(Debug, Clone)]
pub struct Given {
    /// Scheme, host and port of the store.
    pub endpoint: String,
    /// The region, which is part of each signature.
    pub region: String,
    /// The name of the bucket.
    pub bucket: String,
    /// What every name of an object begins with; may be empty.
    pub prefix: String,
    /// The name of the key.
    pub access_key: Secret,
    /// The secret of the access key.
    pub secret_key: Secret,
    /// The bucket is the first part of the path, and not of the host's name.
    pub path_style: bool,
    /// Requests that aren't encrypted are accepted.
    pub allow_http: bool,
}

/// What is wrong with a setting, as a sentence about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The address isn't one of a server.
    #[error("the endpoint must be scheme and host such as https://s3.example, without a path")]
    Endpoint,
    /// Requests would not be encrypted.
    #[error("the endpoint must begin with https:// unless plain http is allowed")]
    Unencrypted,
    /// The bucket can't be a part of this host's name.
    #[error("the bucket can't be part of the host's name: turn the path style on")]
    HostStyle,
    /// The region has other characters than regions have.
    #[error("the region must be letters, digits and hyphens, such as eu-central-1")]
    Region,
    /// The name of the bucket isn't one.
    #[error("the bucket must be 3 to 63 small letters, digits, hyphens and dots")]
    Bucket,
    /// The prefix would need other spellings in addresses.
    #[error("the prefix must be letters, digits, dots, hyphens, underscores and slashes")]
    Prefix,
    /// Half of the credentials are missing.
    #[error("the access key and the secret key are both needed")]
    Credentials,
}

impl BucketSettings {
    /// Checks what was written down.
    pub fn new(given: Given) -> Result<Self, SettingsError> {
        let origin: Origin = given.endpoint.parse().map_err(|_| SettingsError::Endpoint)?;
        if !origin.is_encrypted() && !given.allow_http {
            return Err(SettingsError::Unencrypted);
        }
        let (region, bucket) = (given.region, given.bucket);
        if !is_name(&region, |byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return Err(SettingsError::Region);
        }
        let is_bucket_byte =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte);
        let ends = [bucket.as_bytes().first(), bucket.as_bytes().last()];
        let ends_well = ends.into_iter().flatten().all(u8::is_ascii_alphanumeric);
        let has_length = (3..=63).contains(&bucket.len());
        if !is_name(&bucket, is_bucket_byte) || !ends_well || !has_length || bucket.contains("..") {
            return Err(SettingsError::Bucket);
        }
        let prefix = prefix(&given.prefix)?;
        if given.access_key.reveal().is_empty() || given.secret_key.reveal().is_empty() {
            return Err(SettingsError::Credentials);
        }
        let mut root = Url::parse(&origin.to_string()).map_err(|_| SettingsError::Endpoint)?;
        if !given.path_style {
            let host = root.domain().map(|host| format!("{bucket}.{host}"));
            let host = host.ok_or(SettingsError::HostStyle)?;
            root.set_host(Some(&host)).map_err(|_| SettingsError::HostStyle)?;
        }
        let credentials =
            Credentials { access_key: given.access_key, secret_key: given.secret_key };
        Ok(Self { region, credentials, root, bucket, is_in_path: given.path_style, prefix })
    }

    /// The whole name of an object.
    pub(crate) fn name(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// The part of a whole name that the callers know.
    pub(crate) fn key<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.strip_prefix(&self.prefix)
    }

    /// The address of an object, or of the bucket without one.
    pub(crate) fn url(&self, key: Option<&str>, query: &str) -> Url {
        let mut url = self.root.clone();
        let name = key.map(|key| self.name(key)).unwrap_or_default();
        let path =
            if self.is_in_path { format!("/{}/{name}", self.bucket) } else { format!("/{name}") };
        // The name of the bucket alone has no slash at its end.
        url.set_path(if self.is_in_path && key.is_none() {
            path.trim_end_matches('/')
        } else {
            &path
        });
        url.set_query((!query.is_empty()).then_some(query));
        url
    }

    /// Where an object is copied from, as the header has it.
    pub(crate) fn copy_source(&self, key: &str) -> String {
        format!("/{}/{}", self.bucket, self.name(key))
    }

    /// The bucket for people: its name and where it is.
    pub fn shown(&self) -> String {
        let prefix = self.prefix.trim_end_matches('/');
        let slash = if prefix.is_empty() { "" } else { "/" };
        format!("{}{slash}{prefix} at {}", self.bucket, self.root.host_str().unwrap_or_default())
    }
}

fn is_name(text: &str, is_part: impl Fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(is_part)
}

/// The prefix with one slash at its end, or nothing.
fn prefix(given: &str) -> Result<String, SettingsError> {
    let trimmed = given.trim_matches('/');
    if trimmed.is_empty() {
        return Ok(String::new());
    }
    let is_part =
        |part: &str| is_name(part, |byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let is_good = trimmed.split('/').all(|part| is_part(part) && part != "." && part != "..");
    if is_good { Ok(format!("{trimmed}/")) } else { Err(SettingsError::Prefix) }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn given() -> Given {
        Given {
            endpoint: "https://s3.example".to_owned(),
            region: "eu-central-1".to_owned(),
            bucket: "purser".to_owned(),
            prefix: String::new(),
            access_key: Secret::new("key"),
            secret_key: Secret::new("secret"),
            path_style: true,
            allow_http: false,
        }
    }

    #[test]
    fn addresses_have_the_bucket_in_the_path_or_in_the_name() {
        let address =
            |given, key, query| BucketSettings::new(given).unwrap().url(key, query).to_string();
        assert_eq!(address(given(), Some("a/1/x"), ""), "https://s3.example/purser/a/1/x");
        assert_eq!(address(given(), None, "list-type=2"), "https://s3.example/purser?list-type=2");
        let prefixed = Given { prefix: "/books/two/".to_owned(), ..given() };
        assert_eq!(
            address(prefixed.clone(), Some("x"), ""),
            "https://s3.example/purser/books/two/x"
        );
        let by_name = Given { path_style: false, ..prefixed };
        assert_eq!(
            address(by_name.clone(), Some("x"), ""),
            "https://purser.s3.example/books/two/x"
        );
        assert_eq!(address(by_name, None, "a=1"), "https://purser.s3.example/?a=1");
        let local =
            Given { endpoint: "http://127.0.0.1:9000".to_owned(), allow_http: true, ..given() };
        assert_eq!(address(local, Some("x"), ""), "http://127.0.0.1:9000/purser/x");
    }

    #[test]
    fn mistakes_are_named() {
        let wrong = |change: fn(&mut Given)| {
            let mut given = given();
            change(&mut given);
            BucketSettings::new(given).err()
        };
        let address = |given: &mut Given| given.endpoint = "https://s3.example/path".to_owned();
        assert_eq!(wrong(address), Some(SettingsError::Endpoint));
        let plain = |given: &mut Given| given.endpoint = "http://s3.example".to_owned();
        assert_eq!(wrong(plain), Some(SettingsError::Unencrypted));
        let numbers = |given: &mut Given| {
            given.endpoint = "https://10.0.0.1".to_owned();
            given.path_style = false;
        };
        assert_eq!(wrong(numbers), Some(SettingsError::HostStyle));
        assert_eq!(wrong(|given| given.region = "eu/1".to_owned()), Some(SettingsError::Region));
        for name in ["", "ab", "Purser", "a/b", "a..b", "-ab", "a_b"] {
            let settings = BucketSettings::new(Given { bucket: name.to_owned(), ..given() });
            assert_eq!(settings.err(), Some(SettingsError::Bucket), "{name}");
        }
        for prefix in ["a//b", "a/../b", "a b", "ä", "a?b"] {
            let settings = BucketSettings::new(Given { prefix: prefix.to_owned(), ..given() });
            assert_eq!(settings.err(), Some(SettingsError::Prefix), "{prefix}");
        }
        let empty = |given: &mut Given| given.secret_key = Secret::new("");
        assert_eq!(wrong(empty), Some(SettingsError::Credentials));
    }
}
