// The suite imports fs.globSync, which Node has from version 22, for a command that is not used here. Older versions load it
// without.
import fs from "node:fs";
import { register } from "node:module";

if (!fs.globSync) {
  const hooks = `export async function load(url, context, next) {
    const loaded = await next(url, context);
    if (!/\\/conformance(-next)?\\/dist\\/index.js$/.test(url)) return loaded;
    return { ...loaded, source: loaded.source.toString().replace(/globSync as \\w+,/, "") };
  }`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
