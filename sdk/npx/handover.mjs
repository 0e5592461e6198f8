// Finds an installed `limner` and hands over to it.
import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { constants as os } from 'node:os';
import { delimiter, join, sep } from 'node:path';

const NAME = process.platform === 'win32' ? 'limner.exe' : 'limner';

/** Returns the path of the first `limner` on the PATH that is no package of npm, such as this one. */
export function installedBinary() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, NAME)).find(isBinary);
}

function isBinary(path) {
  try {
    accessSync(path, constants.X_OK);
    const target = realpathSync(path);
    return statSync(target).isFile() && !target.split(sep).includes('node_modules') && !target.endsWith('.mjs');
  } catch {
    return false;
  }
}

/** Runs a program with the arguments of this process, and returns its exit status. */
export function handOver(program, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' });
    // The terminal sends its signals to the child as well: the child decides what they mean.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('close', (status, signal) => resolve(status ?? 128 + os.signals[signal]));
  });
}
