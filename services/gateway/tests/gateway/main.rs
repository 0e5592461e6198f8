//! The gateway over HTTP, with a real Redis; metering and the fleet are played by the tests.

mod calls;
mod faults;
mod flights;
mod keys;
mod limits;
mod support;
mod wire;
