// Checks TypeScript components as a strict project would. On standard input: [{ name, files: { <file name>: text } }]. On
// standard output: a list of problems.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
// Below the packages, so that imports find them.
const scratch = mkdtempSync(path.join(here, 'node_modules', '.types-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

const cases = JSON.parse(readFileSync(0, 'utf8'));
cases.forEach(({ files }, at) => {
  for (const [file, text] of Object.entries(files)) {
    const own = path.join(scratch, `case${at}`, file);
    mkdirSync(path.dirname(own), { recursive: true });
    writeFileSync(own, text);
  }
});
const compilerOptions = {
  strict: true, noEmit: true, jsx: 'react-jsx', target: 'es2022', module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'],
  skipLibCheck: true, verbatimModuleSyntax: true, noUncheckedIndexedAccess: true, types: [],
};
const project = path.join(scratch, 'tsconfig.json');
writeFileSync(project, JSON.stringify({ compilerOptions, vueCompilerOptions: { strictTemplates: false }, include: ['**/*'] }));
const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(here, 'node_modules/vue-tsc/bin/vue-tsc.js'), '-p', project, '--pretty', 'false'], { encoding: 'utf8' });
const named = line => line.replace(/^.*?case(\d+)\//, (_, at) => `${cases[at].name}: `);
const problems = stdout.split('\n').filter(line => line.includes('error TS')).map(named);
if (status !== 0 && problems.length === 0) throw new Error(`the type checker ended with ${status}: ${stderr || stdout}`);
console.log(JSON.stringify(problems));
