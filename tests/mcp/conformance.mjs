// Runs the official conformance suite's server scenarios against a running server that requires a token, which the suite cannot send:
// a proxy adds it and changes nothing else. Its argument (JSON) has the URL, the token, the version of the suite with further options,
// and the file with the scenarios that are expected to fail.
import { spawn } from "node:child_process";
import http from "node:http";
import { fileURLToPath } from "node:url";

const { url, token, suite: version, more, expected, results } = JSON.parse(process.argv[2]);
const target = new URL(url);
const proxy = http.createServer((request, response) => {
  // Requests use the server's own host name; another one tested by the suite is passed on.
  const own = `${target.hostname}:${proxy.address().port}`;
  const rename = (value) => value?.replace(own, target.host).replace(`localhost:${proxy.address().port}`, `localhost:${target.port}`);
  const headers = { ...request.headers, host: rename(request.headers.host), authorization: `Bearer ${token}` };
  if (headers.origin) headers.origin = rename(headers.origin);
  const onward = http.request({ host: target.hostname, port: target.port, path: request.url, method: request.method, headers });
  onward.on("response", (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  request.pipe(onward);
});
await new Promise((ready) => proxy.listen(0, target.hostname, ready));

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const suite = here(`node_modules/${version}/dist/index.js`);
const through = `http://${target.hostname}:${proxy.address().port}${target.pathname}`;
const options = ["server", "--url", through, "--suite", "all", "-o", results, ...more];
if (expected) options.push("--expected-failures", here(expected));
const child = spawn(process.execPath, ["--import", here("globless.mjs"), suite, ...options], { stdio: "inherit" });
child.on("exit", (code) => process.exit(code ?? 1));
