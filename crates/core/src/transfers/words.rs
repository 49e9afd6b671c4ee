//! Words that show that a text is about a transfer, or about something else.
//!
//! A text is split into words in lower case. Long entries of the lists are stems: they match the
//! beginning of a word, so that one entry covers the forms of inflected and compound languages.
//! Scripts that put no spaces between words are searched as they are. The lists hold what banks
//! write into booking texts; a missing word costs a point of evidence and nothing more.

/// Entries of a list with at least so many characters are stems.
const STEM_CHARS_MIN: usize = 5;

/// Words for money that moves between accounts.
const TRANSFER: &[&str] = &[
    // English
    "transfer",
    "xfer",
    "trf",
    "tfr",
    "roundup",
    "sweep",
    // German
    "überweis",
    "ueberweis",
    "umbuch",
    "übertrag",
    "überträg",
    "uebertrag",
    "kontoübertrag",
    // French
    "virement",
    "virt",
    "vir",
    // Spanish, Portuguese, Italian
    "traspas",
    "transf",
    "transfer",
    "giroconto",
    "bonifico",
    "trasferiment",
    // Dutch
    "overboek",
    "overschrijving",
    "spaaropdracht",
    // Swedish, Danish, Norwegian, Icelandic
    "överför",
    "overfør",
    "överf",
    "millifærsl",
    // Finnish, Estonian
    "tilisiirto",
    "siirto",
    "ülekan",
    // Polish, Czech, Slovak, Slovenian, Croatian
    "przelew",
    "převod",
    "prevod",
    "prijenos",
    "prenos",
    // Hungarian, Romanian, Turkish
    "átutal",
    "átvezet",
    "utalás",
    "virament",
    "virman",
    "havale",
    "eft",
    // Russian, Ukrainian, Bulgarian, Greek
    "перевод",
    "перевед",
    "переказ",
    "превод",
    "μεταφορ",
    "έμβασμα",
    "εμβασμα",
    // Lithuanian, Latvian
    "pervedim",
    "pārskait",
    "parskait",
];

/// Money into a card or a loan; only such an account makes it a transfer.
const PAYMENT: &[&str] = &[
    "payment",
    "autopay",
    "repayment",
    "paydown",
    "installment",
    "instalment",
    "thank",
    "zahlung",
    "abrechnung",
    "kreditkarte",
    "tilgung",
    "einzug",
    "lastschrift",
    "paiement",
    "règlement",
    "reglement",
    "échéance",
    "echeance",
    "prélèvement",
    "pago",
    "pagamento",
    "addebito",
    "betaling",
    "incasso",
    "aflossing",
    "betalning",
    "autogiro",
    "maksu",
    "suoritus",
    "spłat",
    "splat",
    "splátk",
    "platb",
    "törleszt",
    "plată",
    "ödeme",
    "taksit",
    "платеж",
    "платёж",
    "погашен",
    "πληρωμ",
];

/// Something else that the same amount may be.
const OTHER: &[&str] = &[
    // Given back
    "refund",
    "reversal",
    "chargeback",
    "cashback",
    "rebate",
    "erstattung",
    "rückerstattung",
    "rueckerstattung",
    "rückzahlung",
    "storno",
    "rembours",
    "reembolso",
    "devoluc",
    "devoluç",
    "rimborso",
    "terugbetaling",
    "återbetal",
    "tilbagebetal",
    "refusjon",
    "hyvitys",
    "palautus",
    "zwrot",
    "vrácen",
    "vrátk",
    "visszatérít",
    "rambursare",
    "iade",
    "возврат",
    "επιστροφ",
    // Earned
    "salary",
    "payroll",
    "wages",
    "gehalt",
    "lohn",
    "lohnzahlung",
    "besoldung",
    "salaire",
    "paie",
    "nómina",
    "nomina",
    "sueldo",
    "salário",
    "salario",
    "stipendio",
    "salaris",
    "loon",
    "lön",
    "lønn",
    "løn",
    "palkka",
    "wynagrodz",
    "pensja",
    "výplata",
    "mzda",
    "fizetés",
    "munkabér",
    "salariu",
    "maaş",
    "зарплат",
    "заработн",
    "μισθοδοσ",
    // On capital
    "interest",
    "dividend",
    "zinsen",
    "zinsertrag",
    "intérêt",
    "interets",
    "interés",
    "intereses",
    "juros",
    "interessi",
    "rente",
    "ränta",
    "renter",
    "korko",
    "odsetki",
    "úrok",
    "kamat",
    "dobânda",
    "faiz",
    "процент",
    "τόκος",
];

/// Scripts without spaces between words.
const TRANSFER_WITHIN: &[&str] =
    &["振替", "振込", "振り込み", "資金移動", "转账", "轉帳", "轉賬", "转帐", "이체"];
const PAYMENT_WITHIN: &[&str] = &["返済", "引落", "还款", "還款", "상환"];
const OTHER_WITHIN: &[&str] =
    &["返金", "給与", "給料", "利息", "配当", "退款", "工资", "薪資", "환불", "급여", "이자"];

/// Categories that are no evidence in either direction.
const NEUTRAL: &[&str] = &[
    "other",
    "misc",
    "miscellaneous",
    "general",
    "uncategorized",
    "uncategorised",
    "unknown",
    "none",
    "sonstig",
    "allgemein",
    "unkategorisiert",
    "ohne",
    "divers",
    "autre",
    "otros",
    "outros",
    "altro",
    "overig",
    "övrigt",
    "øvrig",
    "annet",
    "muut",
    "inne",
    "ostatní",
    "egyéb",
    "altele",
    "diğer",
    "прочее",
    "другое",
    "その他",
    "其他",
    "기타",
];

/// Categories of transfers, beside those that have a word for one.
const OWN_MONEY: &[&str] = &[
    "saving",
    "sparen",
    "sparrate",
    "rücklage",
    "épargne",
    "ahorro",
    "poupança",
    "risparmi",
    "sparande",
    "opsparing",
    "säästö",
    "oszczędn",
    "spoření",
    "megtakarít",
    "invest",
    "anlage",
    "loan",
    "kredit",
    "darlehen",
    "prêt",
    "préstamo",
    "mutuo",
    "lening",
    "lån",
    "umschicht",
];

/// The words of a text, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words {
    words: Vec<String>,
    whole: String,
}

impl Words {
    /// Takes a text apart.
    pub(super) fn of(text: &str) -> Self {
        let whole = text.to_lowercase();
        let words = whole
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        Self { words, whole }
    }

    /// Whether it speaks of money between accounts.
    pub(super) fn mean_transfer(&self) -> bool {
        self.have(TRANSFER, TRANSFER_WITHIN)
    }

    /// Whether it speaks of paying a debt.
    pub(super) fn mean_payment(&self) -> bool {
        self.have(PAYMENT, PAYMENT_WITHIN)
    }

    /// Whether it speaks of something that is no transfer.
    pub(super) fn mean_other(&self) -> bool {
        self.have(OTHER, OTHER_WITHIN)
    }

    /// For a category: whether it can be a category of transfers, or is no evidence.
    pub(super) fn allow_transfer(&self) -> bool {
        let own = self.mean_transfer() || self.mean_payment() || self.have(OWN_MONEY, &[]);
        (own || self.have(NEUTRAL, NEUTRAL)) && !self.mean_other()
    }

    /// Whether all words of a name are in it, one after the other. A name of less than three
    /// characters is in too many texts.
    pub(super) fn name(&self, name: &Self) -> bool {
        let length: usize = name.words.iter().map(|word| word.chars().count()).sum();
        length >= 3 && self.words.windows(name.words.len()).any(|words| words == name.words)
    }

    fn have(&self, list: &[&str], within: &[&str]) -> bool {
        let in_list = |word: &String| {
            list.iter().any(|entry| {
                let is_stem = entry.chars().count() >= STEM_CHARS_MIN;
                word == entry || (is_stem && word.starts_with(entry))
            })
        };
        self.words.iter().any(in_list) || within.iter().any(|part| self.whole.contains(part))
    }
}
