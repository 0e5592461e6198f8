// n8n looks for an icon beside the compiled node.
import { cpSync } from 'node:fs';

const folder = process.argv[2] ?? 'dist';
cpSync(new URL('nodes/Limner/limner.svg', import.meta.url), `${folder}/nodes/Limner/limner.svg`);
