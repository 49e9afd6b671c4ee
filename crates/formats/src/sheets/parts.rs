//! The small parts of a workbook: what points where, which sheets there are, styles, shared texts.

use std::io::Read;

use super::number::{Shows, shows, shows_builtin};
use super::{SHARED_BYTES_MAX, SHEETS_MAX, SheetError};
use crate::statements::StatementError;
use crate::statements::markup::element::attribute;
use crate::statements::markup::{Strictness, Token, Tokens};

/// Goes through all elements of a part: name, attributes and text directly in it, at its end.
pub(super) fn each_start(
    source: impl Read,
    mut each: impl FnMut(&str, &str) -> Result<(), SheetError>,
) -> Result<(), EachError> {
    let mut tokens = Tokens::new(source, Strictness::Xml);
    while let Some(token) = tokens.next()? {
        if let Token::Start { name, attributes } = token {
            each(&name, attributes)?;
        }
    }
    Ok(())
}

/// What ends a walk through a part.
pub(super) enum EachError {
    Markup(StatementError),
    Sheet(SheetError),
}

impl From<StatementError> for EachError {
    fn from(error: StatementError) -> Self {
        Self::Markup(error)
    }
}

impl From<SheetError> for EachError {
    fn from(error: SheetError) -> Self {
        Self::Sheet(error)
    }
}

impl EachError {
    /// The error with the name of the part in which it is.
    pub(super) fn within(self, part: &str) -> SheetError {
        match self {
            Self::Markup(error) => SheetError::Part { part: part.to_owned(), error },
            Self::Sheet(error) => error,
        }
    }
}

/// An arrow from one part to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Relationship {
    pub(super) id: String,
    /// The last word of its type: `worksheet`, `sharedStrings`.
    pub(super) kind: String,
    /// The part that it points to.
    pub(super) target: String,
}

/// The relationships of a part in a folder such as `xl`.
pub(super) fn relationships(
    source: impl Read,
    folder: &str,
) -> Result<Vec<Relationship>, EachError> {
    let mut found = Vec::new();
    each_start(source, |name, attributes| {
        let value = |name: &str| attribute(attributes, name).unwrap_or_default();
        if name == "Relationship" && value("TargetMode") != "External" {
            let kind = value("Type");
            let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
            let target = resolved(folder, &value("Target"));
            found.push(Relationship { id: value("Id"), kind, target });
        }
        if found.len() > 10 * SHEETS_MAX { Err(SheetError::TooLarge) } else { Ok(()) }
    })?;
    Ok(found)
}

/// A path relative to a folder, or from the root.
fn resolved(folder: &str, target: &str) -> String {
    if let Some(path) = target.strip_prefix('/') {
        return path.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                path.pop();
            }
            _ => path.push(part),
        }
    }
    path.join("/")
}

/// What each style of cells shows.
pub(super) fn styles(source: impl Read) -> Result<Vec<Shows>, EachError> {
    let mut codes: Vec<(u32, Shows)> = Vec::new();
    let mut styles = Vec::new();
    let mut is_in_cells = false;
    each_start(source, |name, attributes| {
        let number = |name: &str| attribute(attributes, name).and_then(|it| it.parse::<u32>().ok());
        match name {
            "numFmt" => {
                let code = attribute(attributes, "formatCode").unwrap_or_default();
                codes.extend(number("numFmtId").map(|id| (id, shows(&code))));
            }
            "cellXfs" => is_in_cells = true,
            "cellStyles" | "cellStyleXfs" | "dxfs" => is_in_cells = false,
            "xf" if is_in_cells => {
                let id = number("numFmtId").unwrap_or_default();
                let own = codes.iter().find(|(its, _)| *its == id).map(|(_, shows)| *shows);
                styles.push(own.unwrap_or_else(|| shows_builtin(id)));
            }
            _ => {}
        }
        // A workbook can have 64,000 styles.
        if styles.len().max(codes.len()) > 100 * SHEETS_MAX {
            return Err(SheetError::TooLarge);
        }
        Ok(())
    })?;
    Ok(styles)
}

/// The texts that cells share, one behind the other.
#[derive(Debug, Default)]
pub(super) struct SharedTexts {
    text: String,
    ends: Vec<u32>,
}

impl SharedTexts {
    pub(super) fn get(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)? as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }

    /// The text that is being added, behind the others.
    pub(super) fn open(&mut self) -> &mut String {
        &mut self.text
    }

    /// Ends the text that is being added.
    pub(super) fn close(&mut self) -> Result<(), SheetError> {
        self.ends.push(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        match self.text.len() + 4 * self.ends.len() > SHARED_BYTES_MAX {
            true => Err(SheetError::TooLarge),
            false => Ok(()),
        }
    }

    pub(super) fn read(source: impl Read) -> Result<Self, EachError> {
        let mut tokens = Tokens::new(source, Strictness::Xml);
        let mut shared = Self::default();
        let (mut is_in_text, mut phonetic) = (false, 0_usize);
        while let Some(token) = tokens.next()? {
            match token {
                Token::Start { name, .. } if name == "t" => is_in_text = phonetic == 0,
                Token::Start { name, .. } if name == "rPh" => phonetic += 1,
                Token::End { name } if name == "t" => is_in_text = false,
                Token::End { name } if name == "rPh" => phonetic = phonetic.saturating_sub(1),
                Token::End { name } if name == "si" => shared.close()?,
                Token::Text(text) if is_in_text => {
                    shared.text.push_str(&text);
                    if shared.text.len() > SHARED_BYTES_MAX {
                        return Err(SheetError::TooLarge.into());
                    }
                }
                _ => {}
            }
        }
        Ok(shared)
    }
}
