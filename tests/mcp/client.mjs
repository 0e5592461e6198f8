// Runs the official TypeScript clients, of this protocol revision and the previous one, against a running server. Its argument (JSON)
// has URL and token; prints the results as JSON.
import assert from "node:assert/strict";
import * as modern from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const { url, token, page } = JSON.parse(process.argv[2]);
const options = (token) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } });
const who = { name: "limner-test", version: "1.0.0" };

/** The common functions of both clients, by the same names. */
async function use(client, progress) {
  const { tools } = await client.listTools();
  assert.equal(tools.length, 5);
  for (const tool of tools) assert.ok(tool.title && tool.outputSchema && tool.annotations.readOnlyHint, tool.name);
  // The client validates the structured content with the tool's output schema.
  const brand = await client.callTool({ name: "extract_brand", arguments: { url: page } });
  assert.ok(!brand.isError, brand.content[0].text);
  assert.equal(brand.structuredContent.title, "Lamps");
  for (const [name, more] of [
    ["extract_design_tokens", {}],
    ["extract_design_tokens", { format: "tailwind" }],
    ["extract_code", { framework: "jsx" }],
    ["extract_svgs", {}],
    ["extract_assets", { kinds: ["images", "videos", "audio", "lottie", "fonts"] }],
  ]) {
    const result = await client.callTool({ name, arguments: { url: page, ...more } });
    assert.ok(!result.isError && result.content[0].text, `${name}: ${JSON.stringify(result)}`);
  }
  const wrong = await client.callTool({ name: "extract_brand", arguments: { url: "http://localhost/" } });
  assert.ok(wrong.isError && wrong.content[0].text.includes("Next: "), JSON.stringify(wrong));
  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources[0].uri });
  assert.ok(JSON.parse(read.contents[0].text).url, read);
  const { prompts } = await client.listPrompts();
  const prompt = await client.getPrompt({ name: prompts[0].name, arguments: { url: page } });
  assert.ok(prompt.messages[0].content.text.includes(page));
  await progress();
}

async function legacy() {
  const client = new Client(who);
  const transport = new StreamableHTTPClientTransport(new URL(url), options(token));
  await client.connect(transport);
  assert.equal(client.getServerVersion().name, "limner");
  const heard = [];
  await use(client, async () => {
    const arguments_ = { url: `${page}slow`, fresh: true };
    const call = { name: "extract_svgs", arguments: arguments_ };
    await client.callTool(call, undefined, { onprogress: (progress) => heard.push(progress) });
    assert.ok(heard.length > 0 && heard[0].message.includes("slow"), JSON.stringify(heard));
    const stop = new AbortController();
    const stopped = client.callTool(call, undefined, { signal: stop.signal });
    stop.abort("enough");
    await assert.rejects(stopped);
  });
  const version = transport.protocolVersion;
  await client.close();
  return version;
}

async function latest() {
  const client = new modern.Client(who, { versionNegotiation: { mode: "auto" } });
  await client.connect(new modern.StreamableHTTPClientTransport(new URL(url), options(token)));
  const heard = [];
  await use(client, async () => {
    const call = { name: "extract_svgs", arguments: { url: `${page}slow`, fresh: true } };
    await client.callTool(call, { onprogress: (progress) => heard.push(progress) });
    assert.ok(heard.length > 0, "progress");
  });
  const version = client.getNegotiatedProtocolVersion();
  await client.close();
  return version;
}

async function stranger() {
  const client = new Client(who);
  const transport = new StreamableHTTPClientTransport(new URL(url), options("nonsense"));
  await assert.rejects(client.connect(transport), (fault) => fault.code === 401 || /401|unauthorized|invalid_token/i.test(String(fault)));
}

await stranger();
console.log(JSON.stringify({ legacy: await legacy(), latest: await latest() }));
// Keep-alive connections would keep the process running.
process.exit(0);
