//! A page as a person sees it: what can be read, clicked and typed, at the size of their screen.
//!
//! Pages change while they are looked at, so every step is tried until it works or too much time
//! has passed. A failed journey leaves a picture in `target/browser/`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::webdriver::Session;
use crate::support::{Server, until_within};

const SECONDS_MAX: u64 = 20;
/// When it is set, every page that is checked leaves a picture in `target/browser/`.
const PICTURES_VARIABLE: &str = "PURSER_TEST_PICTURES";

/// The size of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Screen {
    Desktop,
    Phone,
}

impl Screen {
    fn metrics(self) -> Value {
        let (width, height, mobile) = match self {
            Self::Desktop => (1280, 900, false),
            Self::Phone => (390, 844, true),
        };
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile })
    }

    fn name(self) -> &'static str {
        match self {
            Self::Desktop => "desktop",
            Self::Phone => "phone",
        }
    }
}

/// A browser with one page of one server.
pub(crate) struct Browser {
    session: Session,
    /// What is in front of every path.
    origin: String,
    screen: Screen,
    /// The name of the journey.
    name: String,
    pictures: std::cell::Cell<u32>,
    folder: tempfile::TempDir,
}

impl Browser {
    fn open(server: &Server, screen: Screen, name: &str) -> Self {
        let session = Session::start();
        session.devtools("Emulation.setDeviceMetricsOverride", &screen.metrics());
        let folder = tempfile::tempdir().expect("a folder for files");
        let origin = format!("http://{}", server.address());
        let name = name.to_owned();
        Self { session, origin, screen, name, pictures: std::cell::Cell::new(0), folder }
    }

    /// Goes to a page.
    #[track_caller]
    pub(crate) fn go(&self, path: &str) {
        self.session.post("/url", &json!({ "url": format!("{}{path}", self.origin) }));
    }

    /// Loads the page again.
    #[track_caller]
    pub(crate) fn reload(&self) {
        self.session.post("/refresh", &json!({}));
    }

    /// Goes back to the page before.
    #[track_caller]
    pub(crate) fn back(&self) {
        self.session.post("/back", &json!({}));
    }

    /// Types at the end of what is in a field, and stays in it.
    #[track_caller]
    pub(crate) fn type_on(&self, css: &str, text: &str) {
        wait(&format!("{css} to type in"), || {
            self.session.type_into(&self.session.find(css)?, text).ok()
        });
    }

    /// From now on whatever the page fetches waits for [`Browser::release_fetches`].
    #[track_caller]
    pub(crate) fn hold_fetches(&self) {
        self.session.script(HOLD_FETCHES, &json!([]));
    }

    /// Lets go of what was held.
    #[track_caller]
    pub(crate) fn release_fetches(&self) {
        self.session.script("window.testRelease()", &json!([]));
    }

    /// The path of the page, without what stands after `?`.
    pub(crate) fn path(&self) -> String {
        let url = self.session.get("/url").ok().and_then(|url| Some(url.as_str()?.to_owned()));
        let url = url.unwrap_or_default();
        let path = url.strip_prefix(&self.origin).unwrap_or(&url);
        path.split('?').next().unwrap_or_default().to_owned()
    }

    /// Waits for a page that has a path with this start.
    #[track_caller]
    pub(crate) fn wait_for_path(&self, start: &str) {
        wait(&format!("the page {start}"), || self.path().starts_with(start).then_some(()));
    }

    /// Clicks what a CSS selector finds.
    #[track_caller]
    pub(crate) fn click(&self, css: &str) {
        wait(&format!("{css} to click"), || self.session.click(&self.session.find(css)?).ok());
    }

    /// Clicks the link, button or summary that has these words as its text or its title.
    #[track_caller]
    pub(crate) fn press(&self, words: &str) {
        wait(&format!("something with {words:?} to press"), || {
            let found = self.session.try_script(MARK_BY_WORDS, &json!([words])).ok()?;
            if found != Value::Bool(true) {
                return None;
            }
            self.session.click(&self.session.find("[data-test-pressed]")?).ok()
        });
    }

    /// Sends a form twice in a row, past everything that a script does about it: a double click.
    #[track_caller]
    pub(crate) fn send_twice(&self, css: &str) {
        self.wait_for(css);
        let script = "const form = document.querySelector(arguments[0]);
            form.submit();
            form.submit();";
        self.session.script(script, &json!([css]));
    }

    /// Confirms a question of the page.
    #[track_caller]
    pub(crate) fn accept_question(&self, words: &str) {
        let asked = wait("a question", || self.session.get("/alert/text").ok());
        assert!(asked.as_str().is_some_and(|text| text.contains(words)), "{asked}");
        self.session.post("/alert/accept", &json!({}));
    }

    /// Empties a field and types into it.
    #[track_caller]
    pub(crate) fn fill(&self, css: &str, text: &str) {
        wait(&format!("{css} to fill"), || {
            let field = self.session.find(css)?;
            self.session.clear(&field).ok()?;
            self.session.type_into(&field, text).ok()
        });
    }

    /// Chooses an option of a `select` by its value, with the events of a real choice.
    #[track_caller]
    pub(crate) fn choose(&self, css: &str, value: &str) {
        wait(&format!("{css} to offer {value:?}"), || {
            let chosen = self.session.try_script(CHOOSE, &json!([css, value])).ok()?;
            (chosen == Value::Bool(true)).then_some(())
        });
    }

    /// From the next page on, no page runs its scripts. What this harness does with scripts of its
    /// own still works.
    #[track_caller]
    pub(crate) fn without_scripts(&self) {
        let policy = json!({ "value": true });
        self.session.devtools("Emulation.setScriptExecutionDisabled", &policy);
    }

    /// Chooses an option of a `select` as a person does who types what is shown.
    #[track_caller]
    pub(crate) fn choose_by_keys(&self, css: &str, shown: &str) {
        wait(&format!("{css} to choose in"), || {
            let field = self.session.find(css)?;
            self.session.type_into(&field, shown).ok()
        });
    }

    /// Gives a file field a file with this content.
    #[track_caller]
    pub(crate) fn give_file(&self, css: &str, name: &str, content: impl AsRef<[u8]>) {
        let path = self.file(name, content);
        wait(&format!("{css} to take a file"), || {
            let field = self.session.find(css)?;
            self.session.type_into(&field, path.to_str()?).ok()
        });
    }

    /// Drops files with these names and contents on an element, as with the mouse.
    #[track_caller]
    pub(crate) fn drop_files(&self, css: &str, files: &[(&str, &str)]) {
        self.wait_for(css);
        self.session.script(DROP, &json!([css, files]));
    }

    /// Waits until there is such an element.
    #[track_caller]
    pub(crate) fn wait_for(&self, css: &str) {
        wait(css, || self.session.find(css).map(drop));
    }

    /// Waits until the visible text of the page has these words.
    #[track_caller]
    pub(crate) fn wait_for_text(&self, words: &str) {
        let mut seen = String::new();
        let found = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            wait(&format!("{words:?} on the page"), || {
                seen = self.text("body");
                seen.contains(words).then_some(())
            });
        }));
        assert!(found.is_ok(), "no {words:?} on {}:\n{seen}", self.path());
    }

    /// The visible text of the first element that the selector finds; nothing if there is none.
    pub(crate) fn text(&self, css: &str) -> String {
        let script = "const found = document.querySelector(arguments[0]);
            return found ? found.innerText : '';";
        let text = self.session.try_script(script, &json!([css])).ok();
        text.and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    /// The visible texts of all elements that the selector finds.
    pub(crate) fn texts(&self, css: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll(arguments[0])].map(e => e.innerText)";
        let texts = self.session.script(script, &json!([css]));
        serde_json::from_value(texts).expect("texts")
    }

    /// A property of the first element that the selector finds, as a whole number; 0 if there is
    /// none.
    pub(crate) fn number(&self, css: &str, property: &str) -> u64 {
        let script = "const found = document.querySelector(arguments[0]);
            return found ? found[arguments[1]] : 0;";
        let number = self.session.try_script(script, &json!([css, property])).ok();
        number.and_then(|number| number.as_u64()).unwrap_or(0)
    }

    /// The value of a field.
    pub(crate) fn value(&self, css: &str) -> String {
        let script = "const found = document.querySelector(arguments[0]);
            return found ? String(found.value) : '';";
        self.session.script(script, &json!([css])).as_str().unwrap_or_default().to_owned()
    }

    /// Fails if the page is wider than the screen: nobody wants to scroll sideways. Takes a picture
    /// for whoever wants to look at every page.
    #[track_caller]
    pub(crate) fn assert_fits(&self) {
        if std::env::var_os(PICTURES_VARIABLE).is_some() {
            let number = self.pictures.get() + 1;
            self.pictures.set(number);
            let _ = self.picture(&format!("{}-{number:02}", self.name));
        }
        let script = "const root = document.documentElement;
            return root.scrollWidth - root.clientWidth;";
        let over = self.session.script(script, &json!([]));
        assert_eq!(over, 0, "{} is wider than the {} screen", self.path(), self.screen.name());
    }

    /// Everything on the console that is an error.
    fn errors(&self) -> Vec<String> {
        self.console(|level| level == "SEVERE")
    }

    /// What came onto the console since it was looked at last.
    fn console(&self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let log = self.session.post("/se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().expect("entries").iter();
        let wanted = entries.filter(|entry| entry["level"].as_str().is_some_and(&wanted));
        wanted.map(|entry| entry["message"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Fails if there is anything on the console, advice included.
    #[track_caller]
    pub(crate) fn assert_no_advice(&self) {
        let messages = self.console(|_| true);
        assert!(messages.is_empty(), "the console says: {messages:#?}");
    }

    /// Takes an error off the console that is part of the journey, such as a refusal.
    #[track_caller]
    pub(crate) fn expect_error(&self, words: &str) {
        let errors = self.errors();
        assert!(!errors.is_empty(), "no error with {words:?}");
        assert!(errors.iter().all(|error| error.contains(words)), "{errors:#?}");
    }

    /// A picture of the whole page in `target/browser/`.
    pub(crate) fn picture(&self, name: &str) -> Option<PathBuf> {
        let parameters = json!({ "format": "png", "captureBeyondViewport": true });
        let taken = self.session.try_post(
            "/goog/cdp/execute",
            &json!({ "cmd": "Page.captureScreenshot", "params": parameters }),
        );
        let bytes = base64(taken.ok()?["data"].as_str()?)?;
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/browser");
        std::fs::create_dir_all(&folder).ok()?;
        let path = folder.join(format!("{name}-{}.png", self.screen.name()));
        std::fs::write(&path, bytes).ok()?;
        Some(path)
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).expect("a file");
        path
    }
}

/// Makes a journey, and looks at the console at its end. When it fails, a picture is taken.
pub(crate) fn journey(server: &Server, screen: Screen, name: &str, steps: impl FnOnce(&Browser)) {
    let browser = Browser::open(server, screen, name);
    let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        steps(&browser);
        let errors = browser.errors();
        assert!(errors.is_empty(), "errors on the console: {errors:#?}");
    }));
    if let Err(panic) = made {
        match browser.picture(&format!("failed-{name}")) {
            Some(path) => eprintln!("what it looked like: {}", path.display()),
            None => eprintln!("there is no picture of it"),
        }
        std::panic::resume_unwind(panic);
    }
}

#[track_caller]
fn wait<T>(what: &str, ask: impl FnMut() -> Option<T>) -> T {
    until_within(Duration::from_secs(SECONDS_MAX), what, ask)
}

/// Marks what a person would press; the words must be its own, whole.
const MARK_BY_WORDS: &str = "
    for (const old of document.querySelectorAll('[data-test-pressed]'))
        old.removeAttribute('data-test-pressed');
    const pressable = 'a, button, summary, label, input[type=submit]';
    for (const found of document.querySelectorAll(pressable)) {
        const title = found.querySelector('strong') || found;
        const words = (title.innerText || title.value || '').trim().replace(/\\s+/g, ' ');
        const visible = found.checkVisibility && found.checkVisibility();
        if (words === arguments[0] && visible && !found.disabled) {
            found.setAttribute('data-test-pressed', '');
            return true;
        }
    }
    return false;";

const CHOOSE: &str = "
    const field = document.querySelector(arguments[0]);
    if (!field || ![...field.options].some(option => option.value === arguments[1])) return false;
    field.value = arguments[1];
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.dispatchEvent(new Event('change', { bubbles: true }));
    return true;";

const HOLD_FETCHES: &str = "
    const real = window.fetch;
    const held = new Promise(resolve => window.testRelease = resolve);
    window.fetch = (...all) => held.then(() => {
        window.fetch = real;
        return real(...all);
    });";

const DROP: &str = "
    const target = document.querySelector(arguments[0]);
    const data = new DataTransfer();
    for (const [name, content] of arguments[1])
        data.items.add(new File([content], name, { type: 'text/csv' }));
    for (const name of ['dragenter', 'dragover', 'drop'])
        target.dispatchEvent(new DragEvent(name,
            { bubbles: true, cancelable: true, dataTransfer: data }));";

/// Bytes from base64; `None` if it isn't.
fn base64(text: &str) -> Option<Vec<u8>> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = ALPHABET.iter().position(|known| *known == letter)?;
        bits = bits << 6 | u32::try_from(value).ok()?;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(bits >> held & 0xff).ok()?);
        }
    }
    Some(bytes)
}
