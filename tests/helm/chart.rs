//! The chart, rendered by helm for each set of values, validated with Kubernetes' schemas and compared with the
//! committed renders.

use crate::{pass, read, root, run};
use serde_json::Value;
use std::path::PathBuf;

pub(crate) const SETS: [&str; 4] = ["small", "production", "air-gapped", "stripe"];
/// Kinds of operators, whose schemas are not part of Kubernetes.
const OPERATORS_KINDS: [&str; 4] = ["ScaledObject", "ServiceMonitor", "PrometheusRule", "HTTPRoute"];

/// Returns helm's arguments for a set of values; Stripe's is on top of another.
fn values(set: &str) -> Vec<String> {
    let files: &[&str] = if set == "stripe" { &["small", set] } else { &[set] };
    files.iter().flat_map(|file| ["-f".to_owned(), format!("helm/limner/values/{file}.yaml")]).collect()
}

fn render(set: &str) -> String {
    render_with(&values(set))
}

fn render_with(args: &[String]) -> String {
    let mut all = vec!["template", "limner", "helm/limner", "--kube-version", "1.31.0"];
    if !args.iter().any(|arg| arg == "-n") {
        all.extend(["-n", "limner"]);
    }
    all.extend(args.iter().map(String::as_str));
    pass("helm", &all)
}

/// Returns the rendered objects, as JSON.
pub(crate) fn objects(set: &str) -> Vec<Value> {
    parse(&render(set))
}

/// Returns the objects that the set renders with more values on top.
pub(crate) fn objects_with(set: &str, more: &str) -> Vec<Value> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), more).unwrap();
    let mut args = values(set);
    args.extend(["-f".to_owned(), file.path().to_str().unwrap().to_owned()]);
    parse(&render_with(&args))
}

/// Returns the objects that these arguments render.
pub(crate) fn objects_from(args: &[String]) -> Vec<Value> {
    parse(&render_with(args))
}

/// Parses the documents of a YAML stream.
pub(crate) fn parse(rendered: &str) -> Vec<Value> {
    let program = "import json,sys,yaml; print(json.dumps([d for d in yaml.safe_load_all(open(sys.argv[1])) if d]))";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("render.yaml");
    std::fs::write(&file, rendered).unwrap();
    serde_json::from_str(&pass("python", &["-c", program, file.to_str().unwrap()])).unwrap()
}

pub(crate) fn of_kind(objects: &[Value], kind: &str) -> Vec<Value> {
    objects.iter().filter(|object| object["kind"] == kind).cloned().collect()
}

#[test]
fn every_set_of_values_passes_helm_lint() {
    for set in SETS {
        let values = values(set);
        let mut args = vec!["lint", "--strict", "helm/limner"];
        args.extend(values.iter().map(String::as_str));
        pass("helm", &args);
    }
}

#[test]
fn renders_are_valid_kubernetes() {
    let folder = tempfile::tempdir().unwrap();
    for set in SETS {
        for object in objects(set) {
            let kind = object["kind"].as_str().unwrap();
            if OPERATORS_KINDS.contains(&kind) {
                continue;
            }
            let name = object["metadata"]["name"].as_str().unwrap();
            std::fs::write(folder.path().join(format!("{set}-{kind}-{name}.yaml")), object.to_string()).unwrap();
        }
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() > 50, "{}", files.len());
    let mut args = vec!["-k", "1.31", "--strict"];
    args.extend(files.iter().map(|file| file.to_str().unwrap()));
    pass("kubernetes-validate", &args);
}

#[test]
fn scaled_objects_have_kedas_shape() {
    let mut scaled = of_kind(&objects("production"), "ScaledObject");
    assert_eq!(scaled.len(), 2, "the fetcher and the renderer follow the queue");
    let secured = "keda: { natsAccount: LIMNER, natsMonitoringTLS: true, authenticationRef: { name: nats } }";
    let secured = of_kind(&objects_with("production", secured), "ScaledObject");
    let trigger = &secured[0]["spec"]["triggers"][0];
    assert_eq!((&trigger["metadata"]["account"], &trigger["metadata"]["useHttps"]), (&"LIMNER".into(), &"true".into()));
    assert_eq!(trigger["authenticationRef"]["name"], "nats");
    let asked = "keda: { trigger: prometheus, prometheus: { serverAddress: \"http://prometheus:9090\" } }";
    let asked = of_kind(&objects_with("production", asked), "ScaledObject");
    assert_eq!(asked[1]["spec"]["triggers"][0]["type"], "prometheus");
    scaled.extend(secured.into_iter().chain(asked));
    let folder = tempfile::tempdir().unwrap();
    for (number, object) in scaled.iter().enumerate() {
        let file = folder.path().join(format!("{number}.json"));
        std::fs::write(&file, object.to_string()).unwrap();
        pass("check-jsonschema", &["--schemafile", "tests/helm/schemas/scaledobject.json", file.to_str().unwrap()]);
    }
}

/// `UPDATE_GOLDEN=1 make helm-check` rewrites them.
#[test]
fn renders_match_the_committed_ones() {
    for set in SETS {
        let (rendered, path) = (render(set), format!("tests/helm/golden/{set}.yaml"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(root().join(&path), &rendered).unwrap();
        }
        assert!(
            read(&path) == rendered,
            "{path} is not what the chart renders: run UPDATE_GOLDEN=1 make helm-check and look"
        );
    }
}

#[test]
fn wrong_values_are_refused() {
    let cases = [
        ("roles.fetcher.autoscaling.kind=magic", "kind"),
        ("roles.gateway.autoscaling.kind=keda", "kind"),
        ("roles.egress.enabled=false", "egress"),
        ("publicUrl=limner.example", "publicUrl"),
        ("objects.url=ftp://bucket", "url"),
        ("imagee.tag=1", "imagee"),
        ("settings.LOG=x", "LOG"),
        ("billing.provider=barter", "provider"),
        ("billing.prices.growth=79", "growth"),
        ("usageHistory.retention=forever", "retention"),
        ("image.digest=latest", "digest"),
        ("roles.fetcher.nodePicker.x=1", "nodePicker"),
        ("roles.fetcher.affinity.nodes=1", "nodes"),
        ("roles.extractor.resources.requests.cpu=two", "cpu"),
        ("podDisruptionBudget.maxUnavailable=many", "maxUnavailable"),
        ("storage.tmp=much", "tmp"),
        ("keda.trigger=cron", "trigger"),
        ("networkPolicy.dns.ports={}", "ports"),
        // These come from the templates: a browser whose screenshots nobody can read.
        ("objects.url=", "objects.claim"),
    ];
    for (set, named) in cases {
        let output = run("helm", &["template", "limner", "helm/limner", "--set", set]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{set} was taken");
        assert!(errors.contains(named), "{set}: {errors}");
    }
}

#[test]
fn pods_have_minimal_privileges() {
    for set in SETS {
        for workload in objects(set) {
            if !["Deployment", "Job", "Pod"].contains(&workload["kind"].as_str().unwrap()) {
                continue;
            }
            let template = &workload["spec"]["template"];
            let (name, pod) =
                (&workload["metadata"]["name"], if template.is_null() { &workload["spec"] } else { &template["spec"] });
            assert_eq!(pod["automountServiceAccountToken"], false, "{name}");
            assert_eq!(pod["securityContext"]["runAsNonRoot"], true, "{name}");
            assert_ne!(pod["securityContext"]["seccompProfile"]["type"], "Unconfined", "{name}");
            for container in pod["containers"].as_array().unwrap() {
                let security = &container["securityContext"];
                assert_eq!(security["readOnlyRootFilesystem"], true, "{name}");
                assert_eq!(security["allowPrivilegeEscalation"], false, "{name}");
                assert_eq!(security["capabilities"]["drop"][0], "ALL", "{name}");
                assert!(container["resources"]["requests"]["cpu"].is_string(), "{name} requests no CPU");
                assert!(container["resources"]["limits"]["memory"].is_string(), "{name} has no memory limit");
            }
        }
    }
}

/// URLs of servers contain passwords: pods may only get them from secrets.
#[test]
fn no_secret_is_in_a_render() {
    for set in SETS {
        let rendered = render(set);
        assert!(rendered.contains("LIMNER__POSTGRES__URL_FILE"), "{set}");
        for scheme in ["postgres://", "redis://", "nats://", "sk_", "rk_", "whsec_"] {
            assert!(!rendered.contains(scheme), "{set} has {scheme}");
        }
        assert!(of_kind(&objects(set), "Secret").is_empty(), "{set} makes a Secret");
    }
}

#[test]
fn pods_have_time_to_finish_their_work() {
    let settings = read("shared/runtime/src/settings/sections.rs");
    assert!(settings.contains("\"shutdown.grace\", seconds(50)"), "shutdown.grace has another default");
    for set in SETS {
        for deployment in of_kind(&objects(set), "Deployment") {
            let pod = &deployment["spec"]["template"]["spec"];
            let grace = pod["terminationGracePeriodSeconds"].as_u64().unwrap();
            let pause = if pod["containers"][0]["lifecycle"].is_object() { 5 } else { 0 };
            assert!(grace >= 50 + pause, "{}: {grace} s", deployment["metadata"]["name"]);
        }
    }
}

/// Only metering needs Stripe's secrets.
#[test]
fn only_metering_holds_stripes_secrets() {
    let objects = objects("stripe");
    for deployment in of_kind(&objects, "Deployment") {
        let is_metering = deployment["metadata"]["name"] == "limner-metering";
        let pod = &deployment["spec"]["template"]["spec"];
        for trace in ["limner-stripe", "STRIPE_SECRET_KEY_FILE", "STRIPE_WEBHOOK_SECRET_FILE", "\"webhooks\""] {
            let name = &deployment["metadata"]["name"];
            assert_eq!(pod.to_string().contains(trace), is_metering, "{trace} in {name}");
        }
    }
    let service =
        objects.iter().find(|object| object["kind"] == "Service" && object["metadata"]["name"] == "limner-webhooks");
    let ports = service.unwrap()["spec"]["ports"].as_array().unwrap();
    assert_eq!((ports.len(), &ports[0]["targetPort"]), (1, &"webhooks".into()), "nothing else of metering");
    let paths = &of_kind(&objects, "Ingress")[0]["spec"]["rules"][0]["http"]["paths"];
    assert_eq!((&paths[0]["path"], &paths[1]["path"]), (&"/webhooks".into(), &"/".into()));
    let policies = of_kind(&objects, "NetworkPolicy");
    let metering = policies.iter().find(|policy| policy["metadata"]["name"] == "limner-metering").unwrap();
    let ports: Vec<&Value> =
        metering["spec"]["ingress"].as_array().unwrap().iter().map(|rule| &rule["ports"][0]["port"]).collect();
    assert_eq!(ports, ["admin", "webhooks", "metering"]);
    for set in ["small", "production", "air-gapped"] {
        assert!(!render(set).contains("STRIPE"), "{set}");
    }
}

/// Checks the table in the documentation that lists which roles each role may call.
#[test]
fn documented_network_policies_match_the_chart() {
    let page = read("docs/operations/install.md");
    let (_, table) = page.split_once("| Role | May be called by | May call |").unwrap();
    let policies = of_kind(&objects("production"), "NetworkPolicy");
    let role_of =
        |policy: &Value| policy["metadata"]["labels"]["app.kubernetes.io/component"].as_str().map(str::to_owned);
    let roles: Vec<String> = policies.iter().filter_map(role_of).collect();
    assert_eq!(roles.len(), 8, "{roles:?}");
    for policy in &policies {
        let Some(role) = role_of(policy) else { continue };
        let row = table.lines().find(|line| line.starts_with(&format!("| {role} |"))).unwrap();
        let (told, allowed) = (row.split('|').nth(3).unwrap(), policy["spec"]["egress"].to_string());
        let servers =
            [("Postgres", ":5432"), ("Redis", ":6379"), ("NATS", ":4222"), ("the public Internet", "0.0.0.0/0")];
        for (name, sign) in servers {
            assert_eq!(told.contains(name), allowed.contains(sign), "{role}: {name}");
        }
        for other in &roles {
            let is_told = told.split([',', ';', ':']).any(|word| word.trim() == other);
            let is_allowed = allowed.contains(&format!("component\":\"{other}\""));
            assert_eq!(is_told, is_allowed, "{role}: {other}");
        }
    }
}

/// The console's status page asks each role that the set has, through a service of its own, and reaches no other port of
/// them.
#[test]
fn status_page_reaches_the_admin_ports_of_the_roles() {
    for set in SETS {
        let objects = objects(set);
        let deployments = of_kind(&objects, "Deployment");
        let has = |role: &str| deployments.iter().any(|one| one["metadata"]["name"] == format!("limner-{role}"));
        let roles: Vec<&str> =
            ["fetcher", "renderer", "extractor", "mcp"].into_iter().filter(|role| has(role)).collect();
        let console = deployments.iter().find(|one| one["metadata"]["name"] == "limner-console").unwrap();
        let environment = console["spec"]["template"]["spec"]["containers"][0]["env"].as_array().unwrap();
        let watch = environment.iter().find(|one| one["name"] == "LIMNER__CONSOLE__WATCH").unwrap();
        let expected: Vec<String> =
            roles.iter().map(|role| format!("{role}=http://limner-{role}-admin:9090")).collect();
        assert_eq!(watch["value"], expected.join(","), "{set}");
        let policies = of_kind(&objects, "NetworkPolicy");
        let policy = policies.iter().find(|policy| policy["metadata"]["name"] == "limner-console").unwrap();
        for role in roles {
            let name = format!("limner-{role}-admin");
            let services = of_kind(&objects, "Service");
            let service = services.iter().find(|service| service["metadata"]["name"] == name.as_str()).unwrap();
            assert_eq!(service["spec"]["selector"]["app.kubernetes.io/component"], role, "{set}");
            assert_eq!(service["spec"]["ports"][0]["targetPort"], "admin", "{set}");
            assert!(service["spec"]["publishNotReadyAddresses"].is_null(), "{set}: only ready pods");
            let sign = format!("component\":\"{role}\"");
            let rules = policy["spec"]["egress"].as_array().unwrap().iter();
            let ports: Vec<&Value> =
                rules.filter(|rule| rule.to_string().contains(&sign)).map(|rule| &rule["ports"]).collect();
            assert_eq!(ports, [&serde_json::json!([{ "port": "admin", "protocol": "TCP" }])], "{set}: {role}");
        }
    }
}

/// A page's usage is counted by the proxy of its connections, and only that proxy can report and end it. All
/// connections of a renderer must therefore reach the same proxy during a visit.
#[test]
fn page_reaches_one_egress_proxy() {
    let settings = read("shared/runtime/src/settings/sections.rs");
    let visit = seconds_after(&settings, "\"limits.browser_read\", seconds(");
    let margin = seconds_after(
        &read("services/renderer/src/visit/mod.rs"),
        "EGRESS_TOKEN_MARGIN: Duration = Duration::from_secs(",
    );
    for set in SETS {
        let objects = objects(set);
        let proxies = of_kind(&objects, "Service")
            .into_iter()
            .find(|service| service["spec"]["selector"]["app.kubernetes.io/component"] == "egress");
        let renderers = of_kind(&objects, "Deployment")
            .into_iter()
            .find(|deployment| deployment["metadata"]["name"] == "limner-renderer");
        let Some(renderers) = renderers else {
            assert_eq!(set, "air-gapped", "a set without a browser");
            continue;
        };
        let proxies = proxies.unwrap();
        assert_eq!(proxies["spec"]["sessionAffinity"], "ClientIP", "{set}");
        let lasts = proxies["spec"]["sessionAffinityConfig"]["clientIP"]["timeoutSeconds"].as_u64().unwrap();
        assert!(lasts >= visit + margin, "{set}: {lasts} s, and a pass lasts {visit} + {margin}");
        // A headless service has no session affinity, and with two address families there are two of them.
        assert!(proxies["spec"]["clusterIP"].is_null() && proxies["spec"]["ipFamilyPolicy"].is_null(), "{set}");
        let pod = &renderers["spec"]["template"]["spec"];
        assert!(pod["hostNetwork"].is_null(), "{set}: the renderers of a node would be one client");
        let environment = pod["containers"][0]["env"].as_array().unwrap();
        let proxy = environment.iter().find(|variable| variable["name"] == "LIMNER__RENDERER__PROXY").unwrap();
        let name = proxies["metadata"]["name"].as_str().unwrap();
        assert_eq!(proxy["value"], format!("http://{name}:{}", proxies["spec"]["ports"][0]["port"]), "{set}");
    }
}

/// Returns the number that follows `text`.
fn seconds_after(source: &str, text: &str) -> u64 {
    let (_, rest) = source.split_once(text).unwrap();
    rest.split(')').next().unwrap().parse().unwrap()
}

/// A renderer runs untrusted code, so the proxy is its only network access.
#[test]
fn renderer_reaches_only_the_egress_proxy_and_its_servers() {
    for set in ["small", "production"] {
        let policies = of_kind(&objects(set), "NetworkPolicy");
        let renderer = policies.iter().find(|policy| policy["metadata"]["name"] == "limner-renderer").unwrap();
        assert_eq!(renderer["spec"]["policyTypes"], serde_json::json!(["Ingress", "Egress"]));
        assert!(!renderer["spec"]["egress"].to_string().contains("ipBlock"), "{set}: a renderer reaches networks");
        let worldly: Vec<&str> = policies
            .iter()
            .filter(|policy| policy["spec"]["egress"].to_string().contains("0.0.0.0/0"))
            .map(|policy| policy["metadata"]["name"].as_str().unwrap())
            .collect();
        assert_eq!(
            worldly,
            ["limner-console", "limner-egress", "limner-fetcher"],
            "{set}: who reaches the public Internet"
        );
    }
}
