//! Pods roll when a Secret that they mount has changed: helm looks the Secrets up in a cluster, here a server that answers
//! the questions of a dry run.

use crate::chart::{objects, of_kind, parse};
use crate::{pass, root};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

/// Returns an API server's answer; `version` is that of each Secret.
fn answer(path: &str, version: &str) -> Option<Value> {
    let resources = |group: &str, name: &str, kind: &str| {
        let resource =
            json!({ "name": name, "singularName": "", "namespaced": true, "kind": kind, "verbs": ["get", "list"] });
        json!({ "kind": "APIResourceList", "groupVersion": group, "resources": [resource] })
    };
    let apps = json!({ "groupVersion": "apps/v1", "version": "v1" });
    Some(match path {
        "/version" => json!({ "major": "1", "minor": "33", "gitVersion": "v1.33.0" }),
        "/api" => json!({ "kind": "APIVersions", "versions": ["v1"] }),
        "/apis" => json!({
            "kind": "APIGroupList", "apiVersion": "v1",
            "groups": [{ "name": "apps", "versions": [apps.clone()], "preferredVersion": apps }],
        }),
        "/api/v1" => resources("v1", "secrets", "Secret"),
        "/apis/apps/v1" => resources("apps/v1", "deployments", "Deployment"),
        _ => {
            let name = path.strip_prefix("/api/v1/namespaces/limner/secrets/")?;
            let metadata = json!({ "name": name, "namespace": "limner", "resourceVersion": version });
            json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata })
        }
    })
}

fn serve(peer: TcpStream, version: &str) {
    let mut head = String::new();
    let mut lines = BufReader::new(&peer);
    while lines.read_line(&mut head).is_ok_and(|read| read > 2) {}
    let path = head.split([' ', '?']).nth(1).unwrap_or_default();
    let (status, body) = match answer(path, version) {
        Some(body) => ("200 OK", body.to_string()),
        None => ("404 Not Found", String::new()),
    };
    let _ = write!(
        &peer,
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
}

/// Returns the annotation of each Deployment's pods, as a cluster with Secrets of that version has them.
fn annotations(version: &'static str) -> BTreeMap<String, String> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for peer in listener.incoming() {
            let peer = peer.unwrap();
            std::thread::spawn(move || serve(peer, version));
        }
    });
    // The cluster knows no other kinds.
    let chart = tempfile::tempdir().unwrap();
    let copied = chart.path().join("limner");
    copy(&root().join("helm/limner"), &copied);
    let values = root().join("helm/limner/values/production.yaml");
    let rendered = pass(
        "helm",
        &[
            "template",
            "limner",
            copied.to_str().unwrap(),
            "-n",
            "limner",
            "-f",
            values.to_str().unwrap(),
            "--dry-run=server",
            "--disable-openapi-validation",
            "--kube-apiserver",
            &server,
        ],
    );
    of_kind(&parse(&rendered), "Deployment").iter().map(annotation).collect()
}

/// Returns the name of a Deployment and the annotation of its pods.
fn annotation(deployment: &Value) -> (String, String) {
    let annotations = &deployment["spec"]["template"]["metadata"]["annotations"];
    let versions = annotations["limner/secret-versions"].as_str().unwrap_or_default();
    (deployment["metadata"]["name"].as_str().unwrap().to_owned(), versions.to_owned())
}

/// Copies the chart without templates of other kinds than Deployments.
fn copy(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &copied);
        } else if !from.ends_with("templates")
            || ["_helpers.tpl", "deployments.yaml"].map(Into::into).contains(&entry.file_name())
        {
            std::fs::copy(&path, copied).unwrap();
        }
    }
}

#[test]
fn changed_secrets_roll_the_pods_that_mount_them() {
    let (before, after) = (annotations("11"), annotations("12"));
    assert_eq!(before["limner-console"], "limner-mail@11,limner-servers@11");
    assert_eq!(before["limner-egress"], "limner-servers@11");
    assert_eq!(before["limner-extractor"], "", "it mounts none");
    for (name, versions) in &before {
        assert_eq!(after[name], versions.replace("@11", "@12"), "{name}");
    }
    // Without a cluster nothing can be looked up, and renders stay the same.
    let offline: BTreeMap<String, String> =
        of_kind(&objects("production"), "Deployment").iter().map(annotation).collect();
    assert!(offline.keys().eq(before.keys()) && offline.values().all(String::is_empty), "{offline:?}");
}
