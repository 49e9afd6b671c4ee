//! Files of brokers, written from trades that are known.

use proptest::prelude::*;

use super::tests::file;

/// Words and headers of brokers in some languages: date, type, ticker, quantity, price, fee, total,
/// a purchase, a sale, the pattern of days, whether the decimals have a comma.
type Broker = ([&'static str; 7], [&'static str; 2], &'static str, bool);

const BROKERS: [Broker; 6] = [
    (
        ["Date", "Side", "Symbol", "Quantity", "Price", "Commission", "Total"],
        ["BUY", "SELL"],
        "%Y-%m-%d",
        false,
    ),
    (
        ["Datum", "Typ", "Symbol", "Stück", "Kurs", "Gebühren", "Betrag"],
        ["Kauf", "Verkauf"],
        "%d.%m.%Y",
        true,
    ),
    (
        ["Date", "Sens", "Symbole", "Quantité", "Cours", "Frais", "Montant"],
        ["Achat", "Vente"],
        "%d/%m/%Y",
        true,
    ),
    (
        ["Fecha", "Operación", "Ticker", "Títulos", "Precio", "Comisión", "Importe"],
        ["Compra", "Venta"],
        "%d/%m/%Y",
        true,
    ),
    (
        ["Data", "Operazione", "Simbolo", "Quantità", "Prezzo", "Commissioni", "Importo"],
        ["Acquisto", "Vendita"],
        "%d-%m-%Y",
        true,
    ),
    (
        ["Datum", "Koop/Verkoop", "Symbol", "Aantal", "Koers", "Kosten", "Bedrag"],
        ["Koop", "Verkoop"],
        "%d-%m-%Y",
        true,
    ),
];

/// An amount in hundredths as a plain decimal.
fn hundredths(units: i64) -> String {
    let sign = if units < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", units.abs() / 100, units.abs() % 100)
}

proptest! {
    /// What a broker writes of trades that are known is read as these trades, however it writes
    /// signs; and a total with another digit never gets in.
    #[test]
    fn generated_files_come_back(
        broker in 0..BROKERS.len(),
        trades in prop::collection::vec(
            (any::<bool>(), 1..5_000u32, 1..1_000_000u32, 0..900u32),
            2..12,
        ),
        signed_quantity in any::<bool>(),
        signed_total in any::<bool>(),
        wrong in any::<prop::sample::Index>(),
    ) {
        let (headers, words, pattern, has_comma) = BROKERS[broker];
        let decimal = |units: i64| {
            let text = hundredths(units);
            if has_comma { text.replace('.', ",") } else { text }
        };
        let line = |number: usize, off: i64| {
            let (buys, quantity, price, fee) = trades[number];
            let days = jiff::Span::new().days(number as i64);
            let day = jiff::civil::date(2024, 5, 13).checked_add(days).unwrap();
            let value = i64::from(quantity) * i64::from(price);
            let cash = if buys { value + i64::from(fee) } else { value - i64::from(fee) };
            let shares = i64::from(quantity);
            let shares = if signed_quantity && !buys { -shares } else { shares };
            let total = if signed_total && buys { -cash - off } else { cash + off };
            [
                day.strftime(pattern).to_string(),
                words[usize::from(!buys)].to_owned(),
                "VTI".to_owned(),
                shares.to_string(),
                decimal(i64::from(price)),
                decimal(i64::from(fee)),
                decimal(total),
            ].join("|")
        };
        // Signs of totals need a purchase and a sale that show them, and money that comes in.
        prop_assume!(trades.iter().any(|one| one.0) && trades.iter().any(|one| !one.0));
        let comes_in = |one: &(bool, u32, u32, u32)| {
            i64::from(one.1) * i64::from(one.2) > i64::from(one.3)
        };
        prop_assume!(trades.iter().all(comes_in));
        let header = headers.join("|");
        let lines: Vec<String> = (0..trades.len()).map(|number| line(number, 0)).collect();
        let text = format!("{header}\n{}", lines.join("\n"));
        let rows = file(&text).rows();
        for (row, (buys, quantity, price, fee)) in rows.iter().zip(&trades) {
            let sign = if *buys { "" } else { "-" };
            let word = if *buys { "buy" } else { "sell" };
            let row = row.as_ref().unwrap_or_else(|why| panic!("{text}\n{why}"));
            let start = format!("{word} VTI {sign}{quantity}.0 ");
            prop_assert!(row.starts_with(&start), "{} in {}", row, text);
            let value = i64::from(*quantity) * i64::from(*price);
            let cash = if *buys { value + i64::from(*fee) } else { i64::from(*fee) - value };
            let cash = format!("{} EUR", hundredths(cash));
            prop_assert!(row.ends_with(&cash), "{} and {} in {}", row, cash, text);
        }
        // A total that is wrong by more than rounding could hide.
        let number = wrong.index(trades.len());
        let (_, quantity, ..) = trades[number];
        let mut lines = lines;
        lines[number] = line(number, i64::from(quantity) + 7);
        let text = format!("{header}\n{}", lines.join("\n"));
        let refused = file(&text).rows()[number].clone();
        prop_assert!(refused.is_err(), "{:?} in {}", refused, text);
    }

    /// Whatever is in the cells, a row is a trade or has reasons.
    #[test]
    fn nothing_is_read_without_a_reason(
        cells in prop::collection::vec("[-+0-9.,A-Za-z€$ ]{0,12}", 7),
    ) {
        let header = BROKERS[0].0.join("|");
        let good = "2024-05-15|BUY|A|10|2.50|0.10|25.10";
        let file = file(&format!("{header}\n{good}\n{}", cells.join("|")));
        if file.layout.is_readable() {
            for row in file.rows() {
                let (Ok(text) | Err(text)) = row;
                prop_assert!(!text.is_empty());
            }
        }
    }
}
