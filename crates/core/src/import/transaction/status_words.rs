//! The words of banks for what became of a transaction: booked, pending, declined.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::header_names::known_key;

/// What the word for a status means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::import) enum Status {
    /// The money has moved.
    Booked,
    /// The money may move yet: it is reserved, or the bank works on it.
    Pending,
    /// No money has moved.
    Refused,
    /// It was called off: no money moved, unless the file has another row the other way.
    Cancelled,
    /// It was taken back: no money moved, unless the file has another row that gives it back.
    Reversed,
}

/// What a cell means, if it is one of the words that leave no doubt.
pub(in crate::import) fn status(cell: &str) -> Option<Status> {
    BY_KEY.get(known_key(cell).as_str()).copied()
}

static BY_KEY: LazyLock<HashMap<String, Status>> = LazyLock::new(|| {
    LISTS
        .iter()
        .flat_map(|(status, words)| words.iter().map(|word| (known_key(word), *status)))
        .collect()
});

const LISTS: [(Status, &[&str]); 5] = [
    (Status::Booked, BOOKED),
    (Status::Pending, PENDING),
    (Status::Refused, REFUSED),
    (Status::Cancelled, CANCELLED),
    (Status::Reversed, REVERSED),
];

#[rustfmt::skip]
const BOOKED: &[&str] = &[
    "completed", "complete", "cleared", "posted", "booked", "settled", "processed", "executed",
    "done", "final", "finalized", "finalised", "finished", "successful", "success", "succeeded",
    "ok", "paid", "filled", "confirmed", "reconciled", "approved", "normal", "credited", "debited",
    "gebucht", "verbucht", "ausgefuhrt", "abgeschlossen", "erledigt", "abgerechnet", "bezahlt",
    "erfolgreich", "bestatigt", "umsatz gebucht", "durchgefuhrt",
    "comptabilise", "comptabilisee", "termine", "terminee", "effectue", "effectuee", "execute",
    "executee", "valide", "validee", "regle", "reglee", "paye", "payee", "confirme", "confirmee",
    "completado", "completada", "contabilizado", "contabilizada", "liquidado", "liquidada",
    "realizado", "realizada", "ejecutado", "ejecutada", "pagado", "pagada", "procesado",
    "procesada", "confirmado", "confirmada", "finalizado", "finalizada", "aprobado", "aprobada",
    "completato", "completata", "contabilizzato", "contabilizzata", "eseguito", "eseguita",
    "concluso", "conclusa", "regolato", "regolata", "pagato", "pagata", "confermato", "confermata",
    "concluido", "concluida", "efetivado", "efetivada", "efetuado", "efetuada", "pago", "paga",
    "processado", "processada", "contabilistico", "aprovado", "aprovada",
    "geboekt", "verwerkt", "voltooid", "uitgevoerd", "afgerond", "betaald",
    "bokford", "bokfort", "genomford", "genomfort", "slutford", "slutfort", "utford", "betald",
    "bogfort", "gennemfort", "fuldfort", "udfort", "betalt", "gjennomfort", "fullfort", "utfort",
    "kirjattu", "vahvistettu", "valmis", "toteutunut", "suoritettu", "maksettu",
    "zaksiegowana", "zaksiegowane", "zaksiegowany", "rozliczona", "rozliczone", "rozliczony",
    "zrealizowana", "zrealizowane", "zrealizowany", "wykonana", "wykonane", "wykonany",
    "zakonczona", "zakonczone", "zakonczony", "potwierdzona",
    "zauctovano", "zauctovana", "zauctovany", "provedeno", "provedena", "dokonceno", "dokoncena",
    "vyporadano", "realizovano", "uskutecneno", "zauctovane", "vykonane", "spracovane",
    "realizovane", "dokoncene", "uskutocnene", "zpracovano",
    "knjizeno", "izvrseno", "zavrseno", "realizirano",
    "konyvelt", "konyvelve", "teljesitett", "teljesult", "lekonyvelt", "feldolgozott",
    "elszamolt", "sikeres", "befejezett",
    "tamamlandi", "gerceklesti", "islendi", "basarili", "odendi", "onaylandi",
    "finalizat", "finalizata", "procesat", "procesata", "decontat", "decontata", "executat",
    "executata", "inregistrata", "efectuata", "efectuat",
    "выполнен", "выполнена", "выполнено", "проведен", "проведена", "проведено", "исполнен",
    "исполнена", "исполнено", "завершен", "завершена", "завершено", "успешно", "обработан",
    "обработана", "обработано", "зачислено", "оплачен", "оплачено", "успешна",
    "виконано", "виконана", "виконаний", "проведена операція", "завершено успішно", "успішно",
    "успішна", "оброблено", "зараховано", "проведений",
    "ολοκληρωθηκε", "ολοκληρωμενη", "ολοκληρωμενο", "εκτελεσμενη", "εκτελεστηκε", "καταχωρημενη",
    "完了", "確定", "処理済", "処理済み", "決済済", "決済済み", "支払済", "支払済み", "成立",
    "成功", "交易成功", "支付成功", "已完成", "完成", "已入账", "已入帳", "已支付", "已收款",
    "已转账", "已到账", "还款成功", "已存入零钱", "提现已到账", "已记账", "朋友已收钱", "对方已收钱",
    "交易完成", "退款成功", "已收钱", "充值完成", "已結清",
    "완료", "정상", "처리완료", "결제완료", "매입완료", "매입", "승인완료",
    "בוצע", "בוצעה", "הושלם", "הושלמה", "נקלט", "מאושר", "مكتمل", "مكتملة", "منفذة", "ناجحة",
    "ناجح", "تمت", "สำเร็จ", "เสร็จสิ้น", "thành công", "hoàn thành", "đã hoàn thành",
    "đã xử lý", "berhasil", "selesai", "sukses",
];

#[rustfmt::skip]
const PENDING: &[&str] = &[
    "pending", "processing", "in process", "in progress", "authorised", "authorized",
    "authorisation", "authorization", "pre authorised", "pre authorized", "preauthorization",
    "hold", "on hold", "held", "unposted", "not posted", "not yet posted", "unsettled",
    "scheduled", "planned", "upcoming", "submitted", "reserved", "provisional", "temporary",
    "memo posted", "awaiting", "pending authorization", "pending transaction", "not booked",
    "pdng",
    "vorgemerkt", "vormerkung", "offen", "ausstehend", "in bearbeitung", "autorisiert",
    "reserviert", "geplant", "vorgesehen", "nicht gebucht", "noch nicht gebucht", "terminiert",
    "umsatz vorgemerkt", "in verarbeitung", "schwebend",
    "en attente", "en cours", "a venir", "autorise", "autorisee", "en traitement", "prevu",
    "prevue", "non comptabilise", "non comptabilisee", "en cours de traitement", "en instance",
    "programme", "programmee", "en suspens",
    "pendiente", "pendientes", "en proceso", "en curso", "autorizado", "autorizada", "retenido",
    "retenida", "programado", "programada", "no contabilizado", "en tramite", "por confirmar",
    "in attesa", "in corso", "autorizzato", "autorizzata", "non contabilizzato",
    "non contabilizzata", "in elaborazione", "da contabilizzare", "prenotato", "prenotata",
    "in sospeso", "sospeso", "programmato",
    "pendente", "em processamento", "em andamento", "agendado", "agendada", "cativo", "cativa",
    "a aguardar", "aguardando", "em analise",
    "in behandeling", "gereserveerd", "reservering", "in afwachting", "gepland",
    "nog niet verwerkt", "niet verwerkt", "openstaand", "nog te verwerken",
    "vantande", "reserverad", "reserverat", "preliminar", "kommande", "ej bokford", "ej bokfort",
    "planerad", "pagaende", "afventer", "afventende", "reserveret", "kommende", "ikke bogfort",
    "venter", "reservert", "ventende", "under behandling", "ikke bokfort", "under behandlung",
    "odottaa", "odottava", "varaus", "katevaraus", "vahvistamatta", "tuleva", "kesken", "varattu",
    "oczekujaca", "oczekujace", "oczekujacy", "w trakcie realizacji", "w realizacji", "w toku",
    "autoryzowana", "autoryzacja", "blokada", "nierozliczona", "nierozliczone", "nierozliczony",
    "niezaksiegowana", "zaplanowana", "planowana", "do realizacji", "oczekuje", "w trakcie",
    "ceka", "cekajici", "nezauctovano", "nezauctovana", "ve zpracovani", "blokace", "blokovano",
    "autorizovano", "rezervace", "planovana", "caka", "cakajuca", "nezauctovane", "v spracovani",
    "blokacia", "blokovane", "rezervacia", "na cekanju", "u obradi", "rezervirano",
    "fuggoben", "fuggo", "fuggoben levo", "folyamatban", "zarolt", "zarolva", "foglalt",
    "nem konyvelt", "feldolgozas alatt", "varakozo",
    "beklemede", "bekliyor", "provizyon", "provizyonda", "isleniyor", "planlandi",
    "in asteptare", "in curs", "in curs de procesare", "autorizat", "autorizata", "blocat",
    "in procesare",
    "в обработке", "в ожидании", "ожидает", "ожидание", "обрабатывается", "авторизация",
    "авторизован", "авторизована", "авторизовано", "холд", "в холде", "не проведен",
    "не проведена", "не проведено", "запланирован", "запланировано", "ожидает подтверждения",
    "в обробці", "в очікуванні", "очікує", "обробляється", "авторизація", "не проведено банком",
    "заблоковано", "очікується",
    "σε εκκρεμοτητα", "εκκρεμει", "εκκρεμης", "δεσμευμενη", "σε επεξεργασια",
    "保留", "保留中", "処理中", "未確定", "承認待ち", "仮売上", "未決済", "未処理", "予約中",
    "处理中", "待处理", "待入账", "未入账", "待付款", "待支付", "等待付款", "预授权", "審核中",
    "未入帳", "待入帳", "處理中", "等待对方付款", "待确认",
    "대기", "대기중", "처리중", "보류", "미매입", "미확정", "예정", "승인대기", "진행중",
    "ממתין", "ממתינה", "בתהליך", "טרם נקלט", "معلق", "معلقة", "قيد الانتظار", "قيد المعالجة",
    "قيد التنفيذ", "รอดำเนินการ", "กำลังดำเนินการ", "đang xử lý", "chờ xử lý", "đang chờ",
    "tertunda", "dalam proses", "diproses", "menunggu",
];

#[rustfmt::skip]
const REFUSED: &[&str] = &[
    "declined", "rejected", "failed", "failure", "denied", "refused",
    "expired", "unsuccessful", "error", "not completed", "invalid", "aborted",
    "timed out", "not executed", "blocked by bank",
    "abgelehnt", "abgewiesen", "fehlgeschlagen", "abgebrochen", "zuruckgewiesen", "ungultig",
    "verfallen", "verweigert", "nicht ausgefuhrt", "gescheitert", "fehlerhaft",
    "fehler",
    "refuse", "refusee", "rejete", "rejetee", "echoue", "echouee", "expire",
    "expiree", "echec", "decline", "declinee", "abandonne",
    "rechazado", "rechazada", "denegado", "denegada", "fallido", "fallida",
    "caducado", "caducada", "no realizado", "no realizada",
    "rifiutato", "rifiutata", "respinto", "respinta", "fallito", "fallita",
    "negato", "negata", "scaduto", "scaduta", "non eseguito", "non riuscito",
    "recusado", "recusada", "rejeitado", "rejeitada", "falhado", "falhada", "falhou", "falha",
    "expirado", "expirada", "negado", "negada", "nao autorizado", "nao autorizada",
    "geweigerd", "afgewezen", "mislukt", "afgekeurd", "verlopen", "afgebroken",
    "avvisad", "nekad", "misslyckad", "misslyckades", "avbruten",
    "afvist", "mislykket", "afbrudt", "mislykkedes", "avvist", "mislyktes",
    "avbrutt", "hylatty", "epaonnistui", "epaonnistunut",
    "keskeytetty",
    "odrzucona", "odrzucone", "odrzucony", "nieudana",
    "nieudane", "niezrealizowana", "niezrealizowane", "wygasla", "odmowa", "przerwana",
    "zamitnuto", "zamitnuta", "neprovedeno", "neprovedena", "odmitnuto",
    "odmitnuta", "selhalo", "neuspesna", "zamietnute", "zamietnuta", "neuskutocnene",
    "odmietnuta", "zlyhalo", "neuspesne", "odbijeno", "neuspjesno",
    "elutasitva", "elutasitott", "sikertelen", "meghiusult", "lejart",
    "visszautasitott",
    "reddedildi", "basarisiz", "onaylanmadi", "gerceklesmedi",
    "respins", "respinsa", "esuat", "esuata", "refuzat", "refuzata",
    "отклонен", "отклонена", "отклонено", "отказ", "отказано",
    "ошибка", "неуспешно", "не выполнен", "не выполнена", "не выполнено", "неуспешна",
    "відхилено", "відхилена", "відмова", "помилка", "неуспішно",
    "не виконано",
    "απορριφθηκε", "απορριπτεται", "απετυχε", "αποτυχια",
    "失敗", "却下", "エラー", "不成立", "拒否", "期限切れ",
    "失败", "交易失败", "支付失败", "已拒绝", "交易失敗",
    "已過期",
    "실패", "거절", "승인거절", "오류",
    "נדחה", "נדחתה", "נכשל", "נכשלה", "مرفوض", "مرفوضة", "فشل",
    "فشلت", "ล้มเหลว", "ไม่สำเร็จ", "ปฏิเสธ", "thất bại", "bị từ chối",
    "từ chối", "không thành công", "gagal", "ditolak",
];

#[rustfmt::skip]
const CANCELLED: &[&str] = &[
    "cancelled", "canceled", "voided", "void", "cancelled by user", "geloscht", "annule", "annulee",
    "cancelado", "cancelada", "anulado", "anulada", "annullato", "annullata", "geannuleerd",
    "makulerad", "annullerad", "annulleret", "kansellert", "annullert", "peruttu", "peruutettu",
    "anulowana", "anulowane", "anulowany", "zruseno", "zrusena", "zrusene", "otkazano", "ponisteno",
    "torolt", "torolve", "iptal", "iptal edildi", "anulat", "anulata", "отменен", "отменена",
    "отменено", "отмена", "скасовано", "скасована", "відмінено", "ακυρωθηκε", "ακυρωμενη", "取消",
    "取消済", "キャンセル", "無効", "已关闭", "交易关闭", "已取消", "交易取消", "已關閉", "已撤销", "취소", "취소됨", "거래취소", "승인취소",
    "בוטל", "בוטלה", "ملغى", "ملغاة", "ملغي", "ยกเลิก", "đã hủy", "dibatalkan",
];

#[rustfmt::skip]
const REVERSED: &[&str] = &[
    "reversed", "reverted", "reversal", "storniert", "ruckgangig gemacht", "annulliert", "extourne",
    "contrepasse", "revertido", "revertida", "reversado", "reversada", "retrocedido",
    "stornato", "stornata", "estornado", "estornada", "teruggedraaid", "gestorneerd", "aterford",
    "aterfort", "tilbagefort", "tilbakefort", "reversert", "wycofana", "wycofane", "stornowana",
    "stornowane", "stornovano", "stornovana", "stornovane", "stornirano", "sztornozott",
    "sztornozva", "visszavont", "geri alindi", "stornat", "сторнирован",
    "сторнирована", "сторнировано", "сторновано", "αντιλογιστηκε", "取り消し済み", "已冲正", "已沖正",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_in_any_case() {
        for (cell, expected) in [
            ("COMPLETED", Some(Status::Booked)),
            ("Gebucht", Some(Status::Booked)),
            ("Exécuté", Some(Status::Booked)),
            ("Zaksięgowana", Some(Status::Booked)),
            ("交易成功", Some(Status::Booked)),
            ("Pending", Some(Status::Pending)),
            ("AUTHORISED", Some(Status::Pending)),
            ("Vorgemerkt", Some(Status::Pending)),
            ("En attente", Some(Status::Pending)),
            ("В обработке", Some(Status::Pending)),
            ("Declined", Some(Status::Refused)),
            ("Zrušeno", Some(Status::Cancelled)),
            ("Не выполнена", Some(Status::Refused)),
            ("İptal edildi", Some(Status::Cancelled)),
            ("Reversed", Some(Status::Reversed)),
            ("Storniert", Some(Status::Reversed)),
            ("Refunded", None),
            ("Frozen", None),
            ("", None),
        ] {
            assert_eq!(status(cell), expected, "{cell}");
        }
    }

    #[test]
    fn no_word_means_two_things() {
        let words: usize = LISTS.iter().map(|(_, words)| words.len()).sum();
        assert_eq!(BY_KEY.len(), words, "{:?}", twice());
    }

    /// The words that are listed twice.
    fn twice() -> Vec<&'static str> {
        let mut seen = std::collections::HashSet::new();
        let all = LISTS.iter().flat_map(|(_, words)| words.iter().copied());
        all.filter(|word| !seen.insert(known_key(word))).collect()
    }
}
