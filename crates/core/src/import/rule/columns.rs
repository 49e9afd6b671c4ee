//! Which column of a file of rules is what.

use crate::import::kind::Column;
use crate::import::kinds::Kind;
use crate::import::plain::header_words::HeaderWords;

/// Columns that a person can choose.
pub(super) const COLUMNS: [Column; 6] = [
    Column { field: "name", setting: "name_col_label", label: "Name", is_required: false },
    Column {
        field: "resource_type",
        setting: "resource_type_col_label",
        label: "What it is for",
        is_required: false,
    },
    Column { field: "active", setting: "active_col_label", label: "Active", is_required: false },
    Column {
        field: "effective_date",
        setting: "effective_date_col_label",
        label: "From the day",
        is_required: false,
    },
    Column {
        field: "conditions",
        setting: "conditions_col_label",
        label: "Conditions",
        is_required: true,
    },
    Column { field: "actions", setting: "actions_col_label", label: "Actions", is_required: true },
];

/// What files call the columns.
pub(super) const WORDS: HeaderWords =
    HeaderWords { kind: Kind::Rule, columns: &COLUMNS, names: &NAMES };

#[rustfmt::skip]
const NAMES: [(&str, &[&str]); 6] = [
    ("name", &[
        "name", "rule name", "rule", "title", "bezeichnung", "regel", "nom", "regle", "nombre",
        "regla", "nome", "regola", "regra", "naam", "nazwa", "regula",
    ]),
    ("resource_type", &["resource type", "resource", "resourcetype"]),
    ("active", &[
        "active", "enabled", "is active", "aktiv", "actif", "active regle", "activo", "activa",
        "attivo", "attiva", "ativo", "ativa", "actief", "aktywna", "aktywny",
    ]),
    ("effective_date", &[
        "effective date", "effective from", "start date", "from", "gultig ab", "ab",
        "date d effet", "fecha de vigencia", "data di decorrenza", "data de vigencia",
        "ingangsdatum",
    ]),
    ("conditions", &[
        "conditions", "condition", "bedingungen", "condiciones", "condizioni", "condicoes",
        "voorwaarden", "warunki", "podminky", "villkor", "betingelser",
    ]),
    ("actions", &[
        "actions", "action", "aktionen", "acciones", "azioni", "acoes", "acties", "akcje",
        "akce", "atgarder", "handlinger",
    ]),
];
