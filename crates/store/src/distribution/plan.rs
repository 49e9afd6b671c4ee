//! What spreads a schema over machines, as a list of statements.
//!
//! A table may only be spread while it has no foreign key: the other table may not be spread yet.
//! Its policies are built anew afterwards, in a form that Citus takes, and meanwhile row-level
//! security is off: with it and no policy the rows that are moved would not be seen.

use std::collections::BTreeMap;

use super::{DIRECTORIES, REFERENCE};

/// Statements of one transaction reach the machines one after the other, as foreign keys need it.
pub(super) const SEQUENTIAL: &str = "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'";

/// The table that the others are spread like.
const FAMILIES: &str = "families";

/// Where the rows of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// On the machine of the family.
    Family,
    /// On one machine, known to the others.
    Directory,
    /// Copied to every machine.
    Reference,
}

impl Kind {
    /// The kind for people.
    pub(super) fn described(self) -> &'static str {
        match self {
            Self::Family => "spread by family",
            Self::Directory => "a local table that Citus knows",
            Self::Reference => "a reference table",
        }
    }
}

/// Where Citus has the rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Placement {
    /// How it is spread; `None` if in another way than any table here should be.
    pub(super) kind: Option<Kind>,
    /// The column by which it is spread, if by one.
    pub(super) column: Option<String>,
    /// Tables with the same number have the rows of a family on the same machine.
    pub(super) beside: i64,
}

/// The first table that isn't where it should be, and where that is.
pub(super) fn misplaced<'c>(
    catalogue: &'c Catalogue,
    spread: &BTreeMap<String, Placement>,
) -> Option<(&'c str, &'static str)> {
    let families = spread.get(FAMILIES).map(|place| place.beside);
    catalogue.tables.iter().find_map(|(name, kind)| {
        let place = spread.get(name);
        let wanted = match place {
            Some(place) if place.kind == Some(*kind) => match kind {
                Kind::Directory | Kind::Reference => None,
                Kind::Family if place.column.as_deref() != Some(column_of(name)) => {
                    Some("spread by the number of the family")
                }
                Kind::Family if Some(place.beside) != families => {
                    Some("on the same machines as families (co-located)")
                }
                Kind::Family => None,
            },
            _ => Some(kind.described()),
        };
        wanted.map(|wanted| (name.as_str(), wanted))
    })
}

/// The column that a family's table is spread by.
fn column_of(table: &str) -> &'static str {
    if table == FAMILIES { "id" } else { "family_id" }
}

/// A foreign key, as the catalogue has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ForeignKey {
    /// The table that has it.
    pub(super) table: String,
    /// The name of the constraint.
    pub(super) name: String,
    /// All of it but the name.
    pub(super) definition: String,
}

/// What of a schema a distribution depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Catalogue {
    /// The tables by name.
    pub(super) tables: BTreeMap<String, Kind>,
    /// All foreign keys, in the order in which they are made again.
    pub(super) keys: Vec<ForeignKey>,
    /// The table and the name of each policy.
    pub(super) policies: Vec<(String, String)>,
}

impl Catalogue {
    /// The tables of a kind.
    pub(super) fn of(&self, kind: Kind) -> impl Iterator<Item = &str> {
        self.tables.iter().filter(move |(_, of)| **of == kind).map(|(name, _)| name.as_str())
    }
}

/// Where the table with this name is.
pub(super) fn kind_of(name: &str) -> Kind {
    if DIRECTORIES.contains(&name) {
        Kind::Directory
    } else if name == REFERENCE {
        Kind::Reference
    } else {
        Kind::Family
    }
}

/// Everything that spreads the tables, but for their policies.
pub(super) fn spread(catalogue: &Catalogue) -> Vec<String> {
    let mut statements = vec![SEQUENTIAL.to_owned()];
    for (table, policy) in &catalogue.policies {
        statements.push(format!("DROP POLICY {policy} ON {table}"));
        statements.push(format!("ALTER TABLE {table} NO FORCE ROW LEVEL SECURITY"));
        statements.push(format!("ALTER TABLE {table} DISABLE ROW LEVEL SECURITY"));
    }
    for ForeignKey { table, name, .. } in &catalogue.keys {
        statements.push(format!("ALTER TABLE {table} DROP CONSTRAINT {name}"));
    }
    for kind in [Kind::Directory, Kind::Reference] {
        statements.extend(catalogue.of(kind).map(|table| spread_table(table, kind)));
    }
    // The others are where its rows are, so it comes first.
    let (first, others): (Vec<&str>, Vec<&str>) =
        catalogue.of(Kind::Family).partition(|table| *table == FAMILIES);
    let families = first.into_iter().chain(others);
    statements.extend(families.map(|table| spread_table(table, Kind::Family)));
    for ForeignKey { table, name, definition } in &catalogue.keys {
        statements.push(format!("ALTER TABLE {table} ADD CONSTRAINT {name} {definition}"));
    }
    statements
}

/// What spreads one table, which has no foreign key.
pub(super) fn spread_table(table: &str, kind: Kind) -> String {
    match kind {
        Kind::Directory => format!("SELECT citus_add_local_table_to_metadata('{table}')"),
        Kind::Reference => format!("SELECT create_reference_table('{table}')"),
        Kind::Family => {
            let beside = if table == FAMILIES { "none" } else { FAMILIES };
            let column = column_of(table);
            format!(
                "SELECT create_distributed_table('{table}', '{column}', \
                 colocate_with => '{beside}')"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_spread_between_losing_their_foreign_keys_and_getting_them_back() {
        let key = |table: &str, name: &str, definition: &str| ForeignKey {
            table: table.to_owned(),
            name: name.to_owned(),
            definition: definition.to_owned(),
        };
        let names = ["accounts", "families", "feed_rates", "jobs"];
        let catalogue = Catalogue {
            tables: names.iter().map(|name| ((*name).to_owned(), kind_of(name))).collect(),
            keys: vec![key("accounts", "of", "FOREIGN KEY (family_id) REFERENCES families(id)")],
            policies: vec![("accounts".to_owned(), "of_family".to_owned())],
        };
        assert_eq!(
            spread(&catalogue),
            [
                "SET LOCAL citus.multi_shard_modify_mode TO 'sequential'",
                "DROP POLICY of_family ON accounts",
                "ALTER TABLE accounts NO FORCE ROW LEVEL SECURITY",
                "ALTER TABLE accounts DISABLE ROW LEVEL SECURITY",
                "ALTER TABLE accounts DROP CONSTRAINT of",
                "SELECT citus_add_local_table_to_metadata('jobs')",
                "SELECT create_reference_table('feed_rates')",
                "SELECT create_distributed_table('families', 'id', colocate_with => 'none')",
                "SELECT create_distributed_table('accounts', 'family_id', \
                 colocate_with => 'families')",
                "ALTER TABLE accounts ADD CONSTRAINT of \
                 FOREIGN KEY (family_id) REFERENCES families(id)",
            ]
        );
    }
}
