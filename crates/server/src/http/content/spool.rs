//! Content on its way to the disk, collected in large pieces.
//!
//! Content over the limit is counted but no longer stored. A disk that is nearly full takes no
//! uploads: the database needs the rest.

use std::convert::Infallible;

use purser_app::FamilyId;
use purser_app::blocking::blocking;
use purser_app::files;
use purser_app::imports::size::{bytes_max, is_only_a_file, native_bytes_max};
use purser_app::imports::stored::Stored;
use purser_app::limits::UPLOAD_BUFFER_BYTES;
use purser_core::error::Error;
use purser_core::ids::FileId;
use purser_core::text::size::size;
use purser_formats::decode::HEAD_BYTES;

use crate::http::error::{ApiError, ApiResult};
use crate::limits::{
    FREE_SPACE_BYTES_MIN, UPLOAD_OVERHEAD_BYTES, UPLOAD_OVERHEAD_FACTOR, UPLOAD_SPACE_CHECK_BYTES,
};
use crate::state::AppState;

/// Limits of one upload. What has the look of another format may be larger than a CSV; the import
/// type, which may come after the content, decides in the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContentLimits {
    /// The largest size of a CSV.
    pub(crate) content_bytes_max: u64,
    /// The largest size of the body around it.
    pub(crate) body_bytes_max: u64,
    /// The space that must be free on the disk.
    pub(crate) free_bytes_min: u64,
}

impl ContentLimits {
    /// For content of this size at most. It may be stored twice: as it came, and in UTF-8.
    pub(crate) fn new(content_bytes_max: u64) -> Self {
        let [file, inline] =
            [true, false].map(|is_file| native_bytes_max(is_file, content_bytes_max));
        let inline_bytes_max = inline * UPLOAD_OVERHEAD_FACTOR;
        Self {
            content_bytes_max,
            body_bytes_max: file.max(inline_bytes_max) + UPLOAD_OVERHEAD_BYTES,
            free_bytes_min: FREE_SPACE_BYTES_MIN.max(2 * content_bytes_max),
        }
    }

    /// Refuses when the disk is nearly full, or would be with so many bytes more.
    pub(crate) async fn require_space(self, app: &AppState, bytes: u64) -> ApiResult<()> {
        let files = app.files.clone();
        let free = blocking(move || files.free_bytes()).await?;
        if free < self.free_bytes_min.saturating_add(bytes) {
            return Err(ApiError::insufficient_storage());
        }
        Ok(())
    }
}

/// Where content goes, and how much of it.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    /// The files, and the ids.
    pub(super) app: &'a AppState,
    /// The family that the content belongs to.
    pub(super) family: FamilyId,
    /// The limits of its size.
    pub(super) limits: ContentLimits,
}

impl Target<'_> {
    /// Refuses when the disk is nearly full.
    pub(super) async fn require_space(&self) -> ApiResult<()> {
        self.limits.require_space(self.app, 0).await
    }
}

/// Writes content to a file while it arrives.
pub(super) struct Spool<'a> {
    target: Target<'a>,
    /// It is sent as a file, not as a text in the request.
    is_file: bool,
    /// How the content begins, and the most that it may have.
    head: Vec<u8>,
    bytes_max: u64,
    file: Option<files::Upload>,
    buffer: Vec<u8>,
    bytes: u64,
    /// Written since the disk was looked at.
    unchecked: u64,
    blank: bool,
}

impl<'a> Spool<'a> {
    /// A file that is sent. On the disk it is made with the first bytes.
    pub(super) fn of_file(target: Target<'a>) -> Self {
        Self::new(target, true)
    }

    /// A text in the request.
    pub(super) fn inline(target: Target<'a>) -> Self {
        Self::new(target, false)
    }

    fn new(target: Target<'a>, is_file: bool) -> Self {
        Self {
            target,
            is_file,
            head: Vec::new(),
            bytes_max: target.limits.content_bytes_max,
            file: None,
            buffer: Vec::new(),
            bytes: 0,
            unchecked: 0,
            blank: true,
        }
    }

    /// Takes the next piece of the content; beyond the limit nothing is kept.
    pub(super) fn take(&mut self, piece: &[u8]) -> Result<(), Infallible> {
        // What is over the limit isn't kept, so it stays so.
        let was_over = self.is_over();
        self.bytes += piece.len() as u64;
        let missing = HEAD_BYTES.saturating_sub(self.head.len()).min(piece.len());
        if missing > 0 {
            self.head.extend_from_slice(&piece[..missing]);
        }
        // Not with each of very small pieces.
        let is_decisive = self.head.len() == HEAD_BYTES || self.is_over();
        if missing > 0 && is_decisive && !was_over {
            let csv_bytes_max = self.target.limits.content_bytes_max;
            self.bytes_max = bytes_max(&self.head, None, self.is_file, csv_bytes_max);
        }
        self.blank = self.blank && piece.iter().all(u8::is_ascii_whitespace);
        if !self.is_over() {
            self.buffer.extend_from_slice(piece);
        }
        Ok(())
    }

    /// Refuses more than may be, and what can't be a text; `what` names it.
    pub(super) fn require_fit(&self, code: &'static str, what: &str) -> ApiResult<()> {
        if self.is_over() {
            let message = format!("{what} is larger than {}", size(self.bytes_max));
            return Err(Error::invalid_code(code, message).into());
        }
        if !self.is_file && is_only_a_file(&self.head) {
            let message = "PDF documents, spreadsheets and archives have to be sent as a file";
            return Err(Error::invalid_code("invalid_file_type", message).into());
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.bytes > self.bytes_max
    }

    /// Writes what was collected, if it is enough to be worth it.
    pub(super) async fn drain(&mut self) -> ApiResult<()> {
        if self.buffer.len() >= UPLOAD_BUFFER_BYTES { self.write().await } else { Ok(()) }
    }

    async fn write(&mut self) -> ApiResult<()> {
        self.unchecked += self.buffer.len() as u64;
        if self.unchecked >= UPLOAD_SPACE_CHECK_BYTES {
            self.unchecked = 0;
            self.target.require_space().await?;
        }
        let files = self.target.app.files.clone();
        let file = self.file.take();
        let mut buffer = std::mem::take(&mut self.buffer);
        let (file, buffer) = blocking(move || {
            let mut file = match file {
                Some(file) => file,
                None => files.begin()?,
            };
            file.write(&buffer)?;
            buffer.clear();
            Ok((file, buffer))
        })
        .await?;
        self.file = Some(file);
        self.buffer = buffer;
        Ok(())
    }

    /// Syncs the file; `None` when nothing came, or only blanks.
    pub(super) async fn finish(mut self) -> ApiResult<Option<Stored>> {
        if self.blank {
            return Ok(None);
        }
        self.write().await?;
        let Some(file) = self.file.take() else { return Ok(None) };
        let Target { app, family, .. } = self.target;
        let id = FileId(app.store.new_id()?);
        Ok(Some(app.store_upload(file, family, id).await?))
    }
}
