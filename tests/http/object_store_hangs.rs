//! A bucket that hangs keeps waiting only those who need a file of it.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::imports::{IMPORTS, body, upload};
use crate::object_store::forget_copies;
use crate::support::{Backend, Fault, ObjectStore, Server, until};

const CSV: &str = "date,amount,name\n2026-01-02,-3.50,Coffee\n";

/// A store that accepts connections and answers nothing holds up no more than what needs it,
/// however much two families ask of it.
#[test]
fn a_store_that_hangs_is_given_up() {
    let bucket = ObjectStore::start();
    let server = Server::start_with(Backend::Sqlite, bucket.options());
    let families = [server.family(), server.family()];
    let uploaded = families.each_ref().map(|family| {
        let fields = json!({ "account_id": family.account("Main", "depository") });
        let id = upload(&family.api, CSV, &fields)["id"].as_str().unwrap().to_owned();
        (family, format!("{IMPORTS}/{id}/rows"), body(CSV, &fields))
    });
    let other = server.family();
    forget_copies(&server.data_folder());
    bucket.faults.set(Fault::Hang);
    std::thread::scope(|scope| {
        let mut asking = Vec::new();
        for (family, path, sent) in &uploaded {
            for _ in 0..5 {
                asking.push(scope.spawn(|| family.api.get(path).status));
            }
            for _ in 0..10 {
                asking.push(scope.spawn(|| family.api.post(IMPORTS, sent).status));
            }
        }
        until("requests to hang", || (bucket.faults.met() > 2).then_some(()));
        for _ in 0..20 {
            let began = Instant::now();
            other.api.get("/api/v1/accounts").expect_status(200);
            other.account("More", "depository");
            assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        }
        let (family, path, _) = &uploaded[0];
        let error = family.api.get(path).expect_error(503, "unavailable");
        assert!(error["message"].as_str().unwrap().contains("still being fetched"), "{error}");
        bucket.faults.set(Fault::Pass);
        for status in asking.into_iter().map(|thread| thread.join().unwrap()) {
            assert!([200, 201, 503].contains(&status), "{status}");
        }
    });
    for (family, path, _) in &uploaded {
        until("the file to be there", || (family.api.get(path).status == 200).then_some(()));
    }
}
