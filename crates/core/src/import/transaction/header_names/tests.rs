use super::*;

#[test]
fn every_name_is_listed_once_and_none_means_two_things() {
    let mut seen = HashMap::new();
    let mut plain = HashMap::new();
    let mut alone = HashMap::new();
    for (name, (role, _)) in names() {
        let key = known_key(name);
        assert!(!key.is_empty(), "{name}");
        let letters = plain_letters(&key);
        assert_eq!(*plain.entry(letters).or_insert(role), role, "{name} in plain letters");
        if let Some(letters) = letters_alone(&key) {
            assert_eq!(*alone.entry(letters).or_insert(role), role, "{name} in letters alone");
        }
        assert_eq!(seen.insert(key, role), None, "{name} is listed twice");
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
fn letters_of_plain_keyboards_are_understood() {
    for (header, role) in [
        ("Zahlungsempfaenger", Role::Payee),
        ("Beguenstigter / Auftraggeber", Role::Payee),
        ("Haendler", Role::Payee),
        ("Schlagwoerter", Role::Tags),
        ("Beloeb", Role::Amount),
        ("Bogfoert", Role::Date),
        ("Haevet", Role::Debit),
        ("Insaettning", Role::Credit),
        ("Kontowaehrung", Role::Currency),
    ] {
        assert_eq!(known(header).map(|(role, _)| role), Some(role), "{header}");
    }
}

#[test]
fn currencies_and_brackets_after_a_name_do_not_hide_it() {
    let (eur, usd) = (Some(Currency::EUR), Some(Currency::USD));
    for (header, currency) in [
        ("Betrag (EUR)", eur),
        ("Betrag in EUR", eur),
        ("Betrag €", eur),
        ("Betrag (€)", eur),
        ("Määrä EUROA", eur),
        ("Amount [USD]", usd),
        ("Amount USD", usd),
        ("Amount (in US$)", None),
        ("Amount ($)", None),
        ("Amount", None),
        ("金額（円）", Currency::parse("JPY")),
        ("Kwota w PLN", Currency::parse("PLN")),
        ("Сума в валюті картки (UAH)", Currency::parse("UAH")),
    ] {
        assert_eq!(known(header).map(|(role, _)| role), Some(Role::Amount), "{header}");
        assert_eq!(currency_in(header), currency, "{header}");
    }
    assert_eq!(known("Débit euros").map(|(role, _)| role), Some(Role::Debit));
    for header in [
        "Balance",
        "Saldo (EUR)",
        "Solde",
        "Stav",
        "Остаток",
        "残高",
        "Amount (Foreign Currency)",
        "Betrag (Fremdwährung)",
        "Originalbetrag",
        "Original amount",
        "Fee",
        "(EUR)",
        "",
    ] {
        assert_eq!(known(header), None, "{header}");
    }
}

#[test]
fn what_was_booked_comes_before_what_was_paid_abroad() {
    let rank = |header| known(header).unwrap().1;
    assert!(rank("Kwota w walucie rachunku") < rank("Kwota"));
    assert!(rank("Kwota") < rank("Kwota operacji"));
    assert!(rank("Сумма платежа") < rank("Сумма операции"));
    assert!(rank("Account currency") < rank("Currency"));
}

/// For each language a name of: date, value date, amount, debit, credit, other party, description,
/// category, notes, account, currency, id, direction. As people write them.
#[rustfmt::skip]
const NAMES_BY_LANGUAGE: [&str; 27] = [
    "Booking date|Value date|Amount|Money out|Money in|Payee|Description|Category|Notes|Account|\
     Currency|Transaction ID|Debit/Credit",
    "Buchungstag|Wertstellung|Betrag|Soll|Haben|Empfänger|Beschreibung|Kategorie|Notiz|Konto|\
     Währung|Transaktions-ID|Soll/Haben",
    "Date comptable|Date de valeur|Montant|Débit|Crédit|Bénéficiaire|Libellé|Catégorie|\
     Commentaire|Compte|Devise|Numéro de transaction|Sens",
    "Fecha contable|Fecha valor|Importe|Cargo|Abono|Beneficiario|Concepto|Categoría|\
     Observaciones|Cuenta|Divisa|Número de operación|Debe/Haber",
    "Data contabile|Data valuta|Importo|Dare|Avere|Controparte|Descrizione|Categoria|Note|Conto|\
     Divisa|ID transazione|Segno",
    "Data do lançamento|Data valor|Montante|Débito|Crédito|Destinatário|Descrição|Categoria|\
     Observações|Conta|Moeda|ID da transação|Débito/Crédito",
    "Boekdatum|Rentedatum|Bedrag|Af|Bij|Tegenpartij|Omschrijving|Categorie|Opmerkingen|Rekening|\
     Munt|Transactienummer|Af Bij",
    "Data księgowania|Data waluty|Kwota|Obciążenia|Uznania|Odbiorca|Opis operacji|Kategoria|\
     Uwagi|Rachunek|Waluta|Numer transakcji|Strona",
    "Datum zaúčtování|Datum valuty|Částka|Výdaje|Příjmy|Protistrana|Popis|Kategorie|Poznámka|\
     Účet|Měna|ID transakce|Směr platby",
    "Dátum zaúčtovania|Dátum valuty|Suma|Výdavky|Príjmy|Príjemca|Popis transakcie|Kategória|\
     Poznámka|Názov účtu|Mena|ID transakcie|Príjem/Výdaj",
    "Bokföringsdag|Valutadag|Belopp|Uttag|Insättning|Mottagare|Beskrivning|Kategori|Anteckning|\
     Kontonamn|Valutakod|Transaktionsnummer|In/Ut",
    "Bogføringsdato|Rentedato|Beløb|Udgift|Indtægt|Modtager|Posteringstekst|Kategori|Noter|\
     Kontonavn|Valutakode|Transaktions-id|Ind/Ud",
    "Bokført dato|Rentedato|Beløp|Ut fra konto|Inn på konto|Mottaker|Forklaring|Kategori|\
     Merknad|Kontonavn|Valutakode|Transaksjons-ID|Inn/Ut",
    "Kirjauspäivä|Arvopäivä|Määrä|Otto|Pano|Saaja|Selite|Luokka|Muistiinpano|Tili|Valuutta|\
     Arkistointitunnus|Panot/Otot",
    "Könyvelés dátuma|Értéknap|Összeg|Terhelés|Jóváírás|Kedvezményezett|Megnevezés|Kategória|\
     Megjegyzés|Számla|Devizanem|Tranzakció azonosító|Irány",
    "Muhasebe Tarihi|Valör Tarihi|Tutar|Borç|Alacak|Alıcı|Açıklama|Kategori|Notlar|Hesap|\
     Para Birimi|İşlem No|Borç/Alacak",
    "Data înregistrării|Data valutei|Valoare|Ieșiri|Intrări|Beneficiar|Descriere|Categorie|\
     Observații|Cont|Monedă|ID tranzacție|Debit sau Credit",
    "Дата проводки|Дата валютирования|Сумма|Расход|Приход|Получатель|Описание|Категория|\
     Комментарий|Счёт|Валюта|Номер операции|Приход/Расход",
    "Дата проведення|Дата валютування|Сума|Витрата|Надходження|Отримувач|Опис|Категорія|\
     Коментар|Рахунок|Валюта|Номер операції|Напрямок",
    "計上日|起算日|金額|出金|入金|取引先|摘要|カテゴリ|メモ|口座|通貨|取引番号|入出金",
    "记账日期|起息日|金额|支出|收入|交易对方|摘要|分类|备注|账户|币种|交易号|收/支",
    "תאריך רישום|תאריך ערך|סכום|חובה|זכות|שם בית העסק|תיאור|קטגוריה|הערות|חשבון|מטבע|מספר פעולה|זכות/חובה",
    "تاريخ القيد|تاريخ القيمة|المبلغ|مدين|دائن|المستفيد|البيان|الفئة|ملاحظات|الحساب|العملة|رقم العملية|مدين/دائن",
    "วันที่ลงรายการ|วันที่มีผล|จำนวนเงิน|ถอนเงิน|ฝากเงิน|ผู้รับเงิน|รายละเอียด|หมวดหมู่|หมายเหตุ|บัญชี|สกุลเงิน|\
     หมายเลขรายการ|ประเภท",
    "기장일|거래일자|금액|출금금액|입금금액|거래처|적요|분류|메모|계좌명|통화|거래번호|입출금구분",
    "Ngày hạch toán|Ngày hiệu lực|Số tiền|Ghi nợ|Ghi có|Người thụ hưởng|Diễn giải|Danh mục|\
     Ghi chú|Tài khoản|Loại tiền|Mã giao dịch|Loại giao dịch",
    "Tanggal Posting|Tanggal Efektif|Jumlah|Uang Keluar|Uang Masuk|Penerima|Keterangan|Kategori|\
     Catatan|Nama Rekening|Mata Uang|ID Transaksi|Jenis Transaksi",
];

#[test]
fn every_role_has_a_name_in_every_language() {
    let roles = [
        Role::Date,
        Role::Date,
        Role::Amount,
        Role::Debit,
        Role::Credit,
        Role::Payee,
        Role::Description,
        Role::Category,
        Role::Notes,
        Role::Account,
        Role::Currency,
        Role::ExternalId,
        Role::Direction,
    ];
    for names in NAMES_BY_LANGUAGE {
        let names: Vec<&str> = names.split('|').collect();
        assert_eq!(names.len(), roles.len(), "{names:?}");
        for (name, role) in names.iter().zip(roles) {
            assert_eq!(known(name).map(|(role, _)| role), Some(role), "{name}");
            assert_eq!(known(&name.to_uppercase()).map(|(role, _)| role), Some(role), "{name}");
        }
        let rank = |name| known(name).map(|(_, rank)| rank);
        assert!(rank(names[0]) < rank(names[1]), "the booking comes before the value: {names:?}");
    }
}

#[test]
fn spaces_hyphens_and_brackets_do_not_matter() {
    for (header, role) in [
        ("BookingDate", Role::Date),
        ("TRANSACTION-DATE", Role::Date),
        ("Value_Date", Role::Date),
        ("PayeeName", Role::Payee),
        ("DebitAmount", Role::Debit),
        ("Booked (EUR) amount", Role::Amount),
        ("Withdrawal [Dr]", Role::Debit),
        ("Betrag {in €}", Role::Amount),
        ("Date (dd/mm/yyyy)", Role::Date),
    ] {
        assert_eq!(known(header).map(|(role, _)| role), Some(role), "{header}");
    }
    for header in [
        "Amount (fee)",
        "Betrag (Gebühr)",
        "Montant [frais]",
        "Importe (comisión)",
        "Сумма (комиссия)",
        "金額（手数料）",
        "Amount (balance)",
        "Betrag (Saldo)",
        "Amount (foreign currency)",
    ] {
        assert_eq!(known(header), None, "{header}");
    }
}

#[test]
fn what_was_booked_comes_before_what_was_asked_for() {
    let rank = |name| known(name).map(|(_, rank)| rank);
    for names in [
        ["Posted", "Date", "Run Date", "Value Date", "Created", "Requested"],
        ["Date processed", "Fecha", "Fecha de ejecución", "Fecha valor", "Creado el", "Order date"],
        [
            "Verarbeitungsdatum",
            "Datum",
            "Ausführungsdatum",
            "Valutadatum",
            "Erstellt am",
            "Auftragsdatum",
        ],
    ] {
        assert!(names.is_sorted_by(|one, next| rank(one) < rank(next)), "{names:?}");
    }
}
