//! Each test on both databases.

/// Defines tests that run once on SQLite and once on PostgreSQL, as `name::sqlite` and
/// `name::postgres`. The body owns the server; `= options` starts it with settings of its own.
///
/// ```ignore
/// both! {
///     fn health_is_public(server) { assert_eq!(server.client().get("/healthz").status, 200); }
///
///     fn the_fourth_request_is_too_many(server = Options::new().env("PURSER_RATE_LIMIT", "3")) {
///         …
///     }
/// }
/// ```
#[macro_export]
macro_rules! both {
    ($($(#[$meta:meta])* fn $name:ident($server:ident $(= $options:expr)?) $body:block)*) => {$(
        $(#[$meta])*
        mod $name {
            #[allow(unused_imports, reason = "a short body may need none of them")]
            use super::*;

            #[allow(unused_mut, unused_variables, reason = "only some bodies restart the server")]
            fn on(backend: $crate::support::Backend) {
                let options = $crate::support::Options::new();
                $(let options = $options;)?
                let mut $server = $crate::support::Server::start_with(backend, options);
                $body
            }

            #[test]
            fn sqlite() {
                on($crate::support::Backend::Sqlite);
            }

            #[test]
            fn postgres() {
                on($crate::support::Backend::Postgres);
            }
        }
    )*};
}
