//! Aligned columns for a terminal, which are also a Markdown table.

/// Rows of cells below a header.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: &[&str]) -> Self {
        Self { rows: vec![header.iter().map(ToString::to_string).collect()] }
    }

    /// Adds a row with as many cells as the header has.
    pub(crate) fn row(&mut self, cells: &[&dyn std::fmt::Display]) {
        self.rows.push(cells.iter().map(ToString::to_string).collect());
    }

    /// Prints it: the first column to the left, numbers to the right.
    pub(crate) fn print(&self) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns)
            .map(|column| {
                let cells = self.rows.iter().filter_map(|row| row.get(column));
                cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
            })
            .collect();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::from("|");
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let padded = if column == 0 {
                    format!(" {cell:<width$} |")
                } else {
                    format!(" {cell:>width$} |")
                };
                line.push_str(&padded);
            }
            println!("{line}");
            if number == 0 {
                let dashes = |width: &usize| "-".repeat(*width + 1);
                let rules: Vec<String> = widths.iter().map(dashes).collect();
                println!("|{}:|", rules.join(":|").replacen(":|", "-|", 1));
            }
        }
    }
}

/// A time in seconds, to the millisecond.
pub(crate) fn seconds(time: std::time::Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// KiB as MiB, to a tenth.
pub(crate) fn mebibytes(kib: u64) -> String {
    format!("{:.1}", kib as f64 / 1024.0)
}
