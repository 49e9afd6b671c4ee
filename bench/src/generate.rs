//! A bank's export that never was: five years of eight accounts as CSV, the same bytes every time.
//!
//! Rows are in the order of their dates, as exports are. Amounts are positive for money in. Names,
//! notes and tags have what real files have: commas inside quotes, doubled quotes, letters outside
//! ASCII, empty fields. Size is given in rows or in bytes; a file of N bytes is never larger.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::prng::Prng;

/// How large the file gets.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Size {
    /// As many data rows as given.
    Rows(u64),
    /// Bytes at most, header included.
    Bytes(u64),
}

/// The limit of an upload: the file that the import benchmark uses.
pub(crate) const TEN_MEBIBYTES: Size = Size::Bytes(10 * 1024 * 1024);
/// Accounts that a file names.
pub(crate) const ACCOUNTS: &[&str] = &[
    "Checking",
    "Savings",
    "Joint Account",
    "Credit Card",
    "Business",
    "Travel Card",
    "Cash",
    "Emergency Fund",
];

const HEADER: &str = "Date,Amount,Name,Category,Tags,Notes,Account,Currency\n";
/// The file that is measured.
pub(crate) const SEED: u64 = 0x5075_7273_6572;
/// Another file of the same accounts and years: what is there already.
pub(crate) const EXISTING_SEED: u64 = 0x4c65_6467_6572;
/// Bytes of a hundred rows: where a file of N bytes gets its number of rows a day from.
const HUNDRED_ROWS_BYTES: u64 = 7_775;
const FIRST_YEAR: u32 = 2020;
const DAYS: u64 = 1_827;

pub(crate) const CATEGORIES: &[&str] = &[
    "Groceries",
    "Restaurants",
    "Coffee",
    "Rent",
    "Utilities",
    "Internet",
    "Phone",
    "Insurance",
    "Health",
    "Pharmacy",
    "Transport",
    "Fuel",
    "Parking",
    "Travel",
    "Hotels",
    "Clothing",
    "Electronics",
    "Books",
    "Gifts",
    "Donations",
    "Education",
    "Fees",
    "Salary",
    "Interest",
];
pub(crate) const TAGS: &[&str] = &[
    "shared", "work", "holiday", "tax", "kids", "car", "house", "pet", "online", "cash", "refund",
    "yearly",
];
pub(crate) const PLACES: &[&str] = &[
    "Corner Market",
    "Blue Bottle",
    "City Energy",
    "Metro Transit",
    "Café Zoë",
    "Harbor Books",
    "Nordwind Reisen",
    "Green Pharmacy",
    "Old Mill Bakery",
    "Sunrise Fuel",
    "Hill & Sons",
    "Bäckerei Lang",
    "Pixel Store",
    "Lakeside Clinic",
    "Cinema Royal",
    "Garden World",
];
pub(crate) const KINDS: &[&str] =
    &["card", "transfer", "direct debit", "online", "refund", "standing order"];
const NOTES: &[&str] = &[
    "split with Ana",
    "\"paid late, asked for a receipt\"",
    "für die Küche",
    "\"said \"\"never again\"\"\"",
    "monthly",
    "お土産",
    "reimbursed by work",
    "\"two items, one returned\"",
];

/// Writes the file and returns how many rows it has. Another seed gives other rows.
pub(crate) fn write(path: &Path, size: Size, seed: u64) -> io::Result<u64> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let rows = write_to(&mut out, size, seed)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    Ok(rows)
}

fn write_to(out: &mut impl Write, size: Size, seed: u64) -> io::Result<u64> {
    let (rows_max, bytes_max, rows_expected) = match size {
        Size::Rows(rows) => (rows, u64::MAX, rows),
        Size::Bytes(bytes) => (u64::MAX, bytes, bytes * 100 / HUNDRED_ROWS_BYTES),
    };
    let mut random = Prng::new(seed);
    let mut row = String::with_capacity(256);
    let mut bytes = HEADER.len() as u64;
    out.write_all(HEADER.as_bytes())?;
    let mut rows = 0;
    while rows < rows_max {
        // More rows than expected stay on the last day.
        let day = (rows * DAYS / rows_expected.max(1)).min(DAYS - 1);
        row.clear();
        push_row(&mut row, day as u32, &mut random);
        bytes += row.len() as u64;
        if bytes > bytes_max {
            break;
        }
        out.write_all(row.as_bytes())?;
        rows += 1;
    }
    Ok(rows)
}

fn push_row(row: &mut String, day: u32, random: &mut Prng) {
    let (year, month, day_of_month) = calendar(day);
    row.push_str(&format!("{year}-{month:02}-{day_of_month:02},"));
    let income = random.below(20) == 0;
    let cents = if income { 50_000 + random.below(400_000) } else { 100 + random.below(25_000) };
    let sign = if income { "" } else { "-" };
    row.push_str(&format!("{sign}{}.{:02},", cents / 100, cents % 100));
    let place = random.pick(PLACES);
    if random.below(8) == 0 {
        row.push_str(&format!("\"{place}, {} {}\",", random.pick(KINDS), random.below(90)));
    } else {
        row.push_str(&format!("{place} {} {},", random.pick(KINDS), random.below(90)));
    }
    row.push_str(random.pick(CATEGORIES));
    row.push(',');
    push_tags(row, random);
    row.push(',');
    if random.below(4) == 0 {
        row.push_str(random.pick(NOTES));
    }
    row.push(',');
    row.push_str(random.pick(ACCOUNTS));
    row.push_str(",USD\n");
}

fn push_tags(row: &mut String, random: &mut Prng) {
    match random.below(10) {
        0..5 => {}
        5..8 => row.push_str(random.pick(TAGS)),
        _ => {
            let first = random.below(TAGS.len() as u32);
            let second = (first + 1 + random.below(TAGS.len() as u32 - 1)) % TAGS.len() as u32;
            row.push_str(&format!("\"{},{}\"", TAGS[first as usize], TAGS[second as usize]));
        }
    }
}

/// The date that is so many days after the first of January of the first year.
pub(crate) fn calendar(mut day: u32) -> (u32, u32, u32) {
    let mut year = FIRST_YEAR;
    loop {
        let leap = year.is_multiple_of(4);
        let months = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in (1..).zip(months) {
            if day < length {
                return (year, month, day + 1);
            }
            day -= length;
        }
        year += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generated(size: Size) -> (u64, String) {
        let mut bytes = Vec::new();
        let rows = write_to(&mut bytes, size, SEED).unwrap();
        (rows, String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn ten_mebibytes_are_full_but_not_over() {
        let (rows, text) = generated(TEN_MEBIBYTES);
        assert!((10_485_000..=10_485_760).contains(&text.len()), "{} bytes", text.len());
        assert!((125_000..145_000).contains(&rows), "{rows} rows");
        assert_eq!(text.lines().count() as u64, rows + 1);
    }

    #[test]
    fn rows_are_counted_deterministic_and_span_five_years() {
        let (rows, text) = generated(Size::Rows(10_000));
        assert_eq!(rows, 10_000);
        assert_eq!(text, generated(Size::Rows(10_000)).1);
        let first = text.lines().nth(1).unwrap();
        let last = text.lines().last().unwrap();
        assert!(first.starts_with("2020-01-01,"), "{first}");
        assert!(last.starts_with("2024-12-31,"), "{last}");
    }

    #[test]
    fn days_have_their_dates() {
        assert_eq!(calendar(0), (2020, 1, 1));
        assert_eq!(calendar(59), (2020, 2, 29));
        assert_eq!(calendar(366), (2021, 1, 1));
        assert_eq!(calendar(DAYS as u32 - 1), (2024, 12, 31));
    }
}
