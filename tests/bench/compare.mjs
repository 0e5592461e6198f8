// Measures the time of other tools for one page, a median in milliseconds:
//   node compare.mjs analyzer ALL.css                            an analyser of stylesheets; all of the page's in one
//   node compare.mjs chromium PAGE.html LINKED.css EXECUTABLE    a browser; one link to the page's external stylesheets
//                                                                replaces its own links
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { analyze } from '@projectwallace/css-analyzer';

const RUNS = 9;
const [what, ...files] = process.argv.slice(2);

/** Returns the median of some runs, after a warm-up. */
async function median(run) {
  const times = [];
  for (let n = 0; n <= RUNS; n++) {
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.slice(1).sort((a, b) => a - b)[RUNS >> 1];
}

/** Returns every declared value by property, with its count. Runs in the page. */
function declared() {
  const values = {};
  const walk = rules => {
    for (const rule of rules) {
      for (const property of rule.style || []) {
        const counts = (values[property] ||= {});
        const value = rule.style.getPropertyValue(property);
        counts[value] = (counts[value] || 0) + 1;
      }
      if (rule.cssRules) walk(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) walk(sheet.cssRules);
  return values;
}

async function inBrowser(htmlFile, linkedFile, chromium) {
  let links = 0;
  const html = readFileSync(htmlFile, 'utf8').replace(/<link\b[^>]*\brel=["']?stylesheet\b[^>]*>/gi, () =>
    links++ ? '' : '<link rel=stylesheet href="/linked.css">');
  const linked = readFileSync(linkedFile, 'utf8');
  const { launch } = await import('puppeteer-core');
  const server = createServer((request, response) => {
    const [type, body] = { '/': ['text/html; charset=utf-8', html], '/linked.css': ['text/css', linked] }[request.url] || [];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type || 'text/plain' });
    response.end(body);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  // Whatever is elsewhere is not there, at once.
  const args = ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  const browser = await launch({ executablePath: chromium, headless: true, args });
  try {
    return await median(async () => {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${server.address().port}/`, { waitUntil: 'load' });
      await page.evaluate(declared);
      await page.close();
    });
  } finally {
    await browser.close();
    server.close();
  }
}

if (what === 'chromium') {
  console.log(await inBrowser(...files));
} else {
  const css = readFileSync(files[0], 'utf8');
  console.log(await median(() => analyze(css)));
}
