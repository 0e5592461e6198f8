// Holds the n8n node against the OpenAPI document, with n8n's own reading of its parameters, and makes the calls that it
// declares.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const sdk = new URL('../../sdk/', import.meta.url);
const require = createRequire(sdk);
const { NodeHelpers } = require('n8n-workflow');
const told = JSON.parse(process.argv[2]);
const manifest = require(`${told.package}/package.json`);
const [nodeFile] = manifest.n8n.nodes;
const [credentialFile] = manifest.n8n.credentials;
const description = new (require(`${told.package}/${nodeFile}`).Limner)().description;
const credential = new (require(`${told.package}/${credentialFile}`).LimnerApi)();
readFileSync(`${told.package}/${nodeFile.replace(/[^/]+$/, '')}${description.icon.replace('file:', '')}`);
assert.equal(description.credentials[0].name, credential.name);

const document = JSON.parse(readFileSync(new URL('openapi.json', sdk)));
const resolve = (value) => (value.$ref ? document.components.parameters[value.$ref.split('/').at(-1)] : value);
const [choice, ...rest] = description.properties;
assert.deepEqual(choice.options.map((option) => option.value).sort(), [...told.operations].sort());

function shown(operation) {
  const isShown = (property) => NodeHelpers.displayParameter({ operation }, property, null, description);
  return rest.filter(isShown).flatMap((property) => (property.type === 'collection' ? property.options : property));
}

const baseUrl = (text) => {
  assert.equal(text, '={{ $credentials.baseUrl.replace(/\\/+(v1\\/*)?$/, "") }}/v1');
  return `${told.url}/v1`;
};

for (const { value: operation, routing } of choice.options) {
  const parameters = document.paths[routing.request.url].get.parameters.map(resolve);
  const properties = shown(operation);
  assert.deepEqual(properties.map((one) => one.name).sort(), parameters.map((one) => one.name).sort(), operation);
  for (const parameter of parameters) {
    const name = `${operation} ${parameter.name}`;
    const property = properties.find((one) => one.name === parameter.name);
    const { schema } = parameter;
    assert.equal(property.required ?? false, parameter.required ?? false, name);
    assert.equal(property.description, parameter.description, name);
    assert.deepEqual([property.routing.send.type, property.routing.send.property], ['query', parameter.name], name);
    const types = { array: 'multiOptions', boolean: 'boolean', integer: 'number', string: schema.enum ? 'options' : 'string' };
    assert.equal(property.type, types[schema.type], name);
    assert.deepEqual(property.options?.map((option) => option.value), schema.enum ?? schema.items?.enum, name);
    if (schema.default !== undefined) assert.equal(property.default, schema.default, name);
    assert.equal(property.routing.send.value, schema.type === 'array' ? '={{ $value.join(",") }}' : undefined, name);
  }
  // The formats that are texts, and only those, become items with a field.
  const content = document.paths[routing.request.url].get.responses['200'].content;
  const texts = Object.entries(content).filter(([media]) => media !== 'application/json');
  const formats = properties.find((one) => one.name === 'format')?.options ?? [];
  const wrapped = formats.filter((option) => option.routing?.output.postReceive.length).map((option) => option.value);
  assert.deepEqual(wrapped.sort(), texts.flatMap(([, body]) => body['x-formats']).sort(), operation);

  const url = new URL(baseUrl(description.requestDefaults.baseURL) + routing.request.url);
  if (operation !== 'usage') url.searchParams.set('url', 'http://site.test/');
  const header = credential.authenticate.properties.headers.Authorization;
  const authorization = header.replace(/^=/, '').replace('{{ $credentials.apiKey }}', told.keys.roomy);
  const answer = await fetch(url, { headers: { ...description.requestDefaults.headers, authorization } });
  assert.equal(answer.status, 200, `${url}`);
}
