//! A small HTTP server, by hand: no library sends a body that ends in the middle.
//!
//! One request for each connection, no bodies of requests. For tests and for trying things out on
//! one's own machine; it isn't meant for a network.

mod message;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Span;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

pub(crate) use message::{Delivery, Request, Response};

use crate::API_KEY;
use crate::api;
use crate::misbehaviour::{Fault, Quirk};
use crate::world::World;

/// The longest head of a request.
const HEAD_BYTES_MAX: usize = 16 * 1024;
/// The pause between the bytes of a slow answer.
const SLOW_PAUSE: Duration = Duration::from_millis(20);
/// The size of an answer that is too large.
const HUGE_BYTES: usize = 11 * 1024 * 1024;

/// What the simulator knows and does wrong.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) world: World,
    pub(crate) faults: Vec<Fault>,
    /// Paths with queries, in the order of the requests.
    pub(crate) requests: Vec<String>,
    /// Whether the setup token was used.
    pub(crate) is_claimed: bool,
    /// The address of the server.
    pub(crate) address: String,
    /// Keys of the first provider that work.
    keys: Vec<String>,
    /// How long each answer takes.
    delay: Duration,
    /// When the first request came, of those that weren't taken.
    first_request: Option<Instant>,
    /// How long answers were made and sent since then.
    busy: Duration,
}

impl State {
    /// Whether a key of the first provider works.
    pub(crate) fn accepts(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    /// Noon of today by the provider's clock, and so many seconds later, as headers have it.
    pub(crate) fn http_date(&self, seconds: u64) -> String {
        let ahead = if self.world.has(Quirk::ClockSkew) { 3 } else { 0 };
        let seconds = i64::try_from(seconds).unwrap_or(0);
        let time = self.world.today.at(12, 0, 0, 0);
        let time = time.saturating_add(Span::new().hours(ahead).seconds(seconds));
        let zoned = time.to_zoned(TimeZone::UTC);
        zoned.map(|time| time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()).unwrap_or_default()
    }
}

/// A running simulator; it ends with this value.
#[derive(Debug)]
pub struct Simulator {
    state: Arc<Mutex<State>>,
    task: JoinHandle<()>,
    address: SocketAddr,
}

impl Simulator {
    /// Starts at an address; port 0 takes a free one.
    pub async fn start(listen: SocketAddr, world: World) -> std::io::Result<Self> {
        let listener = TcpListener::bind(listen).await?;
        let address = listener.local_addr()?;
        let state = State {
            world,
            faults: Vec::new(),
            requests: Vec::new(),
            is_claimed: false,
            address: format!("http://{address}"),
            keys: vec![API_KEY.to_owned()],
            delay: Duration::ZERO,
            first_request: None,
            busy: Duration::ZERO,
        };
        let state = Arc::new(Mutex::new(state));
        let task = tokio::spawn(serve(listener, state.clone()));
        Ok(Self { state, task, address })
    }

    /// Scheme, host and port.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address that the first provider's calls begin with.
    pub fn lunchflow_base(&self) -> String {
        format!("{}/api/v1", self.url())
    }

    /// The setup token of the open protocol; it works once.
    pub fn setup_token(&self) -> String {
        api::setup_token(&self.url())
    }

    /// Replaces what the banks do wrong.
    pub fn set_quirks(&self, quirks: &[Quirk]) {
        self.lock().world.quirks = quirks.to_vec();
    }

    /// Adds something that goes wrong with requests.
    pub fn add_fault(&self, fault: Fault) {
        self.lock().faults.push(fault);
    }

    /// Requests are answered again.
    pub fn clear_faults(&self) {
        self.lock().faults.clear();
    }

    /// Moves to another day.
    pub fn set_today(&self, today: Date) {
        self.lock().world.today = today;
    }

    /// Replaces the world; the setup token can be used again.
    pub fn set_world(&self, world: World) {
        let mut state = self.lock();
        state.world = world;
        state.is_claimed = false;
    }

    /// Replaces the keys of the first provider that work.
    pub fn set_keys(&self, keys: &[&str]) {
        self.lock().keys = keys.iter().map(|key| (*key).to_owned()).collect();
    }

    /// How long each answer takes from now on.
    pub fn set_delay(&self, delay: Duration) {
        self.lock().delay = delay;
    }

    /// When the first request came since [`Simulator::take_requests`], and for how long answers
    /// were made and sent.
    pub fn times(&self) -> (Option<Instant>, Duration) {
        let state = self.lock();
        (state.first_request, state.busy)
    }

    /// The world as it is now.
    pub fn world(&self) -> World {
        self.lock().world.clone()
    }

    /// The requests since the last call of this, each as path and query.
    pub fn take_requests(&self) -> Vec<String> {
        let mut state = self.lock();
        (state.first_request, state.busy) = (None, Duration::ZERO);
        std::mem::take(&mut state.requests)
    }

    /// Runs until the process ends.
    pub async fn run(self) {
        let mut this = self;
        let _ = (&mut this.task).await;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Simulator {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, state: Arc<Mutex<State>>) {
    loop {
        let Ok((stream, _)) = listener.accept().await else { continue };
        let state = state.clone();
        tokio::spawn(async move {
            // A client that goes away is no failure of the simulator.
            let _ = converse(stream, &state).await;
        });
    }
}

async fn converse(mut stream: TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut head = Vec::new();
    while !head.windows(4).any(|window| window == b"\r\n\r\n") {
        let mut piece = [0; 2048];
        let length = stream.read(&mut piece).await?;
        if length == 0 || head.len() > HEAD_BYTES_MAX {
            return Ok(());
        }
        head.extend_from_slice(&piece[..length]);
    }
    let began = Instant::now();
    let locked = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let response = match Request::parse(&head) {
        None => Response::error(400, "bad_request", "This is no request."),
        Some(request) => {
            let mut state = locked();
            state.requests.push(request.target());
            state.first_request.get_or_insert(began);
            api::answer(&mut state, &request)
        }
    };
    let delay = locked().delay;
    if !delay.is_zero() {
        tokio::time::sleep(delay).await;
    }
    send(&mut stream, &response).await?;
    locked().busy += began.elapsed();
    stream.shutdown().await
}

async fn send(stream: &mut TcpStream, response: &Response) -> std::io::Result<()> {
    let body = &response.body;
    match response.delivery {
        Delivery::Whole => {
            stream.write_all(&[response.head(body.len()).as_slice(), body].concat()).await
        }
        Delivery::Slow => {
            stream.write_all(&response.head(body.len())).await?;
            for byte in body {
                stream.write_all(std::slice::from_ref(byte)).await?;
                tokio::time::sleep(SLOW_PAUSE).await;
            }
            Ok(())
        }
        Delivery::Broken => {
            stream.write_all(&response.head(body.len())).await?;
            stream.write_all(&body[..body.len() / 2]).await
        }
        Delivery::Never => {
            // Until the client has had enough.
            let mut rest = [0; 1];
            stream.read(&mut rest).await.map(|_| ())
        }
        Delivery::Huge => {
            stream.write_all(&response.head(HUGE_BYTES)).await?;
            let piece = vec![b' '; 64 * 1024];
            for _ in 0..HUGE_BYTES / piece.len() {
                stream.write_all(&piece).await?;
            }
            Ok(())
        }
    }
}
