//! What an account is, by the words that programs, banks and people use for it.
//!
//! A word is here only if it means one type in every language that has it: `credit` is a card for
//! some and a loan for others, `konto` is any account. Words that aren't here are a question.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::import::transaction::header_names::known_key;
use crate::ledger::account::AccountType;

/// The type that a word means, and the subtype if the word is narrower than the type.
pub(crate) type Meaning = (AccountType, Option<&'static str>);

/// What a text means: the name of a type in any spelling, a subtype, or a common word.
pub(crate) fn meaning(text: &str) -> Option<Meaning> {
    static MEANINGS: LazyLock<HashMap<String, Meaning>> = LazyLock::new(|| {
        let words = WORDS.iter().flat_map(|(account_type, subtype, words)| {
            words.iter().map(|word| (key(word), (*account_type, *subtype)))
        });
        let types = AccountType::ALL.iter().map(|one| (key(one.as_str()), (*one, None)));
        words.chain(types).collect()
    });
    MEANINGS.get(&key(text)).copied()
}

/// Without case, accents, punctuation and spaces: `CreditCard` is `credit_card`.
fn key(text: &str) -> String {
    known_key(text).replace(' ', "")
}

use AccountType::{
    CreditCard, Crypto, Depository, Investment, Loan, OtherAsset, OtherLiability, Property, Vehicle,
};

#[rustfmt::skip]
const WORDS: [(AccountType, Option<&str>, &[&str]); 31] = [
    (Depository, None, &[
        "bank", "bank account", "deposit account", "bankkonto", "compte bancaire",
        "cuenta bancaria", "conto bancario", "conta bancária", "bankrekening", "konto bankowe",
        "rachunek bankowy", "bankovní účet", "銀行口座", "银行账户", "банковский счет",
    ]),
    (Depository, Some("checking"), &[
        "checking", "checking account", "chequing", "chequing account", "cheque account",
        "current account", "transaction account", "everyday account", "girokonto", "giro",
        "kontokorrent", "kontokorrentkonto", "privatkonto", "lohnkonto", "gehaltskonto",
        "compte courant", "compte chèque", "compte chèques", "compte à vue", "cuenta corriente",
        "cuenta nómina", "conto corrente", "conta corrente", "conta à ordem", "betaalrekening",
        "zichtrekening", "lopende rekening", "rachunek bieżący", "konto osobiste", "ror",
        "běžný účet", "bežný účet", "lönekonto", "lønkonto", "lønnskonto", "brukskonto",
        "transaktionskonto", "käyttötili", "folyószámla", "cont curent", "tekući račun",
        "vadesiz hesap", "текущий счет", "расчетный счет", "поточний рахунок", "当座預金", "活期账户",
    ]),
    (Depository, Some("savings"), &[
        "savings", "saving", "savings account", "sparkonto", "sparbuch", "tagesgeld",
        "tagesgeldkonto", "compte épargne", "épargne", "livret", "livret a",
        "cuenta de ahorro", "cuenta de ahorros", "ahorro", "ahorros", "conto di risparmio",
        "conto risparmio", "conto deposito", "libretto di risparmio", "conta poupança", "poupança",
        "spaarrekening", "konto oszczędnościowe", "spořicí účet", "sporiaci účet", "opsparing",
        "opsparingskonto", "sparekonto", "säästötili", "megtakarítási számla",
        "cont de economii", "štedni račun", "tasarruf hesabı", "сберегательный счет",
        "накопительный счет", "普通預金", "储蓄账户", "저축예금",
    ]),
    (Depository, Some("money_market"), &["money market", "money market account"]),
    (Depository, Some("cd"), &[
        "cd", "certificate of deposit", "time deposit", "term deposit", "fixed deposit",
        "festgeld", "festgeldkonto", "termingeld", "compte à terme", "depósito a plazo",
        "depósito a prazo", "termínovaný vklad", "定期預金", "定期存款",
    ]),
    (Depository, Some("cash"), &[
        "cash", "petty cash", "bargeld", "portemonnaie", "espèces", "efectivo", "contanti",
        "dinheiro", "contanten", "gotówka", "hotovost", "kontanter", "käteinen", "készpénz",
        "numerar", "gotovina", "nakit", "наличные", "готівка", "現金", "现金", "현금",
    ]),
    (Depository, Some("hsa"), &["hsa", "health savings account"]),
    (CreditCard, None, &[
        "credit cards", "creditcard account", "credit card account", "charge card", "kreditkarte",
        "kreditkartenkonto", "carte de crédit", "tarjeta de crédito", "carta di credito",
        "cartão de crédito", "creditcard", "kredietkaart", "karta kredytowa", "kreditní karta",
        "kreditná karta", "kreditkort", "luottokortti", "hitelkártya", "card de credit",
        "kreditna kartica", "kredi kartı", "кредитная карта", "кредитна картка", "ccard",
        "クレジットカード", "信用卡", "신용카드",
    ]),
    (Investment, None, &[
        "investments", "investment account", "investing", "anlagekonto", "geldanlage",
        "placements", "inversión", "inversiones", "investimento", "investimenti", "investimentos",
        "belegging", "beleggingen", "beleggingsrekening", "inwestycje", "investice",
        "investeringar", "investeringer", "sijoitukset", "befektetés", "investiții", "yatırım",
        "инвестиции", "инвестиционный счет", "投資", "投资账户", "투자", "invst", "port",
    ]),
    (Investment, Some("brokerage"), &[
        "brokerage", "brokerage account", "depot", "wertpapierdepot", "aktiendepot",
        "compte titres", "compte-titres", "cuenta de valores", "deposito titoli",
        "effectenrekening", "rachunek maklerski", "aktiedepå", "aktiedepot",
        "брокерский счет", "証券口座", "证券账户",
    ]),
    (Investment, Some("mutual_fund"), &["mutual", "mutual fund", "mutual funds"]),
    (Investment, Some("401k"), &["401k", "401(k)"]),
    (Investment, Some("403b"), &["403b", "403(b)"]),
    (Investment, Some("ira"), &["ira", "traditional ira", "individual retirement account"]),
    (Investment, Some("roth_ira"), &["roth ira", "roth"]),
    (Investment, Some("529_plan"), &["529", "529 plan"]),
    (Investment, Some("tfsa"), &["tfsa"]),
    (Investment, Some("rrsp"), &["rrsp"]),
    (Investment, Some("pension"), &[
        "pension", "retirement", "retirement account", "altersvorsorge", "retraite",
        "plan de pensiones", "fondo pensione", "pensioen", "emerytura", "penzijní spoření",
    ]),
    (Crypto, None, &[
        "cryptocurrency", "crypto currency", "crypto wallet", "crypto account", "krypto",
        "kryptowährung", "kryptowährungen", "cryptomonnaie", "criptomoneda", "criptomonedas",
        "criptovaluta", "criptovalute", "criptomoeda", "kryptowaluta", "kryptowaluty",
        "kryptoměna", "kryptovaluta", "криптовалюта", "暗号資産", "加密货币", "암호화폐",
    ]),
    (Loan, None, &[
        "loans", "darlehen", "prêt", "emprunt", "préstamo", "préstamos", "prestito", "empréstimo",
        "lening", "pożyczka", "půjčka", "pôžička", "lån", "laina", "kölcsön", "împrumut", "zajam",
        "ссуда", "кредитный счет", "позика", "ローン", "贷款", "대출",
    ]),
    (Loan, Some("mortgage"), &[
        "mortgage", "home loan", "hypothek", "hypothekendarlehen", "baufinanzierung",
        "immobilienkredit", "prêt immobilier", "hypothèque", "hipoteca", "mutuo",
        "hypotheek", "kredyt hipoteczny", "hipoteka", "hypotéka", "bolån", "boliglån",
        "asuntolaina", "jelzálog", "ipotecă", "ипотека", "іпотека", "住宅ローン", "房贷",
    ]),
    (Loan, Some("student"), &[
        "student loan", "studienkredit", "prêt étudiant", "préstamo estudiantil", "studielening",
    ]),
    (Loan, Some("auto"), &["auto loan", "car loan", "autokredit", "prêt auto"]),
    (Property, None, &[
        "properties", "real estate", "house", "home", "apartment", "flat", "condo", "land",
        "immobilie", "immobilien", "haus", "wohnung", "eigentumswohnung", "grundstück",
        "immobilier", "bien immobilier", "maison", "appartement", "inmueble", "inmuebles",
        "vivienda", "immobile", "immobili", "imóvel", "imóveis", "vastgoed", "woning",
        "nieruchomość", "nieruchomości", "nemovitost", "nehnuteľnosť", "fastighet", "bolig",
        "eiendom", "kiinteistö", "ingatlan", "imobil", "nekretnina", "gayrimenkul",
        "недвижимость", "нерухомість", "不動産", "房产", "부동산",
    ]),
    (Vehicle, None, &[
        "vehicles", "car", "automobile", "motorcycle", "motorbike", "truck", "boat", "fahrzeug",
        "fahrzeuge", "kfz", "pkw", "motorrad", "véhicule", "voiture", "vehículo", "coche",
        "veicolo", "automobile", "veículo", "carro", "voertuig", "pojazd", "samochód", "vozidlo",
        "fordon", "bil", "kjøretøy", "køretøj", "ajoneuvo", "jármű", "vehicul", "vozilo", "araç",
        "автомобиль", "транспорт", "автомобіль", "自動車", "汽车", "자동차",
    ]),
    (OtherAsset, None, &[
        "other assets", "asset", "assets", "sonstiger vermögenswert", "sonstige vermögenswerte",
        "vermögenswert", "vermögenswerte", "autre actif", "autres actifs", "otro activo",
        "otros activos", "altra attività", "outro ativo", "outros ativos", "overige bezittingen",
        "inne aktywa", "oth a", "valuables", "wertsachen", "прочие активы",
    ]),
    (OtherLiability, None, &[
        "other liabilities", "liability", "liabilities", "debt", "sonstige verbindlichkeit",
        "sonstige verbindlichkeiten", "verbindlichkeit", "verbindlichkeiten", "schulden",
        "autre passif", "autres passifs", "dette", "dettes", "otro pasivo", "otros pasivos",
        "pasivo", "deuda", "deudas", "altra passività", "passività", "outro passivo", "dívida",
        "dívidas", "schuld", "inne zobowiązania", "zobowiązanie", "oth l", "oth s", "долг", "прочие долги",
    ]),
    (Investment, Some("isa"), &["isa", "stocks and shares isa"]),
    (Investment, Some("sipp"), &["sipp"]),
    (Investment, Some("pea"), &["pea", "plan d'épargne en actions"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_means_two_things() {
        let mut known: HashMap<String, Meaning> = HashMap::new();
        for (account_type, subtype, words) in WORDS {
            for word in words {
                let meaning = (account_type, subtype);
                let before = known.insert(key(word), meaning);
                assert!(before.is_none_or(|before| before == meaning), "{word}");
                assert!(!key(word).is_empty(), "{word}");
            }
        }
        for one in AccountType::ALL {
            let before = known.get(&key(one.as_str()));
            assert!(before.is_none_or(|(known, _)| known == one), "{one:?}");
        }
    }

    #[test]
    fn types_subtypes_and_words_are_known_in_any_spelling() {
        for (text, expected) in [
            ("Depository", (Depository, None)),
            ("CreditCard", (CreditCard, None)),
            ("credit card", (CreditCard, None)),
            ("CREDIT_CARD", (CreditCard, None)),
            ("OtherLiability", (OtherLiability, None)),
            ("other asset", (OtherAsset, None)),
            (" Checking ", (Depository, Some("checking"))),
            ("Girokonto", (Depository, Some("checking"))),
            ("COMPTE CHÈQUES", (Depository, Some("checking"))),
            ("compte cheques", (Depository, Some("checking"))),
            ("Lønkonto", (Depository, Some("checking"))),
            ("poupanca", (Depository, Some("savings"))),
            ("401(k)", (Investment, Some("401k"))),
            ("Hypothek", (Loan, Some("mortgage"))),
            ("кредитная карта", (CreditCard, None)),
            ("クレジットカード", (CreditCard, None)),
            ("Immobilie", (Property, None)),
            ("Vehicle", (Vehicle, None)),
            ("crypto", (Crypto, None)),
        ] {
            assert_eq!(meaning(text), Some(expected), "{text}");
        }
        for text in ["", "Konto", "Credit", "Kredit", "Account", "Card", "Debit", "Wallet", "x"] {
            assert_eq!(meaning(text), None, "{text}");
        }
    }
}
