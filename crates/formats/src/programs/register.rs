//! Writing a register.

use std::io::{self, Write};

use purser_core::import::register::{Amounts, PartCell, RegisterShape};

/// A record of a register; what is blank isn't known.
#[derive(Debug, Clone, Default)]
pub(super) struct Entry<'a> {
    /// The line of the program's file on which it starts.
    pub(super) line: u64,
    /// What it is, if it is no movement of money: `OPENING` and its like.
    pub(super) role: &'a str,
    pub(super) account: &'a str,
    pub(super) date: &'a str,
    pub(super) payee: &'a str,
    /// The category, or its path.
    pub(super) category: &'a str,
    /// Tags as [`tags`] joins them.
    pub(super) tags: &'a str,
    pub(super) notes: &'a str,
    pub(super) currency: &'a str,
    /// The account on the other side of a transfer.
    pub(super) transfer: &'a str,
    /// The cells of the columns with amounts.
    pub(super) amounts: &'a [&'a str],
    pub(super) parts: &'a [PartCell<'a>],
    /// The cells of a trade; blank in other records.
    pub(super) trade: TradeCells<'a>,
    /// Why it couldn't be understood.
    pub(super) problem: &'a str,
}

/// What only a trade has.
#[derive(Debug, Clone, Default)]
pub(super) struct TradeCells<'a> {
    /// What happened, in a word that files of trades have for it.
    pub(super) word: &'a str,
    pub(super) ticker: &'a str,
    pub(super) isin: &'a str,
    /// The name of the security.
    pub(super) security: &'a str,
    pub(super) quantity: &'a str,
    pub(super) price: &'a str,
    pub(super) fee: &'a str,
    /// The ratio of a share split.
    pub(super) ratio: &'a str,
}

impl<'a> TradeCells<'a> {
    /// The cells in the order of their columns.
    fn cells(&self) -> [&'a str; 8] {
        let Self { word, ticker, isin, security, quantity, price, fee, ratio } = self;
        [word, ticker, isin, security, quantity, price, fee, ratio]
    }
}

/// Writes records as CSV.
pub(super) struct Register<W> {
    output: W,
    line: String,
    shape: RegisterShape,
}

impl<W: Write> Register<W> {
    /// Begins a register with its header.
    pub(super) fn begin(output: W, amounts: Amounts) -> io::Result<Self> {
        Self::begin_of(output, RegisterShape::of(amounts))
    }

    /// The same for a file that may name no account, or have trades.
    pub(super) fn begin_of(output: W, shape: RegisterShape) -> io::Result<Self> {
        let mut register = Self { output, line: String::new(), shape };
        register.record(shape.headers())?;
        Ok(register)
    }

    /// Adds a record to the register.
    pub(super) fn push(&mut self, entry: &Entry<'_>) -> io::Result<()> {
        let line = entry.line.to_string();
        let parts = if entry.parts.is_empty() {
            String::new()
        } else {
            serde_json::to_string(entry.parts).map_err(io::Error::other)?
        };
        let account = self.shape.names_accounts.then_some(entry.account);
        let cells = [
            entry.date,
            entry.payee,
            entry.category,
            entry.tags,
            entry.notes,
            entry.currency,
            entry.transfer,
            &parts,
            entry.problem,
        ];
        let cells = [line.as_str(), entry.role].into_iter().chain(account).chain(cells);
        let trade = self.shape.has_trades.then(|| entry.trade.cells()).into_iter().flatten();
        self.record(cells.chain(trade).chain(entry.amounts.iter().copied()))
    }

    /// Ends the register and returns it.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.output.flush()
    }

    fn record<'a>(&mut self, cells: impl Iterator<Item = &'a str>) -> io::Result<()> {
        self.line.clear();
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                self.line.push(',');
            }
            push_cell(&mut self.line, cell);
        }
        self.line.push('\n');
        self.output.write_all(self.line.as_bytes())
    }
}

fn push_cell(line: &mut String, cell: &str) {
    if !cell.contains([',', '"', '\n', '\r', ';', '\t', '|']) {
        line.push_str(cell);
        return;
    }
    line.push('"');
    for (at, part) in cell.split('"').enumerate() {
        if at > 0 {
            line.push_str("\"\"");
        }
        line.push_str(part);
    }
    line.push('"');
}

/// Tags in one cell: what separates tags elsewhere is nothing but a character here.
pub(super) fn tags<'a>(tags: impl Iterator<Item = &'a str>) -> String {
    let mut cell = String::new();
    for tag in tags.map(str::trim).filter(|tag| !tag.is_empty()) {
        if !cell.is_empty() {
            cell.push(',');
        }
        for c in tag.chars() {
            if matches!(c, ',' | '|' | ';' | '\\') {
                cell.push('\\');
            }
            cell.push(c);
        }
    }
    cell
}
