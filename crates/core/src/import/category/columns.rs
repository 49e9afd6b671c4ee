//! Which column of a file of categories is what.

use crate::error::Problem;
use crate::import::columns::{column_of, label_key, missing};
use crate::import::kind::Column;
use crate::import::kinds::Kind;
use crate::import::layout::{Layout, Preface};
use crate::import::layout_problem::{ColumnContent, LayoutProblem};
use crate::import::settings::Settings;
use crate::import::transaction::header_names::known_key;

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

/// Header names of each field, folded as [`known_key`] does it; earlier ones are preferred.
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

fn field_of(header: &str) -> Option<(&'static str, usize)> {
    let key = known_key(header);
    NAMES.iter().find_map(|(field, names)| {
        let rank = names.iter().position(|name| *name == key)?;
        Some((*field, rank))
    })
}

/// How much a record looks like the header of such a file.
pub(super) fn header_score(cells: &[String], settings: &Settings) -> usize {
    let sent: Vec<String> =
        COLUMNS.iter().filter_map(|one| settings.label(one.setting)).map(label_key).collect();
    let labelled = cells.iter().filter(|cell| sent.contains(&label_key(cell))).count();
    let mut fields: Vec<&str> =
        cells.iter().filter_map(|cell| field_of(cell)).map(|(field, _)| field).collect();
    fields.sort_unstable();
    fields.dedup();
    4 * labelled + fields.len() + if fields.contains(&"name") { 4 } else { 0 }
}

/// The layout, or the labels that the header lacks.
pub(super) fn layout(preface: Preface, settings: &Settings) -> Result<Layout, Vec<Problem>> {
    let headers = preface.headers.clone();
    let mut layout = Layout::of_header(Kind::Category, preface);
    let keys: Vec<String> = layout.headers.iter().map(|header| label_key(header)).collect();
    let mut lacking = Vec::new();
    for column in COLUMNS {
        let Some(label) = settings.label(column.setting) else { continue };
        match column_of(label, &keys) {
            Some(place) => {
                layout.fields.insert(column.field.to_owned(), place);
            }
            None => lacking.push(missing(column.setting, label, &headers)),
        }
    }
    if !lacking.is_empty() {
        return Err(lacking);
    }
    for column in COLUMNS {
        if layout.fields.contains_key(column.field) {
            continue;
        }
        if let Some(place) = found(&layout, column.field) {
            layout.fields.insert(column.field.to_owned(), place);
            layout.found.push(column.setting.to_owned());
        }
    }
    if settings.separator.is_none() {
        layout.found.push("col_sep".to_owned());
    }
    if !layout.fields.contains_key("name") {
        let problem = LayoutProblem::no_column(ColumnContent::Name, &layout.headers);
        layout.problems.push(problem);
    }
    Ok(layout)
}

/// The column of a field that nobody named, among those that are not taken.
fn found(layout: &Layout, field: &str) -> Option<usize> {
    let is_free = |column: &usize| !layout.fields.values().any(|taken| taken == column);
    let ranked = (0..layout.headers.len()).filter(is_free).filter_map(|column| {
        let (its, rank) = field_of(&layout.headers[column])?;
        (its == field).then_some((rank, column))
    });
    ranked.min().map(|(_, column)| column)
}
