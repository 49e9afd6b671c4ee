//! What a transaction promises: all or nothing, retries from the start, errors by their kind.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

use jiff::SignedDuration;
use purser_core::error::{Error, Result};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Tx, is_foreign_key_violation, is_unique_violation, statements, vals};
use crate::families::{self, FamilyId};
use crate::testing::{Fixture, on_both};

statements! {
    ADD_TAG = "INSERT INTO tags (family_id, id, name, name_key, created_at, updated_at)
        VALUES ($1, $2, $3, $4, 0, 0)";
    TAGS = "SELECT name FROM tags WHERE family_id = $1 ORDER BY name";
    ALL_TAGS = "SELECT name FROM tags ORDER BY name";
    TAG = "SELECT id FROM tags WHERE family_id = $1 AND name_key = $2";
    TOUCH_TAG = "UPDATE tags SET updated_at = updated_at + 1
        WHERE family_id = $1 AND name_key = $2";
    WRONG = "SELECT nothing FROM nowhere";
    ECHO = "SELECT name, updated_at, id, CAST(NULL AS BIGINT) FROM tags WHERE family_id = $1";
}

fn add_tag(tx: &mut Tx<'_>, family: FamilyId, name: &str) -> Result<()> {
    let id = tx.new_id()?;
    tx.execute(&ADD_TAG, vals![family, id, name, name]).map(|_| ())
}

fn tags(fixture: &Fixture, family: FamilyId) -> Vec<String> {
    fixture
        .store
        .read_blocking(family, |tx| tx.query(&TAGS, vals![family], |row| row.string(0)))
        .unwrap()
}

#[test]
fn all_or_nothing() {
    assert_eq!(STATEMENTS.len(), 7);
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        fixture.store.write_blocking(family, |tx| add_tag(tx, family, "kept")).unwrap();
        let refused: Result<()> = fixture.store.write_blocking(family, |tx| {
            add_tag(tx, family, "dropped")?;
            Err(Error::invalid("no"))
        });
        assert_eq!(refused.unwrap_err().to_string(), "no");
        assert_eq!(tags(fixture, family), ["kept"]);
    });
}

#[test]
fn a_panic_rolls_back_and_the_store_goes_on() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _ = fixture.store.write_blocking::<()>(family, |tx| {
                add_tag(tx, family, "dropped").unwrap();
                panic!("as a test")
            });
        }));
        assert!(panicked.is_err());
        fixture.store.write_blocking(family, |tx| add_tag(tx, family, "kept")).unwrap();
        assert_eq!(tags(fixture, family), ["kept"]);
    });
}

#[test]
fn an_ignored_failure_commits_nothing() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let result = fixture.store.write_blocking(family, |tx| {
            add_tag(tx, family, "dropped")?;
            let _ = tx.execute(&WRONG, &[]);
            assert!(add_tag(tx, family, "late").is_err(), "nothing works after a failure");
            Ok(())
        });
        assert!(matches!(result, Err(Error::Internal { .. })));
        assert_eq!(tags(fixture, family), [""; 0]);
    });
}

#[test]
fn reads_can_not_write() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        assert!(fixture.store.read_blocking(family, |tx| add_tag(tx, family, "a")).is_err());
        assert_eq!(tags(fixture, family), [""; 0]);
    });
}

#[test]
fn violations_are_known_by_name() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let write = |f: &dyn Fn(&mut Tx<'_>) -> Result<()>| {
            fixture.store.write_directory_blocking(f).unwrap_err()
        };
        let twice = write(&|tx| add_tag(tx, family, "a").and_then(|()| add_tag(tx, family, "a")));
        assert!(is_unique_violation(&twice, "tags_name"), "{twice}");
        assert!(!is_unique_violation(&twice, "tags_pkey") && !is_foreign_key_violation(&twice));
        let id = Uuid::from_u128(7);
        let same_id = write(&|tx| {
            tx.execute(&ADD_TAG, vals![family, id, "a", "a"])?;
            tx.execute(&ADD_TAG, vals![family, id, "b", "b"]).map(|_| ())
        });
        assert!(is_unique_violation(&same_id, "tags_pkey"), "{same_id}");
        let nobody = write(&|tx| add_tag(tx, FamilyId::from_number(99), "a"));
        assert!(is_foreign_key_violation(&nobody), "{nobody}");
        assert!(!nobody.to_string().contains("99"), "values stay out of the log: {nobody}");
    });
}

#[test]
fn rows_of_another_type_are_errors() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        fixture.store.write_blocking(family, |tx| add_tag(tx, family, "a")).unwrap();
        fixture
            .store
            .read_blocking(family, |tx| {
                tx.query_one(&ECHO, vals![family], |row| {
                    assert_eq!(row.text(0)?, "a");
                    assert_eq!(row.int(1)?, 0);
                    assert!(row.int(0).is_err() && row.uuid(0).is_err() && row.bool(0).is_err());
                    assert!(row.text(1).is_err() && row.text(2).is_err() && row.int(3).is_err());
                    assert!(row.opt_int(3)?.is_none());
                    assert!(row.int(9).is_err(), "there is no such column");
                    Ok(())
                })
            })
            .unwrap();
    });
}

#[test]
fn queries_for_one_row_refuse_more_and_fewer() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let write = |name| fixture.store.write_blocking(family, |tx| add_tag(tx, family, name));
        let one = || {
            fixture
                .store
                .read_directory_blocking(|tx| tx.query_one(&ALL_TAGS, &[], |row| row.string(0)))
        };
        assert!(one().is_err());
        write("a").unwrap();
        assert_eq!(one().unwrap(), "a");
        write("b").unwrap();
        assert!(one().is_err());
        let found = fixture.store.read_blocking(family, |tx| {
            tx.query_opt(&TAG, vals![family, "none"], |row| row.uuid(0))
        });
        assert_eq!(found.unwrap(), None);
    });
}

#[test]
fn a_family_that_is_not_there_is_not_written() {
    on_both(|fixture| {
        let nobody = FamilyId::from_number(5);
        let result: Result<()> = fixture.store.write_blocking(nobody, |_| panic!("it ran"));
        assert!(matches!(result, Err(Error::NotFound { what: "Family" })));
    });
}

/// Two families' rows locked in opposite orders: one transaction must run again, none may fail.
#[test]
fn deadlocks_are_run_again_from_the_start() {
    on_both(|fixture| {
        let families = [fixture.family("a").0, fixture.family("b").0];
        for family in families {
            fixture.store.write_blocking(family, |tx| add_tag(tx, family, "t")).unwrap();
        }
        let runs = AtomicU32::new(0);
        let touch_both = |first: usize| {
            fixture.store.write_directory_blocking(|tx| {
                runs.fetch_add(1, Ordering::SeqCst);
                tx.execute(&TOUCH_TAG, vals![families[first], "t"])?;
                std::thread::sleep(Duration::from_millis(150));
                tx.execute(&TOUCH_TAG, vals![families[1 - first], "t"])?;
                Ok(())
            })
        };
        std::thread::scope(|scope| {
            let one = scope.spawn(|| touch_both(0));
            let two = scope.spawn(|| touch_both(1));
            one.join().unwrap().unwrap();
            two.join().unwrap().unwrap();
        });
        let expected = if fixture.store.is_sqlite() { 2..=2 } else { 3..=4 };
        assert!(expected.contains(&runs.load(Ordering::SeqCst)), "{runs:?} runs");
        for family in families {
            let count = fixture
                .store
                .read_blocking(family, |tx| tx.query_one(&ECHO, vals![family], |row| row.int(1)));
            assert_eq!(count.unwrap(), 2, "each transaction counted once");
        }
    });
}

#[test]
fn writes_of_one_family_are_serial() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..5 {
                        fixture
                            .store
                            .write_blocking(family, |tx| {
                                // Read, then write what follows from it.
                                let before = families::version(tx)?;
                                assert_eq!(families::bump_version(tx)?, before + 1);
                                Ok(())
                            })
                            .unwrap();
                    }
                });
            }
        });
        let version = fixture.store.read_blocking(family, families::version).unwrap();
        assert_eq!(version, 21);
    });
}

#[test]
fn reads_go_on_beside_a_writer_and_see_one_snapshot() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let (written, is_written) = sync_channel(0);
        let (go_on, may_go_on) = sync_channel::<()>(0);
        std::thread::scope(|scope| {
            let store = &fixture.store;
            scope.spawn(move || {
                store.write_blocking(family, |tx| {
                    add_tag(tx, family, "a")?;
                    written.send(()).unwrap();
                    may_go_on.recv().unwrap();
                    Ok(())
                })
            });
            is_written.recv().unwrap();
            assert_eq!(tags(fixture, family), [""; 0]);
            let names = store.read_blocking(family, |tx| {
                let before = tx.query(&TAGS, vals![family], |row| row.string(0))?;
                go_on.send(()).unwrap();
                while tags(fixture, family).is_empty() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                assert_eq!(tx.query(&TAGS, vals![family], |row| row.string(0))?, before);
                Ok(before)
            });
            assert_eq!(names.unwrap(), [""; 0]);
        });
        assert_eq!(tags(fixture, family), ["a"]);
    });
}

#[test]
fn the_time_stands_still_in_a_transaction_and_ids_increase() {
    on_both(|fixture| {
        let first = fixture
            .store
            .write_directory_blocking(|tx| {
                let now = tx.now();
                fixture.clock.advance(SignedDuration::from_secs(3600 * 14));
                assert_eq!(tx.now(), now);
                assert_eq!(tx.today(), jiff::civil::date(2024, 5, 17));
                let block = tx.reserve_ids(3)?;
                assert!(tx.new_id()? > block.get(2));
                Ok(block.get(0))
            })
            .unwrap();
        let second = fixture.store.write_directory_blocking(|tx| {
            assert_eq!(tx.today(), jiff::civil::date(2024, 5, 18));
            tx.new_id()
        });
        assert!(second.unwrap() > first);
    });
}

#[test]
fn asynchronous_calls_run_beside_the_runtime_and_pass_panics_on() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let store = fixture.store.clone();
        runtime.block_on(async {
            store.write(family, move |tx| add_tag(tx, family, "a")).await.unwrap();
            let names = store
                .read(family, move |tx| tx.query(&TAGS, vals![family], |row| row.string(0)))
                .await
                .unwrap();
            assert_eq!(names, ["a"]);
            let panicking = async move {
                store.read_directory(|_| -> Result<()> { panic!("as a test") }).await
            };
            assert!(tokio::spawn(panicking).await.unwrap_err().is_panic());
        });
    });
}

/// However much one family writes at once, another one's write waits for one of its writes.
#[test]
fn families_write_by_turns() {
    // PostgreSQL has no line: there another family's write begins at once, and how long it takes is
    // its own affair.
    let fixture = Fixture::sqlite();
    let [busy, other] = ["busy", "other"].map(|name| fixture.family(name).0);
    let (go_on, wait) = sync_channel(1);
    let (done, order) = sync_channel(20);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let (store, reported) = (fixture.store.clone(), done.clone());
        let mut writes = vec![tokio::spawn(async move {
            let held = move |_: &mut FamilyTx<'_>| {
                wait.recv().map_err(Error::internal)?;
                reported.send("first").map_err(Error::internal)
            };
            store.write(busy, held).await
        })];
        for (family, name) in [(busy, "busy"); 10].into_iter().chain([(other, "other")]) {
            let (store, reported) = (fixture.store.clone(), done.clone());
            let write = move |_: &mut FamilyTx<'_>| reported.send(name).map_err(Error::internal);
            writes.push(tokio::spawn(async move { store.write(family, write).await }));
        }
        // Each asks for its turn, in this order, before the first one ends.
        tokio::task::yield_now().await;
        go_on.send(()).unwrap();
        for write in writes {
            write.await.unwrap().unwrap();
        }
    });
    drop(done);
    let order: Vec<_> = order.iter().collect();
    assert_eq!(order.len(), 12);
    let place = order.iter().position(|name| *name == "other").unwrap();
    assert!(place <= 1, "{order:?}");
}

/// Dropping the last handle inside a runtime must not end in a panic of the drivers.
#[test]
fn a_store_can_be_dropped_inside_a_runtime() {
    on_both(|fixture| {
        let options = crate::testing::options(&fixture.target, &fixture.clock);
        let store = crate::store::Store::open(options).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async move { drop(store) });
    });
}
