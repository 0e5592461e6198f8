// Compiles and renders what /code wrote, as whoever pastes it would, and says what is wrong with it. On standard input:
// [{ name, texts, titles, outputs: { <framework>: { code, css } } }], where every text must show and every title must be
// an attribute's value, character by character. On standard output: a list of problems.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { Liquid } from 'liquidjs';
import { parseFragment } from 'parse5';
import postcss from 'postcss';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss';
import { compileScript, compileTemplate, parse as parseSfc } from '@vue/compiler-sfc';
import { renderToString } from '@vue/server-renderer';
import { createSSRApp } from 'vue';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const require = createRequire(import.meta.url);
const scratch = mkdtempSync(path.join(here, 'node_modules', '.check-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const tailwind = await loadDesignSystem('@import "tailwindcss";', {
  base: here,
  loadStylesheet: async (_, base) => ({ path: '', base, content: readFileSync(require.resolve('tailwindcss/index.css'), 'utf8') }),
});

let modules = 0;
/** Runs source text as a module that finds react and vue. */
function load(source) {
  const file = path.join(scratch, `${modules++}.mjs`);
  writeFileSync(file, source);
  return import(pathToFileURL(file).href);
}

/** React says on the console what it does not like. */
async function withComplaints(render) {
  const complaints = [];
  const { error, warn } = console;
  console.error = console.warn = (...said) => complaints.push(said.map(String).join(' ').slice(0, 300));
  try {
    return { html: await render(), complaints };
  } finally {
    Object.assign(console, { error, warn });
  }
}

async function jsx({ code }) {
  const compiled = await transform(code, { loader: 'jsx', jsx: 'automatic', format: 'esm' });
  const { default: component } = await load(compiled.code);
  return withComplaints(() => renderToStaticMarkup(createElement(component)));
}

async function vue({ code }) {
  const { descriptor, errors } = parseSfc(code, { filename: 'Section.vue' });
  if (errors.length) throw new Error(errors.map(String).join('; '));
  let source;
  if (descriptor.scriptSetup) {
    const script = compileScript(descriptor, { id: 'section', inlineTemplate: true, genDefaultAs: 'component' });
    source = script.content;
  } else {
    const template = compileTemplate({ source: descriptor.template.content, filename: 'Section.vue', id: 'section' });
    if (template.errors.length) throw new Error(template.errors.map(String).join('; '));
    source = `${template.code.replace('export function render', 'function render')}\nconst component = { render };`;
  }
  const { default: component } = await load(`${source}\nexport default component;`);
  const complaints = [];
  const app = createSSRApp(component);
  app.config.warnHandler = said => complaints.push(said);
  const { html, complaints: said } = await withComplaints(() => renderToString(app));
  return { html, complaints: [...complaints, ...said], css: descriptor.styles.map(style => style.content).join('\n') };
}

const SCHEMA = /\{%-?\s*schema\s*-?%\}([\s\S]*?)\{%-?\s*endschema\s*-?%\}/g;
const SETTING_TYPES = ['text', 'textarea', 'url', 'image_picker'];

/** A theme section, with the settings that its schema has by default. */
async function shopify({ code }) {
  const complaints = [];
  const schemas = [...code.matchAll(SCHEMA)];
  if (schemas.length !== 1) complaints.push(`${schemas.length} schemas`);
  const schema = JSON.parse(schemas[0][1]);
  const ids = schema.settings.map(setting => setting.id);
  if (!schema.name || schema.name.length > 25) complaints.push(`a schema named ${schema.name}`);
  if (!schema.presets?.length || schema.presets.some(preset => !preset.name)) complaints.push('no presets');
  if (new Set(ids).size !== ids.length) complaints.push('settings with one id');
  for (const { type, id, label, default: value } of schema.settings) {
    if (!SETTING_TYPES.includes(type) || !/^[a-z][a-z0-9_]*$/.test(id) || !label) complaints.push(`setting ${id}`);
    if (value !== undefined && (type === 'url' || type === 'image_picker' || !value.trim())) complaints.push(`default of ${id}`);
  }
  const engine = new Liquid({ strictFilters: true });
  engine.registerFilter('image_url', value => value);
  const settings = Object.fromEntries(schema.settings.map(setting => [setting.id, setting.default]));
  const html = await engine.parseAndRender(code.replace(SCHEMA, ''), { section: { settings } });
  return { html, complaints };
}

const ELEMENTS = ['container', 'section', 'column', 'widget'];

/** A template file: what the importer reads of it. */
function elementor({ code }) {
  const template = JSON.parse(code);
  const complaints = [];
  if (!template.title || !['page', 'section'].includes(template.type) || template.version !== '0.4') complaints.push('no template');
  const widgets = [];
  const ids = new Set();
  const visit = element => {
    if (!/^[0-9a-f]{7,8}$/.test(element.id) || ids.has(element.id) || !ELEMENTS.includes(element.elType)) complaints.push(`element ${element.id}`);
    ids.add(element.id);
    if (element.widgetType === 'html') widgets.push(element.settings.html);
    element.elements.forEach(visit);
  };
  template.content.forEach(visit);
  if (!widgets.length) complaints.push('no block');
  // WordPress looks for shortcodes in what a widget shows.
  if (widgets.some(html => /\[[a-z][\w-]*(\s[^\]]*)?\]/i.test(html.replace(/<style>[\s\S]*?<\/style>/g, '')))) complaints.push('a shortcode');
  return { html: widgets.join('\n'), complaints };
}

const html = ({ code }) => ({ html: code, complaints: [] });
const BUILD = { html, tailwind: html, jsx, vue, elementor, shopify };

/** Everything in a fragment of a document. */
function* nodes(node) {
  yield node;
  for (const child of [...(node.childNodes ?? []), ...(node.content ? [node.content] : [])]) yield* nodes(child);
}

const collapsed = text => text.replace(/[ \t\n\r\f]+/g, ' ');

function* faultsOfMarkup(markup, { texts, titles }) {
  const fragment = parseFragment(markup);
  const all = [...nodes(fragment)];
  const shown = all.filter(node => node.nodeName === '#text' && node.parentNode.nodeName !== 'style');
  const text = collapsed(shown.map(node => node.value).join(' '));
  for (const wanted of texts) if (!text.includes(collapsed(wanted))) yield `no text ${JSON.stringify(wanted)} in ${JSON.stringify(text.slice(0, 600))}`;
  const values = new Set(all.flatMap(node => node.attrs ?? []).map(attribute => attribute.value));
  for (const wanted of titles) if (!values.has(wanted)) yield `no attribute ${JSON.stringify(wanted)}`;
  for (const node of all) {
    if (['script', 'iframe', 'object', 'embed', 'base', 'meta'].includes(node.nodeName)) yield `an element ${node.nodeName}`;
    if (node.nodeName === '#comment' && !/^([\[\]]|v-if)?$/.test(node.data)) yield `a comment ${node.data}`;
    for (const { name, value } of node.attrs ?? []) {
      if (/^(on|v-|[@:#{])/i.test(name)) yield `an attribute ${name}`;
      if (/^(href|src|action|formaction|xlink:href|data)$/.test(name) && /^[\s\0-\x1f]*(javascript|vbscript):/i.test(value)) yield `an address ${value}`;
    }
  }
}

const AT_RULES = ['media', 'supports', 'container', 'font-face', 'keyframes', 'counter-style', 'property', 'layer'];

/** A sheet touches nothing but the component's own classes. */
function* faultsOfSheet(css) {
  let sheet;
  try {
    sheet = postcss.parse(css);
  } catch (error) {
    yield `a sheet: ${error.message}`;
    return;
  }
  const faults = [];
  sheet.walk(node => {
    if (node.type === 'atrule' && !AT_RULES.includes(node.name)) faults.push(`@${node.name}`);
    const isFrame = node.parent?.type === 'atrule' && node.parent.name === 'keyframes';
    if (node.type === 'rule' && !isFrame && !/^(:where\([^)]*\)(:[a-z-]+)?( ~( \*)?)? )?\.[a-z]/i.test(node.selector)) faults.push(`a rule of ${node.selector}`);
    if (node.type === 'decl' && /javascript:|expression\(/i.test(node.value.replace(/"([^"\\]|\\[\s\S])*"|'([^'\\]|\\[\s\S])*'/g, ''))) faults.push(`a value ${node.value}`);
  });
  yield* faults;
}

function* faultsOfUtilities(markup) {
  const classes = new Set([...nodes(parseFragment(markup))].flatMap(node => node.attrs ?? []).filter(({ name }) => name === 'class').flatMap(({ value }) => value.split(/\s+/)));
  const utilities = [...classes].filter(name => name && !/^(group|peer)(\/|$)/.test(name));
  const sheets = tailwind.candidatesToCss(utilities);
  for (const [at, utility] of utilities.entries()) {
    if (!sheets[at]) yield `an unknown utility ${utility}`;
    else {
      const [canonical] = tailwind.canonicalizeCandidates([utility], { rem: 16 });
      if (canonical !== utility) yield `${utility} is canonically ${canonical}`;
    }
  }
}

let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
const problems = [];
for (const { name, texts, titles, outputs } of JSON.parse(input)) {
  for (const [framework, output] of Object.entries(outputs)) {
    const fault = text => problems.push(`${name} as ${framework}: ${text}`);
    try {
      const built = await BUILD[framework](output);
      built.complaints.forEach(fault);
      for (const found of faultsOfMarkup(built.html, { texts, titles })) fault(found);
      const css = [output.css, built.css, ...[...built.html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(match => match[1])];
      for (const sheet of css.filter(Boolean)) for (const found of faultsOfSheet(sheet)) fault(found);
      if (['tailwind', 'jsx', 'vue'].includes(framework)) for (const found of faultsOfUtilities(built.html)) fault(found);
    } catch (error) {
      fault(`${error}\n${output.code.slice(0, 2000)}`);
    }
    if (globalThis.ran !== undefined) {
      fault('something was executed');
      delete globalThis.ran;
    }
  }
}
process.stdout.write(JSON.stringify(problems));
