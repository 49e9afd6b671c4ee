//! What happened, by the words that brokers use for it.
//!
//! A word is here only if it means one thing wherever it is used. Words that aren't here make a row
//! invalid, and the reason names them.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::import::transaction::header_names::known_key;
use crate::import::transaction::status_words::{Status, status};

/// What a word for a type means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeWord {
    /// Shares are bought for money.
    Buy,
    /// Shares are sold for money.
    Sell,
    /// Shares are bought or sold: signs show which.
    Trade,
    /// A share pays money.
    Dividend,
    /// A bond or a balance pays money.
    Interest,
    /// Money for the keeping, or a tax.
    Fee,
    /// Every so many shares become so many.
    Split,
    /// Income became shares at once.
    Reinvestment,
    /// Shares come from elsewhere.
    TransferIn,
    /// Shares go to somewhere else.
    TransferOut,
    /// Shares come or go: signs show which.
    Transfer,
    /// Money comes in from elsewhere.
    Deposit,
    /// Money goes to somewhere else.
    Withdrawal,
}

/// The type of a row with what an account held before the other rows.
pub const OPENING_POSITION: &str = "Held before the statement";
/// The same of a position below zero.
pub const OPENING_SHORT_POSITION: &str = "Held short before the statement";
/// What the type of a row begins with that is shown and left out; the reason follows.
pub const NOT_USED: &str = "Not used by the import: ";
/// The type of a row with the price of a security, which is no trade.
pub const SECURITY_PRICE: &str = "Security price";

/// What a text of the column of types means.
pub(super) fn meaning(text: &str) -> Option<TypeWord> {
    static MEANINGS: LazyLock<HashMap<String, TypeWord>> = LazyLock::new(|| {
        let words = |(meaning, words): &(TypeWord, &[&str])| {
            let meaning = *meaning;
            words.iter().map(move |word| (known_key(word), meaning)).collect::<Vec<_>>()
        };
        WORDS.iter().flat_map(words).collect()
    });
    if is_taken_back(text) {
        return None;
    }
    let find = |text: &str| MEANINGS.get(known_key(text).as_str()).copied();
    // `Dividend (Ordinary)`, `BUY - MARKET`: what stands behind is a detail.
    let before = text.split(['(', '[']).next().unwrap_or_default();
    let before_dash = text.split(" - ").next().unwrap_or_default();
    find(text).or_else(|| find(before)).or_else(|| find(before_dash)).or_else(|| {
        let key = known_key(text);
        let starts = |(_, start): &&(TypeWord, &str)| {
            key.strip_prefix(*start).is_some_and(|rest| rest.starts_with(' '))
        };
        STARTS.iter().find(starts).map(|(meaning, _)| *meaning)
    })
}

/// Whether the detail behind a word states that nothing happened, or that it is taken back:
/// `Buy (Cancelled)`, `Dividend - Reversal`.
pub(super) fn is_taken_back(text: &str) -> bool {
    let details = text.split(['(', '[', ')', ']']).flat_map(|part| part.split(" - ")).skip(1);
    details.map(str::trim).any(|detail| {
        status(detail).is_some_and(|found| found != Status::Booked)
            || TAKEN_BACK.contains(&known_key(detail).as_str())
    })
}

/// Details that no status has, but that take something back.
const TAKEN_BACK: [&str; 12] = [
    "cancel",
    "cancellation",
    "cancelation",
    "correction",
    "corrected",
    "reverse",
    "storno",
    "stornierung",
    "korrektur",
    "annulation",
    "annulment",
    "rettifica",
];

use TypeWord::{
    Buy, Deposit, Dividend, Fee, Interest, Reinvestment, Sell, Split, Trade, Transfer, TransferIn,
    TransferOut, Withdrawal,
};

/// How sentences of brokers start that go on with the name of the security.
const STARTS: [(TypeWord, &str); 6] = [
    (Buy, "you bought"),
    (Sell, "you sold"),
    (Dividend, "dividend received"),
    (Reinvestment, "reinvestment"),
    (Interest, "interest earned"),
    (Fee, "foreign tax paid"),
];

#[rustfmt::skip]
const WORDS: [(TypeWord, &[&str]); 13] = [
    (Buy, &[
        "buy", "bought", "b", "bot", "purchase", "purchased", "market buy", "limit buy",
        "stop buy", "stop limit buy", "buy to open", "buy to cover", "buy to close", "buy order",
        "advanced trade buy", "recurring buy", "savings plan", "cover", "cover short",
        "kauf", "käufe", "gekauft", "ankauf", "wertpapierkauf", "kauf wertpapiere", "sparplan",
        "sparplanausführung", "kauforder", "zeichnung", "achat", "achats", "achat comptant",
        "achat d'actions", "souscription", "compra", "compras", "comprar", "suscripción",
        "acquisto", "acquisti", "acquistato", "sottoscrizione", "aankoop", "koop", "gekocht",
        "kupno", "zakup", "nákup", "nakup", "koupě", "köp", "köpt", "køb", "købt", "kjøp",
        "kjøpt", "kjop", "osto", "ostu", "vétel", "cumpărare", "kupnja", "kupovina", "alış", "alım",
        "αγορά", "покупка", "купівля", "покупка ценных бумаг", "買", "買付", "買い", "现物買",
        "現物買", "买入", "買入", "买", "매수", "شراء", "קניה", "mua", "beli",
    ]),
    (Sell, &[
        "sell", "sold", "s", "sld", "sale", "market sell", "limit sell", "stop sell",
        "stop limit sell", "sell to open", "sell to close", "sell short", "short sale",
        "sell order", "advanced trade sell", "redemption",
        "verkauf", "verkäufe", "verkauft", "wertpapierverkauf", "verkauf wertpapiere",
        "verkauforder", "rücknahme", "vente", "ventes", "vente comptant", "rachat", "venta",
        "ventas", "vender", "reembolso", "vendita", "vendite", "venduto", "rimborso", "venda",
        "vendas", "verkoop", "verkocht", "sprzedaż", "prodej", "predaj", "prodaja", "sälj",
        "såld", "försäljning", "salg", "solgt", "myynti", "eladás", "vânzare", "satış", "satım",
        "πώληση", "продажа", "продаж", "売", "売付", "売り", "現物売", "卖出", "賣出", "卖", "매도",
        "بيع", "מכירה", "bán", "jual",
    ]),
    (Trade, &[
        "trade", "trades", "order", "stock", "stocks", "etf", "fund", "handel", "wertpapierhandel",
        "transaction", "execution", "abrechnung", "wertpapierabrechnung",
    ]),
    (Dividend, &[
        "long term cap gain reinvest", "short term cap gain reinvest", "dividend", "dividends",
        "div", "cdiv", "cash dividend", "ordinary dividend",
        "qualified dividend", "non qualified div", "special dividend", "qual div reinvest",
        "dividend payment", "distribution", "distributions", "cash distribution", "payout",
        "long term cap gain", "short term cap gain", "capital gain", "capital gains",
        "capital gains distribution", "reinvest dividend", "pr yr cash div",
        "dividende", "dividenden", "dividendengutschrift", "ausschüttung", "ausschüttungen",
        "ertrag", "erträgnis", "erträgnisgutschrift", "coupon", "coupons",
        "dividendes", "détachement", "dividendo", "dividendos", "reparto", "dividendi", "cedola",
        "provento", "proventos", "rendimento", "dividend uitkering", "uitkering", "dywidenda",
        "dividendy", "utdelning", "udbytte", "utbytte", "osinko", "osztalék", "dividend e",
        "temettü", "μέρισμα", "дивиденд", "дивиденды", "дивіденд", "配当", "配当金", "分配金", "股息",
        "红利", "배당", "배당금",
    ]),
    (Interest, &[
        "interest", "int", "credit interest", "bank interest", "bond interest", "interest on cash",
        "interest payment", "lending interest", "interest income", "zins", "zinsen",
        "zinsgutschrift", "zinszahlung", "habenzinsen", "intérêt", "intérêts", "interés",
        "intereses", "interesse", "interessi", "juros", "rente", "rentebetaling", "odsetki",
        "úrok", "úroky", "ränta", "räntor", "renter", "rentetilskrivning", "korko", "korot",
        "kamat", "dobândă", "kamata", "faiz", "τόκος", "τόκοι", "проценты", "купон", "відсотки",
        "利息", "利子", "이자",
    ]),
    (Fee, &[
        "fee", "fees", "commission", "charge", "charges", "custody fee", "management fee",
        "service fee", "adr mgmt fee", "adr fee", "tax", "taxes", "withholding tax",
        "nra tax adj", "foreign tax paid", "gebühr", "gebühren", "depotgebühr", "entgelt",
        "provision", "steuer", "steuern", "quellensteuer", "frais", "commissions",
        "droits de garde", "impôt", "taxe", "comisión", "comisiones", "tarifa", "impuesto",
        "retención", "commissione", "commissioni", "spese", "imposta", "bollo", "comissão",
        "taxa", "imposto", "kosten", "bewaarloon", "belasting", "opłata", "prowizja", "podatek",
        "poplatek", "poplatky", "daň", "avgift", "courtage", "skatt", "gebyr", "kurtasje", "skat",
        "palkkio", "vero", "díj", "adó", "comision", "impozit", "ücret", "komisyon", "προμήθεια",
        "комиссия", "налог", "комісія", "手数料", "税金", "手续费", "수수료",
    ]),
    (Split, &[
        "split", "stock split", "share split", "spl", "forward split", "reverse split",
        "reverse stock split", "aktiensplit", "aktien split", "division d'actions", "fractionnement",
        "desdobramento", "grupamento", "contrasplit", "frazionamento", "aandelensplitsing",
        "aktiesplit", "aksjesplitt", "株式分割", "拆股", "액면분할", "сплит",
    ]),
    (Reinvestment, &[
        "reinvestment", "reinvest", "dividend reinvestment", "reinvested dividend",
        "reinvest shares", "drip", "reinvdiv", "wiederanlage", "dividendenreinvestition",
        "réinvestissement", "reinversión", "reinvestimento", "herbelegging", "reinwestycja",
        "återinvestering", "geninvestering", "reinvestering",
    ]),
    (TransferIn, &[
        "held before the statement",
        "transfer in", "delivery inbound", "inbound delivery", "transfer of securities in",
        "security transfer in", "receive", "received", "shares in", "deposit of securities",
        "einlieferung", "einbuchung", "depotübertrag eingang", "wertpapiereingang",
        "livraison entrante", "transfert entrant", "entrega entrante", "traspaso entrada",
        "trasferimento in entrata", "transferência de entrada", "inkomende overboeking",
        "inlevering", "wpływ papierów",
    ]),
    (TransferOut, &[
        "held short before the statement",
        "transfer out", "delivery outbound", "outbound delivery", "transfer of securities out",
        "security transfer out", "send", "sent", "shares out", "withdrawal of securities",
        "auslieferung", "ausbuchung", "depotübertrag ausgang", "wertpapierausgang",
        "livraison sortante", "transfert sortant", "entrega saliente", "traspaso salida",
        "trasferimento in uscita", "transferência de saída", "uitgaande overboeking",
        "uitlevering", "wypływ papierów",
    ]),
    (Transfer, &[
        "transfer", "security transfer", "securities transfer", "journal", "journaled shares",
        "acat", "acats", "depotübertrag", "wertpapierübertrag", "übertrag", "umbuchung",
        "transfert", "transfert de titres", "transferencia", "traspaso", "trasferimento",
        "transferência", "overboeking", "transferir", "moneylink transfer", "ach",
        "electronic funds transfer",
    ]),
    (Deposit, &[
        "deposit", "dep", "wire received", "wire funds received",
        "electronic funds transfer received", "cash deposit", "deposits",
        "funds received", "contribution", "cash in",
        "cash top up", "top up", "einlage", "einzahlung", "dépôt", "versement", "depósito",
        "ingreso", "deposito", "versamento", "aporte", "storting", "wpłata", "vklad",
        "insättning", "indbetaling", "indsættelse", "innskudd", "talletus", "befizetés",
        "depunere", "uplata", "para yatırma", "κατάθεση", "пополнение", "入金", "存入", "입금",
    ]),
    (Withdrawal, &[
        "withdrawal", "wire sent", "wire funds sent", "electronic funds transfer paid",
        "cash withdrawal", "withdrawals", "withdraw", "cash out", "removal",
        "entnahme", "auszahlung", "retrait", "retirada", "reintegro", "retiro", "prelievo",
        "levantamento", "saque", "opname", "wypłata", "výběr", "uttag", "hævning", "udbetaling",
        "uttak", "nosto", "kifizetés", "retragere", "isplata", "para çekme", "ανάληψη", "вывод",
        "出金", "取出", "출금",
    ]),
];

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn no_word_has_two_meanings() {
        let mut known = HashMap::new();
        for (meaning, words) in WORDS {
            for word in words {
                let before = known.insert(known_key(word), meaning);
                assert!(before.is_none_or(|before| before == meaning), "{word}");
            }
        }
    }

    #[test]
    fn words_are_understood_in_any_case_and_with_details() {
        for (text, meaning) in [
            ("BUY", Some(Buy)),
            ("Kauf", Some(Buy)),
            ("Achat", Some(Buy)),
            ("Compra", Some(Buy)),
            ("Market sell", Some(Sell)),
            ("VERKAUF", Some(Sell)),
            ("Dividend (Ordinary)", Some(Dividend)),
            ("YOU BOUGHT APPLE INC (AAPL) (Cash)", Some(Buy)),
            ("Delivery (Inbound)", Some(TransferIn)),
            ("Delivery (Outbound)", Some(TransferOut)),
            ("Reinvest Shares", Some(Reinvestment)),
            ("Reinvest Dividend", Some(Dividend)),
            ("Stock Split", Some(Split)),
            ("Einzahlung", Some(Deposit)),
            ("", None),
            ("Buyback tender", None),
            ("Merger", None),
            ("Buy (Cancelled)", None),
            ("SELL - CANCELED", None),
            ("Dividend (Reversal)", None),
            ("Buy [Correction]", None),
            ("Kauf - Storno", None),
            ("Buy (Executed)", Some(Buy)),
            ("BUY - MARKET", Some(Buy)),
            ("Electronic Funds Transfer Received (Cash)", Some(Deposit)),
            ("Qual Div Reinvest", Some(Dividend)),
        ] {
            assert_eq!(super::meaning(text), meaning, "{text}");
        }
    }
}
