//! The packages of `sdk/`: what is generated of them is what the API's document says, and what is installed from them
//! calls a running fleet.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use limner_testkit::CannedResponse;
use limner_tests::{Cluster, Fleet, FleetOptions, has_node, limner_binary};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

const PAGE: &str = r#"<!doctype html><html lang=en><title>Lamps</title><meta name=description content="Lamps for every room">
    <style>:root{--ink:#123456}body{color:var(--ink);font:16px/1.5 Georgia,serif;margin:8px}h1{font-size:48px}
    a{background:#d9622b;color:#fff;padding:12px 24px}</style>
    <main><section id=hero><h1>Every lamp we make</h1><p>All the words that a hero needs to be one, and more.</p>
    <img src=/lamp.png alt="A lamp"><a href=/buy>Buy one</a></section></main>"#;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Returns a program of the packages' tools.
fn tool(path: &str) -> PathBuf {
    let tool = repository().join(path);
    assert!(tool.exists(), "{} is missing: run `make setup`", tool.display());
    tool
}

/// Runs a program; returns what it prints.
fn run(command: &mut Command) -> Vec<u8> {
    let output = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}:\n{out}\n{err}");
    output.stdout
}

/// Returns the files below a folder, by path.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(one) = folders.pop() {
        for entry in fs::read_dir(one).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn generated_files_are_those_of_the_document() {
    if !has_node() {
        eprintln!("Node 20 is not here: nothing was generated");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let document = folder.path().join("document.json");
    // The document of an installation that nobody has configured.
    fs::write(&document, run(Command::new(limner_binary()).arg("openapi").current_dir(folder.path()))).unwrap();
    let written = folder.path().join("sdk");
    let generator = repository().join("sdk/generate/generate.py");
    run(Command::new(tool(".tools/sdk/bin/python")).arg("-B").arg(generator).args([&document, &written]));
    let written = files(&written);
    assert!(written.len() > 8, "{:?}", written.keys());
    for (path, content) in written {
        let committed = fs::read(repository().join("sdk").join(&path)).unwrap_or_default();
        assert!(committed == content, "sdk/{} is not what the document says: run `make sdk`", path.display());
    }
}

/// Returns all blocks of that language in a README.
fn examples(readme: &str, language: &str) -> Vec<String> {
    let text = fs::read_to_string(repository().join(readme)).unwrap();
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).map(|block| block.split_once("```").unwrap().0.to_owned()).collect()
}

/// The packages, built and installed into a folder.
struct Packages {
    folder: tempfile::TempDir,
}

impl Packages {
    fn build() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let built = folder.path().join("built");
        run(Command::new(repository().join("sdk/build.sh")).arg(&built));
        let packages = Self { folder };
        for entry in fs::read_dir(&built).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            match name.split_once(concat!("-", env!("CARGO_PKG_VERSION"))).map(|(name, _)| name) {
                Some("limner-sdk") => packages.unpack(&path, "node_modules/@limner/sdk"),
                Some(name @ ("limner" | "n8n-nodes-limner")) => packages.unpack(&path, &format!("node_modules/{name}")),
                Some("limner_sdk") => packages.install(&path),
                _ => panic!("a package of another version, or that nobody tests: {name}"),
            }
        }
        packages
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn unpack(&self, tarball: &Path, place: &str) {
        let place = self.path(place);
        fs::create_dir_all(&place).unwrap();
        run(Command::new("tar").arg("xzf").arg(tarball).arg("--strip-components=1").arg("-C").arg(place));
    }

    fn install(&self, wheel: &Path) {
        let mut pip = Command::new(tool(".tools/sdk/bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--disable-pip-version-check"]);
        run(pip.arg("--target").arg(self.path("site")).arg(wheel));
    }

    fn python(&self) -> Command {
        let mut python = Command::new(tool(".tools/sdk/bin/python"));
        python.env("PYTHONPATH", self.path("site")).current_dir(self.folder.path());
        python
    }

    /// Compiles programs of the repository, and those that are in the folder already, into `out/`.
    fn compile(&self, programs: &[&str]) {
        for program in programs.iter().map(|program| repository().join(program)) {
            fs::copy(&program, self.path(program.file_name().unwrap().to_str().unwrap())).unwrap();
        }
        fs::write(self.path("package.json"), r#"{ "type": "module" }"#).unwrap();
        let config = json!({
            "extends": repository().join("sdk/typescript/tsconfig.json"),
            "compilerOptions": {
                "rootDir": ".", "outDir": "out", "declaration": false,
                "typeRoots": [tool("sdk/node_modules/@types")],
            },
            "include": ["*.ts"],
        });
        fs::write(self.path("tsconfig.json"), config.to_string()).unwrap();
        run(Command::new(tool("sdk/node_modules/.bin/tsc")).arg("-p").arg(self.folder.path()));
    }
}

/// The URL and the keys that programs call with.
struct Service {
    told: Value,
    key: String,
    url: String,
}

impl Service {
    fn new(fleet: &Fleet, package: &Path) -> Self {
        let document: Value =
            serde_json::from_slice(&fs::read(repository().join("sdk/openapi.json")).unwrap()).unwrap();
        let paths = document["paths"].as_object().unwrap().keys().map(|path| path.trim_start_matches('/'));
        let operations: Vec<&str> = paths.filter(|path| *path != "openapi.json").collect();
        let roomy = fleet.roomy_account().key;
        let suspended = fleet.account("business", &[]);
        fleet.admin(&["account", "suspend", &suspended.id]);
        let limited = fleet.account("business", &["--rpm", "1"]).key;
        let poor = fleet.account("business", &["--credits", "1", "--overage", "off"]).key;
        let patient = || fleet.account("business", &["--rpm", "1"]).key;
        let url = fleet.base_url.trim_end_matches("/v1").to_owned();
        let told = json!({
            "url": url,
            "operations": operations,
            "codes": document["components"]["schemas"]["ErrorCode"]["enum"],
            "keys": {
                "roomy": roomy, "suspended": suspended.key, "limited": limited, "poor": poor,
                "patient": patient(), "patientBlocking": patient(), "patientAsyncLimner": patient(),
            },
            "package": package,
        });
        Self { told, key: roomy, url }
    }

    /// Runs a test's program.
    fn check(&self, command: &mut Command) {
        run(command.arg(self.told.to_string()));
    }

    /// Runs an example of a README, with the variables that it tells the reader to set.
    fn run_example(&self, command: &mut Command) -> String {
        let output = run(command.env("LIMNER_API_KEY", &self.key).env("LIMNER_URL", &self.url));
        String::from_utf8(output).unwrap()
    }
}

/// Returns the examples of the console's guide to the packages as one program, about the page of this test.
fn guide(tab: &str) -> String {
    examples("services/console/guides/packages.md", tab).join("\n").replace("www.rust-lang.org", "http://site.test/")
}

fn check_typescript(packages: &Packages, service: &Service) {
    fs::write(packages.path("guide.ts"), guide("ts tab=TypeScript")).unwrap();
    fs::write(packages.path("example.ts"), &examples("sdk/typescript/README.md", "ts")[0]).unwrap();
    packages.compile(&["tests/sdk/calls.ts", "sdk/typescript/examples/save-tokens.ts"]);
    service.check(Command::new("node").arg(packages.path("out/calls.js")));
    let shown = service.run_example(Command::new("node").arg(packages.path("out/example.js")));
    assert!(shown.contains("@theme") && shown.contains("export default function"), "{shown}");
    let shown = service.run_example(Command::new("node").arg(packages.path("out/guide.js")));
    assert!(shown.starts_with('#') && shown.contains(" extract "), "a colour, and the calls: {shown}");
    service
        .run_example(Command::new("node").arg(packages.path("out/save-tokens.js")).current_dir(packages.path("out")));
    assert!(fs::read_to_string(packages.path("out/theme.css")).unwrap().contains("@theme"));
}

/// Calls the command line of npm where no `limner` is installed, and where one is.
fn check_npx(packages: &Packages, service: &Service) {
    let node = run(Command::new("sh").args(["-c", "command -v node"]));
    let bin = packages.path("node_modules/.bin");
    fs::create_dir_all(&bin).unwrap();
    std::os::unix::fs::symlink("../limner/limner.mjs", bin.join("limner")).unwrap();
    let npx = |args: &[&str], installed: &str| {
        let mut command = Command::new(String::from_utf8_lossy(&node).trim());
        // As npx sets it: the folder of this package's own command comes first.
        command.env("PATH", format!("{}:{installed}", bin.display())).arg(bin.join("limner")).args(args);
        command.env("LIMNER_API_KEY", &service.key).env_remove("LIMNER_URL").output().unwrap()
    };
    let page = "http://site.test/";
    let called = |args: &[&str]| {
        let output = npx(&[args, &["--api", service.url.as_str()]].concat(), "/nowhere");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let brand: Value = serde_json::from_str(&called(&["extract", "brand", page, "--fields=title,colors"])).unwrap();
    assert_eq!((brand["title"].as_str(), brand.get("fonts")), (Some("Lamps"), None));
    assert!(called(&["extract", "tokens", page, "--format", "css"]).contains("#123456"));
    let code = called(&["extract", "code", page, "--framework", "jsx", "--name", "Hero"]);
    assert!(code.contains("export") && !code.starts_with('{'), "{code}");
    assert!(called(&["extract", "code", page, "--json"]).starts_with('{'));
    assert!(called(&["--version"]).starts_with(concat!("limner ", env!("CARGO_PKG_VERSION"))));

    let api = ["--api", service.url.as_str()];
    for (args, status, said) in [
        (&["extract", "brand", page][..], 64, "LIMNER_URL"),
        (&["extract", "brands", page], 64, "brand, tokens"),
        (&["extract", "brand", page, "--out", "x"], 64, "--out"),
        (&["extract", "brand", page, "--fields"], 64, "needs a value"),
        (&["diff", page, page], 64, "installed program"),
        (&["extract", "brand", "http://site.test/forbidden", api[0], api[1]], 1, "refused"),
        (&["extract", "brand", page, "--api", "http://127.0.0.1:9"], 1, "cannot be reached"),
    ] {
        let output = npx(args, "/nowhere");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), stderr.contains(said)), (Some(status), true), "{args:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }

    let installed = packages.path("installed");
    fs::create_dir_all(&installed).unwrap();
    fs::write(installed.join("limner"), "#!/bin/sh\necho \"$@\"\nexit 7\n").unwrap();
    run(Command::new("chmod").arg("+x").arg(installed.join("limner")));
    let output = npx(&["diff", "a b", "--json"], installed.to_str().unwrap());
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(7), &b"diff a b --json\n"[..]));
}

fn check_python(packages: &Packages, service: &Service) {
    let calls = repository().join("tests/sdk/calls.py");
    let mut programs = vec![calls.clone(), repository().join("sdk/python/examples/compare_brands.py")];
    let readme = examples("README.md", "python");
    assert_eq!(readme.len(), 1, "the README's example");
    let texts = [examples("sdk/python/README.md", "python"), readme, vec![guide("python tab=Python")]].concat();
    for (n, text) in texts.into_iter().enumerate() {
        programs.push(packages.path(&format!("example_{n}.py")));
        fs::write(&programs[n + 2], text).unwrap();
    }
    let mut mypy = packages.python();
    mypy.args(["-m", "mypy", "--strict", "--cache-dir"]).arg(packages.path("mypy"));
    run(mypy
        .env("MYPYPATH", packages.path("site"))
        .arg(packages.path("site/limner"))
        .args(&programs)
        .arg(repository().join("tests/sdk/outage.py")));
    service.check(packages.python().arg(calls));
    let shown: Vec<String> =
        programs[1..].iter().map(|program| service.run_example(packages.python().arg(program))).collect();
    assert!(shown[0].contains("http://demo.limner.test/ #"), "{shown:?}");
    assert!(shown[1].contains("@theme"), "{shown:?}");
    let [.., readme, guide] = &shown[..] else { panic!("{shown:?}") };
    assert!(readme.contains("#d9622b"), "the colours of the demo page: {readme}");
    assert!(guide.starts_with('#') && guide.contains("extract"), "a colour, and the calls: {guide}");
}

/// The clients that give up a call, each of a page of its own.
const LATE_CLIENTS: [&str; 3] = ["typescript", "Blocking", "AsyncLimner"];

#[tokio::test(flavor = "multi_thread")]
async fn installed_packages_call_a_running_fleet() {
    if !has_node() {
        eprintln!("Node 20 is not here: the packages were not built");
        return;
    }
    let packages = tokio::task::spawn_blocking(Packages::build);
    // No page of this test takes long but the one that has to.
    let extra_config = "[limits]\nstatic_read = \"4s\"\n".to_owned();
    let fleet = Fleet::start_with(FleetOptions { extra_config, ..FleetOptions::default() }).await;
    fleet.site.on("/", CannedResponse::html(PAGE));
    fleet.site.on("/slow", CannedResponse::html(PAGE).after(Duration::from_secs(60)));
    for client in LATE_CLIENTS {
        fleet.site.on(&format!("/late/{client}"), CannedResponse::html(PAGE).after(Duration::from_millis(1500)));
    }
    fleet.site.on("/forbidden", CannedResponse::html("No.").status(403));
    fleet.site.on("/broken", CannedResponse::html("Oh.").status(500));
    fleet.site.on("/document.pdf", CannedResponse::new("application/pdf", "%PDF-1.7"));
    let packages = packages.await.unwrap();
    let service = Service::new(&fleet, &packages.path("node_modules/n8n-nodes-limner"));
    tokio::task::block_in_place(|| {
        std::thread::scope(|scope| {
            scope.spawn(|| check_typescript(&packages, &service));
            scope.spawn(|| check_npx(&packages, &service));
            scope.spawn(|| {
                for program in ["postman.mjs", "n8n.mjs"] {
                    service.check(Command::new("node").arg(repository().join("tests/sdk").join(program)));
                }
            });
            check_python(&packages, &service);
        });
    });
    for client in LATE_CLIENTS {
        assert_eq!(fleet.site.count(&format!("/late/{client}")), 1, "{client}: the call that was given up went on");
    }
}

/// Starts the programs that call while a part of the fleet is away.
fn start_callers(packages: &Packages, cluster: &Cluster, key: &str) -> Vec<Child> {
    let url = cluster.base_url.trim_end_matches("/v1");
    let mut typescript = Command::new("node");
    typescript.arg(packages.path("out/outage.js"));
    let mut python = packages.python();
    python.arg(repository().join("tests/sdk/outage.py"));
    [typescript, python].iter_mut().map(|program| program.args([url, key]).spawn().unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn installed_packages_repeat_calls_until_the_fleet_is_whole_again() {
    if !has_node() {
        eprintln!("Node 20 is not here: the packages were not built");
        return;
    }
    let packages = tokio::task::spawn_blocking(Packages::build);
    let mut cluster = Cluster::start(1).await;
    cluster.site.fallback(|_| CannedResponse::html(PAGE));
    let packages = packages.await.unwrap();
    packages.compile(&["tests/sdk/outage.ts"]);
    let account = cluster.roomy_account();

    cluster.metering.kill();
    let mut callers = start_callers(&packages, &cluster, &account.key);
    // Three clients, that of TypeScript and both of Python: each sees the error, and then repeats its call.
    while cluster.log("gateway").matches("\"call.code\":\"internal_error\"").count() < 6 {
        assert!(callers.iter_mut().all(|caller| caller.try_wait().unwrap().is_none()), "no caller ends before");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    cluster.gateway.kill();
    cluster.metering = cluster.start_role("metering");
    cluster.gateway = cluster.start_role("gateway");
    let ended = tokio::task::spawn_blocking(move || {
        callers.into_iter().map(|mut caller| caller.wait().unwrap().success()).collect::<Vec<_>>()
    });
    assert_eq!(ended.await.unwrap(), [true, true]);
    let account = cluster.admin(&["account", "show", &account.id]);
    assert_eq!(account["spent_this_month"], 3, "each client's call is charged once");
}
