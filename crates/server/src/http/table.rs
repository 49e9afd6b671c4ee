//! The table of routes: `routes!` declares the operations of a noun, and [`Table`] makes the router
//! or the description of them.
//!
//! ```text
//! routes! { "tags":
//!     /// List tags
//!     ///
//!     /// All of them by name.
//!     GET "/tags" => list as list_tags;
//!     /// Change a tag
//!     PATCH PUT "/tags/{id}" => update as update_tag;
//! }
//! ```
//!
//! The documentation is published: its first paragraph is the summary. A route with `PATCH PUT`
//! answers both alike.

use axum::Router;
use axum::extract::FromRequest;
use axum::handler::Handler;
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, on};
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::{HttpMethod, PathItem};

use super::describe::{Components, Description, Input, Output};
use super::error::{ApiError, ApiResult};
use crate::state::AppState;

/// The path that the whole API is below.
pub(crate) const PREFIX: &str = "/api/v1";

/// An operation, as `routes!` declares it.
pub(crate) struct Route {
    /// The methods; after the first, the others are aliases of it.
    pub(crate) methods: &'static [&'static str],
    /// The path of the route below [`PREFIX`].
    pub(crate) path: &'static str,
    /// The name of the operation, unique.
    pub(crate) id: &'static str,
    /// The group that it belongs to.
    pub(crate) tag: &'static str,
    /// The lines of the published documentation.
    pub(crate) doc: &'static [&'static str],
}

/// Routes on their way to a router, or to the description of the interface.
pub(crate) enum Table {
    /// Handlers only, so that nothing of the descriptions stays in memory.
    Router(Router<AppState>),
    /// Descriptions only, for the OpenAPI document.
    Document(Box<OpenApi>, Components),
}

impl Table {
    /// A table that becomes a router.
    pub(crate) fn router() -> Self {
        Self::Router(Router::new())
    }

    /// A table that adds to a document.
    pub(crate) fn document(document: OpenApi) -> Self {
        Self::Document(Box::new(document), Components::default())
    }

    /// Adds an operation with its handler.
    pub(crate) fn add<H, T, A, F, R>(&mut self, route: &Route, handler: H)
    where
        H: Handler<T, AppState> + Fn(A) -> F,
        T: 'static,
        A: Input + FromRequest<AppState, Rejection = ApiError>,
        F: Future<Output = ApiResult<R>>,
        R: Output + IntoResponse,
    {
        for method in route.methods {
            match self {
                Self::Router(router) => {
                    let filter = method_filter(method);
                    let routed = on(filter, handler.clone());
                    *router = std::mem::take(router).route(route.path, routed);
                }
                Self::Document(document, components) => {
                    let mut description = Description::new(http_method(method), components);
                    A::describe(&mut description);
                    R::describe(&mut description);
                    write(document, route, method, description);
                }
            }
        }
    }

    /// The router, or an empty one if the table was made for a document.
    pub(crate) fn into_router(self) -> Router<AppState> {
        match self {
            Self::Router(router) => router,
            Self::Document(..) => Router::new(),
        }
    }

    /// The document, if the table was made for one.
    pub(crate) fn into_document(self) -> Option<OpenApi> {
        let Self::Document(mut document, components) = self else { return None };
        components.write(document.components.get_or_insert_default());
        Some(*document)
    }
}

fn write(document: &mut OpenApi, route: &Route, method: &str, description: Description<'_>) {
    let is_alias = route.methods.first() != Some(&method);
    let id = match (is_alias, route.id.split_once('_')) {
        (true, Some((_, noun))) => format!("{}_{noun}", method.to_ascii_lowercase()),
        _ => route.id.to_owned(),
    };
    let http_method = http_method(method);
    let operation = description.build(&id, route.tag, route.doc);
    let path = format!("{PREFIX}{}", route.path);
    let item = PathItem::new(http_method, operation);
    match document.paths.paths.get_mut(&path) {
        Some(present) => present.merge_operations(item),
        None => drop(document.paths.paths.insert(path, item)),
    }
}

fn method_filter(method: &str) -> MethodFilter {
    match method {
        "GET" => MethodFilter::GET,
        "POST" => MethodFilter::POST,
        "PUT" => MethodFilter::PUT,
        "PATCH" => MethodFilter::PATCH,
        _ => MethodFilter::DELETE,
    }
}

fn http_method(method: &str) -> HttpMethod {
    match method {
        "GET" => HttpMethod::Get,
        "POST" => HttpMethod::Post,
        "PUT" => HttpMethod::Put,
        "PATCH" => HttpMethod::Patch,
        _ => HttpMethod::Delete,
    }
}

/// Declares the operations of a noun; see [`super::table`].
macro_rules! routes {
    (
        $tag:literal:
        $(
            $(#[doc = $doc:literal])*
            $($method:ident)+ $path:literal => $handler:ident as $id:ident;
        )*
    ) => {
        /// Adds the operations of this noun.
        pub(in crate::api) fn routes(table: &mut $crate::http::table::Table) {
            $(
                table.add(
                    &$crate::http::table::Route {
                        methods: &[$(stringify!($method)),+],
                        path: $path,
                        id: stringify!($id),
                        tag: $tag,
                        doc: &[$($doc),*],
                    },
                    $handler,
                );
            )*
        }
    };
}

pub(crate) use routes;
