import { referenceAdapter } from './adapters/reference/index.ts';
import { Judge, loadRules } from './oracle/index.ts';
import * as all from './suites/rc-requester/index.ts';
import { Executor } from './suites/runner/executor.ts';
import { schedule } from './suites/runner/schedule.ts';
const rules = loadRules();
const props = Object.values(all)[0] as any;
const ex = await Executor.open(referenceAdapter({}), rules, {});
const found = new Map<string, any>();
let n = 0;
for (const { property, generated } of schedule(props, ex.profile, Number(process.argv[2] ?? 1), props.length * Number(process.argv[3] ?? 60), { i: 1, n: 1 })) {
  const o = await ex.run(generated.scenario); n++;
  if (o.kind === 'error') { console.log('ERR', property.id, o.message); continue; }
  for (const v of o.judgement.violations) { if (!found.has(v.rule)) found.set(v.rule, { c: 0, p: property.id, v, s: JSON.stringify(generated.scenario.steps).slice(0, 700) }); found.get(v.rule).c++; }
}
console.log(n, [...found.entries()].map(([k, v]) => `${k} x${v.c} ${v.p}\n   ${v.v.expected} / ${v.v.observed}\n ${k.startsWith('qp') ? v.s : ''}`).join('\n'));
