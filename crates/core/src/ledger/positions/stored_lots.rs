//! The lots of a move from or to an account that is gone, as the text that is stored with the trade
//! in the other one and exported with it.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::CarriedLot;
use super::order::{DayOrder, StoredDayOrder};
use crate::ledger::holding::CostBasisSource;
use crate::money::decimal::{quantity_text, read_quantity};
use crate::money::exact;

#[derive(Serialize, Deserialize)]
struct StoredLot {
    opened: Option<Date>,
    since: Date,
    /// Lots that were stored before it was kept have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    order: Option<StoredDayOrder>,
    quantity: String,
    cost: Option<String>,
    source: CostBasisSource,
}

/// The lots as text.
///
/// # Errors
/// None that lots can have.
pub fn write(lots: &[CarriedLot]) -> serde_json::Result<String> {
    let stored = |lot: &CarriedLot| StoredLot {
        opened: lot.opened,
        since: lot.since,
        order: (lot.order != DayOrder::UNKNOWN).then(|| (&lot.order).into()),
        quantity: quantity_text(lot.quantity),
        cost: lot.cost.as_ref().map(exact::to_text),
        source: lot.source,
    };
    let lots: Vec<StoredLot> = lots.iter().map(stored).collect();
    serde_json::to_string(&lots)
}

/// The lots of a text; nothing if it is none of lots.
pub fn read(text: &str) -> Option<Vec<CarriedLot>> {
    let lot = |stored: StoredLot| {
        let StoredLot { opened, since, order, quantity, cost, source } = stored;
        let order = match order {
            Some(stored) => stored.read()?,
            None => DayOrder::UNKNOWN,
        };
        let cost = match cost {
            Some(text) => Some(exact::parse(&text)?),
            None => None,
        };
        let quantity = read_quantity(&quantity)?;
        Some(CarriedLot { opened, since, order, quantity, cost, source })
    };
    serde_json::from_str::<Vec<StoredLot>>(text).ok()?.into_iter().map(lot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lots_are_read_as_they_were_written() {
        let text = concat!(
            r#"[{"opened":"2024-01-05","since":"2024-01-05","quantity":"1.5","cost":"100/3","#,
            r#""source":"calculated"},{"opened":"2024-01-05","since":"2024-01-05","#,
            r#""order":["bought","4.0","100/3"],"quantity":"1.0","cost":null,"#,
            r#""source":"calculated"},{"opened":null,"since":"2024-02-01","quantity":"-2.0","#,
            r#""cost":null,"source":"manual"}]"#
        );
        let lots = read(text).unwrap();
        assert_eq!(lots.len(), 3);
        assert_eq!(write(&lots).unwrap(), text);
        for text in ["x", "{}", "[{}]", &text.replace("1.5", "1,5"), &text.replace("/3", "/0")] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
