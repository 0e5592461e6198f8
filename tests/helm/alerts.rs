//! Alerts and dashboards: valid, tested, about existing metrics, with a runbook each.

use crate::chart::{objects_with, of_kind};
use crate::{pass, read, root};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

const RULES: &str = "helm/limner/files/limner.rules.yaml";
const RUNBOOKS: &str = "https://github.com/limner/limner/blob/main/docs/operations/runbooks.md";
/// Unit tests of the rules; those of hours and days are evaluated more seldom, since each step evaluates all rules.
const RULE_TESTS: [&str; 2] = ["tests/helm/rules.test.yaml", "tests/helm/rules.hours.test.yaml"];

#[test]
fn rules_pass_promtool_and_their_unit_tests() {
    pass("promtool", &["check", "rules", "--lint-fatal", RULES]);
    pass("promtool", &["test", "rules", RULE_TESTS[0], RULE_TESTS[1]]);
}

#[test]
fn every_alert_has_a_unit_test() {
    let (rules, tests) = (read(RULES), RULE_TESTS.map(read).concat());
    let alerts: Vec<&str> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    assert!(alerts.len() > 20, "{alerts:?}");
    for alert in alerts {
        let fires = tests
            .split("- eval_time:")
            .any(|test| test.contains(&format!("alertname: {alert}\n")) && test.contains("exp_labels"));
        assert!(fires, "no test in which {alert} fires");
    }
}

#[test]
fn every_expression_of_the_dashboards_is_promql() {
    let mut rules = "groups:\n  - name: dashboards\n    rules:\n".to_owned();
    for (number, expression) in dashboards().iter().enumerate() {
        writeln!(rules, "      - {{ record: 'panel:query{number}', expr: {} }}", Value::from(expression.as_str()))
            .unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dashboards.yaml");
    std::fs::write(&file, rules).unwrap();
    pass("promtool", &["check", "rules", "--lint=none", file.to_str().unwrap()]);
}

#[test]
fn rules_and_dashboards_use_recorded_metrics() {
    let recorded = source();
    let mut asked = metric_names(&read(RULES));
    for expression in dashboards() {
        asked.extend(metric_names(&expression));
    }
    assert!(asked.len() > 15, "{asked:?}");
    let unknown: Vec<&String> = asked.iter().filter(|name| !recorded.contains(&format!("\"{name}\""))).collect();
    assert!(unknown.is_empty(), "nobody records {unknown:?}");
}

#[test]
fn every_alert_names_a_runbook_that_exists() {
    let anchors: BTreeSet<String> = read("docs/operations/runbooks.md")
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(|title| title.to_lowercase().replace(' ', "-"))
        .collect();
    let rules = read(RULES);
    let alerts = rules.matches("- alert:").count();
    let start = format!("runbook_url: {RUNBOOKS}#");
    let runbooks: Vec<&str> = rules.lines().filter_map(|line| line.trim().strip_prefix(&start)).collect();
    assert_eq!(runbooks.len(), alerts, "an alert without a runbook");
    for runbook in runbooks {
        assert!(anchors.contains(runbook), "no section #{runbook} among {anchors:?}");
    }
}

/// Whoever is called at night copies lines. Deployments and roles in them are the chart's.
#[test]
fn runbook_of_every_alert_has_commands_that_fit_the_chart() {
    let page = read("docs/operations/runbooks.md");
    let rules = read(RULES);
    let mut sections = 0;
    for section in page.split("\n## ").skip(1) {
        let title = section.lines().next().unwrap();
        let anchor = format!("#{}\n", title.to_lowercase().replace(' ', "-"));
        if rules.contains(&anchor) {
            sections += 1;
            let in_prose = ["`kubectl ", "`limner ", "](#"].iter().any(|command| section.contains(command));
            let has_command = in_prose || section.lines().any(|line| line.starts_with("    "));
            assert!(has_command, "{title} has no command");
        }
    }
    assert!(sections > 15, "{sections}");
    let rendered = objects_with("production", "");
    let deployments: Vec<String> = of_kind(&rendered, "Deployment")
        .iter()
        .map(|one| one["metadata"]["name"].as_str().unwrap().to_owned())
        .collect();
    let scaled = of_kind(&rendered, "ScaledObject");
    let is_scaled = |name: &str| scaled.iter().any(|one| one["metadata"]["name"] == name);
    let words = |start: &'static str| {
        page.split(start)
            .skip(1)
            .map(|rest| rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).next().unwrap())
    };
    for name in words("deploy/limner-").filter(|name| *name != "ROLE") {
        assert!(deployments.contains(&format!("limner-{name}")), "deploy/limner-{name}");
    }
    for role in words("app.kubernetes.io/component=").filter(|role| *role != "ROLE") {
        assert!(deployments.contains(&format!("limner-{role}")), "{role}");
    }
    for name in words("scaledobject limner-") {
        assert!(is_scaled(&format!("limner-{name}")), "scaledobject limner-{name}");
    }
    let recorded = source();
    let unknown: Vec<String> =
        metric_names(&page).into_iter().filter(|name| !recorded.contains(&format!("\"{name}"))).collect();
    assert!(unknown.is_empty(), "nobody records {unknown:?}");
}

/// Lines that runbooks look for in logs are logged.
#[test]
fn runbooks_look_for_lines_that_are_logged() {
    let (page, code) = (read("docs/operations/runbooks.md"), source());
    let told = page.split("grep '").skip(1).filter_map(|rest| rest.split('\'').next());
    let told = told.chain(page.split(".message == \"").skip(1).filter_map(|rest| rest.split('"').next()));
    let lines: Vec<&str> = told.collect();
    assert!(lines.len() >= 4, "{lines:?}");
    for line in lines {
        assert!(code.contains(line), "nobody logs `{line}`");
    }
}

/// Alertmanager's templates make a link of `runbook_url`; the page may be a copy of the operator's.
#[test]
fn chart_leads_alerts_to_the_operators_runbooks() {
    for (more, page) in
        [("", RUNBOOKS), ("prometheusRule: { runbooks: \"https://wiki.test/limner\" }", "https://wiki.test/limner")]
    {
        let rules = of_kind(&objects_with("production", more), "PrometheusRule");
        let groups = rules[0]["spec"]["groups"].as_array().unwrap();
        let rules = groups.iter().flat_map(|group| group["rules"].as_array().unwrap());
        let alerts: Vec<&Value> = rules.filter(|rule| !rule["alert"].is_null()).collect();
        assert!(alerts.len() > 20, "{alerts:?}");
        for alert in alerts {
            let url = alert["annotations"]["runbook_url"].as_str().unwrap();
            assert!(url.starts_with(&format!("{page}#")), "{url}");
        }
    }
}

/// Returns every query of every panel.
fn dashboards() -> Vec<String> {
    let mut expressions = Vec::new();
    for file in std::fs::read_dir(root().join("helm/limner/files/dashboards")).unwrap() {
        let board: Value = serde_json::from_slice(&std::fs::read(file.unwrap().path()).unwrap()).unwrap();
        for panel in board["panels"].as_array().unwrap() {
            let targets = panel["targets"].as_array().unwrap();
            assert!(!targets.is_empty(), "{} shows nothing", panel["title"]);
            expressions.extend(targets.iter().map(|target| target["expr"].as_str().unwrap().to_owned()));
        }
    }
    expressions
}

/// Returns the names of our metrics, without the suffixes of histograms.
fn metric_names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (start, _) in text.match_indices("limner_") {
        let name: String = text[start..].chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let name = ["_bucket", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(&name);
        names.insert(name.to_owned());
    }
    names
}

/// Returns the source of every shared crate and service.
fn source() -> String {
    let mut text = String::new();
    for folder in ["shared", "services"] {
        append(&root().join(folder), &mut text);
    }
    text
}

fn append(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            append(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}
