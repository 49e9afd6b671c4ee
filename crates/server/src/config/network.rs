//! Networks that settings name, such as those of trusted proxies.

use std::net::IpAddr;
use std::str::FromStr;

/// An address, or all addresses that share its first bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Network {
    address: IpAddr,
    prefix: u32,
}

impl Network {
    pub(super) fn contains(&self, other: IpAddr) -> bool {
        let (address, other, bits) = match (self.address, other.to_canonical()) {
            (IpAddr::V4(a), IpAddr::V4(b)) => {
                (u128::from(a.to_bits()), u128::from(b.to_bits()), 32)
            }
            (IpAddr::V6(a), IpAddr::V6(b)) => (a.to_bits(), b.to_bits(), 128),
            _ => return false,
        };
        // A shift by all bits is not defined, and means that everything matches.
        self.prefix == 0 || (address ^ other) >> (bits - self.prefix) == 0
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr =
            address.parse().map_err(|_| format!("`{text}` is not an address or a network"))?;
        let bits = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => bits,
            Some(prefix) => prefix
                .parse()
                .ok()
                .filter(|prefix| *prefix <= bits)
                .ok_or_else(|| format!("`{text}` has no prefix length from 0 to {bits}"))?,
        };
        Ok(Self { address, prefix })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_contain_what_shares_their_first_bits() {
        let network: Network = "10.1.0.0/16".parse().unwrap();
        assert!(network.contains("10.1.255.3".parse().unwrap()));
        assert!(network.contains("::ffff:10.1.2.3".parse().unwrap()));
        assert!(!network.contains("10.2.0.1".parse().unwrap()));
        assert!(!network.contains("::1".parse().unwrap()));
        let single: Network = "fd00::1".parse().unwrap();
        assert!(single.contains("fd00::1".parse().unwrap()));
        assert!(!single.contains("fd00::2".parse().unwrap()));
        assert!("0.0.0.0/0".parse::<Network>().unwrap().contains("203.0.113.9".parse().unwrap()));
        for wrong in ["10.0.0.0/33", "10.0.0/8", "::/129", "proxy", "10.0.0.0/", "10.0.0.0/-1"] {
            assert!(wrong.parse::<Network>().is_err(), "{wrong}");
        }
    }
}
