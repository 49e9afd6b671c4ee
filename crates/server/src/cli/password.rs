//! A new password, from the terminal or from standard input; never from the command line, which
//! other users of the machine can read.

use std::io::{self, BufRead as _, BufReader, Read};

use purser_app::Secret;
use purser_app::passwords::{self, BYTES_MAX};
use purser_core::error::{Error, Result};

use super::output::usage;

/// A password that is long enough, as its hash. The terminal asks for it twice.
pub(super) fn ask_for_hash(from_stdin: bool) -> Result<Secret> {
    let password = if from_stdin { first_line(io::stdin().lock())? } else { ask_twice()? };
    passwords::check(&password)?;
    passwords::hash(&password)
}

/// The first line, without its end.
fn first_line(input: impl Read) -> Result<Secret> {
    // More than a password can have is read, so that a longer one is refused and not cut.
    let limit = BYTES_MAX as u64 + 3;
    let mut line = String::new();
    BufReader::new(input.take(limit)).read_line(&mut line).map_err(|error| unreadable(&error))?;
    let line = line
        .strip_suffix('\n')
        .map_or(line.as_str(), |line| line.strip_suffix('\r').unwrap_or(line));
    Ok(Secret::new(line))
}

fn ask_twice() -> Result<Secret> {
    let first = ask("Password: ")?;
    // A password that is too short is refused before it has to be typed again.
    passwords::check(&first)?;
    if ask("The same again: ")? != first {
        return Err(Error::invalid("The two passwords differ"));
    }
    Ok(first)
}

fn ask(prompt: &str) -> Result<Secret> {
    match rpassword::prompt_password(prompt) {
        Ok(password) => Ok(Secret::new(password)),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
            Err(Error::invalid("No password was given"))
        }
        Err(_) => Err(usage(
            "There is no terminal to ask for the password: send it with --password-stdin",
        )),
    }
}

fn unreadable(error: &io::Error) -> Error {
    Error::invalid(format!("The password can't be read from standard input: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_password_is_the_first_line_without_its_end() {
        for (input, password) in [
            ("secret word", "secret word"),
            ("secret word\n", "secret word"),
            ("secret word\r\nanother\n", "secret word"),
            (" spaces count \n", " spaces count "),
            ("\n", ""),
            ("", ""),
        ] {
            assert_eq!(first_line(input.as_bytes()).unwrap().reveal(), password, "{input:?}");
        }
        assert!(first_line(&b"\xff\n"[..]).is_err());
    }

    #[test]
    fn a_password_that_is_too_long_is_refused_and_not_cut() {
        // No letter that the last ones foretell: that would be a common password.
        let letter = |at: usize| char::from(b"kzqwmxvtbgphdfjn"[at * at * at / 7 % 16]);
        let longest: String = (0..BYTES_MAX).map(letter).collect();
        for end in ["", "\n", "\r\n"] {
            let read = first_line(format!("{longest}{end}").as_bytes()).unwrap();
            assert!(passwords::check(&read).is_ok(), "{end:?}");
            let read = first_line(format!("{longest}a{end}").as_bytes()).unwrap();
            assert!(passwords::check(&read).is_err(), "{end:?}");
        }
    }
}
