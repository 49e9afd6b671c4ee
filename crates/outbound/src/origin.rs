//! Scheme, host and port of an address: what a list of permitted hosts consists of.

use std::fmt;
use std::str::FromStr;

use reqwest::Url;

/// Where requests go: `https://bank.example`, `http://localhost:8090`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin(String);

impl Origin {
    /// The origin of an address of the web; none if it has no host or another scheme.
    pub fn of(url: &Url) -> Option<Self> {
        if !["http", "https"].contains(&url.scheme()) || !url.has_host() {
            return None;
        }
        Some(Self(url.origin().ascii_serialization()))
    }

    /// Whether requests to it are encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let problem =
            || "must be scheme and host such as https://bank.example, without a path".to_owned();
        let url = Url::parse(text.trim()).map_err(|_| problem())?;
        let is_plain = url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        Self::of(&url).filter(|_| is_plain).ok_or_else(problem)
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let origin = |text: &str| text.parse::<Origin>().map(|origin| origin.to_string());
        assert_eq!(origin("https://Bank.example/").as_deref(), Ok("https://bank.example"));
        assert_eq!(origin("https://bank.example:443").as_deref(), Ok("https://bank.example"));
        assert_eq!(origin("http://127.0.0.1:8090").as_deref(), Ok("http://127.0.0.1:8090"));
        for wrong in [
            "",
            "bank.example",
            "ftp://bank.example",
            "https://bank.example/v1",
            "https://bank.example/?a",
            "https://user@bank.example",
            "file:///etc/passwd",
            "data:text/plain,x",
        ] {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
        let of = |text: &str| Origin::of(&Url::parse(text).unwrap()).unwrap();
        assert_eq!(of("https://bank.example/a?b"), "https://bank.example".parse().unwrap());
        assert_ne!(of("https://bank.example.evil.example/"), of("https://bank.example/"));
        assert_ne!(of("http://bank.example/"), of("https://bank.example/"));
        assert_eq!(of("https://bank.example@evil.example/").to_string(), "https://evil.example");
    }
}
