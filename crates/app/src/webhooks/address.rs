//! Which addresses a family may name: those of the Internet over HTTPS, and what the operator
//! permits beside.
//!
//! Names are checked again when they are looked up (`purser_outbound`); here is what needs no
//! looking up: numbers that are inner addresses, and `localhost`.

use std::net::IpAddr;

use purser_core::error::{Error, Problem, Result};
use purser_core::limits::WEBHOOK_URL_CHARS_MAX;
use purser_outbound::Url;
use purser_outbound::network::is_public;
use purser_outbound::origin::Origin;

/// Origins beside those of the Internet that webhooks may have, as the operator lists them.
#[derive(Debug, Clone, Default)]
pub struct WebhookHosts(pub Vec<Origin>);

const NOT_AN_ADDRESS: &str =
    "must be an address that begins with https:// such as https://hooks.example/purser";

impl WebhookHosts {
    /// The address in its usual form, if a webhook may have it.
    pub fn check(&self, text: &str) -> Result<String> {
        let refused = |predicate: &str| Error::invalid(Problem::field("url", predicate));
        if text.chars().count() > WEBHOOK_URL_CHARS_MAX {
            let most = format!("must have at most {WEBHOOK_URL_CHARS_MAX} characters");
            return Err(refused(&most));
        }
        let Some((url, origin)) =
            Url::parse(text.trim()).ok().and_then(|url| Some((url.clone(), Origin::of(&url)?)))
        else {
            return Err(refused(NOT_AN_ADDRESS));
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(refused("must have no user and no password"));
        }
        if self.permits(&origin) {
            return Ok(url.into());
        }
        if !origin.is_encrypted() {
            return Err(refused(NOT_AN_ADDRESS));
        }
        if leads_inside(&url) {
            return Err(refused("must not lead to this machine or to a network behind it"));
        }
        Ok(url.into())
    }

    /// Whether the operator lists an origin.
    pub(super) fn permits(&self, origin: &Origin) -> bool {
        self.0.contains(origin)
    }
}

/// Whether the host is a number that is no address of the Internet, or a name of this machine.
fn leads_inside(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let name = host.trim_end_matches('.').to_ascii_lowercase();
    let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    number.is_ok_and(|address| !is_public(address))
        || name == "localhost"
        || name.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_the_internet_or_the_operators() {
        let hosts = WebhookHosts(vec!["http://127.0.0.1:9000".parse().unwrap()]);
        for good in [
            "https://hooks.example/a?b=c",
            " https://8.8.8.8/ ",
            "http://127.0.0.1:9000/x",
            "https://[2606:4700::1111]/",
        ] {
            assert!(hosts.check(good).is_ok(), "{good}");
        }
        for wrong in [
            "",
            "hooks.example",
            "ftp://hooks.example/",
            "http://hooks.example/",
            "http://127.0.0.1:9001/x",
            "https://127.0.0.1/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://localhost/",
            "https://LOCALHOST./",
            "https://a.localhost/",
            "https://ann:secret@hooks.example/",
        ] {
            assert!(hosts.check(wrong).is_err(), "{wrong}");
        }
        assert!(hosts.check(&format!("https://hooks.example/{}", "x".repeat(3_000))).is_err());
    }
}
