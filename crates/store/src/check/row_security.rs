//! Row-level security on PostgreSQL: that it is there, as the last step of the schema built it. A
//! database that was restored, or changed by hand, may lack it without any other sign.

use purser_core::error::Result;

use super::report::Findings;
use crate::driver::{Dialect, Row, Sql, Tx};

/// Every table and view of the program's role, and views of others on those: name, kind, whether a
/// column has the family, whether policies apply to the owner too, how many policies there are,
/// how many of them are as they should be, and whether a view has the rights of whoever reads it.
const RELATIONS: Sql = Sql::new(
    "SELECT c.relname::text, c.relkind::text,
            EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND NOT a.attisdropped
                AND (a.attname = 'family_id' OR (c.relname = 'families' AND a.attname = 'id'))),
            c.relrowsecurity AND c.relforcerowsecurity,
            (SELECT COUNT(*) FROM pg_policy p WHERE p.polrelid = c.oid),
            (SELECT COUNT(*) FROM pg_policies p
                WHERE p.schemaname = current_schema() AND p.tablename = c.relname
                    AND p.policyname = 'of_family' AND p.permissive = 'PERMISSIVE'
                    AND p.cmd = 'ALL' AND p.roles = ARRAY[CAST('public' AS NAME)]
                    AND p.qual LIKE '%purser.family%' AND p.with_check = p.qual),
            COALESCE('security_invoker=true' = ANY(c.reloptions), FALSE)
        FROM pg_class c
        WHERE c.relnamespace = to_regnamespace(CAST(current_schema() AS TEXT))
            AND c.relkind NOT IN ('i', 'I', 't', 'S', 'c')
            AND NOT EXISTS (SELECT 1 FROM pg_depend d
                WHERE d.classid = CAST('pg_class' AS REGCLASS) AND d.objid = c.oid
                    AND d.deptype = 'e')
            AND (pg_has_role(c.relowner, 'USAGE') OR EXISTS (
                SELECT 1 FROM pg_rewrite w
                JOIN pg_depend d ON d.classid = CAST('pg_rewrite' AS REGCLASS) AND d.objid = w.oid
                JOIN pg_class t ON t.oid = d.refobjid AND t.relnamespace = c.relnamespace
                WHERE w.ev_class = c.oid AND t.oid <> c.oid))
        ORDER BY c.relname",
    "",
);

const NOT_NEEDED: &str = "SQLite has no row-level security";

/// Tables that belong to no family, and why every transaction may reach them.
pub(super) const WITHOUT_FAMILY: [(&str, &str); 6] = [
    ("schema_version", "It has the steps of the schema."),
    ("installation", "It has the database's own id and the highest number of a removed family."),
    ("feed_rates", "The feed's exchange rates are the same for every family."),
    ("feeds", "It has when each feed was asked."),
    ("sign_in_guesses", "Guesses are counted before anybody is known, for names that may not be."),
    ("sign_in_sources", "It has hashes of browsers and networks, asked for before sign-in."),
];

/// A table or view as the catalogue has it.
struct Relation {
    name: String,
    kind: String,
    has_family: bool,
    is_forced: bool,
    policies: i64,
    right_policies: i64,
    is_invokers: bool,
}

/// Tables of which rows of another family can be reached, and views that pass by the policies.
pub(super) fn complete(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    if tx.dialect() == Dialect::Sqlite {
        findings.not_needed(NOT_NEEDED);
        return Ok(());
    }
    for relation in tx.query(&RELATIONS, &[], read)? {
        findings.count(1);
        if let Some(problem) = relation.problem() {
            findings.problem(|| format!("{}: {problem}", relation.name));
        }
    }
    Ok(())
}

impl Relation {
    fn problem(&self) -> Option<&'static str> {
        let is_listed = WITHOUT_FAMILY.iter().any(|(name, _)| *name == self.name);
        match (self.kind.as_str(), self.has_family) {
            ("v", _) if self.is_invokers => None,
            ("v", _) => Some("the view has the rights of its owner"),
            ("r" | "p", false) if is_listed => None,
            ("r" | "p", false) => Some("it has no family and isn't known to need none"),
            ("r" | "p", true) if !self.is_forced => Some("row-level security isn't forced"),
            ("r" | "p", true) if (self.policies, self.right_policies) != (1, 1) => {
                Some("it must have the one policy of_family as it was built")
            }
            ("r" | "p", true) => None,
            _ => Some("row-level security doesn't apply to what it is"),
        }
    }
}

fn read(row: &Row<'_>) -> Result<Relation> {
    Ok(Relation {
        name: row.string(0)?,
        kind: row.string(1)?,
        has_family: row.bool(2)?,
        is_forced: row.bool(3)?,
        policies: row.int(4)?,
        right_policies: row.int(5)?,
        is_invokers: row.bool(6)?,
    })
}
