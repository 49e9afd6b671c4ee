//! Names of months in the languages of European banks.
//!
//! Names are compared in lower case without accents, because exports lose them (`aout`, `marz`).
//! The table therefore holds plain letters only. No name means two months in the languages that
//! are here; that is why Croatian and Czech (`lip`, `lis`) are not.

use std::sync::LazyLock;

/// The names of the twelve months.
const NAMES: [&str; 12] = [
    "jan january januar janner jaenner jan janvier janv ene enero gen gennaio janeiro januari sty \
     styczen stycznia",
    "feb february februar fevrier fevr fev febrero febbraio fevereiro februari febr lut luty \
     lutego",
    "mar march marz maerz mrz mars marzo marco maart mrt marts marzec marca",
    "apr april avril avr abr abril aprile kwi kwiecien kwietnia",
    "may mai mayo mag maggio maio mei maj maja",
    "jun june juni juin junio giu giugno junho cze czerwiec czerwca",
    "jul july juli juillet juil julio lug luglio julho lip lipiec lipca",
    "aug august aout ago agosto augustus augusti sie sierpien sierpnia",
    "sep sept september septembre septiembre setiembre set sett settembre setembro wrz wrzesien \
     wrzesnia",
    "oct october okt oktober octobre octubre ott ottobre out outubro paz pazdziernik pazdziernika",
    "nov november novembre noviembre novembro lis listopad listopada",
    "dec december dez dezember decembre dic diciembre dicembre dezembro des desember gru grudzien \
     grudnia",
];

/// Every name with its month, sorted.
static SORTED: LazyLock<Vec<(&'static str, i8)>> = LazyLock::new(|| {
    let mut sorted: Vec<_> = (1..)
        .zip(NAMES)
        .flat_map(|(month, names)| names.split_whitespace().map(move |name| (name, month)))
        .collect();
    sorted.sort_unstable();
    sorted.dedup();
    sorted
});

/// Longer than any name.
const NAME_BYTES_MAX: usize = 16;

/// The month that a word names, 1 to 12.
pub(super) fn month(word: &str) -> Option<i8> {
    if let &[a, b, c] = word.as_bytes()
        && let Some(month) = short_english([a, b, c].map(|byte| byte.to_ascii_lowercase()))
    {
        return Some(month);
    }
    let mut buffer = [0; NAME_BYTES_MAX];
    let mut length = 0;
    for c in word.chars() {
        let Some(letter) = plain_letter(c)? else { continue };
        *buffer.get_mut(length)? = letter;
        length += 1;
    }
    let name = buffer.get(..length)?;
    let position = SORTED.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok()?;
    SORTED.get(position).map(|(_, month)| *month)
}

/// The most frequent names without a search.
fn short_english(name: [u8; 3]) -> Option<i8> {
    Some(match &name {
        b"jan" => 1,
        b"feb" => 2,
        b"mar" => 3,
        b"apr" => 4,
        b"may" => 5,
        b"jun" => 6,
        b"jul" => 7,
        b"aug" => 8,
        b"sep" => 9,
        b"oct" => 10,
        b"nov" => 11,
        b"dec" => 12,
        _ => return None,
    })
}

/// The letter in lower case without its accent; nothing for an accent that stands alone.
fn plain_letter(c: char) -> Option<Option<u8>> {
    let letter = match c {
        'a'..='z' | 'A'..='Z' => (c as u8).to_ascii_lowercase(),
        'ä' | 'Ä' | 'á' | 'Á' | 'â' | 'Â' => b'a',
        'ç' | 'Ç' => b'c',
        'é' | 'É' | 'è' | 'È' => b'e',
        'ń' | 'Ń' => b'n',
        'ś' | 'Ś' => b's',
        'û' | 'Û' => b'u',
        'ź' | 'Ź' => b'z',
        '\u{300}'..='\u{36f}' => return Some(None),
        _ => return None,
    };
    Some(Some(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_means_two_months() {
        for pair in SORTED.windows(2) {
            assert_ne!(pair[0].0, pair[1].0, "in {} and {}", pair[0].1, pair[1].1);
        }
        assert!(SORTED.iter().all(|(name, _)| name.len() < NAME_BYTES_MAX));
    }

    #[test]
    fn the_short_way_and_the_search_agree() {
        for (name, month) in SORTED.iter() {
            if let &[a, b, c] = name.as_bytes()
                && let Some(short) = short_english([a, b, c])
            {
                assert_eq!(short, *month, "{name}");
            }
            assert_eq!(super::month(name), Some(*month));
        }
    }

    #[test]
    fn names_are_understood_in_any_case_with_and_without_accents() {
        for (word, expected) in [
            ("Jan", Some(1)),
            ("FÉVR", Some(2)),
            ("fevrier", Some(2)),
            ("März", Some(3)),
            ("Ma\u{308}rz", Some(3)),
            ("avr", Some(4)),
            ("maj", Some(5)),
            ("juin", Some(6)),
            ("JUILLET", Some(7)),
            ("août", Some(8)),
            ("września", Some(9)),
            ("Oktober", Some(10)),
            ("październik", Some(10)),
            ("Nov", Some(11)),
            ("dic", Some(12)),
            ("janu", None),
            ("", None),
            ("日", None),
            ("septemberseptember", None),
        ] {
            assert_eq!(month(word), expected, "{word}");
        }
    }
}
