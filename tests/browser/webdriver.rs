//! A small client of the WebDriver protocol: JSON over HTTP to a `chromedriver` of our own.
//!
//! Only what the journeys need. Every call that fails panics with the message of the driver.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use ureq::Agent;

/// The programs, if they are not on the search path: `cargo xtask test` sets both.
const BROWSER_VARIABLE: &str = "PURSER_TEST_BROWSER";
const DRIVER_VARIABLE: &str = "PURSER_TEST_WEBDRIVER";
/// What the driver prints before its port.
const READY: &str = "started successfully on port ";
/// Starts of a driver before a test gives up.
const STARTS_MAX: u32 = 10;
/// Loading a page or starting a browser takes a while on a busy machine.
const SECONDS_MAX: u64 = 60;
/// The key under which the protocol hides an element's id.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// One browser, driven by a driver of its own. Both end with this value.
pub(crate) struct Session {
    driver: Child,
    agent: Agent,
    /// The address of the session, with its id.
    address: String,
}

/// Something on the present page.
#[derive(Debug, Clone)]
pub(crate) struct Element(String);

impl Session {
    /// Starts a driver and a browser without a window.
    pub(crate) fn start() -> Self {
        let (driver, port) = start_driver();
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(SECONDS_MAX)))
            .build();
        let address = format!("http://127.0.0.1:{port}");
        let mut session = Self { driver, agent: config.into(), address };
        let browser = program(BROWSER_VARIABLE, "/usr/bin/chromium");
        let made = session.post("/session", &capabilities(&browser));
        let id = made["sessionId"].as_str().expect("a session").to_owned();
        session.address.push_str(&format!("/session/{id}"));
        session
    }

    /// Sends a command; its value, or what went wrong.
    pub(crate) fn try_post(&self, path: &str, body: &Value) -> Result<Value, String> {
        let url = format!("{}{path}", self.address);
        let answer = self.agent.post(&url).send_json(body);
        let mut answer = answer.map_err(|error| format!("{path}: {error}"))?;
        let status = answer.status().as_u16();
        let mut body: Value = answer
            .body_mut()
            .with_config()
            .limit(64 * 1024 * 1024)
            .read_json()
            .map_err(|error| format!("{path}: {error}"))?;
        let value = body["value"].take();
        if status == 200 { Ok(value) } else { Err(format!("{path}: {value}")) }
    }

    /// Sends a command; its value.
    #[track_caller]
    pub(crate) fn post(&self, path: &str, body: &Value) -> Value {
        self.try_post(path, body).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Sends a GET request to the driver.
    pub(crate) fn get(&self, path: &str) -> Result<Value, String> {
        let answer = self.agent.get(format!("{}{path}", self.address)).call();
        let mut answer = answer.map_err(|error| format!("{path}: {error}"))?;
        let status = answer.status().as_u16();
        let mut body: Value = answer
            .body_mut()
            .with_config()
            .limit(64 * 1024 * 1024)
            .read_json()
            .map_err(|error| format!("{path}: {error}"))?;
        let value = body["value"].take();
        if status == 200 { Ok(value) } else { Err(format!("{path}: {value}")) }
    }

    /// A command of the browser's own protocol.
    #[track_caller]
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("/goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    /// Runs a script in the page; what it returns.
    #[track_caller]
    pub(crate) fn script(&self, script: &str, arguments: &Value) -> Value {
        self.try_script(script, arguments).unwrap_or_else(|error| panic!("{error}"))
    }

    /// As [`Session::script`]; fails while a page is being left.
    pub(crate) fn try_script(&self, script: &str, arguments: &Value) -> Result<Value, String> {
        self.try_post("/execute/sync", &json!({ "script": script, "args": arguments }))
    }

    /// The first element that a CSS selector finds.
    pub(crate) fn find(&self, css: &str) -> Option<Element> {
        let query = json!({ "using": "css selector", "value": css });
        let found = self.try_post("/element", &query).ok()?;
        found[ELEMENT].as_str().map(|id| Element(id.to_owned()))
    }

    /// Scrolls to the element and clicks it as a person would.
    pub(crate) fn click(&self, element: &Element) -> Result<(), String> {
        self.try_post(&format!("/element/{}/click", element.0), &json!({})).map(drop)
    }

    /// Types into the element; the path of a file for a file field.
    pub(crate) fn type_into(&self, element: &Element, text: &str) -> Result<(), String> {
        self.try_post(&format!("/element/{}/value", element.0), &json!({ "text": text })).map(drop)
    }

    /// Empties a text field.
    pub(crate) fn clear(&self, element: &Element) -> Result<(), String> {
        self.try_post(&format!("/element/{}/clear", element.0), &json!({})).map(drop)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The driver ends its browser when the session ends; it must not outlive the test.
        let _ = self.agent.delete(&self.address).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn program(variable: &str, default: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| default.to_owned())
}

/// A driver on a port that the system chose, which it needs for IPv6 and for IPv4. It ends at once
/// when another program has the port of the second, so it is started again.
fn start_driver() -> (Child, u16) {
    let path = program(DRIVER_VARIABLE, "chromedriver");
    let mut printed = String::new();
    for _ in 0..STARTS_MAX {
        match try_start_driver(&path) {
            Ok(started) => return started,
            Err(lines) => printed = lines,
        }
    }
    panic!("{path} ended {STARTS_MAX} times without a port:\n{printed}");
}

/// A driver and its port, or what it printed before it ended.
fn try_start_driver(path: &str) -> Result<(Child, u16), String> {
    let mut driver = Command::new(path)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| {
            panic!("{path}: {error}; install it (apt-get install chromium chromium-driver)")
        });
    let mut lines = BufReader::new(driver.stdout.take().expect("its output")).lines();
    let mut printed = String::new();
    for line in lines.by_ref().map_while(Result::ok) {
        if let Some(port) = port_of(&line) {
            // Reads on to the end, or the driver would block on a full pipe.
            thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
            return Ok((driver, port));
        }
        printed.push_str(&line);
        printed.push('\n');
    }
    let _ = driver.wait();
    Err(printed)
}

fn port_of(line: &str) -> Option<u16> {
    let (_, port) = line.split_once(READY)?;
    port.trim().trim_end_matches('.').parse().ok()
}

/// A browser that reaches only our server, and of which the messages can be read.
fn capabilities(browser: &str) -> Value {
    json!({ "capabilities": { "alwaysMatch": {
        "browserName": "chrome",
        "goog:loggingPrefs": { "browser": "ALL" },
        "goog:chromeOptions": {
            "binary": browser,
            "args": [
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--no-first-run",
                "--lang=en-GB",
            ],
        },
    }}})
}
