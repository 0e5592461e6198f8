// Compiles and renders components as whoever pastes them would: React and Vue to markup, Tailwind's classes to a sheet.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'esbuild';
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

/** A component with its files, as a project has them: imports must lead to them. */
async function project(entry, code, files, plugins) {
  const folder = path.join(scratch, `page${modules++}`);
  for (const file of [{ path: entry, code }, ...files]) {
    mkdirSync(path.dirname(path.join(folder, file.path)), { recursive: true });
    writeFileSync(path.join(folder, file.path), file.code);
  }
  const options = { bundle: true, write: false, format: 'esm', jsx: 'automatic', packages: 'external', logLevel: 'silent' };
  const { outputFiles, warnings } = await bundle({ ...options, entryPoints: [path.join(folder, entry)], plugins });
  const loaded = await load(outputFiles[0].text);
  return { component: loaded.default, warnings: warnings.map(warning => warning.text) };
}

export async function jsx({ code, files = [] }) {
  const extension = files[0]?.path.split('.').pop() ?? 'jsx';
  const { component, warnings } = await project(`Page.${extension}`, code, files, []);
  const { html, complaints } = await withComplaints(() => renderToStaticMarkup(createElement(component)));
  return { html, complaints: [...warnings, ...complaints] };
}

/** The module of a Vue file, and its styles. */
function vueModule(code, filename) {
  const { descriptor, errors } = parseSfc(code, { filename });
  if (errors.length) throw new Error(errors.map(String).join('; '));
  const css = descriptor.styles.map(style => style.content).join('\n');
  if (descriptor.scriptSetup) {
    const { content } = compileScript(descriptor, { id: 'section', inlineTemplate: true, genDefaultAs: 'component' });
    return { css, source: `${content}\nexport default component;` };
  }
  const template = compileTemplate({ source: descriptor.template.content, filename, id: 'section' });
  if (template.errors.length) throw new Error(template.errors.map(String).join('; '));
  return { css, source: `${template.code.replace('export function render', 'function render')}\nexport default { render };` };
}

export async function vue({ code, files = [] }) {
  let css = '';
  const plugin = {
    name: 'vue',
    setup: build => build.onLoad({ filter: /\.vue$/ }, ({ path: file }) => {
      const compiled = vueModule(readFileSync(file, 'utf8'), file);
      css += compiled.css;
      return { contents: compiled.source, loader: 'ts' };
    }),
  };
  const { component, warnings } = await project('Page.vue', code, files, [plugin]);
  const complaints = [];
  const app = createSSRApp(component);
  app.config.warnHandler = said => complaints.push(said);
  const { html, complaints: said } = await withComplaints(() => renderToString(app));
  return { html, complaints: [...warnings, ...complaints, ...said], css };
}
