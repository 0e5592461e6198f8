// Sends each request of the Postman collection to a running fleet, as Postman's own library reads them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const sdk = new URL('../../sdk/', import.meta.url);
const { Collection } = createRequire(sdk)('postman-collection');
const told = JSON.parse(process.argv[2]);

const collection = new Collection(JSON.parse(readFileSync(new URL('postman/limner.postman_collection.json', sdk))));
const given = { baseUrl: `${told.url}/v1`, apiKey: told.keys.roomy, url: 'http://site.test/' };
for (const [key, value] of Object.entries(given)) {
  assert.ok(collection.variables.has(key), `${key} is a variable`);
  collection.variables.upsert({ key, value });
}
const filled = (text) => collection.variables.replace(text);
const key = filled(collection.auth.parameters().get('token'));

const sent = [];
const requests = [];
collection.forEachItem((item) => requests.push(item.request));
for (const request of requests) {
  const url = new URL(filled(request.url.toString()));
  const response = await fetch(url, { method: request.method, headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200, `${url}: ${await response.clone().text()}`);
  assert.equal(response.headers.get('x-ignored-params'), null, `${url}`);
  // Each parameter that is off by default has a value that is accepted, apart from those that have none to begin with.
  for (const parameter of request.url.query.all().filter((one) => one.disabled && one.value)) {
    if (['render', 'screenshot', 'selector'].includes(parameter.key)) continue;
    const more = new URL(url);
    more.searchParams.set(parameter.key, parameter.value);
    const answer = await fetch(more, { headers: { authorization: `Bearer ${key}` } });
    assert.ok([200, 404].includes(answer.status), `${more}: ${await answer.clone().text()}`);
  }
  sent.push(url.pathname.split('/').at(-1));
}
assert.deepEqual(sent.sort(), [...told.operations].sort());
