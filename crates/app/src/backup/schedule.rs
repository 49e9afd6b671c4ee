//! Backups that the server makes by itself, one node at a time.
