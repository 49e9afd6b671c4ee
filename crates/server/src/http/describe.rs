//! The description of an operation, put together from the types of its handler.
//!
//! A handler takes one argument, which is an [`Input`], and answers with an [`Output`]. Both
//! describe themselves: parameters, the body, every status and its headers. So an operation can't
//! be described differently from what it does, and no handler can forget an error.

use std::collections::BTreeMap;

use purser_app::keys::Scope;
use purser_core::named::Named as _;
use utoipa::ToSchema;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{
    Components as OpenApiComponents, Content, Ref, RefOr, Required, Response, ResponseBuilder,
    Schema,
};

use super::headers;
use super::openapi::{CommonErrors, ErrorGroup};
use crate::limits::{IDEMPOTENCY_KEY_CHARS_MAX, REQUEST_ID_CHARS_MAX};

/// What a handler takes, for the description.
pub(crate) trait Input {
    /// Adds parameters, the body, and the errors that follow from them.
    fn describe(operation: &mut Description);
}

/// What a handler answers with, for the description.
pub(crate) trait Output {
    /// Adds the successful answers, and errors that only this handler has.
    fn describe(operation: &mut Description);
}

/// Schemas, answers and headers that have a name, collected while operations are described.
#[derive(Default)]
pub(crate) struct Components {
    schemas: BTreeMap<String, RefOr<Schema>>,
    responses: BTreeMap<String, RefOr<Response>>,
    parameters: BTreeMap<String, RefOr<Parameter>>,
}

impl Components {
    /// A reference to the schema of this name, which is made the first time.
    pub(crate) fn add(
        &mut self,
        name: &str,
        make: impl FnOnce(&mut Self) -> RefOr<Schema>,
    ) -> RefOr<Schema> {
        if !self.schemas.contains_key(name) {
            let schema = make(self);
            self.schemas.insert(name.to_owned(), schema);
        }
        Ref::from_schema_name(name).into()
    }

    /// The schema of a type of answers, with those that it refers to.
    pub(crate) fn schema<T: ToSchema>(&mut self) -> RefOr<Schema> {
        let mut referred = Vec::new();
        T::schemas(&mut referred);
        self.schemas.extend(referred);
        // Lists and options have no name of their own, and generic types share theirs.
        let is_generic = std::any::type_name::<T>().contains('<');
        match T::schema() {
            RefOr::T(schema @ (Schema::Object(_) | Schema::AllOf(_))) if !is_generic => {
                let name = T::name().into_owned();
                self.schemas.insert(name.clone(), RefOr::T(schema));
                Ref::from_schema_name(name).into()
            }
            other => other,
        }
    }

    /// A reference to the answer of this name, which is made the first time.
    fn response(&mut self, name: &str, make: impl FnOnce() -> Response) -> RefOr<Response> {
        if !self.responses.contains_key(name) {
            self.responses.insert(name.to_owned(), RefOr::T(make()));
        }
        Ref::from_response_name(name).into()
    }

    /// Hands everything to the document.
    pub(crate) fn write(self, components: &mut OpenApiComponents) {
        components.schemas.extend(self.schemas);
        components.responses.extend(self.responses);
        components.parameters.extend(self.parameters);
        components.headers.extend(headers::all());
    }
}

/// The body of a request, for the description.
pub(crate) struct RequestSchema {
    /// The media types that are taken, each with its schema.
    pub(crate) contents: Vec<(&'static str, RefOr<Schema>)>,
    /// Whether a request must have it.
    pub(crate) required: bool,
}

impl RequestSchema {
    /// A JSON body that must be there.
    pub(crate) fn json(schema: RefOr<Schema>) -> Self {
        Self { contents: vec![("application/json", schema)], required: true }
    }
}

/// An operation while it is described.
pub(crate) struct Description<'a> {
    /// The HTTP method of the operation.
    pub(crate) method: HttpMethod,
    /// Schemas that have a name.
    pub(crate) components: &'a mut Components,
    parameters: Vec<RefOr<Parameter>>,
    body: Option<RequestSchema>,
    responses: BTreeMap<String, RefOr<Response>>,
    scope: Scope,
    may_be_stored: bool,
}

impl<'a> Description<'a> {
    /// An operation with the errors that every route can answer with.
    pub(crate) fn new(method: HttpMethod, components: &'a mut Components) -> Self {
        let mut description = Self {
            method,
            components,
            parameters: Vec::new(),
            body: None,
            responses: BTreeMap::new(),
            scope: Scope::Read,
            may_be_stored: false,
        };
        description.errors::<CommonErrors>();
        description
    }

    /// Whether the request may be sent again with an `Idempotency-Key`.
    pub(crate) fn is_post(&self) -> bool {
        matches!(self.method, HttpMethod::Post)
    }

    /// Adds a group of errors; of two with one status, the later one stays.
    pub(crate) fn errors<G: ErrorGroup>(&mut self) {
        for error in G::ERRORS {
            let response = self.components.response(error.name, || error.response());
            self.responses.insert(error.status.to_string(), response);
        }
    }

    /// The scope that a key needs.
    pub(crate) fn scope(&mut self, scope: Scope) {
        self.scope = scope;
    }

    /// Whether the request may be sent again with an `Idempotency-Key`, which gets the stored
    /// answer.
    pub(crate) fn takes_idempotency_key(&mut self) {
        let key = ObjectBuilder::new().schema_type(Type::String);
        let key = key.min_length(Some(1)).max_length(Some(IDEMPOTENCY_KEY_CHARS_MAX));
        let description = "Makes the request safe to repeat: for 24 hours the same key with the \
             same content gets the stored answer of the first request. With other content it is \
             refused with 422 `idempotency_key_reused`, and with 409 while the first request is \
             still running.";
        self.header("Idempotency-Key", description, key);
        self.may_be_stored = true;
    }

    /// Adds a parameter that may be left out, or that is part of the path.
    pub(crate) fn parameter(
        &mut self,
        place: ParameterIn,
        name: &str,
        description: String,
        schema: RefOr<Schema>,
    ) {
        let required = match place {
            ParameterIn::Path => Required::True,
            _ => Required::False,
        };
        let parameter = ParameterBuilder::new().name(name).parameter_in(place);
        let parameter = parameter.required(required).description(Some(description));
        self.parameters.push(RefOr::T(parameter.schema(Some(schema)).build()));
    }

    /// Adds a header that the request may have. It is described once in the document.
    fn header(&mut self, name: &str, description: &str, schema: ObjectBuilder) {
        self.components.parameters.entry(name.to_owned()).or_insert_with(|| {
            let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Header);
            let parameter = parameter.required(Required::False).description(Some(description));
            RefOr::T(parameter.schema(Some(schema)).build())
        });
        let reference = Ref::new(format!("#/components/parameters/{name}"));
        self.parameters.push(RefOr::Ref(reference));
    }

    /// Adds a parameter of the query that must be there.
    pub(crate) fn required_parameter(
        &mut self,
        name: &str,
        description: String,
        schema: RefOr<Schema>,
    ) {
        self.parameter(ParameterIn::Query, name, description, schema);
        if let Some(RefOr::T(parameter)) = self.parameters.last_mut() {
            parameter.required = Required::True;
        }
    }

    /// Sets the description of the request's body.
    pub(crate) fn body(&mut self, body: Option<RequestSchema>) {
        self.body = body;
    }

    /// Adds a successful answer with a JSON body.
    pub(crate) fn answer<T: ToSchema>(&mut self, status: u16, description: &str) {
        let schema = self.components.schema::<T>();
        let content = Content::new(Some(schema));
        self.response(status, description, |response| {
            response.content("application/json", content)
        });
    }

    /// Adds a successful answer that has no body.
    pub(crate) fn empty_answer(&mut self, status: u16, description: &str) {
        self.response(status, description, |response| response);
    }

    /// Adds an answer of any form.
    pub(crate) fn response(
        &mut self,
        status: u16,
        description: &str,
        content: impl FnOnce(ResponseBuilder) -> ResponseBuilder,
    ) {
        let mut response = content(ResponseBuilder::new().description(description)).build();
        let is_read = matches!(self.method, HttpMethod::Get);
        // A stream has no tag: it is never complete.
        let names = if is_read && response.content.contains_key("application/json") {
            self.conditional(&response);
            headers::of_tagged()
        } else {
            headers::of_success(self.may_be_stored)
        };
        headers::refer(&mut response, names);
        self.responses.insert(status.to_string(), RefOr::T(response));
    }

    /// The request may name the answer that the client has already.
    fn conditional(&mut self, answer: &Response) {
        let description = "The `ETag` of an earlier answer: 304 if this one would be the same.";
        let tag = ObjectBuilder::new().schema_type(Type::String);
        self.header("If-None-Match", description, tag);
        let not_modified = || {
            let response = ResponseBuilder::new();
            let mut response = response.description("The client has this answer already.").build();
            headers::refer(&mut response, headers::of_tagged());
            response
        };
        // Headers of the answer itself, such as totals, come without its body, too.
        let response = if answer.headers.is_empty() {
            self.components.response("NotModified", not_modified)
        } else {
            let mut response = not_modified();
            response.headers.extend(answer.headers.clone());
            RefOr::T(response)
        };
        self.responses.insert("304".to_owned(), response);
    }

    /// The operation as the document has it.
    pub(crate) fn build(mut self, id: &str, tag: &str, doc: &[&str]) -> Operation {
        let request_id = ObjectBuilder::new().schema_type(Type::String).min_length(Some(1));
        let request_id = request_id.max_length(Some(REQUEST_ID_CHARS_MAX));
        let request_id = request_id.pattern(Some("^[!-~]+$"));
        let described = "The id that the request is logged with and answered with. A new one if \
            this can't be one.";
        self.header("X-Request-Id", described, request_id);
        let text = joined(doc);
        let (summary, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
        let rest = (!rest.is_empty()).then(|| rest.to_owned());
        let mut operation = OperationBuilder::new()
            .operation_id(Some(id))
            .tag(tag)
            .summary(Some(summary))
            .description(rest);
        if let Some(body) = self.body {
            let required = if body.required { Required::True } else { Required::False };
            let mut request = RequestBodyBuilder::new().required(Some(required));
            for (media_type, schema) in body.contents {
                request = request.content(media_type, Content::new(Some(schema)));
            }
            operation = operation.request_body(Some(request.build()));
        }
        let mut operation = operation.build();
        operation.parameters = Some(self.parameters);
        operation.responses.responses = self.responses;
        let schemes = ["api_key", "bearer"].into_iter();
        let needed = schemes.map(|scheme| SecurityRequirement::new(scheme, [self.scope.name()]));
        operation.security = Some(needed.collect());
        operation
    }
}

/// Lines of documentation as one text.
pub(crate) fn joined(lines: &[&str]) -> String {
    let lines: Vec<&str> =
        lines.iter().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let mut text = String::new();
    for line in lines {
        match (text.is_empty() || text.ends_with("\n\n"), line.is_empty()) {
            (true, true) => {}
            (false, true) => text.push_str("\n\n"),
            (true, false) => text.push_str(line),
            (false, false) => {
                text.push(' ');
                text.push_str(line);
            }
        }
    }
    text.trim_end().to_owned()
}

/// The name of a member as it is sent, where Rust needs a raw identifier.
pub(crate) const fn member_name(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}
