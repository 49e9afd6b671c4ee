//! Directories to which one writer at a time may write.

/// Directories to which only one writer at a time may write, whatever family it is for.
#[derive(Debug, Clone, Copy)]
pub enum DirectoryLock {
    /// Which families there are: their numbers, their removal, and "is there any user".
    Families,
    /// Changes of the schema.
    Schema,
}
