//! The role that the program has on PostgreSQL: one that row-level security applies to.

use purser_core::error::Result;

use super::PgConnection;
use super::settings::refused;

/// The role's name and rights, the database, and a table or sequence of the program's that isn't
/// the role's.
const ROLE: &str = "SELECT rolname::text, rolsuper, rolbypassrls, current_database()::text,
        (SELECT MIN(c.relname)::text FROM pg_class c
            WHERE c.relnamespace = to_regnamespace(current_schema()::text)
                AND c.relkind IN ('r', 'p', 'S')
                AND (c.relname IN ('schema_version', 'families', 'family_numbers')
                    OR EXISTS (SELECT 1 FROM pg_attribute a
                        WHERE a.attrelid = c.oid AND a.attname = 'family_id'))
                AND NOT pg_has_role(c.relowner, 'USAGE'))
    FROM pg_roles WHERE rolname = current_user";

/// What the role may do beside what it needs.
struct Role {
    name: String,
    is_superuser: bool,
    bypasses: bool,
    database: String,
    /// A table or sequence of the program's that belongs to somebody else.
    foreign: Option<String>,
}

/// Refuses a role that row-level security doesn't apply to, unless that is accepted, and one that
/// can't change the schema.
pub(super) fn check_role(connection: &mut PgConnection, accept_superuser: bool) -> Result<()> {
    let mut found = None;
    connection.for_each(ROLE, Vec::new(), &mut |row| {
        found = Some(Role {
            name: row.string(0)?,
            is_superuser: row.bool(1)?,
            bypasses: row.bool(2)?,
            database: row.string(3)?,
            foreign: row.opt_string(4)?,
        });
        Ok(())
    })?;
    let Some(role) = found else { return Err(refused("PostgreSQL doesn't know its own role.")) };
    let unbound = match (role.is_superuser, role.bypasses) {
        (true, _) => "is a superuser",
        (false, true) => "has BYPASSRLS",
        (false, false) => return check_ownership(&role),
    };
    let Role { name, database, .. } = role;
    if accept_superuser {
        tracing::warn!(
            role = name,
            "the PostgreSQL role {unbound}: row-level security doesn't keep families apart"
        );
        return Ok(());
    }
    Err(refused(format!(
        "The PostgreSQL role {name} {unbound}, so row-level security would not keep families apart. \
         If the role is Purser's alone: ALTER ROLE \"{name}\" NOSUPERUSER NOBYPASSRLS. Otherwise \
         make one: CREATE ROLE purser LOGIN PASSWORD '…'; ALTER DATABASE \"{database}\" OWNER TO \
         purser; and make it the owner of the tables as docs/scaling.md describes. To start all \
         the same: PURSER_DATABASE_ALLOW_SUPERUSER=on."
    )))
}

fn check_ownership(Role { name, foreign, .. }: &Role) -> Result<()> {
    let Some(table) = foreign else { return Ok(()) };
    Err(refused(format!(
        "The PostgreSQL role {name} doesn't own {table}: make it the owner of all tables, views \
         and sequences as docs/scaling.md describes."
    )))
}
