//! Words that stand beside a balance or a total and leave it one: days, periods, what it counts.

/// Words that stand beside a day or an amount.
#[rustfmt::skip]
pub(super) const BESIDE: &[&str] = &[
    "as", "of", "on", "at", "per", "from", "to", "am", "vom", "zum", "im", "au", "du", "le", "al",
    "a", "del", "de", "dia", "em", "op", "van", "den", "pr", "pa", "dato", "na", "dzien", "k",
    "ke", "dni", "ku", "dnu", "la", "data", "на", "за", "dnia", "do", "the", "eur", "usd", "gbp",
    "chf", "pln", "czk", "sek", "nok", "dkk", "huf", "ron", "try", "rub", "uah", "cad", "aud",
    "brl", "account", "konto", "compte", "cuenta", "conto",
];

/// Words before the day of a balance, but not before the day on which somebody paid with a card.
#[rustfmt::skip]
pub(super) const AS_OF: &[&str] = &[
    "of", "at", "per", "am", "zum", "au", "al", "a", "em", "op", "pr", "na", "ke", "ku", "la",
    "на",
];

/// Words between the parts of a day.
pub(super) const INSIDE_DAYS: &[&str] = &["de", "del", "di", "of", "the", "г", "р"];

/// The months, and the short forms that don't mean something else.
#[rustfmt::skip]
pub(super) const MONTHS: &[&str] = &[
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "nov", "dec", "januar", "jänner", "februar", "märz", "mai", "juni", "juli",
    "oktober", "dezember", "okt", "dez", "mrz", "janvier", "février", "mars", "avril", "juin",
    "juillet", "août", "septembre", "octobre", "novembre", "décembre", "janv", "févr", "juil",
    "déc", "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
    "setiembre", "octubre", "noviembre", "diciembre", "ene", "abr", "ago", "dic", "gennaio",
    "febbraio", "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre", "gen",
    "mag", "giu", "lug", "set", "ott", "janeiro", "fevereiro", "março", "maio", "junho", "julho",
    "setembro", "outubro", "novembro", "dezembro", "fev", "out", "januari", "februari", "maart",
    "mei", "augustus", "augusti", "maj", "juuli", "tammikuu", "helmikuu", "maaliskuu", "huhtikuu",
    "toukokuu", "kesäkuu", "heinäkuu", "elokuu", "syyskuu", "lokakuu", "marraskuu", "joulukuu",
    "styczeń", "stycznia", "luty", "lutego", "marzec", "marca", "kwiecień", "kwietnia", "maja",
    "czerwiec", "czerwca", "lipiec", "lipca", "sierpień", "sierpnia", "wrzesień", "września",
    "październik", "października", "listopad", "listopada", "grudzień", "grudnia", "leden",
    "ledna", "únor", "února", "březen", "března", "duben", "dubna", "květen", "května", "červen",
    "června", "červenec", "července", "srpen", "srpna", "září", "říjen", "října", "listopadu",
    "prosinec", "prosince", "január", "februára", "januára", "apríl", "apríla", "máj", "mája",
    "jún", "júna", "júl", "júla", "augusta", "septembra", "októbra", "novembra", "decembra",
    "február", "március", "április", "május", "június", "július", "augusztus", "szeptember",
    "október", "ianuarie", "februarie", "martie", "aprilie", "iunie", "iulie", "septembrie",
    "octombrie", "noiembrie", "decembrie", "siječanj", "siječnja", "veljača", "veljače", "ožujak",
    "ožujka", "travanj", "travnja", "svibanj", "svibnja", "lipanj", "lipnja", "srpanj", "srpnja",
    "kolovoz", "kolovoza", "rujan", "rujna", "listopada", "studeni", "studenoga", "prosinac",
    "prosinca", "ocak", "şubat", "mart", "nisan", "mayıs", "haziran", "temmuz", "ağustos", "eylül",
    "ekim", "kasım", "aralık", "январь", "января", "февраль", "февраля", "март", "марта", "апрель",
    "апреля", "май", "мая", "июнь", "июня", "июль", "июля", "август", "августа", "сентябрь",
    "сентября", "октябрь", "октября", "ноябрь", "ноября", "декабрь", "декабря", "січень", "січня",
    "лютий", "лютого", "березень", "березня", "квітень", "квітня", "травень", "травня", "червень",
    "червня", "липень", "липня", "серпень", "серпня", "вересень", "вересня", "жовтень", "жовтня",
    "листопад", "листопада", "грудень", "грудня", "ιανουαριου", "φεβρουαριου", "μαρτιου",
    "απριλιου", "μαιου", "ιουνιου", "ιουλιου", "αυγουστου", "σεπτεμβριου", "οκτωβριου",
    "νοεμβριου", "δεκεμβριου", "ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט",
    "ספטמבר", "אוקטובר", "נובמבר", "דצמבר", "يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو",
    "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر", "jaanuar", "veebruar", "märts",
    "aprill", "oktoober", "detsember", "janvaris", "sausio", "agustus", "maret", "desember",
    "tháng",
];

/// What a balance or a total counts, and for which period.
#[rustfmt::skip]
pub(super) const QUALIFIERS: &[&str] = &[
    // In favour of the account, or against it.
    "credit", "debit", "cr", "dr", "créditeur", "débiteur", "acreedor", "deudor", "credor",
    "devedor", "creditore", "debitore", "haben", "soll", "kredit", "debet", "debetsaldo",
    "creditsaldo", "negative", "positive", "négatif", "positif", "negativo", "positivo",
    // What it is a balance of.
    "available", "disponible", "disponible", "disponível", "disponibile", "disponibil",
    "verfügbar", "verfügbarer", "beschikbaar", "tillgängligt", "disponibelt", "tilgængelig",
    "tilgjengelig", "dostępne", "dostępny", "dostupny", "disponibilny", "elérhető",
    "kullanılabilir", "доступный", "доступно", "ledger", "book", "booked", "contable", "contabile",
    "contábil", "contabil", "contabilistico", "comptable", "gebucht", "gebuchter", "księgowe",
    "účetní", "účtovný", "könyvelt", "cleared", "liquido", "líquido", "real", "réel", "valeur",
    "valuta", "total", "totale", "current", "aktuell", "aktueller", "actual", "actuel", "attuale",
    "atual", "huidig", "bieżące", "aktuální", "aktuálny", "aktuális", "güncel", "текущий",
    "поточний", "trenutno",
    // Of which account.
    "votre", "mon", "your", "my", "ihr", "ihres", "su", "mi", "mio", "suo", "seu", "uw",
    "girokonto", "kontokorrent", "konta", "rachunku", "účtu", "účet", "számla", "hesap", "cont",
    "contului", "conta", "corrente", "corriente", "courant", "rekening", "счета", "счет",
    "рахунку", "tilin", "kontos", "number", "nr", "no", "iban",
    // Of which period.
    "period", "periodo", "período", "période", "periode", "perioden", "zeitraum", "zeitraums",
    "obdobi", "obdobie", "okres", "okresu", "időszak", "dönem", "perioada", "perioadei", "период",
    "периода", "період", "періоду", "razdoblje", "kauden", "month", "monthly", "mes", "mês",
    "mese", "mois", "monat", "monats", "maand", "månad", "måned", "kuukausi", "miesiąc",
    "miesiąca", "měsíc", "měsíce", "mesiac", "mesiaca", "hónap", "ay", "luna", "lunii", "месяц",
    "месяца", "місяць", "місяця", "mjesec", "mjeseca", "day", "daily", "jour", "giorno", "tag",
    "tages", "dag", "den", "dzień", "gün", "zi", "день", "year", "año", "anno", "ano", "année",
    "jahr", "jahres", "jaar", "år", "rok", "roku", "yıl", "год", "года", "рік", "року",
    "statement", "relevé", "estratto", "extracto", "extrato", "auszug", "kontoauszug", "auszugs",
    "rechnungsabschluss", "wyciąg", "wyciągu", "výpis", "výpisu", "kivonat", "ekstre", "afschrift",
    "kontoutdrag", "kontoudskrift", "kontoutskrift", "tiliote", "выписки", "виписки", "izvod",
    // Before or after.
    "previous", "prior", "last", "anterior", "précédent", "precedente", "vorig", "vorige",
    "vorheriger", "letzter", "dernier", "último", "ultimo", "ultima", "last", "föregående",
    "forrige", "edellinen", "poprzednie", "poprzedni", "předchozí", "predchádzajúci", "előző",
    "önceki", "предыдущий", "попередній", "new", "old", "neu", "neuer", "alt", "alter", "nouveau",
    "ancien", "nuevo", "nuovo", "novo", "opening", "closing", "starting", "ending", "beginning",
    "initial", "inicial", "iniziale", "final", "finale", "brought", "carried", "forward", "fwd",
    "bfwd", "cfwd", "b", "c", "f", "d", "bf", "cf", "bd", "cd", "bal", "balance", "saldo", "solde",
    "kontostand", "start", "end", "beginn", "anfang", "ende", "début", "fin", "inicio", "início",
    "fim", "inizio", "fine", "apertura", "chiusura", "cierre", "clôture", "ouverture", "abertura",
    "abschluss", "jahresende", "monatsende", "jahresabschluss", "quartal", "quarter", "trimestre",
    "eoy", "eom",
    // What a total sums up.
    "debits", "credits", "débits", "crédits", "débitos", "créditos", "addebiti", "accrediti",
    "transactions", "transaction", "transaktionen", "operations", "opérations", "opération",
    "operaciones", "operazioni", "operações", "operacji", "transakcji", "transakcí", "transakcii",
    "movements", "movimientos", "movimenti", "movimentos", "mouvements", "buchungen", "umsätze",
    "umsatz", "rows", "records", "entries", "items", "lines", "écritures", "amount", "amounts",
    "montant", "importe", "importo", "betrag", "bedrag", "belopp", "kwota", "sum", "summe", "suma",
    "en", "zu", "vid", "ved", "na", "på", "początek", "koniec", "začátku", "začátek", "konci",
    "konec", "begin", "början", "slutet", "årets", "periodens", "månedens", "månadens", "cuenta",
    "all", "alle", "aller", "tous", "toutes", "todos", "tutti", "für", "for", "in", "by", "und",
    "and", "et", "y", "e", "i", "pour", "para", "per", "por", "der", "des", "das", "die", "les",
    "el", "los", "il", "gli", "os", "het", "sur", "su", "sul", "di", "da", "dal", "dos", "das",
    "за", "на", "по", "в", "с", "до", "od", "do", "z", "ze",
];
