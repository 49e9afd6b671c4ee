//! The pages as people see them: whole journeys in a real browser, on a desktop and on a phone.
//!
//! Each journey has a server and a browser of its own. An error on the console fails it.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

#[path = "../support/mod.rs"]
mod support;

mod browser;
mod webdriver;

/// Defines journeys: each is made on both screens, as `name::desktop` and `name::phone`.
macro_rules! journeys {
    ($backend:ident: $(fn $name:ident($browser:ident, $server:ident) $body:block)*) => {$(
        mod $name {
            #[allow(unused_imports, reason = "a short journey may need none of them")]
            use super::*;

            #[allow(unused_variables, reason = "not every journey asks the server itself")]
            fn on(screen: $crate::browser::Screen) {
                let $server =
                    $crate::support::Server::start($crate::support::Backend::$backend);
                $crate::browser::journey(&$server, screen, stringify!($name), |$browser| $body);
            }

            #[test]
            fn desktop() {
                on($crate::browser::Screen::Desktop);
            }

            #[test]
            fn phone() {
                on($crate::browser::Screen::Phone);
            }
        }
    )*};
}

mod again;
mod connections;
mod deciding;
mod demo;
mod directions;
mod docs;
mod documents;
mod exports;
mod forms;
mod household;
mod imports;
mod people;
mod several_files;
mod start;
mod statements;
mod webhooks;
