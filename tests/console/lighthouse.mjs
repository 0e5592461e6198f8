// Audits the console's main pages with Lighthouse, as a phone and as a desktop.
//
//   node lighthouse.mjs '{"url": "...", "email": "...", "password": "...", "profile": "DIR", "chromium": "..."}'
import { launch } from "chrome-launcher";
import lighthouse, { desktopConfig } from "lighthouse";
import { mkdirSync } from "node:fs";
import { connect } from "puppeteer-core";

// Other load counts for the performance alone.
const LEAST = { performance: 0.95, accessibility: 1, "best-practices": 1 };
const told = JSON.parse(process.argv[2]);
const anybody = ["/", "/sign-up", "/sign-in", "/pricing", "/status", "/docs", "/docs/reference", "/docs/reference/brand", "/docs/guides/agents"];
const member = ["/", "/keys", "/usage", "/billing", "/connections", "/playground", "/account"];
const categories = Object.keys(LEAST);

mkdirSync(told.profile, { recursive: true });
const chrome = await launch({
  chromePath: told.chromium, userDataDir: told.profile, logLevel: "error", ignoreDefaultFlags: true,
  chromeFlags: ["--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
let faults = 0;
const score = (lhr) => categories.map((name) => lhr.categories[name].score);

async function run(path, device) {
  // Keeps the cookies of the signed-in user.
  const flags = { port: chrome.port, logLevel: "error", onlyCategories: categories, disableStorageReset: true };
  const measure = () => lighthouse(told.url + path, flags, device === "desktop" ? desktopConfig : undefined);
  let { lhr } = await measure();
  // Its recording of the trace failed and has no figures; Lighthouse asks for another run.
  if (lhr.runtimeError?.code === "NO_NAVSTART") ({ lhr } = await measure());
  if (lhr.runtimeError) throw new Error(`${path}: ${lhr.runtimeError.message}`);
  if (new URL(lhr.finalDisplayedUrl).pathname !== path) throw new Error(`${path} led to ${lhr.finalDisplayedUrl}`);
  return lhr;
}

/** Other load on the machine affects the performance: a page that seems slow is audited three times, and the median counts. */
async function look(path, who, device) {
  const runs = [await run(path, device)];
  if (score(runs[0])[0] < LEAST.performance) runs.push(await run(path, device), await run(path, device));
  runs.sort((one, other) => score(one)[0] - score(other)[0]);
  const lhr = runs[runs.length >> 1];
  console.log(`${device} ${who} ${path}: ${score(lhr).map((value) => Math.round(value * 100)).join(" ")}${runs.length > 1 ? " (median of three)" : ""}`);
  categories.forEach((name, index) => {
    if (score(lhr)[index] >= LEAST[name]) return;
    faults += 1;
    const bad = lhr.categories[name].auditRefs.map(({ id, weight }) => ({ weight, ...lhr.audits[id] })).filter((audit) => audit.weight > 0 && audit.score !== null && audit.score < 0.9);
    console.log(`fault ${device} ${who} ${path} ${name}: ${bad.map((audit) => `${audit.id} (${audit.displayValue ?? audit.title})`).join("; ")}`);
  });
}

const devices = ["phone", "desktop"];
async function signIn() {
  const browser = await connect({ browserURL: `http://127.0.0.1:${chrome.port}` });
  const page = await browser.newPage();
  await page.goto(`${told.url}/sign-in`);
  await page.type("form[action='/sign-in'] [name=email]", told.email);
  await page.type("form[action='/sign-in'] [name=password]", told.password);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  await page.close();
  await browser.disconnect();
}

try {
  for (const device of devices) for (const path of anybody) await look(path, "anybody", device);
  await signIn();
  for (const device of devices) for (const path of member) await look(path, "member", device);
} finally {
  chrome.kill();
}
console.log(`done, ${faults} faults`);
process.exitCode = faults ? 1 : 0;
