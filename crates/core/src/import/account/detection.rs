//! How balances and days are written, found in the cells.

use jiff::civil::Date;

use crate::import::cells::Cells;
use crate::import::kind::{Context, Detect};
use crate::import::layout::Layout;
use crate::import::settings::{Formats, Settings};
use crate::import::transaction::detection::{Column, complete_date, complete_number};
use crate::import::transaction::header_names::currency_in;
use crate::money::Currency;
use crate::text::date::DateFormatDetector;
use crate::text::number::NumberFormatDetector;

/// Looks at every record of a file.
#[derive(Debug)]
pub(super) struct Detector {
    balance: Option<(usize, Column<NumberFormatDetector>)>,
    date: Option<(usize, Column<DateFormatDetector>)>,
    preferred: Formats,
    /// The currency of all balances, if there is only one.
    currency: Option<Currency>,
    as_of: Date,
}

impl Detector {
    /// What the cells have to decide for this layout.
    pub(super) fn new(layout: &Layout, settings: &Settings, context: Context<'_>) -> Option<Self> {
        let column = |field: &str| layout.fields.get(field).copied();
        let named = column("balance").and_then(|at| currency_in(layout.headers.get(at)?));
        let currency = named.unwrap_or(context.family_currency);
        let currency = column("currency").is_none().then_some(currency);
        let balance = column("balance").filter(|_| layout.number_format.is_none());
        let date = column("date").filter(|_| layout.date_format.is_none());
        if balance.is_none() && date.is_none() {
            return None;
        }
        Some(Self {
            balance: balance.map(|at| (at, Column::new(NumberFormatDetector::new()))),
            date: date.map(|at| (at, Column::new(DateFormatDetector::new()))),
            preferred: settings.preferred.clone(),
            currency,
            as_of: context.as_of,
        })
    }
}

impl Detect for Detector {
    fn observe(&mut self, cells: Cells<'_>) {
        if let Some((at, column)) = &mut self.balance {
            column.detector.observe(cells.get(*at));
            column.sample(cells.get(*at));
        }
        if let Some((at, column)) = &mut self.date {
            column.detector.observe(cells.get(*at));
            column.sample(cells.get(*at));
        }
    }

    fn finish(self: Box<Self>, layout: &mut Layout) {
        if let Some((_, column)) = self.balance {
            complete_number(column, self.preferred.number_format, self.currency, layout);
        }
        // No account needs a day.
        if let Some((_, column)) = self.date.filter(|(_, column)| !column.is_blank()) {
            let preferred = self.preferred.date_format.as_deref();
            complete_date(column, preferred, self.as_of, layout);
        }
    }
}
