import fc from 'fast-check';
import { isLive } from '../driver/index.ts';
import { drawnOf } from '../draw.ts';
import type { SuiteProperty } from '../property.ts';
import type { AttrPlan, Scenario, Step } from '../scenario.ts';
import { behind, leftBy } from './moved.ts';
import { sourcesOf, type Machine } from './sources.ts';

/** How the first life ends: after which share 0..99 of its steps, by which states, and whether what is under way comes to a rest. */
interface End {
  share: number;
  failed: boolean;
  midway: boolean;
}

/** Calls that set the QP up as the plan of another scenario says; from then on the steps go by it. */
function setUp({ dut, mtu, service = 'RC', ...plans }: Scenario): Step[] {
  const own = plans[dut];
  const far = plans[dut === 'responder' ? 'requester' : 'responder'];
  const reliable = service === 'RC';
  const rtr: AttrPlan = {
    path_mtu: mtu,
    rq_psn: far.startPsn,
    ...(reliable && { max_dest_rd_atomic: own.maxDestRdAtomic, min_rnr_timer: own.minRnrTimer }),
  };
  const rts: AttrPlan = {
    sq_psn: own.startPsn,
    ...(reliable && {
      timeout: own.timeout,
      retry_cnt: own.retryCnt,
      rnr_retry: own.rnrRetry,
      max_rd_atomic: own.maxRdAtomic,
    }),
  };
  return [
    { do: 'modify_qp', at: dut, state: 'IBV_QPS_INIT', attr: { qp_access_flags: [...own.access] } },
    { do: 'modify_qp', at: dut, state: 'IBV_QPS_RTR', attr: rtr, followed: true },
    { do: 'modify_qp', at: dut, state: 'IBV_QPS_RTS', attr: rts, followed: true },
  ];
}

/** Whether a scenario can be a life of another one's QP. */
function alike(one: Scenario, other: Scenario): boolean {
  const plain = (scenario: Scenario): boolean =>
    !isLive(scenario) &&
    scenario.faults.length === 0 &&
    scenario.path === undefined &&
    scenario.cqe === undefined &&
    scenario.cqs === undefined &&
    [scenario.requester, scenario.responder].every(
      ({ maxSendWr, maxRecvWr, maxSge, sqSigAll }) =>
        maxSendWr === undefined && maxRecvWr === undefined && maxSge === undefined && sqSigAll === undefined,
    );
  return (
    plain(one) && plain(other) && one.dut === other.dut && one.peer === other.peer && one.srq === other.srq
  );
}

/** Two lives of one QP: some steps of the first scenario, RESET, and the first of the others that can be the second life. */
function lives(first: Scenario, others: readonly Scenario[], { share, failed, midway }: End): Scenario {
  const second = others.find((other) => alike(first, other));
  if (second === undefined) return first;
  const { dut } = first;
  const steps = first.steps.slice(0, Math.ceil(((share + 1) * first.steps.length) / 100));
  const by = leftBy({ regions: first.regions, steps });
  const to = (state: 'IBV_QPS_ERR' | 'IBV_QPS_RESET'): Step => ({
    do: 'modify_qp',
    at: dut,
    state,
    ...(midway && { midway: true }),
  });
  return {
    ...first,
    regions: [...first.regions, ...second.regions],
    steps: [
      ...steps,
      ...(failed ? [to('IBV_QPS_ERR')] : []),
      to('IBV_QPS_RESET'),
      ...setUp(second),
      ...second.steps.map((step) => behind(step, by)),
    ],
  };
}

const aims: Partial<Record<Machine, readonly string[]>> = {
  'rc-responder': ['rc-msn-counts-messages', 'rc-request-ahead', 'rc-duplicate-atomic-absent'],
  'rc-requester': ['rc-request-unposted', 'rc-retry-exhausted', 'rc-rnr-retry-exhausted'],
  uc: ['uc-receive-completes', 'unreliable-sent-unposted'],
  ooo: ['ooo-response-msn', 'ooo-completion-owed', 'ooo-sent-unposted'],
};

/** Two cases of one machine, in two lives of its QP. */
export function secondLives(machine: Machine): SuiteProperty {
  const sources = sourcesOf(machine);
  const reliable = machine === 'rc-responder' || machine === 'rc-requester';
  return {
    id: `${machine}/second-lives`,
    suite: machine,
    ...(machine === 'uc' || machine === 'ooo' ? { requires: [machine] } : {}),
    says: 'A QP that was reset, wherever it stood, and is set up otherwise, does as one that was never used.',
    arbitrary: (profile) =>
      fc
        .record({
          first: drawnOf(sources, profile),
          others: fc.array(drawnOf(sources, profile), { minLength: 3, maxLength: 3 }),
          share: fc.nat(99),
          failed: fc.boolean(),
          midway: fc.boolean(),
        })
        .map(({ first, others, midway, ...end }) =>
          lives(first, others, { ...end, midway: midway && reliable }),
        ),
    aims: aims[machine] ?? [],
  };
}
