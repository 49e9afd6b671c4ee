//! Several nodes on one PostgreSQL that end their connections and die, and that outlive the death
//! of PostgreSQL itself (R18).

use postgres::NoTls;

use crate::promises::{Promises, WISHES, Wish};
use crate::support::{
    Answer, Backend, Client, Dice, Node, Options, Server, Sql, repeats, rounds, until,
};

/// What goes wrong with the nodes or their database.
#[derive(Debug, Clone, Copy)]
enum Mishap {
    /// PostgreSQL ends all connections of this database but the test's own.
    Connections,
    /// A node is killed, and another one takes its place.
    Kill,
    /// A node sleeps for as long as the next requests take.
    Sleep,
    /// Each other commit of the ledger meets a deadlock, or a conflict with another commit.
    Conflicts,
    /// All processes of PostgreSQL end at once, as in an immediate stop, and it recovers from its
    /// log. Only at length, because other tests use the same PostgreSQL.
    Crash,
}

const MISHAPS: [Mishap; 5] =
    [Mishap::Connections, Mishap::Kill, Mishap::Sleep, Mishap::Conflicts, Mishap::Crash];
/// Lets each other statement that adds entries fail while there are codes: with one and with the
/// other. Numbers of a sequence stay taken when a transaction ends badly.
const PREPARE_CONFLICTS: &str = "CREATE SCHEMA beside; CREATE SEQUENCE beside.tries;
    CREATE TABLE beside.codes (of integer, code text);
    CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE found text;
        BEGIN
            IF EXISTS (SELECT 1 FROM beside.codes) THEN
                SELECT code INTO found FROM beside.codes,
                    (SELECT nextval('beside.tries') % 4 AS number) t WHERE of = number;
                IF found IS NOT NULL THEN
                    RAISE EXCEPTION 'planted' USING ERRCODE = found;
                END IF;
            END IF;
            RETURN NULL;
        END $$;
    CREATE TRIGGER conflict BEFORE INSERT ON entries
        FOR EACH STATEMENT EXECUTE FUNCTION conflict()";
const CONFLICTS: &str = "INSERT INTO beside.codes VALUES (1, '40001'), (3, '40P01')";
/// Ends the process of PostgreSQL that executes it, after which the first process ends all others.
const CRASH: &str = "COPY (SELECT 1) TO PROGRAM 'kill -KILL $PPID'";
/// Compares each index with its table. Damage is an error.
const CHECK_INDEXES: &str = "SELECT bt_index_check(i.indexrelid, true)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
    WHERE a.amname = 'btree' AND c.relnamespace = 'public'::regnamespace";
/// What is damaged in tables.
const DAMAGED_ROWS: &str = "SELECT t.relname, v.blkno, v.offnum, v.msg
    FROM pg_class t CROSS JOIN LATERAL verify_heapam(t.oid) v
    WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace";
/// Requests between two mishaps.
const REQUESTS: usize = 6;
/// Mishaps between two comparisons.
const COMPARED_EVERY: u64 = 3;

/// Nodes in all: the server, and those beside it.
const NODES: usize = 3;

/// The nodes, and the key of one family.
struct Nodes {
    beside: Vec<Node>,
    server: Server,
    key: Client,
}

impl Nodes {
    /// Clients of all nodes but one that sleeps.
    fn clients(&self, asleep: Option<usize>) -> Vec<Client> {
        let clients =
            [self.server.client()].into_iter().chain(self.beside.iter().map(Node::client));
        let awake = clients.enumerate().filter(|(at, _)| Some(*at) != asleep);
        awake.map(|(_, client)| client.with_same_headers(&self.key)).collect()
    }

    fn signal(&self, node: usize, name: &str) {
        match node.checked_sub(1) {
            None => self.server.signal(name),
            Some(at) => self.beside[at].signal(name),
        }
    }

    /// Lets something happen, to one node if it is a matter of one.
    fn happen(&mut self, mishap: Mishap, node: usize) {
        match mishap {
            Mishap::Connections => Sql::open(&self.server).run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND usename = current_user
                        AND pid <> pg_backend_pid()",
            ),
            Mishap::Kill => match node.checked_sub(1) {
                None => {
                    self.server.kill();
                    self.server.start_again();
                }
                Some(at) => {
                    self.beside[at].kill();
                    self.beside[at] = self.server.start_beside();
                }
            },
            Mishap::Sleep => self.signal(node, "STOP"),
            Mishap::Conflicts => Sql::open(&self.server).run(CONFLICTS),
            Mishap::Crash => {
                let superuser = postgres::Client::connect(&self.server.superuser_url(), NoTls);
                let crashed = superuser.expect("PostgreSQL").batch_execute(CRASH);
                crashed.expect_err("the process that would answer is gone");
            }
        }
    }

    /// What follows a mishap before anything can be compared.
    fn recover(&self, mishap: Mishap, node: usize) {
        match mishap {
            Mishap::Connections | Mishap::Kill => {}
            Mishap::Sleep => self.signal(node, "CONT"),
            Mishap::Conflicts => Sql::open(&self.server).run("DELETE FROM beside.codes"),
            Mishap::Crash => until("PostgreSQL to recover", || {
                let url = self.server.database_url().expect("PostgreSQL");
                postgres::Client::connect(url, NoTls).ok().map(drop)
            }),
        }
    }

    /// PostgreSQL's own tool finds nothing wrong with tables and indexes.
    fn assert_undamaged(&self) {
        let connected = postgres::Client::connect(&self.server.superuser_url(), NoTls);
        let mut superuser = connected.expect("PostgreSQL");
        superuser.batch_execute("CREATE EXTENSION IF NOT EXISTS amcheck").expect("its tool");
        let indexes = superuser.query(CHECK_INDEXES, &[]).expect("indexes without damage");
        assert!(indexes.len() > 50, "only {} indexes", indexes.len());
        let damaged = superuser.query(DAMAGED_ROWS, &[]).expect("tables");
        assert!(damaged.is_empty(), "{damaged:?}");
    }
}

/// Whether an answer, or none, is what a mishap may lead to. Of conflicts nobody hears.
fn judge(mishap: Mishap, answer: Option<&Answer>) -> Result<(), String> {
    let status = answer.map(|answer| answer.status);
    let is_honest = match mishap {
        Mishap::Conflicts => matches!(status, Some(200 | 201)),
        _ => matches!(status, None | Some(200 | 201 | 503)),
    };
    let text = answer.map(Answer::text);
    if is_honest { Ok(()) } else { Err(format!("{mishap:?}: {status:?} {text:?}")) }
}

#[test]
fn nodes_keep_their_promises() {
    let server =
        Server::start_with(Backend::Postgres, Options::new().env("PURSER_RATE_LIMIT", "0"));
    let family = server.family();
    let mut promises = Promises::of(&family);
    Sql::open(&server).run(PREPARE_CONFLICTS);
    let beside = (1..NODES).map(|_| server.start_beside()).collect();
    let mut nodes = Nodes { beside, server, key: family.api.clone() };
    let mut dice = Dice::seeded();
    let kinds = repeats(4, 5);
    for number in rounds(8, 2_000) {
        let mishap = MISHAPS[usize::try_from(number % kinds).expect("a kind")];
        let [before, node] = [REQUESTS, NODES]
            .map(|count| usize::try_from(dice.below(count as u64)).expect("a number"));
        for (at, wish) in WISHES.into_iter().cycle().take(REQUESTS).enumerate() {
            if at == before {
                nodes.happen(mishap, node);
            }
            let is_asleep = at >= before && matches!(mishap, Mishap::Sleep);
            let clients = nodes.clients(is_asleep.then_some(node));
            let answer = promises.ask_at(&clients[at % clients.len()], wish, || 0);
            judge(mishap, answer.as_ref()).unwrap_or_else(|problem| panic!("{problem}"));
        }
        nodes.recover(mishap, node);
        if number % COMPARED_EVERY == COMPARED_EVERY - 1 {
            let verdict = promises.verify(&nodes.server, 0);
            verdict.unwrap_or_else(|problem| panic!("after {mishap:?}: {problem}"));
        }
    }
    nodes.assert_undamaged();
    for log in nodes.beside.iter().map(Node::log).chain([nodes.server.log()]) {
        assert!(!log.contains("panicked"), "{log}");
    }
}

#[test]
fn nodes_find_a_publish_that_is_half_there() {
    let server = Server::start(Backend::Postgres);
    let mut promises = Promises::of(&server.family());
    promises.ask(Wish::Import, || 0);
    promises.verify(&server, 0).expect("nothing is wrong yet");
    let sql = Sql::open(&server);
    sql.run("DELETE FROM entries WHERE id = (SELECT id FROM entries ORDER BY id LIMIT 1)");
    let problem = promises.verify(&server, 0).expect_err("a row is missing");
    assert!(problem.contains("4 rows of request 0"), "{problem}");
}

#[test]
fn nodes_find_a_conflict_that_is_not_tried_again() {
    let server = Server::start(Backend::Postgres);
    let mut promises = Promises::of(&server.family());
    let sql = Sql::open(&server);
    sql.run(PREPARE_CONFLICTS);
    sql.run(CONFLICTS);
    for wish in WISHES {
        let answer = promises.ask(wish, || 0);
        judge(Mishap::Conflicts, answer.as_ref()).expect("it was tried again");
    }
    promises.settle(&server).expect("the publish was tried again");
    assert!(sql.query("SELECT last_value FROM beside.tries")[0][0].parse::<u64>().unwrap() > 4);
    // An error that passes as well, but with a code that nothing is tried again for.
    sql.run("UPDATE beside.codes SET code = 'P0001'; ALTER SEQUENCE beside.tries RESTART");
    let answer = promises.ask(Wish::Transaction, || 0);
    judge(Mishap::Conflicts, answer.as_ref()).expect_err("it was answered");
}
