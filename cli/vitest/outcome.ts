import { failureLines } from '../../report/failure.ts';
import type { RunResult } from '../../report/results.ts';
import { plain } from '../../report/style.ts';

const width = 100;

/** What fails the test of a property, as text: errors, or every divergence that is not known; undefined where nothing does. */
export function trouble(
  { errors, failures }: RunResult,
  { adapter, strict }: { adapter: string; strict: boolean },
): string | undefined {
  if (errors.length > 0) return errors.join('\n');
  const counts = failures.filter(
    ({ known, level }) => !known && (level === 'must' || (strict && level === 'should')),
  );
  if (counts.length === 0) return undefined;
  return [
    counts.map(({ rule, expected, observed }) => `${rule}: expected ${expected}, observed ${observed}`),
    '',
    counts.flatMap((failure, i) =>
      failureLines(failure, `${i + 1}. ${failure.rule}`, { width, style: plain, adapter }),
    ),
  ]
    .flat()
    .join('\n');
}

/** Why the property neither holds nor fails; undefined where that is not so. */
export function doubtsOf({ interrupted, rules }: RunResult): string | undefined {
  if (interrupted) return 'interrupted';
  const doubtful = rules.filter(({ verdict, known }) => verdict === 'inconclusive' && known === undefined);
  if (doubtful.length === 0) return undefined;
  return `inconclusive: ${doubtful.map(({ id, why = '' }) => `${id}: ${why}`).join('; ')}`;
}
