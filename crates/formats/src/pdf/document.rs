//! The objects of a document.
//!
//! All of the file is searched for objects, instead of following its table of them: such tables are
//! often wrong, and what is written last counts, as with the table.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use memchr::memmem;

use super::encryption::Decryption;
use super::error::{PdfError, Result};
use super::filters;
use super::lexer::Lexer;
use super::limits::{DOCUMENT_BYTES_MAX, OBJECTS_MAX, STREAM_BYTES_MAX};
use super::object::{Dict, Object, ObjectId};
use super::work::Work;

/// Dictionaries in each other that are looked into where nothing may be left as a reference.
const DEPTH_MAX: usize = 4;
/// Bytes of the longest text in the description of an encryption, and more.
const TEXT_BYTES_MAX: usize = 1_024;
/// The work that counts for one value of it, of which there are some twenty.
const VALUE_WORK: usize = 8 * TEXT_BYTES_MAX;

/// A document with its objects.
#[derive(Debug)]
pub(super) struct Document<'b> {
    bytes: &'b [u8],
    /// By number: where the object was found, and the object.
    objects: HashMap<u32, (usize, Object)>,
    trailer: Dict,
    /// What decrypts streams, if they are encrypted.
    decryption: Option<Decryption>,
    pub(super) work: Work,
}

/// Bytes of a stream, and the filter that is left of them with its parameters.
type Decoded = (Vec<u8>, Option<Vec<u8>>, Option<Dict>);

impl<'b> Document<'b> {
    pub(super) fn open(bytes: &'b [u8], password: &str) -> Result<Self> {
        if bytes.len() > DOCUMENT_BYTES_MAX {
            return Err(PdfError::TooLarge);
        }
        let head = &bytes[..bytes.len().min(1024)];
        if memmem::find(head, b"%PDF-").is_none() {
            return Err(PdfError::NotAPdf);
        }
        let (objects, trailer, work) = (HashMap::new(), Dict::default(), Work::new());
        let mut document = Self { bytes, objects, trailer, decryption: None, work };
        document.scan()?;
        document.trailers()?;
        document.decryption = document.unlock(password)?;
        document.expand()?;
        Ok(document)
    }

    /// What decrypts the document, if it is encrypted.
    fn unlock(&self, password: &str) -> Result<Option<Decryption>> {
        let encrypt = match self.get(&self.trailer, "Encrypt") {
            Object::Null => return Ok(None),
            Object::Dict(dict) => self.resolved(dict, DEPTH_MAX)?,
            _ => return Err(PdfError::UnknownEncryption),
        };
        let identifiers = self.get(&self.trailer, "ID").array().unwrap_or_default();
        let identifier = match identifiers.first().map(|first| self.resolve(first)) {
            Some(Object::Text(bytes)) => &bytes[..],
            _ => &[],
        };
        Decryption::open(&encrypt, identifier, password).map(Some)
    }

    /// The dictionary with the values that it refers to. Those of other sorts than the description
    /// of an encryption has are left out, so that none of them is copied many times.
    fn resolved(&self, dict: &Dict, depth: usize) -> Result<Dict> {
        let mut values = BTreeMap::new();
        for (name, object) in &dict.0 {
            let value = match self.resolve(object) {
                Object::Dict(dict) if depth > 0 => Object::Dict(self.resolved(dict, depth - 1)?),
                Object::Array(_) | Object::Dict(_) | Object::Stream(..) => continue,
                Object::Text(bytes) | Object::Name(bytes) | Object::Word(bytes)
                    if bytes.len() > TEXT_BYTES_MAX =>
                {
                    continue;
                }
                other => other.clone(),
            };
            self.work.take(name.len() + VALUE_WORK)?;
            values.insert(name.clone(), value);
        }
        Ok(Dict(values))
    }

    /// Finds all objects that stand in the file itself.
    fn scan(&mut self) -> Result<()> {
        let finder = memmem::Finder::new(b"obj");
        let mut from = 0;
        while let Some(found) = finder.find(&self.bytes[from..]) {
            let at = from + found;
            from = at + 3;
            let Some(id) = id_before(&self.bytes[..at]) else { continue };
            let mut lexer = Lexer::new(self.bytes, from);
            let Some(object) = lexer.next()? else { break };
            self.work.take(lexer.at - from)?;
            let object = match object {
                Object::Dict(dict) => match self.stream(&mut lexer, &dict) {
                    Some(range) => Object::Stream(dict, range, id),
                    None => Object::Dict(dict),
                },
                object => object,
            };
            from = lexer.at.max(from);
            self.insert(id.number, at, object)?;
        }
        Ok(())
    }

    fn insert(&mut self, number: u32, at: usize, object: Object) -> Result<()> {
        if self.objects.len() >= OBJECTS_MAX {
            return Err(PdfError::TooManyObjects);
        }
        let is_older = self.objects.get(&number).is_some_and(|(before, _)| *before > at);
        if !is_older {
            self.objects.insert(number, (at, object));
        }
        Ok(())
    }

    /// Where the bytes of a stream are, if one follows the dictionary.
    fn stream(&self, lexer: &mut Lexer<'_>, dict: &Dict) -> Option<Range<usize>> {
        lexer.skip_space();
        let rest = self.bytes.get(lexer.at..)?.strip_prefix(b"stream")?;
        let line = match rest {
            [b'\r', b'\n', ..] => 2,
            [b'\n' | b'\r', ..] => 1,
            _ => 0,
        };
        let start = lexer.at + 6 + line;
        let ends = |end: usize| {
            let after = self.bytes.get(end..).unwrap_or_default();
            after.trim_ascii_start().starts_with(b"endstream")
        };
        let stated = dict.get("Length").index().and_then(|length| start.checked_add(length));
        let end = stated.filter(|end| ends(*end)).or_else(|| {
            let rest = self.bytes.get(start..)?;
            Some(start + memmem::find(rest, b"endstream")?)
        });
        let end = end.unwrap_or(self.bytes.len());
        lexer.at = end;
        Some(start..end)
    }

    /// Joins what the ends of the file state; the last one counts.
    fn trailers(&mut self) -> Result<()> {
        let mut found: Vec<(usize, Dict)> = Vec::new();
        for at in memmem::find_iter(self.bytes, b"trailer") {
            let mut lexer = Lexer::new(self.bytes, at + 7);
            if let Some(Object::Dict(dict)) = lexer.next()? {
                found.push((at, dict));
            }
            self.work.take(lexer.at - at)?;
        }
        for (at, object) in self.objects.values() {
            if let Object::Stream(dict, ..) = object
                && dict.is("Type", "XRef")
            {
                found.push((*at, dict.clone()));
            }
        }
        found.sort_by_key(|(at, _)| *at);
        for (_, dict) in found {
            self.trailer.0.extend(dict.0);
        }
        Ok(())
    }

    /// Adds the objects that stand in streams.
    fn expand(&mut self) -> Result<()> {
        let is_container =
            |object: &Object| object.dict().is_some_and(|dict| dict.is("Type", "ObjStm"));
        let mut containers: Vec<(usize, u32)> = self
            .objects
            .iter()
            .filter(|(_, (_, object))| is_container(object))
            .map(|(number, (at, _))| (*at, *number))
            .collect();
        containers.sort_unstable();
        for (at, number) in containers {
            let Some((_, container)) = self.objects.get(&number) else { continue };
            let Some(dict) = container.dict() else { continue };
            let first = dict.get("First").index().unwrap_or(0);
            let count = dict.get("N").index().unwrap_or(0).min(OBJECTS_MAX);
            let bytes = self.bytes_of(container)?;
            let mut directory = Lexer::new(&bytes, 0);
            for _ in 0..count {
                let number = directory.next()?.and_then(|number| number.index());
                let offset = directory.next()?.and_then(|offset| offset.index());
                let Some((number, offset)) = number.zip(offset) else { break };
                let mut lexer = Lexer::new(&bytes, first.saturating_add(offset).min(bytes.len()));
                let Some(object) = lexer.next()? else { break };
                self.work.take(16)?;
                if let Ok(number) = u32::try_from(number) {
                    self.insert(number, at, object)?;
                }
            }
        }
        Ok(())
    }

    /// The object itself, if this is a reference to it.
    pub(super) fn resolve<'o>(&'o self, object: &'o Object) -> &'o Object {
        let mut object = object;
        // A reference to a reference is rare, and a circle of them is an attack.
        for _ in 0..8 {
            let Object::Reference(number) = object else { return object };
            object = self.objects.get(number).map_or(&Object::Null, |(_, object)| object);
        }
        &Object::Null
    }

    /// The value of a name, resolved.
    pub(super) fn get<'o>(&'o self, dict: &'o Dict, name: &str) -> &'o Object {
        self.resolve(dict.get(name))
    }

    /// The bytes of a stream as they were before they were compressed.
    pub(super) fn bytes_of(&self, object: &Object) -> Result<Vec<u8>> {
        self.decoded(object, |_| false).map(|(bytes, ..)| bytes)
    }

    /// The bytes of a picture, and the way in which they are still stored if it is one that only
    /// pictures have, with its parameters.
    pub(super) fn stored_picture(&self, object: &Object) -> Result<Decoded> {
        self.decoded(object, filters::is_of_pictures)
    }

    /// The bytes up to the first filter that is left as it is.
    fn decoded(&self, object: &Object, is_left: impl Fn(&[u8]) -> bool) -> Result<Decoded> {
        let Object::Stream(dict, range, id) = object else {
            return Err(PdfError::Damaged("a part of it is missing"));
        };
        let mut bytes = self.bytes.get(range.clone()).unwrap_or_default().to_vec();
        if let Some(decryption) = &self.decryption {
            self.work.take(bytes.len())?;
            decryption.decrypt(dict, *id, &mut bytes)?;
        }
        let (filters, parameters) = (self.get(dict, "Filter"), self.get(dict, "DecodeParms"));
        let filters = filters.array().unwrap_or(std::slice::from_ref(filters));
        for (at, filter) in filters.iter().enumerate() {
            let Some(filter) = self.resolve(filter).name() else { continue };
            if filter == b"Crypt" {
                continue;
            }
            let parameters = match parameters.array() {
                Some(items) => self.resolve(items.get(at).unwrap_or(&Object::Null)),
                None => parameters,
            };
            if is_left(filter) {
                return Ok((bytes, Some(filter.to_vec()), parameters.dict().cloned()));
            }
            bytes = filters::decode(filter, parameters.dict(), &bytes)?;
            self.work.take(bytes.len())?;
            if bytes.len() > STREAM_BYTES_MAX {
                return Err(PdfError::TooComplex);
            }
        }
        Ok((bytes, None, None))
    }

    /// The dictionary from which all pages are found.
    pub(super) fn catalog(&self) -> Result<&Dict> {
        let is_catalog = |object: &&Object| object.dict().is_some_and(|d| d.is("Type", "Catalog"));
        let root = Some(self.get(&self.trailer, "Root")).filter(|root| root.dict().is_some());
        let any = || self.objects.values().map(|(_, object)| object).find(is_catalog);
        let root = root.or_else(any).and_then(Object::dict);
        root.ok_or(PdfError::Damaged("its list of pages is missing"))
    }
}

/// The object of `12 0 obj`, of which all before the word is given.
fn id_before(bytes: &[u8]) -> Option<ObjectId> {
    fn digits(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
        let count = bytes.iter().rev().take(10).take_while(|byte| byte.is_ascii_digit()).count();
        (count > 0).then(|| bytes.split_at(bytes.len() - count))
    }
    fn number<N: std::str::FromStr>(digits: &[u8]) -> Option<N> {
        std::str::from_utf8(digits).ok()?.parse().ok()
    }
    let (rest, generation) = digits(bytes.trim_ascii_end())?;
    let before = rest.trim_ascii_end();
    if before.len() == rest.len() {
        return None;
    }
    let (_, digits) = digits(before)?;
    // A generation that is none is read as the first: without encryption it means nothing.
    Some(ObjectId { number: number(digits)?, generation: number(generation).unwrap_or(0) })
}
