// Signs in with an official TypeScript client, like a native app: discovery, registration, the user's browser, the callback. Its
// argument (JSON) has the URL and the client; URLs for the user to open are printed on standard output, the redirect URL is read from
// standard input.
import assert from "node:assert/strict";
import { createInterface } from "node:readline";

const { url, client: which, redirect } = JSON.parse(process.argv[2]);
const legacy = async () => ({
  ...await import("@modelcontextprotocol/sdk/client/index.js"),
  ...await import("@modelcontextprotocol/sdk/client/streamableHttp.js"),
});
const { Client, StreamableHTTPClientTransport } = which === "latest" ? await import("@modelcontextprotocol/client") : await legacy();
const told = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (what) => console.log(JSON.stringify(what));

const kept = {};
const authProvider = {
  redirectUrl: redirect,
  clientMetadata: {
    client_name: `The ${which} client`, redirect_uris: [redirect], grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"], token_endpoint_auth_method: "none",
  },
  state: () => "a state",
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client; },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens; },
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => { kept.verifier = verifier; },
  redirectToAuthorization: (to) => say({ open: to.href }),
};
const connected = async () => {
  const client = new Client({ name: "limner-test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(url), { authProvider });
  return { client, transport, connecting: client.connect(transport) };
};

const first = await connected();
await assert.rejects(first.connecting);
const answer = new URL((await told.next()).value).searchParams;
assert.equal(answer.get("state"), "a state");
await first.transport.finishAuth(answer.get("code"), answer.get("iss"));
const { client, connecting } = await connected();
await connecting;
const { tools } = await client.listTools();
say({ tools: tools.length, scope: kept.tokens.scope });

// A refresh, as after an hour: with an invalid token the client refreshes it by itself.
kept.tokens = { ...kept.tokens, access_token: "lm_access_of_an_hour_ago" };
assert.equal((await client.listTools()).tools.length, tools.length);
assert.notEqual(kept.tokens.access_token, "lm_access_of_an_hour_ago");
say({ refreshed: true });

// Disconnected: it has to request access again.
await told.next();
const isOut = () => client.listTools().then(() => false, () => true);
while (!await isOut()) await new Promise((resolve) => setTimeout(resolve, 50));
say({ out: true });
process.exit(0);
