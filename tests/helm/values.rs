//! Effects of the values of the chart, on what helm renders.

use crate::chart::{objects, objects_with, of_kind};
use crate::{read, root};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

const ROLES: [&str; 8] = ["gateway", "fetcher", "extractor", "metering", "console", "mcp", "egress", "renderer"];

/// Returns the pods' specifications by role, the migration's included.
fn pods(objects: &[Value]) -> BTreeMap<String, Value> {
    let workloads = of_kind(objects, "Deployment").into_iter().chain(of_kind(objects, "Job"));
    let component =
        |object: &Value| object["metadata"]["labels"]["app.kubernetes.io/component"].as_str().map(str::to_owned);
    workloads.filter_map(|object| Some((component(&object)?, object["spec"]["template"]["spec"].clone()))).collect()
}

fn variable<'a>(pod: &'a Value, name: &str) -> Option<&'a Value> {
    pod["containers"][0]["env"].as_array().unwrap().iter().find(|variable| variable["name"] == name)
}

fn text<'a>(pod: &'a Value, name: &str) -> &'a str {
    variable(pod, name).and_then(|variable| variable["value"].as_str()).unwrap_or_default()
}

/// Finds an element of a list by its name.
fn named<'a>(list: &'a Value, name: &str) -> Option<&'a Value> {
    list.as_array().into_iter().flatten().find(|element| element["name"] == name)
}

const EXTRAS: &str = "
    extraEnv: [{ name: OF_ROLE, value: \"yes\" }]
    extraEnvFrom: [{ secretRef: { name: of-role } }]
    extraVolumes: [{ name: of-role, emptyDir: {} }]
    extraVolumeMounts: [{ name: of-role, mountPath: /of-role }]
    nodeSelector: { pool: of-role }
    tolerations: [{ key: of-role, operator: Exists }]
    affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } }
    topologySpreadConstraints: [{ maxSkew: 2, topologyKey: rack, whenUnsatisfiable: ScheduleAnyway }]
    priorityClassName: of-role
    runtimeClassName: of-role
    hostUsers: false
    terminationGracePeriodSeconds: 90
    podLabels: { of-role: label }
    podAnnotations: { of-role: annotation }
    serviceAccount: { annotations: { of-role: account } }
";

#[test]
fn every_role_takes_extras_of_its_own() {
    let roles: String = ROLES.iter().map(|role| format!("  {role}: {EXTRAS}")).collect();
    let everything = objects_with("production", &format!("nodeSelector: {{ pool: of-all }}\nroles:\n{roles}"));
    let (pods, accounts) = (pods(&everything), of_kind(&everything, "ServiceAccount"));
    for role in ROLES {
        let pod = &pods[role];
        assert_eq!(text(pod, "OF_ROLE"), "yes", "{role}");
        let from = pod["containers"][0]["envFrom"].as_array().unwrap();
        assert!(from.contains(&json!({ "secretRef": { "name": "of-role" } })), "{role}");
        assert!(named(&pod["volumes"], "of-role").is_some(), "{role}");
        assert!(named(&pod["containers"][0]["volumeMounts"], "of-role").is_some(), "{role}");
        assert_eq!(pod["nodeSelector"], json!({ "pool": "of-role" }), "{role}");
        assert_eq!(pod["tolerations"][0]["key"], "of-role", "{role}");
        assert!(pod["affinity"]["nodeAffinity"].is_object(), "{role}");
        assert_eq!(pod["topologySpreadConstraints"][0]["topologyKey"], "rack", "{role}");
        assert_eq!(pod["priorityClassName"], "of-role", "{role}");
        assert_eq!(pod["runtimeClassName"], "of-role", "{role}");
        assert_eq!(pod["hostUsers"], false, "{role}");
        assert_eq!(pod["terminationGracePeriodSeconds"], 90, "{role}");
        let account = pod["serviceAccountName"].as_str().unwrap();
        let account = accounts.iter().find(|made| made["metadata"]["name"] == account).unwrap();
        assert_eq!(account["metadata"]["annotations"]["of-role"], "account", "{role}");
    }
    assert_eq!(pods["migrate"]["nodeSelector"], json!({ "pool": "of-all" }));
    for deployment in of_kind(&everything, "Deployment") {
        let metadata = &deployment["spec"]["template"]["metadata"];
        assert_eq!(
            (&metadata["labels"]["of-role"], &metadata["annotations"]["of-role"]),
            (&json!("label"), &json!("annotation"))
        );
    }
}

#[test]
fn settings_given_to_a_role_reach_no_other() {
    let one = objects_with("small", &format!("roles:\n  renderer: {EXTRAS}"));
    let usual = objects("small");
    let (one, usual) = (pods(&one), pods(&usual));
    for role in ROLES {
        assert_eq!(one[role] == usual[role], role != "renderer", "{role}");
    }
}

/// Server-side apply refuses a variable that is listed twice.
#[test]
fn every_variable_is_listed_once_and_the_nearest_wins() {
    let more = "
settings: { LIMNER__RENDERER__CONCURRENCY: \"7\", LIMNER__LOG__FORMAT: pretty }
extraEnv: [{ name: LIMNER__LOG__FORMAT, value: json }, { name: TOKIO_WORKER_THREADS, value: \"3\" }]
roles: { fetcher: { extraEnv: [{ name: TOKIO_WORKER_THREADS, value: \"9\" }] } }
";
    let pods = pods(&objects_with("production", more));
    for (role, pod) in &pods {
        let names: Vec<&Value> =
            pod["containers"][0]["env"].as_array().unwrap().iter().map(|variable| &variable["name"]).collect();
        let distinct: BTreeSet<String> = names.iter().map(ToString::to_string).collect();
        assert_eq!(names.len(), distinct.len(), "{role}: {names:?}");
        assert_eq!(text(pod, "LIMNER__LOG__FORMAT"), "json", "{role}");
    }
    assert_eq!(text(&pods["renderer"], "LIMNER__RENDERER__CONCURRENCY"), "7", "a setting wins over the chart's");
    assert_eq!(text(&pods["gateway"], "TOKIO_WORKER_THREADS"), "3");
    assert_eq!(text(&pods["fetcher"], "TOKIO_WORKER_THREADS"), "9", "a role's wins over all roles'");
}

/// A process counts the processors of its node.
#[test]
fn threads_and_slots_follow_the_resources() {
    for (resources, slots, threads) in [
        ("requests: { cpu: 250m }", "1", "2"),
        ("requests: { cpu: \"1\" }", "1", "2"),
        ("requests: { cpu: 1500m }", "2", "2"),
        ("requests: { cpu: 250m }, limits: { cpu: 4 }", "4", "4"),
        ("requests: { cpu: \"2.5\" }", "3", "3"),
    ] {
        let more = format!("roles: {{ extractor: {{ resources: {{ {resources} }} }} }}");
        let pods = pods(&objects_with("small", &more));
        let extractor = &pods["extractor"];
        assert_eq!(text(extractor, "LIMNER__EXTRACTOR__CONCURRENCY"), slots, "{resources}");
        assert_eq!(text(extractor, "TOKIO_WORKER_THREADS"), threads, "{resources}");
    }
    for (role, pod) in pods(&objects("production")) {
        assert_eq!(text(&pod, "TOKIO_WORKER_THREADS").is_empty(), role == "migrate", "{role}");
    }
}

/// Names are resolved by an address of the node (NodeLocal DNSCache), by a server of the cloud, or on 5353 (OpenShift).
#[test]
fn names_can_be_resolved_wherever_the_cluster_does_it() {
    let rules = |objects: &[Value]| -> Vec<Value> {
        let policies = of_kind(objects, "NetworkPolicy");
        assert_eq!(policies.len(), ROLES.len() + 1);
        policies.iter().map(|policy| policy["spec"]["egress"][0].clone()).collect()
    };
    for rule in rules(&objects("production")) {
        let ports: Vec<(&Value, &Value)> =
            rule["ports"].as_array().unwrap().iter().map(|port| (&port["port"], &port["protocol"])).collect();
        let (udp, tcp) = (&json!("UDP"), &json!("TCP"));
        assert_eq!(ports, [(&json!(53), udp), (&json!(53), tcp), (&json!(5353), udp), (&json!(5353), tcp)]);
        assert!(rule["to"].is_null(), "only {}", rule["to"]);
    }
    let narrow = "networkPolicy: { dns: { ports: [53], to: [{ ipBlock: { cidr: 169.254.20.10/32 } }] } }";
    for rule in rules(&objects_with("production", narrow)) {
        assert_eq!(rule["ports"].as_array().unwrap().len(), 2);
        assert_eq!(rule["to"], json!([{ "ipBlock": { "cidr": "169.254.20.10/32" } }]));
    }
}

#[test]
fn tenth_of_a_role_may_be_drained_at_once() {
    let production = objects("production");
    let budgets = of_kind(&production, "PodDisruptionBudget");
    assert!(budgets.len() > 5, "{budgets:?}");
    for budget in budgets {
        let of_metering = budget["metadata"]["name"] == "limner-metering";
        let most = if of_metering { json!(1) } else { json!("10%") };
        assert_eq!(budget["spec"]["maxUnavailable"], most, "{}", budget["metadata"]["name"]);
        assert_eq!(budget["spec"]["unhealthyPodEvictionPolicy"], "AlwaysAllow");
    }
}

/// Otherwise what a page stores fills the node, whose neighbours are evicted first.
#[test]
fn volumes_that_pods_write_to_their_node_are_limited() {
    for (role, pod) in pods(&objects("production")) {
        for volume in pod["volumes"].as_array().unwrap().iter().filter(|volume| volume["emptyDir"].is_object()) {
            assert!(volume["emptyDir"]["sizeLimit"].is_string(), "{role}: {volume}");
        }
        let resources = &pod["containers"][0]["resources"];
        for kind in ["requests", "limits"] {
            assert!(resources[kind]["ephemeral-storage"].is_string() || role == "migrate", "{role}: {resources}");
        }
    }
    let renderer = &pods(&objects_with("production", "roles: { renderer: { storage: { tmp: 3Gi } } }"))["renderer"];
    assert_eq!(named(&renderer["volumes"], "tmp").unwrap()["emptyDir"]["sizeLimit"], "3Gi");
    assert_eq!(named(&renderer["volumes"], "data").unwrap()["emptyDir"]["sizeLimit"], "2Gi");
}

#[test]
fn digest_wins_over_a_tag() {
    let digest = |character: &str| format!("sha256:{}", character.repeat(64));
    let (fleet, renderer) = (digest("a"), digest("b"));
    let more = format!("image: {{ tag: v1, digest: \"{fleet}\", rendererDigest: \"{renderer}\" }}");
    for (role, pod) in pods(&objects_with("production", &more)) {
        let image = if role == "renderer" { format!("limner-renderer@{renderer}") } else { format!("limner@{fleet}") };
        assert_eq!(pod["containers"][0]["image"], json!(image), "{role}");
    }
}

#[test]
fn console_and_the_mcp_server_have_routes() {
    let routes = of_kind(&objects("air-gapped"), "HTTPRoute");
    let backends: Vec<(&Value, &Value)> = routes
        .iter()
        .map(|route| (&route["spec"]["hostnames"][0], &route["spec"]["rules"][0]["backendRefs"][0]["name"]))
        .collect();
    let expected = [
        (json!("limner.intranet"), json!("limner-gateway")),
        (json!("console.limner.intranet"), json!("limner-console")),
        (json!("mcp.limner.intranet"), json!("limner-mcp")),
    ];
    assert_eq!(backends, expected.each_ref().map(|(host, backend)| (host, backend)));
    for route in &routes {
        assert_eq!(route["spec"]["parentRefs"][0]["name"], "intranet");
    }
}

#[test]
fn dashboards_are_installed_and_can_be_narrowed_to_one_release() {
    let boards: Vec<Value> = of_kind(&objects("production"), "ConfigMap");
    assert_eq!(boards.len(), 4, "one for each file");
    for map in boards {
        assert_eq!(map["metadata"]["labels"]["grafana_dashboard"], "1");
        let data: Vec<&Value> = map["data"].as_object().unwrap().values().collect();
        let board: Value = serde_json::from_str(data[0].as_str().unwrap()).unwrap();
        let variables: Vec<&Value> =
            board["templating"]["list"].as_array().unwrap().iter().map(|variable| &variable["name"]).collect();
        assert_eq!(variables, ["datasource", "namespace", "release"]);
        for panel in board["panels"].as_array().unwrap() {
            assert_eq!(panel["datasource"]["uid"], "${datasource}", "{}", panel["title"]);
            for target in panel["targets"].as_array().unwrap() {
                let query = target["expr"].as_str().unwrap();
                assert!(query.contains("namespace=~\"$namespace\", release=~\"$release\""), "{query}");
            }
        }
    }
    let monitor = of_kind(&objects("production"), "ServiceMonitor");
    assert!(monitor[0].to_string().contains("\"targetLabel\":\"release\""), "who tells releases apart");
}

/// A table of the documentation lists what each role may hold; whoever gets into a pod gets that.
#[test]
fn role_holds_the_documented_secrets_and_no_other() {
    let page = read("docs/operations/install.md");
    let (_, table) = page.split_once("| Role | Secrets |").unwrap();
    let signs = [
        ("Postgres", "postgres-url"),
        ("Redis", "redis-url"),
        ("NATS", "nats-url"),
        ("egress", "egress-secret"),
        ("metering", "metering-token"),
        ("the bucket", "limner-objects"),
        ("mail", "limner-mail"),
        ("Stripe", "limner-stripe"),
    ];
    let more = read("helm/limner/values/stripe.yaml");
    let pods = pods(&objects_with("production", &more));
    assert_eq!(pods.len(), ROLES.len() + 1);
    for (role, pod) in pods {
        let row = table.lines().find(|line| line.starts_with(&format!("| {role} |"))).expect(&role);
        let told: BTreeSet<&str> =
            row.split('|').nth(2).unwrap().split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        let held = pod.to_string();
        let holds: BTreeSet<&str> =
            signs.iter().filter(|(_, sign)| held.contains(sign)).map(|(name, _)| *name).collect();
        assert_eq!(holds, told, "{role}");
        let mounted = named(&pod["volumes"], "servers").is_some();
        assert_eq!(
            mounted,
            told.iter().any(|name| ["Postgres", "Redis", "NATS", "egress", "metering"].contains(name)),
            "{role}"
        );
    }
}

#[test]
fn role_may_have_a_secret_of_its_own() {
    let more = "
roles:
  console: { secrets: { postgres: { name: of-console, key: url } } }
  renderer: { secrets: { nats: { name: of-renderer, key: url }, objects: bucket-of-renderer } }
migration: { secrets: { postgres: { name: of-owner, key: url } } }
";
    let pods = pods(&objects_with("production", more));
    for (role, secret) in [
        ("console", "of-console"),
        ("renderer", "of-renderer"),
        ("migrate", "of-owner"),
        ("renderer", "bucket-of-renderer"),
    ] {
        for (other, pod) in &pods {
            assert_eq!(pod.to_string().contains(&format!("\"{secret}\"")), role == other, "{secret} in {other}");
        }
    }
}

#[test]
fn authorities_and_the_providers_secret_can_be_mounted() {
    let more = "
certificates: { kind: Secret, name: rds-ca, key: bundle.pem }
console: { oidc: { issuer: \"https://id.example.com\", clientId: limner, clientSecret: { name: sign-in, key: secret } } }
";
    for (role, pod) in pods(&objects_with("production", more)) {
        let certificates = named(&pod["volumes"], "certificates").unwrap();
        assert_eq!(certificates["secret"]["items"][0], json!({ "key": "bundle.pem", "path": "ca.crt" }), "{role}");
        let has_secret = named(&pod["volumes"], "sign-in").is_some();
        assert_eq!(has_secret, role == "console", "{role}");
        let path = text(&pod, "LIMNER__CONSOLE__OIDC_CLIENT_SECRET_FILE");
        assert_eq!(path, if role == "console" { "/etc/limner/sign-in/client-secret" } else { "" }, "{role}");
    }
}

#[test]
fn screenshots_in_a_claim_are_shared_by_renderer_and_gateway() {
    let pods = pods(&objects("small"));
    for (role, pod) in &pods {
        let claim = named(&pod["volumes"], "objects").map(|volume| &volume["persistentVolumeClaim"]["claimName"]);
        let shares = ["gateway", "renderer", "migrate"].contains(&role.as_str());
        assert_eq!(claim, shares.then_some(&json!("limner-objects")), "{role}");
    }
    let mount =
        |role: &str| named(&pods[role]["containers"][0]["volumeMounts"], "objects").unwrap()["readOnly"].clone();
    // Gateways remove what has expired.
    assert_eq!((mount("gateway"), mount("renderer")), (Value::Null, Value::Null));
    assert_eq!(text(&pods["renderer"], "LIMNER__OBJECTS__URL"), "file:///var/lib/limner/objects");
}

#[test]
fn size_of_results_in_redis_is_the_same_for_all_roles() {
    let pods = pods(&objects_with("small", "objects: { resultBytes: 32kB }"));
    for role in ["gateway", "fetcher", "renderer"] {
        assert_eq!(text(&pods[role], "LIMNER__CACHE__RESULT_BYTES"), "32kB", "{role}");
    }
}

#[test]
fn seccomp_profile_can_be_installed_on_the_nodes() {
    let more = "renderer: { seccomp: { install: true } }\nroles: { renderer: { nodeSelector: { pool: browsers } } }";
    let everything = objects_with("production", more);
    let sets = of_kind(&everything, "DaemonSet");
    let pod = &sets[0]["spec"]["template"]["spec"];
    assert_eq!(pod["nodeSelector"], json!({ "pool": "browsers" }), "the renderers' nodes");
    assert_eq!(pod["containers"][0]["securityContext"]["capabilities"]["drop"], json!(["ALL"]));
    let hosts: Vec<&Value> =
        pod["volumes"].as_array().unwrap().iter().filter(|volume| volume["hostPath"].is_object()).collect();
    assert_eq!((hosts.len(), &hosts[0]["hostPath"]["path"]), (1, &json!("/var/lib/kubelet/seccomp")));
    let maps = of_kind(&everything, "ConfigMap");
    let profile = maps.iter().find(|map| map["metadata"]["name"] == "limner-seccomp").unwrap();
    let installed: Value = serde_json::from_str(profile["data"]["profile.json"].as_str().unwrap()).unwrap();
    assert_eq!(installed, serde_json::from_str::<Value>(&read("deploy/seccomp/chromium.json")).unwrap());
    let renderer = &pods(&everything)["renderer"]["securityContext"]["seccompProfile"];
    assert_eq!(renderer, &json!({ "type": "Localhost", "localhostProfile": "profiles/limner-chromium.json" }));
    assert!(of_kind(&objects("production"), "DaemonSet").is_empty(), "only if it is asked for");
}

/// Runs the script of `helm test` with servers on this machine in place of the Services.
#[test]
fn helm_test_fails_unless_every_role_answers() {
    let tests = of_kind(&objects("production"), "Pod");
    assert_eq!(tests[0]["metadata"]["annotations"]["helm.sh/hook"], "test");
    let script = tests[0]["spec"]["containers"][0]["args"][0].as_str().unwrap();
    let succeeds = |statuses: [&str; 3]| {
        let mut script = script.to_owned();
        for ((role, port), status) in
            [("gateway", "8080"), ("console", "8090"), ("mcp", "8091")].into_iter().zip(statuses)
        {
            let answering = answer_once(status);
            script = script.replace(&format!("limner-{role} {port}"), &format!("127.0.0.1 {answering}"));
        }
        assert!(!script.contains("limner-"), "{script}");
        Command::new("bash").args(["-euc", &script]).current_dir(root()).output().unwrap().status.success()
    };
    assert!(succeeds(["401 Unauthorized", "303 See Other", "401 Unauthorized"]));
    assert!(!succeeds(["503 Service Unavailable", "303 See Other", "401 Unauthorized"]));
    assert!(!succeeds(["401 Unauthorized", "502 Bad Gateway", "401 Unauthorized"]));
    assert!(!succeeds(["401 Unauthorized", "303 See Other", "500 Internal Server Error"]));
}

/// Listens on a free port and answers the first connection with the status.
fn answer_once(status: &str) -> u16 {
    use std::io::{Read, Write};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let head = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    std::thread::spawn(move || {
        if let Ok((mut peer, _)) = listener.accept() {
            // The shell writes the request in pieces; closing with some of it unread would reset the connection.
            let (mut request, mut piece) = (Vec::new(), [0; 1024]);
            while !request.ends_with(b"\r\n\r\n") {
                match peer.read(&mut piece) {
                    Ok(read @ 1..) => request.extend_from_slice(&piece[..read]),
                    _ => return,
                }
            }
            let _ = peer.write_all(head.as_bytes());
        }
    });
    port
}
