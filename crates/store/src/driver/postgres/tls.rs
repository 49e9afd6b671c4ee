//! TLS to PostgreSQL, as libpq's `sslmode` and `sslrootcert` ask for it.

use std::fmt;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use purser_core::error::Result;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, ring, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres::config::SslMode;

use super::settings::refused;

/// The value of `sslrootcert` that means the authorities that the system trusts.
const SYSTEM: &str = "system";
/// What a server that speaks several protocols is asked for.
const PROTOCOL: &[u8] = b"postgresql";

/// How much a connection is to be trusted, with libpq's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mode {
    Disable,
    /// Encrypted if the server can.
    Prefer,
    /// Encrypted, with whoever answers.
    Require,
    /// And with a certificate of the authority.
    VerifyCa,
    /// And the certificate has the name of the host.
    VerifyFull,
}

/// The parts of an address that are about TLS.
pub(super) struct Options {
    mode: Mode,
    /// The value of `sslrootcert`, if there is one.
    authority: Option<String>,
}

impl Options {
    /// Takes the parameters about TLS out of an address; the rest is for who connects.
    pub(super) fn take(url: &str) -> Result<(String, Self)> {
        let (mut mode, mut authority, mut rest) = (None, None, Vec::new());
        let (base, query) = url.split_once('?').unwrap_or((url, ""));
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            match name {
                "sslmode" => mode = Some(Mode::parse(value)?),
                "sslrootcert" => {
                    let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
                    authority = Some(value).filter(|value| !value.is_empty());
                }
                _ => rest.push(pair),
            }
        }
        let mut url = base.to_owned();
        if !rest.is_empty() {
            url = format!("{url}?{}", rest.join("&"));
        }
        Ok((url, Self { mode: Mode::effective(mode, authority.as_deref())?, authority }))
    }

    /// What the connection is asked for.
    pub(super) fn mode(&self) -> SslMode {
        match self.mode {
            Mode::Disable => SslMode::Disable,
            Mode::Prefer => SslMode::Prefer,
            Mode::Require | Mode::VerifyCa | Mode::VerifyFull => SslMode::Require,
        }
    }

    /// How a certificate is judged, with the authorities read.
    pub(super) fn client(&self) -> Result<Arc<ClientConfig>> {
        let provider = Arc::new(ring::default_provider());
        let authorities = match &self.authority {
            Some(source) if self.mode >= Mode::VerifyCa => Some(Authorities::read(source)?),
            _ => None,
        };
        let verifier = Verifier {
            authorities,
            checks_name: self.mode == Mode::VerifyFull,
            algorithms: provider.signature_verification_algorithms,
        };
        client(provider, verifier)
    }
}

impl Mode {
    fn parse(text: &str) -> Result<Self> {
        Ok(match text {
            "disable" => Self::Disable,
            "prefer" => Self::Prefer,
            "require" => Self::Require,
            "verify-ca" => Self::VerifyCa,
            "verify-full" => Self::VerifyFull,
            _ => {
                return Err(refused(
                    "sslmode must be disable, prefer, require, verify-ca or verify-full.",
                ));
            }
        })
    }

    /// The mode with what libpq makes of it when there is an authority, or none.
    fn effective(mode: Option<Self>, authority: Option<&str>) -> Result<Self> {
        match (mode, authority) {
            (None, Some(SYSTEM)) => Ok(Self::VerifyFull),
            (Some(mode), Some(SYSTEM)) if mode < Self::VerifyFull => Err(refused(
                "sslrootcert=system needs sslmode=verify-full: anybody can have a certificate of \
                 an authority that the system trusts.",
            )),
            (Some(Self::Require), Some(_)) => Ok(Self::VerifyCa),
            (Some(Self::VerifyCa | Self::VerifyFull), None) => Err(refused(
                "sslmode=verify-ca and verify-full need sslrootcert: the file with the \
                 certificate of the authority, or `system`.",
            )),
            (mode, _) => Ok(mode.unwrap_or(Self::Prefer)),
        }
    }
}

fn client(provider: Arc<CryptoProvider>, verifier: Verifier) -> Result<Arc<ClientConfig>> {
    let mut client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(purser_core::error::Error::internal)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    client.alpn_protocols = vec![PROTOCOL.to_vec()];
    Ok(Arc::new(client))
}

/// The authorities that may have signed the server's certificate.
struct Authorities {
    roots: RootCertStore,
    /// The certificates of a file. A server's own may be among them: it then is its own authority.
    listed: Vec<CertificateDer<'static>>,
}

impl Authorities {
    fn read(source: &str) -> Result<Self> {
        let mut roots = RootCertStore::empty();
        if source == SYSTEM {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            return Ok(Self { roots, listed: Vec::new() });
        }
        let listed = CertificateDer::pem_file_iter(source)
            .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
            .map_err(|error| refused(format!("sslrootcert={source} can't be read: {error}.")))?;
        let (added, _) = roots.add_parsable_certificates(listed.iter().cloned());
        if added == 0 {
            return Err(refused(format!("sslrootcert={source} has no certificate.")));
        }
        Ok(Self { roots, listed })
    }
}

/// Judges the certificate of a server.
struct Verifier {
    /// None if everybody is trusted.
    authorities: Option<Authorities>,
    checks_name: bool,
    algorithms: WebPkiSupportedAlgorithms,
}

impl fmt::Debug for Verifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier").field("checks_name", &self.checks_name).finish_non_exhaustive()
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        _ocsp: &[u8],
        now: UnixTime,
    ) -> std::result::Result<ServerCertVerified, rustls::Error> {
        let Some(authorities) = &self.authorities else {
            return Ok(ServerCertVerified::assertion());
        };
        let parsed = ParsedCertificate::try_from(certificate)?;
        if !authorities.listed.contains(certificate) {
            verify_server_cert_signed_by_trust_anchor(
                &parsed,
                &authorities.roots,
                intermediates,
                now,
                self.algorithms.all,
            )?;
        }
        if self.checks_name {
            verify_server_name(&parsed, name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.algorithms.supported_schemes()
    }
}

#[cfg(test)]
#[path = "tls_tests.rs"]
mod tests;
