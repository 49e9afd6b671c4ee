//! Requests as they are sent: the address, the headers and the signature.

use std::fs::File;

use jiff::Timestamp;
use purser_outbound::{Request, Url};

use crate::failure::Failure;
use crate::settings::BucketSettings;
use crate::signature::{Signed, authorization, date_and_time, sha256_hex};

/// The header with the checksum of an object, which the store keeps beside it.
pub(crate) const CHECKSUM: &str = "x-amz-meta-sha256";
/// The header with what an object is copied from.
const COPY_SOURCE: &str = "x-amz-copy-source";

/// What is asked of the store.
#[derive(Debug)]
pub(crate) enum Operation<'a> {
    /// The content of an object.
    Get(&'a str),
    /// What is known of an object.
    Head(&'a str),
    /// The removal of an object.
    Delete(&'a str),
    /// Names, by a query.
    List(&'a str),
    /// An object from another one.
    Copy { from: &'a str, to: &'a str },
    /// An object from a file, of which the size and the checksum are known.
    Put { key: &'a str, file: &'a File, bytes: u64, sha256: &'a str },
}

impl Operation<'_> {
    fn method(&self) -> &'static str {
        match self {
            Self::Get(_) | Self::List(_) => "GET",
            Self::Head(_) => "HEAD",
            Self::Delete(_) => "DELETE",
            Self::Copy { .. } | Self::Put { .. } => "PUT",
        }
    }

    fn url(&self, settings: &BucketSettings) -> Url {
        match self {
            Self::List(query) => settings.url(None, query),
            Self::Get(key) | Self::Head(key) | Self::Delete(key) => settings.url(Some(key), ""),
            Self::Copy { to: key, .. } | Self::Put { key, .. } => settings.url(Some(key), ""),
        }
    }

    /// The request with its signature.
    pub(crate) fn request(
        &self,
        settings: &BucketSettings,
        time: Timestamp,
    ) -> Result<Request, Failure> {
        let url = self.url(settings);
        let host = match url.port() {
            Some(port) => format!("{}:{port}", url.host_str().unwrap_or_default()),
            None => url.host_str().unwrap_or_default().to_owned(),
        };
        let stamp = date_and_time(time);
        let nothing = sha256_hex(b"");
        let payload = if let Self::Put { sha256, .. } = self { sha256 } else { nothing.as_str() };
        // In the order of their names.
        let mut headers = vec![("host", host.as_str()), ("x-amz-content-sha256", payload)];
        let source = match self {
            Self::Copy { from, .. } => settings.copy_source(from),
            _ => String::new(),
        };
        if !source.is_empty() {
            headers.push((COPY_SOURCE, &source));
        }
        headers.push(("x-amz-date", &stamp));
        if let Self::Put { sha256, .. } = self {
            headers.push((CHECKSUM, sha256));
        }
        let signed = Signed {
            method: self.method(),
            path: url.path(),
            query: url.query().unwrap_or_default(),
            headers: &headers,
            payload_sha256: payload,
        };
        let value = authorization(&settings.credentials, &settings.region, time, &signed);
        let mut request = self.unsigned(url.clone())?;
        for (name, value) in headers.into_iter().filter(|(name, _)| *name != "host") {
            request = request.made_header(name, value)?;
        }
        Ok(request.secret_header("authorization", &value)?)
    }

    fn unsigned(&self, url: Url) -> Result<Request, Failure> {
        Ok(match self {
            Self::Get(_) | Self::List(_) => Request::get(url),
            Self::Head(_) => Request::head(url),
            Self::Delete(_) => Request::delete(url),
            Self::Copy { .. } => Request::put_nothing(url),
            Self::Put { bytes: 0, .. } => Request::put_nothing(url),
            Self::Put { file, bytes, .. } => {
                let file = file.try_clone().map_err(|error| Failure::Local(error.to_string()))?;
                Request::put_file(url, file, *bytes)
            }
        })
    }
}
