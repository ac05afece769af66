import fc from 'fast-check';
import { dataJobs, job } from '../rc-requester/jobs.ts';
import { answer, begun, finish, scenarios, workOf, type Work } from '../rc-requester/parts.ts';
import { notReady } from '../rc-requester/rnr.ts';
import { exhaustionUs, shortRnrCode, shortTimeout, timingOf } from '../rc-requester/timing.ts';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import type { AttrPlan, Role, Scenario, Step } from '../scenario.ts';
import { stateOf } from './parts.ts';

const at: Role = 'requester';

/** The last work request alone. */
function last({ wrs, mtu }: Work): Work {
  return { wrs: wrs.slice(-1), mtu };
}

/** Calls that change parameters of a QP in RTS, by way of SQD, where alone they are taken. */
function changed(attr: AttrPlan): Step[] {
  return [
    { do: 'modify_qp', at, state: stateOf('SQD') },
    { do: 'modify_qp', at, attr },
    { do: 'modify_qp', at, state: stateOf('RTS') },
    { do: 'query_qp' },
  ];
}

/** The same with an answer in front of the calls and one behind them, each of which gives all retries back, or the calls alone. */
function amid(profile: Profile, attr: AttrPlan, { wrs, mtu }: Work, answered: boolean): Step[] {
  if (!answered) return changed(attr);
  const done = (n: number): Step[] => [
    ...begun(profile, { wrs: wrs.slice(n, n + 1), mtu }),
    ...answer({ wrs, mtu }, n),
    settle,
  ];
  return [...done(0), ...changed(attr), ...done(1)];
}

/** The values that rule at the other end, and those of the DUT as responder: none has a part in what it does as requester. */
const elsewhere = fc.record({
  own: fc.nat(31),
  far: fc.record({ timeout: fc.nat(31), retryCnt: fc.nat(7), rnrRetry: fc.nat(7) }),
});

function withElsewhere(scenario: Scenario, { own, far }: { own: number; far: object }): Scenario {
  return {
    ...scenario,
    requester: { ...scenario.requester, minRnrTimer: own },
    responder: { ...scenario.responder, ...far },
  };
}

export const retriesChanged: SuiteProperty = {
  id: 'parameters/retries-changed',
  suite: 'parameters',
  says: 'Towards a silent peer the timeout and retry_cnt rule that the requester itself was given last.',
  arbitrary: (profile) =>
    fc
      .record({
        scenario: scenarios(
          profile,
          fc.record({
            one: job(profile, dataJobs, { mostMtus: 1, signaled: true }),
            timeout: shortTimeout(profile),
            retryCnt: fc.nat(timingOf(profile).virtual ? 7 : 3),
            both: fc.boolean(),
            answered: fc.boolean(),
          }),
          ({ mtu, retryCnt: before }, { one, timeout, retryCnt, both, answered }) => {
            const work = workOf(answered ? [one, one, one] : [one], mtu);
            const most = both ? retryCnt : before;
            return {
              steps: [
                ...amid(profile, both ? { timeout, retry_cnt: retryCnt } : { timeout }, work, answered),
                ...begun(profile, last(work)),
                ...finish(profile, exhaustionUs(profile, timeout, most)),
              ],
            };
          },
        ),
        elsewhere,
      })
      .map(({ scenario, elsewhere: values }) => withElsewhere(scenario, values)),
  aims: ['rc-retry-exhausted', 'rc-timeout-early', 'rc-timeout-window', 'qp-requester-parameters-accepted'],
};

export const rnrRetriesChanged: SuiteProperty = {
  id: 'parameters/rnr-retries-changed',
  suite: 'parameters',
  says: 'Towards a peer that is not ready the rnr_retry rules that the requester was given last, and the timer of the NAK.',
  arbitrary: (profile) =>
    fc
      .record({
        scenario: scenarios(
          profile,
          fc.record({
            one: job(profile, dataJobs, { mostMtus: 1, signaled: true }),
            code: shortRnrCode(),
            rnrRetry: fc.nat(7),
            answered: fc.boolean(),
          }),
          ({ mtu }, { one, code, rnrRetry, answered }) => {
            const work = workOf(answered ? [one, one, one] : [one], mtu);
            const n = work.wrs.length - 1;
            return {
              steps: [
                ...amid(profile, { rnr_retry: rnrRetry }, work, answered),
                ...begun(profile, last(work)),
                ...Array.from({ length: rnrRetry + 1 }, () => notReady(profile, work, n, code)).flat(),
                ...finish(profile),
              ],
            };
          },
        ),
        elsewhere,
      })
      .map(({ scenario, elsewhere: values }) => withElsewhere(scenario, values)),
  aims: ['rc-rnr-retry-exhausted', 'rc-rnr-retry-unlimited', 'rc-rnr-wait'],
};
