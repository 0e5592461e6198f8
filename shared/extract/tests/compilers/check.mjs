// Compiles and renders what /code wrote, as whoever pastes it would, and says what is wrong with it. On standard input:
// [{ name, texts, titles, exact, outputs: { <framework>: { code, css, files } } }], where every text must show, those of
// `exact` with their white space, and every title must be an attribute's value, character by character. With `files`, the
// code is a page that consists of them. On standard output: a list of problems.
import { Liquid } from 'liquidjs';
import { parseFragment } from 'parse5';
import postcss from 'postcss';
import { __unstable__loadDesignSystem as loadDesignSystem } from 'tailwindcss';
import { classes, jsx, nodes, sources, vue } from './build.mjs';

// Tailwind prepares tables for it, which takes seconds.
const mustBeCanonical = process.argv.includes('--canonical');
const tailwind = await loadDesignSystem('@import "tailwindcss";', sources);

const SCHEMA = /\{%-?\s*schema\s*-?%\}([\s\S]*?)\{%-?\s*endschema\s*-?%\}/g;
const SETTING_TYPES = ['text', 'textarea', 'inline_richtext', 'url', 'image_picker'];
const BLOCK_TYPES = [...SETTING_TYPES, 'richtext', 'select', 'checkbox'];

/** What a shop would not take of a list of settings. */
function* faultsOfSettings(settings, types) {
  const ids = settings.map(setting => setting.id);
  if (new Set(ids).size !== ids.length) yield 'settings with one id';
  if (ids.length > 40) yield `${ids.length} settings`;
  for (const { type, id, label, options, default: value } of settings) {
    if (!types.includes(type) || !/^[a-z][a-z0-9_]*$/.test(id) || !label) yield `setting ${id}`;
    if (value !== undefined && (type === 'url' || type === 'image_picker' || (type !== 'checkbox' && !value.trim()))) yield `default of ${id}`;
    if (type === 'select' && !options.some(option => option.value === value)) yield `options of ${id}`;
  }
}

/** What a shop would not take of blocks. */
function* faultsOfBlocks(kinds, blocks) {
  const types = kinds.map(kind => kind.type);
  if (new Set(types).size !== types.length) yield 'blocks of one type';
  if (blocks.length > 50) yield `${blocks.length} blocks`;
  for (const { type, name, settings } of kinds) {
    if (!/^[a-z][a-z0-9_]*$/.test(type) || !name || name.length > 25) yield `block ${type}`;
    if (!blocks.some(block => block.type === type)) yield `no block of ${type}`;
    yield* faultsOfSettings(settings, BLOCK_TYPES);
  }
  for (const block of blocks) {
    const own = kinds.find(kind => kind.type === block.type)?.settings ?? [];
    for (const [id, value] of Object.entries(block.settings)) {
      const setting = own.find(setting => setting.id === id);
      if (!setting || (setting.type === 'checkbox') !== (typeof value === 'boolean')) yield `a block with ${id}`;
      if (setting?.type === 'select' && !setting.options.some(option => option.value === value)) yield `a block with ${id} ${value}`;
    }
  }
}

const defaults = settings => Object.fromEntries(settings.map(setting => [setting.id, setting.default]));

/** A page: its template lists sections with their blocks. */
async function shopifyPage({ code, files }) {
  const { sections, order } = JSON.parse(code);
  const parts = [];
  const complaints = order.length === Object.keys(sections).length ? [] : ['sections that are not in order'];
  for (const id of order) {
    const { type, blocks = {}, block_order: blockOrder = [] } = sections[id];
    const file = files.find(file => file.path === `sections/${type}.liquid`);
    if (!file) throw new Error(`no file of ${type}`);
    const schema = JSON.parse([...file.code.matchAll(SCHEMA)][0][1]);
    const own = blockOrder.map(id => ({ type: blocks[id].type, settings: blocks[id].settings }));
    if (JSON.stringify(own) !== JSON.stringify(schema.presets[0].blocks ?? [])) complaints.push(`blocks of ${id}`);
    const part = await shopify(file);
    complaints.push(...part.complaints);
    parts.push(part);
  }
  return { html: parts.map(part => part.html).join('\n'), complaints, parts };
}

/** A theme section as its preset has it. */
async function shopify({ code, files }) {
  if (files) return shopifyPage({ code, files });
  const complaints = [];
  const schemas = [...code.matchAll(SCHEMA)];
  if (schemas.length !== 1) complaints.push(`${schemas.length} schemas`);
  const schema = JSON.parse(schemas[0][1]);
  if (!schema.name || schema.name.length > 25) complaints.push(`a schema named ${schema.name}`);
  if (schema.presets?.length !== 1 || schema.presets.some(preset => !preset.name)) complaints.push('no presets');
  const kinds = schema.blocks ?? [];
  const preset = schema.presets[0].blocks ?? [];
  complaints.push(...faultsOfSettings(schema.settings, SETTING_TYPES), ...faultsOfBlocks(kinds, preset));
  const blocks = preset.map(({ type, settings }, at) => ({
    id: `own-${at}`,
    type,
    settings: { ...defaults(kinds.find(kind => kind.type === type)?.settings ?? []), ...settings },
    shopify_attributes: `data-block="${at}"`,
  }));
  const engine = new Liquid({ strictFilters: true });
  engine.registerFilter('image_url', value => value);
  const html = await engine.parseAndRender(code.replace(SCHEMA, ''), { section: { id: 'own', settings: defaults(schema.settings), blocks } });
  const shown = [...html.matchAll(/ data-block="(\d+)"/g)].map(match => Number(match[1]));
  if (shown.sort((a, b) => a - b).join() !== blocks.map((_, at) => at).join()) complaints.push(`blocks ${shown} of ${blocks.length}`);
  return { html, complaints, scope: '#shopify-section-own' };
}

/** Markup without its sheet, an element or a text on each line. Classes are a set. */
function outline(markup) {
  const lines = [];
  const visit = (node, depth) => {
    for (const child of node.childNodes ?? []) {
      if (child.nodeName === 'style' || child.nodeName === '#comment') continue;
      if (child.nodeName === '#text') {
        const text = collapsed(child.value).trim();
        if (text) lines.push(`${depth} ${text}`);
        continue;
      }
      const own = ({ name, value }) => `${name}=${name === 'class' ? value.split(/\s+/).filter(Boolean).sort().join(' ') : value}`;
      const attributes = child.attrs.filter(({ name }) => name !== 'data-block').map(own).sort();
      lines.push(`${depth} <${child.nodeName} ${attributes.join(' ')}>`);
      visit(child, depth + 1);
    }
  };
  visit(parseFragment(markup), 0);
  return lines;
}

/** A section with the blocks of its preset is what a block of WordPress is, which has no loops. */
function* faultsOfPreset(section, block) {
  const [, inside] = /<div id="block-[0-9a-f]{7}"[^>]*>([\s\S]*)<\/div>/.exec(block) ?? [];
  const [own, wanted] = [outline(section), outline(inside ?? '')];
  const at = own.findIndex((line, at) => line !== wanted[at]);
  if (at >= 0 || own.length !== wanted.length) yield `${own[at] ?? 'the end'} and not ${wanted[at] ?? wanted[own.length]}`;
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
  const html = widgets.join('\n');
  const part = html => ({ html, scope: `#${/<div id="(block-[0-9a-f]{7})">/.exec(html)?.[1]}` });
  return { ...part(html), complaints, parts: widgets.map(part) };
}

const html = ({ code }) => ({ html: code, complaints: [] });
const BUILD = { html, tailwind: html, jsx, vue, elementor, shopify };

const collapsed = text => text.replace(/[ \t\n\r\f]+/g, ' ');

function* faultsOfMarkup(markup, { texts, titles, exact = [] }) {
  const fragment = parseFragment(markup);
  const all = [...nodes(fragment)];
  const shown = all.filter(node => node.nodeName === '#text' && node.parentNode.nodeName !== 'style');
  const text = collapsed(shown.map(node => node.value).join(' '));
  for (const wanted of texts) if (!text.includes(collapsed(wanted))) yield `no text ${JSON.stringify(wanted)} in ${JSON.stringify(text.slice(0, 600))}`;
  const verbatim = shown.map(node => node.value).join('');
  for (const wanted of exact) if (!verbatim.includes(wanted)) yield `${JSON.stringify(wanted)} is not as it was in ${JSON.stringify(verbatim.slice(0, 900))}`;
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

/** A class of the component, which something around or before it may have to be in a state, or to have something in it. */
const STATE = String.raw`(:[a-z-]+(\(:[a-z-]+\))?|\[open\]|:not\(\[open\]\))`;
const HAS = String.raw`:has\(([~+] )?:where\([^)]*\)${STATE}\)`;
const OWN = new RegExp(String.raw`^(:where\([^)]*\)(${STATE}|${HAS})?( [~+]( \*)?)? )?(:is\()?\.[a-z]`, 'i');

/** The rules that take back what a theme says, about anything in the element around the component. */
const RESET = /^( (:not|:is)\([a-z=\[\], *:()]+\)| ::before| ::after)?$/;

/** Whether a rule is about the component's own classes, in the element around it where there is one. */
function isOwn(selector, scope) {
  if (!scope) return OWN.test(selector);
  const dark = selector.replace(/^:where\([^)]*\) (?=#)/, '');
  if (!dark.startsWith(scope)) return false;
  const inside = dark.slice(scope.length);
  return RESET.test(inside) || (inside.startsWith(' ') && OWN.test(inside.slice(1)));
}

/** A sheet touches nothing but the component. */
function* faultsOfSheet(css, scope) {
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
    if (node.type === 'rule' && !isFrame) {
      const selectors = scope ? node.selectors : [node.selector];
      for (const selector of selectors) if (!isOwn(selector, scope)) faults.push(`a rule of ${selector}`);
    }
    if (node.type === 'decl' && /javascript:|expression\(/i.test(node.value.replace(/"([^"\\]|\\[\s\S])*"|'([^'\\]|\\[\s\S])*'/g, ''))) faults.push(`a value ${node.value}`);
  });
  yield* faults;
}

function* faultsOfUtilities(markup) {
  const utilities = [...classes(markup)].filter(name => !/^(group|peer)(\/|$)/.test(name));
  const sheets = tailwind.candidatesToCss(utilities);
  for (const [at, utility] of utilities.entries()) {
    if (!sheets[at]) yield `an unknown utility ${utility}`;
    else if (mustBeCanonical) {
      const [canonical] = tailwind.canonicalizeCandidates([utility], { rem: 16 });
      if (canonical !== utility) yield `${utility} is canonically ${canonical}`;
    }
  }
}

let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
const problems = [];
for (const { name, texts, titles, exact, outputs } of JSON.parse(input)) {
  const markup = {};
  for (const [framework, output] of Object.entries(outputs)) {
    const fault = text => problems.push(`${name} as ${framework}: ${text}`);
    try {
      const built = await BUILD[framework](output);
      built.complaints.forEach(fault);
      markup[framework] = built.html;
      for (const found of faultsOfMarkup(built.html, { texts, titles, exact })) fault(found);
      // The one rule of a page that is not about its own classes.
      const sheet = output.isPage ? output.css?.replace(/^body \{\n {2}margin: 0;\n\}\n/, '') : output.css;
      for (const own of [sheet, built.css].filter(Boolean)) for (const found of faultsOfSheet(own, built.scope)) fault(found);
      for (const { html, scope } of built.parts ?? [built]) {
        const inside = [...html.matchAll(/<style[^>]*>([\s\S]*?)<\/style>/g)].map(match => match[1]);
        for (const own of inside) for (const found of faultsOfSheet(own, scope)) fault(found);
      }
      if (['tailwind', 'jsx', 'vue'].includes(framework)) for (const found of faultsOfUtilities(built.html)) fault(found);
    } catch (error) {
      fault(`${error}\n${output.code.slice(0, 2000)}`);
    }
    if (globalThis.ran !== undefined) {
      fault('something was executed');
      delete globalThis.ran;
    }
  }
  const isPage = Object.values(outputs).some(output => output.isPage);
  if (markup.shopify && markup.elementor && !isPage) for (const found of faultsOfPreset(markup.shopify, markup.elementor)) problems.push(`${name} as a preset: ${found}`);
}
process.stdout.write(JSON.stringify(problems));
