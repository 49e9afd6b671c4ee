//! Forms with files, as browsers and programs send them.

/// Separates the parts; no test sends it as content.
const BOUNDARY: &str = "----purser-test-boundary-5f0c1d";

/// A form under construction.
#[derive(Debug, Clone, Default)]
pub(crate) struct Multipart {
    body: Vec<u8>,
}

impl Multipart {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a text field.
    pub(crate) fn text(self, name: &str, value: &str) -> Self {
        self.part(&format!("Content-Disposition: form-data; name=\"{name}\""), value.as_bytes())
    }

    /// Adds a file part.
    pub(crate) fn file(
        self,
        name: &str,
        file_name: &str,
        content_type: &str,
        content: &[u8],
    ) -> Self {
        let headers = format!(
            "Content-Disposition: form-data; name=\"{name}\"; filename=\"{file_name}\"\r\n\
             Content-Type: {content_type}"
        );
        self.part(&headers, content)
    }

    /// Adds a part with any headers.
    pub(crate) fn part(mut self, headers: &str, content: &[u8]) -> Self {
        self.body.extend_from_slice(format!("--{BOUNDARY}\r\n{headers}\r\n\r\n").as_bytes());
        self.body.extend_from_slice(content);
        self.body.extend_from_slice(b"\r\n");
        self
    }

    /// The content type and the body.
    pub(crate) fn encode(&self) -> (String, Vec<u8>) {
        let mut body = self.body.clone();
        body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        (format!("multipart/form-data; boundary={BOUNDARY}"), body)
    }
}
