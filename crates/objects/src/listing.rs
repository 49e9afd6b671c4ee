//! The answers of the protocol that are XML: listings, copies and errors.
//!
//! Only a few elements are read, by their names. Names of objects that this program gives have
//! nothing that XML would write otherwise; others are left out.

use jiff::Timestamp;

use crate::failure::Failure;

/// An object in a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The name, without the operator's prefix.
    pub key: String,
    /// The size in bytes.
    pub bytes: u64,
    /// When it was written.
    pub modified: Timestamp,
}

/// One answer of a listing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Listing {
    /// The objects in the order of their names, with their full names.
    pub(crate) objects: Vec<Listed>,
    /// What the names begin with up to the delimiter, if one was asked for.
    pub(crate) folders: Vec<String>,
    /// There are more after the last one.
    pub(crate) is_truncated: bool,
}

/// Reads the answer to a listing.
pub(crate) fn listing(body: &[u8]) -> Result<Listing, Failure> {
    let text = text_of(body)?;
    let inner = element(text, "ListBucketResult")
        .ok_or(Failure::NotUnderstood("it isn't a list of objects"))?;
    let is_truncated = match element(inner, "IsTruncated").map(str::trim) {
        Some("true") => true,
        Some("false") => false,
        _ => return Err(Failure::NotUnderstood("a list of objects without IsTruncated")),
    };
    let objects = elements(inner, "Contents").map(object).collect::<Result<Vec<_>, _>>()?;
    let folders = elements(inner, "CommonPrefixes")
        .filter_map(|folder| element(folder, "Prefix").map(str::to_owned))
        .collect();
    Ok(Listing { objects, folders, is_truncated })
}

fn object(contents: &str) -> Result<Listed, Failure> {
    let part = |name| element(contents, name).map(str::trim);
    let read = || {
        Some(Listed {
            key: part("Key")?.to_owned(),
            bytes: part("Size")?.parse().ok()?,
            modified: part("LastModified")?.parse().ok()?,
        })
    };
    read().ok_or(Failure::NotUnderstood("an object of a list without name, size or time"))
}

/// Whether an answer is that of an object that was copied: a copy that failed late has the status
/// of a success, too.
pub(crate) fn is_copied(body: &[u8]) -> bool {
    text_of(body).is_ok_and(|text| element(text, "CopyObjectResult").is_some())
}

/// The code of an error; empty if the body has none.
pub(crate) fn error_code(body: &[u8]) -> String {
    let code = text_of(body).ok().and_then(|text| element(element(text, "Error")?, "Code"));
    let code = code.map(str::trim).unwrap_or_default();
    let is_code = code.len() <= 64 && code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_code { code.to_owned() } else { String::new() }
}

fn text_of(body: &[u8]) -> Result<&str, Failure> {
    std::str::from_utf8(body).map_err(|_| Failure::NotUnderstood("it isn't text"))
}

/// The content of the first element with this name.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    elements(text, name).next()
}

/// The content of each element with this name; none of them has another one inside.
fn elements<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            let after = &rest[rest.find(&open)? + open.len()..];
            let end = after.find('>')?;
            // The name of another element may begin with this one.
            let is_whole = after[..end].is_empty() || after.starts_with(char::is_whitespace);
            rest = &after[end + 1..];
            if is_whole && !after[..end].ends_with('/') {
                let (content, left) = rest.split_once(&close)?;
                rest = left;
                return Some(content);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
        <ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">
        <Name>purser</Name><Prefix>a/</Prefix><KeyCount>2</KeyCount><MaxKeys>1000</MaxKeys>
        <IsTruncated>true</IsTruncated>
        <Contents><Key>a/1/x</Key><LastModified>2026-02-03T04:05:06.000Z</LastModified>
        <ETag>&quot;x&quot;</ETag><Size>12</Size><StorageClass>STANDARD</StorageClass></Contents>
        <Contents><Key>a/1/y</Key><LastModified>2026-02-03T04:05:07Z</LastModified>
        <Size>0</Size></Contents>
        <CommonPrefixes><Prefix>a/b/</Prefix></CommonPrefixes></ListBucketResult>";

    #[test]
    fn a_list_is_read() {
        let read = listing(LIST.as_bytes()).unwrap();
        let time = |text: &str| text.parse().unwrap();
        let listed =
            |key: &str, bytes, at| Listed { key: key.to_owned(), bytes, modified: time(at) };
        assert_eq!(
            read,
            Listing {
                objects: vec![
                    listed("a/1/x", 12, "2026-02-03T04:05:06Z"),
                    listed("a/1/y", 0, "2026-02-03T04:05:07Z"),
                ],
                folders: vec!["a/b/".to_owned()],
                is_truncated: true,
            }
        );
        let empty = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
        assert!(listing(empty.as_bytes()).unwrap().objects.is_empty());
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for wrong in [
            "",
            "<html>Please sign in</html>",
            "<ListBucketResult/>",
            "<ListBucketResult><IsTruncated>maybe</IsTruncated></ListBucketResult>",
            "<ListBucketResult><IsTruncated>false</IsTruncated>",
            "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents>\
             </ListBucketResult>",
        ] {
            assert!(listing(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert!(listing(&[0xff, 0xfe]).is_err());
        // Cut off at any byte it is refused, or the same list without what is after its end.
        for end in 0..LIST.len() - 1 {
            assert!(listing(&LIST.as_bytes()[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn codes_of_errors_are_words() {
        let error =
            |code: &str| format!("<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code></Error>");
        assert_eq!(error_code(error("NoSuchKey").as_bytes()), "NoSuchKey");
        let long = "x".repeat(65);
        for wrong in [error("a b"), error("<i>"), error(&long), "<html/>".to_owned()] {
            assert_eq!(error_code(wrong.as_bytes()), "", "{wrong}");
        }
        assert!(is_copied(b"<CopyObjectResult><ETag>x</ETag></CopyObjectResult>"));
        assert!(!is_copied(error("InternalError").as_bytes()));
    }
}
