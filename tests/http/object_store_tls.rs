//! An object store behind TLS: what it needs to be believed.

use serde_json::json;

use crate::imports::{assert_whole, upload};
use crate::object_store::{SERVE, forget_copies, names};
use crate::support::{Backend, ObjectStore, Options, Server, tls};

const CSV: &str = "date,amount,name\n2026-01-02,-3.50,Coffee\n2026-01-03,-4.00,Tea\n";

/// The bucket behind TLS, by a name of this machine.
fn over_tls(bucket: &ObjectStore, host: &str, port: u16) -> Options {
    bucket
        .options()
        .env("PURSER_S3_ENDPOINT", format!("https://{host}:{port}"))
        .env("PURSER_S3_ALLOW_HTTP", "off")
}

#[test]
fn files_are_in_a_bucket_behind_tls() {
    let bucket = ObjectStore::start();
    let port = tls::before(bucket.faults.address());
    let trusting =
        |host| over_tls(&bucket, host, port).env("SSL_CERT_FILE", tls::authority().display());
    let mut server = Server::start_with(Backend::Sqlite, trusting("127.0.0.1"));
    let family = server.family();
    let fields = json!({ "account_id": family.account("Main", "depository") });
    let id = upload(&family.api, CSV, &fields)["id"].as_str().unwrap().to_owned();
    assert_eq!(bucket.files().len(), 1);
    forget_copies(&server.data_folder());
    assert_eq!(names(&family.api, &id), ["Coffee", "Tea"]);
    assert_whole(&server);
    assert!(server.stop().success());

    // Neither an authority that the system doesn't trust, nor another name, is believed.
    let elsewhere = Server::prepared(Backend::Sqlite, over_tls(&bucket, "127.0.0.1", port));
    let wrong_name = server.run_with(&trusting("localhost"), &SERVE);
    for refused in [elsewhere.run(&SERVE, ""), wrong_name] {
        assert!(!refused.status.success(), "{refused:?}");
        assert!(refused.stderr.contains("can't be reached"), "{refused:?}");
    }
    server.start_again();
    assert_eq!(names(&family.api, &id), ["Coffee", "Tea"]);
}
