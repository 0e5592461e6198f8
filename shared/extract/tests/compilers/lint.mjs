// Lints components as the projects that they are pasted into do: ESLint with the recommended rules of react and jsx-a11y, or
// of Vue, and Shopify's theme check. On standard input: [{ name, files: { <path>: text } }]. On standard output: a list of
// problems.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { check as checkTheme, JSONValidator, recommended, toSchema, toSourceCode } from '@shopify/theme-check-common';
import typescript from '@typescript-eslint/parser';
import { ESLint } from 'eslint';
import a11y from 'eslint-plugin-jsx-a11y';
import react from 'eslint-plugin-react';
import vue from 'eslint-plugin-vue';

const require = createRequire(import.meta.url);
const SCRIPTS = /\.(jsx|tsx|vue)$/;
const THEME = /\.(liquid|json)$/;

const LAYOUT = ['html-indent', 'html-self-closing', 'max-attributes-per-line', 'multiline-html-element-content-newline', 'singleline-html-element-content-newline'];

const isScript = { files: ['**/*.jsx', '**/*.tsx'] };
const config = [
  { ...react.configs.flat.recommended, ...isScript },
  { ...react.configs.flat['jsx-runtime'], ...isScript },
  { ...a11y.flatConfigs.recommended, ...isScript },
  { ...isScript, settings: { react: { version: '19.0' } } },
  { files: ['**/*.tsx'], languageOptions: { parser: typescript } },
  ...vue.configs['flat/recommended'],
  { files: ['**/*.vue'], languageOptions: { parserOptions: { parser: typescript } } },
  { rules: { 'no-unused-vars': 'error', 'no-useless-escape': 'error' } },
  // TypeScript's own checks know namespaces, and React 19 ignores `propTypes`.
  { files: ['**/*.tsx', '**/*.vue'], rules: { 'no-unused-vars': 'off' } },
  { rules: { 'react/prop-types': 'off' } },
  // What Prettier decides, which is not checked here.
  { rules: Object.fromEntries(LAYOUT.map(rule => [`vue/${rule}`, 'off'])) },
];
const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: config });

async function* lintScript(file, text) {
  const [{ messages }] = await eslint.lintText(text, { filePath: file });
  for (const { ruleId, line, message } of messages) yield `${file}:${line}: ${ruleId}: ${message}`;
}

/** What theme check knows of Liquid and of sections: from its own package, as it would otherwise ask the network. */
const data = path.join(path.dirname(require.resolve('@shopify/theme-check-docs-updater/package.json')), 'data');
const known = name => readFileSync(path.join(data, `${name}.json`), 'utf8');
const docset = {
  filters: async () => JSON.parse(known('filters')),
  objects: async () => JSON.parse(known('objects')),
  liquidDrops: async () => JSON.parse(known('objects')),
  tags: async () => JSON.parse(known('tags')),
  systemTranslations: async () => JSON.parse(known('shopify_system_translations')),
};
const schemas = {
  schemas: async () => JSON.parse(known('manifest_theme')).schemas.map(({ uri, fileMatch }) => ({
    uri: `https://schemas.test/${uri}`, fileMatch, schema: known(path.basename(uri, '.json')),
  })),
};

async function* lintTheme(files) {
  const root = 'file:///theme';
  const theme = Object.entries(files).map(([file, text]) => toSourceCode(`${root}/${file}`, text));
  const settings = Object.fromEntries(recommended.map(({ meta }) => {
    const defaults = Object.entries(meta.schema ?? {}).map(([name, schema]) => [name, schema.defaultValue?.() ?? schema.options?.defaultValue]);
    return [meta.code, { ...Object.fromEntries(defaults), enabled: true }];
  }));
  const themeConfig = { settings, checks: recommended, rootUri: root, context: 'theme' };
  const validator = await JSONValidator.create(schemas, themeConfig);
  const schemaOf = folder => async name => {
    const source = theme.find(({ uri }) => uri === `${root}/${folder}/${name}.liquid`);
    return source && toSchema('theme', source.uri, source, validator?.isValid);
  };
  const fs = {
    stat: async uri => {
      if (!theme.some(source => source.uri === uri)) throw new Error(`no ${uri}`);
      return { type: 1, size: 1 };
    },
    readFile: async uri => theme.find(source => source.uri === uri).source,
    readDirectory: async () => [],
  };
  const offenses = await checkTheme(theme, themeConfig, {
    fs, themeDocset: docset, jsonValidationSet: schemas, getSectionSchema: schemaOf('sections'), getBlockSchema: schemaOf('blocks'),
    getAppBlockSchema: async () => undefined, getDocDefinition: async () => undefined, getCSSClassesForURI: async () => new Set(),
    getReferences: async () => [], getDependencies: async () => [],
  });
  // Images and fonts stay where the page has them.
  for (const { check, uri, start, message } of offenses.filter(({ check }) => check !== 'RemoteAsset')) yield `${path.basename(uri)}:${start.line + 1}: ${check}: ${message}`;
}

const problems = [];
for (const { name, files } of JSON.parse(readFileSync(0, 'utf8'))) {
  const scripts = Object.entries(files).filter(([file]) => SCRIPTS.test(file));
  for (const [file, text] of scripts) for await (const found of lintScript(file, text)) problems.push(`${name}: ${found}`);
  const theme = Object.fromEntries(Object.entries(files).filter(([file]) => THEME.test(file)));
  if (Object.keys(theme).length) for await (const found of lintTheme(theme)) problems.push(`${name}: ${found}`);
}
console.log(JSON.stringify(problems));
