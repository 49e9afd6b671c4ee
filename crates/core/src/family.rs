//! Settings of a family: how they are read from a request.
//!
//! The language, the date format and the country are preferences that clients store here. They
//! don't change how amounts and dates are written in answers. The first day of the month decides
//! which days a budget covers.

use crate::error::Problems;
use crate::text::date::DateFormat;

/// A family's months may begin on the 28th at the latest: every month has that day.
pub const MONTH_START_DAY_MAX: i8 = 28;
/// Characters of the name of a language.
const LOCALE_CHARS_MAX: usize = 20;
/// Characters of a pattern for dates.
const DATE_FORMAT_CHARS_MAX: usize = 40;

/// The countries of ISO 3166.
const COUNTRIES: &str = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI \
    BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY \
    CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN \
    GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH \
    KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO \
    MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL \
    PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV \
    SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN \
    VU WF WS YE YT ZA ZM ZW";

/// A language such as `en` or `pt-BR`, with a hyphen.
pub fn locale(text: &str, problems: &mut Problems) -> Option<String> {
    let text = text.trim().replace('_', "-");
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    let is_language =
        (2..=3).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_lowercase());
    let are_parts = parts.all(|part| {
        (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if is_language && are_parts && text.len() <= LOCALE_CHARS_MAX {
        return Some(text);
    }
    problems.field("locale", "must be the name of a language such as en or pt-BR");
    None
}

/// A strftime pattern that names a whole date, as imports take it.
pub fn date_format(text: &str, problems: &mut Problems) -> Option<String> {
    let text = text.trim();
    if text.len() <= DATE_FORMAT_CHARS_MAX && DateFormat::new(text).is_ok() {
        return Some(text.to_owned());
    }
    problems.field(
        "date_format",
        "must be a strftime pattern that names a whole date such as %d.%m.%Y",
    );
    None
}

/// A country's code, in capitals.
pub fn country(text: &str, problems: &mut Problems) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    if code.len() == 2 && COUNTRIES.split_whitespace().any(|known| known == code) {
        return Some(code);
    }
    problems.field("country", "must be a code of ISO 3166 such as DE");
    None
}

/// The day on which the family's months begin.
pub fn month_start_day(text: &str, problems: &mut Problems) -> Option<i8> {
    let day = text.trim().parse().ok().filter(|day| (1..=MONTH_START_DAY_MAX).contains(day));
    if day.is_none() {
        let predicate = format!("must be a whole number from 1 to {MONTH_START_DAY_MAX}");
        problems.field("month_start_day", predicate);
    }
    day
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preferences_are_known_ones() {
        let mut problems = Problems::new();
        assert_eq!(locale(" pt_BR", &mut problems).as_deref(), Some("pt-BR"));
        assert_eq!(locale("zh-Hant-TW", &mut problems).as_deref(), Some("zh-Hant-TW"));
        assert_eq!(date_format("%d/%m/%Y", &mut problems).as_deref(), Some("%d/%m/%Y"));
        assert_eq!(country("de", &mut problems).as_deref(), Some("DE"));
        assert_eq!(month_start_day("28", &mut problems), Some(28));
        assert!(problems.is_empty());
        assert!(COUNTRIES.split_whitespace().is_sorted_by(|a, b| a < b));
        assert_eq!(COUNTRIES.split_whitespace().count(), 249);
    }

    #[test]
    fn others_are_refused() {
        let refused = |read: fn(&str, &mut Problems) -> bool, texts: &[&str]| {
            for text in texts {
                let mut problems = Problems::new();
                assert!(!read(text, &mut problems), "{text}");
                assert_eq!(problems.into_list().len(), 1, "{text}");
            }
        };
        refused(
            |text, problems| locale(text, problems).is_some(),
            &["", "e", "EN", "en-", "en us"],
        );
        refused(|text, problems| date_format(text, problems).is_some(), &["", "%d", "today"]);
        refused(|text, problems| country(text, problems).is_some(), &["", "D", "ZZ", "DEU", "ÄÖ"]);
        refused(|text, problems| month_start_day(text, problems).is_some(), &["0", "29", "x", ""]);
    }
}
