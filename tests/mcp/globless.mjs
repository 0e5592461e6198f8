// The suite imports fs.globSync, available from Node 22 on, for a command that is not used here. This lets older versions load it.
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
