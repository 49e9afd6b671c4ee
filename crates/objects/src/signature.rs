//! Signatures of requests: AWS Signature Version 4, as its description has it, for the service S3.
//!
//! A request is written down in one form (the canonical request), its hash is signed with a key
//! that is derived from the secret, the day and the region, and the signature goes into the header
//! `Authorization`. Pure: the time is an argument.

use std::fmt::Write as _;

use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use purser_core::secret::Secret;
use ring::hmac;
use sha2::{Digest as _, Sha256};

/// What is not written as `%…` in paths and queries.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The key with which requests are signed.
#[derive(Debug, Clone)]
pub struct Credentials {
    /// The name of the key.
    pub access_key: Secret,
    /// The secret of the key.
    pub secret_key: Secret,
}

/// A request as it is signed.
#[derive(Debug, Clone, Copy)]
pub struct Signed<'a> {
    /// The method in capitals.
    pub method: &'a str,
    /// The path as it is sent, encoded.
    pub path: &'a str,
    /// The query as it is sent, made by [`query`]; empty without one.
    pub query: &'a str,
    /// Every header that is signed, the names in lower case and in order.
    pub headers: &'a [(&'a str, &'a str)],
    /// The hash of the body, hexadecimal.
    pub payload_sha256: &'a str,
}

/// The value of the header `Authorization`. One of the signed headers is `x-amz-date` with the
/// same time ([`date_and_time`]).
pub fn authorization(
    credentials: &Credentials,
    region: &str,
    time: Timestamp,
    request: &Signed<'_>,
) -> Secret {
    let stamp = date_and_time(time);
    let day = stamp.split('T').next().unwrap_or_default();
    let scope = format!("{day}/{region}/s3/aws4_request");
    let (canonical, names) = canonical(request);
    let to_sign =
        format!("AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{}", sha256_hex(canonical.as_bytes()));
    let secret = format!("AWS4{}", credentials.secret_key.reveal());
    let key = [day, region, "s3", "aws4_request"]
        .iter()
        .fold(secret.into_bytes(), |key, part| keyed(&key, part));
    let signature = hex(&keyed(&key, &to_sign));
    let access_key = credentials.access_key.reveal();
    Secret::new(format!(
        "AWS4-HMAC-SHA256 Credential={access_key}/{scope}, SignedHeaders={names}, \
         Signature={signature}"
    ))
}

/// The canonical request, and the names of the headers in it.
fn canonical(request: &Signed<'_>) -> (String, String) {
    let names: Vec<&str> = request.headers.iter().map(|(name, _)| *name).collect();
    let names = names.join(";");
    let mut text = format!("{}\n{}\n{}\n", request.method, request.path, request.query);
    for (name, value) in request.headers {
        // Into a text, which takes everything.
        let _ = writeln!(text, "{name}:{}", value.trim());
    }
    let _ = write!(text, "\n{names}\n{}", request.payload_sha256);
    (text, names)
}

/// A time as signatures have it, such as `20130524T000000Z`.
pub fn date_and_time(time: Timestamp) -> String {
    time.strftime("%Y%m%dT%H%M%SZ").to_string()
}

/// The parameters as a query, in the order that signatures need.
pub fn query(parameters: &[(&str, &str)]) -> String {
    let encoded = |text| utf8_percent_encode(text, ENCODED).to_string();
    let mut pairs: Vec<(String, String)> =
        parameters.iter().map(|(name, value)| (encoded(*name), encoded(*value))).collect();
    pairs.sort();
    let pairs: Vec<String> = pairs.iter().map(|(name, value)| format!("{name}={value}")).collect();
    pairs.join("&")
}

/// The bytes as hexadecimal digits in lower case.
pub fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Into a text, which takes everything.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// The bytes that hexadecimal digits stand for, of a checksum.
pub fn sha256_of_hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// The hash of bytes as signatures have it.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn keyed(key: &[u8], text: &str) -> Vec<u8> {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    hmac::sign(&key, text.as_bytes()).as_ref().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const HOST: (&str, &str) = ("host", "examplebucket.s3.amazonaws.com");
    const DATE: (&str, &str) = ("x-amz-date", "20130524T000000Z");

    fn signature(request: &Signed<'_>) -> String {
        let credentials = Credentials {
            access_key: Secret::new("AKIAIOSFODNN7EXAMPLE"),
            secret_key: Secret::new("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        };
        let time = "2013-05-24T00:00:00Z".parse().unwrap();
        let value = authorization(&credentials, "us-east-1", time, request);
        let (head, signature) = value.reveal().split_once(", Signature=").unwrap();
        let names: Vec<&str> = request.headers.iter().map(|(name, _)| *name).collect();
        assert_eq!(
            head,
            format!(
                "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/\
                 aws4_request, SignedHeaders={}",
                names.join(";")
            )
        );
        signature.to_owned()
    }

    /// The examples in the description of the format.
    #[test]
    fn the_examples_of_the_description() {
        let empty = ("x-amz-content-sha256", NOTHING);
        let get = Signed {
            method: "GET",
            path: "/test.txt",
            query: "",
            headers: &[HOST, ("range", "bytes=0-9"), empty, DATE],
            payload_sha256: NOTHING,
        };
        let put_hash = sha256_hex(b"Welcome to Amazon S3.");
        let put = Signed {
            method: "PUT",
            path: "/test%24file.text",
            query: "",
            headers: &[
                ("date", "Fri, 24 May 2013 00:00:00 GMT"),
                HOST,
                ("x-amz-content-sha256", &put_hash),
                DATE,
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ],
            payload_sha256: &put_hash,
        };
        let list = query(&[("prefix", "J"), ("max-keys", "2")]);
        assert_eq!(list, "max-keys=2&prefix=J");
        let asked = |query| Signed {
            method: "GET",
            path: "/",
            query,
            headers: &[HOST, ("x-amz-content-sha256", NOTHING), DATE],
            payload_sha256: NOTHING,
        };
        for (request, expected) in [
            (get, "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
            (put, "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
            (
                asked("lifecycle="),
                "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
            ),
            (asked(&list), "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ] {
            assert_eq!(signature(&request), expected, "{request:?}");
        }
    }

    #[test]
    fn queries_are_encoded_and_in_order() {
        let made = query(&[("prefix", "a/b c+ü~"), ("list-type", "2"), ("delimiter", "/")]);
        assert_eq!(made, "delimiter=%2F&list-type=2&prefix=a%2Fb%20c%2B%C3%BC~");
    }

    #[test]
    fn checksums_are_read_back() {
        let sum: [u8; 32] = Sha256::digest(b"x").into();
        assert_eq!(sha256_of_hex(&hex(&sum)), Some(sum));
        for wrong in ["", "00", &"g0".repeat(32), &"0".repeat(63), &"ä".repeat(32)] {
            assert_eq!(sha256_of_hex(wrong), None, "{wrong}");
        }
    }
}
