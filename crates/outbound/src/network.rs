//! Networks: those that settings name, such as those of trusted proxies, and whether an address is
//! one of the Internet.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// An address, or all addresses that share its first bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    address: IpAddr,
    prefix: u32,
}

/// Whether an address is one of the Internet, and not of this machine, of a network behind it or of
/// a special use.
pub fn is_public(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation()
        || first == 0
        // Multicast, reserved, broadcast.
        || first >= 224
        // Shared by the clients of one provider (RFC 6598).
        || (first == 100 && second & 0xc0 == 64)
        || (first, second, third) == (192, 0, 0)
        // Measurements.
        || (first == 198 && second & 0xfe == 18);
    !is_special
}

/// Only 2000::/3 is given out. Within it some networks stand for addresses of IPv4.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, third, fourth, .., last_but_one, last] = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match (first, second) {
        // 6to4.
        (0x2002, high) => is_public_v4(v4(high, third)),
        // Teredo and others that aren't meant for services, and documentation.
        (0x2001, 0..=0x01ff | 0x0db8) => false,
        // NAT64.
        (0x0064, 0xff9b) => third == 0 && fourth == 0 && is_public_v4(v4(last_but_one, last)),
        _ => first & 0xe000 == 0x2000,
    }
}

impl Network {
    /// The networks of all addresses.
    pub(crate) fn everywhere() -> [Self; 2] {
        let all = |address| Self { address, prefix: 0 };
        [all(Ipv4Addr::UNSPECIFIED.into()), all(Ipv6Addr::UNSPECIFIED.into())]
    }

    /// Whether an address is one of the network.
    pub fn contains(&self, other: IpAddr) -> bool {
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

    #[test]
    fn inner_addresses_are_known() {
        let public = |text: &str| is_public(text.parse().unwrap());
        for inner in [
            "127.0.0.1",
            "127.8.8.8",
            "0.0.0.0",
            "10.0.0.1",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.192",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "ff02::1",
            "2002:7f00:1::",
            "2002:c0a8:101::1",
            "2001:0:7f00:1::",
            "64:ff9b::a00:1",
            "64:ff9b:1::808:808",
        ] {
            assert!(!public(inner), "{inner}");
        }
        for outer in [
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "193.0.0.1",
            "2606:4700::1111",
            "2a00:1450::1",
            "2001:4860:4860::8888",
            "2002:808:808::1",
            "64:ff9b::808:808",
            "::ffff:8.8.8.8",
        ] {
            assert!(public(outer), "{outer}");
        }
    }
}
