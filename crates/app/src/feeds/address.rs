//! Addresses of feeds. They may hold a key, so they are secrets: never logged, never shown.

use std::str::FromStr;

use purser_outbound::Url;
use purser_store::Secret;

/// Stands in a template where the symbol goes.
const SYMBOL: &str = "{symbol}";

/// An address that begins with `https://` or `http://`.
#[derive(Debug, Clone)]
pub struct FeedUrl(Secret);

/// An address with `{symbol}` in it.
#[derive(Debug, Clone)]
pub struct FeedTemplate(Secret);

impl FeedUrl {
    /// The address for a request.
    pub(super) fn url(&self) -> Option<Url> {
        web_address(self.0.reveal())
    }
}

impl FeedTemplate {
    /// To be asked for a symbol, whatever characters it has.
    pub(super) fn url(&self, symbol: &str) -> Option<Url> {
        web_address(&self.0.reveal().replace(SYMBOL, &encoded(symbol)))
    }
}

impl FromStr for FeedUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match web_address(text.trim()) {
            Some(_) => Ok(Self(Secret::new(text.trim()))),
            None => Err("must be an address that begins with https:// or http:// such as \
                         https://feeds.example/rates.csv"
                .to_owned()),
        }
    }
}

impl FromStr for FeedTemplate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let template = Self(Secret::new(text.trim()));
        // Not in the host: a symbol doesn't decide whom to ask.
        let hosts = ["A", "B"].map(|symbol| template.url(symbol)?.host_str().map(str::to_owned));
        if !text.contains(SYMBOL) || hosts[0].is_none() || hosts[0] != hosts[1] {
            return Err(format!(
                "must be an address that begins with https:// or http:// and has {SYMBOL} in its \
                 path or query"
            ));
        }
        Ok(template)
    }
}

fn web_address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    (["http", "https"].contains(&url.scheme()) && url.has_host()).then_some(url)
}

/// Everything but letters, digits and what never has a meaning of its own, as `%XX`.
fn encoded(symbol: &str) -> String {
    let mut text = String::with_capacity(symbol.len());
    for byte in symbol.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_~".contains(&byte) {
            text.push(char::from(byte));
        } else if byte == b'.' && symbol.trim_matches('.').is_empty() {
            // `..` would be a step up.
            text.push_str("%252E");
        } else if byte == b'.' {
            text.push('.');
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_web_addresses_are_taken() {
        assert!("https://feed.example/rates.xml".parse::<FeedUrl>().is_ok());
        assert!(" http://127.0.0.1:8080/x?key=1 ".parse::<FeedUrl>().is_ok());
        for wrong in ["", "feed.example", "file:///etc/passwd", "ftp://feed.example/", "https://"] {
            assert!(wrong.parse::<FeedUrl>().is_err(), "{wrong}");
        }
        for wrong in ["https://feed.example/", "https://{symbol}.example/", "ftp://x/{symbol}"] {
            assert!(wrong.parse::<FeedTemplate>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn symbols_are_put_in_as_they_are_whatever_they_hold() {
        let template: FeedTemplate = "https://feed.example/v1/{symbol}?s={symbol}".parse().unwrap();
        let url = |symbol| template.url(symbol).unwrap().to_string();
        assert_eq!(url("BRK.B"), "https://feed.example/v1/BRK.B?s=BRK.B");
        assert_eq!(
            url("^A/B?c=#ä"),
            "https://feed.example/v1/%5EA%2FB%3Fc%3D%23%C3%A4?s=%5EA%2FB%3Fc%3D%23%C3%A4"
        );
        assert_eq!(url(".."), "https://feed.example/v1/%252E%252E?s=%252E%252E");
        assert!(!format!("{template:?}").contains("feed.example"), "it may hold a key");
    }
}
