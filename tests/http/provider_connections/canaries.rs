//! Keys that are easy to recognise go through the whole life of a connection. Afterwards every byte
//! that the server has sent, written or stored is searched for them.

use std::fs;
use std::io::{Cursor, Read as _};
use std::path::Path;
use std::process::Command;

use purser_bank_simulator::misbehaviour::FaultKind;
use purser_bank_simulator::{Fault, SIMPLEFIN_PASSWORD};
use serde_json::{Value, json};

use super::banked::found as found_accounts;
use super::managing::PATH;
use super::syncing::{request, synced};
use crate::support::{Answer, Backend, Banks, Family, Server, Sql, State};

/// Keys of the provider: one that is refused, one that works, and the one after it.
const KEYS: [&str; 3] =
    ["canary-refused-0b9c4f71", "canary-first-5b1e0c7d9a3f", "canary-second-7e62d8a1c04b"];
/// What must be found, or nothing was searched.
const CONTROL: &str = "Green Grocer";

/// Something that was sent, written or stored.
struct Haystack {
    name: String,
    bytes: Vec<u8>,
}

/// Everything that is searched.
#[derive(Default)]
struct Haystacks(Vec<Haystack>);

impl Haystacks {
    fn add(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.0.push(Haystack { name: name.into(), bytes: bytes.into() });
    }

    fn answer(&mut self, answer: &Answer) {
        let headers = format!("{:?}", answer.headers);
        self.add("an answer", [headers.as_bytes(), &answer.bytes].concat());
    }

    /// Every file below a folder.
    fn folder(&mut self, folder: &Path) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                self.folder(&path);
            } else if let Ok(bytes) = fs::read(&path) {
                // Without it a database that stays in its log isn't there at the end.
                self.add(path.display().to_string(), bytes);
            }
        }
    }

    fn find(&self, needle: &[u8]) -> Option<&str> {
        let has = |one: &&Haystack| one.bytes.windows(needle.len()).any(|part| part == needle);
        self.0.iter().find(has).map(|one| one.name.as_str())
    }
}

/// A text as it is, and in the forms that texts are written in.
fn forms(text: &str) -> Vec<Vec<u8>> {
    let hexadecimal: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    let base64 = |text: &str| {
        let whole = base64_of(text.as_bytes());
        // The end depends on what follows.
        whole[..whole.len() - 4].to_owned()
    };
    let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        text.as_bytes().to_vec(),
        hexadecimal.to_uppercase().into_bytes(),
        hexadecimal.into_bytes(),
        base64(text).into_bytes(),
        base64(&format!("demo:{text}")).into_bytes(),
        text.replace('@', "%40").replace(':', "%3A").into_bytes(),
        utf16,
    ]
}

fn base64_of(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for part in bytes.chunks(3) {
        let number = part.iter().fold(0u32, |number, byte| number << 8 | u32::from(*byte));
        let number = number << (8 * (3 - part.len()));
        for at in 0..4 {
            let letter = LETTERS[(number >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= part.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// The whole life of a connection; what was answered.
fn live(server: &Server, banks: &Banks, family: &Family) -> Haystacks {
    let mut found = Haystacks::default();
    let [refused, first, second] = KEYS;
    let api = family.api.with_header("Idempotency-Key", "canary");
    let body = |key: Value| json!({ "provider": "lunchflow", "key": key, "name": "Banks" });
    found.answer(&family.api.post(PATH, &body(json!(refused))).expect_status(422));
    // Answers about requests that are wrong don't repeat them.
    found.answer(&family.api.post(PATH, &body(json!([first]))).expect_status(422));
    let torn = format!("{{\"provider\":\"lunchflow\",\"key\":\"{first}\"");
    let sent = Some(("application/json", torn.as_bytes()));
    found.answer(&family.api.request("POST", PATH, sent).expect_status(400));
    // A provider that repeats everything in its errors.
    banks.add_fault(Fault::times(3, FaultKind::Echo, "/accounts"));
    found.answer(&family.api.post(PATH, &body(json!(first))).expect_status(503));
    banks.clear_faults();
    let made = api.post(PATH, &body(json!(first))).expect_status(201);
    found.answer(&made);
    found.answer(&api.post(PATH, &body(json!(first))).expect_status(201));
    let id = made.id();
    synced(family, &id);
    // One account is enough: the pace of a key is slow.
    let mut current = found_accounts(family, &id).into_iter();
    let current = current.find(|one| one["name"] == "Current account");
    let current = current.expect("an account")["id"].as_str().expect("an id").to_owned();
    let link = format!("{PATH}/{id}/accounts/{current}/link");
    found.answer(&family.api.post(&link, &json!({})).expect_status(200));
    synced(family, &id);
    for kind in [FaultKind::Echo, FaultKind::NotJson, FaultKind::Status(401)] {
        banks.add_fault(Fault::times(4, kind, "/1001/"));
        request(family, &id);
        synced(family, &id);
        found.answer(&family.api.get(&format!("{PATH}/{id}/plan")));
        banks.clear_faults();
    }
    let changed = json!({ "key": second });
    found.answer(&family.api.patch(&format!("{PATH}/{id}"), &changed).expect_status(200));
    let rotated = server.run(&["secrets", "rotate"], "");
    assert!(rotated.status.success(), "{rotated:?}");
    found.add("secrets rotate", rotated.stdout + &rotated.stderr);
    synced(family, &id);
    let simple = json!({ "provider": "simplefin", "key": banks.setup_token() });
    let simple = family.api.post(PATH, &simple).expect_status(201);
    found.answer(&simple);
    synced(family, &simple.id());
    for path in [
        "provider_connections",
        &format!("provider_connections/{id}"),
        &format!("provider_connections/{id}/accounts"),
        "syncs",
        "syncs/latest",
        "accounts",
        "transactions",
        "usage",
    ] {
        found.answer(&family.api.get(&format!("/api/v1/{path}")).expect_status(200));
    }
    found.answer(&server.client().get("/metrics").expect_status(200));
    found
}

/// What the commands write: exports and a backup, unpacked.
fn written(server: &Server, found: &mut Haystacks) {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let run = |arguments: &[&str]| {
        let done = server.run(arguments, "");
        assert!(done.status.success(), "{arguments:?}: {done:?}");
        done.stdout + &done.stderr
    };
    let (plain, archive, backup) = (path("all.ndjson"), path("all.zip"), path("all.tar.gz"));
    found.add("export", run(&["export", &plain]));
    found.add("export", run(&["export", "--format", "csv-zip", &archive]));
    found.add("backup", run(&["backup", &backup]));
    found.add("check", run(&["check"]));
    let mut zip = zip::ZipArchive::new(Cursor::new(fs::read(&archive).unwrap())).unwrap();
    for at in 0..zip.len() {
        let (mut file, mut bytes) = (zip.by_index(at).unwrap(), Vec::new());
        file.read_to_end(&mut bytes).unwrap();
        found.add(format!("all.zip: {}", file.name().unwrap()), bytes);
    }
    let unpacked = folder.path().join("backup");
    fs::create_dir(&unpacked).unwrap();
    let mut tar = Command::new("tar");
    let tar = tar.arg("-xzf").arg(&backup).arg("-C").arg(&unpacked).status().unwrap();
    assert!(tar.success());
    let before = found.0.len();
    found.folder(folder.path());
    assert!(found.0.len() > before + 5, "there are files");
}

/// Lives through everything, and searches what came of it.
fn search(backend: Backend) {
    let banks = Banks::start();
    banks.set_keys(&KEYS[1..]);
    let options = banks.options().env("PURSER_LOG", "trace").env("PROVIDER_DEBUG_RAW", "1");
    let mut server = Server::start_with(backend, options);
    let family = server.family();
    let mut found = live(&server, &banks, &family);
    found.add("log", server.log());
    assert!(server.log().contains("purser_providers::raw"), "raw answers are in the log");
    written(&server, &mut found);
    let key_file = fs::read_to_string(server.data_folder().join("secret.key")).unwrap();
    if backend == Backend::Postgres {
        found.add("database", format!("{:?}", State::read(&Sql::open(&server))));
    }
    // The keys of the server itself are in their file only.
    for line in key_file.lines().filter(|line| line.len() > 20) {
        assert_eq!(found.find(line.trim().as_bytes()), None, "the server's key");
    }
    found.folder(&server.data_folder());
    server.stop();
    found.folder(&server.data_folder());
    for name in ["an answer", "log", "all.ndjson", "all.zip: ", "backup/"] {
        let parts = found.0.iter().filter(|one| one.name.contains(name));
        let has = |one: &Haystack| String::from_utf8_lossy(&one.bytes).contains(CONTROL);
        assert!(parts.into_iter().any(has), "{name} has what it must have");
    }
    let token = banks.setup_token();
    for secret in KEYS.iter().copied().chain([SIMPLEFIN_PASSWORD, &*token]) {
        for form in forms(secret) {
            let place = found.find(&form);
            assert_eq!(place, None, "{backend:?}: {}", String::from_utf8_lossy(&form));
        }
    }
}

#[test]
fn no_byte_shows_a_key_on_sqlite() {
    search(Backend::Sqlite);
}

#[test]
fn no_byte_shows_a_key_on_postgres() {
    search(Backend::Postgres);
}
