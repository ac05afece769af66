/**
 * `npm run mixed`: runs cases that are made of two properties each on a conformant reference NIC, which must break no rule. Each
 * rule that is broken is a false alarm, or a fault of the reference NIC.
 */
import { parseArgs } from 'node:util';
import { isSoundId, referenceAdapter } from '../../adapters/reference/index.ts';
import { loadRules } from '../../oracle/index.ts';
import { encodeToken, type ReplayCase } from '../../suites/case/index.ts';
import { Executor, shrinkCase } from '../../suites/index.ts';
import { whole } from '../whole.ts';
import { judgedMixes, MixedCases } from './cases.ts';

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '5000' },
    each: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    suite: { type: 'string' },
    sound: { type: 'string' },
    seconds: { type: 'string', default: '20' },
  },
});

function adapterOf(sound: string | undefined): ReturnType<typeof referenceAdapter> {
  if (sound === undefined) return referenceAdapter();
  if (!isSoundId(sound)) throw new Error(`--sound: there is no sound variant "${sound}"`);
  return referenceAdapter({ sound });
}

/** The smallest case of a rule, and how often the rule was broken. */
interface Broken {
  found: ReplayCase;
  times: number;
}

function smaller(one: ReplayCase, other: ReplayCase | undefined): ReplayCase {
  if (other === undefined) return one;
  return JSON.stringify(one.scenario).length < JSON.stringify(other.scenario).length ? one : other;
}

const adapter = adapterOf(values.sound);
const rules = loadRules();
const executor = await Executor.open(adapter, rules, {});
const mixes = new MixedCases(executor.profile, {
  seed: whole('seed', values.seed, 1),
  each: whole('each', values.each, 1),
  ...(values.suite !== undefined && { suite: values.suite }),
});
const broken = new Map<string, Broken>();
let cases = 0;
for await (const { one, violations } of judgedMixes(executor, mixes, whole('cases', values.cases, 1))) {
  cases++;
  for (const { rule } of violations) {
    const { found, times = 0 } = broken.get(rule) ?? {};
    broken.set(rule, {
      found: smaller({ rule, adapter: 'reference', ...one }, found),
      times: times + 1,
    });
  }
}
await executor.close();

process.stdout.write(`${cases} cases\n`);
for (const [rule, { found, times }] of broken) {
  const shrunk = await shrinkCase(adapter, found, { seconds: whole('seconds', values.seconds, 1), rules });
  process.stdout.write(`${rule}: broken ${times} times, by ${found.property}\n`);
  if (shrunk !== undefined) process.stdout.write(`  ${shrunk.expected} / ${shrunk.observed}\n`);
  process.stdout.write(`  rdma-conform replay ${encodeToken(shrunk?.found ?? found)}\n`);
}
process.exitCode = broken.size === 0 ? 0 : 1;
