use std::path::Path;

use proptest::prelude::*;

use super::*;

fn owner(family: u128, connection: u128) -> SecretOwner {
    SecretOwner { family: Uuid::from_u128(family), connection: Uuid::from_u128(connection) }
}

fn configured(texts: &str) -> SecretKeys {
    SecretKeys::configured(&Secret::new(texts)).unwrap()
}

const OLD: &str = "0123456789abcdef0123456789abcdef";
const NEW: &str = "fedcba9876543210fedcba9876543210";

#[test]
fn a_secret_opens_only_where_it_belongs() {
    let keys = configured(OLD);
    let secret = Secret::new("sk-ünïcode");
    let sealed = keys.seal(&owner(1, 2), &secret).unwrap();
    assert_eq!(keys.open(&owner(1, 2), &sealed), Ok(secret.clone()));
    for other in [owner(2, 1), owner(1, 3), owner(3, 2), owner(2, 2)] {
        assert_eq!(keys.open(&other, &sealed), Err(Unreadable::Damaged), "{other:?}");
    }
    assert_eq!(configured(NEW).open(&owner(1, 2), &sealed), Err(Unreadable::KeyMissing));
    assert_ne!(keys.seal(&owner(1, 2), &secret).unwrap(), sealed, "each has a nonce of its own");
    let shown = String::from_utf8_lossy(&sealed).into_owned();
    assert!(!shown.contains("code"), "{shown}");
}

proptest! {
    #[test]
    fn a_changed_byte_or_a_cut_is_noticed(
        text in ".{0,80}", at: prop::sample::Index, change in 1_u8.., cut: prop::sample::Index,
    ) {
        let (keys, secret) = (configured(OLD), Secret::new(text));
        let sealed = keys.seal(&owner(1, 2), &secret).unwrap();
        let mut changed = sealed.clone();
        changed[at.index(sealed.len())] ^= change;
        prop_assert!(keys.open(&owner(1, 2), &changed).is_err());
        let cut = &sealed[..cut.index(sealed.len())];
        prop_assert!(keys.open(&owner(1, 2), cut).is_err());
        prop_assert_eq!(keys.open(&owner(1, 2), &sealed), Ok(secret));
    }
}

#[test]
fn the_first_key_encrypts_and_all_decrypt() {
    let sealed = configured(OLD).seal(&owner(1, 2), &Secret::new("x")).unwrap();
    let both = configured(&format!(" {NEW}, \n{OLD} "));
    assert!(both.open(&owner(1, 2), &sealed).is_ok() && !both.is_current(&sealed).unwrap());
    let newer = both.seal(&owner(1, 2), &Secret::new("x")).unwrap();
    assert!(both.is_current(&newer).unwrap() && configured(NEW).is_current(&newer).unwrap());
}

#[test]
fn a_key_that_could_be_guessed_is_refused() {
    let refused = |text: &str| SecretKeys::configured(&Secret::new(text)).unwrap_err();
    assert_eq!(refused("short"), KeyTextError::TooShort);
    assert_eq!(refused(&format!("{OLD},short")), KeyTextError::TooShort);
    assert_eq!(refused(" , "), KeyTextError::Missing);
    assert!(!format!("{:?}", configured(OLD)).contains("0123"));
}

/// The access rights of a file.
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_file_is_made_once_and_is_for_its_owner_only() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(key_file::NAME);
    let keys = SecretKeys::in_directory(directory.path());
    assert_eq!(keys.open(&owner(1, 2), &[1; 60]), Err(Unreadable::KeyMissing));
    assert!(!path.exists(), "reading makes nothing");
    let sealed = keys.seal(&owner(1, 2), &Secret::new("x")).unwrap();
    assert_eq!(mode(&path), 0o600);
    let text = std::fs::read_to_string(&path).unwrap();
    let another = SecretKeys::in_directory(directory.path());
    assert!(another.open(&owner(1, 2), &sealed).is_ok());
    another.seal(&owner(1, 2), &Secret::new("x")).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    let names = || std::fs::read_dir(directory.path()).unwrap().count();
    assert_eq!(names(), 1, "nothing is left beside it");

    // A line of the file is a key of the configuration.
    let line = text.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(configured(line).open(&owner(1, 2), &sealed).is_ok());

    key_file::add_key(&path).unwrap();
    assert_eq!((mode(&path), names()), (0o600, 1));
    assert!(keys.open(&owner(1, 2), &sealed).is_ok() && !keys.is_current(&sealed).unwrap());
    let newer = keys.seal(&owner(1, 2), &Secret::new("x")).unwrap();
    assert!(another.open(&owner(1, 2), &newer).is_ok(), "the file is read again");
    key_file::keep(&path, 1).unwrap();
    let left = SecretKeys::in_directory(directory.path());
    assert!(left.open(&owner(1, 2), &newer).is_ok());
    assert_eq!(left.open(&owner(1, 2), &sealed), Err(Unreadable::KeyMissing));
}

#[test]
fn a_damaged_file_is_no_reason_to_make_another() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(key_file::NAME);
    for text in ["", "# nothing\n", "short\n"] {
        std::fs::write(&path, text).unwrap();
        let keys = SecretKeys::in_directory(directory.path());
        assert!(keys.seal(&owner(1, 2), &Secret::new("x")).is_err(), "{text:?}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn processes_that_begin_together_have_one_key() {
    let directory = tempfile::tempdir().unwrap();
    let sealed: Vec<Vec<u8>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    let keys = SecretKeys::in_directory(directory.path());
                    keys.seal(&owner(1, 2), &Secret::new("x")).unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let keys = SecretKeys::in_directory(directory.path());
    assert!(sealed.iter().all(|sealed| keys.is_current(sealed).unwrap()));
}
