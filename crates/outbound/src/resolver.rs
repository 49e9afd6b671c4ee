//! Where names may lead: to the Internet, not to this machine or to what is behind it.
//!
//! Whoever controls a name that is asked could otherwise point it at an inner service. The
//! addresses are checked here, between looking the name up and connecting, so that no second answer
//! can slip in between. An inner address is reached only if the operator names it: as the host of
//! the address that is asked, as `localhost`, or as a network in the settings.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::network::{Network, is_public};

/// Looks names up, and refuses those that lead to inner addresses.
pub(super) struct Resolver {
    /// Inner networks that names may lead to.
    pub(super) allowed: Arc<[Network]>,
}

/// A name leads to an inner address.
#[derive(Debug)]
pub(super) struct LeadsInside;

impl fmt::Display for LeadsInside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name leads to an inner address")
    }
}

impl std::error::Error for LeadsInside {}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = self.allowed.clone();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let permitted: Addrs = Box::new(permitted(name.as_str(), found, &allowed)?.into_iter());
            Ok(permitted)
        })
    }
}

/// The addresses of a name, if all of them may be connected to.
fn permitted(
    name: &str,
    found: Vec<SocketAddr>,
    allowed: &[Network],
) -> Result<Vec<SocketAddr>, LeadsInside> {
    let is_permitted = |address: IpAddr| {
        is_public(address)
            || (name.eq_ignore_ascii_case("localhost") && address.is_loopback())
            || allowed.iter().any(|network| network.contains(address))
    };
    if found.iter().all(|address| is_permitted(address.ip())) {
        Ok(found)
    } else {
        Err(LeadsInside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(name: &str, addresses: &[&str], allowed: &[&str]) -> bool {
        let found = addresses.iter().map(|text| SocketAddr::new(text.parse().unwrap(), 0));
        let allowed: Vec<Network> = allowed.iter().map(|text| text.parse().unwrap()).collect();
        permitted(name, found.collect(), &allowed).is_ok()
    }

    #[test]
    fn names_lead_to_inner_addresses_only_if_the_operator_allows_it() {
        assert!(leads("feed.example", &["8.8.8.8", "2606:4700::1111"], &[]));
        assert!(!leads("feed.example", &["127.0.0.1"], &[]));
        assert!(!leads("feed.example", &["8.8.8.8", "169.254.169.254"], &[]), "one is enough");
        assert!(!leads("feed.example", &["::ffff:10.0.0.1"], &[]));
        assert!(leads("localhost", &["127.0.0.1", "::1"], &[]));
        assert!(!leads("localhost", &["10.0.0.1"], &[]));
        assert!(leads("rates", &["172.18.0.3"], &["172.18.0.0/16"]));
        assert!(!leads("rates", &["172.19.0.3"], &["172.18.0.0/16"]));
    }

    #[tokio::test]
    async fn a_look_up_is_checked() {
        let resolver = |allowed: &[Network]| Resolver { allowed: allowed.into() };
        let name = || "localhost".parse::<Name>().unwrap();
        assert!(resolver(&[]).resolve(name()).await.is_ok_and(|mut found| found.next().is_some()));
        // A name of the loopback address that isn't the well-known one.
        let other = "127.0.0.1".parse::<Name>().unwrap();
        assert!(resolver(&[]).resolve(other).await.err().unwrap().is::<LeadsInside>());
        let other = "127.0.0.1".parse::<Name>().unwrap();
        assert!(resolver(&["127.0.0.0/8".parse().unwrap()]).resolve(other).await.is_ok());
    }
}
