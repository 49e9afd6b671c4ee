//! Writes must come from one of our own pages.
//!
//! Browsers send where a request comes from: `Sec-Fetch-Site` (over https and from this machine),
//! or `Origin`. A request with neither comes from no current browser, and still needs the token of
//! a form, see [`super::form`]. `SameSite` cookies are the third line.

use axum::extract::Request;
use http::request::Parts;
use http::{HeaderMap, HeaderName, Method, StatusCode, header};

use super::error::{WebError, WebResult};
use crate::config::Server;
use crate::edge::peer::Peer;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");

/// Refuses a write that another site sent.
pub(super) fn check(settings: &Server, request: &Request) -> WebResult<()> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return Ok(());
    }
    let peer = request.extensions().get::<Peer>();
    let behind_proxy = peer.is_some_and(|peer| settings.trusts(peer.0));
    match is_ours(request.headers(), behind_proxy) {
        true => Ok(()),
        false => Err(WebError::page(
            StatusCode::FORBIDDEN,
            "foreign_origin",
            "This request came from another site, so it was not carried out.",
        )),
    }
}

fn is_ours(headers: &HeaderMap, behind_proxy: bool) -> bool {
    if let Some(site) = headers.get(FETCH_SITE) {
        // `none`: typed by the user, or a page that was reloaded.
        return site == "same-origin" || site == "none";
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return true };
    let Some((_, from)) = origin.to_str().ok().and_then(|origin| origin.split_once("://")) else {
        return false;
    };
    is_our_host(headers, behind_proxy, from)
}

fn is_our_host(headers: &HeaderMap, behind_proxy: bool, asked: &str) -> bool {
    let host = |name: HeaderName| headers.get(name).and_then(|host| host.to_str().ok());
    let forwarded = if behind_proxy { host(FORWARDED_HOST) } else { None };
    [host(header::HOST), forwarded]
        .into_iter()
        .flatten()
        .any(|host| host.eq_ignore_ascii_case(asked))
}

/// The page of ours that a request comes from, by its path: a way back for people, no proof.
pub(super) fn own_page<'a>(settings: &Server, parts: &'a Parts) -> Option<&'a str> {
    let peer = parts.extensions.get::<Peer>();
    page_of(&parts.headers, peer.is_some_and(|peer| settings.trusts(peer.0)))
}

fn page_of(headers: &HeaderMap, behind_proxy: bool) -> Option<&str> {
    let (_, from) = headers.get(header::REFERER)?.to_str().ok()?.split_once("://")?;
    let (host, path) = from.split_at(from.find('/')?);
    return_path(path).filter(|_| is_our_host(headers, behind_proxy, host))
}

/// A path on this server to continue with, if the link has one. Browsers take `//host` and `/\host`
/// for another host, and drop tabs and line breaks.
pub(super) fn return_path(path: &str) -> Option<&str> {
    let local = path.starts_with('/')
        && !path.starts_with("//")
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let useful = !path.starts_with("/sign-") && path != "/" && !path.starts_with("/welcome");
    (local && useful).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(behind_proxy: bool, headers: &[(&'static str, &'static str)]) -> bool {
        let pairs = headers.iter().map(|(name, value)| {
            (HeaderName::from_static(name), value.parse::<http::HeaderValue>().unwrap())
        });
        is_ours(&pairs.collect(), behind_proxy)
    }

    #[test]
    fn the_first_header_of_the_browser_decides() {
        for (site, expected) in
            [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)]
        {
            let headers =
                [("sec-fetch-site", site), ("origin", "http://other"), ("host", "a.example")];
            assert_eq!(ours(false, &headers), expected, "{site}");
        }
    }

    #[test]
    fn the_origin_is_the_host_that_was_asked() {
        let host = ("host", "a.example:8080");
        assert!(ours(false, &[host]));
        assert!(ours(false, &[host, ("origin", "http://a.example:8080")]));
        for foreign in ["http://a.example", "http://b.example:8080", "null", ""] {
            assert!(!ours(false, &[host, ("origin", foreign)]), "{foreign}");
        }
        let forwarded = ("x-forwarded-host", "money.example");
        let origin = ("origin", "https://money.example");
        assert!(ours(true, &[host, forwarded, origin]));
        assert!(!ours(false, &[host, forwarded, origin]), "anybody can send the header");
    }

    #[test]
    fn the_way_back_leads_to_our_own_pages_only() {
        let page = |referer: &str| {
            let headers = [(header::HOST, "a.example:8080"), (header::REFERER, referer)];
            let headers = headers.map(|(name, value)| (name, value.parse().unwrap()));
            page_of(&HeaderMap::from_iter(headers), false).map(str::to_owned)
        };
        assert_eq!(page("http://a.example:8080/imports/new?a=b").unwrap(), "/imports/new?a=b");
        for foreign in [
            "http://a.example/imports",
            "http://b.example:8080/imports",
            "http://a.example:8080",
            "http://a.example:8080/",
            "http://a.example:8080//evil.example",
            "http://evil.example/http://a.example:8080/imports",
            "/imports",
            "",
        ] {
            assert_eq!(page(foreign), None, "{foreign}");
        }
        assert_eq!(page_of(&HeaderMap::new(), true), None);
    }

    #[test]
    fn only_paths_of_ours_are_gone_back_to() {
        for good in ["/accounts/1?page=2", "/transactions?q=%2F%2Fevil", "/imports"] {
            assert_eq!(return_path(good), Some(good));
        }
        for bad in [
            "",
            "/",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "evil",
            "/\t/evil.example",
            "/\n",
            "/a b",
            "/\u{e4}",
            "/sign-out",
            "/sign-in?next=/",
            "/welcome",
        ] {
            assert_eq!(return_path(bad), None, "{bad:?}");
        }
    }
}
