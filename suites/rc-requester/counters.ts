import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { cellOf, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { dataJobs, jobs } from './jobs.ts';
import { exchange } from './exchange.ts';
import { afterTimeout, answer, answerFrom, requestsFrom, respond, sent, wrPsn } from './parts.ts';
import { notReady } from './rnr.ts';
import { shortRnrCode, shortTimeout } from './timing.ts';

type Setback =
  | { kind: 'duplicate' }
  | { kind: 'nak' }
  | { kind: 'rnr'; code: number }
  | { kind: 'timeout' }
  | { kind: 'progress' };

function setback(profile: Profile): fc.Arbitrary<Setback> {
  const real = profile.clock !== 'virtual';
  return fc.oneof(
    fc.constant<Setback>({ kind: 'nak' }),
    fc.constant<Setback>({ kind: 'duplicate' }),
    shortRnrCode().map((code): Setback => ({ kind: 'rnr', code })),
    { weight: real ? 1 : 2, arbitrary: fc.constant<Setback>({ kind: 'timeout' }) },
    fc.constant<Setback>({ kind: 'progress' }),
  );
}

/** Setbacks in the order in which they come; `counter`: what both counters are set to, if that matters. */
interface Plan {
  setbacks: Setback[];
  counter?: number;
}

/** A counter that is spent to the last for one work request after the other: only progress in between makes that possible. */
function spentAgain(): fc.Arbitrary<Plan> {
  const code = shortRnrCode();
  return fc
    .record({
      setback: fc.oneof(
        { weight: 2, arbitrary: code.map((c): Setback => ({ kind: 'rnr', code: c })) },
        { weight: 1, arbitrary: fc.constantFrom<Setback>({ kind: 'nak' }, { kind: 'timeout' }) },
      ),
      counter: fc.integer({ min: 1, max: 2 }),
      rounds: fc.integer({ min: 2, max: 3 }),
    })
    .map(({ setback: each, counter, rounds }) => {
      const round: Setback[] = [...Array.from({ length: counter }, () => each), { kind: 'progress' }];
      return { counter, setbacks: Array.from({ length: rounds }, () => round).flat() };
    });
}

/** Both counters spent to the last for one work request: in which order, and what it is sent again for. */
interface BothSpent {
  first: 'resent' | 'rnr' | 'turns';
  resent: 'timeout' | 'nak';
}

/** Every order: neither counter is spent by the causes of the other. */
const spentTogether: Grid<BothSpent> = {
  name: 'both retry counters spent',
  every: 2,
  cells: () => [
    { first: 'resent', resent: 'timeout' },
    { first: 'rnr', resent: 'nak' },
    { first: 'turns', resent: 'nak' },
    { first: 'turns', resent: 'timeout' },
    { first: 'resent', resent: 'nak' },
    { first: 'rnr', resent: 'timeout' },
  ],
};

function together({ first, resent }: BothSpent, counter: number, rounds: number, code: number): Plan {
  const rnr: Setback = { kind: 'rnr', code };
  const again: Setback = { kind: resent };
  const times = (all: readonly Setback[]): Setback[] => Array.from({ length: counter }, () => all).flat();
  const spent =
    first === 'turns'
      ? times([again, rnr])
      : first === 'rnr'
        ? [...times([rnr]), ...times([again])]
        : [...times([again]), ...times([rnr])];
  const round: Setback[] = [...spent, { kind: 'progress' }];
  return { counter, setbacks: Array.from({ length: rounds }, () => round).flat() };
}

function plan(profile: Profile): fc.Arbitrary<Plan> {
  const maxLength = profile.clock === 'virtual' ? 16 : 8;
  return fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({ setbacks: fc.array(setback(profile), { minLength: 1, maxLength }) }),
    },
    { weight: 1, arbitrary: spentAgain() },
  );
}

export const counters: SuiteProperty = {
  id: 'rc-requester/counters',
  suite: 'rc-requester',
  says: 'The two retry counters are spent each by its own causes, and reloaded by progress.',
  arbitrary: (profile) =>
    exchange(profile, {
      draw: {
        all: jobs(profile, dataJobs, 5, { mostMtus: 1 }),
        timeout: shortTimeout(profile),
        rolled: plan(profile),
        cell: cellOf(spentTogether, profile),
        counter: fc.integer({ min: 1, max: 2 }),
        rounds: fc.integer({ min: 1, max: 2 }),
        code: shortRnrCode(),
      },
      jobs: ({ all }) => all,
      parts: (work, { all, timeout, rolled, cell, counter: most, rounds, code }) => {
        const { setbacks, counter } = cell === undefined ? rolled : together(cell, most, rounds, code);
        let n = 0;
        const steps = setbacks.flatMap((what): Step[] => {
          if (n >= all.length) return [];
          switch (what.kind) {
            case 'nak':
              return [respond({ kind: 'nak', code: 0 }, wrPsn(n)), ...sent(profile, requestsFrom(work, n))];
            case 'rnr':
              return notReady(profile, work, n, what.code);
            case 'duplicate':
              return [respond({ kind: 'ack' }, { from: 'oldest', offset: -1 })];
            case 'timeout':
              return [afterTimeout(profile, timeout, requestsFrom(work, n))];
            case 'progress':
              return answer(work, n++);
          }
        });
        return {
          timeout,
          ...(counter === undefined ? {} : { retryCnt: counter, rnrRetry: counter }),
          steps: [...steps, ...answerFrom(work, n)],
        };
      },
    }),
  grids: [spentTogether],
  aims: [
    'rc-progress-reloads',
    'rc-rnr-retry-counted',
    'rc-retry-counted-timeout',
    'rc-retry-counted-sequence-nak',
    'rc-retry-exhausted',
    'rc-timeout-overdue',
  ],
};
