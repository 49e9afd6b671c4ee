//! Which column of a file of accounts is what.

use crate::import::kind::Column;
use crate::import::kinds::Kind;
use crate::import::plain::header_words::HeaderWords;

/// The header of the table that this server writes: its debts are positive, as in the ledger.
pub const OWN_HEADER: [&str; 6] =
    ["name", "account type", "subtype", "opening balance", "currency", "balance date"];

/// Columns that a person can choose.
pub(super) const COLUMNS: [Column; 6] = [
    Column { field: "name", setting: "name_col_label", label: "Name", is_required: true },
    Column { field: "type", setting: "entity_type_col_label", label: "Type", is_required: false },
    Column { field: "subtype", setting: "subtype_col_label", label: "Subtype", is_required: false },
    Column { field: "balance", setting: "amount_col_label", label: "Balance", is_required: true },
    Column {
        field: "currency",
        setting: "currency_col_label",
        label: "Currency",
        is_required: false,
    },
    Column {
        field: "date",
        setting: "date_col_label",
        label: "Day of the balance",
        is_required: false,
    },
];

/// What files call the columns.
pub(super) const WORDS: HeaderWords =
    HeaderWords { kind: Kind::Account, columns: &COLUMNS, names: &NAMES };

// The day on which an account was made in another program is not the day of its balance.
#[rustfmt::skip]
const NAMES: [(&str, &[&str]); 6] = [
    ("name", &[
        "name", "account name", "account", "title", "konto", "kontoname", "kontobezeichnung",
        "bezeichnung", "nom", "nom du compte", "compte", "nombre", "cuenta",
        "nombre de la cuenta", "nome", "conto", "nome del conto", "conta", "nome da conta", "naam",
        "rekening", "rekeningnaam", "nazwa", "nazwa konta", "nazev", "nazev uctu", "namn",
        "kontonamn", "navn", "kontonavn",
    ]),
    ("type", &[
        "account type", "type", "accountable type", "entity type", "kind", "class", "kontoart",
        "kontotyp", "art", "typ", "type de compte", "tipo", "tipo de cuenta", "tipo di conto",
        "tipo de conta", "rekeningtype", "soort", "typ konta", "rodzaj", "typ uctu", "kontotype",
    ]),
    ("subtype", &["subtype", "sub type", "account subtype", "unterart", "untertyp", "sous type"]),
    ("balance", &[
        "balance", "current balance", "opening balance", "starting balance", "account balance",
        "amount", "value", "saldo", "kontostand", "betrag", "wert", "solde", "montant", "valeur",
        "importe", "valor", "importo", "valore", "quantia", "bedrag", "waarde", "kwota",
        "zustatek", "zostatok", "belopp", "belob", "belop",
    ]),
    ("currency", &[
        "currency", "currency code", "wahrung", "devise", "monnaie", "moneda", "divisa", "valuta",
        "moeda", "waluta", "mena",
    ]),
    ("date", &[
        "balance date", "date of balance", "as of", "as of date", "date", "opening date",
        "opening balance date", "stichtag", "datum", "date du solde", "fecha",
        "fecha del saldo", "data", "data del saldo", "data do saldo", "dato",
    ]),
];
