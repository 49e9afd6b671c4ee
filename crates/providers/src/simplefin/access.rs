//! Setup tokens, and the access address that one is exchanged for.
//!
//! The token is an address in Base64, which is asked once; the answer is another address that
//! contains user and password. Both must be of a permitted host, because a person pastes the first
//! and whoever answers there chooses the second.

use percent_encoding::percent_decode_str;
use purser_core::secret::Secret;
use purser_outbound::{Url, base64};

use crate::Result;
use crate::client::Client;
use crate::error::{Call, ErrorClass, ProviderError};
use crate::registry::ProviderKind;

/// An access address, taken apart.
pub(super) struct Access {
    /// The address without credentials.
    pub(super) base: Url,
    /// The value of the header with the credentials.
    pub(super) authorization: Secret,
}

impl Access {
    /// Reads an access address.
    pub(super) fn read(address: &Secret) -> Option<Self> {
        let mut base = Url::parse(address.reveal().trim()).ok()?;
        let decoded = |text: &str| percent_decode_str(text).collect::<Vec<u8>>();
        let mut credentials = decoded(base.username());
        credentials.push(b':');
        credentials.extend(decoded(base.password()?));
        base.set_username("").ok()?;
        base.set_password(None).ok()?;
        base.set_query(None);
        base.set_fragment(None);
        let authorization = Secret::new(format!("Basic {}", base64::encode(&credentials)));
        Some(Self { base, authorization })
    }
}

/// Exchanges a setup token for an access address. An access address is taken as it is.
///
/// A token that is refused was used before or never existed: if the person hasn't used it, somebody
/// else may have, and it should be disabled at the bridge.
pub(crate) async fn enrol(client: &Client, entered: &Secret) -> Result<Secret> {
    let call = Call::Enrolment;
    let refused = |class| ProviderError::new(class, call);
    let text: String = entered.reveal().split_whitespace().collect();
    let address = if text.starts_with("https://") || text.starts_with("http://") {
        Secret::new(text)
    } else {
        let claim = base64::decode(&text)
            .and_then(|bytes| String::from_utf8(bytes).ok())
            .and_then(|address| Url::parse(address.trim()).ok())
            .ok_or_else(|| refused(ErrorClass::Auth))?;
        let body = client.claim(ProviderKind::Simplefin, claim).await?;
        let address = String::from_utf8(body).ok();
        Secret::new(address.ok_or_else(|| refused(ErrorClass::InvalidResponse))?.trim())
    };
    let access = Access::read(&address).ok_or_else(|| refused(ErrorClass::Auth))?;
    match client.is_permitted(ProviderKind::Simplefin, &access.base) {
        true => Ok(address),
        false => Err(refused(ErrorClass::Config)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_taken_out_of_the_address() {
        let address = Secret::new("https://user:p%40ss@bridge.example/simplefin?x=1");
        let access = Access::read(&address).unwrap();
        assert_eq!(access.base.as_str(), "https://bridge.example/simplefin");
        let expected = format!("Basic {}", base64::encode(b"user:p@ss"));
        assert_eq!(access.authorization.reveal(), expected);
        for wrong in ["", "https://bridge.example/simplefin", "https://user@bridge.example/", "x"] {
            assert!(Access::read(&Secret::new(wrong)).is_none(), "{wrong}");
        }
    }
}
