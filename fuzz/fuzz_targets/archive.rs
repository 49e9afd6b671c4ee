//! ZIP archives: any bytes are an archive or are refused, no part has more bytes than its directory
//! states or than is asked for, and what was packed comes out again.
#![no_main]

use std::io::{Cursor, Read};

use libfuzzer_sys::fuzz_target;
use purser_formats::archive::Archive;
use purser_formats::archive::writer::ArchiveWriter;

const BYTES_MAX: u64 = 64 * 1024;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(mut archive) = Archive::open(Cursor::new(bytes)) {
        let parts = archive.parts().to_vec();
        for part in parts {
            let Ok(content) = archive.read(&part.name, BYTES_MAX) else { continue };
            let mut counted = Vec::new();
            let _ = content.take(2 * BYTES_MAX).read_to_end(&mut counted);
            assert!(counted.len() as u64 <= BYTES_MAX, "{}", part.name);
        }
    }
    let mut archive = ArchiveWriter::new(Vec::new());
    archive.part("all", |part| part.write_all(bytes)).expect("memory takes all of it");
    let packed = archive.finish().expect("memory takes all of it");
    let mut archive = Archive::open(Cursor::new(packed)).expect("it is an archive");
    let mut content = Vec::new();
    archive.read("all", u64::MAX).expect("it is there").read_to_end(&mut content).expect("whole");
    assert_eq!(content, bytes);
});
