//! Names of columns that hold the status of a transaction: booked, pending, declined.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::{known_key, plain_letters};

/// Whether a header is the name of a status.
pub(in crate::import::transaction) fn is_status(header: &str) -> bool {
    BY_NAME.contains(&plain_letters(&known_key(header)))
}

/// Whether the name of a status means something else unless the words show it: a part of a country.
pub(in crate::import::transaction) fn is_unsure_status(header: &str) -> bool {
    known_key(header) == "state"
}

/// The columns that are called a status; those that may mean something else come last.
pub(in crate::import::transaction) fn statuses_of(headers: &[String]) -> Vec<usize> {
    let is_called_so = |column: &usize| is_status(&headers[*column]);
    let mut statuses: Vec<usize> = (0..headers.len()).filter(is_called_so).collect();
    statuses.sort_by_key(|column| is_unsure_status(&headers[*column]));
    statuses
}

static BY_NAME: LazyLock<HashSet<String>> =
    LazyLock::new(|| NAMES.iter().map(|name| plain_letters(&known_key(name))).collect());

#[rustfmt::skip]
const NAMES: &[&str] = &[
    "status", "state", "transaction status", "transaction state", "payment status",
    "booking status", "posting status", "status description", "settlement status", "tx status",
    "buchungsstatus", "zahlungsstatus", "umsatzstatus", "transaktionsstatus", "auftragsstatus",
    "bearbeitungsstatus",
    "statut", "etat", "statut de la transaction", "statut de l operation", "etat de l operation",
    "statut transaction", "etat de la transaction", "statut du paiement",
    "estado", "estatus", "situacion", "estado de la transaccion", "estado del movimiento",
    "estado movimiento", "estado transaccion", "estado de la operacion", "estado operacion",
    "stato", "stato operazione", "stato transazione", "stato movimento", "stato del movimento",
    "situacao", "estado do movimento", "estado da transacao", "status da transacao",
    "situacao do lancamento",
    "transactiestatus", "betaalstatus", "status transactie",
    "bokforingsstatus", "transaktionens status", "tilstand", "posteringsstatus", "tila",
    "tapahtuman tila", "maksun tila",
    "status transakcji", "status operacji", "stan transakcji", "stan operacji", "stan",
    "stav", "stav transakce", "stav pohybu", "stav platby", "stav operace", "stav transakcie",
    "stav operacie", "status transakcije", "stanje transakcije",
    "allapot", "statusz", "tranzakcio allapota", "tranzakcio statusza", "tetel allapota",
    "durum", "durumu", "islem durumu", "odeme durumu", "statu",
    "stare", "stare tranzactie", "starea tranzactiei", "status tranzactie", "stadiu",
    "статус", "состояние", "статус операции", "статус платежа", "статус транзакции",
    "состояние операции", "стан", "статус операції", "статус транзакції", "стан операції",
    "статус платежу", "стан платежу",
    "κατασταση", "κατασταση συναλλαγης", "κατασταση κινησης",
    "状態", "ステータス", "処理状況", "取引状況", "状況", "取引状態", "決済状況",
    "状态", "交易状态", "当前状态", "支付状态", "订单状态", "入账状态", "狀態", "交易狀態",
    "상태", "거래상태", "처리상태", "승인상태", "거래 상태",
    "סטטוס", "סטטוס עסקה", "סטטוס העסקה", "מצב", "الحالة", "حالة العملية", "حالة المعاملة",
    "สถานะ", "สถานะรายการ", "trạng thái", "trạng thái giao dịch", "tình trạng",
    "status transaksi",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::transaction::header_names::balances::balance_rank;
    use crate::import::transaction::header_names::known;

    #[test]
    fn every_name_is_listed_once_and_means_nothing_else() {
        assert_eq!(BY_NAME.len(), NAMES.len(), "a name is listed twice");
        for name in NAMES {
            assert!(is_status(name), "{name}");
            assert_eq!((known(name), balance_rank(name)), (None, None), "{name}");
        }
        assert!(is_status("STATUS") && is_status("État") && is_status("Állapot"));
        assert!(!is_status("Amount") && !is_status("Stav účtu") && !is_status(""));
    }
}
