// A headless Chromium, controlled over a pipe with the DevTools protocol.
import { spawn } from 'node:child_process';

// The last flag: pretends that there is a mouse.
const ARGUMENTS = ['--headless', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--remote-debugging-pipe', '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4'];

/** Starts a browser as `user` (`{ uid, gid }`), since its sandbox does not work for root. */
export function start({ chromium, home, user }) {
  const stdio = ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'];
  const child = spawn(chromium, [...ARGUMENTS, `--user-data-dir=${home}/profile`, 'about:blank'], { ...user, cwd: home, env: { HOME: home }, stdio });
  const [, , , to, from] = child.stdio;
  const waiting = new Map();
  let last = 0, rest = '';
  from.setEncoding('utf8').on('data', chunk => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop();
    for (const message of messages) {
      const { id, result, error } = JSON.parse(message);
      const call = waiting.get(id);
      waiting.delete(id);
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result);
    }
  });
  const lost = new Promise((_, reject) => child.on('error', reject).on('exit', code => reject(new Error(`Chromium ended with ${code}`))));
  lost.catch(() => {});
  to.on('error', () => {});
  const send = (method, params = {}, sessionId) => {
    const id = ++last;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    to.write(JSON.stringify({ id, method, params, sessionId }) + '\0');
    return Promise.race([answer, lost]);
  };
  return { send, page: () => page(send), close: () => send('Browser.close').catch(() => child.kill('SIGKILL')) };
}

/** Opens a page with a desktop viewport. */
async function page(browser) {
  const { targetId } = await browser('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await browser('Target.attachToTarget', { targetId, flatten: true });
  const send = (method, params) => browser(method, params, sessionId);
  await Promise.all(['Page', 'DOM', 'CSS'].map(domain => send(`${domain}.enable`)));
  await send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false });
  await send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'light' }] });
  return {
    send,
    async show(html) {
      const { frameTree } = await send('Page.getFrameTree');
      await send('Page.setDocumentContent', { frameId: frameTree.frame.id, html });
    },
    async run(source, ...values) {
      const expression = `(${source})(...${JSON.stringify(values)})`;
      const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    },
    close: () => browser('Target.closeTarget', { targetId }),
  };
}
