// The official conformance suite's scenarios for authorization servers (the suite has them from the pre-release of its next
// version on). Told by its argument (JSON) the issuer, a client that is registered there, the resource, and the port at which
// the client waits for its user; what the user is to open goes to standard output.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const { issuer, client, resource, port } = JSON.parse(process.argv[2]);
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const suite = here("node_modules/conformance-next/dist/index.js");
const options = ["authorization", "--url", issuer, "--client-id", client, "--resource", resource, "--port", String(port)];
const child = spawn(process.execPath, ["--import", here("globless.mjs"), suite, ...options], { stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
process.on("SIGTERM", () => child.kill());
