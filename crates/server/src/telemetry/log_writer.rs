//! Where the log goes: standard error, which must never stop the server.
//!
//! What standard error refuses (its disk is full, its reader has died) and what it doesn't take in
//! time (its reader was stopped) is lost, and counted.

use std::io::{self, StderrLock, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::names;

/// A pipe that is ready takes so much without waiting (`PIPE_BUF`).
const PART_BYTES: usize = 4096;
/// How long a line waits for a slow reader. If that was in vain, later lines don't wait until the
/// reader goes on.
const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
const NO_WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// Whether the last line was given up because nobody read; of the one standard error.
static IS_STUCK: AtomicBool = AtomicBool::new(false);

/// Standard error, which loses lines rather than fail or block.
#[derive(Debug, Clone, Copy)]
pub(super) struct LogWriter;

impl Write for LogWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if write_in_time(&mut io::stderr().lock(), line).is_err() {
            metrics::counter!(names::LOG_LINES_LOST).increment(1);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_in_time(output: &mut StderrLock<'_>, line: &[u8]) -> io::Result<()> {
    for part in line.chunks(PART_BYTES) {
        let wait = if IS_STUCK.load(Ordering::Relaxed) { NO_WAIT } else { WAIT };
        let ready = is_ready(&*output, &wait)?;
        IS_STUCK.store(!ready, Ordering::Relaxed);
        if !ready {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        output.write_all(part)?;
    }
    Ok(())
}

/// Whether a part can be written without waiting any longer. What refuses it is ready, too.
fn is_ready(output: &impl AsFd, wait: &Timespec) -> io::Result<bool> {
    let mut waited = [PollFd::new(output, PollFlags::OUT)];
    Ok(poll(&mut waited, Some(wait))? > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_pipe_is_not_ready_and_one_without_a_reader_is() {
        let (reader, mut writer) = io::pipe().unwrap();
        assert!(is_ready(&writer, &NO_WAIT).unwrap());
        while is_ready(&writer, &NO_WAIT).unwrap() {
            writer.write_all(&[b'x'; PART_BYTES]).unwrap();
        }
        drop(reader);
        assert!(is_ready(&writer, &NO_WAIT).unwrap());
        assert!(writer.write_all(b"x").is_err());
    }
}
