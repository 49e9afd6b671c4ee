//! A throwaway PostgreSQL server: started for one run, gone afterwards, whatever happens.
//!
//! * [`binaries`]: where the server's programs are, and how to get them.
//! * [`account`]: the system user that runs it, since PostgreSQL refuses root.
//! * [`certificate`]: what a server needs to encrypt connections.
//! * [`cluster`]: the server itself.
//! * [`leftover`]: what a run that was killed together with its watcher left behind.

pub(crate) mod account;
pub(crate) mod binaries;
mod certificate;
mod cluster;
mod leftover;

pub(crate) use cluster::Cluster;
