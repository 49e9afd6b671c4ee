//! Row-level security on PostgreSQL: what a transaction for one family can't reach, whatever its
//! statements forget.

use std::io::Read as _;

use postgres::{Client, NoTls};
use purser_core::error::{Error, Result};

use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::driver::{Dialect, Sql, Tx, statements, vals};
use crate::families::{self, FamilyId};
use crate::installation;
use crate::jobs;
use crate::migrations::{MIGRATIONS, Migration, VERSION_TABLE, for_dialect};
use crate::secret::Secret;
use crate::store::{Store, StoreOptions, Target};
use crate::testing::{Fixture, Raw, options, superuser};

statements! {
    ADD_TAG = "INSERT INTO tags (family_id, id, name, name_key, created_at, updated_at)
        VALUES ($1, $2, $3, $3, 0, 0)";
    FAMILIES = "SELECT CAST(COUNT(*) AS BIGINT) FROM families";
    TAGS = "SELECT CAST(COUNT(*) AS BIGINT) FROM tags";
    USERS = "SELECT CAST(COUNT(*) AS BIGINT) FROM users";
    SIGN_IN_NAMES = "SELECT CAST(COUNT(*) AS BIGINT) FROM sign_in_names";
    JOBS = "SELECT CAST(COUNT(*) AS BIGINT) FROM jobs";
    LEDGER_ACCOUNTS = "SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_accounts";
    LEDGER_ENTRIES = "SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries";
    LEDGER_TAGS = "SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_tags";
    RENAME = "UPDATE tags SET name = 'stolen'";
    MOVE = "UPDATE tags SET family_id = $1";
    DELETE = "DELETE FROM tags";
    CLAIM = "SELECT COUNT(*) FROM (SELECT id FROM jobs FOR UPDATE SKIP LOCKED) claimed";
}

/// Statements that forget the family, as a defect would.
const PLANTED: [Sql; 8] =
    [FAMILIES, TAGS, USERS, SIGN_IN_NAMES, JOBS, LEDGER_ACCOUNTS, LEDGER_ENTRIES, LEDGER_TAGS];

/// A family with a row in each table of [`PLANTED`], and one with no more than itself and its user.
struct Two {
    fixture: Fixture,
    full: FamilyId,
    empty: FamilyId,
}

impl Two {
    fn new() -> Self {
        let fixture = Fixture::postgres();
        assert_eq!(STATEMENTS.len(), 13);
        let (full, empty) = (fixture.family("full").0, fixture.family("empty").0);
        make(&fixture, full, &input("Giro", "depository", "100"));
        let fill = |tx: &mut FamilyTx<'_>| {
            add_tag(tx, full, "Trip")?;
            jobs::enqueue(tx, full, "publish", &serde_json::json!({}), None).map(drop)
        };
        fixture.store.write_blocking(full, fill).unwrap();
        fixture.raw().script(
            "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
                pending, created_at, updated_at)
            SELECT family_id, gen_random_uuid(), id, 0, 18000, 1, 'EUR', 'Shop', FALSE, 0, 0
            FROM accounts",
        );
        Self { fixture, full, empty }
    }

    /// A connection with the program's role and nothing set.
    fn unset(&self) -> Client {
        let Target::Postgres(url) = &self.fixture.target else { panic!("another database") };
        Client::connect(url.reveal(), NoTls).unwrap()
    }
}

fn add_tag(tx: &mut Tx<'_>, family: FamilyId, name: &str) -> Result<()> {
    let id = tx.new_id()?;
    tx.execute(&ADD_TAG, vals![family, id, name]).map(|_| ())
}

fn counts(tx: &mut Tx<'_>) -> Result<[i64; PLANTED.len()]> {
    let mut counts = [0; PLANTED.len()];
    for (count, sql) in counts.iter_mut().zip(&PLANTED) {
        *count = tx.query_one(sql, &[], |row| row.int(0))?;
    }
    Ok(counts)
}

/// An error of PostgreSQL about a row of another family.
fn assert_refused(result: Result<()>) {
    let error = format!("{:?}", result.unwrap_err());
    assert!(error.contains("violates row-level security policy"), "{error}");
}

#[test]
fn a_statement_without_the_family_reaches_no_other_family() {
    let Two { fixture, full, empty } = &Two::new();
    let read = |family: FamilyId| fixture.store.read_blocking(family, |tx| counts(tx)).unwrap();
    // Of families and people there are two, of the rest there is one.
    assert_eq!(read(*full), [1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(read(*empty), [1, 0, 1, 1, 0, 0, 0, 0]);
    assert_eq!(
        fixture.store.read_directory_blocking(counts).unwrap(),
        [2, 1, 2, 2, 1, 1, 1, 1],
        "what belongs to no family reaches all of them"
    );
    let changed = fixture.store.write_blocking(*empty, |tx| {
        let claimed = tx.query_one(&CLAIM, &[], |row| row.int(0))?;
        Ok((tx.execute(&RENAME, &[])?, tx.execute(&DELETE, &[])?, claimed))
    });
    assert_eq!(changed.unwrap(), (0, 0, 0));
    assert_eq!(read(*full)[1], 1, "the tag is still there");
}

#[test]
fn rows_of_another_family_can_not_be_written() {
    let Two { fixture, full, empty } = &Two::new();
    let write = |work: &dyn Fn(&mut FamilyTx<'_>) -> Result<()>| {
        fixture.store.write_blocking(*empty, |tx| work(tx))
    };
    assert_refused(write(&|tx| add_tag(tx, *full, "Planted")));
    assert_refused(write(&|tx| {
        add_tag(tx, *empty, "Own")?;
        tx.execute(&MOVE, vals![*full]).map(drop)
    }));
    write(&|tx| add_tag(tx, *empty, "Own")).unwrap();
}

#[test]
fn a_part_for_one_family_reaches_that_family_only() {
    let Two { fixture, full, empty } = &Two::new();
    let seen = fixture.store.write_directory_blocking(|tx| {
        let mut seen = vec![counts(tx)?[1]];
        for family in [*full, *empty] {
            seen.push(tx.of_family(family, |tx| Ok(counts(tx)?[1]))?);
        }
        // A part that sends nothing changes nothing either.
        tx.of_family(*empty, |_| Ok(()))?;
        seen.push(counts(tx)?[1]);
        let failed = tx.of_family(*empty, |_| Err::<(), _>(Error::internal("on purpose")));
        assert!(failed.is_err());
        seen.push(counts(tx)?[1]);
        Ok(seen)
    });
    assert_eq!(seen.unwrap(), [1, 1, 0, 1, 1]);
}

#[test]
fn without_the_setting_nothing_is_reached() {
    let two = Two::new();
    let mut unset = two.unset();
    let read = |client: &mut Client, sql: &Sql| client.query_one(sql.text(), &[]).unwrap().get(0);
    for sql in PLANTED {
        let count: i64 = read(&mut unset, &sql);
        assert_eq!(count, 0, "{}", sql.text());
    }
    // The setting ends with its transaction, and what is left is an empty one.
    unset.batch_execute("BEGIN; SET LOCAL purser.family = 'all'").unwrap();
    assert_eq!(read(&mut unset, &FAMILIES), 2_i64);
    unset.batch_execute("COMMIT").unwrap();
    assert_eq!(read(&mut unset, &FAMILIES), 0_i64);
    let mut copied = String::new();
    unset.copy_out("COPY tags TO STDOUT").unwrap().read_to_string(&mut copied).unwrap();
    assert_eq!(copied, "", "COPY keeps to the policies");
    let insert = "INSERT INTO feeds (name, asked_at) VALUES ('x', 0);
        INSERT INTO families (id, public_id, name, currency, time_zone, version, created_at)
            VALUES (99, gen_random_uuid(), 'x', 'EUR', 'UTC', 1, 0)";
    assert!(format!("{:?}", unset.batch_execute(insert)).contains("row-level security policy"));
}

/// The rows that the planner expects, from the first line of a plan.
fn expected_rows(client: &mut impl postgres::GenericClient, sql: &str) -> u64 {
    let line: String = client.query(&format!("EXPLAIN {sql}"), &[]).unwrap()[0].get(0);
    let (_, rows) = line.split_once("rows=").unwrap();
    rows.split(' ').next().unwrap().parse().unwrap()
}

#[test]
fn the_planner_expects_as_many_rows_as_without() {
    let Two { fixture, full, empty } = &Two::new();
    let Raw::Postgres(mut client) = fixture.raw() else { panic!("another database") };
    let (full, empty) = (full.number(), empty.number());
    client
        .batch_execute(&format!(
            "INSERT INTO entries (family_id, id, account_id, kind, date, amount, currency, name,
                pending, created_at, updated_at)
            SELECT {full}, gen_random_uuid(), (SELECT id FROM accounts), 0, 18000 + n / 20, n,
                'EUR', 'Shop', FALSE, 0, 0
            FROM generate_series(1, 20000) n;
            INSERT INTO tags (family_id, id, name, name_key, created_at, updated_at)
            SELECT CASE WHEN n % 100 = 0 THEN {empty} ELSE {full} END, gen_random_uuid(), n, n, 0, 0
            FROM generate_series(1, 20000) n;
            ANALYZE"
        ))
        .unwrap();
    let queries = [
        format!("SELECT * FROM ledger_entries WHERE family_id = {full}"),
        format!("SELECT * FROM entries WHERE family_id = {full} AND date > 18500"),
        format!("SELECT * FROM tags WHERE family_id = {empty}"),
        format!("SELECT * FROM tags WHERE family_id = {full} AND name_key < '3'"),
        format!(
            "SELECT * FROM entries e JOIN accounts a ON a.family_id = e.family_id
                AND a.id = e.account_id WHERE e.family_id = {full} AND date > 18500"
        ),
    ];
    let mut plain = client.transaction().unwrap();
    let protected: Vec<u64> = queries.iter().map(|sql| expected_rows(&mut plain, sql)).collect();
    plain
        .batch_execute(
            "ALTER TABLE entries DISABLE ROW LEVEL SECURITY;
            ALTER TABLE accounts DISABLE ROW LEVEL SECURITY;
            ALTER TABLE tags DISABLE ROW LEVEL SECURITY",
        )
        .unwrap();
    for (sql, protected) in queries.iter().zip(protected) {
        let open = expected_rows(&mut plain, sql);
        assert!(open > 100, "{open} rows of {sql}");
        assert!(protected * 100 >= open * 98, "{protected} and not {open} rows of {sql}");
    }
}

fn open_error(options: StoreOptions) -> String {
    match Store::open(options) {
        Ok(_) => panic!("it was opened"),
        Err(error) => error.to_string(),
    }
}

/// What docs/scaling.md has an operator do with tables that another role owns.
const GIVE_TABLES: &str = "DO $$
DECLARE one record;
BEGIN
    FOR one IN
        SELECT c.oid::regclass AS name FROM pg_class c
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'S')
    LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO purser', one.name);
    END LOOP;
END $$";

#[test]
fn roles_above_row_level_security_are_refused_unless_accepted() {
    let fixture = Fixture::postgres();
    let Target::Postgres(plain) = &fixture.target else { panic!("another database") };
    let database = fixture.database_name();
    let mut superuser = superuser();
    let bypassing = format!("bypassing_{database}");
    superuser.batch_execute(&format!("CREATE ROLE {bypassing} LOGIN BYPASSRLS")).unwrap();
    let of = |role: &str| {
        let url = plain.reveal().replacen("//purser@", &format!("//{role}@"), 1);
        let target = Target::Postgres(Secret::new(url));
        options(&target, &fixture.clock)
    };
    for (role, reason) in [("postgres", "is a superuser"), (&bypassing, "has BYPASSRLS")] {
        let refusal = open_error(of(role));
        for part in [role, reason, "NOSUPERUSER NOBYPASSRLS", "CREATE ROLE purser", database] {
            assert!(refusal.contains(part), "{part}: {refusal}");
        }
        assert_eq!(refusal.lines().count(), 1);
    }
    superuser.batch_execute(&format!("DROP ROLE {bypassing}")).unwrap();
    let accepted = StoreOptions { allow_superuser: true, ..of("postgres") };
    let store = Store::open(accepted).unwrap();
    assert!(store.read_directory_blocking(families::list).unwrap().is_empty());
}

/// Makes the schema of the last version without policies, with a family, as whoever is connected.
fn make_earlier_schema(connection: &mut Client) {
    let mut run = |sql: &str| connection.batch_execute(sql).unwrap();
    run("DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner");
    run(&for_dialect(VERSION_TABLE, Dialect::Postgres));
    for step in MIGRATIONS.iter().take_while(|step| step.name != "row_security") {
        run(&for_dialect(step.text, Dialect::Postgres).replace("{now}", "0"));
        let Migration { version, name, .. } = step;
        run(&format!("INSERT INTO schema_version VALUES ({version}, '{name}', 0)"));
    }
    run("INSERT INTO families (id, public_id, name, currency, time_zone, version, created_at)
        VALUES (7, gen_random_uuid(), 'kept', 'EUR', 'UTC', 1, 0)");
}

#[test]
fn a_database_that_a_superuser_had_is_handed_to_a_role_of_its_own_and_upgraded() {
    let fixture = Fixture::postgres();
    let Target::Postgres(plain) = &fixture.target else { panic!("another database") };
    let url = plain.reveal().replacen("//purser@", "//postgres@", 1);
    let mut superuser = Client::connect(&url, NoTls).unwrap();
    make_earlier_schema(&mut superuser);
    let as_before = Target::Postgres(Secret::new(&url));
    let refusal = open_error(options(&as_before, &fixture.clock));
    assert!(refusal.contains("postgres is a superuser"), "{refusal}");
    let refusal = open_error(options(&fixture.target, &fixture.clock));
    assert!(refusal.contains("purser doesn't own account"), "{refusal}");
    assert!(refusal.contains("docs/scaling.md"), "{refusal}");
    superuser.batch_execute(GIVE_TABLES).unwrap();
    let store = Store::open(options(&fixture.target, &fixture.clock)).unwrap();
    let kept = store.read_directory_blocking(families::list).unwrap();
    assert_eq!((kept.len(), kept[0].name.as_str()), (1, "kept"));
    let next = store.write_directory_blocking(installation::next_family_number).unwrap();
    assert_eq!(next, 8, "one that no family had");
    let mut unset = Client::connect(plain.reveal(), NoTls).unwrap();
    assert_eq!(unset.query_one(FAMILIES.text(), &[]).unwrap().get::<_, i64>(0), 0);
}
