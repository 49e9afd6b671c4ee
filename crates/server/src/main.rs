//! purser
fn main() {}
