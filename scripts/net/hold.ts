import type { Adapter } from '../../adapters/index.ts';
import type { RuleSet } from '../../oracle/index.ts';
import type { Scenario } from '../../suites/index.ts';
import type { Build } from './build.ts';
import { compareJudgements, type Difference } from './compare.ts';
import { adopted, compareDrives, drive, judge } from './drive.ts';
import type { Names, NamedDifference } from './names.ts';

/** A build at work: its rules loaded, and a device to run scenarios on. */
export interface Side {
  build: Build;
  rules: RuleSet;
}

/** Both builds, and what may differ between them. */
export interface Pair {
  before: Side;
  after: Side;
  names: Names;
  /** run each scenario on the reference NIC of the build after as well, and hold the traces against each other */
  nic: boolean;
}

/** What holding the builds against each other on one case came to. */
export interface Held {
  /** traces that both builds judged */
  judged: number;
  differences: Difference[];
}

/**
 * Runs a scenario on the device of the build before, and has both builds judge the trace. Where the device of the build after is
 * held against it, that its trace differs is one difference, and both builds still judge the same trace.
 */
export async function hold(
  pair: Pair,
  devices: { before: Adapter; after: Adapter },
  scenario: Scenario,
): Promise<Held> {
  const { before, after, names, nic } = pair;
  const first = await drive(before.build, devices.before, scenario);
  const second = nic ? await drive(after.build, devices.after, scenario) : first;
  const differences = compareDrives(first, second);
  if (first.drive === undefined) return { judged: 0, differences };
  const { header, events } = first.drive;
  // the same trace in any case, as either build keeps it
  const own = nic && differences.length === 0 ? second.drive?.events : adopted(after.build, events);
  const judgements = [
    judge(before.build, before.rules, header, events),
    judge(after.build, after.rules, header, own ?? []),
  ] as const;
  differences.push(...compareJudgements(...judgements, names));
  return { judged: 1, differences };
}

/** The entry of the list that a difference is, if any. */
export function nameOf(
  difference: Difference,
  where: { property?: string; mutant?: string },
  names: Names,
): NamedDifference | undefined {
  return names.differences.find(
    ({ field, key, property, mutant }) =>
      field === difference.field &&
      (key === undefined || key === difference.key) &&
      (property === undefined || property === where.property) &&
      (mutant === undefined || mutant === where.mutant),
  );
}
