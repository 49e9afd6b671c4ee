//! The parts of an entry (`TxDtls`): one payment, or the payments of a batch.
//!
//! Which side of a payment is the other party follows from the direction of the entry, so a part is
//! completed when its entry is.

use super::super::amount::Amount;
use super::super::limits::{ENTRY_DETAILS_BYTES_MAX, ENTRY_DETAILS_MAX, REMITTANCE_TEXTS_MAX};
use super::super::markup::Element;
use super::super::model::{
    AccountIdentifiers, Counterparty, EntryDetail, EntryTexts, OriginalAmount,
};
use super::super::text::{filled, reference};
use super::facts::{account, is_debit, unsigned};

/// The parts of the entry that is being read.
#[derive(Default)]
pub(super) struct Details {
    pub(super) parts: Vec<Part>,
    bytes: usize,
    pub(super) left_out: u64,
    /// How much was kept of the entry when the open part began.
    before: Option<(usize, usize)>,
}

/// A part before the direction of its entry is known.
pub(super) struct Part {
    /// What may be its amount, the likeliest first.
    amounts: Vec<(Amount, Option<String>)>,
    is_debit: Option<bool>,
    debtor: Counterparty,
    creditor: Counterparty,
    texts: EntryTexts,
    line: u64,
    /// An amount of it couldn't be read.
    pub(super) problem: Option<String>,
}

impl Details {
    pub(super) fn begin(&mut self, mark: (usize, usize)) {
        self.before = Some(mark);
    }

    /// How much was kept when the open part began.
    pub(super) fn mark(&self) -> Option<(usize, usize)> {
        self.before
    }

    pub(super) fn add(&mut self, element: &Element, bytes: usize) {
        self.before = None;
        self.bytes += bytes;
        if self.parts.len() == ENTRY_DETAILS_MAX || self.bytes > ENTRY_DETAILS_BYTES_MAX {
            self.left_out += 1;
            return;
        }
        self.parts.push(Part::new(element));
    }
}

impl Part {
    fn new(element: &Element) -> Self {
        let mut problem = None;
        let paths = ["Amt", "AmtDtls/TxAmt/Amt", "AmtDtls/CntrValAmt/Amt"];
        let amounts = paths.iter().filter_map(|path| element.at(path));
        let amounts = amounts.filter_map(|amount| match unsigned(amount) {
            Ok(amount) => Some(amount),
            Err(reason) => {
                problem.get_or_insert(reason);
                None
            }
        });
        let amounts = amounts.collect();
        let is_debit = element.at("CdtDbtInd").and_then(|_| is_debit(element).ok());
        Self {
            amounts,
            is_debit,
            debtor: party(element, "Dbtr"),
            creditor: party(element, "Cdtr"),
            texts: texts(element),
            line: element.line,
            problem,
        }
    }

    /// The part of an entry with this direction. If the entry takes back another one, the roles are
    /// those of the payment that was taken back.
    pub(super) fn into_detail(
        mut self,
        entry_is_debit: bool,
        is_reversal: bool,
        currency: Option<&str>,
    ) -> EntryDetail {
        let is_debit = self.is_debit.unwrap_or(entry_is_debit);
        let (wanted, other) = match is_debit != is_reversal {
            true => (self.creditor, self.debtor),
            false => (self.debtor, self.creditor),
        };
        // Banks that don't name the other side may still name one.
        let is_empty = wanted == Counterparty::default();
        self.texts.counterparty = if is_empty && is_reversal { other } else { wanted };
        let in_currency =
            self.amounts.iter().find(|(_, code)| code.is_none() || code.as_deref() == currency);
        let amount = in_currency.or(self.amounts.first()).cloned();
        let sign = |amount: Amount| if is_debit { amount.negated() } else { amount };
        let same = |its: &OriginalAmount| Some(its.currency.as_str()) != currency;
        self.texts.original = self.texts.original.filter(same);
        EntryDetail {
            amount: amount.as_ref().map(|(amount, _)| sign(*amount)),
            currency: amount.and_then(|(_, code)| code),
            texts: self.texts,
            line: self.line,
        }
    }
}

/// Names stand directly in the party up to version 7, and in `Pty` from version 8 on.
fn party(element: &Element, role: &str) -> Counterparty {
    let Some(parties) = element.at("RltdPties") else { return Counterparty::default() };
    let name = |role: &str| {
        let party = parties.at(role)?;
        party.text_at_any(&["Nm", "Pty/Nm", "Agt/FinInstnId/Nm"]).and_then(filled)
    };
    let account = parties.at(&format!("{role}Acct")).map(account);
    let agent = element.at(&format!("RltdAgts/{role}Agt/FinInstnId"));
    let bic = agent.and_then(|its| its.text_at_any(&["BICFI", "BIC"])).and_then(filled);
    let account = AccountIdentifiers { bic, ..account.unwrap_or_default() };
    Counterparty { name: name(role).or_else(|| name(&format!("Ultmt{role}"))), account }
}

/// References and texts: of a part, or of an entry, which has some of the same elements.
pub(super) fn texts(element: &Element) -> EntryTexts {
    let reference_at =
        |paths: &[&str]| paths.iter().find_map(|path| element.text_at(path).and_then(reference));
    EntryTexts {
        // `NtryRef` is but a number within the statement with many banks.
        bank_reference: reference_at(&["Refs/AcctSvcrRef", "AcctSvcrRef"]),
        end_to_end_id: reference_at(&["Refs/EndToEndId", "Refs/InstrId", "Refs/TxId"]),
        mandate_id: reference_at(&["Refs/MndtId"]),
        check_number: reference_at(&["Refs/ChqNb"]),
        counterparty: Counterparty::default(),
        remittance: remittance(element),
        additional: element.text_at_any(&["AddtlTxInf", "AddtlNtryInf"]).and_then(filled),
        type_code: type_code(element),
        original: original(element),
    }
}

/// Free texts, then structured references and what they add.
fn remittance(element: &Element) -> Vec<String> {
    let Some(information) = element.at("RmtInf") else { return Vec::new() };
    let free = information.all("Ustrd").filter_map(Element::filled_text);
    let structured = information.all("Strd").flat_map(|structured| {
        let reference = structured.text_at("CdtrRefInf/Ref").into_iter();
        let numbers = structured.all("RfrdDocInf").filter_map(|document| document.text_at("Nb"));
        let more = structured.all("AddtlRmtInf").filter_map(Element::filled_text);
        reference.chain(numbers).chain(more)
    });
    free.chain(structured).filter_map(filled).take(REMITTANCE_TEXTS_MAX).collect()
}

/// `PMNT-RCDT-ESCT` of the standard, else the bank's own code.
fn type_code(element: &Element) -> Option<String> {
    let code = element.at("BkTxCd")?;
    let Some(domain) = code.at("Domn") else { return code.text_at("Prtry/Cd").and_then(filled) };
    let parts = ["Cd", "Fmly/Cd", "Fmly/SubFmlyCd"].iter().filter_map(|path| domain.text_at(path));
    filled(&parts.collect::<Vec<_>>().join("-"))
}

/// What the payer ordered, with the rate of the conversion.
fn original(element: &Element) -> Option<OriginalAmount> {
    let amount = element.at("AmtDtls/InstdAmt/Amt")?;
    let (amount, currency) = unsigned(amount).ok()?;
    let rates = [
        "AmtDtls/TxAmt/CcyXchg/XchgRate",
        "AmtDtls/InstdAmt/CcyXchg/XchgRate",
        "AmtDtls/CntrValAmt/CcyXchg/XchgRate",
    ];
    let rate = element.text_at_any(&rates).and_then(filled);
    Some(OriginalAmount { amount: Some(amount), currency: currency?, rate })
}
