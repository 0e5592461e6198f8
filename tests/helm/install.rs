//! The commands of the page for operators, held against what the chart renders: a Secret or value that the page forgets
//! would be found by operators only.

use crate::chart::{SETS, objects, objects_from};
use crate::{read, root};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = "docs/operations/install.md";

/// Returns the commands and files of the section on Kubernetes, with continued lines joined.
fn blocks() -> Vec<String> {
    let page = read(PAGE);
    let (_, section) = page.split_once("## On Kubernetes\n").unwrap();
    let (section, _) = section.split_once("### Sets of values").unwrap();
    let mut lines: Vec<String> = Vec::new();
    for line in section.lines() {
        let Some(code) = line.strip_prefix("       ") else { continue };
        match lines.last_mut() {
            Some(last) if last.ends_with('\\') => {
                last.pop();
                last.push_str(code.trim_start());
            }
            _ => lines.push(code.to_owned()),
        }
    }
    assert!(lines.len() > 20, "{lines:#?}");
    lines
}

/// Splits a command into words, as far as the page's quoting goes.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut quote) = (vec![String::new()], None);
    for c in command.chars() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (' ', None) => words.push(String::new()),
            _ => words.last_mut().unwrap().push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn after<'a>(words: &'a [String], flag: &str) -> Vec<&'a str> {
    words.windows(2).filter(|pair| pair[0] == flag).map(|pair| pair[1].as_str()).collect()
}

/// Returns the keys of each Secret that the page creates.
fn created_secrets() -> BTreeMap<String, BTreeSet<String>> {
    let mut created = BTreeMap::new();
    for command in blocks() {
        let words = words(&command);
        let Some(at) = words.windows(2).position(|pair| pair[0] == "create" && pair[1] == "secret") else { continue };
        assert_eq!(after(&words, "-n"), ["limner"], "{command}");
        let keys = match words[at + 2].as_str() {
            "tls" => BTreeSet::from(["tls.crt".to_owned(), "tls.key".to_owned()]),
            "docker-registry" => BTreeSet::from([".dockerconfigjson".to_owned()]),
            "generic" => words
                .iter()
                .filter_map(|word| word.strip_prefix("--from-literal=")?.split('=').next())
                .map(str::to_owned)
                .collect(),
            other => panic!("{other}"),
        };
        created.insert(words[at + 3].clone(), keys);
    }
    created
}

/// Collects Secrets with the key that is used (or an empty one for all), below an object.
fn used_secrets(value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            let name = fields.get("secretName").or_else(|| fields.get("name")).and_then(Value::as_str);
            let items = fields.get("items").and_then(Value::as_array);
            if let (Some(name), Some(items)) = (name, items) {
                let keys = items.iter().filter_map(|item| item["key"].as_str());
                found.extend(keys.map(|key| (name.to_owned(), key.to_owned())));
            }
            for (field, inner) in fields {
                match (field.as_str(), inner) {
                    ("secretRef", inner) => found.push((inner["name"].as_str().unwrap().to_owned(), String::new())),
                    ("imagePullSecrets", Value::Array(all)) => {
                        found.extend(all.iter().map(|one| (one["name"].as_str().unwrap().to_owned(), String::new())));
                    }
                    ("tls", Value::Array(all)) => {
                        found.extend(
                            all.iter().map(|one| (one["secretName"].as_str().unwrap().to_owned(), String::new())),
                        );
                    }
                    ("configMap", _) => {}
                    _ => used_secrets(inner, found),
                }
            }
        }
        Value::Array(all) => all.iter().for_each(|one| used_secrets(one, found)),
        _ => {}
    }
}

#[test]
fn every_secret_of_every_set_is_created_on_the_page() {
    let created = created_secrets();
    let mut seen = BTreeSet::new();
    for set in SETS {
        let mut used = Vec::new();
        objects(set).iter().for_each(|object| used_secrets(object, &mut used));
        assert!(!used.is_empty(), "{set}");
        for (name, key) in used {
            let keys = created
                .get(&name)
                .unwrap_or_else(|| panic!("{set} uses the Secret {name}, which the page does not create"));
            assert!(key.is_empty() || keys.contains(&key), "{set}: {name} has no {key}");
            seen.insert(name);
        }
    }
    let created: BTreeSet<String> = created.into_keys().collect();
    assert_eq!(seen, created, "Secrets that no set uses");
}

#[test]
fn every_claim_of_every_set_is_created_on_the_page() {
    let page = blocks().join("\n");
    let mut claims = 0;
    for set in SETS {
        let text = objects(set).iter().map(Value::to_string).collect::<String>();
        for (at, _) in text.match_indices("\"claimName\":\"") {
            claims += 1;
            let name = text[at + 13..].split('"').next().unwrap();
            assert!(page.contains(&format!("metadata: {{ name: {name} }}")), "{set} uses the claim {name}");
        }
    }
    assert!(claims > 0, "no set of values uses a claim");
}

/// Runs the page's `helm install` against helm, with the page's file of values.
#[test]
fn installation_of_the_page_renders_what_the_page_speaks_of() {
    let (blocks, folder) = (blocks(), tempfile::tempdir().unwrap());
    let is_command = |line: &&String| {
        ["docker", "kubectl", "helm", "curl", "cat", "{", "spec", "EOF"]
            .iter()
            .any(|word| line.trim_start().starts_with(word))
    };
    let values: Vec<&str> = blocks.iter().filter(|line| !is_command(line)).map(String::as_str).collect();
    let file = folder.path().join("my-values.yaml");
    std::fs::write(&file, values.join("\n")).unwrap();
    let install = blocks.iter().find(|line| line.starts_with("helm install ")).unwrap();
    let words = words(install);
    assert_eq!(words[2..4], ["limner", "helm/limner"]);
    let mut args = vec!["-n".to_owned(), after(&words, "-n")[0].to_owned()];
    for values in after(&words, "-f") {
        let path = if values == "my-values.yaml" { file.to_str().unwrap() } else { values };
        args.extend(["-f".to_owned(), path.to_owned()]);
    }
    let rendered = objects_from(&args);
    let named = |kind: &str, name: &str| {
        rendered.iter().any(|object| object["kind"] == kind && object["metadata"]["name"] == name)
    };
    for command in &blocks {
        for (at, _) in command.match_indices("deploy/limner-") {
            let name = command[at + 7..].split_whitespace().next().unwrap();
            assert!(named("Deployment", name), "{command}: there is no {name}");
        }
        if let Some(tag) = command.strip_prefix("docker push ") {
            let (repository, version) = tag.rsplit_once(':').unwrap();
            let image = format!("\"image\":\"{repository}:{version}\"");
            assert!(rendered.iter().any(|object| object.to_string().contains(&image)), "no pod runs {tag}");
        }
        if command.starts_with("docker build ") {
            let words = self::words(command);
            let stage = format!(" AS {}\n", after(&words, "--target")[0]);
            assert!(read(after(&words, "-f")[0]).contains(&stage), "{command}");
            assert!(blocks.contains(&format!("docker push {}", after(&words, "-t")[0])), "{command}: nobody pushes it");
        }
    }
    assert!(named("Pod", "limner-test"), "helm test has something to run");
    assert!(named("DaemonSet", "limner-seccomp"), "the values of the page install the profile");
    assert!(root().join("deploy/seccomp/chromium.json").exists());
}
