// Source of highlight.min.js: highlight.js with the languages of results and of the documentation. After a change, with the
// npm packages highlight.js 11.12.0 and esbuild 0.28:
//   esbuild highlight.js --bundle --minify --legal-comments=none --banner:js="$(head -n 1 highlight.min.js)" --outfile=highlight.min.js
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import css from "highlight.js/lib/languages/css";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import markdown from "highlight.js/lib/languages/markdown";
import python from "highlight.js/lib/languages/python";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";

const languages = { bash, css, javascript, json, markdown, python, typescript, xml };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);
globalThis.hljs = hljs;
