//! Requests and responses.

/// A request without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    query: String,
    parameters: Vec<(String, String)>,
    headers: Vec<(String, String)>,
}

impl Request {
    /// Reads the head of a request; none if it isn't one.
    pub(crate) fn parse(head: &[u8]) -> Option<Self> {
        let head = std::str::from_utf8(head).ok()?;
        let mut lines = head.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, target) = (first.next()?, first.next()?);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let parameters = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let headers = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        let (method, path, query) = (method.to_owned(), path.to_owned(), query.to_owned());
        Some(Self { method, path, query, parameters, headers })
    }

    /// The path with the query.
    pub(crate) fn target(&self) -> String {
        match self.query.is_empty() {
            true => self.path.clone(),
            false => format!("{}?{}", self.path, self.query),
        }
    }

    /// Everything in one text: what a careless provider repeats in its errors.
    pub(crate) fn everything(&self) -> String {
        let headers = self.headers.iter().map(|(name, value)| format!("{name}: {value}"));
        let headers: Vec<String> = headers.collect();
        format!("{} {} {}", self.method, self.target(), headers.join(", "))
    }

    /// A parameter of the query.
    pub(crate) fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// A header, by its name in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// How an answer arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// At once and whole.
    Whole,
    /// The answer is sent byte by byte.
    Slow,
    /// Not to its end.
    Broken,
    /// No answer is sent at all.
    Never,
    /// With a body of spaces that doesn't seem to end.
    Huge,
}

/// An answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Response {
    status: u16,
    content_type: &'static str,
    headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) delivery: Delivery,
}

impl Response {
    fn new(status: u16, content_type: &'static str, body: String) -> Self {
        let (headers, body) = (Vec::new(), body.into_bytes());
        Self { status, content_type, headers, body, delivery: Delivery::Whole }
    }

    /// Status 200 with JSON.
    pub(crate) fn json(body: String) -> Self {
        Self::new(200, "application/json", body)
    }

    /// Status 200 with a text.
    pub(crate) fn text(body: String) -> Self {
        Self::new(200, "text/plain", body)
    }

    /// A page for people.
    pub(crate) fn page(status: u16, body: &str) -> Self {
        Self::new(status, "text/html", body.to_owned())
    }

    /// The documented form of an error.
    pub(crate) fn error(status: u16, code: &str, message: &str) -> Self {
        let body = serde_json::json!({ "error": code, "message": message });
        Self::new(status, "application/json", body.to_string())
    }

    /// With one header more.
    pub(crate) fn with(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Arriving in another way.
    pub(crate) fn delivered(mut self, delivery: Delivery) -> Self {
        self.delivery = delivery;
        self
    }

    /// The bytes before the body.
    pub(crate) fn head(&self, length: usize) -> Vec<u8> {
        let mut head = format!(
            "HTTP/1.1 {} Answer\r\nContent-Type: {}\r\nContent-Length: {length}\r\n\
             Connection: close\r\n",
            self.status, self.content_type
        );
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        head.into_bytes()
    }
}
