//! The listener: accepts connections, serves HTTP/1 on them within limits, and stops gracefully.
//!
//! Why not the router's own: that one has no limit on connections and waits for ever for the first
//! byte. Here a connection must have sent a whole header block within the time limit, counted from
//! its start or from the end of the request before; a silent one is closed. There is no HTTP/2 and
//! no upgrade. What the HTTP parser itself refuses (a broken request line, too many header fields)
//! is answered with an empty 400 or 431, because there is no request yet that could have a body.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::extract::Request;
use axum::response::Response;
use http::{HeaderValue, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tower::ServiceExt as _;

use super::connections::{Connections, Newcomer, Refused, Slot};
use super::peer::Peer;
use super::request_body;
use super::stall::StallGuard;
use crate::config::Server;
use crate::limits::{
    ACCEPT_PAUSE, CONNECTION_BUFFER_BYTES_MAX, HEADER_BYTES_MAX, HEADER_FIELDS_MAX,
    LINGER_BYTES_MAX, TimeLimits,
};
use crate::telemetry::names;

const BUSY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\n\
    content-type: application/json\r\n\
    content-length: 72\r\n\
    retry-after: 1\r\n\
    connection: close\r\n\r\n\
    {\"error\":\"unavailable\",\"message\":\"Too many connections; try again soon\"}";

type Connection = http1::Connection<TokioIo<StallGuard<TcpStream>>, Requests>;

/// Hands the requests of one connection to the router.
struct Requests {
    router: Router,
    peer: Peer,
    newcomer: Newcomer,
    /// Set when the connection ends with a part of a request in it.
    left_over: Arc<AtomicBool>,
}

impl Service<hyper::Request<Incoming>> for Requests {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        let (parts, body) = request.into_parts();
        let (body, ended) = request_body::watch(body);
        let mut request = Request::from_parts(parts, body);
        request.extensions_mut().insert(self.peer);
        request.extensions_mut().insert(self.newcomer.clone());
        let answer = self.router.clone().oneshot(request);
        let left_over = self.left_over.clone();
        Box::pin(async move {
            let mut response = answer.await?;
            if !ended.is_reached() {
                left_over.store(true, Ordering::Relaxed);
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            Ok(response)
        })
    }
}

/// Serves a router on a listener.
pub(crate) struct Edge {
    router: Router,
    http: http1::Builder,
    connections: Connections,
    times: TimeLimits,
    settings: Arc<Server>,
    stopping: watch::Receiver<bool>,
}

impl Edge {
    /// Until `stopping` becomes true.
    pub(crate) fn new(
        router: Router,
        settings: Arc<Server>,
        times: TimeLimits,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(times.header)
            .max_headers(HEADER_FIELDS_MAX)
            .max_header_size(HEADER_BYTES_MAX)
            .max_buf_size(CONNECTION_BUFFER_BYTES_MAX)
            .half_close(false);
        let connections =
            Connections::new(settings.max_connections, settings.max_connections_per_ip);
        Self { router, http, connections, times, settings, stopping }
    }

    /// Accepts connections until the server stops, then lets requests in flight finish within the
    /// time limit.
    pub(crate) async fn run(self, listener: TcpListener) {
        let mut stopping = self.stopping.clone();
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, address)) => self.admit(stream, address.ip()),
                    Err(error) => pause_after(&error).await,
                },
                () = stopped(&mut stopping) => break,
            }
        }
        drop(listener);
        if tokio::time::timeout(self.times.drain, self.connections.all_closed()).await.is_err() {
            tracing::warn!("stopped with requests in flight");
        }
    }

    fn admit(&self, stream: TcpStream, address: std::net::IpAddr) {
        match self.connections.admit(address, self.settings.trusts(address)) {
            Ok(slot) => {
                // Answers are written whole; waiting to fill packets would only delay them.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(cause = ?error, "no TCP_NODELAY");
                }
                tokio::spawn(self.serve(stream, Peer(address), slot));
            }
            Err(refused) => refuse(&stream, refused),
        }
    }

    /// Serves one connection until it ends.
    fn serve(
        &self,
        stream: TcpStream,
        peer: Peer,
        slot: Slot,
    ) -> impl Future<Output = ()> + Send + use<> {
        let times = self.times.clone();
        let left_over = Arc::new(AtomicBool::new(false));
        let requests = Requests {
            router: self.router.clone(),
            peer,
            newcomer: slot.newcomer(),
            left_over: left_over.clone(),
        };
        let stream = StallGuard::new(stream, times.write_stall, times.write_bytes_min);
        let connection = self.http.serve_connection(TokioIo::new(stream), requests);
        let stopping = self.stopping.clone();
        async move {
            if let Some(stream) = drive(connection, &left_over, stopping).await {
                // Who doesn't stop sending within the limit gets a reset after all.
                let _ = tokio::time::timeout(times.linger, linger(stream)).await;
            }
            drop(slot);
        }
    }
}

/// Waits until the server stops.
async fn stopped(stopping: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, which is a stop too.
    let _ = stopping.wait_for(|stopping| *stopping).await;
}

/// Runs a connection; gives its stream back if it ended in order with something unread in it.
async fn drive(
    mut connection: Connection,
    left_over: &AtomicBool,
    mut stopping: watch::Receiver<bool>,
) -> Option<StallGuard<TcpStream>> {
    let mut is_stopping = false;
    let result = loop {
        let finished = poll_fn(|cx| connection.poll_without_shutdown(cx));
        if is_stopping {
            break finished.await;
        }
        tokio::select! {
            result = finished => break result,
            () = stopped(&mut stopping) => {
                is_stopping = true;
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    match result {
        Ok(()) if left_over.load(Ordering::Relaxed) => {
            Some(connection.into_parts().io.into_inner())
        }
        Ok(()) => None,
        Err(error) => {
            tracing::debug!(cause = ?error, "connection ended");
            // An answer to an unreadable request was written; let it arrive.
            error.is_parse().then(|| connection.into_parts().io.into_inner())
        }
    }
}

/// Shuts down the sending side, and discards what the client still sends. Closing at once while it
/// sends would reset the connection, and the client would never see the answer that refused its
/// upload.
async fn linger(mut stream: StallGuard<TcpStream>) -> io::Result<()> {
    stream.shutdown().await?;
    tokio::io::copy(&mut stream.take(LINGER_BYTES_MAX), &mut tokio::io::sink()).await?;
    Ok(())
}

/// One attempt to send the reason, without waiting for the peer.
fn refuse(stream: &TcpStream, refused: Refused) {
    metrics::counter!(names::CONNECTIONS_REFUSED, "reason" => refused.reason()).increment(1);
    if let Err(error) = stream.try_write(BUSY) {
        tracing::debug!(cause = ?error, "a connection was turned away in silence");
    }
}

/// A connection that is gone again is nothing; without file descriptors, accepting at once would
/// only spin.
async fn pause_after(error: &io::Error) {
    let gone =
        matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset);
    if !gone {
        tracing::error!(cause = ?error, "can't accept connections");
        tokio::time::sleep(ACCEPT_PAUSE).await;
    }
}

#[cfg(test)]
#[path = "listener_tests.rs"]
mod tests;
