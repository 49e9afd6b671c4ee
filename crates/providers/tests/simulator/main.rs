//! The clients against banks that misbehave, over real HTTP.
//!
//! Tests that are named after an issue of another program (`sure_2440_…`) guard against a defect
//! that was reported there; none of its code is here. Time doesn't pass: the environment notes the
//! pauses that the client asks for.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

mod failures;
mod hosts;
mod interface;
mod logs;
mod lunchflow;
mod simplefin;
mod support;
