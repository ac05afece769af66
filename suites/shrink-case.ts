import type { Adapter } from '../adapters/adapter.ts';
import { loadRules, type RuleSet } from '../oracle/index.ts';
import type { ReplayCase } from './case/index.ts';
import { Executor } from './runner/executor.ts';
import { simplest } from './runner/evidence.ts';
import { upToFault } from './runner/shrinking/guesses.ts';
import { signatureOf } from './runner/signature.ts';
import { sizeOf } from './runner/tally.ts';

/** A smaller case, and whether nothing simpler is left to try; undefined where the case did not show its finding. */
export type ShrunkCase =
  { found: ReplayCase; whole: boolean; expected: string; observed: string } | undefined;

const manyTries = 1_000_000;

/** Makes a case smaller for some time. Throws an Error that says why where its scenario cannot be run. */
export async function shrinkCase(
  adapter: Adapter,
  found: ReplayCase,
  options: { seconds: number; rules?: RuleSet; log?: (line: string) => void; signal?: AbortSignal },
): Promise<ShrunkCase> {
  const { rules = loadRules(), seconds, signal, log } = options;
  const open = { ...(log !== undefined && { log }), ...(signal !== undefined && { signal }) };
  const executor = await Executor.open(adapter, rules, open);
  try {
    const { rule, property, scenario } = found;
    if (rule === undefined) return undefined;
    const outcome = await executor.run(scenario);
    if (outcome.kind === 'error') throw new Error(outcome.message);
    const { judgement, drive } = outcome;
    const seen = judgement.violations
      .filter((violation) => violation.rule === rule)
      .map((violation) => ({ violation, signature: signatureOf(violation, drive.events) }));
    const own = seen.find(({ signature }) => signature === found.signature) ?? seen[0];
    if (own === undefined) return undefined;
    const generated = { scenario, simpler: () => [][Symbol.iterator]() };
    const short = upToFault(scenario, own.violation, drive);
    const until = performance.now() + seconds * 1000;
    const shrunk = await simplest(
      {
        ...own,
        rule,
        property,
        generated,
        rank: 0,
        size: sizeOf(scenario),
        others: [],
        ...(short !== undefined && { upToFault: short }),
      },
      executor,
      {
        tries: manyTries,
        parallel: executor.concurrency,
        stop: () => signal?.aborted === true || performance.now() > until,
      },
    );
    const { expected, observed } = own.violation;
    const smaller = { ...found, signature: own.signature, scenario: shrunk.scenario };
    return { found: smaller, whole: shrunk.whole, expected, observed };
  } finally {
    await executor.close();
  }
}
