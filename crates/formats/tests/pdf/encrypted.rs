//! Documents that another program encrypted (qpdf 11), with an empty password and with one. All of
//! them are the same statement of three bookings.

use purser_formats::pdf::{PdfError, write_table};

fn rows(document: &[u8], password: &str) -> Result<usize, PdfError> {
    let mut table = Vec::new();
    let facts = write_table(document, password, &mut table, std::io::sink())?;
    let table = String::from_utf8(table).unwrap();
    let is_row = |name: &&str| table.contains(name);
    assert_eq!(["Bakery", "Salary", "Rent"].iter().filter(|it| is_row(it)).count(), 3, "{table}");
    for amount in ["-12.50", "900.00", "-450.00", "537.50"] {
        assert!(table.contains(amount), "{amount} in {table}");
    }
    Ok(usize::try_from(facts.pages).unwrap())
}

#[test]
fn a_document_that_everybody_may_read_needs_no_password() {
    for (name, document) in [
        ("RC4, 40 bits", &include_bytes!("encrypted/rc4_40.pdf")[..]),
        ("RC4, 128 bits", include_bytes!("encrypted/rc4_128.pdf")),
        ("AES, 128 bits, plain metadata", include_bytes!("encrypted/aes_128.pdf")),
        ("AES, 256 bits, revision 5", include_bytes!("encrypted/aes_256_r5.pdf")),
        ("AES, 256 bits, object streams", include_bytes!("encrypted/aes_256.pdf")),
    ] {
        assert_eq!(rows(document, ""), Ok(1), "{name}");
        assert_eq!(rows(document, "anything"), Ok(1), "{name}: the password isn't needed");
    }
}

#[test]
fn a_password_is_asked_for_and_compared() {
    for (document, password) in [
        (&include_bytes!("encrypted/aes_128_password.pdf")[..], "secret"),
        (include_bytes!("encrypted/aes_256_password.pdf"), "Straße 7"),
    ] {
        assert_eq!(rows(document, ""), Err(PdfError::Encrypted));
        assert_eq!(rows(document, "wrong"), Err(PdfError::WrongPassword));
        assert_eq!(rows(document, "wrong 木"), Err(PdfError::WrongPassword));
        assert_eq!(rows(document, password), Ok(1));
        assert_eq!(rows(document, "owner"), Ok(1), "the owner's password opens it, too");
    }
}

#[test]
fn a_changed_encrypted_document_is_refused_or_read() {
    let document = include_bytes!("encrypted/aes_256.pdf");
    for at in (0..document.len()).step_by(13) {
        let mut changed = document.to_vec();
        changed[at] ^= 0x11;
        let _ = write_table(&changed, "", Vec::new(), std::io::sink());
    }
}
