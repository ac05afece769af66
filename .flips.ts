import { referenceAdapter } from './adapters/reference/index.ts';
import { flips } from './oracle/compile/flip.ts';
import { Judge, loadRules } from './oracle/index.ts';
import { parameters } from './suites/parameters/index.ts';
import { expectedMutants } from './suites/mutants/index.ts';
import { Executor } from './suites/runner/executor.ts';
import { schedule } from './suites/runner/schedule.ts';
const rules = loadRules();
const mine = flips(rules).filter((f) => /^(qp-|device-)/.test(f.rule));
async function traces(mutant: string | undefined, runs: number) {
  const ex = await Executor.open(referenceAdapter(mutant ? { mutant } : {}), rules, {});
  const out = [];
  for (const { generated } of schedule(parameters, ex.profile, 1, runs, { i: 1, n: 1 })) {
    const o = await ex.run(generated.scenario);
    if (o.kind === 'error') throw new Error(o.message);
    out.push(o.drive);
  }
  return out;
}
function violated(drives: any[], set: any) {
  const found = new Set<string>();
  for (const { header, events } of drives) { const j = new Judge(header, set); for (const e of events) j.push(e); for (const v of j.finish().violations) found.add(v.rule); }
  return found;
}
const sound = await traces(undefined, parameters.length * 60);
const byMutant = new Map<string, any[]>();
for (const m of expectedMutants.filter((m) => m.family === 'parameters')) byMutant.set(m.id, await traces(m.id, parameters.length * 60));
for (const f of mine) {
  const level = rules.rule(f.rule)?.level;
  const set = loadRules({ files: f.files });
  const bySound = violated(sound, set).has(f.rule);
  let spared = '';
  if (!bySound) for (const m of expectedMutants.filter((m) => m.rules.includes(f.rule) && byMutant.has(m.id))) {
    const was = violated(byMutant.get(m.id)!, rules).has(f.rule), now = violated(byMutant.get(m.id)!, set).has(f.rule);
    if (was && !now) { spared = m.id; break; }
  }
  if (!bySound && !spared) console.log('UNNOTICED', level, f.rule, f.key, f.from, '->', f.to);
}
console.log(mine.length, 'flips');
