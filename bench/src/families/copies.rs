//! Copies of a family within PostgreSQL, by one statement for each table.

use std::collections::VecDeque;

use postgres::error::SqlState;
use postgres::{Client, NoTls};

use crate::Result;

/// Tables with rows of a family, in any order.
const TABLES: &str = "SELECT c.table_name::text FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
        AND (c.column_name = 'family_id' OR (c.table_name = 'families' AND c.column_name = 'id'))
    ORDER BY 1";
/// The columns of a table, and what a copy has there: other ids, but the same wherever the family's
/// rows name one.
const COLUMNS: &str = "SELECT quote_ident(column_name), CASE
        WHEN column_name = 'family_id' OR (table_name = 'families' AND column_name = 'id')
            THEN 'copy'
        WHEN data_type = 'uuid'
            THEN 'md5(copy::text || ' || quote_ident(column_name) || '::text)::uuid'
        WHEN column_name = 'email' THEN 'copy::text || ' || column_name
        ELSE quote_ident(column_name) END
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1";
/// Numbers of families are given out from here.
const GIVE_OUT: &str = "SELECT setval('family_numbers', $1)";

/// Copies family 1 until there are so many.
pub(super) fn of_the_first(url: &str, count: u64) -> Result<()> {
    let count = i64::try_from(count)?;
    let mut client = Client::connect(url, NoTls)?;
    client.batch_execute("SET purser.family = 'all'; SET statement_timeout = 0")?;
    if count > 1 {
        // The first copy finds an order in which no row comes before one that it names.
        let ordered = copy_once(&mut client)?;
        for statement in &ordered {
            client.execute(statement, &[&3_i64, &count])?;
        }
        client.execute(GIVE_OUT, &[&count])?;
    }
    Ok(())
}

/// Makes family 2. The statements that do it, in their order.
fn copy_once(client: &mut Client) -> Result<Vec<String>> {
    let tables: Vec<String> = client.query(TABLES, &[])?.iter().map(|row| row.get(0)).collect();
    let statements = tables.iter().map(|table| statement(client, table));
    let mut waiting = statements.collect::<Result<VecDeque<_>>>()?;
    let (mut ordered, mut refused) = (Vec::new(), 0);
    while let Some(statement) = waiting.pop_front() {
        match client.execute(&statement, &[&2_i64, &2_i64]) {
            Ok(0) => {}
            Ok(_) => {
                ordered.push(statement);
                refused = 0;
            }
            Err(error)
                if error.code() == Some(&SqlState::FOREIGN_KEY_VIOLATION)
                    && refused <= waiting.len() =>
            {
                refused += 1;
                waiting.push_back(statement);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(ordered)
}

/// The statement that copies the rows of a table for the families with these numbers.
fn statement(client: &mut Client, table: &str) -> Result<String> {
    let rows = client.query(COLUMNS, &[&table])?;
    let list = |at: usize| rows.iter().map(|row| row.get(at)).collect::<Vec<String>>().join(", ");
    let key = if table == "families" { "id" } else { "family_id" };
    Ok(format!(
        "INSERT INTO {table} ({}) SELECT {} FROM {table}, generate_series($1::bigint, $2) copy
         WHERE {key} = 1",
        list(0),
        list(1)
    ))
}
