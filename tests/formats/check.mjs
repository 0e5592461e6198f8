// Validates files of /extract with their consumers: standard input is [{ name, dtcg, resolver, tailwind, design }], standard output
// their number, the number of tokens, and the problems. The published schema, Style Dictionary and Terrazzo read `dtcg`, Terrazzo
// `dtcg-resolver`, Tailwind's CLI `tailwind`, and the linter of DESIGN.md `design-md`.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, parse } from '@terrazzo/parser';
import Ajv from 'ajv';
import StyleDictionary from 'style-dictionary';
import { lint } from '@google/design.md/linter';

const here = path.dirname(fileURLToPath(import.meta.url));
const json = file => JSON.parse(readFileSync(path.join(here, file), 'utf8'));

/** Returns the published schema, which consists of many files that refer to each other. */
function schema() {
  const files = readdirSync(path.join(here, 'schemas/format'), { recursive: true }).filter(file => file.endsWith('.json'));
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  for (const file of files) ajv.addSchema(json(`schemas/format/${file}`));
  return ajv.compile(json('schemas/format.json'));
}
const valid = schema();

/** Returns every token by its path, with its own or inherited type. */
function tokens(node, type, at = '', found = new Map()) {
  const own = node.$type ?? type;
  if ('$value' in node) return found.set(at, { type: own, value: node.$value });
  for (const [name, child] of Object.entries(node)) {
    if (!name.startsWith('$')) tokens(child, own, at ? `${at}.${name}` : name, found);
  }
  return found;
}

/** Replaces the value of an alias with that of the token that it refers to. */
function resolved(all) {
  const value = v => (typeof v === 'string' && /^\{.+\}$/.test(v) ? value(all.get(v.slice(1, -1))?.value) : v);
  return new Map([...all].map(([at, token]) => [at, { ...token, value: value(token.value) }]));
}

/** Returns the file with every inherited type made explicit, because the schema does not know inheritance. */
function typed(node, type) {
  const own = node.$type ?? type;
  if ('$value' in node) return own ? { ...node, $type: own } : node;
  return Object.fromEntries(Object.entries(node).map(([name, child]) => [name, name.startsWith('$') ? child : typed(child, own)]));
}

function bySchema(file) {
  return [file, typed(file)].flatMap(text => (valid(text) ? [] : valid.errors.slice(0, 5).map(e => `schema: ${e.instancePath} ${e.message}`)));
}

/** Returns a value in a normal form, independent of its notation. */
const plain = value => JSON.stringify(value, (_, v) => (typeof v === 'number' ? +v.toFixed(6) : v));

async function byStyleDictionary(file, own) {
  const log = { verbosity: 'verbose', warnings: 'disabled', errors: { brokenReferences: 'throw' } };
  const dictionary = new StyleDictionary({ tokens: structuredClone(file), platforms: { all: { transforms: [] } }, log });
  await dictionary.hasInitialized;
  let allTokens;
  try {
    ({ allTokens } = await dictionary.getPlatformTokens('all'));
  } catch (fault) {
    return [`Style Dictionary: ${String(fault).slice(0, 600)}`];
  }
  const read = new Map(allTokens.map(token => [token.path.join('.'), token]));
  const changed = [...own].flatMap(([at, token]) => {
    const theirs = read.get(at);
    if (!theirs) return [`Style Dictionary: ${at} is not there`];
    const kept = theirs.$type === token.type && plain(theirs.$value) === plain(token.value);
    return kept ? [] : [`Style Dictionary: ${at} is ${theirs.$type} ${plain(theirs.$value)}`];
  });
  return [...changed, ...(await byCssOfStyleDictionary(file, own))];
}

/** The preprocessor of the guide to tokens, without which Style Dictionary 5 writes durations as `[object Object]`. */
const GUIDE = readFileSync(path.join(here, '../../services/console/guides/tokens.md'), 'utf8');
const PREPROCESSOR = GUIDE.match(/(StyleDictionary\.registerPreprocessor[^]*?\n\}\);\n)/)[1];
new Function('StyleDictionary', PREPROCESSOR)(StyleDictionary);

/** Compares the stylesheet that Style Dictionary writes with the values of the file. */
async function byCssOfStyleDictionary(file, own) {
  const platform = { transformGroup: 'css', files: [{ destination: 'tokens.css', format: 'css/variables' }] };
  const log = { warnings: 'disabled', verbosity: 'silent' };
  const dictionary = new StyleDictionary({ tokens: structuredClone(file), preprocessors: ['durations'], platforms: { css: platform }, log });
  await dictionary.hasInitialized;
  const { allTokens } = await dictionary.getPlatformTokens('css');
  const [{ output }] = own.size ? await dictionary.formatPlatform('css') : [{ output: '' }];
  const written = new Map([...output.matchAll(/^ {2}(--[^\s:]+): (.*);$/gm)].map(m => [m[1], m[2]]));
  const names = new Map();
  return allTokens.flatMap(token => {
    const at = token.path.join('.'), text = written.get(`--${token.name}`);
    const twin = names.get(token.name);
    names.set(token.name, at);
    if (twin) return [`Style Dictionary: ${at} and ${twin} are both --${token.name}`];
    if (text === undefined) return [`Style Dictionary: --${token.name} is not written`];
    // Style Dictionary has no text for gradients.
    if (own.get(at).type !== 'gradient' && /\[object|undefined|NaN|null/.test(text)) return [`Style Dictionary: --${token.name} is ${text}`];
    const expected = inCss(own.get(at));
    return expected === undefined || expected.test(text) ? [] : [`Style Dictionary: --${token.name} is ${text}, not ${expected}`];
  });
}

/** Returns what the value of a simple token looks like in CSS; undefined for composite values. */
function inCss({ type, value }) {
  const exactly = text => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
  switch (type) {
    case 'dimension': case 'duration': return exactly(`${value.value}${value.unit}`);
    case 'number': case 'fontWeight': return exactly(String(value));
    case 'cubicBezier': return exactly(`cubic-bezier(${value.join(', ')})`);
    case 'fontFamily': return exactly([value].flat().map(family => (/\s/.test(family) ? `'${family.replaceAll("'", "\\'")}'` : family)).join(', '));
    case 'color': {
      if (value.colorSpace !== 'srgb') return undefined;
      const [r, g, b] = value.components.map(share => Math.round((share === 'none' ? 0 : share) * 255));
      const hex = `#${[r, g, b].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
      return (value.alpha ?? 1) === 1 ? exactly(hex) : exactly(`rgba(${r}, ${g}, ${b}, ${value.alpha})`);
    }
    default: return undefined;
  }
}

async function byTerrazzo(file, own) {
  const problems = [];
  const filename = new URL('file:///tokens.json');
  const config = defineConfig({ lint: { rules: {} } }, { cwd: new URL('file:///') });
  let read;
  try {
    read = (await parse([{ filename, src: JSON.stringify(file) }], { config, logger: undefined })).tokens;
  } catch (fault) {
    return [`Terrazzo: ${String(fault).slice(0, 300)}`];
  }
  for (const [at, token] of own) {
    if (!(at in read)) problems.push(`Terrazzo: ${at} is not there`);
    else if (read[at].$type !== token.type) problems.push(`Terrazzo: ${at} is ${read[at].$type}`);
    else if (lost(token, dealiased(read, read[at].$value))) problems.push(`Terrazzo: ${at} is ${plain(read[at].$value)}, not ${plain(token.value)}`);
  }
  return problems;
}

/** Compares the tokens that Terrazzo finds in each theme with those of the plain file. */
async function byResolver(resolver, own, file) {
  const filename = new URL('file:///tokens.resolver.json');
  const config = defineConfig({ lint: { rules: {} } }, { cwd: new URL('file:///') });
  let read;
  try {
    read = (await parse([{ filename, src: JSON.stringify(resolver) }], { config, logger: undefined })).resolver;
  } catch (fault) {
    return [`Terrazzo, resolver: ${String(fault).slice(0, 300)}`];
  }
  const themes = resolver.modifiers ? Object.keys(resolver.modifiers.theme.contexts) : [undefined];
  return themes.flatMap(theme => {
    const found = read.apply(theme ? { theme } : {});
    const themed = resolved(tokens(theme ? file[theme] ?? {} : {}));
    return [...own].filter(([at]) => !/^(light|dark)\./.test(at)).flatMap(([at, usual]) => {
      const token = themed.get(at) ?? usual;
      if (!(at in found)) return [`Terrazzo, resolver: ${at} is not there in ${theme}`];
      return themed.has(at) && lost(token, found[at].$value) ? [`Terrazzo, resolver: ${at} in ${theme} is ${JSON.stringify(found[at].$value)}`] : [];
    });
  });
}

/** Returns the errors of the linter, and tokens that it did not read. */
function byDesignLinter(text) {
  const { findings, designSystem } = lint(text);
  const problems = findings.filter(found => found.severity === 'error').map(found => `DESIGN.md: ${found.path} ${found.message}`);
  const front = text.split('\n---\n')[0];
  const written = (front.match(/^colors:\n((?: {2}.*\n?)*)/m)?.[1] ?? '').split('\n').filter(line => line.trim()).length;
  const read = designSystem.colors?.size ?? Object.keys(designSystem.colors ?? {}).length;
  return written === read ? problems : [...problems, `DESIGN.md: ${read} of ${written} colours are read`];
}

/** Returns the value that a reference of Terrazzo leads to: it keeps those of numbers. */
function dealiased(read, value) {
  const target = typeof value === 'string' && value.match(/^\{(.+)\}$/)?.[1];
  return target in read ? dealiased(read, read[target].$value) : value;
}

/** Returns true if a value has changed. */
function lost({ type, value }, theirs) {
  const colour = v => v?.components && plain([v.colorSpace, v.components, v.alpha ?? 1]);
  const length = v => plain([v?.value, v?.unit]);
  const layer = v => [colour(v.color), length(v.offsetX), length(v.offsetY), length(v.blur), length(v.spread), !!v.inset].join();
  const stop = v => [colour(v.color), plain(v.position)].join();
  const list = v => (Array.isArray(v) ? v : [v]);
  const transition = v => plain([length(v.duration), length(v.delay), v.timingFunction]);
  const text = v => plain([v.fontFamily, length(v.fontSize), v.fontWeight, v.lineHeight, length(v.letterSpacing)]);
  switch (type) {
    case 'color': return colour(value) !== colour(theirs);
    case 'shadow': return list(value).map(layer).join('|') !== list(theirs).map(layer).join('|');
    case 'border': return [colour(value.color), length(value.width), value.style].join() !== [colour(theirs.color), length(theirs.width), theirs.style].join();
    case 'transition': return transition(value) !== transition(theirs);
    case 'typography': return text(value) !== text(theirs);
    case 'gradient': return list(value).map(stop).join('|') !== list(theirs).map(stop).join('|');
    case 'dimension': case 'duration': return length(value) !== length(theirs);
    case 'fontFamily': return plain([value].flat()) !== plain([theirs].flat());
    case 'number': case 'fontWeight': case 'cubicBezier': return plain(value) !== plain(theirs);
    default: return true;
  }
}

/** Prefixes of theme variables, and of the classes derived from them. */
const USES = [['--color-', 'bg-'], ['--text-shadow-', 'text-shadow-'], ['--text-', 'text-'], ['--font-weight-', 'font-'], ['--font-', 'font-'], ['--tracking-', 'tracking-'], ['--leading-', 'leading-'], ['--spacing-', 'p-'], ['--radius-', 'rounded-'], ['--inset-shadow-', 'inset-shadow-'], ['--shadow-', 'shadow-'], ['--ease-', 'ease-'], ['--border-width-', 'border-'], ['--opacity-', 'opacity-'], ['--background-image-', 'bg-'], ['--transition-duration-', 'duration-'], ['--z-index-', 'z-'], ['--breakpoint-', 'max-w-screen-'], ['--container-', 'max-w-']];

/** Returns true if two texts have the same words. */
const same = (one, other) => one?.replace(/\s+/g, ' ').trim() === other?.replace(/\s+/g, ' ').trim();

async function byTailwind(text) {
  const folder = mkdtempSync(path.join(tmpdir(), 'limner-tailwind-'));
  try {
    const theme = [...text.matchAll(/@theme[^{]*\{([\s\S]*?)\n?\}/g)].map(m => m[1]).join('\n').replace(/\/\*[\s\S]*?\*\//g, '');
    const declared = new Map([...theme.matchAll(/^\s*(--(?:[\w-]|\\.)+)\s*:\s*(.*);$/gm)].map(m => [m[1], m[2]]));
    const uses = [...declared.keys()].filter(name => !name.slice(2).includes('--')).map(name => {
      const use = USES.find(([start]) => name.startsWith(start) && name.length > start.length);
      return { name, made: use && use[1] + name.slice(use[0].length) };
    });
    const unused = uses.filter(({ made }) => !made).map(({ name }) => `Tailwind: ${name} is in no namespace`);
    const classes = uses.flatMap(({ made }) => made ?? []);
    symlinkSync(path.join(here, 'node_modules'), path.join(folder, 'node_modules'));
    writeFileSync(path.join(folder, 'in.css'), `${text}\n@source inline("${classes.join(' ')}");\n`);
    const cli = path.join(here, 'node_modules/@tailwindcss/cli/dist/index.mjs');
    const fault = await new Promise(ended => execFile(process.execPath, [cli, '-i', 'in.css', '-o', 'out.css'], { cwd: folder }, (error, _, said) => ended(error && (said || String(error)))));
    if (fault) return [`Tailwind: ${fault.slice(0, 400)}`];
    const css = readFileSync(path.join(folder, 'out.css'), 'utf8').replace(/\\/g, '');
    return [...unused, ...uses.flatMap(({ name, made }) => {
      if (!made) return [];
      const rule = css.split(`.${made} {`)[1]?.split('}')[0];
      if (!rule) return [`Tailwind: no ${made}`];
      const kept = css.split(`  ${name}: `)[1]?.split(';\n')[0];
      const value = declared.get(name).replace(/\\/g, '');
      if (rule.includes(`var(${name})`)) return same(kept, value) ? [] : [`Tailwind: ${name} is ${kept}, not ${value}`];
      // Utilities of shadows and breakpoints have the value itself, with the shadow's colour in a variable.
      const written = rule.replace(/\s+/g, ' ').replace(/var\(--tw-(?:[a-z-]*)shadow-color, ((?:[^()]|\([^()]*\))+)\)/g, '$1').replace(/--tw-[a-z-]*: in oklab;/, '');
      // Nothing that can be seen is Tailwind's own `transparent`.
      if (/background-color: transparent;/.test(written) && /^(transparent|#\w{3}0|#\w{6}00)$/.test(value)) return [];
      return written.includes(value.replace(/\s+/g, ' ')) ? [] : [`Tailwind: ${made} is ${rule.trim()}, not ${value}`];
    })];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

let input = '';
for await (const chunk of process.stdin.setEncoding('utf8')) input += chunk;
const cases = JSON.parse(input);
const problems = [];
let count = 0;
for (const { name, dtcg, resolver, tailwind, design } of cases) {
  const file = JSON.parse(dtcg), own = resolved(tokens(file));
  count += own.size;
  const found = [...bySchema(file), ...(await byStyleDictionary(file, own)), ...(await byTerrazzo(file, own)), ...(await byResolver(JSON.parse(resolver), own, file)), ...(await byTailwind(tailwind)), ...byDesignLinter(design)];
  problems.push(...found.map(problem => `${name}: ${problem}`));
}
process.stdout.write(JSON.stringify({ cases: cases.length, tokens: count, problems }));
