//! The images and the Compose file.

use crate::{pass, read};

#[test]
fn the_dockerfile_passes_hadolint() {
    pass("hadolint", &["--failure-threshold", "info", "deploy/docker/Dockerfile"]);
}

#[test]
fn the_compose_file_has_composes_shape() {
    pass("check-jsonschema", &["--builtin-schema", "vendor.compose-spec", "deploy/compose.yaml"]);
}

#[test]
fn images_run_as_an_unprivileged_user() {
    let dockerfile = read("deploy/docker/Dockerfile");
    for stage in ["AS limner\n", "AS limner-renderer\n"] {
        let (_, stage_text) = dockerfile.split_once(stage).unwrap();
        let stage_text = stage_text.split("\nFROM ").next().unwrap();
        let user = stage_text.lines().rfind(|line| line.starts_with("USER ")).unwrap();
        assert_eq!(user, "USER 10001:10001", "{stage}");
    }
}

#[test]
fn the_seccomp_profile_is_a_list_of_what_is_allowed() {
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
