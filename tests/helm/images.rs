//! The images and the Compose file.

use crate::chart::parse;
use crate::{pass, read, root};
use serde_json::json;
use std::path::{Component, Path, PathBuf};

#[test]
fn dockerfile_passes_hadolint() {
    pass("hadolint", &["--failure-threshold", "info", "deploy/docker/Dockerfile"]);
}

#[test]
fn compose_file_has_composes_shape() {
    pass("check-jsonschema", &["--builtin-schema", "vendor.compose-spec", "deploy/compose.yaml"]);
}

#[test]
fn compose_limits_each_roles_memory_as_the_chart_does() {
    let [compose, chart] = ["deploy/compose.yaml", "helm/limner/values.yaml"].map(|file| parse(&read(file)).remove(0));
    for (role, values) in chart["roles"].as_object().unwrap() {
        let limit = values["resources"]["limits"]["memory"].as_str().unwrap();
        let expected = limit.to_ascii_lowercase().replace('i', "");
        assert_eq!(compose["services"][role]["mem_limit"], json!(expected), "{role}");
    }
}

/// In the stage of the compiler, `RUST_VERSION` is the base image's: the version whose compiler it has.
#[test]
fn images_are_built_with_the_compiler_of_their_base() {
    let dockerfile = read("deploy/docker/Dockerfile");
    let version = dockerfile.lines().find_map(|line| line.strip_prefix("ARG RUST_VERSION=")).unwrap();
    assert!(read("rust-toolchain.toml").contains(&format!("channel = \"{version}.")), "{version}");
    let (_, stage) = dockerfile.split_once(" AS chef\n").unwrap();
    let (before, _) = stage.split_once("cargo install").unwrap();
    assert!(before.contains("\nENV RUSTUP_TOOLCHAIN=$RUST_VERSION\n"), "rustup would download rustfmt and clippy");
}

#[test]
fn images_run_as_an_unprivileged_user() {
    let dockerfile = read("deploy/docker/Dockerfile");
    // A volume gets its owner from the image's folder.
    assert!(dockerfile.contains("install -d -o limner -g limner /var/lib/limner /var/lib/limner/objects"));
    for stage in ["AS limner\n", "AS limner-renderer\n", "AS limner-all\n"] {
        let (_, stage_text) = dockerfile.split_once(stage).unwrap();
        let stage_text = stage_text.split("\nFROM ").next().unwrap();
        let user = stage_text.lines().rfind(|line| line.starts_with("USER ")).unwrap();
        assert_eq!(user, "USER 10001:10001", "{stage}");
    }
}

/// The tests of the packages run the script itself.
#[test]
fn packages_and_images_have_the_stripped_binary() {
    for file in ["deploy/docker/Dockerfile", "deploy/images/build.sh", "deploy/packages/build.sh"] {
        assert!(read(file).contains("deploy/packages/strip.sh "), "{file}");
    }
    assert!(read("deploy/docker/Dockerfile.dockerignore").lines().any(|line| line == "!deploy/packages/strip.sh"));
}

#[test]
fn seccomp_profile_is_a_list_of_what_is_allowed() {
    let profile: serde_json::Value = serde_json::from_str(&read("deploy/seccomp/chromium.json")).unwrap();
    assert_eq!(profile["defaultAction"], "SCMP_ACT_ERRNO");
    let allowed: Vec<&str> = profile["syscalls"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|rule| rule["action"] == "SCMP_ACT_ALLOW" && rule.get("args").is_none())
        .flat_map(|rule| rule["names"].as_array().unwrap())
        .map(|name| name.as_str().unwrap())
        .collect();
    for needed in ["clone", "clone3", "unshare", "chroot", "execve", "mmap", "futex"] {
        assert!(allowed.contains(&needed), "{needed} is not allowed");
    }
    for refused in ["mount", "pivot_root", "bpf", "keyctl", "init_module", "kexec_load", "reboot", "perf_event_open"] {
        assert!(!allowed.contains(&refused), "{refused} is allowed");
    }
}

/// Compiling in the image reads only what the ignore file leaves in the build's context.
#[test]
fn every_included_file_is_in_the_context_of_the_images() {
    let ignored = read("deploy/docker/Dockerfile.dockerignore");
    let kept: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let mut sources = Vec::new();
    for folder in ["services", "shared"] {
        collect_sources(&root().join(folder), &mut sources);
    }
    let mut count = 0;
    for source in sources {
        let text = std::fs::read_to_string(&source).unwrap();
        for included in included_paths(&text) {
            count += 1;
            let path = normalized(&source.parent().unwrap().join(included));
            let path = path.strip_prefix(root()).unwrap();
            let first = path.components().next().unwrap().as_os_str().to_str().unwrap();
            assert!(root().join(path).exists(), "{} includes {included}", source.display());
            assert!(
                kept.contains(&first),
                "{} includes {}, which the image's build does not see",
                source.display(),
                path.display()
            );
        }
    }
    assert!(count > 30, "{count} files are included");
    for needed in [".cargo", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml"] {
        assert!(kept.contains(&needed), "{needed}");
    }
    // Dependencies are linked with the same flags as the rest, or they are compiled twice.
    let dockerfile = read("deploy/docker/Dockerfile");
    let (before_dependencies, _) = dockerfile.split_once("cargo chef cook").unwrap();
    assert!(before_dependencies.contains("\nCOPY .cargo .cargo\n"));
}

/// Returns the paths of `include_str!` and `include_bytes!`; of a `concat!` the folder before its variable part.
fn included_paths(source: &str) -> impl Iterator<Item = &str> {
    ["include_str!(", "include_bytes!("].into_iter().flat_map(|call| source.split(call).skip(1)).filter_map(|rest| {
        let literal = rest.trim_start().trim_start_matches("concat!(").trim_start();
        let path = literal.strip_prefix('"')?.split('"').next()?;
        Some(if rest.trim_start().starts_with("concat!(") { path.rsplit_once('/')?.0 } else { path })
    })
}

fn collect_sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !["tests", "benches", "node_modules", "target"].contains(&name) {
            collect_sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// Resolves `..` without looking at the disk.
fn normalized(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, component| {
        match component {
            Component::ParentDir => drop(path.pop()),
            other => path.push(other),
        }
        path
    })
}
