// Walks through the console in Chromium like a user: signs up, makes calls, manages keys, upgrades, buys, tries nine operations,
// signs out; audits every page with axe-core; and takes the screenshots of the documentation.
//
//   node walk.mjs '{"url": "...", "mail": "DIR", "pictures": "DIR", "chromium": "...", "site": "..."}'
import { chromium } from "playwright-core";
import { readFileSync, readdirSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:http";

const told = JSON.parse(process.argv[2]);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const operations = ["code", "brand", "extract", "images", "svg", "videos", "audio", "lottie", "fonts"];
const violations = [];
const violate = (text) => { violations.push(text); console.log(`violation ${text}`); };
mkdirSync(told.pictures, { recursive: true });

const browser = await chromium.launch({
  executablePath: told.chromium, chromiumSandbox: true,
  // There is no graphics card: without a GPU process, one thing less can hang.
  args: ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Fails instead of waiting for ever. */
function within(seconds, what, promise) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`${what} took over ${seconds} s`)), seconds * 1000); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** A user with a separate browser. */
async function person(size, scheme = "light") {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme: scheme, permissions: ["clipboard-read", "clipboard-write"] });
  const page = await within(120, "the first page", context.newPage());
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (line) => { if (line.type() === "error" && !/Failed to load resource/.test(line.text())) page.errors.push(line.text()); });
  page.on("dialog", (dialog) => dialog.accept());
  return page;
}

/** Checks that a page has no accessibility violation, no horizontal scrolling and no console errors. */
async function look(page, name, picture) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { iframes: false, resultTypes: ["violations"] }));
  for (const violation of found.violations) {
    violate(`${name}: ${violation.id}: ${violation.help}: ${violation.nodes.slice(0, 3).map((node) => node.html).join(" | ")}`);
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) violate(`${name}: scrolls sideways by ${wide} px`);
  const hidden = await page.evaluate(outside);
  if (hidden.length) violate(`${name}: not in view: ${hidden.join(", ")}`);
  for (const error of page.errors.splice(0)) violate(`${name}: ${error}`);
  if (picture) await page.screenshot({ path: join(told.pictures, `${picture}.png`), fullPage: false });
}

/** Runs in the page: returns what a visitor must see without scrolling sideways, and does not: the current item of the
 * navigation, and today in charts. */
function outside() {
  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      const { overflowX } = getComputedStyle(parent), frame = parent.getBoundingClientRect();
      if (overflowX !== "visible" && (box.left < frame.left - 1 || box.right > frame.right + 1)) return false;
    }
    return box.width > 0 && box.left >= -1 && box.right <= document.documentElement.clientWidth + 1;
  };
  const current = [...document.querySelectorAll("nav.main [aria-current=page]")].filter((item) => !isSeen(item)).map((item) => item.textContent);
  const charts = [...document.querySelectorAll(".scroll.latest")].filter((chart) => {
    const ends = [...chart.querySelectorAll("rect")].map((mark) => ({ mark, right: mark.getBoundingClientRect().right }));
    const last = ends.sort((a, b) => b.right - a.right)[0];
    return last && !isSeen(last.mark);
  });
  return [...current, ...charts.map((chart) => `today in ${chart.getAttribute("aria-label")}`)];
}

const mails = () => readdirSync(told.mail).filter((name) => !name.startsWith(".")).sort();

/** Returns the link of the next mail to an address. */
async function link(email) {
  for (let waited = 0; waited < 300; waited++) {
    try {
      for (const name of mails().reverse()) {
        const mail = readFileSync(join(told.mail, name), "utf8").replaceAll("=\r\n", "").replaceAll("=3D", "=");
        if (mail.includes(`To: ${email}`)) return mail.match(/http\S+\/enter\?link=\S+/)[0];
      }
    } catch (cause) { if (!["ENOENT", "EACCES"].includes(cause.code)) throw cause; }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`no mail to ${email}`);
}

async function signUp(page, email, password) {
  await page.goto(told.url + "/sign-up");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Check your e-mail" }).waitFor();
  await page.goto(await link(email));
  await page.getByRole("button", { name: "Confirm" }).click();
  return page.getByLabel("API key").inputValue();
}

async function call(key, path = "/v1/images") {
  const answer = await fetch(`${told.api}${path}?url=${encodeURIComponent(told.site)}`, { headers: { authorization: `Bearer ${key}` } });
  return answer.status;
}

async function play(page, operation) {
  await page.goto(told.url + "/playground");
  await page.getByRole("radio", { name: new RegExp(`^${{ code: "Component", brand: "Brand", extract: "Tokens", images: "Images", svg: "SVG", videos: "Videos", audio: "Audio", lottie: "Lottie", fonts: "Fonts" }[operation]}`) }).check();
  await page.getByLabel("Page", { exact: true }).fill(told.site);
  await page.getByRole("button", { name: "Extract" }).click();
  await page.getByRole("heading", { name: "Result" }).waitFor({ timeout: 90_000 });
  const fault = await page.locator("#result .fault").count();
  assert.equal(fault, 0, `${operation}: ${fault && await page.locator("#result .fault").first().textContent()}`);
}

/** A local client, which is authorized by keyboard and disconnected again. */
async function connect(page, size) {
  const metadata = await (await fetch(`${told.url}/.well-known/oauth-authorization-server`)).json();
  const [resource] = metadata.protected_resources;
  let tell;
  const answered = new Promise((resolve) => { tell = resolve; });
  const server = createServer((request, response) => {
    response.end("You can close this page.");
    const url = new URL(request.url, "http://127.0.0.1");
    if (url.pathname === "/callback") tell(url.searchParams);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const redirect = `http://127.0.0.1:${server.address().port}/callback`;
  const registered = await (await fetch(metadata.registration_endpoint, {
    method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Walking client", redirect_uris: ["http://127.0.0.1/callback"] }),
  })).json();
  const verifier = randomBytes(32).toString("base64url");
  const request = new URLSearchParams({
    response_type: "code", client_id: registered.client_id, redirect_uri: redirect, state: "s", resource, scope: "extract",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"), code_challenge_method: "S256",
  });
  await page.goto(`${metadata.authorization_endpoint}?${request}`);
  await page.getByRole("heading", { name: "Walking client" }).waitFor();
  await look(page, `${size} consent`, `consent-${size}`);
  await page.getByRole("button", { name: "Allow", exact: true }).focus();
  await page.keyboard.press("Enter");
  const answer = await answered;
  // The server gets the request before the browser shows the page.
  await page.getByText("You can close this page.").waitFor();
  assert.equal(answer.get("iss"), metadata.issuer);
  const tokens = await (await fetch(metadata.token_endpoint, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code", code: answer.get("code"), client_id: registered.client_id, redirect_uri: redirect,
      code_verifier: verifier, resource,
    }),
  })).json();
  assert.ok(tokens.access_token, JSON.stringify(tokens));
  await page.goto(told.url + "/connections");
  await page.getByText("Walking client").first().waitFor();
  await look(page, `${size} connections, one`, `connections-${size}`);
  await page.getByRole("button", { name: "Disconnect Walking client" }).click();
  await page.getByText("The client is disconnected").waitFor();
  server.closeAllConnections();
  server.close();
}

async function walk(size) {
  const page = await person(size);
  const email = `${size}@example.org`;
  const picture = (name) => `${name}-${size}`;
  await page.goto(told.url);
  await look(page, `${size} landing`, picture("landing"));
  for (const path of ["/sign-in", "/sign-up", "/pricing", "/status", "/docs", "/docs/reference", "/docs/reference/brand", "/docs/reference/code", "/docs/guides/brand", "/docs/errors", "/docs/changelog", "/docs/guides/start", "/docs/guides/credits", "/docs/guides/agents", "/nowhere"]) {
    await page.goto(told.url + path);
    await look(page, `${size} ${path}`, { "/pricing": picture("pricing"), "/docs/reference": picture("reference") }[path]);
  }

  await page.goto(told.url + "/docs/guides/start");
  await page.getByLabel("Search the documentation").pressSequentially("evidence confidence");
  await page.locator("#found a").first().waitFor();
  await look(page, `${size} search`);

  const key = await signUp(page, email, "four unrelated wooden words");
  await look(page, `${size} welcome`);
  assert.equal(await call(key), 200, "the first key works");
  await page.goto(told.url + "/");
  await look(page, `${size} overview`);

  // Keys, by keyboard.
  await page.goto(told.url + "/keys");
  await page.getByLabel("Name of a new key").focus();
  await page.keyboard.type("Second");
  await page.keyboard.press("Enter");
  const second = await page.getByLabel("API key").inputValue();
  await page.getByRole("button", { name: "Copy" }).first().click();
  assert.equal(await call(second), 200);
  await look(page, `${size} new key`);
  await page.goto(told.url + "/keys");
  await look(page, `${size} keys`, picture("keys"));
  await page.getByRole("button", { name: "Revoke Second" }).click();
  await page.getByText("The key is revoked").waitFor();
  for (let waited = 0; await call(second) !== 401; waited++) assert.ok(waited < 200, "a revoked key stops working");
  assert.equal(await call(key), 200, "the other one goes on");

  // Plan, pack, overage: the test approves orders, as the operator.
  await page.goto(told.url + "/billing");
  await look(page, `${size} billing`, picture("billing"));
  await page.getByRole("link", { name: "Yearly" }).click();
  await page.getByText("€190").first().waitFor();
  await page.getByRole("button", { name: "Upgrade to Growth, yearly" }).click();
  await look(page, `${size} order`);
  await page.getByRole("button", { name: "Order with obligation to pay" }).click();
  await page.getByText("The order is placed").waitFor();
  await page.getByRole("button", { name: "Buy Starter" }).click();
  await page.getByRole("button", { name: "Order with obligation to pay" }).click();
  await page.getByText("The order is placed").waitFor();
  console.log(`approve ${email}`);
  for (let waited = 0; ; waited++) {
    await page.goto(told.url + "/billing");
    const text = await page.locator("main").innerText();
    if (text.includes("You are on Growth") && text.includes("1,500 credits")) break;
    assert.ok(waited < 300, `the orders take effect: ${text}`);
    await page.waitForTimeout(200);
  }
  await look(page, `${size} billing, paid`);
  await page.getByRole("button", { name: "Switch overage off" }).click();
  await page.getByText("Overage billing is off: calls stop").waitFor();

  for (const operation of operations) {
    await play(page, operation);
    if (operation === "code") {
      const frame = page.frameLocator("iframe[name=preview]");
      await frame.locator("body *").first().waitFor({ timeout: 15_000 }).catch(() => violate(`${size}: no preview`));
      await page.getByRole("tab", { name: "Preview" }).focus();
      await page.keyboard.press("ArrowRight");
      assert.equal(await page.getByRole("tab", { name: "tailwind" }).getAttribute("aria-selected"), "true");
      // Code is highlighted when it is seen.
      await page.locator("#code .hljs-tag").first().waitFor({ timeout: 5_000 }).catch(() => violate(`${size} code: the code is not highlighted`));
      await page.keyboard.press("ArrowLeft");
      // The result has an address of its own.
      await page.goto(page.url());
      await page.getByRole("heading", { name: "Result" }).waitFor();
      assert.match(await page.locator(".facts-line").innerText(), /0 credits/, "it is free to look again");
    }
    if (operation === "extract") {
      const shadow = page.locator("[data-property=boxShadow]").first();
      if (await shadow.count()) assert.notEqual(await shadow.evaluate((mark) => getComputedStyle(mark).boxShadow), "none");
      const swatch = page.locator(".swatches li").first();
      const hex = await swatch.locator("[data-value]").textContent();
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      const empty = () => page.evaluate(() => navigator.clipboard.writeText(""));
      for (const copy of [
        () => swatch.click({ position: { x: 20, y: 20 } }),
        () => swatch.getByRole("button", { name: hex }).press("Enter"),
      ]) {
        await empty();
        await copy();
        await swatch.getByRole("button", { name: "Copied" }).waitFor();
        assert.equal(await clipboard(), hex);
        await swatch.getByRole("button", { name: hex }).waitFor();
      }
    }
    if (operation === "lottie" && await page.locator("iframe[data-player]").count()) {
      await page.frameLocator("iframe[data-player]").first().locator("#stage svg").waitFor({ timeout: 15_000 });
    }
    await page.evaluate(() => document.querySelector("#result-h").scrollIntoView());
    await look(page, `${size} ${operation}`, { brand: picture("playground-brand"), code: size === "phone" ? picture("playground-code") : undefined, images: picture("playground-images") }[operation]);
  }
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined, "nothing of a page runs here");

  await page.goto(told.url + "/");
  await look(page, `${size} overview, used`, picture("overview"));
  await page.goto(told.url + "/usage");
  await look(page, `${size} usage`, picture("usage"));
  if (!(await page.locator("[data-moment] time[datetime$=Z]").count())) violate(`${size} usage: times are not in the zone of the reader`);
  await page.locator("table a.mono").first().click();
  await page.getByRole("heading", { name: "One call" }).waitFor();
  await look(page, `${size} call`);
  const callAddress = page.url();
  for (const path of ["/account", "/connections"]) {
    await page.goto(told.url + path);
    await look(page, `${size} ${path}`, path === "/account" ? picture("account") : undefined);
  }

  await connect(page, size);

  // Another user sees none of it.
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You have signed out").waitFor();
  await signUp(page, `other-${email}`, "four unrelated wooden words");
  assert.equal((await page.goto(callAddress)).status(), 404);
  await page.goto(told.url + "/usage");
  await page.getByText("No calls yet").waitFor();
  await page.goto(told.url + "/account");
  assert.ok(!(await page.locator("main").innerText()).includes(`\n${email}`));
  await page.getByRole("button", { name: "Sign out" }).click();

  await page.goto(told.url + "/sign-in");
  await page.getByLabel("E-mail", { exact: true }).fill(email);
  await page.getByLabel("Password").fill("four unrelated wooden words");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  return page;
}

/** Visits the same pages in the dark theme, for their contrast and the screenshots. */
async function dark(page) {
  await page.emulateMedia({ colorScheme: "dark" });
  for (const [path, picture] of [["/", "overview-dark"], ["/billing", undefined], ["/keys", undefined], ["/usage", undefined], ["/account", undefined], ["/docs/reference/brand", undefined], ["/status", "status-dark"], ["/playground", undefined]]) {
    await page.goto(told.url + path);
    await look(page, `dark ${path}`, picture);
  }
  await play(page, "extract");
  await page.evaluate(() => document.querySelector("#result-h").scrollIntoView());
  await look(page, "dark extract", "playground-tokens-dark");
  await page.emulateMedia({ colorScheme: "light" });
}

for (const size of Object.keys(sizes)) {
  const page = await walk(size);
  if (size === "desktop") await dark(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.context().close();
}
await browser.close();
console.log(`done, ${violations.length} violations`);
process.exitCode = violations.length ? 1 : 0;
