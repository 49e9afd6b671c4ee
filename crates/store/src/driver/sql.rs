//! Statement texts, and how the one text becomes SQLite's.
//!
//! PostgreSQL takes the text as it is written. For SQLite `$n` becomes `?n` (it would take `$n` as
//! a name and number it by appearance), `= ANY($n)` becomes `= ?n` (it gets a lookup's keys one by
//! one, see [`Tx::lookup`](super::Tx::lookup)), and `FOR … UPDATE` clauses become spaces (its one
//! writer needs no row locks). All happens while compiling and keeps every byte's place.

use std::borrow::Cow;

use purser_core::error::{Error, Result};

use super::Val;

/// A constant statement, declared with `statements!`.
#[derive(Debug, Clone, Copy)]
pub struct Sql {
    text: &'static str,
    sqlite: &'static str,
}

impl Sql {
    /// Pairs the two texts, as `statements!` does. A statement for one database has an empty one.
    pub(crate) const fn new(text: &'static str, sqlite: &'static str) -> Self {
        Self { text, sqlite }
    }

    /// The text as it was written, with `$1…$n`.
    pub const fn text(&self) -> &'static str {
        self.text
    }

    /// The text for SQLite.
    pub const fn sqlite_text(&self) -> &'static str {
        self.sqlite
    }
}

/// Declares statements: one constant each, and the module's `STATEMENTS`, which a test prepares on
/// both databases.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $text:expr;)*) => {
        $(
            $(#[$doc])*
            pub(crate) const $name: $crate::driver::Sql = {
                const TEXT: &str = $text;
                const BYTES: [u8; TEXT.len()] = $crate::driver::for_sqlite(TEXT);
                $crate::driver::Sql::new(TEXT, $crate::driver::text_of(&BYTES))
            };
        )*
        /// Every statement of this module, by name.
        pub(crate) const STATEMENTS: &[(&str, $crate::driver::Sql)] =
            &[$((stringify!($name), $name)),*];
    };
}
pub(crate) use statements;

/// Lock clauses that only PostgreSQL knows, longest first.
const LOCK_CLAUSES: [&[u8]; 3] = [b"FOR UPDATE SKIP LOCKED", b"FOR NO KEY UPDATE", b"FOR UPDATE"];

/// The text before the parameter that is a lookup's keys; `)` is after it.
const ANY: &[u8] = b"ANY($";

/// The bytes of a statement as SQLite takes it. `N` is the length of `text`.
pub const fn for_sqlite<const N: usize>(text: &str) -> [u8; N] {
    let bytes = text.as_bytes();
    let mut out = [b' '; N];
    let mut at = 0;
    let mut in_any = false;
    while at < N {
        let clause = lock_clause(bytes, at);
        if clause > 0 {
            at += clause;
            continue;
        }
        if starts_with(bytes, at, ANY) {
            in_any = true;
            at += ANY.len() - 1;
        }
        if in_any && bytes[at] == b')' {
            in_any = false;
        } else {
            let numbered = at + 1 < N && bytes[at] == b'$' && bytes[at + 1].is_ascii_digit();
            out[at] = if numbered { b'?' } else { bytes[at] };
        }
        at += 1;
    }
    out
}

/// The length of the lock clause that starts at `at`, or 0.
const fn lock_clause(bytes: &[u8], at: usize) -> usize {
    let mut which = 0;
    while which < LOCK_CLAUSES.len() {
        if starts_with(bytes, at, LOCK_CLAUSES[which]) {
            return LOCK_CLAUSES[which].len();
        }
        which += 1;
    }
    0
}

/// Whether `part` is at `at`.
const fn starts_with(bytes: &[u8], at: usize, part: &[u8]) -> bool {
    let mut same = 0;
    while same < part.len() && at + same < bytes.len() && bytes[at + same] == part[same] {
        same += 1;
    }
    same == part.len()
}

/// The text of bytes that [`for_sqlite`] made; anything else doesn't compile.
pub const fn text_of(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("a statement is not UTF-8"),
    }
}

/// What can be executed: a constant [`Sql`], or a [`Query`](super::Query) with its parameters.
pub trait AsSql {
    /// The text for PostgreSQL.
    fn postgres_text(&self) -> &str;
    /// The text for SQLite.
    fn sqlite_text(&self) -> Cow<'_, str>;
    /// Parameters that the query brings itself.
    fn own_params(&self) -> &[Val<'_>];
}

impl AsSql for Sql {
    fn postgres_text(&self) -> &str {
        self.text
    }

    fn sqlite_text(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.sqlite)
    }

    fn own_params(&self) -> &[Val<'_>] {
        &[]
    }
}

/// The parameters of a statement, which come from one side only.
pub(super) fn params_of<'p>(sql: &'p dyn AsSql, params: &'p [Val<'p>]) -> Result<&'p [Val<'p>]> {
    let own = sql.own_params();
    match (own.is_empty(), params.is_empty()) {
        (true, _) => Ok(params),
        (false, true) => Ok(own),
        (false, false) => Err(Error::internal("a query brings its own parameters")),
    }
}

#[cfg(test)]
mod tests {
    statements! {
        /// Exercises everything that is rewritten.
        PICK = "SELECT id FROM jobs WHERE a = $1 AND b = $12 AND c = '$' FOR UPDATE SKIP LOCKED";
        /// A lookup with three conditions.
        LOOK = "SELECT (a) FROM jobs WHERE a = $1 AND b = ANY($2) AND (c = $3)";
    }

    #[test]
    fn sqlite_gets_question_marks_and_no_row_locks() {
        assert_eq!(STATEMENTS.len(), 2);
        assert_eq!(
            PICK.sqlite_text().trim_end(),
            "SELECT id FROM jobs WHERE a = ?1 AND b = ?12 AND c = '$'"
        );
        assert!(PICK.text().ends_with("SKIP LOCKED"));
    }

    #[test]
    fn sqlite_gets_one_key_where_postgresql_gets_all() {
        assert_eq!(
            LOOK.sqlite_text(),
            "SELECT (a) FROM jobs WHERE a = ?1 AND b =     ?2  AND (c = ?3)"
        );
        assert!(LOOK.text().contains("b = ANY($2) AND"));
    }
}
