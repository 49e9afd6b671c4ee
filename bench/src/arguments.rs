//! `--name value` pairs after the name of a benchmark.

use crate::Result;

/// What is left of the command line.
#[derive(Debug)]
pub(crate) struct Arguments {
    command: Option<String>,
    rest: Vec<String>,
}

impl Arguments {
    pub(crate) fn from_command_line() -> Self {
        let mut all = std::env::args().skip(1);
        Self { command: all.next(), rest: all.collect() }
    }

    /// The name of the benchmark, if one was given.
    pub(crate) fn command(&self) -> Option<&str> {
        self.command.as_deref()
    }

    /// Takes the value of an option.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>> {
        let Some(at) = self.rest.iter().position(|argument| argument == name) else {
            return Ok(None);
        };
        if at + 1 == self.rest.len() {
            return Err(format!("{name} has no value").into());
        }
        self.rest.remove(at);
        Ok(Some(self.rest.remove(at)))
    }

    /// Takes the value of an option as a number.
    pub(crate) fn number(&mut self, name: &str) -> Result<Option<u64>> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        let number = text.parse().map_err(|_| format!("{name}: '{text}' is not a number"))?;
        Ok(Some(number))
    }

    /// Takes the value of an option as numbers between commas.
    pub(crate) fn numbers(&mut self, name: &str, default: &[u64]) -> Result<Vec<u64>> {
        let Some(text) = self.text(name)? else { return Ok(default.to_vec()) };
        let number = |part: &str| {
            part.trim().parse().map_err(|_| format!("{name}: '{part}' is not a number").into())
        };
        text.split(',').map(number).collect()
    }

    /// Refuses what nobody took.
    pub(crate) fn finish(self) -> Result<()> {
        match self.rest.first() {
            None => Ok(()),
            Some(unknown) => Err(format!("'{unknown}' is not an option here").into()),
        }
    }
}
