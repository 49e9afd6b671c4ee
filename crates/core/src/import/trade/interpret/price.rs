//! Records that stand beside trades: the price of a security on a day, what was held before, and
//! what is left out.

use super::{Interpreter, Row};
use crate::import::cells::Cells;
use crate::import::kind::Interpreted;
use crate::import::left_out::{Cause, LeftOut};
use crate::import::plain::cell_reader::{CellReader, Reasons};
use crate::import::register::{PriceRow, SideRecord};
use crate::import::trade::words::{
    NOT_USED, OPENING_POSITION, OPENING_SHORT_POSITION, SECURITY_PRICE,
};
use crate::text::date::check_range;

impl Interpreter<'_> {
    /// Whether a row is the price of a security.
    pub(super) fn states_price(&self, cells: Cells<'_>) -> bool {
        CellReader::text(cells, self.columns.word) == Some(SECURITY_PRICE)
    }

    /// Why such a row, or another one beside trades, isn't taken: it can't be used, or an earlier
    /// file may have it.
    pub(super) fn left_out_beside<'r>(&self, cells: Cells<'r>) -> Option<LeftOut<'r>> {
        let column = self.columns.word?;
        let cell = cells.get(column);
        let is_unusable =
            || self.states_price(cells) && !matches!(self.price_row(cells), Interpreted::Row(_));
        let cause = match cell {
            OPENING_POSITION | OPENING_SHORT_POSITION => Cause::HeldBefore,
            _ if cell.starts_with(NOT_USED) || is_unusable() => Cause::Unusable,
            _ => return None,
        };
        Some(LeftOut { column, cell, cause })
    }

    /// What a row with a price is.
    pub(super) fn price_record<'r>(&self, cells: Cells<'r>) -> Interpreted<Row<'r>> {
        match self.price_row(cells) {
            Interpreted::Row(row) => Interpreted::Row(Row::Record(SideRecord::Price(row))),
            Interpreted::Invalid(reasons) => Interpreted::Invalid(reasons),
            Interpreted::NotARow => Interpreted::NotARow,
        }
    }

    /// The price that a record states.
    pub(in crate::import) fn price_row<'r>(&self, cells: Cells<'r>) -> Interpreted<PriceRow<'r>> {
        let mut reasons = Reasons::default();
        let date = self.date_format.parse(cells.get(self.columns.date));
        let date = date.and_then(|date| check_range(date, self.context.as_of).map(|()| date));
        let date =
            date.map_err(|error| self.cells.report(self.columns.date, error, &mut reasons)).ok();
        let security = self.security(cells, &mut reasons);
        // The account only shows the currency, where the row names none.
        let home = self.account_currency(CellReader::text(cells, self.columns.account));
        let currency = self.currency(cells, self.columns.currency, home, &mut reasons).flatten();
        let price = self.number(cells, self.columns.price, &mut reasons).flatten();
        if price.is_none_or(|price| price.value.is_sign_negative()) {
            reasons.push("The price must be there and above zero");
        }
        if security.is_some_and(|security| security.is_blank()) {
            reasons.push("The row names no security");
        }
        self.cells.check_length(cells, &mut reasons);
        match (reasons.into_list(), date, security, price) {
            (None, Some(date), Some(security), Some(price)) => Interpreted::Row(PriceRow {
                security,
                date,
                price: price.value.normalize(),
                currency: currency.unwrap_or(home),
            }),
            (reasons, ..) => {
                Interpreted::Invalid(reasons.filter(|_| self.keeps_reasons).unwrap_or_default())
            }
        }
    }
}
