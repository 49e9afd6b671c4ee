//! Which column of a file of merchants is what.

use crate::import::kind::Column;
use crate::import::kinds::Kind;
use crate::import::plain::header_words::HeaderWords;

/// Columns that a person can choose.
pub(super) const COLUMNS: [Column; 3] = [
    Column { field: "name", setting: "name_col_label", label: "Name", is_required: true },
    Column { field: "color", setting: "color_col_label", label: "Color", is_required: false },
    Column { field: "website", setting: "website_col_label", label: "Website", is_required: false },
];

/// What files call the columns.
pub(super) const WORDS: HeaderWords =
    HeaderWords { kind: Kind::Merchant, columns: &COLUMNS, names: &NAMES };

#[rustfmt::skip]
const NAMES: [(&str, &[&str]); 3] = [
    ("name", &[
        "name", "merchant name", "merchant", "payee", "title", "handler", "handlername",
        "bezeichnung", "nom", "marchand", "nom du marchand", "commercant", "nombre", "comercio",
        "comerciante", "nome", "esercente", "commerciante", "nome do comerciante", "naam",
        "winkel", "handelaar", "nazwa", "sprzedawca", "nazev", "obchodnik", "namn", "navn",
    ]),
    ("color", &["color", "colour", "farbe", "couleur", "colore", "cor", "kleur", "kolor"]),
    ("website", &[
        "website url", "website", "web site", "url", "homepage", "domain", "webseite",
        "internetseite", "site web", "site internet", "sitio web", "pagina web", "sito web",
        "sito", "site", "webadres", "strona internetowa", "webbplats", "hemsida", "nettsted",
    ]),
];
