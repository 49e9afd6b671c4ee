//! A connection to PostgreSQL that a thread waits on, with its statements, each prepared once.
//!
//! Every answer that is waited for takes a round trip. `BEGIN` is sent together with the first
//! statement of its transaction, and so is the scope of the rows that it may reach; a transaction
//! that only read ends without waiting.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;

use futures_util::TryStreamExt;
use purser_core::error::{Error, Result};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Statement};

use super::error::failed;
use super::handshake::Connector;
use crate::driver::tx::Visit;
use crate::driver::{Row, RowScope};

/// Statements that stay prepared; more than this and they are all forgotten.
const STATEMENT_CACHE_CAPACITY: usize = 512;

/// The answer of PostgreSQL to a request.
type Answer<T> = std::result::Result<T, tokio_postgres::Error>;

/// A connection and what it has prepared.
pub(crate) struct PgConnection {
    /// Drives the connection, but only while the thread waits for an answer.
    runtime: Runtime,
    client: Client,
    statements: HashMap<String, Statement>,
    /// A `BEGIN` that has not been answered; it goes out with the next statement.
    begin: Option<&'static str>,
    /// The rows that the next statement may reach, and those that PostgreSQL would show by now.
    scope: RowScope,
    scope_set: RowScope,
}

impl PgConnection {
    pub(super) fn open(config: &Config, tls: Connector) -> Result<Self> {
        let runtime =
            Builder::new_current_thread().enable_all().build().map_err(Error::internal)?;
        let (client, connection) =
            runtime.block_on(config.connect(tls)).map_err(|error| failed("connect", &error))?;
        // What waits for an answer fails with the connection.
        runtime.spawn(async { drop(connection.await) });
        let (scope, scope_set) = (RowScope::Nobody, RowScope::Nobody);
        Ok(Self { runtime, client, statements: HashMap::new(), begin: None, scope, scope_set })
    }

    /// Waits for the answer to a request. Of two requests the first is sent first, so `BEGIN` is
    /// executed before what belongs to its transaction.
    fn wait<T>(&mut self, sql: &str, request: impl AsyncFnOnce(&Client) -> Answer<T>) -> Result<T> {
        let prelude = self.prelude();
        let client = &self.client;
        let answer = self.runtime.block_on(async {
            let Some(prelude) = prelude else { return request(client).await };
            let (done, answer) =
                tokio::join!(biased; client.batch_execute(&prelude), request(client));
            done?;
            (self.begin, self.scope_set) = (None, self.scope);
            answer
        });
        answer.map_err(|error| failed(sql, &error))
    }

    /// What must be executed before the next statement.
    fn prelude(&self) -> Option<String> {
        let scope = (self.scope != self.scope_set).then(|| self.scope.set_local());
        match (self.begin, scope) {
            (None, scope) => scope,
            (Some(begin), None) => Some(begin.to_owned()),
            (Some(begin), Some(scope)) => Some(format!("{begin}; {scope}")),
        }
    }

    fn statement(&mut self, sql: &str) -> Result<Statement> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        if self.statements.len() >= STATEMENT_CACHE_CAPACITY {
            self.statements.clear();
        }
        let statement = self.wait(sql, async |client| client.prepare(sql).await)?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Executes a statement with parameters of any type, and returns how many rows it changed.
    pub(in crate::driver) fn execute(
        &mut self,
        sql: &str,
        params: &[&(dyn ToSql + Sync)],
    ) -> Result<u64> {
        let statement = self.statement(sql)?;
        self.wait(sql, async |client| client.execute(&statement, params).await)
    }

    /// Executes a statement and shows its rows one by one.
    pub(super) fn for_each(
        &mut self,
        sql: &str,
        params: Vec<&(dyn ToSql + Sync)>,
        visit: &mut Visit<'_>,
    ) -> Result<()> {
        let statement = self.statement(sql)?;
        let mut visited = Ok(());
        self.wait(sql, async |client| {
            let mut rows = pin!(client.query_raw(&statement, params).await?);
            while visited.is_ok()
                && let Some(row) = rows.try_next().await?
            {
                visited = visit(&Row::postgres(&row));
            }
            Ok(())
        })?;
        visited
    }

    /// Executes text of several statements.
    pub(crate) fn script(&mut self, text: &str) -> Result<()> {
        self.wait(text, async |client| client.batch_execute(text).await)
    }

    /// Begins a transaction with the next statement. It reaches no rows until a scope is set.
    pub(crate) fn begin(&mut self, begin: &'static str) {
        self.begin = Some(begin);
        (self.scope, self.scope_set) = (RowScope::Nobody, RowScope::Nobody);
    }

    /// Sets which rows the next statements may reach, and returns which it was before.
    pub(in crate::driver) fn set_scope(&mut self, scope: RowScope) -> RowScope {
        std::mem::replace(&mut self.scope, scope)
    }

    /// Whether something of the transaction was answered. If not, it can begin again on another
    /// connection.
    pub(crate) fn has_begun(&self) -> bool {
        self.begin.is_none()
    }

    /// Makes what was written last, or undoes it, with `COMMIT` or `ROLLBACK`.
    pub(crate) fn end(&mut self, end: &'static str) -> Result<()> {
        // The end reaches no rows.
        self.scope = self.scope_set;
        // Without a statement nothing was begun.
        if self.begin.take().is_some() { Ok(()) } else { self.script(end) }
    }

    /// Ends a transaction that only read. Nothing depends on the answer.
    pub(crate) fn end_read(&mut self) {
        if self.begin.take().is_some() {
            return;
        }
        self.runtime.block_on(async {
            // Once it was polled, the request is in the queue of the connection, which is written
            // while this waits for its turn.
            let mut end = pin!(self.client.batch_execute("COMMIT"));
            poll_fn(|context| {
                let _ = end.as_mut().poll(context);
                Poll::Ready(())
            })
            .await;
            tokio::task::yield_now().await;
        });
    }

    /// Whether the other side is gone, after a look at what arrived from it meanwhile.
    pub(crate) fn is_stale(&self) -> bool {
        self.runtime.block_on(async {
            // What arrived is noticed in the first turn and read in the second.
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
        });
        self.is_closed()
    }

    /// Whether the other side is known to be gone.
    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }
}
