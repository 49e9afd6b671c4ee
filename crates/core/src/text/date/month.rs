//! Names of months in the languages of European banks.
//!
//! Names are compared in lower case without accents, because exports lose them (`aout`, `marz`).
//! The table therefore holds folded names only. No name means two months in the languages that
//! are here; that is why Croatian, where `listopad` is October, is not.

use std::sync::LazyLock;

use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// The names of the twelve months.
const NAMES: [&str; 12] = [
    "jan january januar janner jaenner jan janvier janv ene enero gen gennaio janeiro januari sty \
     styczen stycznia led leden ledna januara tammi tammikuu tammikuuta januar oca ocak ian \
     ianuarie янв январь января січ січень січня",
    "feb february februar fevrier fevr fev febrero febbraio fevereiro februari febr lut luty \
     lutego uno unor unora februara helmi helmikuu helmikuuta sub subat februarie фев февр \
     февраль февраля лют лютии лютого",
    "mar march marz maerz mrz mars marzo marco maart mrt marts marzec marca bre brezen brezna \
     marec maalis maaliskuu maaliskuuta marc marcius mart martie мар март марта бер березень \
     березня",
    "apr april avril avr abr abril aprile kwi kwiecien kwietnia dub duben dubna aprila huhti \
     huhtikuu huhtikuuta apr aprilis nis nisan aprilie апр апрель апреля квіт кві квітень квітня",
    "may mai mayo mag maggio maio mei maj maja kve kveten kvetna touko toukokuu toukokuuta majus \
     mayis маи мая трав тра травень травня",
    "jun june juni juin junio giu giugno junho cze czerwiec czerwca cvn cerven cervna juna kesa \
     kesakuu kesakuuta junius haz haziran iun iunie июн июнь июня черв чер червень червня",
    "jul july juli juillet juil julio lug luglio julho lip lipiec lipca cvc cervenec cervence \
     jula heina heinakuu heinakuuta julius tem temmuz iul iulie июл июль июля лип липень липня",
    "aug august aout ago agosto augustus augusti sie sierpien sierpnia srp srpen srpna augusta elo \
     elokuu elokuuta augusztus agu agustos авг август августа серп сер серпень серпня",
    "sep sept september septembre septiembre setiembre set sett settembre setembro wrz wrzesien \
     wrzesnia zar zari septembra syys syyskuu syyskuuta szept szeptember eyl eylul septembrie сен \
     сент сентябрь сентября вер вересень вересня",
    "oct october okt oktober octobre octubre ott ottobre out outubro paz pazdziernik pazdziernika \
     rij rijen rijna oktobra loka lokakuu lokakuuta eki ekim octombrie окт октябрь октября жовт \
     жов жовтень жовтня",
    "nov november novembre noviembre novembro lis listopad listopada listopadu novembra marras \
     marraskuu marraskuuta kas kasim noi noiembrie нояб ноя ноябрь ноября лист лис листопад \
     листопада",
    "dec december dez dezember decembre dic diciembre dicembre dezembro des desember gru grudzien \
     grudnia pro prosinec prosince decembra joulu joulukuu joulukuuta ara aralik decembrie дек \
     декабрь декабря груд гру грудень грудня",
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
const NAME_BYTES_MAX: usize = 24;

/// The month that a word names, 1 to 12.
pub fn month(word: &str) -> Option<i8> {
    if let &[a, b, c] = word.as_bytes()
        && let Some(month) = short_english([a, b, c].map(|byte| byte.to_ascii_lowercase()))
    {
        return Some(month);
    }
    let mut folded = Folded::default();
    for c in word.chars() {
        if c.is_ascii() {
            folded.push(c.to_ascii_lowercase());
        } else {
            decompose_canonical(c, |part| folded.push_letter(part));
        }
    }
    let name = folded.text()?;
    let position = SORTED.binary_search_by(|(known, _)| known.as_bytes().cmp(name)).ok()?;
    SORTED.get(position).map(|(_, month)| *month)
}

/// A word without accents and in lower case, as far as a name of a month may be long.
#[derive(Default)]
struct Folded {
    bytes: [u8; NAME_BYTES_MAX],
    length: usize,
}

impl Folded {
    fn push_letter(&mut self, c: char) {
        match c {
            _ if is_combining_mark(c) => {}
            'ı' => self.push('i'),
            'ł' | 'Ł' => self.push('l'),
            _ => c.to_lowercase().filter(|c| !is_combining_mark(*c)).for_each(|c| self.push(c)),
        }
    }

    fn push(&mut self, c: char) {
        let end = self.length + c.len_utf8();
        if let Some(room) = self.bytes.get_mut(self.length..end) {
            c.encode_utf8(room);
        }
        // Beyond the room it is no name, whatever it holds.
        self.length = end;
    }

    fn text(&self) -> Option<&[u8]> {
        self.bytes.get(..self.length)
    }
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
            ("января", Some(1)),
            ("МАЯ", Some(5)),
            ("Май", Some(5)),
            ("жовтня", Some(10)),
            ("Şub", Some(2)),
            ("Ağustos", Some(8)),
            ("Kasım", Some(11)),
            ("MAYIS", Some(5)),
            ("února", Some(2)),
            ("červenec", Some(7)),
            ("heinäkuuta", Some(7)),
            ("márc", Some(3)),
            ("janu", None),
            ("", None),
            ("日", None),
            ("septemberseptember", None),
        ] {
            assert_eq!(month(word), expected, "{word}");
        }
    }
}
