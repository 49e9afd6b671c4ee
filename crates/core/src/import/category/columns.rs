//! Which column of a file of categories is what.

use crate::import::kind::Column;
use crate::import::kinds::Kind;
use crate::import::plain::header_words::HeaderWords;

/// Columns that a person can choose.
pub(super) const COLUMNS: [Column; 4] = [
    Column { field: "name", setting: "name_col_label", label: "Name", is_required: true },
    Column {
        field: "parent",
        setting: "parent_col_label",
        label: "Parent category",
        is_required: false,
    },
    Column { field: "color", setting: "color_col_label", label: "Color", is_required: false },
    Column { field: "icon", setting: "icon_col_label", label: "Icon", is_required: false },
];

/// What files call the columns.
pub(super) const WORDS: HeaderWords =
    HeaderWords { kind: Kind::Category, columns: &COLUMNS, names: &NAMES };

#[rustfmt::skip]
const NAMES: [(&str, &[&str]); 5] = [
    ("name", &[
        "name", "category name", "category", "title", "kategorie", "kategoriename",
        "bezeichnung", "nom", "categorie", "nom de la categorie", "nombre", "categoria",
        "nome", "naam", "nazwa", "kategoria", "nazev", "namn", "navn", "kategori",
    ]),
    ("parent", &[
        "parent category", "parent", "parent name", "parent category name", "category group",
        "group", "oberkategorie", "ubergeordnete kategorie", "hauptkategorie",
        "categorie parente", "categorie parent", "categoria padre", "categoria superior",
        "categoria pai", "categoria principal", "bovenliggende categorie", "hoofdcategorie",
        "kategoria nadrzedna",
    ]),
    ("color", &["color", "colour", "farbe", "couleur", "colore", "cor", "kleur", "kolor"]),
    ("icon", &["lucide icon", "icon", "symbol", "icone", "icono", "icona", "pictogram", "ikona"]),
    // The ledger has no such field: the sign of a transaction decides. It is known so that a header
    // with it is recognised.
    ("classification", &["classification", "classification unused", "type", "kind", "art"]),
];
