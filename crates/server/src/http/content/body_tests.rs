//! Bodies of uploads, from pieces in memory to files on the disk.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::extract::{FromRequest as _, Request};
use http::header::CONTENT_TYPE;
use purser_app::imports::reading::InterpretationContext;
use purser_app::imports::request::{Fields, Request as Wanted};
use purser_app::imports::upload::{Retry, Upload};
use purser_core::error::{Error, Problems, Result};
use purser_core::ids::FileId;

use super::body::{Content, Received, receive};
use super::pieces::HEADER_BYTES_MAX;
use super::spool::{ContentLimits, Spool, Target};
use crate::http::error::ApiResult;
use crate::http::unread::Unread;
use crate::limits::UPLOAD_SPACE_CHECK_BYTES;
use crate::testing::TestApp;

const FORM: &str = "multipart/form-data; boundary=B";
const PIECE_BYTES: usize = 16 * 1024;

fn limits() -> ContentLimits {
    ContentLimits { free_bytes_min: 0, ..ContentLimits::new(1024 * 1024) }
}

/// Reads a body in these pieces, and how many of them were taken.
async fn read_pieces(
    test: &TestApp,
    content_type: &str,
    pieces: Vec<Vec<u8>>,
    limits: ContentLimits,
) -> (ApiResult<Received>, usize) {
    let taken = Arc::new(AtomicUsize::new(0));
    let counter = taken.clone();
    let pieces = futures_util::stream::iter(pieces.into_iter().map(move |piece| {
        counter.fetch_add(1, Ordering::Relaxed);
        Ok::<_, std::io::Error>(piece)
    }));
    let request = Request::post("/").header(CONTENT_TYPE, content_type);
    let request = request.body(Body::from_stream(pieces)).unwrap();
    let body = Unread::from_request(request, &test.app).await.unwrap();
    let received = receive(body, &test.app, test.family, limits).await;
    (received, taken.load(Ordering::Relaxed))
}

async fn read(test: &TestApp, content_type: &str, body: &[u8], size: usize) -> ApiResult<Received> {
    let pieces = body.chunks(size).map(<[u8]>::to_vec).collect();
    read_pieces(test, content_type, pieces, limits()).await.0
}

fn refused(received: ApiResult<Received>) -> (u16, serde_json::Value) {
    let Err(error) = received else { panic!("accepted") };
    (error.status().as_u16(), serde_json::from_str(&error.body()).unwrap())
}

fn part(header: &str, content: &str) -> String {
    format!("--B\r\nContent-Disposition: form-data; {header}\r\n\r\n{content}\r\n")
}

#[tokio::test]
async fn a_body_without_parts_is_not_collected() {
    let test = TestApp::new(&[]).await;
    let endless = "Content-Disposition: form-data; name=a\r\nX: ";
    let after_a_part = format!("{}--B\r\n{endless}", part("name=a", "1"));
    for start in ["".to_owned(), format!("--B\r\n{endless}"), after_a_part] {
        let mut pieces = vec![start.clone().into_bytes()];
        pieces.extend(std::iter::repeat_n(vec![b'x'; PIECE_BYTES], 50));
        let (received, taken) = read_pieces(&test, FORM, pieces, limits()).await;
        let (status, body) = refused(received);
        assert_eq!((status, &body["error"]), (400, &"bad_request".into()), "{start} {body}");
        assert!(body["message"].as_str().unwrap().contains("65536"), "{body}");
        assert!(taken <= HEADER_BYTES_MAX / PIECE_BYTES + 3, "{taken} pieces, {start}");
    }
}

#[tokio::test]
async fn forms_are_read_in_pieces_of_any_size() {
    let test = TestApp::new(&[]).await;
    let rows = "2024-01-02,-1.00,Coffee\r\n".repeat(20_000);
    let mut body = "x".repeat(HEADER_BYTES_MAX - 100) + "\r\n";
    body += &part("name=type", "TransactionImport");
    body += &part("name=file; filename=a.csv", &rows);
    body += &part("name=publish", "true");
    body += "--B--\r\n";
    for size in [257, 4096, HEADER_BYTES_MAX, body.len()] {
        let received = read(&test, FORM, body.as_bytes(), size).await.unwrap();
        assert_eq!(received.fields.names().count(), 2, "{size}");
        let Content { stored, name } = received.content.unwrap();
        assert_eq!(stored.content.bytes, rows.len() as u64, "{size}");
        assert_eq!(name.as_deref(), Some("a.csv"));
    }
}

#[tokio::test]
async fn nothing_is_sent_twice() {
    let test = TestApp::new(&[]).await;
    let file = part("name=file; filename=a.csv", "Date,Amount\n2024-01-02,-1");
    for (content_type, body, name) in [
        (FORM, format!("{file}{}--B--\r\n", part("name=file", "0.00\n")), "file"),
        (FORM, [part("name=type", "a"), part("name=type", "a")].concat() + "--B--\r\n", "type"),
        ("application/json", r#"{"type": "a", "publish": true, "type": "a"}"#.to_owned(), "type"),
    ] {
        let (status, body) = refused(read(&test, content_type, body.as_bytes(), 100).await);
        assert_eq!((status, &body["error"]), (422, &"validation_failed".into()), "{body}");
        assert_eq!(body["message"], format!("The {name} is sent twice"));
    }
}

#[tokio::test]
async fn a_disk_that_is_nearly_full_takes_no_uploads() {
    let test = TestApp::new(&[]).await;
    let full = ContentLimits { free_bytes_min: u64::MAX, ..ContentLimits::new(1024) };
    let pieces = vec![b"{}".to_vec()];
    let (received, taken) = read_pieces(&test, "application/json", pieces, full).await;
    let (status, body) = refused(received);
    assert_eq!((status, &body["error"]), (507, &"insufficient_storage".into()), "{body}");
    assert_eq!(taken, 0, "the body is not read");

    let limits = ContentLimits { content_bytes_max: u64::MAX, ..full };
    let mut spool = Spool::of_file(Target { app: &test.app, family: test.family, limits });
    let half = vec![b'x'; usize::try_from(UPLOAD_SPACE_CHECK_BYTES).unwrap() / 2];
    let Ok(()) = spool.take(&half);
    spool.drain().await.unwrap();
    let Ok(()) = spool.take(&half);
    assert_eq!(spool.drain().await.unwrap_err().status(), 507);

    for (content, free) in [(1, 64 << 20), (32 << 20, 64 << 20), (100 << 20, 200 << 20)] {
        assert_eq!(ContentLimits::new(content).free_bytes_min, free, "{content}");
    }
}

/// An upload in UTF-16, which is kept as it came and in UTF-8; and the ids of both.
async fn upload(test: &TestApp) -> (Upload, [FileId; 2]) {
    let csv = "\u{feff}Date,Amount,Name\n2024-01-02,-1.00,Café\n";
    let mut body = part("name=file", "").into_bytes();
    body.truncate(body.len() - 2);
    body.extend(csv.encode_utf16().flat_map(u16::to_le_bytes));
    body.extend_from_slice(b"\r\n--B--\r\n");
    let received = read(test, FORM, &body, 1000).await.unwrap();
    let Content { stored, name } = received.content.unwrap();
    let context = test
        .app
        .store
        .read(test.access.clone(), move |tx| InterpretationContext::of_upload(tx, None))
        .await
        .unwrap();
    let wanted = Wanted::read(&Fields::new(), Problems::new()).unwrap();
    let (store, files) = (&test.app.store, &test.app.files);
    let upload = Upload::read(wanted, Some((stored, name)), &context, store, files).unwrap();
    let ids = upload.files().map(|stored| stored.id).collect::<Vec<_>>().try_into().unwrap();
    (upload, ids)
}

fn exist(test: &TestApp, ids: [FileId; 2]) -> [bool; 2] {
    ids.map(|id| test.app.files.read(test.family, id).is_ok())
}

/// Stores the upload; with `fails` the transaction does so after that.
async fn store(test: &TestApp, upload: &Arc<Upload>, fails: bool) -> Result<()> {
    let upload = upload.clone();
    let stored = test.app.store.write(test.access.clone(), move |tx| {
        upload.store(tx, Retry::default())?;
        if fails { Err(Error::internal("lost")) } else { Ok(()) }
    });
    stored.await
}

#[tokio::test]
async fn files_of_an_upload_that_nobody_waits_for_are_deleted() {
    let test = TestApp::new(&[]).await;
    let body = part("name=file", "Date,Amount\n2024-01-02,-1.00\n") + "--B--\r\n";
    let received = read(&test, FORM, body.as_bytes(), 100).await.unwrap();
    let id = received.content.as_ref().unwrap().stored.id;
    assert!(test.app.files.read(test.family, id).is_ok());
    drop(received);
    assert!(test.app.files.read(test.family, id).is_err());

    let (read, ids) = upload(&test).await;
    assert_eq!(exist(&test, ids), [true; 2]);
    drop(read);
    assert_eq!(exist(&test, ids), [false; 2]);
}

#[tokio::test]
async fn files_that_a_row_may_name_stay() {
    let test = TestApp::new(&[]).await;
    let (stored, ids) = upload(&test).await;
    let stored = Arc::new(stored);
    store(&test, &stored, false).await.unwrap();
    drop(stored);
    assert_eq!(exist(&test, ids), [true; 2]);

    let (lost, ids) = upload(&test).await;
    let lost = Arc::new(lost);
    store(&test, &lost, true).await.unwrap_err();
    drop(lost);
    assert_eq!(exist(&test, ids), [true; 2], "whether it was committed is not known");

    let (refused, ids) = upload(&test).await;
    let refused = Arc::new(refused);
    store(&test, &refused, true).await.unwrap_err();
    refused.discard();
    drop(refused);
    assert_eq!(exist(&test, ids), [false; 2]);
}
