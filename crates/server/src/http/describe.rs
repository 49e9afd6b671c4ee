//! The description of an operation, put together from the types of its handler.
//!
//! A handler takes one argument, which is an [`Input`], and answers with an [`Output`]. Both
//! describe themselves: parameters, the body, every status and its headers. So an operation can't
//! be described differently from what it does, and no handler can forget an error.

use std::collections::BTreeMap;

use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{
    Components as OpenApiComponents, Content, Ref, RefOr, Required, Response, ResponseBuilder,
    Schema,
};
use utoipa::{IntoResponses, ToSchema};

use super::openapi::CommonErrors;

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

/// Schemas that have a name, collected while operations are described.
#[derive(Default)]
pub(crate) struct Components(BTreeMap<String, RefOr<Schema>>);

impl Components {
    /// A reference to the schema of this name, which is made the first time.
    pub(crate) fn add(
        &mut self,
        name: &str,
        make: impl FnOnce(&mut Self) -> RefOr<Schema>,
    ) -> RefOr<Schema> {
        if !self.0.contains_key(name) {
            let schema = make(self);
            self.0.insert(name.to_owned(), schema);
        }
        Ref::from_schema_name(name).into()
    }

    /// The schema of a type of answers, with those that it refers to.
    pub(crate) fn schema<T: ToSchema>(&mut self) -> RefOr<Schema> {
        let mut referred = Vec::new();
        T::schemas(&mut referred);
        self.0.extend(referred);
        // Lists and options have no name of their own, and generic types share theirs.
        let is_generic = std::any::type_name::<T>().contains('<');
        match T::schema() {
            RefOr::T(schema @ (Schema::Object(_) | Schema::AllOf(_))) if !is_generic => {
                let name = T::name().into_owned();
                self.0.insert(name.clone(), RefOr::T(schema));
                Ref::from_schema_name(name).into()
            }
            other => other,
        }
    }

    /// Hands the schemas to the document.
    pub(crate) fn write(self, components: &mut OpenApiComponents) {
        components.schemas.extend(self.0);
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
    parameters: Vec<Parameter>,
    body: Option<RequestSchema>,
    responses: BTreeMap<String, RefOr<Response>>,
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
        };
        description.errors::<CommonErrors>();
        description
    }

    /// Whether the request may be sent again with an `Idempotency-Key`.
    pub(crate) fn is_post(&self) -> bool {
        matches!(self.method, HttpMethod::Post)
    }

    /// Adds a group of errors; of two with one status, the later one stays.
    pub(crate) fn errors<G: IntoResponses>(&mut self) {
        self.responses.extend(G::responses());
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
        self.parameters.push(parameter.schema(Some(schema)).build());
    }

    /// Adds a parameter of the query that must be there.
    pub(crate) fn required_parameter(
        &mut self,
        name: &str,
        description: String,
        schema: RefOr<Schema>,
    ) {
        self.parameter(ParameterIn::Query, name, description, schema);
        if let Some(parameter) = self.parameters.last_mut() {
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
        let response = content(ResponseBuilder::new().description(description)).build();
        self.responses.insert(status.to_string(), RefOr::T(response));
    }

    /// The operation as the document has it.
    pub(crate) fn build(self, id: &str, tag: &str, doc: &[&str]) -> Operation {
        let text = joined(doc);
        let (summary, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
        let rest = (!rest.is_empty()).then(|| rest.to_owned());
        let mut operation = OperationBuilder::new()
            .operation_id(Some(id))
            .tag(tag)
            .summary(Some(summary))
            .description(rest)
            .parameters((!self.parameters.is_empty()).then_some(self.parameters));
        if let Some(body) = self.body {
            let required = if body.required { Required::True } else { Required::False };
            let mut request = RequestBodyBuilder::new().required(Some(required));
            for (media_type, schema) in body.contents {
                request = request.content(media_type, Content::new(Some(schema)));
            }
            operation = operation.request_body(Some(request.build()));
        }
        let mut operation = operation.build();
        operation.responses.responses = self.responses;
        super::headers::describe(&mut operation, &self.method);
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
