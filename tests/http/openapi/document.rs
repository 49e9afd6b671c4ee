//! The description of the interface as other tests use it: which operations there are, what they
//! take and what they answer. Whoever goes over all routes takes them from here, so that a new
//! route can't be forgotten.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Answer, Client, Server};

/// An id that nothing has.
pub(crate) const UNKNOWN_ID: &str = "0190f5f0-7c00-7a10-8000-00000000dead";
const PREFIX: &str = "/api/v1";

/// A path with a method.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    /// The method in capitals.
    pub(crate) method: String,
    /// With `{id}` in it.
    pub(crate) path: String,
    /// The operation in the document.
    pub(crate) body: Value,
}

/// The document as the server serves it.
#[track_caller]
pub(crate) fn document(server: &Server) -> Value {
    server.client().get("/api/v1/openapi.json").expect_status(200).json()
}

/// Every operation of the interface; answers and parameters stand in it, not references to them.
#[track_caller]
pub(crate) fn operations(server: &Server) -> Vec<Operation> {
    let document = document(server);
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        assert!(path.starts_with(PREFIX), "{path}");
        for (method, body) in methods.as_object().expect("methods") {
            let method = method.to_uppercase();
            let mut body = body.clone();
            let answers = body["responses"].as_object_mut().expect("responses");
            answers.values_mut().for_each(|answer| resolve(&document, answer));
            let parameters = body["parameters"].as_array_mut().expect("parameters");
            parameters.iter_mut().for_each(|parameter| resolve(&document, parameter));
            operations.push(Operation { method, path: path.clone(), body });
        }
    }
    assert!(operations.len() >= 18, "only {} operations", operations.len());
    operations
}

/// Puts what a reference leads to in its place.
#[track_caller]
fn resolve(document: &Value, part: &mut Value) {
    if let Some(reference) = part["$ref"].as_str() {
        let pointer = reference.strip_prefix('#').expect("inside the document");
        *part = document.pointer(pointer).expect(reference).clone();
    }
}

impl Operation {
    /// Whether it changes something.
    pub(crate) fn writes(&self) -> bool {
        self.method != "GET"
    }

    /// Whether a key that may only read is refused.
    #[track_caller]
    pub(crate) fn needs_write_scope(&self) -> bool {
        let security = &self.body["security"];
        let scope = &security[0]["api_key"][0];
        assert_eq!(*security, json!([{ "api_key": [scope] }, { "bearer": [scope] }]));
        match scope.as_str() {
            Some("read") => false,
            Some("read_write") => true,
            _ => panic!("{} needs {scope}", self.name()),
        }
    }

    /// Whether the path names something by its id.
    pub(crate) fn has_id(&self) -> bool {
        self.path.contains("{id}")
    }

    /// The path with an id in it, the first row where it names one, and an account that no
    /// connection has.
    #[track_caller]
    pub(crate) fn address(&self, id: &str) -> String {
        let address = self.path.replace("{id}", id).replace("{n}", "1");
        let address = address.replace("{account}", UNKNOWN_ID);
        assert!(!address.contains('{'), "{} has parameters that no test knows", self.path);
        address
    }

    /// `POST /imports`, the name in tables.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.method, self.path.trim_start_matches(PREFIX))
    }

    /// The statuses that it documents.
    pub(crate) fn statuses(&self) -> BTreeSet<u16> {
        let responses = self.body["responses"].as_object().expect("responses");
        responses.keys().map(|status| status.parse().expect("a status")).collect()
    }

    /// The names of its parameters that stand in `place`: `query`, `path` or `header`.
    pub(crate) fn parameters(&self, place: &str) -> Vec<String> {
        let parameters = self.body["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let here = parameters.iter().filter(|parameter| parameter["in"] == place);
        here.map(|parameter| parameter["name"].as_str().expect("a name").to_owned()).collect()
    }

    /// Sends it with an id, and with an empty JSON object where it takes a body.
    #[track_caller]
    pub(crate) fn send(&self, client: &Client, id: &str) -> Answer {
        let takes_body = self.body["requestBody"].is_object();
        let body = takes_body.then_some(("application/json", &b"{}"[..]));
        client.request(&self.method, &self.address(id), body)
    }
}
