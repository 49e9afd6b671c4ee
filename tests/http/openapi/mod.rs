//! The description of the interface is what the server does, no more and no less.

mod answers;
pub(crate) mod document;
mod generated;
mod page;
mod requests;
mod router;
mod schema;
mod writes;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::openapi::document::{document, operations};
use crate::support::{Backend, Server};

#[test]
fn the_document_has_the_form_of_its_version() {
    let server = Server::start(Backend::Sqlite);
    let document = document(&server);
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1."), "{}", document["openapi"]);
    assert_eq!(document["info"]["version"], "v1");
    let schemes = &document["components"]["securitySchemes"];
    assert_eq!(schemes["api_key"]["name"], "X-Api-Key");
    assert_eq!(schemes["api_key"]["in"], "header");
    assert_eq!(schemes["bearer"]["scheme"], "bearer");
    assert_eq!(document["security"], json!([{ "api_key": [] }, { "bearer": [] }]));
    let mut names = BTreeSet::new();
    for operation in operations(&server) {
        let name = operation.body["operationId"].as_str().unwrap().to_owned();
        assert!(names.insert(name.clone()), "{name} is there twice");
        for text in ["summary", "tags"] {
            assert!(!operation.body[text].is_null(), "{} has no {text}", operation.name());
        }
        let in_path = operation.parameters("path");
        let named = ["id", "account", "n"]
            .into_iter()
            .filter(|name| operation.path.contains(&format!("{{{name}}}")));
        assert_eq!(in_path, named.collect::<Vec<_>>());
    }
    assert_references_lead_somewhere(&document, &document);
}

#[test]
fn every_operation_documents_its_errors() {
    let server = Server::start(Backend::Sqlite);
    for operation in operations(&server) {
        let mut expected = vec![401, 403, 429, 500, 503];
        if operation.has_id() {
            expected.push(404);
        }
        if !operation.parameters("query").is_empty() {
            expected.push(422);
        }
        if operation.body["requestBody"].is_object() {
            expected.extend([400, 408, 413, 415, 422]);
        }
        if operation.parameters("header").iter().any(|name| name == "Idempotency-Key") {
            expected.extend([400, 409, 422]);
        }
        let statuses = operation.statuses();
        for status in expected {
            assert!(statuses.contains(&status), "{} without {status}", operation.name());
        }
        for response in operation.body["responses"].as_object().unwrap().values() {
            assert!(response["description"].as_str().is_some_and(|text| !text.is_empty()));
        }
        for status in statuses.into_iter().filter(|status| *status >= 400) {
            let response = &operation.body["responses"][status.to_string()];
            let names = schema_names(&response["content"]["application/json"]["schema"]);
            let with_import = operation.name().starts_with("POST /imports")
                && operation.name() != "POST /imports/preflight";
            let expected = match status {
                422 if operation.name() == "POST /import_sessions/{id}/publish" => {
                    &["ErrorBody", "ImportErrorBody"]
                }
                422 | 500 if with_import => &["ErrorBody", "ImportErrorBody"][..],
                _ => &["ErrorBody"],
            };
            assert_eq!(names, expected, "{} {status}", operation.name());
        }
    }
}

/// The names of the schemas that a body may have.
#[track_caller]
fn schema_names(schema: &Value) -> Vec<&str> {
    let variants = schema["oneOf"].as_array().map_or(std::slice::from_ref(schema), Vec::as_slice);
    let names =
        variants.iter().map(|one| one["$ref"].as_str().and_then(|path| path.rsplit('/').next()));
    names.collect::<Option<_>>().unwrap_or_else(|| panic!("{schema}"))
}

#[track_caller]
fn assert_references_lead_somewhere(document: &Value, value: &Value) {
    match value {
        Value::Object(members) => {
            if let Some(reference) = members.get("$ref").and_then(Value::as_str) {
                let pointer = reference.strip_prefix('#').expect("inside the document");
                assert!(document.pointer(pointer).is_some(), "{reference}");
            }
            members.values().for_each(|one| assert_references_lead_somewhere(document, one));
        }
        Value::Array(items) => {
            items.iter().for_each(|one| assert_references_lead_somewhere(document, one));
        }
        _ => {}
    }
}
