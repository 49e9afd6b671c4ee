//! What a database itself lists: its tables, their columns and types, their foreign keys.

use std::borrow::Cow;
use std::collections::BTreeMap;

use purser_core::error::Result;

use super::order::ForeignKey;
use crate::driver::{AsSql, ColumnType, Dialect, Tx, Val};

/// The table that the steps of the schema note themselves in. It is no part of a backup.
pub(super) const SCHEMA_VERSION: &str = "schema_version";

/// A question about the schema, which each database has its own words for.
pub(super) struct CatalogueQuery {
    sqlite: &'static str,
    postgres: &'static str,
}

impl CatalogueQuery {
    /// One that is put to SQLite only.
    pub(super) const fn sqlite(sqlite: &'static str) -> Self {
        Self { sqlite, postgres: "" }
    }

    /// One that is put to PostgreSQL only.
    pub(super) const fn postgres(postgres: &'static str) -> Self {
        Self { sqlite: "", postgres }
    }
}

/// Table, column and type.
const COLUMNS: CatalogueQuery = CatalogueQuery {
    sqlite: "SELECT t.name, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    postgres: "SELECT CAST(c.relname AS TEXT), CAST(a.attname AS TEXT),
            format_type(a.atttypid, NULL)
        FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = to_regnamespace(CAST(current_schema() AS TEXT))
            AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped",
};
/// Table, column and the table that its foreign key points to.
const FOREIGN_KEYS: CatalogueQuery = CatalogueQuery {
    sqlite: "SELECT t.name, f.\"from\", f.\"table\"
        FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'",
    postgres: "SELECT CAST(t.relname AS TEXT), CAST(a.attname AS TEXT), CAST(p.relname AS TEXT)
        FROM pg_constraint f
        JOIN pg_class t ON t.oid = f.conrelid
        JOIN pg_class p ON p.oid = f.confrelid
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY(f.conkey)
        WHERE f.contype = 'f'
            AND t.relnamespace = to_regnamespace(CAST(current_schema() AS TEXT))",
};

impl AsSql for CatalogueQuery {
    fn postgres_text(&self) -> &str {
        self.postgres
    }

    fn sqlite_text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.sqlite)
    }

    fn own_params(&self) -> &[Val<'_>] {
        &[]
    }
}

/// The columns of each table, with the names of their types in this database.
pub(super) type Columns = BTreeMap<String, BTreeMap<String, String>>;

/// Every table but the one of the schema's version.
pub(super) fn columns(tx: &mut Tx<'_>) -> Result<Columns> {
    let mut tables = Columns::new();
    for (table, column, kind) in triples(tx, &COLUMNS)? {
        tables.entry(table).or_default().insert(column, kind);
    }
    tables.remove(SCHEMA_VERSION);
    Ok(tables)
}

/// Whether the steps of the schema have begun here.
pub(super) fn has_schema(tx: &mut Tx<'_>) -> Result<bool> {
    Ok(triples(tx, &COLUMNS)?.iter().any(|(table, _, _)| table == SCHEMA_VERSION))
}

/// Every foreign key, by its columns.
pub(super) fn foreign_keys(tx: &mut Tx<'_>) -> Result<Vec<ForeignKey>> {
    triples(tx, &FOREIGN_KEYS)
}

fn triples(tx: &mut Tx<'_>, query: &CatalogueQuery) -> Result<Vec<(String, String, String)>> {
    tx.query(query, &[], |row| Ok((row.string(0)?, row.string(1)?, row.string(2)?)))
}

/// Whether values of a type can be in a column of this type. SQLite has one for ids and bytes, and
/// one for integers and truth values.
pub(super) fn fits(stored: &str, column: ColumnType, dialect: Dialect) -> bool {
    let types: [(ColumnType, &str, &str); 5] = [
        (ColumnType::Int, "INTEGER", "bigint"),
        (ColumnType::Text, "TEXT", "text"),
        (ColumnType::Uuid, "BLOB", "uuid"),
        (ColumnType::Bytes, "BLOB", "bytea"),
        (ColumnType::Bool, "INTEGER", "boolean"),
    ];
    types.into_iter().any(|(one, sqlite, postgres)| {
        one == column && stored == if dialect == Dialect::Sqlite { sqlite } else { postgres }
    })
}
