//! CAMT in its versions, as banks write it.

use std::fmt::Write;

use jiff::civil::Date;
use purser_formats::statements::model::EntryStatus;

use crate::ledger::{Ledger, LedgerEntry, LedgerStatement, decimal};
use crate::random::Random;

/// Which message of CAMT it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Message {
    /// CAMT.053, with the balances at both ends.
    Statement,
    /// CAMT.052: a report of a day, with an opening and an interim balance.
    Report,
    /// CAMT.054: a notification, without balances.
    Notification,
}

impl Message {
    /// The number of the message, its element, and that of each statement in it.
    fn names(self) -> (u32, &'static str, &'static str) {
        match self {
            Self::Statement => (53, "BkToCstmrStmt", "Stmt"),
            Self::Report => (52, "BkToCstmrAcctRpt", "Rpt"),
            Self::Notification => (54, "BkToCstmrDbtCdtNtfctn", "Ntfctn"),
        }
    }
}

/// The habits of one bank.
#[derive(Debug, Clone)]
pub(crate) struct Habits {
    version: u32,
    prefix: &'static str,
    line_end: &'static str,
    /// The encoding that the declaration claims, and the one that the file has.
    charset: (&'static str, &'static str),
    opening: &'static [&'static str],
    times: bool,
    totals: bool,
    /// A direction without entries has no total.
    leaves_out: bool,
    message: Message,
    /// The owner of the account is named on its side of each payment.
    owner: bool,
    structured: bool,
    available: bool,
    cdata: bool,
}

impl Habits {
    pub(crate) fn new(random: &mut Random) -> Self {
        let cdata = random.one_in(4);
        let prefixes: &[&str] = if cdata { &[""] } else { &["", "ns2:", "camt:"] };
        Self {
            version: *random.pick(&[2, 4, 8, 10]),
            prefix: random.pick::<&str>(prefixes),
            line_end: random.pick::<&str>(&["", "\n", "\r\n"]),
            charset: *random.pick(&[
                ("UTF-8", "utf-8"),
                ("ISO-8859-1", "windows-1252"),
                ("UTF-8", "windows-1252"),
                ("ISO-8859-1", "utf-8"),
            ]),
            opening: *random.pick::<&[&str]>(&[&["OPBD"], &["PRCD"], &["PRCD", "OPBD"]]),
            times: random.one_in(3),
            totals: random.one_in(2),
            leaves_out: false,
            message: Message::Statement,
            owner: random.one_in(2),
            structured: random.one_in(3),
            available: random.one_in(2),
            cdata,
        }
    }

    /// Those of a bank for a message that only its totals prove.
    pub(crate) fn with_totals(random: &mut Random, message: Message) -> Self {
        let habits = Self::new(random);
        Self { totals: true, leaves_out: random.one_in(2), message, ..habits }
    }

    fn day(&self, day: Date) -> String {
        match self.times {
            true => format!("<DtTm>{day}T23:30:00.000-05:00</DtTm>"),
            false => format!("<Dt>{day}</Dt>"),
        }
    }

    fn text(&self, text: &str) -> String {
        if self.cdata && text.contains(['&', '<']) {
            return format!("<![CDATA[{text}]]>");
        }
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;")
            .replace('ü', "&#252;")
    }

    fn status(&self, status: EntryStatus) -> String {
        let code = match status {
            EntryStatus::Booked => "BOOK",
            EntryStatus::Pending => "PDNG",
            EntryStatus::Information => "INFO",
        };
        if self.version < 8 { code.to_owned() } else { format!("<Cd>{code}</Cd>") }
    }
}

fn indicator(cents: i64) -> &'static str {
    if cents < 0 { "DBIT" } else { "CRDT" }
}

fn amount(cents: i64, currency: &str) -> String {
    format!("<Amt Ccy=\"{currency}\">{}</Amt>", decimal(cents.abs(), '.'))
}

fn balance(habits: &Habits, code: &str, cents: i64, currency: &str, day: Date) -> String {
    format!(
        "<Bal><Tp><CdOrPrtry><Cd>{code}</Cd></CdOrPrtry></Tp>{}<CdtDbtInd>{}</CdtDbtInd>\
         <Dt>{}</Dt></Bal>\n",
        amount(cents, currency),
        indicator(cents),
        habits.day(day),
    )
}

fn party(habits: &Habits, role: &str, name: Option<&str>, iban: Option<&str>) -> String {
    let name = name.map(|name| format!("<Nm>{}</Nm>", habits.text(name)));
    let name = match habits.version {
        0..8 => name,
        _ => name.map(|name| format!("<Pty>{name}</Pty>")),
    };
    let name = name.map(|name| format!("<{role}>{name}</{role}>")).unwrap_or_default();
    let account = iban.map(|iban| format!("<{role}Acct><Id><IBAN>{iban}</IBAN></Id></{role}Acct>"));
    format!("{name}{}", account.unwrap_or_default())
}

/// The parties of a payment. The roles are those of the payment that a reversal takes back.
fn parties(habits: &Habits, entry: &LedgerEntry) -> String {
    let other_is_creditor = (entry.cents < 0) != entry.is_reversal;
    let (own, other) = if other_is_creditor { ("Dbtr", "Cdtr") } else { ("Cdtr", "Dbtr") };
    let other = party(habits, other, entry.name.as_deref(), entry.iban.as_deref());
    // A reversal without a party could take the owner for it.
    let has_owner = habits.owner && !entry.is_reversal;
    let own = if has_owner { party(habits, own, Some("The Owner"), None) } else { String::new() };
    let (first, second) = if other_is_creditor { (own, other) } else { (other, own) };
    if first.is_empty() && second.is_empty() {
        return String::new();
    }
    format!("<RltdPties>{first}{second}</RltdPties>")
}

fn details(habits: &Habits, entry: &LedgerEntry, currency: &str) -> String {
    let mut text = String::from("<NtryDtls>");
    if entry.parts.is_empty() {
        text.push_str("<TxDtls>");
        let id = entry.end_to_end_id.as_deref().unwrap_or("NOTPROVIDED");
        let _ =
            write!(text, "<Refs><EndToEndId>{id}</EndToEndId></Refs>{}", parties(habits, entry));
        if let Some(remittance) = &entry.remittance {
            let remittance = habits.text(remittance);
            let _ = match habits.structured {
                true => write!(
                    text,
                    "<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp>\
                     <Ref>{remittance}</Ref></CdtrRefInf></Strd></RmtInf>"
                ),
                false => write!(text, "<RmtInf><Ustrd>{remittance}</Ustrd></RmtInf>"),
            };
        }
        text.push_str("</TxDtls>");
    } else {
        let _ = write!(text, "<Btch><NbOfTxs>{}</NbOfTxs></Btch>", entry.parts.len());
        for (at, part) in entry.parts.iter().enumerate() {
            let amount = amount(*part, currency);
            let amount = match habits.version {
                2 => format!("<AmtDtls><TxAmt>{amount}</TxAmt></AmtDtls>"),
                _ => format!("{amount}<CdtDbtInd>{}</CdtDbtInd>", indicator(*part)),
            };
            let _ = writeln!(
                text,
                "<TxDtls><Refs><EndToEndId>P-{at}</EndToEndId></Refs>{amount}</TxDtls>"
            );
        }
    }
    text.push_str("</NtryDtls>");
    text
}

fn entry(habits: &Habits, entry: &LedgerEntry, currency: &str) -> String {
    let reversal = if entry.is_reversal { "<RvslInd>true</RvslInd>" } else { "" };
    let reference = entry.reference.as_deref().unwrap_or("NONREF");
    format!(
        "<Ntry>{}<CdtDbtInd>{}</CdtDbtInd>{reversal}<Sts>{}</Sts><BookgDt>{}</BookgDt>\
         <ValDt>{}</ValDt><AcctSvcrRef>{reference}</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly>\
         <Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>{}</Ntry>\n",
        amount(entry.cents, currency),
        indicator(entry.cents),
        habits.status(entry.status),
        habits.day(entry.booked_on),
        habits.day(entry.value_on),
        details(habits, entry, currency),
    )
}

fn totals(habits: &Habits, statement: &LedgerStatement) -> String {
    let group = |name: &str, cents: &[i64], more: String| {
        if habits.leaves_out && cents.is_empty() {
            return String::new();
        }
        let sum: i64 = cents.iter().map(|cents| cents.abs()).sum();
        format!(
            "<{name}><NbOfNtries>{}</NbOfNtries><Sum>{}</Sum>{more}</{name}>\n",
            cents.len(),
            decimal(sum, '.')
        )
    };
    let all: Vec<i64> = statement.entries.iter().map(|entry| entry.cents).collect();
    let credits: Vec<i64> = all.iter().copied().filter(|cents| *cents >= 0).collect();
    let debits: Vec<i64> = all.iter().copied().filter(|cents| *cents < 0).collect();
    let net: i64 = all.iter().sum();
    let (amount, indicator) = (decimal(net.abs(), '.'), indicator(net));
    let net = match habits.version {
        2 => format!("<TtlNetNtryAmt>{amount}</TtlNetNtryAmt><CdtDbtInd>{indicator}</CdtDbtInd>"),
        _ => format!(
            "<TtlNetNtry><Amt>{amount}</Amt><CdtDbtInd>{indicator}</CdtDbtInd></TtlNetNtry>"
        ),
    };
    format!(
        "<TxsSummry>{}{}{}</TxsSummry>\n",
        group("TtlNtries", &all, net),
        group("TtlCdtNtries", &credits, String::new()),
        group("TtlDbtNtries", &debits, String::new()),
    )
}

fn statement(habits: &Habits, ledger: &Ledger, statement: &LedgerStatement) -> String {
    let currency = ledger.currency;
    let (from, to) = (statement.from, statement.to);
    let (_, _, element) = habits.message.names();
    let mut text = format!(
        "<{element}><Id>S-{0}</Id><ElctrncSeqNb>{0}</ElctrncSeqNb><FrToDt><FrDtTm>{from}T00:00:00\
         </FrDtTm><ToDtTm>{to}T23:59:59</ToDtTm></FrToDt>\n<Acct><Id><IBAN>{1}</IBAN></Id><Ccy>\
         {currency}</Ccy><Ownr><Nm>The Owner</Nm></Ownr></Acct>\n",
        statement.number, ledger.iban,
    );
    if habits.message != Message::Notification {
        for code in habits.opening {
            text.push_str(&balance(habits, code, statement.opening, currency, from));
        }
        let closing = if habits.message == Message::Report { "ITBD" } else { "CLBD" };
        text.push_str(&balance(habits, closing, statement.closing(), currency, to));
    }
    if habits.available && habits.message == Message::Statement {
        text.push_str(&balance(habits, "CLAV", statement.closing() + 9_999, currency, to));
    }
    if habits.totals {
        text.push_str(&totals(habits, statement));
    }
    for its in &statement.entries {
        text.push_str(&entry(habits, its, currency));
    }
    text + &format!("</{element}>\n")
}

pub(crate) fn written(ledger: &Ledger, habits: &Habits) -> Vec<u8> {
    let statements: String =
        ledger.statements.iter().map(|its| statement(habits, ledger, its)).collect();
    let (prefix, version) = (habits.prefix, habits.version);
    let (number, message, _) = habits.message.names();
    let body = format!(
        "<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.{number:03}.001.{version:02}\">\n\
         <!-- <Stmt> --><{message}><GrpHdr><MsgId>1</MsgId></GrpHdr>\n{statements}\
         </{message}></Document>\n"
    );
    let body = match prefix {
        "" => body,
        _ => prefixed(&body, prefix),
    };
    let text = format!("<?xml version=\"1.0\" encoding=\"{}\"?>\n{body}", habits.charset.0);
    let text = text.replace('\n', habits.line_end);
    let encoding = encoding_rs::Encoding::for_label(habits.charset.1.as_bytes()).unwrap();
    encoding.encode(&text).0.into_owned()
}

/// Gives every tag a prefix; comments and CDATA have none.
fn prefixed(body: &str, prefix: &str) -> String {
    let mut text = String::new();
    for (at, piece) in body.split('<').enumerate() {
        if at > 0 {
            text.push('<');
        }
        let (slash, rest) = match piece.strip_prefix('/') {
            Some(rest) => ("/", rest),
            None => ("", piece),
        };
        let is_name = at > 0 && rest.starts_with(|c: char| c.is_ascii_alphabetic());
        text.push_str(slash);
        text.push_str(if is_name { prefix } else { "" });
        text.push_str(rest);
    }
    text.replacen(" xmlns=", &format!(" xmlns:{}=", prefix.trim_end_matches(':')), 1)
}
