//! The rows that statements of one connection reach, from one to the next.

use super::{PgConnection, Settings};
use crate::driver::RowScope;
use crate::store::Target;
use crate::testing::{Fixture, superuser};

fn families(connection: &mut PgConnection) -> i64 {
    let mut found = 0;
    connection
        .for_each("SELECT COUNT(*) FROM families", Vec::new(), &mut |row| {
            found = row.int(0)?;
            Ok(())
        })
        .unwrap();
    found
}

#[test]
fn each_transaction_begins_with_nobody_s_rows_whatever_the_database_has_as_its_default() {
    let fixture = Fixture::postgres();
    let (first, second) = (fixture.family("one").0, fixture.family("two").0);
    let opened = format!("ALTER DATABASE {} SET purser.family = 'all'", fixture.database_name());
    superuser().batch_execute(&opened).unwrap();
    let Target::Postgres(url) = &fixture.target else { panic!("another database") };
    let mut connection = Settings::parse(url).unwrap().connect().unwrap();
    for end in ["COMMIT", "ROLLBACK"] {
        connection.begin("BEGIN");
        assert_eq!(families(&mut connection), 0);
        for (scope, expected) in [
            (RowScope::Family(first.number()), 1),
            (RowScope::Family(second.number()), 1),
            (RowScope::EveryFamily, 2),
            (RowScope::Nobody, 0),
            (RowScope::EveryFamily, 2),
        ] {
            connection.set_scope(scope);
            assert_eq!(families(&mut connection), expected, "{scope:?}");
        }
        // Nothing is sent for what is set and not used.
        connection.set_scope(RowScope::Family(first.number()));
        connection.end(end).unwrap();
    }
    assert_eq!(families(&mut connection), 0, "between transactions");
}
