// Calls a fleet of which a role is away, and whose gateway ends meanwhile, through the TypeScript package.
import assert from 'node:assert/strict';
import { Limner } from '@limner/sdk';

const [baseUrl, apiKey] = process.argv.slice(2);
assert.ok(baseUrl && apiKey);
const limner = new Limner({ apiKey, baseUrl, maxRetries: 8 });
const result = await limner.images({ url: 'http://site.test/typescript' });
assert.equal(result.images?.length, 1);
