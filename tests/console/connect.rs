//! Clients that sign in: from the MCP server's 401 to the console and back.

use crate::fleet;
use crate::sign_up_actor::{Person, attribute};
use limner_testkit::CannedResponse;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const REDIRECT: &str = "http://127.0.0.1:33418/callback";

/// The process of an official client.
struct SigningIn {
    child: Child,
    told: ChildStdin,
    said: BufReader<ChildStdout>,
}

impl SigningIn {
    fn start(url: &str, client: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("mcp");
        assert!(folder.join("node_modules").exists(), "npm packages are missing: run `make setup`");
        let what = json!({ "url": url, "client": client, "redirect": REDIRECT }).to_string();
        let mut command = Command::new("node");
        command.arg(folder.join("sign_in.mjs")).arg(what).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (told, said) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, told, said }
    }

    /// Returns its next output.
    fn next(&mut self) -> Value {
        let mut line = String::new();
        tokio::task::block_in_place(|| self.said.read_line(&mut line).unwrap());
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("the client has ended: {:?}", self.child.wait()))
    }

    fn write_line(&mut self, line: &str) {
        writeln!(self.told, "{line}").unwrap();
    }
}

impl Drop for SigningIn {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn official_clients_sign_in_refresh_and_are_disconnected() {
    let (fleet, url, mcp) = fleet(false).await;
    fleet.site.on("/", CannedResponse::html("<title>x</title>"));
    let mut person = Person::new(&url);
    person.sign_up("jane@example.org", &fleet.folder().join("data/mail")).await;
    for which in ["legacy", "latest"] {
        let mut client = SigningIn::start(&mcp, which);
        let open = client.next()["open"].as_str().unwrap().to_owned();
        let path = open.strip_prefix(&url).unwrap_or_else(|| panic!("{open} is not of the console")).to_owned();
        let page = person.get(&path).await;
        assert!(page.contains(&format!("The {which} client")) && page.contains("jane@example.org"), "{page}");
        let request = attribute(&page, "input[name=request]", "value");
        person.post("/oauth/authorize", &[("request", &request), ("decision", "allow")]).await;
        client.write_line(&person.location);
        let connected = client.next();
        assert_eq!(connected["tools"], 5, "{which}");
        // The newer one also requests `offline_access`.
        let scopes = connected["scope"].as_str().unwrap();
        assert!(scopes.split(' ').any(|scope| scope == "extract"), "{which}: {scopes}");
        assert_eq!(client.next(), json!({ "refreshed": true }), "{which}");

        let connections = person.get("/connections").await;
        let grant = attribute(&connections, "input[name=grant_id]", "value");
        person.post("/connections/revoke", &[("grant_id", &grant)]).await;
        client.write_line("cut off");
        // Before it gives up it asks its user again.
        let mut said = client.next();
        while said["out"].is_null() {
            assert!(said["open"].is_string(), "{said}");
            said = client.next();
        }
    }
}
