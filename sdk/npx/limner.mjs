#!/usr/bin/env node
// `npx limner extract OP URL`: an installed `limner` does the work if there is one, otherwise the API at `--api`.
import { readFileSync } from 'node:fs';
import { handOver, installedBinary } from './handover.mjs';

const OPERATIONS = ['code', 'brand', 'tokens', 'images', 'svg', 'videos', 'audio', 'lottie', 'fonts'];
/** Options of this program with a value. */
const OWN_VALUES = ['api', 'key'];
/** Options of this program without one. */
const OWN_FLAGS = ['json', 'print'];
/** Parameters of the API with a value. */
const VALUES = ['screenshot', 'fields', 'selector', 'framework', 'section', 'name', 'theme', 'language', 'format', 'scope'];
/** Parameters of the API that are true without a value. */
const FLAGS = ['render', 'fresh', 'preview'];

const MISUSE = 64;

const HELP = `Usage: limner extract OP URL [OPTIONS]

OP: ${OPERATIONS.join(', ')}

Without an installed \`limner\` the API answers, and results are JSON (files of tokens
and a component's code are printed as they are).

Options:
  --api URL   The service; LIMNER_URL if it is not given
  --key KEY   An API key; LIMNER_API_KEY is safer, because arguments are visible in process lists
  --json      Print the result of \`code\` as JSON
  --version   Print the version

Parameters of the API: ${[...FLAGS, ...VALUES].map((name) => `--${name}`).join(' ')}

Everything else (downloads with --out, diff, up, mcp, …) needs the installed program.
`;

class UsageError extends Error {}

/** Returns the operation, the URL and the options of a command line. */
function parse(args) {
  const words = [];
  const options = {};
  const rest = [...args];
  while (rest.length > 0) {
    const arg = rest.shift();
    if (!arg.startsWith('--') || arg === '--') {
      words.push(...(arg === '--' ? rest.splice(0) : [arg]));
      continue;
    }
    const [, name, value] = /^--([^=]*)(?:=(.*))?$/s.exec(arg);
    if (FLAGS.includes(name)) options[name] = value ?? 'true';
    else if (OWN_FLAGS.includes(name) && value === undefined) options[name] = true;
    else if (VALUES.includes(name) || OWN_VALUES.includes(name)) options[name] = value ?? rest.shift();
    else throw new UsageError(`--${name} is not an option here: it may need the installed program (--help)`);
    if (options[name] === undefined) throw new UsageError(`--${name} needs a value`);
  }
  const [command, operation, url, ...more] = words;
  if (command !== 'extract') throw new UsageError(`only \`extract\` works without the installed program (--help)`);
  const known = operation === 'extract' ? 'tokens' : operation;
  if (!OPERATIONS.includes(known)) throw new UsageError(`the operation is one of ${OPERATIONS.join(', ')}`);
  if (url === undefined || more.length > 0) throw new UsageError('one URL is extracted at a time');
  return { operation: known, url, options };
}

/** Returns what is printed of a result. */
function text(operation, result, options) {
  if (typeof result === 'string') return result;
  const code = operation === 'code' && !options.json && options.fields === undefined ? result.code : undefined;
  return code ?? JSON.stringify(result, null, 2);
}

async function extract(args) {
  const { operation, url, options } = parse(args);
  const { Limner } = await import('@limner/sdk');
  const { api, key, json: _json, print: _print, ...parameters } = options;
  if (!(api ?? process.env.LIMNER_URL)) throw new UsageError('the service is missing: give --api URL, or set LIMNER_URL');
  const limner = new Limner({ ...(api && { baseUrl: api }), ...(key && { apiKey: key }) });
  const result = await limner[operation === 'tokens' ? 'extract' : operation]({ url, ...parameters });
  const printed = text(operation, result, options);
  process.stdout.write(printed.endsWith('\n') ? printed : `${printed}\n`);
  if (typeof result === 'object' && result.hint) process.stderr.write(`Hint: ${result.hint}\n`);
}

async function main(args) {
  const binary = installedBinary();
  if (binary) return handOver(binary, args);
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    (args.length === 0 ? process.stderr : process.stdout).write(HELP);
    return args.length === 0 ? MISUSE : 0;
  }
  if (args.includes('--version') || args.includes('-V')) {
    const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
    process.stdout.write(`limner ${version} (npm)\n`);
    return 0;
  }
  try {
    await extract(args);
    return 0;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    for (const section of error.sections ?? []) process.stderr.write(`  ${section.selector}  ${section.label}\n`);
    return error instanceof UsageError ? MISUSE : 1;
  }
}

/** A pipe whose reader has gone, as of `limner … | head`, is no error. */
process.stdout.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1));
process.exitCode = await main(process.argv.slice(2));
