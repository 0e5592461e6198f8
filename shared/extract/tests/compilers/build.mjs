// Compiles and renders components as whoever pastes them would: React and Vue to markup, Tailwind's classes to a sheet.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import { parseFragment } from 'parse5';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { compileScript, compileTemplate, parse as parseSfc } from '@vue/compiler-sfc';
import { renderToString } from '@vue/server-renderer';
import { compile } from 'tailwindcss';
import { createSSRApp } from 'vue';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const require = createRequire(import.meta.url);
const scratch = mkdtempSync(path.join(here, 'node_modules', '.build-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Where Tailwind finds its own sheet. */
export const sources = {
  base: here,
  loadStylesheet: async (_, base) => ({ path: '', base, content: readFileSync(require.resolve('tailwindcss/index.css'), 'utf8') }),
};

/** Everything in a fragment of a document. */
export function* nodes(node) {
  yield node;
  for (const child of [...(node.childNodes ?? []), ...(node.content ? [node.content] : [])]) yield* nodes(child);
}

/** Every class in markup. */
export function classes(markup) {
  const attributes = [...nodes(parseFragment(markup))].flatMap(node => node.attrs ?? []);
  return new Set(attributes.filter(({ name }) => name === 'class').flatMap(({ value }) => value.split(/\s+/)).filter(Boolean));
}

/** The sheet that Tailwind makes for markup. */
export async function tailwind(markup) {
  const { build } = await compile('@import "tailwindcss";', sources);
  return build([...classes(markup)]);
}

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

export async function jsx({ code }) {
  const compiled = await transform(code, { loader: 'jsx', jsx: 'automatic', format: 'esm' });
  const { default: component } = await load(compiled.code);
  return withComplaints(() => renderToStaticMarkup(createElement(component)));
}

export async function vue({ code }) {
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
