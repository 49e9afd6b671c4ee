//! Encryption in front of a server that has none, with the certificate of the tests' PostgreSQL: it
//! is for 127.0.0.1, of an authority that no system trusts.

use std::path::PathBuf;
use std::sync::Arc;
use std::{io, thread};

use rustls::ServerConfig;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

/// The certificate of the authority: `cargo xtask test` sets it. The server's own certificate and
/// key are beside it.
const AUTHORITY_VARIABLE: &str = "PURSER_TEST_POSTGRES_AUTHORITY";

/// The file with the authority's certificate.
pub(crate) fn authority() -> PathBuf {
    let file = std::env::var_os(AUTHORITY_VARIABLE).expect("run the tests with `cargo xtask test`");
    PathBuf::from(file)
}

/// Listens before a server for as long as the process lives; the port.
pub(crate) fn before(server: &str) -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.set_nonblocking(true).expect("a listener that doesn't wait");
    let port = listener.local_addr().expect("its address").port();
    let (acceptor, server) = (TlsAcceptor::from(Arc::new(config())), server.to_owned());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    let runtime = runtime.expect("a runtime");
    thread::spawn(move || {
        runtime.block_on(async move {
            let listener = TcpListener::from_std(listener).expect("the listener");
            while let Ok((connection, _)) = listener.accept().await {
                // One that breaks off, or doesn't trust the certificate, ends alone.
                tokio::spawn(pass(acceptor.clone(), connection, server.clone()));
            }
        });
    });
    port
}

async fn pass(acceptor: TlsAcceptor, connection: TcpStream, server: String) -> io::Result<()> {
    let mut client = acceptor.accept(connection).await?;
    let mut upstream = TcpStream::connect(server).await?;
    copy_bidirectional(&mut client, &mut upstream).await.map(drop)
}

fn config() -> ServerConfig {
    let beside = |name| authority().with_file_name(name);
    let certificate = CertificateDer::from_pem_file(beside("server.crt")).expect("a certificate");
    let key = PrivateKeyDer::from_pem_file(beside("server.key")).expect("its key");
    ServerConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .expect("a certificate with its key")
}
