//! A small load generator: one thread and one kept-alive connection each, one request at a time.
//!
//! It reads answers by `Content-Length`, which the interface promises to send, and stops at a
//! bound of time or of requests, whichever comes first. Any answer but 200 ends the run.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::Result;

/// So that the samples of a run fit in memory on any machine.
const REQUESTS_MAX: usize = 1_000_000;
const ANSWER_SECONDS_MAX: u64 = 10;
/// Requests of each connection that are not counted.
const WARM_UP: usize = 20;

/// What is asked, by how many, for how long.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) address: &'a str,
    pub(crate) key: &'a str,
    pub(crate) path: &'a str,
    pub(crate) connections: u64,
    pub(crate) bound: Duration,
}

/// The latency of every request, and how long all of it took.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) samples: Vec<Duration>,
    pub(crate) wall: Duration,
}

pub(crate) fn run(plan: &Plan<'_>) -> Result<Outcome> {
    let each = REQUESTS_MAX / usize::try_from(plan.connections)?.max(1);
    let started = Instant::now();
    let collected: Vec<std::result::Result<Vec<Duration>, String>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..plan.connections)
            .map(|_| scope.spawn(|| connection(plan, each).map_err(|error| error.to_string())))
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|_| Err("a connection's thread panicked".to_owned()))
        };
        threads.into_iter().map(join).collect()
    });
    let wall = started.elapsed();
    let mut samples = Vec::new();
    for one in collected {
        samples.extend(one?);
    }
    Ok(Outcome { samples, wall })
}

fn connection(plan: &Plan<'_>, requests_max: usize) -> Result<Vec<Duration>> {
    let stream = TcpStream::connect(plan.address)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(Duration::from_secs(ANSWER_SECONDS_MAX)))?;
    let mut writer = stream.try_clone()?;
    let mut reader = BufReader::new(stream);
    let request = format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nX-Api-Key: {}\r\n\r\n",
        plan.path, plan.address, plan.key
    );
    let mut body = Vec::new();
    for _ in 0..WARM_UP {
        ask(&mut writer, &mut reader, request.as_bytes(), &mut body)?;
    }
    let mut samples = Vec::with_capacity(64 * 1024);
    let deadline = Instant::now() + plan.bound;
    loop {
        let started = Instant::now();
        if started >= deadline || samples.len() >= requests_max {
            return Ok(samples);
        }
        ask(&mut writer, &mut reader, request.as_bytes(), &mut body)?;
        samples.push(started.elapsed());
    }
}

/// One request and its whole answer.
fn ask(
    writer: &mut TcpStream,
    reader: &mut BufReader<TcpStream>,
    request: &[u8],
    body: &mut Vec<u8>,
) -> Result<()> {
    writer.write_all(request)?;
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let good = line.starts_with("HTTP/1.1 200 ");
    let status = line.trim().to_owned();
    let mut length = None;
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Err(format!("the connection closed after {status:?}").into());
        }
        let header = line.trim_end();
        if header.is_empty() {
            break;
        }
        if let Some((name, value)) = header.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = Some(value.trim().parse::<usize>()?);
        }
    }
    body.resize(length.ok_or_else(|| format!("{status}: no Content-Length"))?, 0);
    reader.read_exact(body)?;
    if good { Ok(()) } else { Err(format!("{status}: {}", String::from_utf8_lossy(body)).into()) }
}
