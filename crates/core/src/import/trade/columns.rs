//! Which column of a file of trades is what.

use crate::import::kind::Column;
use crate::import::kinds::Kind;
use crate::import::layout::Layout;
use crate::import::plain::header_words::HeaderWords;
use crate::import::rate::RATE_HEADERS;
use crate::import::trade::signs::TotalMeaning;
use crate::import::transaction::header_names::known_key;

const fn column(field: &'static str, setting: &'static str, label: &'static str) -> Column {
    Column { field, setting, label, is_required: false }
}

/// Columns that a person can choose. A file needs more than the day, but not every one the same:
/// see the kind's layout.
pub(super) const COLUMNS: [Column; 24] = [
    Column { field: "date", setting: "date_col_label", label: "Date", is_required: true },
    column("type", "entity_type_col_label", "Type"),
    column("ticker", "ticker_col_label", "Ticker"),
    column("isin", "isin_col_label", "ISIN"),
    column("exchange_operating_mic", "exchange_operating_mic_col_label", "Exchange (MIC)"),
    column("security_name", "security_name_col_label", "Security"),
    column("qty", "qty_col_label", "Quantity"),
    column("price", "price_col_label", "Price"),
    column("amount", "amount_col_label", "Total"),
    column("amount_currency", "amount_currency_col_label", "Currency of the total"),
    column("fee", "fee_col_label", "Fee"),
    column("further_fee", "further_fee_col_label", "Further fee"),
    column("tax", "tax_col_label", "Tax"),
    column("tax_currency", "tax_currency_col_label", "Currency of the tax"),
    column("cost", "cost_col_label", "Cost of shares that come in"),
    column("currency", "currency_col_label", "Currency"),
    column("exchange_rate", "exchange_rate_col_label", "Exchange rate"),
    column("inverse_rate", "inverse_rate_col_label", "Inverse exchange rate"),
    column("split_ratio", "split_ratio_col_label", "Ratio of a split"),
    column("status", "status_col_label", "Status"),
    column("account", "account_col_label", "Account"),
    column("name", "name_col_label", "Name"),
    column("notes", "notes_col_label", "Notes"),
    column("external_id", "external_id_col_label", "Id of the broker"),
];

/// What files call the columns.
pub(super) const WORDS: HeaderWords =
    HeaderWords { kind: Kind::Trade, columns: &COLUMNS, names: &NAMES };

// Market values and gross values are no totals: nothing is paid by them. A rate with a direction
// that no name states is understood where a total in the other currency proves it.
#[rustfmt::skip]
const NAMES: [(&str, &[&str]); 22] = [
    ("date", &[
        "trade date", "transaction date", "date of trade", "execution date", "run date", "date",
        "activity date", "process date", "date time", "datetime", "time", "timestamp",
        "trade date time", "created at", "started date", "filled time", "handelsdatum",
        "ausfuhrungsdatum", "geschaftstag", "handelstag", "datum", "buchungstag", "buchungsdatum",
        "transaktionsdatum", "zeit", "date d operation", "date operation", "date de transaction",
        "fecha de operacion", "fecha operacion", "fecha", "data operazione", "data negociacao",
        "data da operacao", "data do negocio", "data", "transactiedatum", "data transakcji",
        "datum obchodu", "datum transakce", "affarsdag", "handelsdag", "handelsdato", "dato",
        "paivamaara", "kauppapaiva", "kotes nap", "datuma", "tarih", "islem tarihi", "ημερομηνια",
        "дата", "дата сделки", "約定日", "成交日期", "settlement date", "settle date",
        "valutadatum", "date op", "order time",
    ]),
    ("type", &[
        "type", "action", "side", "buy sell", "transaction type", "trade type", "activity type",
        "activity", "transaction", "trans code", "operation", "order type", "direction", "b s",
        "typ", "art", "transaktionstyp", "transaktionsart", "transaktion", "auftragsart",
        "kauf verkauf", "vorgang", "umsatzart", "geschaftsart", "sens", "type d operation",
        "type operation", "nature", "tipo", "tipo de operacion", "operacion", "movimiento",
        "tipo operazione", "operazione", "tipo de movimentacao", "compra venda", "c v", "soort",
        "soort transactie", "transactietype", "koop verkoop", "rodzaj transakcji", "rodzaj",
        "kupno sprzedaz", "typ transakcji", "typ transakce", "typ av transaktion", "transaktionstype",
        "transaksjonstype", "tapahtumalaji", "kaupan tyyppi", "islem turu", "тип", "операция",
        "вид сделки", "取引", "売買", "买卖方向",
    ]),
    ("ticker", &[
        "ticker", "symbol", "ticker symbol", "stock symbol", "instrument symbol", "code", "asset",
        "security symbol", "symbole", "simbolo", "kurzel", "wkn", "ticker kode", "tickersymbol",
        "тикер", "证券代码",
    ]),
    ("isin", &["isin", "isin code", "code isin", "codigo isin", "codice isin", "isin kod"]),
    ("exchange_operating_mic", &[
        "exchange operating mic", "mic", "operating mic", "exchange mic", "market identifier code",
    ]),
    ("security_name", &[
        "security name", "security", "instrument", "instrument name", "product", "company",
        "company name", "asset name", "stock name", "produkt", "wertpapier", "wertpapiername",
        "wertpapierbezeichnung", "titel", "gattung", "titre", "valeur mobiliere", "libelle valeur",
        "valor", "titolo", "produto", "ativo", "produit", "producto", "prodotto", "effect",
        "papier wartosciowy", "walor", "cenny papir", "vardepapper", "vardepapper beskrivning",
        "vaerdipapir", "verdipapir", "arvopaperi", "ertekpapir", "銘柄名", "证券名称",
    ]),
    ("qty", &[
        "qty", "quantity", "shares", "units", "no of shares", "number of shares", "share quantity",
        "quantity transacted", "filled qty", "filled quantity", "filled", "executed quantity", "volume",
        "no of units", "stuck", "stuckzahl", "anzahl", "menge", "nominale", "stucke nominale",
        "stuck nominale", "anteile", "quantite", "nombre", "nombre de titres", "cantidad",
        "titulos", "numero", "numero de titulos", "quantita", "quantidade", "aantal", "ilosc",
        "liczba", "pocet", "pocet kusu", "mnozstvi", "antal", "antall", "maara", "kappalemaara",
        "mennyiseg", "cantitate", "kolicina", "adet", "miktar", "ποσοτητα", "количество",
        "кількість", "数量", "約定数量", "成交数量",
    ]),
    ("price", &[
        "price", "unit price", "price per share", "price share", "share price", "execution price",
        "avg price", "average price", "fill price", "filled price", "trade price",
        "price at transaction", "price per unit", "kurs", "preis", "ausfuhrungskurs", "stuckpreis",
        "kurs preis", "einzelpreis", "cours", "prix", "prix unitaire", "cours d execution",
        "precio", "precio unitario", "cotizacion", "prezzo", "prezzo unitario", "preco",
        "preco unitario", "koers", "prijs", "cena", "cena jednostkowa", "cena za kus", "pris",
        "hinta", "arfolyam", "pret", "fiyat", "τιμη", "цена", "ціна", "約定単価", "単価",
        "成交价格",
    ]),
    ("amount", &[
        "net amount", "amount", "total", "total amount", "net total", "net cash",
        "total inclusive of fees and or spread", "cash amount", "settlement amount", "net proceeds",
        "betrag", "gesamtbetrag", "gesamt", "endbetrag", "ausmachender betrag", "nettobetrag",
        "montant", "montant net", "montant total", "importe", "importe neto", "importe total",
        "importo", "importo netto", "totale", "valor liquido", "montante", "bedrag",
        "totaalbedrag", "kwota", "kwota netto", "castka", "celkem", "belopp", "belob", "belop",
        "summa", "maksettava", "osszeg", "suma", "iznos", "tutar", "toplam", "ποσο", "сумма",
        "受渡金額", "发生金额",
    ]),
    ("amount_currency", &[
        "currency total", "total currency", "amount currency", "currency of the total",
        "settlement currency", "wahrung betrag", "abrechnungswahrung",
    ]),
    ("fee", &[
        "fee", "fees", "costs", "currency conversion fee",
        "commission", "commissions", "fees comm", "commission fee", "commission fees",
        "fees and commissions", "fees and or spread", "brokerage", "brokerage fee", "charges",
        "transaction fee", "transaction costs", "transaction and or third", "comm fee",
        "ib commission", "total fee", "gebuhr", "gebuhren", "provision", "entgelt", "spesen",
        "kosten", "transaktionskosten", "orderentgelt", "frais", "frais de courtage", "courtage",
        "comision", "comisiones", "gastos", "commissione", "commissioni", "spese", "comissao",
        "comissoes", "custos", "transactiekosten", "prowizja", "oplata", "poplatek", "poplatky",
        "avgift", "kurtasje", "kurtage", "gebyr", "palkkio", "jutalek", "komisyon", "προμηθεια",
        "комиссия", "комісія", "手数料", "手续费",
    ]),
    ("tax", &[
        "tax", "taxes", "withholding tax", "tax withheld", "stamp duty", "steuer", "steuern",
        "quellensteuer", "kapitalertragsteuer", "impot", "impots", "impuesto", "impuestos",
        "retencion", "imposta", "imposte", "ritenuta", "imposto", "impostos", "belasting",
        "podatek", "dan", "skatt", "skat", "vero", "ado", "impozit", "vergi", "налог", "税金",
    ]),
    ("cost", &[
        "cost", "cost basis", "book cost", "acquisition cost", "einstandswert",
        "anschaffungskosten", "anschaffungswert", "prix de revient",
    ]),
    ("tax_currency", &[
        "currency withholding tax", "tax currency", "currency of the tax", "wahrung steuer",
    ]),
    ("status", &[
        "status", "order status", "order state", "trade status", "auftragsstatus", "orderstatus",
        "statut", "statut de l ordre", "estado", "estado de la orden", "stato", "stato ordine",
        "estado da ordem", "status zlecenia", "tila", "статус", "状态",
    ]),
    ("currency", &[
        "currency", "currency code", "currency primary", "price currency", "currency price share",
        "currency price per share", "trade currency", "instrument currency", "wahrung",
        "handelswahrung", "devise", "monnaie", "moneda", "divisa", "moeda", "waluta", "mena",
        "valuuttalaji", "deviza", "para birimi", "νομισμα", "валюта", "通貨", "币种",
    ]),
    ("exchange_rate", RATE_HEADERS),
    ("split_ratio", &["split ratio", "ratio", "splitverhaltnis", "verhaltnis"]),
    ("account", &[
        "account", "account name", "portfolio", "depot", "depotkonto", "konto", "compte",
        "cuenta", "conto", "conta", "rekening", "rachunek", "ucet", "口座",
    ]),
    ("name", &[
        "name", "description", "transaction description", "beschreibung", "bezeichnung", "libelle",
        "descripcion", "concepto", "descrizione", "descricao", "omschrijving", "opis", "popis",
        "beskrivning", "beskrivelse", "kuvaus", "megnevezes", "aciklama", "описание", "摘要",
    ]),
    ("notes", &[
        "notes", "note", "memo", "comment", "comments", "notiz", "notizen", "bemerkung",
        "commentaire", "nota", "notas", "observaciones", "osservazioni", "observacoes",
        "opmerking", "uwagi", "poznamka", "anmarkning", "備考", "备注",
    ]),
    ("external_id", &[
        "trade id", "order id", "transaction id", "transactionid", "tradeid", "orderid", "id",
        "external id", "reference", "reference number", "order number", "execution id",
        "confirmation number", "auftragsnummer", "ordernummer", "transaktionsnummer",
        "referenznummer", "numero d ordre", "numero de orden", "numero ordine", "id da ordem",
        "id transakcji", "verifikationsnummer", "注文番号",
    ]),
];

/// The header of the table that statements of investments become, of which totals are what moved.
pub const STATEMENT_HEADER: [&str; 15] = [
    "Trade date",
    "Type",
    "Ticker",
    "ISIN",
    "Security",
    "Quantity",
    "Price",
    "Total",
    "Fee",
    "Tax",
    "Currency",
    "Split ratio",
    "Account",
    "Description",
    "Transaction ID",
];

/// The header of the table of trades in an export: totals are what moved.
pub const OWN_HEADER: [&str; 17] = [
    "date",
    "type",
    "ticker",
    "exchange_operating_mic",
    "isin",
    "security",
    "quantity",
    "price",
    "fee",
    "amount",
    "cost",
    "currency",
    "split ratio",
    "account",
    "name",
    "notes",
    "external id",
];

/// Columns that the table of trades has not had in exports of earlier versions.
const ADDED: [&str; 3] = ["cost", "name", "external id"];

/// Whether a header is that of the table of trades in an export, of whatever version.
fn is_own(headers: &[String]) -> bool {
    let earlier = OWN_HEADER.into_iter().filter(|name| !ADDED.contains(name));
    headers == OWN_HEADER || headers.iter().map(String::as_str).eq(earlier)
}

/// What totals contain, by the name of their column or by the kind of table.
pub(super) fn meaning_of_header(layout: &Layout) -> Option<TotalMeaning> {
    let header = layout.headers.get(*layout.fields.get("amount")?)?;
    let is_known = layout.headers == STATEMENT_HEADER || is_own(&layout.headers);
    let (key, is_value) = (known_key(header), is_value_beside_gross(layout));
    (is_known || is_value || NET.contains(&key.as_str())).then_some(TotalMeaning::Net)
}

/// What is called a value is what was paid where another column has what that was before fees.
fn is_value_beside_gross(layout: &Layout) -> bool {
    let keys = || layout.headers.iter().map(|header| known_key(header));
    let total = layout.fields.get("amount").and_then(|column| keys().nth(*column));
    keys().any(|key| GROSS.contains(&key.as_str()))
        && total.is_some_and(|key| VALUES.contains(&key.as_str()))
}

/// Takes columns that mean something only beside others.
pub(super) fn complete(layout: &mut Layout) {
    let keys: Vec<String> = layout.headers.iter().map(|header| known_key(header)).collect();
    let is_free =
        |layout: &Layout, column: &usize| !layout.fields.values().any(|taken| taken == column);
    let take = |layout: &mut Layout, field: &str, column: Option<usize>| {
        if let Some(column) = column {
            layout.fields.insert(field.to_owned(), column);
            layout.found.push(format!("{field}_col_label"));
        }
    };
    let has = |layout: &Layout, field: &str| layout.fields.contains_key(field);
    // A value is what was paid where another column has what that was before fees.
    if !has(layout, "amount") && keys.iter().any(|key| GROSS.contains(&key.as_str())) {
        let is_value = |column: &usize| VALUES.contains(&keys[*column].as_str());
        let value = (0..keys.len()).filter(is_value).find(|column| is_free(layout, column));
        take(layout, "amount", value);
    }
    // The total proves that both are fees, and that none contains the other.
    if has(layout, "amount") && has(layout, "fee") && !has(layout, "further_fee") {
        let fees = WORDS.columns_of(&layout.headers, "fee").into_iter();
        let is_part = |column: &usize| !keys[*column].contains("total");
        let further = fees.filter(is_part).find(|column| is_free(layout, column));
        take(layout, "further_fee", further);
    }
    if !has(layout, "ticker") && !has(layout, "isin") {
        let column = layout.fields.get("security_name").copied();
        let instrument = column.filter(|column| keys[*column] == "instrument");
        if instrument.is_some() {
            layout.fields.remove("security_name");
            take(layout, "ticker", instrument);
        }
    }
}

/// What files call amounts before fees, and what they then call what was paid.
const GROSS: [&str; 3] = ["bruttobetrag", "gross amount", "montant brut"];
const VALUES: [&str; 4] = ["wert", "value", "valeur", "net value"];
/// Names of totals that state themselves that fees are in them.
#[rustfmt::skip]
const NET: [&str; 12] = [
    "net amount", "net total", "net cash", "net proceeds", "total inclusive of fees and or spread",
    "ausmachender betrag", "nettobetrag", "montant net", "importe neto", "importo netto",
    "valor liquido", "kwota netto",
];

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_name_is_folded_and_stands_for_one_column() {
        let mut known = HashSet::new();
        for (field, names) in NAMES {
            assert!(COLUMNS.iter().any(|column| column.field == field), "{field}");
            for name in names {
                assert_eq!(known_key(name), *name, "{field}");
                assert!(known.insert(*name), "{name} is there twice");
            }
        }
    }
}
