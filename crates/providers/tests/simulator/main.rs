//! The clients against banks that misbehave, over real HTTP.
//!
//! Comments in the past tense name a defect that clients of such providers have had. Time doesn't
//! pass: the environment notes the pauses that the client asks for.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

mod failures;
mod hosts;
mod interface;
mod logs;
mod lunchflow;
mod simplefin;
mod support;
