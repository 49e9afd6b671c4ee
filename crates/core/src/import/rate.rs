//! The rate that a row states for its amount, if that is in another currency than its account.
//!
//! A rate has a direction, and its number doesn't show it: 0.92 may be euros for a dollar or
//! dollars for a euro. So a column of rates is used only if somebody named it, under the setting of
//! its direction. A column that merely is called a rate stops the rows for which it would matter.

use rust_decimal::Decimal;

use super::cells::Cells;
use super::layout::Layout;
use super::transaction::header_names::known_key;
use crate::money::Currency;
use crate::money::exact::{of_decimal, to_decimal};
use crate::text::number::{NumberFormat, parse_number};
use crate::text::quoted;

/// The setting of a column with what one unit of the row's currency is worth in the account's.
pub const RATE_SETTING: &str = "exchange_rate_col_label";
/// The setting of a column with how much of the row's currency is one unit of the account's.
pub const INVERSE_RATE_SETTING: &str = "inverse_rate_col_label";

/// Decimals that an inverse rate is computed to.
const INVERSE_DECIMALS: u32 = 18;

/// What files call a column of rates.
#[rustfmt::skip]
pub(super) const RATE_HEADERS: &[&str] = &[
    "exchange rate", "fx rate", "conversion rate", "wechselkurs", "devisenkurs",
    "umrechnungskurs", "taux de change", "tipo de cambio", "cambio", "tasso di cambio",
    "taxa de cambio", "wisselkoers", "kurs waluty", "kurz", "valutakurs", "vaxlingskurs",
    "valuuttakurssi", "курс", "為替レート", "汇率",
];

/// The columns of rates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RateColumns {
    /// What one unit of the row's currency is worth in the account's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direct: Option<usize>,
    /// How much of the row's currency is one unit of the account's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverse: Option<usize>,
    /// A column that is called a rate and has no direction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undirected: Option<usize>,
}

impl RateColumns {
    /// Whether the file has none.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The columns of a header; `named` are those that settings name.
    pub(super) fn of(headers: &[String], named: [Option<usize>; 2]) -> Self {
        let [direct, inverse] = named;
        let is_rate = |header: &String| RATE_HEADERS.contains(&known_key(header).as_str());
        let undirected = match named {
            [None, None] => headers.iter().position(is_rate),
            _ => None,
        };
        Self { direct, inverse, undirected }
    }

    /// The rate that a row states. `from` is the currency of its amount, `to` that of its account.
    pub(super) fn read(
        &self,
        cells: Cells<'_>,
        layout: &Layout,
        format: NumberFormat,
        (from, to): (Currency, Currency),
    ) -> Result<Option<Decimal>, String> {
        let columns = [self.direct, self.inverse, self.undirected];
        let filled = |column: &usize| !cells.get(*column).is_empty();
        let Some(column) = columns.into_iter().flatten().find(filled).filter(|_| from != to) else {
            return Ok(None);
        };
        let (cell, header) = (cells.get(column), quoted(&layout.header(column)));
        let number = parse_number(cell, format).map_err(|error| format!("{header} {error}"))?;
        let rate = number.value.normalize();
        if rate <= Decimal::ZERO {
            return Err(format!("{header} must be more than 0"));
        }
        if self.direct == Some(column) {
            return Ok(Some(rate));
        }
        if self.inverse == Some(column) {
            let inverse = to_decimal(&of_decimal(rate).recip(), INVERSE_DECIMALS);
            return match inverse.filter(|rate| !rate.is_zero()) {
                Some(rate) => Ok(Some(rate)),
                None => Err(format!("{header} is too large")),
            };
        }
        let (from, to) = (from.code(), to.code());
        Err(format!(
            "{header} has {}, and nothing states whether that is what one {from} is worth in {to} \
             ({RATE_SETTING}) or how many {from} one {to} is ({INVERSE_RATE_SETTING})",
            quoted(cell)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::cells::CellsBuf;
    use crate::import::kinds::Kind;

    const USD: Currency = Currency::USD;
    const EUR: Currency = Currency::EUR;

    fn read(columns: RateColumns, cell: &str, to: Currency) -> Result<Option<String>, String> {
        let cells: CellsBuf = [cell].into_iter().collect();
        let mut layout = Layout::unreadable(Kind::Transaction, Vec::new(), "UTF-8", true);
        layout.headers = vec!["Rate".to_owned()];
        let format = NumberFormat::CommaDot;
        let rate = columns.read(cells.as_cells(), &layout, format, (USD, to));
        rate.map(|rate| rate.map(|rate| rate.to_string()))
    }

    #[test]
    fn a_rate_counts_in_the_direction_that_somebody_named() {
        let headers = ["Amount".to_owned(), "Wechselkurs".to_owned()];
        let found = RateColumns::of(&headers, [None, None]);
        assert_eq!(found, RateColumns { undirected: Some(1), ..RateColumns::default() });
        let named = RateColumns::of(&headers, [None, Some(1)]);
        assert_eq!(named, RateColumns { inverse: Some(1), ..RateColumns::default() });
        let direct = RateColumns { direct: Some(0), ..RateColumns::default() };
        let inverse = RateColumns { inverse: Some(0), ..RateColumns::default() };
        let undirected = RateColumns { undirected: Some(0), ..RateColumns::default() };
        assert_eq!(read(direct, "0.92", EUR), Ok(Some("0.92".to_owned())));
        assert_eq!(read(inverse, "1.25", EUR), Ok(Some("0.8".to_owned())));
        // 0.0000019073486328125, rounded half away from zero.
        assert_eq!(read(inverse, "524288", EUR), Ok(Some("0.000001907348632813".to_owned())));
        assert!(read(undirected, "1.25", EUR).unwrap_err().contains("one USD is worth in EUR"));
        for columns in [direct, inverse, undirected, RateColumns::default()] {
            assert_eq!(read(columns, "", EUR), Ok(None));
            assert_eq!(read(columns, "0.92", USD), Ok(None), "there is nothing to convert");
        }
        assert!(read(direct, "0", EUR).is_err());
        assert!(read(direct, "x", EUR).is_err());
    }
}
