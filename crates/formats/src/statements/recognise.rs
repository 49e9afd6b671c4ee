//! Which format a file has, by its first bytes.

use memchr::memmem;
use purser_core::import::source_file::FileFormat;

/// A format of statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatementFormat {
    /// Open Financial Exchange, with SGML or XML; also Quicken's QFX.
    Ofx,
    /// ISO 20022: CAMT.052, CAMT.053 and CAMT.054.
    Camt,
    /// SWIFT: MT940 and MT942.
    Mt940,
}

impl StatementFormat {
    /// All of them, in the order in which they are looked for.
    pub const ALL: [Self; 3] = [Self::Ofx, Self::Camt, Self::Mt940];

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ofx => "OFX",
            Self::Camt => "CAMT",
            Self::Mt940 => "MT940",
        }
    }
}

/// The format of a file, if its head (in UTF-8 or an encoding with ASCII in it) has the signs that
/// only that format has.
pub fn recognise(head: &[u8]) -> Option<StatementFormat> {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let signs = [
        (is_ofx(head), StatementFormat::Ofx),
        (is_camt(head), StatementFormat::Camt),
        (is_mt940(head), StatementFormat::Mt940),
    ];
    signs.into_iter().find_map(|(is_it, format)| is_it.then_some(format))
}

/// Whether the head of a file of OFX has statements of investments.
pub fn has_investments(head: &[u8]) -> bool {
    is_ofx(head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head))
        && memmem::find(head, b"INVSTMTMSGSRSV1").is_some()
}

/// Which message it is: reports of a day are something else than statements.
pub fn file_format(format: StatementFormat, head: &[u8]) -> FileFormat {
    let has = |sign: &[u8]| memmem::find(head, sign).is_some();
    match format {
        StatementFormat::Ofx => FileFormat::Ofx,
        StatementFormat::Camt if has(b"camt.052.") || has(b"BkToCstmrAcctRpt>") => {
            FileFormat::Camt052
        }
        StatementFormat::Camt if has(b"camt.054.") || has(b"BkToCstmrDbtCdtNtfctn>") => {
            FileFormat::Camt054
        }
        StatementFormat::Camt => FileFormat::Camt053,
        StatementFormat::Mt940 if has_line(head, b":34F:") || has_line(head, b":13D:") => {
            FileFormat::Mt942
        }
        StatementFormat::Mt940 => FileFormat::Mt940,
    }
}

/// Whether a line begins with a sign, whatever ends lines.
fn has_line(head: &[u8], sign: &[u8]) -> bool {
    head.split(|byte| matches!(byte, b'\n' | b'\r')).any(|line| line.starts_with(sign))
}

/// The header of OFX 1, the instruction of OFX 2, or the outermost element alone.
fn is_ofx(head: &[u8]) -> bool {
    let text = head.trim_ascii_start();
    let starts = |sign: &str| {
        text.get(..sign.len()).is_some_and(|start| start.eq_ignore_ascii_case(sign.as_bytes()))
    };
    let has = |sign: &[u8]| memmem::find(head, sign).is_some();
    starts("OFXHEADER")
        || starts("<OFX>")
        || (text.starts_with(b"<?") && has(b"<OFX"))
        || (text.starts_with(b"<?") && has(b"<?OFX"))
}

/// The name of the message, or of its schema, in a document of XML.
fn is_camt(head: &[u8]) -> bool {
    const SIGNS: [&[u8]; 6] = [
        b"camt.052.001.",
        b"camt.053.001.",
        b"camt.054.001.",
        b"BkToCstmrStmt>",
        b"BkToCstmrAcctRpt>",
        b"BkToCstmrDbtCdtNtfctn>",
    ];
    head.trim_ascii_start().first() == Some(&b'<')
        && SIGNS.iter().any(|sign| memmem::find(head, sign).is_some())
}

/// Lines that begin with the fields which every message has, one after the other.
fn is_mt940(head: &[u8]) -> bool {
    let mut lines = head.split(|byte| matches!(byte, b'\n' | b'\r'));
    let starts = |line: &[u8], tags: &[&[u8]]| tags.iter().any(|tag| line.starts_with(tag));
    let is_first = |line: &[u8]| {
        let line = memmem::find(line, b"{4:").map_or(line, |at| &line[at + 3..]);
        line.starts_with(b":20:")
    };
    let then: [&[u8]; 2] = [b":25:", b":25P:"];
    let last: [&[u8]; 6] = [b":28:", b":28C:", b":60F:", b":60M:", b":34F:", b":61:"];
    lines.any(is_first)
        && lines.any(|line| starts(line, &then))
        && lines.any(|line| starts(line, &last))
}
