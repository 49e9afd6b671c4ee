//! A browser as far as HTTP goes: keeps cookies, remembers the token of the last form.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::support::{Answer, Client, Family, Multipart, Server};

/// The password of every family that the tests make.
pub(crate) const PASSWORD: &str = "correct horse battery staple";

/// Somebody with a browser.
pub(crate) struct Visitor {
    client: Client,
    cookies: RefCell<BTreeMap<String, String>>,
    token: RefCell<String>,
}

impl Server {
    /// Somebody who hasn't been here before.
    pub(crate) fn visitor(&self) -> Visitor {
        Visitor::new(self.client())
    }

    /// The admin of a family, signed in.
    #[track_caller]
    pub(crate) fn signed_in(&self, family: &Family) -> Visitor {
        let visitor = self.visitor();
        visitor.sign_in(&family.email, PASSWORD).expect_redirect("/accounts");
        visitor.get("/accounts").expect_status(200);
        visitor
    }
}

impl Visitor {
    /// With a client that has whatever headers.
    pub(crate) fn new(client: Client) -> Self {
        let client = client.with_header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
        Self { client, cookies: RefCell::default(), token: RefCell::default() }
    }

    /// Looks at a page.
    #[track_caller]
    pub(crate) fn get(&self, path: &str) -> Answer {
        let answer = self.with_headers().get(path);
        self.keep(&answer);
        answer
    }

    /// Sends a form with the token of the last page.
    #[track_caller]
    pub(crate) fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let token = self.token();
        let with_token = fields.iter().copied().chain([("form_token", token.as_str())]);
        self.post_without_token(path, &with_token.collect::<Vec<_>>())
    }

    /// Sends a form as it is.
    #[track_caller]
    pub(crate) fn post_without_token(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body = encoded(fields);
        let form = ("application/x-www-form-urlencoded", body.as_bytes());
        let answer = self.with_headers().request("POST", path, Some(form));
        self.keep(&answer);
        answer
    }

    /// Sends a form with a file, with the token of the last page.
    #[track_caller]
    pub(crate) fn post_form(&self, path: &str, form: Multipart) -> Answer {
        let (content_type, body) = form.text("form_token", &self.token()).encode();
        let answer = self.with_headers().request("POST", path, Some((&content_type, &body)));
        self.keep(&answer);
        answer
    }

    /// Opens the sign-in page and signs in.
    #[track_caller]
    pub(crate) fn sign_in(&self, email: &str, password: &str) -> Answer {
        self.get("/sign-in").expect_status(200);
        self.post("/sign-in", &[("email", email), ("password", password)])
    }

    /// The token of the last form.
    pub(crate) fn token(&self) -> String {
        self.token.borrow().clone()
    }

    /// The value of a cookie.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        self.cookies.borrow().get(name).cloned()
    }

    /// Gives the browser a cookie.
    pub(crate) fn set_cookie(&self, name: &str, value: &str) {
        self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
    }

    /// The same browser again, as if its cookies had been copied now.
    pub(crate) fn copy(&self) -> Self {
        Self {
            client: self.client.clone(),
            cookies: self.cookies.clone(),
            token: self.token.clone(),
        }
    }

    /// Adds a header to every further request.
    pub(crate) fn with_header(mut self, name: &str, value: &str) -> Self {
        self.client = self.client.with_header(name, value);
        self
    }

    fn with_headers(&self) -> Client {
        let cookies = self.cookies.borrow();
        let pairs: Vec<String> =
            cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        match pairs.as_slice() {
            [] => self.client.clone(),
            pairs => self.client.with_header("Cookie", &pairs.join("; ")),
        }
    }

    fn keep(&self, answer: &Answer) {
        for cookie in answer.headers.get_all("set-cookie") {
            let text = cookie.to_str().expect("a cookie in ASCII");
            let (name, value) = text.split(';').next().unwrap().split_once('=').expect("a cookie");
            let mut cookies = self.cookies.borrow_mut();
            match text.contains("Max-Age=0") {
                true => drop(cookies.remove(name)),
                false => drop(cookies.insert(name.to_owned(), value.to_owned())),
            }
        }
        if let Some(token) = answer.field("form_token") {
            *self.token.borrow_mut() = token;
        }
    }
}

impl Answer {
    /// The value of the first input of a name.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        let text = self.text();
        let (_, rest) = text.split_once(&format!("name=\"{name}\""))?;
        let tag = rest.split('>').next()?;
        let (_, value) = tag.split_once("value=\"")?;
        Some(value.split('"').next()?.to_owned())
    }

    /// A redirect to exactly this address.
    #[track_caller]
    pub(crate) fn expect_redirect(self, target: &str) -> Self {
        let answer = self.expect_status(303);
        assert_eq!(answer.header("Location"), Some(target));
        answer
    }

    /// A page with the status that has the text.
    #[track_caller]
    pub(crate) fn expect_page(self, status: u16, text: &str) -> Self {
        let answer = self.expect_status(status);
        assert_eq!(answer.header("Content-Type"), Some("text/html; charset=utf-8"));
        assert!(answer.text().contains(text), "no {text:?} in {}", answer.text());
        answer
    }

    /// The first link of the page that begins so, as it is written in HTML.
    #[track_caller]
    pub(crate) fn link(&self, start: &str) -> String {
        let text = self.text();
        let (_, rest) = text.split_once(&format!("href=\"{start}")).expect("such a link");
        let whole = format!("{start}{}", rest.split('"').next().unwrap());
        whole.replace("&#38;", "&")
    }
}

fn encoded(fields: &[(&str, &str)]) -> String {
    let encode = |text: &str| -> String {
        text.bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => {
                    char::from(byte).to_string()
                }
                byte => format!("%{byte:02X}"),
            })
            .collect()
    };
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}
