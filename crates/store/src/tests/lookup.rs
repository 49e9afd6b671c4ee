//! Looking up many keys with one statement.

use purser_core::error::Error;
use uuid::Uuid;

use crate::driver::{Tx, Val, statements, vals};
use crate::testing::on_both;

statements! {
    ADD_TAG = "INSERT INTO tags (family_id, id, name, name_key, created_at, updated_at)
        VALUES ($1, $2, $3, $3, 0, 0)";
    TAGS_BY_ID = "SELECT name FROM tags WHERE family_id = $1 AND id = ANY($2)
        AND name <> 'left out'";
    TAGS_BY_NAME = "SELECT name FROM tags WHERE family_id = $1 AND name = ANY($2)";
    TAGS_BY_TIME = "SELECT name FROM tags WHERE updated_at = ANY($1)";
    LAST_ERROR = "SELECT name FROM nowhere WHERE id = ANY($1)";
}

fn names(
    tx: &mut Tx<'_>,
    sql: &crate::driver::Sql,
    params: &[Val<'_>],
    keys: &[Val<'_>],
) -> purser_core::error::Result<Vec<String>> {
    let mut names = Vec::new();
    tx.lookup(sql, params, keys, |row| {
        names.push(row.string(0)?);
        Ok(())
    })?;
    names.sort();
    Ok(names)
}

#[test]
fn every_key_is_looked_up() {
    assert_eq!(STATEMENTS.len(), 5);
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let (other, _) = fixture.family("g");
        let id = |number: u32| Uuid::from_u128(u128::from(number));
        // More than one statement's worth.
        let count = 11_000;
        let add = |tx: &mut Tx<'_>| {
            for number in 0..count {
                tx.execute(&ADD_TAG, vals![family, id(number), &format!("t{number:05}")])?;
            }
            tx.execute(&ADD_TAG, vals![other, id(1), "another family's"])?;
            tx.execute(&ADD_TAG, vals![family, id(count), "left out"]).map(|_| ())
        };
        fixture.store.write_directory_blocking(add).unwrap();
        let look = |sql, params: &[Val<'_>], keys: &[Val<'_>]| {
            fixture.store.read_directory_blocking(|tx| names(tx, sql, params, keys)).unwrap()
        };
        let by_id: Vec<Val<'_>> = (0..2 * count).map(|number| Val::Uuid(id(number))).collect();
        let all: Vec<String> = (0..count).map(|number| format!("t{number:05}")).collect();
        assert_eq!(look(&TAGS_BY_ID, vals![family], &by_id), all);
        assert_eq!(look(&TAGS_BY_ID, vals![family], &[]), [""; 0]);
        assert_eq!(look(&TAGS_BY_NAME, vals![family], vals!["t00007", "{t00008}", ""]), ["t00007"]);
        assert_eq!(look(&TAGS_BY_TIME, &[], vals![0i64, 1i64]).len(), count as usize + 2);
    });
}

#[test]
fn errors_end_the_lookup() {
    on_both(|fixture| {
        let (family, _) = fixture.family("f");
        let keys = vals![Uuid::from_u128(1), Uuid::from_u128(2)];
        let mut seen = 0;
        let refused = fixture.store.write_blocking(family, |tx| {
            for number in [1, 2] {
                let name = format!("t{number}");
                tx.execute(&ADD_TAG, vals![family, Uuid::from_u128(number), &name])?;
            }
            tx.lookup(&TAGS_BY_ID, vals![family], keys, |_| {
                seen += 1;
                Err(Error::invalid("no more"))
            })
        });
        assert_eq!((refused.unwrap_err().to_string(), seen), ("no more".to_owned(), 1));
        let wrong = fixture.store.read_directory_blocking(|tx| names(tx, &LAST_ERROR, &[], keys));
        assert!(matches!(wrong, Err(Error::Internal { .. })));
        let too_few = fixture.store.read_directory_blocking(|tx| names(tx, &TAGS_BY_ID, &[], keys));
        assert!(matches!(too_few, Err(Error::Internal { .. })));
    });
}
