// Calls a running fleet and a server with prepared responses through the TypeScript package, as its users install it.
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as sdk from '@limner/sdk';
import { ApiError, ConnectionError, Limner, LimnerError, RequestTimeoutError, UnknownResponseError } from '@limner/sdk';

interface Told {
  url: string;
  operations: string[];
  codes: string[];
  keys: { roomy: string; suspended: string; limited: string; poor: string; patient: string };
}

const told = JSON.parse(process.argv[2] ?? '') as Told;
const page = 'http://site.test/';
const client = (apiKey: string) => new Limner({ apiKey, baseUrl: told.url });
const limner = client(told.keys.roomy);

async function operations(): Promise<void> {
  for (const operation of told.operations) {
    const method = (limner as unknown as Record<string, (query: object) => Promise<{ usage: object }>>)[operation];
    assert.equal(typeof method, 'function', operation);
    const result = await method!.call(limner, operation === 'usage' ? {} : { url: page });
    assert.ok(result.usage, operation);
  }
  const brand = await limner.brand({ url: page, fields: ['title', 'colors'] });
  assert.equal(brand.title, 'Lamps');
  assert.equal(brand.fonts, undefined);
  assert.equal(brand.usage.cached, true);
  const code = await limner.code({ url: page, framework: 'jsx', language: 'ts', name: 'Hero' });
  assert.match(code.code ?? '', /export .* Hero\b/);
  const images = await limner.images({ url: page });
  assert.equal(images.images?.[0]?.url, 'http://site.test/lamp.png');
  // The type of a result follows from the format.
  const tokens = await limner.extract({ url: page });
  assert.ok(tokens.colors?.['#123456']);
  const css: string = await limner.extract({ url: page, format: 'css' });
  assert.match(css, /#123456/);
  const theme: string = await limner.extract({ url: page, format: 'tailwind' });
  assert.match(theme, /@theme/);
  const dtcg: sdk.DesignTokensFile = await limner.extract({ url: page, format: 'dtcg' });
  assert.ok('color' in dtcg);
}

async function history(): Promise<void> {
  const { calls } = await limner.usage({ limit: 7 });
  assert.equal(calls.length, 7);
  // Hits are recorded a moment later: the history may have become longer meanwhile.
  const ids = new Set<string>();
  for await (const call of limner.usageCalls({ limit: 3 })) ids.add(call.requestId);
  for (const call of calls) assert.ok(ids.has(call.requestId), call.operation);
}

/** A class of errors. */
type Kind = new (...details: never[]) => LimnerError;

async function failure(call: Promise<unknown>): Promise<LimnerError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof LimnerError, String(error));
    return error;
  }
  throw new Error('the call did not fail');
}

async function errors(): Promise<void> {
  const once = { maxRetries: 0 };
  const cases: Record<string, [Kind, () => Promise<unknown>]> = {
    invalid_request: [sdk.InvalidRequestError, () => limner.code({ url: page, theme: 'blue' as 'dark' })],
    invalid_api_key: [sdk.InvalidApiKeyError, () => client('lm_live_wrong').usage()],
    billing_issue: [sdk.BillingIssueError, () => client(told.keys.suspended).images({ url: page })],
    not_found: [sdk.NotFoundError, () => limner.code({ url: page, selector: '#nothing' })],
    target_blocked: [sdk.TargetBlockedError, () => limner.images({ url: `${page}forbidden` })],
    target_timeout: [sdk.TargetTimeoutError, () => limner.images({ url: `${page}slow` })],
    target_error: [sdk.TargetError, () => limner.images({ url: `${page}broken` })],
    target_unreachable: [sdk.TargetUnreachableError, () => limner.images({ url: 'http://nowhere.invalid/' })],
    unprocessable_content: [sdk.UnprocessableContentError, () => limner.images({ url: `${page}document.pdf` })],
    rate_limited: [sdk.RateLimitedError, () => client(told.keys.limited).usage({}, once)],
    quota_exceeded: [sdk.QuotaExceededError, () => client(told.keys.poor).code({ url: page, fresh: true })],
    render_unavailable: [sdk.RenderUnavailableError, () => limner.images({ url: page, render: true }, once)],
  };
  await client(told.keys.limited).usage({}, once).catch(() => undefined);
  const found = await Promise.all(
    Object.entries(cases).map(async ([code, [kind, call]]) => {
      const error = await failure(call());
      assert.ok(error instanceof kind && error instanceof ApiError, `${code}: ${error}`);
      assert.equal(error.code, code);
      assert.match(error.requestId ?? '', /^req_/, code);
      assert.ok(error.status >= 400 && error.message.length > 10, code);
      if (code === 'not_found') assert.ok(error.sections?.some((section) => section.selector));
      if (code === 'rate_limited') assert.ok(error.retryAfter! >= 1 && error.retryAfter! <= 60);
      return code;
    }),
  );
  // An error of the service itself needs a role that is away: outage.ts.
  assert.deepEqual([...found, 'internal_error'].sort(), [...told.codes].sort());
}

/** A call whose time is over is not repeated; the fleet completes it and has its result. */
async function timeouts(): Promise<void> {
  const query = { url: `${page}late/typescript` };
  assert.ok((await failure(limner.images(query, { timeout: 200 }))) instanceof RequestTimeoutError);
  assert.ok((await limner.images(query)).images?.length);
}

/** The account may make one call a minute: the fleet refuses the second, and the client waits as long as it says. */
async function rateLimit(): Promise<void> {
  const patient = client(told.keys.patient);
  await patient.usage();
  const before = performance.now();
  assert.ok((await patient.usage()).usage);
  assert.ok(performance.now() - before > 30_000, 'the window of a minute was waited for');
}

type Prepared = (response: ServerResponse) => void;

function refusal(status: number, code: string, retryAfter?: string): Prepared {
  return (response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'x-request-id': 'req_prepared',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    });
    response.end(JSON.stringify({ error: true, statusCode: status, statusMessage: 'Prepared.', data: { code } }));
  };
}

const success: Prepared = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ url: page, title: 'Prepared', usage: {} }));
};

async function retries(): Promise<void> {
  let prepared: Prepared[] = [];
  let seen: { url: string; key: string | undefined; at: number }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? '', key: request.headers.authorization, at: performance.now() });
    (prepared.shift() ?? success)(response);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stub = new Limner({ apiKey: 'key', baseUrl: `${baseUrl}/v1/` });
  const prepare = (...responses: Prepared[]) => {
    prepared = responses;
    seen = [];
  };

  prepare(refusal(429, 'rate_limited', '1'));
  assert.equal((await stub.brand({ url: 'a b', render: true, fields: ['title', 'colors'] })).title, 'Prepared');
  assert.deepEqual(seen.map((request) => request.url), Array(2).fill('/v1/brand?url=a+b&render=true&fields=title%2Ccolors'));
  assert.equal(seen[0]?.key, 'Bearer key');
  assert.ok(seen[1]!.at - seen[0]!.at >= 990, 'waits as long as Retry-After says');

  const fails = async (kind: Kind, requests: number, ...responses: Prepared[]) => {
    prepare(...responses);
    const error = await failure(stub.brand({ url: page }));
    assert.ok(error instanceof kind, `${kind.name}: ${error}`);
    assert.equal(seen.length, requests, kind.name);
  };
  await fails(sdk.RateLimitedError, 1, refusal(429, 'rate_limited', '3600'));
  await fails(sdk.QuotaExceededError, 1, refusal(429, 'quota_exceeded', '1'));
  await fails(sdk.RenderUnavailableError, 1, refusal(503, 'render_unavailable'));
  await fails(sdk.NotFoundError, 1, refusal(404, 'not_found'));
  await fails(sdk.InternalError, 3, ...Array(3).fill(refusal(500, 'internal_error', '0')));
  const gateway: Prepared = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway');
  await fails(UnknownResponseError, 3, gateway, gateway, gateway);
  const nothing: Prepared = (response) => response.writeHead(502, { 'content-type': 'application/json' }).end('null');
  await fails(UnknownResponseError, 3, nothing, nothing, nothing);
  await fails(UnknownResponseError, 1, refusal(418, 'of_a_later_version'));

  const lost: Prepared = (response) => response.destroy();
  prepare(lost);
  assert.equal((await stub.brand({ url: page })).title, 'Prepared');
  assert.equal(seen.length, 2);

  const silent: Prepared = () => undefined;
  prepare(silent);
  assert.ok((await failure(stub.brand({ url: page }, { timeout: 150 }))) instanceof RequestTimeoutError);
  assert.equal(seen.length, 1, 'a timeout is not repeated');

  prepare(refusal(429, 'rate_limited', '30'));
  const aborted = stub.brand({ url: page }, { signal: AbortSignal.timeout(150) });
  await assert.rejects(aborted, { name: 'TimeoutError' });

  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  assert.ok((await failure(stub.brand({ url: page }, { maxRetries: 0 }))) instanceof ConnectionError);
}

function settings(): void {
  delete process.env['LIMNER_API_KEY'];
  assert.throws(() => new Limner(), /LIMNER_API_KEY/);
}

await operations();
await Promise.all([history(), errors(), timeouts(), rateLimit(), retries()]);
settings();
