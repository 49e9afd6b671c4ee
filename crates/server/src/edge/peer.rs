//! Who is at the other end of a connection.

use std::net::IpAddr;

use http::HeaderMap;

use crate::config::Server;

const FORWARDED_FOR: &str = "x-forwarded-for";
const FORWARDED_PROTO: &str = "x-forwarded-proto";

/// What proxies add to a request that they pass on.
const PASSED_ON: [&str; 4] = [FORWARDED_FOR, "forwarded", "x-real-ip", "via"];
/// Those of them that only proxies of a server add, and not those of a client.
const PASSED_ON_TO_US: [&str; 4] = [FORWARDED_FOR, FORWARDED_PROTO, "forwarded", "x-real-ip"];

/// The address of the connection, as the listener saw it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Whether a request surely comes from this machine, judged by the connection alone: a request that
/// a proxy passed on is never local, whatever its headers claim.
pub(crate) fn is_local(settings: &Server, peer: Peer, headers: &HeaderMap) -> bool {
    let address = peer.0.to_canonical();
    address.is_loopback()
        && !settings.trusts(address)
        && !PASSED_ON.iter().any(|name| headers.contains_key(*name))
}

/// Whether a request has a header that proxies of a server add.
pub(crate) fn is_passed_on(headers: &HeaderMap) -> bool {
    PASSED_ON_TO_US.iter().any(|name| headers.contains_key(*name))
}

/// Whether a request came over https, by the word of a trusted proxy: this server has no TLS.
pub(crate) fn is_https(settings: &Server, peer: Peer, headers: &HeaderMap) -> bool {
    let protocols = headers.get_all(FORWARDED_PROTO).iter().next_back();
    let last = protocols.and_then(|value| value.to_str().ok()?.rsplit(',').next());
    settings.trusts(peer.0) && last.is_some_and(|last| last.trim().eq_ignore_ascii_case("https"))
}

/// The address of who is behind the trusted proxies: the last one in `X-Forwarded-For` that is none
/// of them. The part before it could be written by anybody.
pub(crate) fn client_address(settings: &Server, peer: Peer, headers: &HeaderMap) -> IpAddr {
    let mut client = peer.0.to_canonical();
    let lists = headers.get_all(FORWARDED_FOR).iter().rev();
    let texts = lists.filter_map(|list| list.to_str().ok()).flat_map(|list| list.rsplit(','));
    for text in texts {
        if !settings.trusts(client) {
            break;
        }
        match text.trim().parse::<IpAddr>() {
            Ok(address) => client = address.to_canonical(),
            Err(_) => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        server: Server,
    }

    fn settings(proxies: &str) -> Server {
        Program::parse_from(["purser", &format!("--trusted-proxies={proxies}")]).server
    }

    #[test]
    fn only_what_comes_straight_from_this_machine_is_local() {
        for (proxies, peer, header, expected) in [
            ("", "127.0.0.1", None, true),
            ("", "::1", None, true),
            ("", "::ffff:127.0.0.1", None, true),
            ("10.0.0.0/8", "127.0.0.1", None, true),
            ("", "203.0.113.9", None, false),
            ("127.0.0.0/8", "127.0.0.1", None, false),
            ("127.0.0.0/8", "127.0.0.1", Some(("x-forwarded-for", "203.0.113.9:4711")), false),
            ("127.0.0.0/8", "127.0.0.1", Some(("x-forwarded-for", "unknown")), false),
            ("127.0.0.0/8", "127.0.0.1", Some(("x-forwarded-for", "127.0.0.1")), false),
            ("10.0.0.1", "10.0.0.1", Some(("x-forwarded-for", "127.0.0.1")), false),
            ("", "127.0.0.1", Some(("x-forwarded-for", "127.0.0.1")), false),
            ("", "127.0.0.1", Some(("forwarded", "for=127.0.0.1")), false),
            ("", "127.0.0.1", Some(("x-real-ip", "203.0.113.9")), false),
            ("", "127.0.0.1", Some(("via", "1.1 proxy")), false),
            ("", "127.0.0.1", Some(("accept", "*/*")), true),
        ] {
            let mut headers = HeaderMap::new();
            if let Some((name, value)) = header {
                headers.insert(name, value.parse().unwrap());
            }
            let local = is_local(&settings(proxies), Peer(peer.parse().unwrap()), &headers);
            assert_eq!(local, expected, "{peer} {header:?}, trusted: {proxies}");
        }
    }

    fn forwarded(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_a_trusted_proxy_is_believed_that_it_was_https() {
        let peer = Peer("10.0.0.1".parse().unwrap());
        let https = |proxies, value| {
            is_https(&settings(proxies), peer, &forwarded(&[(FORWARDED_PROTO, value)]))
        };
        assert!(https("10.0.0.1", "https") && https("10.0.0.1", "http, HTTPS"));
        assert!(!https("", "https") && !https("10.0.0.2", "https"));
        assert!(!https("10.0.0.1", "http") && !https("10.0.0.1", "https,http"));
        assert!(!is_https(&settings("10.0.0.1"), peer, &HeaderMap::new()));
    }

    #[test]
    fn the_client_is_the_last_address_that_is_no_proxy() {
        let peer = Peer("10.0.0.1".parse().unwrap());
        let client = |proxies, pairs: &[(&'static str, &'static str)]| {
            client_address(&settings(proxies), peer, &forwarded(pairs)).to_string()
        };
        let chain = [(FORWARDED_FOR, "1.1.1.1, 203.0.113.9, 10.0.0.2")];
        assert_eq!(client("10.0.0.0/8", &chain), "203.0.113.9");
        assert_eq!(client("10.0.0.1", &chain), "10.0.0.2");
        assert_eq!(client("", &chain), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &[]), "10.0.0.1");
        assert_eq!(client("10.0.0.1", &[(FORWARDED_FOR, "unknown")]), "10.0.0.1");
        let two = [(FORWARDED_FOR, "1.1.1.1"), (FORWARDED_FOR, "203.0.113.9")];
        assert_eq!(client("10.0.0.1", &two), "203.0.113.9");
    }
}
