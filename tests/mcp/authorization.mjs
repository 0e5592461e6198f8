// Runs the official conformance suite's scenarios for authorization servers (available from the pre-release of its next version
// on). Its argument (JSON) has the issuer, a client registered there, the resource, and the port of the client's callback; URLs for
// the user to open are printed on standard output.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const { issuer, client, resource, port } = JSON.parse(process.argv[2]);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const suite = here("node_modules/conformance-next/dist/index.js");
const options = ["authorization", "--url", issuer, "--client-id", client, "--resource", resource, "--port", String(port)];
const child = spawn(process.execPath, ["--import", here("globless.mjs"), suite, ...options], { stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
process.on("SIGTERM", () => child.kill());
