//! What can go wrong between a client and a server of HTTP: a stand-in for the server that passes
//! requests on, or answers itself.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// What happens to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It is passed on, and so is the answer.
    Pass,
    /// The connection ends before the request is read.
    Refuse,
    /// It is passed on, but only so many bytes of the answer come back.
    Cut(usize),
    /// It is passed on, but the last bytes of the answer, so many, don't come back.
    Short(usize),
    /// It is passed on, but the last byte of the answer is another one.
    Flip,
    /// It is passed on, but the byte of the answer at this place is another one.
    FlipAt(usize),
    /// Its head is passed on, and so many bytes of its body; then both connections end.
    CutBody(usize),
    /// It is passed on, but the byte of its body at this place is another one.
    FlipBody(usize),
    /// It is passed on, but the answer comes slowly: so many bytes every tenth of a second.
    Slow(usize),
    /// It isn't passed on, and nothing comes back while this is the fault.
    Hang,
    /// It isn't passed on; this is the answer.
    Answer(&'static str),
}

/// The stand-in. Every connection has one request.
#[derive(Debug, Clone)]
pub(crate) struct Faults {
    address: String,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    fault: Fault,
    /// The method that it is for; the others pass.
    method: &'static str,
    /// How many requests met the fault.
    met: usize,
}

impl Faults {
    /// Listens before a server.
    pub(super) fn before(server: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address").to_string();
        let state = State { fault: Fault::Pass, method: "", met: 0 };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let faults = Self { address, shared };
        let (server, these) = (server.to_owned(), faults.clone());
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                let (server, these) = (server.clone(), these.clone());
                // A connection that breaks off is what this is for.
                thread::spawn(move || these.serve(&connection, &server));
            }
        });
        faults
    }

    /// Host and port of the stand-in.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// What happens to all requests from now on.
    pub(crate) fn set(&self, fault: Fault) {
        self.set_for("", fault);
    }

    /// What happens to requests with a method from now on; the others pass.
    pub(crate) fn set_for(&self, method: &'static str, fault: Fault) {
        *self.state() = State { fault, method, met: 0 };
        self.shared.changed.notify_all();
    }

    /// How many requests met the fault since it was set.
    pub(crate) fn met(&self) -> usize {
        self.state().met
    }

    /// The fault that a request meets.
    fn meet(&self, head: &[u8]) -> Fault {
        let mut state = self.state();
        if !head.starts_with(state.method.as_bytes()) {
            return Fault::Pass;
        }
        state.met += 1;
        state.fault
    }

    fn is(&self, fault: Fault) -> bool {
        self.state().fault == fault
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the fault is set anew, or for a while.
    fn wait(&self, at_most: Duration) {
        let waited = self.shared.changed.wait_timeout(self.state(), at_most);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn serve(&self, mut client: &TcpStream, server: &str) -> io::Result<()> {
        if self.is(Fault::Refuse) {
            self.meet(b"");
            return Ok(());
        }
        let head = head(client)?;
        match self.meet(&head) {
            Fault::Refuse => Ok(()),
            Fault::Hang => {
                while self.is(Fault::Hang) {
                    self.wait(Duration::from_millis(100));
                }
                Ok(())
            }
            Fault::Answer(answer) => {
                client.write_all(answer.as_bytes())?;
                client.shutdown(Shutdown::Write)?;
                // What is still coming must be read, or the answer would be lost.
                client.set_read_timeout(Some(Duration::from_secs(2)))?;
                io::copy(&mut client, &mut io::sink()).map(drop)
            }
            fault => pass(self, client, &head, server, fault),
        }
    }
}

/// Passes a request on, and the answer back as the fault has it.
fn pass(
    faults: &Faults,
    mut client: &TcpStream,
    head: &[u8],
    server: &str,
    fault: Fault,
) -> io::Result<()> {
    let mut upstream = TcpStream::connect(server)?;
    let text = String::from_utf8_lossy(head);
    let length = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<u64>().ok()).flatten()
    });
    let (first, rest) = text.split_once("\r\n").unwrap_or_default();
    upstream.write_all(format!("{first}\r\nConnection: close\r\n{rest}").as_bytes())?;
    let length = length.unwrap_or(0);
    match fault {
        Fault::CutBody(bytes) => {
            io::copy(&mut client.take(length.min(bytes as u64)), &mut upstream)?;
            client.shutdown(Shutdown::Both)?;
            return upstream.shutdown(Shutdown::Both);
        }
        Fault::FlipBody(at) => {
            io::copy(&mut client.take(length.min(at as u64)), &mut upstream)?;
            let mut byte = [0];
            if length > at as u64 {
                client.read_exact(&mut byte)?;
                upstream.write_all(&[byte[0] ^ 1])?;
                io::copy(&mut client.take(length - at as u64 - 1), &mut upstream)?;
            }
        }
        _ => drop(io::copy(&mut client.take(length), &mut upstream)?),
    }
    let mut answer = Vec::new();
    upstream.read_to_end(&mut answer)?;
    match fault {
        Fault::Cut(bytes) => answer.truncate(bytes),
        Fault::Short(bytes) => answer.truncate(answer.len().saturating_sub(bytes)),
        Fault::Flip => {
            if let Some(last) = answer.last_mut() {
                *last ^= 1;
            }
        }
        Fault::FlipAt(at) => {
            if let Some(byte) = answer.get_mut(at) {
                *byte ^= 1;
            }
        }
        Fault::Slow(bytes) => {
            for piece in answer.chunks(bytes) {
                client.write_all(piece)?;
                faults.wait(Duration::from_millis(100));
            }
            return Ok(());
        }
        _ => {}
    }
    client.write_all(&answer)
}

/// The head of a request, up to the empty line.
fn head(mut client: &TcpStream) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        client.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    Ok(head)
}
