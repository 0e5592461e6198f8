//! The commands as a person or a script sees them: output and exit status of the real binary.

#![expect(clippy::unwrap_used, reason = "a test may fail anywhere")]

mod batch;
mod component;
mod differences;
mod drift_action;
mod files;
mod hosted;
mod manual;
mod operations;
mod terminal;
mod tools;

use limner_testkit::{CannedResponse, OriginServer};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Returns the binary, without environment variables of this process that could configure it.
fn limner(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_limner"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LIMNER")) {
        command.env_remove(name);
    }
    command.args(args).stdin(Stdio::null());
    command
}

fn run(args: &[&str]) -> Output {
    limner(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn commands_have_exit_statuses_and_messages() {
    let empty = tempfile::tempdir().unwrap();
    let config = empty.path().join("limner.toml");
    let settings = format!("data_dir = {:?}\n[admin]\nlisten = \"127.0.0.1:1\"\n", empty.path().join("data"));
    std::fs::write(&config, settings).unwrap();
    let create = ["admin", "account", "create", "--email", "a@b.test", "--plan"];
    let create_with = |more: &[&'static str]| [create.as_slice(), more].concat();
    let table: Vec<(Vec<&str>, i32, &str)> = vec![
        (vec![], 64, "Usage: limner"),
        (vec!["--help"], 0, ""),
        (vec!["--version"], 0, ""),
        (vec!["paint"], 64, "paint"),
        (vec!["extract", "images"], 64, "<URL>"),
        (vec!["extract", "paint", "a.test"], 64, "code, brand, tokens, images, svg"),
        (vec!["extract", "images", "a.test", "--colour", "red"], 64, "--colour"),
        (vec!["extract", "images", "a.test", "--framework", "jsx"], 64, "--framework is not an option of `images`"),
        (vec!["extract", "images", "a.test", "--fields", "svgs"], 64, "not a valid value of `--fields`"),
        (vec!["extract", "images", " "], 64, "limner: the URL is empty"),
        (
            vec!["extract", "code", "a.test", "--framework", "svelte"],
            64,
            "tailwind, html, jsx, vue, elementor, shopify",
        ),
        (vec!["extract", "code", "a.test", "--section", "nav"], 64, "hero, header, footer"),
        (vec!["extract", "code", "a.test", "--theme", "auto"], 64, "light, dark"),
        (vec!["extract", "code", "a.test", "--scope", "page", "--section", "hero"], 64, "leave `--selector` and"),
        (vec!["extract", "code", "a.test", "--framework", "jsx", "--name", "9"], 64, "a valid value of `--name`"),
        (vec!["extract", "tokens", "a.test", "--format", "scss"], 64, "dtcg-resolver, design-md"),
        (vec!["extract", "tokens", "a.test", "--scope", "all"], 64, "Valid values: sheet, page"),
        (vec!["extract", "tokens", "a.test", "--render=yes"], 64, "true, false"),
        (vec!["extract", "images", "ftp://a.test"], 1, "Valid schemes: http, https"),
        (vec!["extract", "images", "http://127.0.0.1/"], 1, "\"statusCode\": 400"),
        (vec!["extract", "images", "localhost"], 1, "\"code\": \"invalid_request\""),
        (vec!["extract", "images", "http://localhost:3000/"], 1, "LIMNER__EGRESS__HOSTS=site.test=127.0.0.1:3000"),
        (vec!["inspect", "http://127.0.0.1/"], 64, "LIMNER__EGRESS__ALLOW=127.0.0.1/32"),
        (vec!["extract", "images", "a.test", "--render"], 1, "\"code\": \"target_unreachable\""),
        (
            vec!["extract", "images", "a.test", "--screenshot", "full"],
            64,
            "limner: `--screenshot` needs a browser: add `--render` or",
        ),
        (vec!["extract", "images", "http://no-such-host.invalid/"], 1, "\"code\": \"target_unreachable\""),
        (vec!["extract", "code", "a.test", "--selector", "div["], 64, "a valid value of `--selector`"),
        (vec!["extract", "images", "a.test", "--out", "Cargo.toml"], 64, "--out: Cargo.toml is not a directory"),
        (vec!["extract", "images", "a.test", "--print"], 64, "--print is for `code`"),
        (vec!["extract", "code", "a.test", "b.test"], 64, "give --out DIR or --json"),
        (vec!["extract", "tokens", "a.test", "b.test", "--format", "css"], 64, "give --out DIR"),
        (vec!["extract", "images", "a.test", "--no-download"], 64, "--out"),
        (vec!["extract", "images", "a.test", "--key", "lm_live_x"], 64, "--api"),
        (vec!["extract", "images", "a.test", "--api", "limner"], 64, "is not an address"),
        (vec!["extract", "images", "a.test", "--api", "http://127.0.0.1:1"], 64, "set LIMNER_API_KEY"),
        (vec!["extract", "images", "a.test", "--api", "http://127.0.0.1:1", "--no-browser"], 64, "--no-browser"),
        (vec!["diff", "a.test"], 64, "<B>"),
        (vec!["diff", "no-such-file.json", "a.test"], 2, "there is no file no-such-file.json"),
        (vec!["diff", "a.test", "b.test", "--op", "images"], 64, "[possible values: tokens, brand, code]"),
        (vec!["diff", "a.test", "b.test", "--format", "css"], 2, "leave out --format"),
        (vec!["diff", "a.test", "b.test", "--op", "code", "--framework", "jsx"], 2, "leave out --framework"),
        (vec!["diff", "http://no-such-host.invalid/", "http://no-such-host.invalid/"], 2, "target_unreachable"),
        (vec!["completions", "cmd"], 64, "bash, elvish, fish"),
        (vec!["renderer"], 64, "nats.url: it is needed here"),
        (vec!["mcp", "--url", "http://127.0.0.1:1"], 64, "--stdio"),
        (vec!["mcp", "--stdio", "--url", "http://127.0.0.1:1"], 64, "--url needs a key in LIMNER_API_KEY"),
        (vec!["inspect", "a.test", "--scheme", "sepia"], 64, "light, dark"),
        (vec!["gateway"], 64, "nats.url: it is needed here"),
        (vec!["egress"], 64, "egress.secret: it is needed here"),
        (vec!["fetcher"], 64, "redis.url: it is needed here"),
        (vec!["metering"], 64, "postgres.url: it is needed here"),
        (vec!["migrate"], 64, "postgres.url: it is needed here"),
        (vec!["config", "check"], 0, ""),
        (vec!["config", "dump"], 0, ""),
        (vec!["openapi"], 0, ""),
        (create_with(&["gold"]), 64, "free, developer, growth, scale, business"),
        (create_with(&["free", "--credits", "5"]), 64, "belong to the plan `business`"),
        (create_with(&["business", "--credits", "many"]), 64, "unlimited"),
        (create_with(&["business", "--overage", "maybe"]), 64, "on, off"),
        (vec!["admin", "account", "show", "acc_1"], 1, "no `limner up` runs with data_dir"),
        (vec!["admin", "pack", "grant", "acc_1", "huge"], 64, "top-up, starter, builder, pro"),
        (vec!["admin", "period", "close", "--at", "tomorrow"], 64, "is not a date"),
        (vec!["healthcheck"], 1, "127.0.0.1:1"),
    ];
    for (args, status, says) in table {
        let mut with_config = args.clone();
        with_config.extend(["--config", config.to_str().unwrap()]);
        let is_bare = args.is_empty();
        let output = run(if is_bare { &args } else { &with_config });
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(status), "{args:?}\n{stdout}\n{stderr}");
        assert!(stderr.contains(says), "{args:?}: {stderr}");
        assert_eq!(stdout.is_empty(), status != 0, "{args:?}: {stdout}");
    }
}

#[test]
fn empty_variables_count_as_unset() {
    let key = limner_types::ApiKey::from_secret([7; 32]);
    let unset = [("LIMNER_CONFIG", ""), ("LIMNER__DATA_DIR", ""), ("LIMNER_URL", ""), ("LIMNER_API_KEY", key.expose())];
    let output = limner(&["config", "dump"]).envs(unset).output().unwrap();
    assert_eq!(text(&output.stdout), text(&run(&["config", "dump"]).stdout), "{}", text(&output.stderr));
    // That of a Limner elsewhere is for clients, not for the MCP server of a fleet.
    let variables = [("LIMNER_URL", "http://127.0.0.1:9"), ("LIMNER__MCP__LISTEN", "nowhere")];
    let output = limner(&["mcp"]).envs(variables).output().unwrap();
    assert!(text(&output.stderr).contains("LIMNER__MCP__LISTEN: `nowhere`"), "{}", text(&output.stderr));
    // Without the URL of a Limner elsewhere the page is read here.
    let output = limner(&["extract", "images", "http://no-such-host.invalid/"]).envs(unset).output().unwrap();
    assert!(text(&output.stderr).contains("target_unreachable"), "{}", text(&output.stderr));
}

#[test]
fn demo_page_is_read_without_a_fleet() {
    let out = tempfile::tempdir().unwrap();
    let output = run(&["extract", "images", "http://demo.limner.test/", "--out", out.path().to_str().unwrap()]);
    let stderr = text(&output.stderr);
    assert!(output.status.success() && !stderr.contains("Not downloaded"), "{stderr}");
    assert!(walk(&out.path().join("images")).len() > 5, "{stderr}");
    let output = run(&["inspect", "http://demo.limner.test/stjerne"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    // It is no way around the guard.
    let output =
        limner(&["extract", "images", "http://demo.limner.test/"]).env("LIMNER__DEMO__ENABLED", "false").output();
    assert!(text(&output.unwrap().stderr).contains("target_unreachable"));
}

#[test]
fn options_without_effect_are_named() {
    let args =
        ["extract", "code", "http://demo.limner.test/", "--framework", "html", "--name", "Hero", "--language=ts"];
    let output = run(&args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for option in ["name", "language"] {
        let note = format!("--{option} has no effect with this --framework");
        assert!(text(&output.stderr).contains(&note), "{}", text(&output.stderr));
    }
}

#[test]
fn every_configuration_error_is_listed() {
    let config = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(config.path(), "[gatway]\nlisten = \"127.0.0.1:1\"\n[limits]\ncall = \"1s\"\n").unwrap();
    for command in [vec!["config", "check"], vec!["up"], vec!["extract", "images", "a.test"]] {
        let args = [command.as_slice(), &["--config", config.path().to_str().unwrap()]].concat();
        let output = limner(&args).env("LIMNER__ADMIN__LISTEN", "nowhere").output().unwrap();
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(64), "{stderr}");
        for says in ["did you mean `gateway.listen`", "limits.static_read", "LIMNER__ADMIN__LISTEN: `nowhere`"] {
            assert!(stderr.contains(says), "{stderr}");
        }
    }
}

#[test]
fn addresses_of_servers_that_cannot_work_are_refused() {
    let output = limner(&["config", "check"])
        .env("LIMNER__REDIS__URL", "rediss-sentinel://:geheim@a:26379")
        .env("LIMNER__NATS__URL", "http://u:geheim@bus:4222")
        .env("LIMNER__NATS__CREDENTIALS", "geheim")
        .output()
        .unwrap();
    let stderr = text(&output.stderr);
    assert_eq!(output.status.code(), Some(64), "{stderr}");
    for says in [
        "redis.url: Sentinel is not asked",
        "nats.url: it is not `nats://host:4222`",
        "LIMNER__NATS__CREDENTIALS: the value (not shown) is not the contents",
    ] {
        assert!(stderr.contains(says), "{stderr}");
    }
    assert!(!stderr.contains("geheim"), "{stderr}");
}

#[test]
fn dump_shows_every_section_and_no_secret() {
    let output = limner(&["config", "dump"]).env("LIMNER__NATS__URL", "nats://u:geheim@bus:4222").output().unwrap();
    let dump = text(&output.stdout);
    for section in ["[gateway]", "[admin]", "[postgres]", "[redis]", "[nats]", "[objects]", "[renderer]", "[egress]"] {
        assert!(dump.contains(section), "{dump}");
    }
    assert!(dump.contains("nats://***@bus:4222") && !dump.contains("geheim"), "{dump}");
    toml::from_str::<toml::Table>(&dump).unwrap();
}

const PAGE: &str = r#"<!doctype html><title>Shop</title><link rel=icon href=/i.png><link rel=stylesheet href=s.css>
    <img src=a.png alt="A lamp" width=3 height=4><svg viewBox="0 0 2 2"><title>Dot</title><path d="M0 0h1"/></svg>"#;

async fn site() -> (OriginServer, tempfile::TempDir) {
    let site = OriginServer::start().await;
    site.on("/shop/", CannedResponse::html(PAGE));
    site.on("/shop/s.css", CannedResponse::css("body{background:url(b.png)}"));
    let folder = tempfile::tempdir().unwrap();
    let settings =
        format!("[egress]\nallow = [\"127.0.0.1/32\"]\n[egress.hosts]\n\"site.test\" = \"{}\"\n", site.address());
    std::fs::write(folder.path().join("limner.toml"), settings).unwrap();
    (site, folder)
}

async fn extract(folder: &Path, args: &[&str]) -> Output {
    let config = folder.join("limner.toml");
    let args = [&["extract"], args, &["--config", config.to_str().unwrap()]].concat();
    let mut command = limner(&args);
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

/// Runs `limner extract` on a terminal, and returns the exit status and what is to be seen there.
async fn extract_on_terminal(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let config = folder.join("limner.toml");
    let words = [&[env!("CARGO_BIN_EXE_limner"), "extract"], args, &["--config", config.to_str().unwrap()]].concat();
    let line: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let mut command = Command::new("script");
    command.args(["-qefc", &line.join(" "), "/dev/null"]).env("NO_COLOR", "1").stdin(Stdio::null());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("LIMNER")) {
        command.env_remove(name);
    }
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    (output.status.code(), text(&output.stdout))
}

#[tokio::test]
async fn extract_needs_no_servers_and_prints_the_result() {
    let (_site, folder) = site().await;
    let output = extract(folder.path(), &["images", "http://site.test/shop/", "--json"]).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["url"], result.get("usage")), (&Value::from("http://site.test/shop/"), None));
    let images = result["images"].as_array().unwrap();
    let urls: Vec<&str> = images.iter().filter_map(|image| image["url"].as_str()).collect();
    for name in ["shop/a.png", "shop/b.png", "i.png"] {
        assert!(urls.contains(&format!("http://site.test/{name}").as_str()), "{urls:?}");
    }
    assert_eq!(result["count"], urls.len());

    let summary = text(&extract(folder.path(), &["images", "http://site.test/shop/"]).await.stdout);
    for part in ["http://site.test/shop/", "images:", "3×4", "A lamp"] {
        assert!(summary.contains(part), "{summary}");
    }
    let count = extract(folder.path(), &["images", "http://site.test/shop/", "--fields", "count", "--json"]).await;
    let count: Value = serde_json::from_slice(&count.stdout).unwrap();
    assert_eq!(count.as_object().unwrap().keys().collect::<Vec<_>>(), ["url", "count"]);
}

#[tokio::test]
async fn extract_writes_files_when_asked() {
    let (_site, folder) = site().await;
    let out = folder.path().join("deep/out");
    let output = extract(folder.path(), &["svg", "http://site.test/shop/", "--out", out.to_str().unwrap()]).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: Value = serde_json::from_slice(&std::fs::read(out.join("svg.json")).unwrap()).unwrap();
    assert_eq!(result["count"], 1);
    assert!(std::fs::read_to_string(out.join("svg/dot.svg")).unwrap().starts_with("<svg"));
}

#[tokio::test]
async fn animations_are_written_as_files_that_play() {
    let (site, folder) = site().await;
    // Larger than the first bytes that are sniffed of an image, smaller than the limit of an animation.
    let path = "0,".repeat(1_500_000);
    let animation = format!(
        r#"{{"v":"5.7","nm":"Lamp","w":10,"h":10,"fr":30,"ip":0,"op":60,"layers":[],"markers":[],"extra":[{path}0]}}"#
    );
    site.on(
        "/play",
        CannedResponse::html("<title>A film</title><p>Some words.<lottie-player src=/lamp.json></lottie-player>"),
    );
    site.on("/lamp.json", CannedResponse::new("application/json", animation.clone()));
    let out = folder.path().join("out");
    let output = extract(folder.path(), &["lottie", "http://site.test/play", "--out", out.to_str().unwrap()]).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: Value = serde_json::from_slice(&std::fs::read(out.join("lottie.json")).unwrap()).unwrap();
    assert_eq!((&result["count"], &result["lottie"][0]["name"]), (&1.into(), &"Lamp".into()));
    let files = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
    let written: Vec<_> = files.filter(|file| !file.ends_with("lottie.json")).collect();
    assert_eq!(written.len(), 1, "{written:?}");
    let written: Value = serde_json::from_slice(&std::fs::read(&written[0]).unwrap()).unwrap();
    assert_eq!(written, serde_json::from_str::<Value>(&animation).unwrap());
}

#[tokio::test]
async fn inspect_shows_computed_styles() {
    let (site, folder) = site().await;
    let css = "a { color: red } a:hover { color: lime } @media (max-width: 500px) { a { color: blue } }\
               @media (prefers-color-scheme: dark) { a { color: white } }";
    site.on(
        "/styled",
        CannedResponse::html(format!("<!doctype html><title>Styled</title><style>{css}</style><a href=/>A link</a>")),
    );
    let config = folder.path().join("limner.toml");
    let inspect = async |more: &'static [&'static str]| {
        let mut command = limner(&["inspect", "http://site.test/styled", "--config", config.to_str().unwrap()]);
        command.args(more);
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    };
    for (options, color) in [
        (&["--json"][..], "rgb(255, 0, 0)"),
        (&["--json", "--state", "hover"], "rgb(0, 255, 0)"),
        (&["--json", "--viewport", "390x844"], "rgb(0, 0, 255)"),
        (&["--json", "--scheme", "dark"], "rgb(255, 255, 255)"),
    ] {
        let output = inspect(options).await;
        assert!(output.status.success(), "{}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        let rows = report["elements"].as_array().unwrap();
        let link = rows.iter().find(|row| row["path"].as_str().unwrap().ends_with('a')).unwrap();
        assert_eq!(link["style"]["color"], color, "{options:?}");
    }
    assert!(text(&inspect(&[]).await.stdout).contains("rgb(255, 0, 0)"));
    for (options, said) in
        [(&["--viewport", "wide"][..], "is not WIDTHxHEIGHT"), (&["--state", "sleepy"], "--state sleepy is not known")]
    {
        let output = inspect(options).await;
        assert_eq!(output.status.code(), Some(64), "{options:?}");
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
}

#[tokio::test]
async fn inspect_shows_the_passes_of_a_component() {
    let (site, folder) = site().await;
    let page = "<!doctype html><style>.card { padding: 8px }</style><section><div><div class=card>  A   card </div></div></section>";
    site.on("/card", CannedResponse::html(page));
    let config = folder.path().join("limner.toml");
    let inspect = async |more: &'static [&'static str]| {
        let mut command = limner(&["inspect", "http://site.test/card", "--config", config.to_str().unwrap()]);
        command.args(more);
        tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
    };
    let output = inspect(&["--passes", "--selector", "section"]).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let steps: Vec<&str> = printed.split("== ").skip(1).collect();
    assert!(steps[0].starts_with("tree-and-rules\n"), "{printed}");
    let step = |name: &str| *steps.iter().find(|step| step.starts_with(name)).unwrap();
    assert!(step("collapse-white-space").contains(">A card</div>"), "{printed}");
    assert_eq!(step("collect-keyframes").trim_end(), "collect-keyframes: changes nothing");
    assert!(step("prune-wrappers").starts_with("prune-wrappers\n"), "{printed}");
    assert!(steps.last().unwrap().starts_with("mark-up-contents"), "{printed}");
    for (options, said) in [
        (&["--passes", "--framework", "cobol"][..], "framework"),
        (&["--selector", "section"], "--passes"),
        (&["--passes", "--json"], "--json"),
    ] {
        let output = inspect(options).await;
        assert_eq!(output.status.code(), Some(64), "{options:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
}

#[tokio::test]
async fn page_is_read_in_a_browser_when_asked() {
    let (site, folder) = site().await;
    let script = "<script>document.body.innerHTML += '<img src=/made.png alt=made>'</script>";
    site.on("/app", CannedResponse::html(format!("<!doctype html><title>App</title><p>Some words.{script}")));
    let shots = folder.path().join("shots");
    let config = folder.path().join("limner.toml");
    let mut settings = std::fs::read_to_string(&config).unwrap();
    settings.push_str(&format!("[objects]\nurl = \"file://{}\"\n", shots.display()));
    std::fs::write(&config, settings).unwrap();
    let out = folder.path().join("out");
    let asked = ["images", "http://site.test/app", "--json", "--render", "--screenshot", "true", "--out"];
    let asked = [&asked[..], &[out.to_str().unwrap()]].concat();
    let output = extract(folder.path(), &asked).await;
    assert!(output.status.success(), "{}", text(&output.stderr));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&result["count"], &result["images"][0]["alt"]), (&1.into(), &"made".into()));
    let name = result["screenshot"].as_str().unwrap().rsplit('/').next().unwrap();
    let png =
        walk(&shots).into_iter().find(|file| file.ends_with(name)).unwrap_or_else(|| panic!("{name} in {shots:?}"));
    let png = std::fs::read(png).unwrap();
    assert!(png.starts_with(b"\x89PNG"));
    assert_eq!(std::fs::read(out.join("screenshot.png")).unwrap(), png, "the screenshot is in the folder");
}

#[tokio::test]
async fn page_that_is_empty_or_refused_is_read_in_a_browser() {
    let (site, folder) = site().await;
    let app = "<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>";
    site.on("/app", CannedResponse::html(app));
    let made = "root.innerHTML = '<h1>Made by a script</h1><p>Some words to read.</p><img src=/made.png alt=made>'";
    site.on("/app.js", CannedResponse::new("text/javascript", made));
    site.on("/broken", CannedResponse::html(app.replace("app.js", "gone.js")));
    let guard =
        "<!doctype html><title>Just a moment</title><script>fetch('/pass').then(() => location = '/app')</script>";
    site.on("/guarded", CannedResponse::html(guard).status(403));
    let read = async |path: &str, more: &[&str]| {
        let url = format!("http://site.test{path}");
        let output = extract(folder.path(), &[&["images", &*url, "--json"], more].concat()).await;
        let result: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (result["count"].as_u64(), result["hint"].is_string(), text(&output.stderr))
    };
    let (count, has_hint, stderr) = read("/app", &[]).await;
    assert_eq!((count, has_hint), (Some(1), false), "{stderr}");
    let (count, has_hint, _) = read("/app", &["--no-browser"]).await;
    assert_eq!((count, has_hint), (Some(0), true));
    let (count, _, stderr) = read("/guarded", &[]).await;
    assert_eq!(count, Some(1), "{stderr}");
    let (count, _, stderr) = read("/guarded", &["--no-browser"]).await;
    assert!(count.is_none() && stderr.contains("target_blocked"), "{stderr}");
    // The browser finds nothing either: that is no result.
    let (count, _, stderr) = read("/broken", &[]).await;
    assert!(count.is_none() && stderr.contains("target_blocked"), "{stderr}");
    let (_, _, stderr) = read("/app", &["--no-browser", "--render"]).await;
    assert!(stderr.contains("cannot be used with"), "{stderr}");

    let config = folder.path().join("limner.toml");
    let settings = std::fs::read_to_string(&config).unwrap();
    for broken in ["enabled = false", "chromium = \"/no/such/browser\""] {
        std::fs::write(&config, format!("{settings}[renderer]\n{broken}\n")).unwrap();
        let (count, has_hint, stderr) = read("/app", &[]).await;
        assert_eq!((count, has_hint), (Some(0), true), "{broken}: {stderr}");
    }
}

/// Returns all files below a directory.
fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[tokio::test]
async fn page_failures_print_the_apis_error_body() {
    let (site, folder) = site().await;
    site.on("/gone", CannedResponse::html("<p>Nothing to see here, and a few words more.").status(404));
    let output = extract(folder.path(), &["images", "http://site.test/gone", "--json"]).await;
    assert_eq!(output.status.code(), Some(1));
    let body: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!((&body["error"], &body["statusCode"]), (&Value::Bool(true), &Value::from(422)));
    assert_eq!(body["data"]["code"], "target_error");
    assert!(output.stdout.is_empty());

    let (status, seen) = extract_on_terminal(folder.path(), &["images", "http://site.test/gone"]).await;
    assert_eq!(status, Some(1), "{seen}");
    assert!(seen.contains("limner: http://site.test/gone: The target answered with status 404."), "{seen}");
    assert!(seen.contains("(target_error)") && !seen.contains('{'), "{seen}");
}

#[tokio::test]
async fn closed_pipe_is_no_error() {
    let (_site, folder) = site().await;
    let config = folder.path().join("limner.toml");
    let binary = env!("CARGO_BIN_EXE_limner");
    let line = format!("{binary} extract images http://site.test/shop/ --config {} | true", config.display());
    let mut command = Command::new("bash");
    command.args(["-c", &format!("{line}; exit ${{PIPESTATUS[0]}}")]);
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}
