import { readFileSync, writeFileSync } from 'node:fs';
import type { RunResult } from '../../report/results.ts';
import { madePages } from './make.ts';
import { record } from './runs.ts';

/** `npm run findings`: makes the pages of findings anew. `npm run findings -- 6.1=out.json ...` takes new runs first. */
for (const argument of process.argv.slice(2)) {
  const [name = '', file = ''] = argument.split('=');
  record(name, JSON.parse(readFileSync(file, 'utf8')) as RunResult);
}
for (const [place, text] of Object.entries(madePages()))
  writeFileSync(new URL(`../../${place}`, import.meta.url), text);
