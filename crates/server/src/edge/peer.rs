//! Who is at the other end.
//!
//! The address of a request is the peer's, unless the peer is a proxy that the operator trusts:
//! then it is the last address in `X-Forwarded-For` that isn't such a proxy itself. Everything
//! further left could have been made up by the client.

use std::net::IpAddr;

use http::HeaderMap;

use crate::config::Server;

const FORWARDED_FOR: &str = "x-forwarded-for";

/// The address of the connection, as the listener saw it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The address of the client, as far as it is known.
pub(crate) fn client_address(settings: &Server, peer: Peer, headers: &HeaderMap) -> IpAddr {
    let mut address = peer.0.to_canonical();
    let forwarded: Vec<&str> = headers
        .get_all(FORWARDED_FOR)
        .iter()
        .flat_map(|value| value.to_str().unwrap_or_default().split(','))
        .collect();
    for text in forwarded.into_iter().rev() {
        if !settings.trusts(address) {
            break;
        }
        match text.trim().parse::<IpAddr>() {
            Ok(next) => address = next.to_canonical(),
            Err(_) => break,
        }
    }
    address
}

/// Whether a request surely comes from this machine. One that some proxy passed on doesn't, unless
/// the proxy is trusted and says so.
pub(crate) fn is_local(settings: &Server, peer: Peer, headers: &HeaderMap) -> bool {
    let passed_on = headers.contains_key(FORWARDED_FOR) || headers.contains_key("forwarded");
    let believed = !passed_on || settings.trusts(peer.0);
    believed && client_address(settings, peer, headers).is_loopback()
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

    fn headers(forwarded: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if !forwarded.is_empty() {
            headers.insert(FORWARDED_FOR, forwarded.parse().unwrap());
        }
        headers
    }

    fn client(proxies: &str, peer: &str, forwarded: &str) -> String {
        let peer = Peer(peer.parse().unwrap());
        client_address(&settings(proxies), peer, &headers(forwarded)).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        assert_eq!(client("", "10.0.0.1", "203.0.113.9"), "10.0.0.1");
        assert_eq!(client("10.0.0.1", "10.0.0.1", "203.0.113.9"), "203.0.113.9");
        assert_eq!(client("10.0.0.1", "10.0.0.1", "1.1.1.1, 203.0.113.9"), "203.0.113.9");
        assert_eq!(client("10.0.0.0/8", "10.0.0.1", "203.0.113.9, 10.0.0.7"), "203.0.113.9");
        assert_eq!(client("10.0.0.0/8", "10.0.0.1", "nonsense"), "10.0.0.1");
        assert_eq!(client("10.0.0.0/8", "::ffff:10.0.0.1", ""), "10.0.0.1");
    }

    #[test]
    fn a_request_that_was_passed_on_is_not_local() {
        let local = |proxies, forwarded| {
            is_local(&settings(proxies), Peer("127.0.0.1".parse().unwrap()), &headers(forwarded))
        };
        assert!(local("", ""));
        assert!(!local("", "127.0.0.1"));
        assert!(!local("127.0.0.1", "203.0.113.9"));
        assert!(local("127.0.0.1", "127.0.0.1"));
    }
}
