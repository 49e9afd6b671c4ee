//! Names of columns with taxes that were withheld, beside the amounts.
//!
//! A tax that a price contains, such as VAT, is none of them: nothing of it comes off.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::{find, known_key, named_currency, split_brackets, split_currency};

/// Whether a header is the name of a tax that was withheld.
pub(in crate::import) fn is_tax(header: &str) -> bool {
    // `Tax (EUR)`; a rate is no amount.
    let name = match split_brackets(header) {
        Some((name, inner)) if named_currency(inner.trim()).is_some() => name,
        _ => header.to_owned(),
    };
    let key = known_key(&name);
    let key = split_currency(&key).map_or(key.as_str(), |(name, _)| name);
    !header.contains('%') && find(key).is_none() && (BY_NAME.contains(key) || is_compound(key))
}

/// What columns with these headers have.
pub(in crate::import) fn fees_or_taxes(headers: &[String]) -> &'static str {
    match headers.iter().filter(|header| is_tax(header)).count() {
        0 => "fees",
        taxes if taxes == headers.len() => "taxes",
        _ => "fees and taxes",
    }
}

/// Whether a key is one word, or one that was withheld, that ends with the word for a tax:
/// `Kapitalertragsteuer`, `Dividendbelasting`.
fn is_compound(key: &str) -> bool {
    let word = WITHHELD.iter().find_map(|start| key.strip_prefix(start)).unwrap_or(key);
    !word.contains(' ')
        && ENDINGS.iter().any(|end| word.ends_with(end))
        && !CONTAINED.iter().any(|start| word.starts_with(start))
}

const WITHHELD: [&str; 5] =
    ["einbehaltene ", "abgefuhrte ", "auslandische ", "ingehouden ", "innehallen "];
const ENDINGS: [&str; 5] = ["steuer", "steuern", "belasting", "skatt", "skat"];
/// Taxes that a price contains.
const CONTAINED: [&str; 6] = ["umsatz", "mehrwert", "vor", "versicherung", "omzet", "moms"];

static BY_NAME: LazyLock<HashSet<String>> =
    LazyLock::new(|| NAMES.iter().map(|name| known_key(name)).collect());

#[rustfmt::skip]
const NAMES: &[&str] = &[
    "tax", "taxes", "tax amount", "withholding tax", "withholding taxes", "withholding",
    "tax withheld", "taxes withheld", "withheld tax", "withheld taxes", "tax withholding",
    "tax deducted", "tax deducted at source", "tds", "tax paid", "taxes paid", "total tax",
    "total taxes", "income tax", "capital gains tax", "dividend tax", "interest tax", "source tax",
    "foreign tax", "foreign tax paid", "foreign tax withheld", "federal tax withheld",
    "state tax withheld", "federal withholding", "state withholding", "backup withholding",
    "nra tax", "nra withholding", "us withholding tax", "dividend withholding tax", "stamp duty",
    "kest", "kap st", "solidaritatszuschlag", "soli", "solz",
    "impot", "impots", "impot preleve", "taxe", "taxes prelevees", "prelevement fiscal",
    "prelevements fiscaux", "prelevements sociaux", "prelevement social", "prelevement forfaitaire",
    "retenue a la source", "retenues a la source", "impot a la source", "precompte mobilier",
    "impuesto", "impuestos", "retencion", "retenciones", "retencion fiscal", "retencion irpf",
    "irpf", "isr", "isr retenido", "retencion isr", "impuesto retenido", "retencion en origen",
    "imposta", "imposte", "ritenuta", "ritenute", "ritenuta fiscale", "ritenute fiscali",
    "imposta sostitutiva", "ritenuta d'acconto", "imposte trattenute", "tasse",
    "imposto", "impostos", "imposto retido", "retencao", "retencao na fonte", "imposto de renda",
    "ir retido", "irrf", "irs", "retencao irs", "impostos retidos",
    "roerende voorheffing", "bronheffing", "voorheffing", "avdragen skatt", "utlandsk skatt",
    "utenlandsk skatt", "trukket skatt", "indeholdt skat", "vero", "verot", "lahdevero",
    "ennakonpidatys", "veron pidatys",
    "podatek", "podatek u zrodla", "podatek pobrany", "pobrany podatek", "podatek dochodowy",
    "dan", "srazkova dan", "dan z prijmu", "zrazkova dan", "porez", "porez po odbitku",
    "ado", "forrasado", "kamatado", "levont ado", "vergi", "stopaj", "gelir vergisi", "impozit",
    "impozit retinut", "impozit pe venit",
    "налог", "налоги", "ндфл", "удержанный налог", "налог удержан", "налог у источника",
    "податок", "податки", "пдфо", "військовий збір", "утриманий податок", "φορος", "φορος τοκων",
    "παρακρατηση φορου", "παρακρατηθεις φορος",
    "源泉徴収税", "源泉徴収税額", "源泉税", "所得税", "国税", "地方税", "住民税", "税金", "譲渡益税",
    "预扣税", "預扣稅", "利息税", "红利税", "所得稅", "代扣税", "세금", "원천징수", "원천징수세액", "소득세",
    "지방소득세", "ניכוי מס", "מס במקור", "מס רווחי הון", "ضريبة", "ภาษี", "ภาษีหัก ณ ที่จ่าย",
    "thuế", "thuế thu nhập", "pajak", "pph",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn withheld_taxes_are_known_and_those_in_a_price_are_not() {
        for header in [
            "Tax",
            "Taxes (EUR)",
            "Withholding tax",
            "tax_withheld",
            "Kapitalertragsteuer",
            "Kirchensteuer EUR",
            "Einbehaltene Quellensteuer",
            "Retención",
            "Ritenuta d'acconto",
            "Dividendbelasting",
            "Källskatt",
            "Lähdevero",
            "Налог",
        ] {
            assert!(is_tax(header), "{header}");
        }
        for header in [
            "VAT",
            "MwSt",
            "Umsatzsteuer",
            "Vorsteuer",
            "Sales tax",
            "Tax rate",
            "Tax %",
            "Tax (%)",
            "Tax code",
            "Steuernummer",
            "Steuersatz",
            "Tax year",
            "Amount before tax",
            "Taxable",
            "Amount",
            "TVA",
            "IVA",
            "Betrag vor Steuer",
            "",
        ] {
            assert!(!is_tax(header), "{header}");
        }
    }
}
