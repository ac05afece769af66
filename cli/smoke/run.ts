import { AdapterBroken, AdapterUnavailable, type Adapter, type Profile } from '../../adapters/adapter.ts';
import { loadRules, type TraceEvent, type Violation } from '../../oracle/index.ts';
import type { CaseOutcome } from '../../suites/runner/devices/case-runner.ts';
import { Executor } from '../../suites/runner/executor.ts';
import { printable } from '../../report/printable.ts';
import { messageOf } from '../exit-codes.ts';
import { callSteps } from './calls.ts';
import { soundProfile } from './profile.ts';
import type { Checked, Outcome } from './step.ts';
import { trafficSteps, type TrafficStep } from './traffic.ts';

/** The time that everything together may take is over. */
class TooSlow extends Error {}

export interface SmokeOptions {
  adapter: Adapter;
  /** seconds */
  limit: number;
  /** called with every check when it is done */
  onChecked: (checked: Checked) => void;
  log: (line: string) => void;
}

function failure(thrown: unknown): Outcome {
  const broken = thrown instanceof TooSlow || thrown instanceof AdapterBroken;
  return { verdict: broken ? 'error' : 'fail', says: messageOf(thrown) };
}

/** Errno of a device that does not offer what was asked for: ENOSYS, EOPNOTSUPP. */
const notOffered = new Set([38, 95]);

/** The violations of one exchange; of rules that an earlier one has shown broken, the names alone. */
function violationsText(violations: readonly Violation[], shown: Set<string>): string {
  const rules = [...new Set(violations.map(({ rule }) => rule))];
  const fresh = violations.find(({ rule }) => !shown.has(rule));
  const others = rules.filter((rule) => rule !== fresh?.rule);
  for (const rule of rules) shown.add(rule);
  if (fresh === undefined) return `${others.join(', ')}: as before`;
  const { rule, expected, observed } = fresh;
  const also = others.length === 0 ? '' : `; also ${others.join(', ')}`;
  return `${rule}: expected ${expected}; observed ${observed}${also}`;
}

/** The errno by which the device has said that it has no requester. */
function refusedPost(step: TrafficStep, outcome: CaseOutcome): number | undefined {
  if (!step.posts || outcome.kind === 'error') return undefined;
  const { events } = outcome.drive;
  const refused = events.find((event) => event.kind === 'call-failed' && event.call === 'post_send');
  return refused?.kind === 'call-failed' && notOffered.has(refused.errno) ? refused.errno : undefined;
}

/** A work request that the device does not have; `posted`: it has taken another one. */
function refusal(errno: number, posted: boolean): Outcome {
  const says = posted
    ? 'its requester does not have it. What needs it fails by name: list it in --known'
    : 'no requester. Run it with --suite rc-responder';
  return { verdict: 'note', says: `refused with errno ${errno}: ${says}` };
}

const noResponder: Checked = {
  name: 'responder',
  verdict: 'note',
  says: 'no request was answered. If it is a requester only, run it with --suite rc-requester',
};

const fromDevice = (event: TraceEvent): boolean => event.kind === 'packet' && event.direction === 'from-dut';

function trafficOutcome(step: TrafficStep, outcome: CaseOutcome, shown: Set<string>): Outcome {
  if (outcome.kind === 'error') return { verdict: outcome.fatal ? 'error' : 'fail', says: outcome.message };
  const { judgement, drive } = outcome;
  if (judgement.violations.length > 0)
    return { verdict: 'fail', says: violationsText(judgement.violations, shown) };
  const sent = drive.events.filter(fromDevice).length;
  if (sent < step.answers)
    return { verdict: 'fail', says: `${sent} packets came from the device, and ${step.answers} are due` };
  const [doubt] = judgement.inconclusive;
  return doubt === undefined
    ? { verdict: 'ok', says: '' }
    : { verdict: 'note', says: `could not be judged: ${doubt}` };
}

/** What became of all checks; `whole`: none was left out since one before it failed. */
export interface Smoked {
  checked: Checked[];
  whole: boolean;
}

/**
 * Looks at an adapter: its profile, each of its calls, then traffic. A call that is wrong ends it, since others need what it gives; a rule that
 * is broken does not.
 */
export async function smoke(options: SmokeOptions): Promise<Smoked> {
  const { adapter, limit, log } = options;
  const done: Checked[] = [];
  let over: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    over = setTimeout(() => reject(new TooSlow(`not done ${limit} s after the beginning`)), limit * 1000);
  });
  deadline.catch(() => undefined);
  const tell = (checked: Checked): Outcome['verdict'] => {
    const shown = { ...checked, says: printable(checked.says) };
    done.push(shown);
    options.onChecked(shown);
    return shown.verdict;
  };
  /** Runs one check within what is left of the time. */
  const tried = async (name: string, run: () => Promise<Outcome>): Promise<Outcome['verdict']> => {
    try {
      return tell({ name, ...(await Promise.race([run(), deadline])) });
    } catch (thrown) {
      if (thrown instanceof AdapterUnavailable) throw thrown;
      return tell({ name, ...failure(thrown) });
    }
  };
  /** The same; false where what comes after needs what is wrong. */
  const check = async (name: string, run: () => Promise<Outcome>): Promise<boolean> => {
    const verdict = await tried(name, run);
    return verdict !== 'fail' && verdict !== 'error';
  };
  const remark = (says: string | undefined | void): Outcome => ({ verdict: 'ok', says: says ?? '' });

  const calls = async (): Promise<Profile | undefined> => {
    let profile: Profile | undefined;
    const opening = adapter.open({ log });
    const sound = await check('open', async () => {
      const bench = await opening;
      profile = bench.wire === undefined ? { ...bench.profile, wire: 'none' } : bench.profile;
      return remark(soundProfile(bench));
    });
    if (!sound || profile === undefined) return undefined;
    const bench = await opening;
    try {
      for (const { name, run } of callSteps({ bench, profile }))
        if (!(await check(name, async () => remark(await run())))) return undefined;
    } finally {
      await Promise.race([bench.close(), deadline]).catch(() => undefined);
    }
    return profile;
  };

  const traffic = async (profile: Profile): Promise<boolean> => {
    const steps = trafficSteps(profile);
    if (steps.length === 0) tell({ name: 'traffic', verdict: 'skipped', says: 'the device has no rc' });
    const opening = Executor.open(adapter, loadRules(), { log });
    opening.catch(() => undefined);
    try {
      const executor = await Promise.race([opening, deadline]);
      const shown = new Set<string>();
      let answered = false;
      let posted = false;
      for (const step of steps) {
        let refused: number | undefined;
        const run = async (): Promise<Outcome> => {
          const outcome = await executor.run(step.scenario);
          refused = refusedPost(step, outcome);
          if (refused !== undefined) return refusal(refused, posted);
          if (step.posts) posted ||= outcome.kind !== 'error';
          else answered ||= outcome.kind !== 'error' && outcome.drive.events.some(fromDevice);
          return trafficOutcome(step, outcome, shown);
        };
        if ((await tried(step.name, run)) === 'error') return false;
        // without a requester the other work requests would say the same
        if (refused !== undefined && !posted) break;
      }
      if (posted && !answered && steps.some((step) => !step.posts)) tell(noResponder);
      return true;
    } catch (thrown) {
      tell({ name: 'open again', ...failure(thrown) });
      return false;
    } finally {
      await Promise.race([opening.then((executor) => executor.close()), deadline]).catch(() => undefined);
    }
  };

  try {
    if (!(await check('describe', async () => remark((await adapter.describe()).name))))
      return { checked: done, whole: false };
    const profile = await calls();
    const whole = profile !== undefined && (await traffic(profile));
    return { checked: done, whole };
  } finally {
    clearTimeout(over);
    await Promise.race([adapter.close?.(), new Promise((resolve) => setTimeout(resolve, 3500))]);
  }
}
