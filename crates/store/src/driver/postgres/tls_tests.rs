//! What an address asks for, and connections to a real server that encrypts.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use super::*;
use crate::driver::postgres::{PgConnection, Settings};
use crate::secret::Secret;

fn taken(url: &str) -> std::result::Result<(String, Mode, Option<String>), String> {
    let (url, options) = Options::take(url).map_err(|error| error.to_string())?;
    Ok((url, options.mode, options.authority))
}

#[test]
fn the_parameters_are_those_of_libpq() {
    let mode = |query: &str| taken(&format!("postgres://u@db/purser{query}")).map(|taken| taken.1);
    for (query, expected) in [
        ("", Mode::Prefer),
        ("?sslmode=disable", Mode::Disable),
        ("?sslmode=prefer", Mode::Prefer),
        ("?sslmode=require", Mode::Require),
        ("?sslmode=require&sslrootcert=/ca.crt", Mode::VerifyCa),
        ("?sslmode=verify-ca&sslrootcert=/ca.crt", Mode::VerifyCa),
        ("?sslmode=verify-full&sslrootcert=/ca.crt", Mode::VerifyFull),
        ("?sslmode=verify-full&sslrootcert=system", Mode::VerifyFull),
        ("?sslrootcert=system", Mode::VerifyFull),
    ] {
        assert_eq!(mode(query).unwrap(), expected, "{query}");
    }
    for (query, reason) in [
        ("?sslmode=allow", "sslmode must be"),
        ("?sslmode=Require", "sslmode must be"),
        ("?sslmode=verify-full", "need sslrootcert"),
        ("?sslmode=verify-ca", "need sslrootcert"),
        ("?sslmode=require&sslrootcert=system", "needs sslmode=verify-full"),
    ] {
        let error = mode(query).unwrap_err();
        assert!(error.contains(reason), "{query}: {error}");
    }
    let url = "postgres://u@db/purser?a=b&sslmode=verify-ca&sslrootcert=%2Fetc%2Fmy%20ca.crt&c=d";
    let (rest, _, authority) = taken(url).unwrap();
    assert_eq!(rest, "postgres://u@db/purser?a=b&c=d");
    assert_eq!(authority.as_deref(), Some("/etc/my ca.crt"));
}

/// Connects to the server of the tests by a host's name, with parameters.
fn connect(host: &str, query: &str) -> std::result::Result<PgConnection, String> {
    let url = std::env::var("PURSER_TEST_POSTGRES").expect("the server of the tests");
    let url = url.replace("127.0.0.1", host);
    let settings = Settings::parse(&Secret::new(format!("{url}?{query}")));
    settings.and_then(|settings| settings.connect()).map_err(|error| format!("{error:?}"))
}

fn authority() -> String {
    std::env::var("PURSER_TEST_POSTGRES_AUTHORITY").expect("the certificate of the authority")
}

fn is_encrypted(query: &str) -> bool {
    let mut connection = connect("127.0.0.1", query).unwrap();
    let mut found = String::new();
    let sql = "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    connection
        .for_each(sql, Vec::new(), &mut |row| {
            found = row.string(0)?;
            Ok(())
        })
        .unwrap();
    found == "true"
}

#[test]
fn connections_are_encrypted_as_the_address_asks() {
    let authority = authority();
    assert!(!is_encrypted("sslmode=disable"));
    assert!(is_encrypted(""));
    assert!(is_encrypted("sslmode=prefer"));
    assert!(is_encrypted("sslmode=require"));
    assert!(is_encrypted(&format!("sslmode=verify-ca&sslrootcert={authority}")));
    assert!(is_encrypted(&format!("sslmode=verify-full&sslrootcert={authority}")));
}

#[test]
fn an_unknown_authority_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let other = folder.path().join("other.crt");
    std::fs::write(&other, OTHER_AUTHORITY).unwrap();
    for mode in ["require", "verify-ca", "verify-full"] {
        let query = format!("sslmode={mode}&sslrootcert={}", other.display());
        let error = connect("127.0.0.1", &query).err().unwrap();
        assert!(error.contains("UnknownIssuer"), "{mode}: {error}");
    }
    let missing = connect("127.0.0.1", "sslmode=verify-ca&sslrootcert=/nowhere").err().unwrap();
    assert!(missing.contains("/nowhere can't be read"), "{missing}");
}

#[test]
fn a_wrong_name_is_refused_where_the_name_counts() {
    let authority = authority();
    let by_name =
        |mode: &str| connect("localhost", &format!("sslmode={mode}&sslrootcert={authority}"));
    assert!(by_name("verify-ca").is_ok());
    let error = by_name("verify-full").err().unwrap();
    assert!(error.contains("not valid for name"), "{error}");
}

#[test]
fn a_server_without_tls_is_refused_where_it_is_required() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.read_exact(&mut [0; 8]).unwrap();
        stream.write_all(b"N").unwrap();
    });
    let url = format!("postgres://u@{address}/purser?sslmode=require");
    let error = Settings::parse(&Secret::new(url)).unwrap().connect().err().unwrap();
    assert!(format!("{error:?}").contains("does not support TLS"), "{error:?}");
    server.join().unwrap();
}

/// A certificate that has signed nothing.
const OTHER_AUTHORITY: &str = "\
-----BEGIN CERTIFICATE-----
MIIBdzCCAR2gAwIBAgIUD8aXBQbj7PnF6pXVzLF3VqPJwLwwCgYIKoZIzj0EAwIw
EDEOMAwGA1UEAwwFb3RoZXIwIBcNMjYxMTIyMjMxMjEzWhgPMjEyNjEwMjkyMzEy
MTNaMBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
7uNAZ5pSFB4/9P8eKWwRVvJ48HrkPJ/8orj2Vg+lkmrZ2ajAxIOTap8EJqVsmX99
qyb7OsW4dDjYhX/IbDxSX6NTMFEwHQYDVR0OBBYEFIiDDNBGZDriFSNeeiG1YJRu
q7hSMB8GA1UdIwQYMBaAFIiDDNBGZDriFSNeeiG1YJRuq7hSMA8GA1UdEwEB/wQF
MAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIgbFva/7sEqpAur/IG4w+HhSzc2frTlMM7
Kc+XQdUZ6zICIQDSVydD5kfAxZLUM4ofMNwLButTYADWfzpbD++pK8DNew==
-----END CERTIFICATE-----
";
