//! The requests to a bucket, for threads that may block.
//!
//! They are made by a runtime of their own, so that whoever waits needn't be asynchronous. What may
//! pass is tried again a few times. No request is bounded by its whole time, because files are of
//! any size, but by the time in which nothing moves.

use std::fs::File;
use std::ops::ControlFlow;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use jiff::Timestamp;
use purser_outbound::{Answer, Client, Limits};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::failure::Failure;
use crate::listing::{self, Listed};
use crate::requests::{CHECKSUM, Operation};
use crate::settings::BucketSettings;
use crate::signature::{hex, query, sha256_of_hex};

const LIMITS: Limits =
    Limits { connect: Duration::from_secs(5), total: Duration::from_secs(6 * 3600) };
/// The time after which a request is given up in which nothing moves.
const STALL: Duration = Duration::from_secs(15);
/// Pauses before the next try, and for how long there is one.
const PAUSES: [Duration; 2] = [Duration::from_millis(200), Duration::from_millis(1_000)];
const TRIES_END: Duration = Duration::from_secs(5);
/// The largest answer that is read whole; a list of 1,000 objects has some 500 KiB.
const ANSWER_BYTES_MAX: usize = 4 * 1024 * 1024;
/// The largest object that one request may put.
const OBJECT_BYTES_MAX: u64 = 5 * 1024 * 1024 * 1024;
/// Pieces of an object that wait for whoever takes them.
const PIECES_WAITING: usize = 8;
/// The bytes of a piece at most.
const PIECE_BYTES: usize = 64 * 1024;

/// A source of the time, for signatures.
pub type Now = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// What a store states about an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stated {
    /// The size in bytes.
    pub bytes: u64,
    /// The checksum that was stored with it; none if another program has written it.
    pub sha256: Option<[u8; 32]>,
}

/// A bucket, and whoever asks for what is in it. Cheap to clone.
#[derive(Clone)]
pub struct Bucket {
    client: Arc<Requests>,
    runtime: Handle,
    /// When the last of it is dropped, the runtime ends.
    _ends: Arc<oneshot::Sender<()>>,
}

struct Requests {
    client: Client,
    settings: BucketSettings,
    now: Now,
}

/// What comes of an object while it is read.
enum Part {
    Head(Stated),
    Piece(Vec<u8>),
    End(Result<bool, Failure>),
}

impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bucket").field("settings", &self.client.settings).finish_non_exhaustive()
    }
}

impl Bucket {
    /// The bucket with these settings. Nothing is asked yet.
    pub fn new(settings: BucketSettings, now: Now) -> Result<Self, Failure> {
        let failed = |error: &dyn std::fmt::Display| Failure::Local(error.to_string());
        let client = Client::of_operator(LIMITS).map_err(|error| failed(&error))?;
        // One thread: memory that one allocates and another frees stays with the allocator a while.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(&error))?;
        let handle = runtime.handle().clone();
        let (ends, end) = oneshot::channel::<()>();
        // A runtime may only be dropped where blocking is allowed.
        std::thread::Builder::new()
            .name("objects".to_owned())
            .spawn(move || {
                let _ = runtime.block_on(end);
            })
            .map_err(|error| failed(&error))?;
        let client = Arc::new(Requests { client, settings, now });
        Ok(Self { client, runtime: handle, _ends: Arc::new(ends) })
    }

    /// The bucket for people: its name and where it is.
    pub fn shown(&self) -> String {
        self.client.settings.shown()
    }

    /// Stores a file, of which the size and the checksum are known, and makes sure that the store
    /// has it. Blocks.
    pub fn put(&self, key: &str, file: File, bytes: u64, sha256: [u8; 32]) -> Result<(), Failure> {
        if bytes > OBJECT_BYTES_MAX {
            return Err(Failure::NoSpace("a file of more than 5 GiB".to_owned()));
        }
        let (requests, key) = (self.client.clone(), key.to_owned());
        self.wait(async move {
            let sum = hex(&sha256);
            requests.put(&Operation::Put { key: &key, file: &file, bytes, sha256: &sum }).await?;
            // Something in between may answer for the store.
            match requests.find(&key).await? {
                Some(stated) if stated == (Stated { bytes, sha256: Some(sha256) }) => Ok(()),
                _ => Err(Failure::NotUnderstood("what was stored isn't what was sent")),
            }
        })
    }

    /// What the store states about an object; `None` if it isn't there. Blocks.
    pub fn find(&self, key: &str) -> Result<Option<Stated>, Failure> {
        let (requests, key) = (self.client.clone(), key.to_owned());
        self.wait(async move { requests.find(&key).await })
    }

    /// Reads an object piece by piece until it ends or nobody wants more; `None` if it isn't there.
    /// Whoever takes the pieces compares them with what was stated. Blocks, and isn't for
    /// asynchronous code.
    ///
    /// The pieces come in a few buffers that go back and forth: those of the connection, freed by
    /// another thread, would keep memory of the allocator for a while.
    pub fn get(
        &self,
        key: &str,
        take: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<Option<Stated>, Failure> {
        let (parts, mut coming) = tokio::sync::mpsc::channel(PIECES_WAITING);
        let (spare, mut spares) = tokio::sync::mpsc::channel(PIECES_WAITING);
        let (requests, key) = (self.client.clone(), key.to_owned());
        self.runtime.spawn(async move {
            let end = requests.get(&key, &parts, &mut spares).await;
            let _ = parts.send(Part::End(end)).await;
        });
        let mut stated = None;
        loop {
            match coming.blocking_recv() {
                Some(Part::Head(head)) => stated = Some(head),
                Some(Part::Piece(piece)) => {
                    if take(&piece).is_break() {
                        return Ok(stated);
                    }
                    let _ = spare.try_send(piece);
                }
                Some(Part::End(end)) => return end.map(|is_there| stated.filter(|_| is_there)),
                None => return Err(Failure::Ended),
            }
        }
    }

    /// Removes an object; it may be gone already. Blocks.
    pub fn delete(&self, key: &str) -> Result<(), Failure> {
        let (requests, key) = (self.client.clone(), key.to_owned());
        self.wait(async move { requests.delete(&key).await })
    }

    /// As [`Bucket::delete`], without waiting; a failure is only logged.
    pub fn delete_later(&self, key: &str) {
        let (requests, key) = (self.client.clone(), key.to_owned());
        self.runtime.spawn(async move {
            if let Err(failure) = requests.delete(&key).await {
                tracing::warn!(%failure, "an unused object stays until the next sweep");
            }
        });
    }

    /// Copies an object, and makes sure that the store has the copy; false if there is nothing to
    /// copy. Blocks.
    pub fn copy(&self, from: &str, to: &str) -> Result<bool, Failure> {
        let requests = self.client.clone();
        let (from, to) = (from.to_owned(), to.to_owned());
        self.wait(async move {
            let Some(stated) = requests.find(&from).await? else { return Ok(false) };
            let copied = requests.whole(&Operation::Copy { from: &from, to: &to }).await?;
            if !listing::is_copied(&copied) || requests.find(&to).await? != Some(stated) {
                return Err(Failure::NotUnderstood("a copy isn't what was copied"));
            }
            Ok(true)
        })
    }

    /// Some of the objects of which the names begin with a prefix and come after a name, in order,
    /// and whether there are more. Blocks.
    pub fn list(&self, prefix: &str, after: &str) -> Result<(Vec<Listed>, bool), Failure> {
        let requests = self.client.clone();
        let (prefix, after) = (prefix.to_owned(), after.to_owned());
        self.wait(async move { requests.list(&prefix, &after).await })
    }

    /// The first of what the names begin with up to a slash, of those with a prefix. Blocks.
    pub fn folders(&self, prefix: &str) -> Result<Vec<String>, Failure> {
        let (requests, prefix) = (self.client.clone(), prefix.to_owned());
        self.wait(async move {
            let name = requests.settings.name(&prefix);
            let query = query(&[("list-type", "2"), ("delimiter", "/"), ("prefix", &name)]);
            let answer = listing::listing(&requests.whole(&Operation::List(&query)).await?)?;
            let folders = answer.folders.iter().filter_map(|name| requests.settings.key(name));
            Ok(folders.map(str::to_owned).collect())
        })
    }

    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, Failure> {
        let (done, result) = mpsc::sync_channel(1);
        self.runtime.spawn(async move {
            let _ = done.send(work.await);
        });
        result.recv().map_err(|_| Failure::Ended)?
    }
}

impl Requests {
    /// The head of the answer to a request, of which the status is a success or 404; the body of
    /// any other is an error. What may pass is tried again.
    async fn answer(&self, operation: &Operation<'_>) -> Result<Answer, Failure> {
        let began = Instant::now();
        let mut pauses = PAUSES.into_iter();
        loop {
            let failure = match self.ask(operation).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            };
            let pause = pauses.next().filter(|_| failure.may_pass() && began.elapsed() < TRIES_END);
            let Some(pause) = pause else { return Err(failure) };
            tracing::debug!(%failure, "the object store is asked again");
            tokio::time::sleep(pause).await;
        }
    }

    async fn ask(&self, operation: &Operation<'_>) -> Result<Answer, Failure> {
        let request = operation.request(&self.settings, (self.now)())?;
        let answer = self.client.send_unless_stalled(request, STALL).await?;
        match answer.status() {
            200 | 204 | 404 => Ok(answer),
            status => Err(Failure::of_answer(status, code_of(answer).await)),
        }
    }

    /// The whole body of the answer to a request that can't come to nothing.
    async fn whole(&self, operation: &Operation<'_>) -> Result<Vec<u8>, Failure> {
        let mut answer = self.answer(operation).await?;
        if answer.status() == 404 {
            return Err(Failure::of_answer(404, code_of(answer).await));
        }
        let mut body = Vec::new();
        while let Some(piece) = answer.piece(STALL).await? {
            if body.len() + piece.len() > ANSWER_BYTES_MAX {
                return Err(Failure::NotUnderstood("it is too long"));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }

    async fn put(&self, operation: &Operation<'_>) -> Result<(), Failure> {
        self.whole(operation).await.map(drop)
    }

    async fn find(&self, key: &str) -> Result<Option<Stated>, Failure> {
        match self.answer(&Operation::Head(key)).await {
            Ok(answer) if answer.status() != 404 => return stated(&answer).map(Some),
            Err(failure) if !matches!(failure, Failure::Refused { .. }) => return Err(failure),
            // Without a body nothing shows why, or whether it is the bucket that isn't there.
            Ok(_) | Err(_) => {}
        }
        let answer = self.answer(&Operation::Get(key)).await?;
        if answer.status() == 404 {
            missing(answer).await.map(|()| None)
        } else {
            stated(&answer).map(Some)
        }
    }

    /// Sends the parts of an object, in buffers that come back; false if it isn't there.
    async fn get(
        &self,
        key: &str,
        parts: &tokio::sync::mpsc::Sender<Part>,
        spares: &mut tokio::sync::mpsc::Receiver<Vec<u8>>,
    ) -> Result<bool, Failure> {
        let mut answer = self.answer(&Operation::Get(key)).await?;
        if answer.status() == 404 {
            return missing(answer).await.map(|()| false);
        }
        let stated = stated(&answer)?;
        if parts.send(Part::Head(stated)).await.is_err() {
            return Ok(true);
        }
        let mut bytes = 0;
        while let Some(piece) = answer.piece(STALL).await? {
            bytes += piece.len() as u64;
            for piece in piece.chunks(PIECE_BYTES) {
                let mut buffer = spares.try_recv().unwrap_or_default();
                buffer.clear();
                buffer.extend_from_slice(piece);
                if parts.send(Part::Piece(buffer)).await.is_err() {
                    return Ok(true);
                }
            }
        }
        if bytes == stated.bytes { Ok(true) } else { Err(Failure::NotUnderstood("it was cut off")) }
    }

    async fn delete(&self, key: &str) -> Result<(), Failure> {
        let answer = self.answer(&Operation::Delete(key)).await?;
        if answer.status() == 404 { missing(answer).await } else { Ok(()) }
    }

    async fn list(&self, prefix: &str, after: &str) -> Result<(Vec<Listed>, bool), Failure> {
        let name = self.settings.name(prefix);
        let mut parameters = vec![("list-type", "2"), ("max-keys", "1000"), ("prefix", &*name)];
        let start = self.settings.name(after);
        if !after.is_empty() {
            parameters.push(("start-after", &start));
        }
        let query = query(&parameters);
        let answer = listing::listing(&self.whole(&Operation::List(&query)).await?)?;
        let mut objects = Vec::new();
        let mut last = if after.is_empty() { String::new() } else { start.clone() };
        for listed in answer.objects {
            // A list that doesn't go on would never end.
            if !listed.key.starts_with(&name) || listed.key <= last {
                return Err(Failure::NotUnderstood("a list out of order"));
            }
            last.clone_from(&listed.key);
            let key = self.settings.key(&listed.key).unwrap_or_default().to_owned();
            objects.push(Listed { key, ..listed });
        }
        let goes_on = answer.is_truncated && !objects.is_empty();
        if answer.is_truncated && !goes_on {
            return Err(Failure::NotUnderstood("an empty list that isn't the end"));
        }
        Ok((objects, goes_on))
    }
}

/// What the headers state about an object.
fn stated(answer: &Answer) -> Result<Stated, Failure> {
    let bytes = answer.header("content-length").and_then(|text| text.parse().ok());
    let bytes = bytes.ok_or(Failure::NotUnderstood("an object without its size"))?;
    let sha256 = answer.header(CHECKSUM).and_then(sha256_of_hex);
    Ok(Stated { bytes, sha256 })
}

/// It is the object that isn't there, and not the bucket.
async fn missing(answer: Answer) -> Result<(), Failure> {
    let code = code_of(answer).await;
    if code == "NoSuchKey" { Ok(()) } else { Err(Failure::of_answer(404, code)) }
}

/// The code of an error, of as much of its body as comes.
async fn code_of(answer: Answer) -> String {
    let beginning = tokio::time::timeout(STALL, answer.beginning(ANSWER_BYTES_MAX)).await;
    listing::error_code(&beginning.unwrap_or_default())
}
