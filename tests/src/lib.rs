//! Shared by the system tests: a fleet of the real binary, and a client with access to complete responses.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod balancer;
mod client;
mod cluster;
mod fleet;
mod process;
mod process_tree;
mod replicas;
mod response;
mod tools;

pub use crate::response::Answer;
pub use client::{Account, Client};
pub use cluster::{Cluster, ServerProxies, ServerUrls, Servers};
pub use fleet::{Fleet, FleetOptions};
pub use process::{RunningProcess, limner_binary};
pub use process_tree::{ProcessInfo, ProcessorMeter, process_tree};
pub use replicas::{ROLES, Replicas};
pub use tools::{browser_user, has_node};
