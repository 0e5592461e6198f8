//! The dependency rules of the workspace, checked with `cargo metadata`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod advisories;
mod circles;
mod commit_subjects;
mod links;
mod log_messages;
mod names;
mod security;
mod sources;
mod typed_values;

use crate::sources::{read_sources, root};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, PackageId};
use std::collections::{BTreeMap, BTreeSet};

/// The pure core: no I/O, no async, no clock.
const CORE: &[&str] = &[
    "limner-types",
    "limner-page",
    "limner-public-suffix",
    "limner-css-values",
    "limner-style",
    "limner-page-view",
    "limner-assets",
    "limner-tokens",
    "limner-brand",
    "limner-sections",
    "limner-component-model",
    "limner-component-emit",
    "limner-component",
    "limner-subresources",
    "limner-extract",
];
/// Crates that would bring I/O or an async runtime into the core.
const IMPURE: &[&str] = &["tokio", "reqwest", "hyper", "tonic", "async-nats", "fred", "tokio-postgres", "axum"];
/// Engines that may crash on a page: the core knows them only as a trait.
const FRAIL: &[&str] = &["limner-layout", "blitz-dom", "stylo", "taffy", "parley"];
/// Pairs of crates of which the first must not depend on the second: each is compiled without the other.
const INDEPENDENT: &[(&str, &str)] = &[
    ("limner-component", "limner-component-emit"),
    ("limner-fetcher", "limner-component-emit"),
    ("limner-renderer", "limner-component-emit"),
    ("limner-component-emit", "limner-component"),
    ("limner-component-emit", "limner-page-view"),
    ("limner-component-emit", "limner-style"),
    ("limner-component", "limner-brand"),
    ("limner-brand", "limner-component-model"),
    ("limner-tokens", "limner-assets"),
    ("limner-assets", "limner-tokens"),
];
/// Crates for tests, which no crate but that of the tests is built with.
const FOR_TESTS: &[&str] = &["limner-test-pages", "limner-testkit"];
/// Libraries that exactly one crate of the workspace may use.
const SINGLE_USER: &[(&str, &str)] = &[
    ("async-nats", "limner-bus"),
    ("tokio-postgres", "limner-store"),
    ("fred", "limner-cache"),
    ("hyper-rustls", "limner-netguard"),
    ("hickory-resolver", "limner-netguard"),
    ("chromiumoxide_cdp", "limner-renderer"),
    ("chromiumoxide_types", "limner-renderer"),
    ("blitz-dom", "limner-layout"),
    // Its list is generic code, compiled anew in each crate that calls it.
    ("psl", "limner-public-suffix"),
];

struct Workspace {
    metadata: Metadata,
    /// Normal (not dev, not build) dependencies of every resolved package.
    normal: BTreeMap<PackageId, Vec<PackageId>>,
}

impl Workspace {
    fn load() -> Self {
        // Without the filter, cargo needs the packages of all other platforms, which are missing offline.
        let options = ["--offline", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"];
        let options = options.map(str::to_owned).to_vec();
        let metadata = MetadataCommand::new().other_options(options).exec().unwrap();
        let resolve = metadata.resolve.as_ref().unwrap();
        let normal = resolve.nodes.iter().map(|node| {
            let is_normal =
                |dep: &&cargo_metadata::NodeDep| dep.dep_kinds.iter().any(|kind| kind.kind == DependencyKind::Normal);
            (node.id.clone(), node.deps.iter().filter(is_normal).map(|dep| dep.pkg.clone()).collect())
        });
        let normal = normal.collect();
        Self { metadata, normal }
    }

    fn name(&self, id: &PackageId) -> &str {
        &self.metadata[id].name
    }

    /// Returns (name, directory below the root) of every package of the workspace.
    fn members(&self) -> Vec<(&PackageId, &str, String)> {
        let member = |id| {
            let package = &self.metadata[id];
            let folder = package.manifest_path.parent().unwrap().strip_prefix(&self.metadata.workspace_root).unwrap();
            (id, package.name.as_str(), folder.as_str().to_owned())
        };
        self.metadata.workspace_members.iter().map(member).collect()
    }

    fn reachable_crates(&self, from: &PackageId) -> BTreeSet<&str> {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(id) = work.pop() {
            for dependency in &self.normal[id] {
                if seen.insert(dependency) {
                    work.push(dependency);
                }
            }
        }
        seen.into_iter().map(|id| self.name(id)).collect()
    }

    fn direct(&self, id: &PackageId) -> Vec<&str> {
        self.normal[id].iter().map(|dependency| self.name(dependency)).collect()
    }
}

/// A statement of a connection of its own has no limit on this side: a server that acknowledges and never answers would
/// hold it for ever.
#[test]
fn services_run_statements_through_the_store() {
    for (path, text) in read_sources(&root().join("services")) {
        let is_test = path.components().any(|part| ["tests", "benches"].contains(&part.as_os_str().to_str().unwrap()));
        assert!(is_test || !text.contains(".client().await"), "{}: use Store::query", path.display());
    }
}

#[test]
fn core_is_pure() {
    let workspace = Workspace::load();
    let core: Vec<_> = workspace.members().into_iter().filter(|(_, name, _)| CORE.contains(name)).collect();
    assert_eq!(core.len(), CORE.len(), "a crate of the core has moved or was renamed");
    for (id, name, _) in core {
        let reached = workspace.reachable_crates(id);
        let impure: Vec<_> = IMPURE.iter().filter(|crate_name| reached.contains(**crate_name)).collect();
        assert!(impure.is_empty(), "{name} reaches {impure:?}");
        let frail: Vec<_> = FRAIL.iter().filter(|crate_name| reached.contains(**crate_name)).collect();
        assert!(frail.is_empty(), "{name} reaches {frail:?}");
    }
}

#[test]
fn core_is_compiled_in_independent_parts() {
    let workspace = Workspace::load();
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        workspace.members().into_iter().map(|(id, name, _)| (name, workspace.reachable_crates(id))).collect();
    for (one, other) in INDEPENDENT {
        assert!(reached.contains_key(other), "{other} was renamed");
        assert!(!reached[one].contains(other), "{one} reaches {other}");
    }
    for (name, reached) in reached.iter().filter(|(name, _)| **name != "limner-tests") {
        let for_tests: Vec<_> = FOR_TESTS.iter().filter(|crate_name| reached.contains(**crate_name)).collect();
        assert!(for_tests.is_empty(), "{name} is built with {for_tests:?}");
    }
}

#[test]
fn services_do_not_see_each_other() {
    let workspace = Workspace::load();
    let services: BTreeSet<&str> = workspace
        .members()
        .iter()
        .filter(|(_, _, folder)| folder.starts_with("services/"))
        .map(|(_, name, _)| *name)
        .collect();
    assert!(services.contains("limner-gateway"));
    for (id, name, folder) in workspace.members() {
        if name == "limner" || folder == "tests" {
            continue;
        }
        let seen: Vec<_> =
            workspace.direct(id).into_iter().filter(|dependency| services.contains(dependency)).collect();
        assert!(seen.is_empty(), "{name} ({folder}) sees the services {seen:?}");
    }
}

#[test]
fn each_external_system_has_one_client_crate() {
    let workspace = Workspace::load();
    for (library, owner) in SINGLE_USER {
        for (id, name, _) in workspace.members() {
            let uses = workspace.direct(id).contains(library);
            assert!(!uses || name == *owner, "{name} uses {library}; only {owner} may");
        }
    }
}

#[test]
fn ring_is_the_only_tls_provider() {
    let workspace = Workspace::load();
    let names: BTreeSet<&str> = workspace.metadata.packages.iter().map(|package| package.name.as_str()).collect();
    for other in ["aws-lc-rs", "aws-lc-sys", "openssl", "openssl-sys", "native-tls"] {
        assert!(!names.contains(other), "{other} is in the graph; ring is the one provider");
    }
}

/// Returns the packages that a selection builds, each with its version and features.
fn built_packages(selection: &[&str]) -> BTreeSet<String> {
    let options = ["tree", "--offline", "--locked", "--prefix", "none", "--format", "{p} {f}"];
    let output = std::process::Command::new(env!("CARGO")).args(options).args(selection).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    // A package that was printed before is marked.
    lines.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect()
}

#[test]
fn product_and_tests_share_one_build() {
    let product = built_packages(&["--package", "limner", "--edges", "normal,build"]);
    let tests = built_packages(&["--workspace", "--edges", "normal,build,dev"]);
    let only_product: Vec<&String> = product.difference(&tests).collect();
    assert!(
        only_product.is_empty(),
        "tests need other features of these, services/limner/Cargo.toml adds them: {only_product:?}"
    );
    assert!(product.iter().any(|package| package.starts_with("serde_json v")), "packages are listed");
}
