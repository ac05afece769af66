import type { Scenario, Step } from '../../suites/scenario.ts';

/** A SEND of so many bytes with the PSN behind the expected one. */
export function ahead(bytes: number): Extract<Step, { do: 'inject' }> {
  return {
    do: 'inject',
    packet: {
      operation: 'SEND_ONLY',
      psn: { from: 'next', offset: 1 },
      ackReq: true,
      payload: { mtus: 0, bytes },
    },
  };
}

/** Steps on a responder without memory; `end`: the plan of both ends. */
export function onResponder(end: Scenario['responder'], steps: Scenario['steps']): Scenario {
  return {
    version: 1,
    dut: 'responder',
    ip: 4,
    mtu: 256,
    requester: end,
    responder: end,
    regions: [],
    srq: false,
    faults: [],
    steps,
  };
}
