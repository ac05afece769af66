// `npm run captured-mutants`: which mutants of the reference NIC are found through captures alone, to docs/reference/captured-mutants.md.
// [-- --mutant ID...] tries some of them; of the others the page says what it said. [-- --seed N --part I/N --json FILE] tries a part;
// [-- --from FILE...] writes the page of what such parts found.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { loadRules } from '../../oracle/index.ts';
import { loadMutants } from '../../suites/index.ts';
import { CapturedHunt, type Captured } from './hunt.ts';
import { classOf, onPage, page } from './page.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    mutant: { type: 'string', multiple: true },
    part: { type: 'string', default: '0/1' },
    json: { type: 'string' },
    from: { type: 'string', multiple: true },
  },
});
const out = 'docs/reference/captured-mutants.md';
const rules = loadRules();
const all = loadMutants(rules).filter(({ notJudged }) => notJudged === undefined);
const wanted = values.mutant;
const [part = 0, parts = 1] = values.part.split('/').map(Number);
const mutants = all.filter(({ id }, i) => (wanted?.includes(id) ?? true) && i % parts === part);

async function hunted(): Promise<Captured[]> {
  const hunt = await CapturedHunt.open(rules, Number(values.seed));
  const found: Captured[] = [];
  for (const mutant of mutants) {
    let captured = await hunt.hunt(mutant);
    if (captured.alone === undefined && classOf(mutant, rules).converses === true)
      captured = await hunt.converse(captured, mutant.id);
    found.push(captured);
    console.log(mutant.id, captured.alone?.join() ?? '-', captured.complete?.join() ?? '-');
  }
  return found;
}

// parts are this script's own
const read = (file: string): Captured[] => JSON.parse(readFileSync(file, 'utf8')) as Captured[];
const found = values.from === undefined ? await hunted() : values.from.flatMap(read);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(found));
else {
  const anew = new Set(found.map(({ mutant }) => mutant));
  const kept = values.from === undefined ? onPage(readFileSync(out, 'utf8')) : [];
  const known = [...kept.filter(({ mutant }) => !anew.has(mutant)), ...found];
  const options = { ...(await resolveConfig(out)), filepath: out };
  writeFileSync(out, await format(page(all, known, rules), options));
}
