//! Who is at the other end of a connection.

use std::net::IpAddr;

use http::HeaderMap;

use crate::config::Server;

/// What proxies add to a request that they pass on.
const PASSED_ON: [&str; 4] = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/// The address of the connection, as the listener saw it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Whether a request surely comes from this machine, by nobody's word but the connection's: nothing
/// that a proxy passed on is local, whatever it says of the client.
pub(crate) fn is_local(settings: &Server, peer: Peer, headers: &HeaderMap) -> bool {
    let address = peer.0.to_canonical();
    address.is_loopback()
        && !settings.trusts(address)
        && !PASSED_ON.iter().any(|name| headers.contains_key(*name))
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
}
