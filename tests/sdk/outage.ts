// Calls a fleet of which a role is away, and whose gateway ends meanwhile, through the TypeScript package.
import assert from 'node:assert/strict';
import { InternalError, Limner } from '@limner/sdk';

const [baseUrl, apiKey] = process.argv.slice(2);
assert.ok(baseUrl && apiKey);
const once = new Limner({ apiKey, baseUrl, maxRetries: 0 });
await assert.rejects(once.images({ url: 'http://site.test/typescript' }), (error) => {
  assert.ok(error instanceof InternalError && error.code === 'internal_error', String(error));
  assert.match(error.requestId ?? '', /^req_/);
  return error.retryAfter! >= 1;
});
const limner = new Limner({ apiKey, baseUrl, maxRetries: 8 });
const result = await limner.images({ url: 'http://site.test/typescript' });
assert.equal(result.images?.length, 1);
