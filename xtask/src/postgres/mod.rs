//! A throwaway PostgreSQL server: started for one run, gone afterwards, whatever happens.
//!
//! * [`binaries`]: where the server's programs are, and how to get them.
//! * [`account`]: the system user that runs it, since PostgreSQL refuses root.
//! * [`cluster`]: the server itself.
//! * [`leftover`]: what a run that was killed together with its watcher left behind.

pub(crate) mod account;
pub(crate) mod binaries;
mod cluster;
mod leftover;

pub(crate) use cluster::Cluster;
