// Saves the design tokens of a page as a Tailwind theme and as a Design Tokens file: node save-tokens.js URL
import { writeFile } from 'node:fs/promises';
import { Limner } from '@limner/sdk';

const [url = 'http://demo.limner.test/'] = process.argv.slice(2);
const limner = new Limner();
await writeFile('theme.css', await limner.extract({ url, format: 'tailwind' }));
const tokens = await limner.extract({ url, format: 'dtcg' });
await writeFile('design.tokens.json', JSON.stringify(tokens, null, 2));
console.log('theme.css, design.tokens.json');
