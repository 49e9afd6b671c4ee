//! What banks and programs call their columns, in many languages.
//!
//! Names are listed folded: lower case, without accents, punctuation as single spaces
//! ([`known_key`]), so that `Date d'opération`, `DATE D'OPERATION` and `date_d_operation` are one.
//! A lower rank is preferred when a file has several columns for one role: the booking date comes
//! before the value date, the other party before the description. Names that mean different things
//! in different languages stand where the data can correct them: a direction or currency column
//! that was only recognised by its name is dropped if its cells don't look like it.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::money::Currency;

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The day.
    Date,
    /// The amount, signed or with a direction beside it.
    Amount,
    /// Money out.
    Debit,
    /// Money in.
    Credit,
    /// The other party.
    Payee,
    /// What the bank writes about the transaction.
    Description,
    /// What the payer wrote: a name if there is no better one, else notes.
    Purpose,
    /// Notes.
    Notes,
    /// The category.
    Category,
    /// Tags.
    Tags,
    /// The account that the row belongs to.
    Account,
    /// The currency of the amount.
    Currency,
    /// Whether money went in or out.
    Direction,
    /// The bank's own id of the transaction.
    ExternalId,
}

/// What a header is known as: the role and the rank in it.
pub fn known(header: &str) -> Option<(Role, u8)> {
    let find = |key: &str| BY_NAME.get(key).copied();
    let key = known_key(header);
    find(&key)
        .or_else(|| find(&known_key(without_brackets(header)?)))
        .or_else(|| find(without_currency(&key)?))
}

/// `Betrag (EUR)` without the bracket at its end.
fn without_brackets(header: &str) -> Option<&str> {
    let header = header.trim_end();
    let opening = match header.chars().last()? {
        ')' => '(',
        ']' => '[',
        _ => return None,
    };
    header.rfind(opening).map(|at| &header[..at])
}

/// `betrag in eur` without the currency and the preposition before it.
fn without_currency(key: &str) -> Option<&str> {
    let (rest, code) = key.rsplit_once(' ')?;
    let is_currency = Currency::parse(code).is_some() || matches!(code, "euro" | "euros" | "euroa");
    let (before, last) = rest.rsplit_once(' ').unwrap_or(("", rest));
    let is_preposition = matches!(last, "in" | "en" | "em" | "i" | "w" | "v" | "im");
    is_currency.then_some(if is_preposition && !before.is_empty() { before } else { rest })
}

/// The header in lower case without accents, words separated by single spaces.
pub fn known_key(header: &str) -> String {
    let mut key = String::with_capacity(header.len());
    let mut gap = false;
    for c in header.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        if c == '*' {
            continue;
        }
        if !c.is_alphanumeric() {
            gap = true;
            continue;
        }
        if gap && !key.is_empty() {
            key.push(' ');
        }
        gap = false;
        match c {
            'ß' => key.push_str("ss"),
            'æ' => key.push_str("ae"),
            'œ' => key.push_str("oe"),
            'ø' => key.push('o'),
            'ł' => key.push('l'),
            'đ' | 'ð' => key.push('d'),
            'ı' => key.push('i'),
            _ if is_combining_mark(c) => {}
            _ => key.push(c),
        }
    }
    key
}

static BY_NAME: LazyLock<HashMap<&'static str, (Role, u8)>> = LazyLock::new(|| {
    let entries = NAMES
        .iter()
        .flat_map(|(role, rank, names)| names.iter().map(move |name| (*name, (*role, *rank))));
    entries.collect()
});

use Role::{
    Account, Amount, Category, Credit, Currency as CurrencyRole, Date, Debit, Description,
    Direction, ExternalId, Notes, Payee, Purpose, Tags,
};

#[rustfmt::skip]
const NAMES: &[(Role, u8, &[&str])] = &[
    // Booking dates, plain dates, dates of the deed, value dates.
    (Date, 0, &[
        "booking date", "posting date", "posted date", "post date", "date posted", "posted on",
        "posted", "entry date", "transaction posted date", "date completed", "completed date",
        "buchungstag", "buchungsdatum", "buchung",
        "date de comptabilisation", "date comptable", "date comptabilisation",
        "date d enregistrement", "date ecriture",
        "fecha contable", "f contable", "fecha de contabilizacion",
        "data contabile", "data contabilizzazione", "data registrazione",
        "data lancamento", "data do lancamento", "data de lancamento", "data contabilistica",
        "boekdatum", "boekingsdatum", "datum boeking",
        "bokforingsdag", "bokforingsdatum", "bokford", "bokforing", "bokforingsdato", "bokfort",
        "bokfort dato", "bogforingsdato", "bogfort", "bogfort dato", "posteringsdato",
        "kirjauspaiva", "kirjauspaivamaara", "kirjauspvm",
        "data ksiegowania", "data zaksiegowania",
        "datum zauctovani", "zauctovano", "datum zauctovania", "datum knjizenja",
        "konyveles datuma", "konyvelesi datum", "konyveles napja", "konyvelt",
        "muhasebe tarihi", "data inregistrarii", "data procesarii", "data contabilizarii",
        "дата проводки", "дата проведения",
    ]),
    (Date, 1, &[
        "date", "dates", "day", "datum", "fecha", "data", "dato", "paivamaara", "pvm", "tarih",
        "datums", "kuupaev", "дата", "ημερομηνια", "日付", "日期",
    ]),
    (Date, 2, &[
        "transaction date", "trans date", "txn date", "tran date", "date of transaction",
        "purchase date", "operation date", "started date", "date started", "date created",
        "created on", "created at",
        "belegdatum", "kaufdatum", "transaktionsdatum", "umsatzdatum", "datum der transaktion",
        "date operation", "date de l operation", "date d operation", "date de transaction",
        "date transaction", "dateop", "date op",
        "fecha operacion", "fecha de operacion", "fecha de la operacion", "f operacion",
        "fecha movimiento", "fecha de movimiento", "fecha transaccion", "fecha de transaccion",
        "data operazione", "data movimento", "data transazione", "data dell operazione",
        "data mov", "data do movimento", "data de movimento", "data operacao", "data da operacao",
        "data transacao", "data da transacao",
        "transactiedatum", "datum transactie", "transaktionsdag", "kopdatum", "utfort dato",
        "transaksjonsdato", "kjopsdato", "transaktionsdato", "tapahtumapaiva", "maksupaiva",
        "ostopaiva", "tapahtumapvm",
        "data operacji", "data transakcji", "datum provedeni", "datum transakce", "datum pohybu",
        "datum operace", "datum transakcie", "datum transakcije",
        "tranzakcio datuma", "tranzakcio idopontja", "tranzakcio napja",
        "islem tarihi", "data tranzactiei", "data tranzactie", "data operatiunii",
        "дата операции", "дата операціі", "дата транзакции", "取引日", "交易日期",
    ]),
    (Date, 3, &[
        "value date", "effective date", "settlement date",
        "wertstellung", "wertstellungsdatum", "wertstellungstag", "valutadatum", "wert",
        "date de valeur", "date valeur", "dateval", "date val", "fecha valor", "f valor",
        "fecha de valor", "data valuta", "data valor", "data de valor", "data valutei",
        "rentedatum", "valutadag", "rantedatum", "rentedato", "valordato", "valuteringsdato",
        "arvopaiva", "data waluty", "datum valuty", "datum valute", "ertek nap", "erteknap",
        "ertek datum", "valor tarihi",
    ]),
    (Amount, 0, &[
        "amount", "transaction amount", "amount of transaction", "booked amount", "net amount",
        "signed amount", "amount in account currency",
        "betrag", "umsatz", "umsatzbetrag", "buchungsbetrag", "transaktionsbetrag",
        "montant", "montant operation", "montant de l operation", "montant de la transaction",
        "importe", "importe operacion", "importe de la operacion", "monto",
        "importo", "ammontare", "importo operazione", "importo movimento",
        "montante", "quantia", "importancia", "valor da operacao", "valor do movimento",
        "bedrag", "transactiebedrag", "belopp", "belob", "belop", "transaktionsbelopp",
        "rahamaara", "maara", "summa", "kwota", "kwota operacji", "kwota transakcji",
        "kwota w walucie rachunku", "castka", "objem", "castka transakce", "castka v mene uctu",
        "suma", "osszeg", "tranzakcio osszege", "tranzakcios osszeg", "konyvelt osszeg",
        "tutar", "islem tutari", "suma tranzactiei", "valoare", "iznos",
        "сумма", "сумма операции", "сума", "сума операціі", "ποσο", "金額", "金额", "交易金额",
    ]),
    (Amount, 1, &["sum", "net", "total amount", "value", "cantidad", "miktar"]),
    // In Turkish a value date.
    (Amount, 2, &["valor", "gross", "total"]),
    (Debit, 0, &[
        "debit", "debits", "debit amount", "amount debit", "withdrawal", "withdrawals",
        "withdrawal amt", "withdrawal amount", "money out", "paid out", "outflow", "outflows",
        "out", "spent", "payments", "expense", "expenses", "debit amt",
        "soll", "ausgang", "ausgabe", "ausgaben", "belastung", "belastungen", "sollbetrag",
        "montant debit", "debit montant", "depense", "depenses", "sorties",
        "cargo", "cargos", "debe", "debito", "debitos", "salida", "salidas", "gasto", "gastos",
        "importe cargo", "egresos",
        "dare", "uscite", "uscita", "addebito", "addebiti", "importo dare",
        "saida", "saidas", "despesa", "despesas", "valor debito",
        "af", "uit", "debet", "uitgaven", "bedrag af", "uttag", "ut", "utgift", "utgifter",
        "udgift", "udgifter", "haevet", "ud", "ut fra konto", "ut av konto", "ut fra", "belop ut",
        "otto", "otot", "ulos", "veloitus", "menot", "tililta",
        "obciazenia", "obciazenie", "wydatki", "wydatek", "kwota obciazenia", "winien",
        "vydaje", "vydaj", "vydej", "na vrub", "odchozi", "odchozi castka",
        "terheles", "terhelesek", "kiadas", "kiadasok", "borc", "cikan", "gider", "giderler",
        "iesiri", "suma debit", "rashod", "расход", "списание", "дебет", "支出", "出金",
    ]),
    (Credit, 0, &[
        "credit", "credits", "credit amount", "amount credit", "deposit", "deposits",
        "deposit amt", "deposit amount", "money in", "paid in", "inflow", "inflows", "in",
        "received", "receipts", "income", "credit amt",
        "haben", "eingang", "einnahme", "einnahmen", "gutschrift", "gutschriften", "habenbetrag",
        "montant credit", "credit montant", "recette", "recettes", "entrees",
        "abono", "abonos", "haber", "credito", "creditos", "entrada", "entradas", "ingreso",
        "ingresos", "importe abono",
        "avere", "entrate", "accredito", "accrediti", "importo avere",
        "receita", "receitas", "valor credito",
        "bij", "inkomsten", "bedrag bij", "insattning", "insattningar", "inkomst", "inkomster",
        "indtaegt", "indtaegter", "indsat", "ind", "inn", "inn pa konto", "inn til", "belop inn",
        "pano", "panot", "sisaan", "hyvitys", "tulot", "tilille",
        "uznania", "uznanie", "wplywy", "wplyw", "kwota uznania", "ma",
        "prijmy", "prijem", "kredit", "ve prospech", "prichozi", "prichozi castka",
        "jovairas", "jovairasok", "bevetel", "bevetelek", "alacak", "giren", "gelir", "gelirler",
        "intrari", "suma credit", "prihod", "приход", "зачисление", "кредит", "収入", "入金", "收入",
    ]),
    (Payee, 0, &[
        "name", "payee", "payee name", "merchant", "merchant name", "counterparty",
        "counterparty name", "counter party", "partner name", "other party", "vendor",
        "beneficiary", "beneficiary name", "recipient", "target name", "payer payee",
        "beguenstigter zahlungspflichtiger", "begunstigter zahlungspflichtiger",
        "auftraggeber beguenstigter", "auftraggeber begunstigter", "auftraggeber empfanger",
        "empfanger auftraggeber", "beguenstigter auftraggeber", "begunstigter auftraggeber",
        "name zahlungsbeteiligter", "zahlungsbeteiligter", "zahlungsempfangerin",
        "zahlungsempfanger", "empfanger", "empfanger zahlungspflichtiger", "gegenpartei",
        "partnername", "handler", "handlername", "name des partners",
        "tiers", "nom", "contrepartie", "nom de la contrepartie", "beneficiaire", "commercant",
        "nom du tiers",
        "beneficiario", "ordenante beneficiario", "contraparte", "comercio", "nombre",
        "beneficiario ordenante",
        "controparte", "esercente", "nome", "entidade", "destinatario",
        "naam", "naam omschrijving", "naam tegenpartij", "tegenpartij", "begunstigde",
        "naam tegenrekening", "naam begunstigde", "tegenpartij naam",
        "mottagare", "betalningsmottagare", "namn", "motpart", "modtager", "modtagers navn",
        "navn", "mottaker", "mottakernavn", "navn pa motpart",
        "saaja", "saaja maksaja", "maksaja saaja", "saajan nimi", "nimi", "saaja tai maksaja",
        "kontrahent", "nadawca odbiorca", "odbiorca nadawca", "nazwa kontrahenta",
        "dane kontrahenta", "odbiorca", "nazwa odbiorcy", "nadawca lub odbiorca",
        "nazev protiuctu", "protistrana", "nazev protistrany", "jmeno protistrany", "prijemce",
        "nazov protistrany", "nazev uctu protistrany",
        "partner", "partner neve", "partner nev", "partner elnevezese", "ellenoldali nev",
        "kedvezmenyezett", "kedvezmenyezett neve", "alici", "karsi taraf", "alici adi",
        "gonderen alici", "beneficiar", "ordonator beneficiar", "nume beneficiar", "nume",
        "контрагент", "получатель", "отримувач",
    ]),
    (Payee, 1, &["zahlungspflichtiger", "auftraggeber", "payer", "sender", "target"]),
    (Description, 0, &[
        "description", "transaction description", "transaction details", "narrative",
        "narration", "particulars", "transaction", "transaction remarks", "description 1",
        "beschreibung", "buchungsdetails", "umsatztext", "bezeichnung",
        "libelle", "libelle operation", "libelle de l operation", "libelle simplifie",
        "designation", "intitule", "libelle complet",
        "concepto", "descripcion", "movimiento", "detalle", "descripcion operacion",
        "descrizione", "descrizione operazione", "dettagli", "operazione",
        "descricao", "descritivo", "descricao do movimento", "designacao", "historico",
        "omschrijving", "omschrijving 1", "beschrijving",
        "beskrivning", "rubrik", "transaktion", "specifikation",
        "beskrivelse", "tekst", "forklaring", "posteringstekst", "text",
        "selite", "kuvaus", "selitys", "tapahtuma",
        "opis operacji", "opis transakcji", "opis", "szczegoly", "szczegoly transakcji",
        "popis", "popis operace", "popis transakce", "popis transakcie",
        "leiras", "megnevezes", "tranzakcio leirasa",
        "aciklama", "islem aciklamasi", "islem",
        "descriere", "descrierea tranzactiei", "detalii", "detalii tranzactie", "explicatii",
        "описание", "описание операции", "назначение платежа", "опис", "περιγραφη", "摘要", "内容",
    ]),
    (Description, 1, &[
        "original description", "details", "label",
        "buchungstext", "vorgang", "operation", "causale", "nature",
        "nature de l operation", "type d operation", "tipo de movimiento", "rodzaj transakcji",
        "typ operacji", "typ operace", "tranzakcio tipusa", "tilitapahtuma", "laji",
    ]),
    (Purpose, 0, &[
        "memo", "message", "remittance information", "payment reference", "payment details",
        "verwendungszweck", "vorgang verwendungszweck", "buchungstext verwendungszweck", "zweck",
        "zahlungsreferenz", "mitteilung",
        "motif", "informations complementaires", "libelle complementaire", "communication",
        "mas datos", "concepto ampliado", "causale descrizione", "descrizione estesa",
        "mededelingen", "mededeling", "omschrijving 2",
        "meddelande", "besked", "meddelelse", "melding", "kid melding", "viesti",
        "tytul", "tytul operacji", "tytul przelewu", "tytulem",
        "zprava pro prijemce", "zprava", "sprava pre prijemcu", "kozlemeny", "mesaj",
        "назначение", "примечание",
    ]),
    (Notes, 0, &[
        "notes", "note", "comment", "comments", "remarks", "notizen", "notiz", "bemerkung",
        "bemerkungen", "kommentar", "anmerkung", "commentaire", "commentaires", "remarque",
        "notas", "nota", "observaciones", "comentario", "comentarios", "commenti", "observacoes",
        "opmerking", "opmerkingen", "notities", "notitie", "noteringar", "anteckning",
        "anteckningar", "noter", "notater", "notat", "muistiinpano", "muistiinpanot", "huomautus",
        "notatki", "notatka", "uwagi", "komentarz", "poznamka", "poznamky", "megjegyzes", "not",
        "notlar", "observatii", "комментарии", "заметки",
    ]),
    (Category, 0, &[
        "category", "category name", "kategorie", "hauptkategorie", "categorie", "categoria",
        "kategori", "kategoria", "luokka", "kategorija", "rubro", "kategoriat", "категория",
        "категорія", "κατηγορια", "カテコリ", "分类",
    ]),
    (Tags, 0, &[
        "tags", "tag", "labels", "etiketten", "etikett", "schlagworte", "schlagworter",
        "stichworte", "stichworter", "etiquettes", "mots cles", "etiquetas", "etichette",
        "marcadores", "etiketter", "taggar", "tagit", "tunnisteet", "tagi", "etykiety", "stitky",
        "cimkek", "etiketler", "etichete", "теги",
    ]),
    (Account, 0, &[
        "account", "account name", "konto", "auftragskonto", "iban auftragskonto", "kontoname",
        "bezeichnung auftragskonto", "compte", "nom du compte", "cuenta", "nombre de cuenta",
        "conto", "nome conto", "conta", "nome da conta", "rekening", "rekeningnaam", "iban bban",
        "kontonamn", "kontonavn", "tili", "tilin nimi", "rachunek", "nazwa rachunku", "ucet",
        "nazev uctu", "szamla", "szamlanev", "szamla neve", "hesap", "hesap adi", "cont",
        "nume cont", "nazov uctu", "счет", "рахунок", "口座", "账户",
    ]),
    (Account, 1, &[
        "account number", "account no", "numero de compte", "numero de cuenta", "szamlaszam",
        "numer rachunku", "cislo uctu", "hesap no", "numar cont", "compte num",
    ]),
    (CurrencyRole, 0, &[
        "currency", "currency code", "ccy", "curr", "account currency", "transaction currency",
        "wahrung", "waehrung", "devise", "monnaie", "moneda", "divisa", "moeda", "divisa conta",
        "muntsoort", "munteenheid", "munt", "valutakod", "valutakode", "valuutta", "waluta",
        "waluta rachunku", "mena", "mena uctu", "penznem", "deviza", "deviznem", "para birimi",
        "doviz", "doviz cinsi", "valiuta", "валюта", "νομισμα", "通貨", "货币",
    ]),
    // In German, Czech and Swedish files sometimes a value date: the cells decide.
    (CurrencyRole, 1, &["valuta"]),
    (Direction, 0, &[
        "direction", "debit credit", "credit debit", "dr cr", "cr dr", "debit or credit",
        "credit or debit", "credit debit indicator", "debit credit indicator", "d c", "c d",
        "credit debit code", "debit credit code", "transaction type", "cd indicator",
        "soll haben", "s h", "umsatztyp", "sollhaben kennzeichen", "soll haben kennzeichen",
        "sens", "sens operation", "debe haber", "cargo abono", "dare avere", "segno",
        "debito credito", "af bij", "bij af", "debet credit", "debet kredit", "wn ma", "ma wn",
        "strona", "terheles jovairas", "borc alacak", "b a",
    ]),
    (Direction, 1, &["type", "typ", "art", "tipo", "tipus", "tyyppi", "tur", "tip", "sign"]),
    (ExternalId, 0, &[
        "transaction id", "transactionid", "trans id", "txn id", "fitid", "fit id", "external id",
        "unique id", "unique transaction id", "bank transaction id", "transferwise id", "entry id",
        "transaktions id", "transaktionsid", "umsatz id", "id transaction", "id operation",
        "id de transaction", "id transaccion", "id operacion", "id transazione", "id operazione",
        "id transacao", "transactie id", "volgnr", "transactienummer",
        "arkistointitunnus", "arkiveringsreferens", "arkivreferanse", "arkivref",
        "id operacji", "id transakcji", "id transakce", "id pohybu", "id operace",
        "id transakcie", "tranzakcio azonosito", "tranzakcioazonosito", "islem no", "dekont no",
        "id tranzactie",
    ]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_listed_once_and_in_folded_form() {
        let mut seen = HashMap::new();
        for (role, _, names) in NAMES {
            for name in *names {
                assert_eq!(known_key(name), *name, "not folded");
                assert_eq!(seen.insert(*name, *role), None, "{name} is listed twice");
            }
        }
    }

    #[test]
    fn folding_drops_accents_case_and_punctuation() {
        for (header, key) in [
            ("Date d'opération", "date d operation"),
            ("  DATE__d-Operation*  ", "date d operation"),
            ("#Data księgowania", "data ksiegowania"),
            ("Begünstigter/Zahlungspflichtiger", "begunstigter zahlungspflichtiger"),
            ("Zahlungsempfänger*in", "zahlungsempfangerin"),
            ("İşlem Tutarı", "islem tutari"),
            ("Bogført", "bogfort"),
            ("Indtægt", "indtaegt"),
            ("Dr.", "dr"),
            ("***", ""),
        ] {
            assert_eq!(known_key(header), key, "{header}");
        }
    }

    #[test]
    fn currencies_and_brackets_after_a_name_do_not_hide_it() {
        for header in ["Betrag (EUR)", "Betrag in EUR", "Betrag €", "Amount [USD]", "Amount GBP"]
        {
            assert_eq!(known(header).map(|(role, _)| role), Some(Role::Amount), "{header}");
        }
        assert_eq!(known("Débit euros").map(|(role, _)| role), Some(Role::Debit));
        assert_eq!(known("Balance"), None);
        assert_eq!(known("(EUR)"), None);
        assert_eq!(known(""), None);
    }
}
