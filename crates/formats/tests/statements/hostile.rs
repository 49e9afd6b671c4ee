//! Files with anything changed: they are read or refused, and nothing else.

use purser_formats::statements::OneFile;
use purser_formats::statements::StatementFormat;
use purser_formats::statements::table::write_table;

use crate::ledger::{Allowed, ledger};
use crate::random::Random;
use crate::reading::{read_text, text};
use crate::{camt_writing, mt940_writing, ofx_writing};

/// Pieces that mean something to one of the formats.
const PIECES: [&str; 20] = [
    "<",
    ">",
    "/>",
    "</",
    "&",
    ";",
    "<![CDATA[",
    "]]>",
    "<!--",
    "\"",
    "<Ntry>",
    "</Stmt>",
    "<STMTTRN>",
    "</OFX>",
    "\n:61:",
    "\n:86:",
    "?20",
    "//",
    "\u{1}",
    "€",
];

fn changed(random: &mut Random, text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(40)).min(text.len());
        match random.below(5) {
            0 => drop(text.splice(at..end, [])),
            1 => drop(text.splice(at..at, random.pick::<&str>(&PIECES).bytes())),
            2 => {
                let copied = text[at..end].to_vec();
                let to = random.below(text.len() + 1);
                drop(text.splice(to..to, copied));
            }
            3 => text.truncate(at),
            _ => {
                if let Some(byte) = text.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    text
}

#[test]
fn changed_files_are_read_or_refused() {
    let (mut read, mut refused) = (0, 0);
    for seed in 0..120 {
        let mut random = Random::new(90_000 + seed);
        let allowed = Allowed { pending: true, reversals: true, batches: true, plain: false };
        let ledger = ledger(&mut random, allowed);
        let files = [
            (
                StatementFormat::Ofx,
                ofx_writing::written(&ledger, &ofx_writing::Habits::new(&mut random)),
            ),
            (
                StatementFormat::Camt,
                camt_writing::written(&ledger, &camt_writing::Habits::new(&mut random)),
            ),
            (
                StatementFormat::Mt940,
                mt940_writing::written(&ledger, &mt940_writing::Habits::new(&mut random)),
            ),
        ];
        for (format, file) in files {
            let (_, text) = text(&file);
            for _ in 0..10 {
                let changed = changed(&mut random, &text);
                let mut table = Vec::new();
                let written = write_table(&mut OneFile(format, || Ok(&changed[..])), &mut table);
                match read_text(format, &changed) {
                    Ok(statements) => {
                        let facts = written.unwrap();
                        assert_eq!(facts.statements, statements.len() as u64);
                        assert!(std::str::from_utf8(&table).is_ok());
                        read += 1;
                    }
                    Err(error) => {
                        assert_eq!(written.unwrap_err().to_string(), error.to_string());
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(read > 500 && refused > 500, "{read} read, {refused} refused");
}
