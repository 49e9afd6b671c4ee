//! How a browser reaches the server: over https or not, and from which address.
//!
//! Both follow from the connection. The headers of a proxy count only if it is a trusted one
//! (`PURSER_TRUSTED_PROXIES`).

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, HeaderValue, header};

use crate::edge::peer::{self, Peer};
use crate::state::AppState;

/// A year and a bit: the longest that browsers keep a cookie. The server ends sessions earlier.
const COOKIE_SECONDS_MAX: u32 = 400 * 24 * 3600;

/// The browser that sent a request.
#[derive(Debug, Clone)]
pub(crate) struct Browser {
    /// Whether it came over https.
    pub(crate) secure: bool,
    /// Its address, as far as it is known.
    pub(crate) address: IpAddr,
    cookies: Vec<(String, String)>,
}

/// How long a cookie lives in the browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lifetime {
    /// Until the browser is closed.
    Window,
    /// As long as browsers allow.
    Long,
    /// It is to be removed.
    Over,
}

impl Browser {
    fn read(parts: &Parts, app: &AppState) -> Self {
        // Only tests without a connection have no peer.
        let unknown = Peer(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let peer = parts.extensions.get::<Peer>().copied().unwrap_or(unknown);
        Self {
            secure: peer::is_https(&app.settings, peer, &parts.headers),
            address: peer::client_address(&app.settings, peer, &parts.headers),
            cookies: cookies(&parts.headers),
        }
    }

    /// The value of a cookie of ours.
    pub(crate) fn cookie(&self, name: &str) -> Option<&str> {
        let full = self.cookie_name(name);
        let found = self.cookies.iter().find(|(known, _)| *known == full);
        found.map(|(_, value)| value.as_str())
    }

    /// A `Set-Cookie` for a value of letters and digits. Over https the name's prefix binds the
    /// cookie to this host, so that a page of another host below the same domain can't plant one.
    pub(crate) fn set_cookie(
        &self,
        name: &str,
        value: &str,
        lifetime: Lifetime,
    ) -> Option<HeaderValue> {
        let name = self.cookie_name(name);
        let secure = if self.secure { "; Secure" } else { "" };
        let age = match lifetime {
            Lifetime::Window => String::new(),
            Lifetime::Long => format!("; Max-Age={COOKIE_SECONDS_MAX}"),
            Lifetime::Over => "; Max-Age=0".to_owned(),
        };
        let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{age}");
        HeaderValue::from_str(&text).ok()
    }

    fn cookie_name(&self, name: &str) -> String {
        if self.secure { format!("__Host-{name}") } else { name.to_owned() }
    }
}

impl FromRequestParts<AppState> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        Ok(Self::read(parts, app))
    }
}

fn cookies(headers: &HeaderMap) -> Vec<(String, String)> {
    let lists = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = lists.flat_map(|list| list.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn browser(secure: bool, cookie: &str) -> Browser {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.parse().unwrap());
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Browser { secure, address, cookies: cookies(&headers) }
    }

    #[test]
    fn over_https_only_the_bound_cookie_counts() {
        let both = "a=1; purser_x=plain;__Host-purser_x=bound";
        assert_eq!(browser(false, both).cookie("purser_x"), Some("plain"));
        assert_eq!(browser(true, both).cookie("purser_x"), Some("bound"));
        assert_eq!(browser(true, "purser_x=planted").cookie("purser_x"), None);
    }

    #[test]
    fn cookies_are_out_of_reach_of_scripts_and_other_sites() {
        let text = |secure, lifetime| {
            let value = browser(secure, "").set_cookie("x", "1", lifetime).unwrap();
            value.to_str().unwrap().to_owned()
        };
        assert_eq!(text(false, Lifetime::Window), "x=1; Path=/; HttpOnly; SameSite=Lax");
        assert_eq!(
            text(true, Lifetime::Long),
            "__Host-x=1; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=34560000"
        );
        assert!(text(true, Lifetime::Over).ends_with("; Max-Age=0"));
    }
}
