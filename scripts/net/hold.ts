import type { RuleSet } from '../../oracle/index.ts';
import type { Scenario } from '../../suites/index.ts';
import type { Build, MakingBuild } from './build.ts';
import { compareJudgements, inNamesBefore, type Difference, type Judged } from './compare.ts';
import type { Devices } from './devices.ts';
import { digestOf } from './digest.ts';
import { drive, type Driven } from '../../suites/corpus/drive.ts';
import { adopted, compareDrives, judge } from './drive.ts';
import type { Names } from './names.ts';
import type { Records } from './records.ts';
import { seenOf, type RecordedTrace, type Seen } from '../../suites/corpus/views/index.ts';

/** A build at work, with its rules. */
export interface Side<B extends Build = Build> {
  build: B;
  rules: RuleSet;
}

/** Both builds, and what is known of them. */
export interface Pair {
  before: Side<MakingBuild>;
  after: Side;
  names: Names;
  /** run each scenario on the reference NIC of the build after as well, and hold the traces against each other */
  nic: boolean;
  records: Records;
}

/** One scenario on one device. `name` makes it again. */
export interface Case {
  name: string;
  property: string;
  mutant?: string;
  devices: Devices;
  scenario: Scenario;
}

/** What holding the builds against each other on one case came to. */
export interface Held {
  /** traces that were judged */
  judged: number;
  differences: Difference[];
  /** rules that the device broke, as the build before has it */
  broken: string[];
}

function brokenIn(judged: Judged | undefined): string[] {
  if (judged === undefined || 'thrown' in judged) return [];
  return [...new Set(judged.violations.map(({ rule }) => rule))];
}

/**
 * Runs a scenario on the devices of both builds, and has both judge the same trace, and another that is made of it. Where the
 * devices did not do the same, that is one difference, and the trace of the build before is what both judge.
 */
export async function hold(pair: Pair, item: Case): Promise<Held> {
  const { before, after, names, nic, records } = pair;
  const { name, devices, scenario } = item;
  const judgeAfter = ({ trace }: Seen): Judged =>
    inNamesBefore(judge(after.build, after.rules, trace), names);
  const second = nic ? await drive(after.build, devices.after, scenario) : undefined;
  const known = records.get(name);
  if (known !== undefined && second !== undefined) {
    const judgements = seenOf(second.drive, name, after.build).map(judgeAfter);
    if (digestOf(second, judgements) === known)
      return { judged: judgements.length, differences: [], broken: brokenIn(judgements[0]) };
  }
  const first = await drive(before.build, devices.before, scenario);
  const seen = seenOf(first.drive, name, before.build);
  const judgements = seen.map(({ trace }) => judge(before.build, before.rules, trace));
  records.set(name, digestOf(first, judgements));
  const differences = second === undefined ? [] : compareDrives(first, second);
  const own = ownTrace(pair, first, differences.length === 0 ? second : undefined);
  for (const [i, other] of seenOf(own, name, after.build).entries()) {
    const judgement = judgements[i] ?? { thrown: 'no trace' };
    const found = compareJudgements(judgement, judgeAfter(other));
    differences.push(
      ...found.map((one) => ({ ...one, ...(other.view !== undefined && { view: other.view }) })),
    );
  }
  return { judged: seen.length, differences, broken: brokenIn(judgements[0]) };
}

/** The trace of the build before as that after keeps it: its own where that is the same. */
function ownTrace({ after }: Pair, first: Driven, second: Driven | undefined): RecordedTrace | undefined {
  if (first.drive === undefined || second?.drive !== undefined) return second?.drive;
  const { header, events } = first.drive;
  return { header, events: adopted(after.build, events) };
}
