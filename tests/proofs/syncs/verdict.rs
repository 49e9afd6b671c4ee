//! Whether the ledger has what the banks have, seen through the database and over HTTP.

use jiff::ToSpan;
use jiff::civil::Date;
use purser_bank_simulator::histories::{KnownLine, Line, LineState, SHORT_HISTORY_DAYS, compare};
use purser_bank_simulator::world::AccountKind;

use super::life::{Life, Link};
use crate::support::Sql;

/// Units of the ledger in a hundredth.
const UNITS: i64 = 100;

/// A line that is known of a bank.
pub(super) struct KnownEntry {
    pub(super) entry: String,
    pub(super) line: KnownLine,
}

impl Life {
    /// Compares everything; the error is what is wrong.
    pub(super) fn verify(&self) -> Result<(), String> {
        let world = self.banks.world();
        let first = match self.history.is_cut_short() {
            true => world.today.saturating_sub((SHORT_HISTORY_DAYS - 1).days()),
            false => Date::MIN,
        };
        for link in &self.links {
            let name = link.at_bank.name;
            let mut at_bank = self.history.lines(&world, link.at_bank, self.is_pending_wanted);
            at_bank.retain(|line| line.date >= first);
            let known = self.known(link);
            let known = known.into_iter().map(|one| one.line);
            let known: Vec<KnownLine> = known.filter(|one| one.line.date >= first).collect();
            compare(&at_bank, &known).map_err(|problem| format!("{name}: {problem}"))?;
            self.require_entries(link)?;
            let path = format!("/api/v1/accounts/{}", link.account);
            let shown = self.family.api.get(&path).expect_status(200).json();
            let sign = if link.at_bank.kind == AccountKind::Card { -1 } else { 1 };
            let wanted = sign * world.balance(link.at_bank);
            if shown["balance_cents"] != wanted {
                return Err(format!("{name}: {} instead of {wanted}", shown["balance_cents"]));
            }
        }
        let checked = self.shimmed.server.run(&["check"], "");
        if checked.status.success() { Ok(()) } else { Err(checked.stdout + &checked.stderr) }
    }

    /// What is known of an account from its bank.
    pub(super) fn known(&self, link: &Link) -> Vec<KnownEntry> {
        let sql = Sql::open(&self.shimmed.server);
        let account = sql.uuid(&link.account);
        let rows = sql.query(&format!(
            "SELECT r.entry_id, r.date, r.amount, r.name,
                CASE WHEN r.pending THEN 1 ELSE 0 END,
                CASE WHEN e.id IS NULL THEN 2 WHEN e.changed_at IS NOT NULL THEN 1 ELSE 0 END
             FROM sync_rows r LEFT JOIN ledger_entries e
                ON e.family_id = r.family_id AND e.id = r.entry_id
             WHERE r.account_id = {account}"
        ));
        let mut known: Vec<KnownEntry> = rows.iter().map(Vec::as_slice).map(read).collect();
        for one in known.iter_mut().filter(|one| self.doubles.contains(&one.entry)) {
            one.line.state = LineState::Surplus;
        }
        known
    }

    /// Every transaction that nobody touched is as the bank reported it, and there is no other one.
    fn require_entries(&self, link: &Link) -> Result<(), String> {
        let sql = Sql::open(&self.shimmed.server);
        let account = sql.uuid(&link.account);
        let rows = sql.query(&format!(
            "SELECT e.id, e.date, e.amount, e.name, r.date, r.amount, r.name
             FROM ledger_entries e LEFT JOIN sync_rows r
                ON r.family_id = e.family_id AND r.entry_id = e.id
             WHERE e.account_id = {account} AND e.kind = 0
                AND (r.entry_id IS NULL OR (e.changed_at IS NULL AND (e.date <> r.date
                    OR e.amount <> r.amount OR e.name <> r.name OR e.pending <> r.pending)))"
        ));
        let wrong: Vec<_> =
            rows.iter().filter(|row| !self.touched.contains(&row[0].replace('-', ""))).collect();
        if wrong.is_empty() { Ok(()) } else { Err(format!("{}: {wrong:?}", link.at_bank.name)) }
    }
}

fn read(row: &[String]) -> KnownEntry {
    let number = |at: usize| row[at].parse::<i64>().expect("a number");
    let day = Date::constant(1970, 1, 1).saturating_add(number(1).days());
    let line = Line {
        date: day,
        amount: -number(2) / UNITS,
        name: row[3].clone(),
        pending: number(4) == 1,
    };
    let state = match number(5) {
        0 => LineState::Untouched,
        1 => LineState::Touched,
        _ => LineState::Deleted,
    };
    KnownEntry { entry: row[0].replace('-', ""), line: KnownLine { line, state } }
}
