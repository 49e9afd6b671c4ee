//! The order of tables in a backup: what a foreign key points to comes first, so that rows can be
//! inserted as they come.

/// A foreign key: the table, the column, and the table that it points to.
pub(super) type ForeignKey = (String, String, String);

/// The positions of the tables, with those first that others point to, else as they are listed.
/// Keys between a table and itself don't count. `None` if tables point to each other in a circle.
pub(super) fn by_dependency(tables: &[&str], keys: &[ForeignKey]) -> Option<Vec<usize>> {
    let at = |name: &str| tables.iter().position(|table| *table == name);
    let edges: Vec<(usize, usize)> = keys
        .iter()
        .filter_map(|(table, _, parent)| Some((at(table)?, at(parent)?)))
        .filter(|(table, parent)| table != parent)
        .collect();
    let mut order: Vec<usize> = Vec::with_capacity(tables.len());
    while order.len() < tables.len() {
        let is_ready = |table: &usize| {
            !order.contains(table)
                && edges.iter().all(|(from, to)| from != table || order.contains(to))
        };
        let next = (0..tables.len()).find(is_ready)?;
        order.push(next);
    }
    Some(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(tables: &[&'static str], keys: &[(&str, &str)]) -> Option<Vec<&'static str>> {
        let keys: Vec<ForeignKey> = keys
            .iter()
            .map(|(from, to)| ((*from).to_owned(), "column".to_owned(), (*to).to_owned()))
            .collect();
        let order = by_dependency(tables, &keys)?;
        Some(order.into_iter().map(|at| tables[at]).collect())
    }

    #[test]
    fn what_others_point_to_comes_first() {
        assert_eq!(order(&["a", "b", "c"], &[]).unwrap(), ["a", "b", "c"]);
        assert_eq!(order(&["a", "b", "c"], &[("a", "c")]).unwrap(), ["b", "c", "a"]);
        let keys = [("a", "b"), ("b", "c"), ("b", "b"), ("a", "elsewhere")];
        assert_eq!(order(&["a", "b", "c"], &keys).unwrap(), ["c", "b", "a"]);
        assert_eq!(order(&["a", "b"], &[("a", "b"), ("b", "a")]), None);
    }
}
