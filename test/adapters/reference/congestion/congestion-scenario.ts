import type { Scenario, Step } from '../../../../suites/index.ts';

/** A scenario with the DUT as RC responder and these steps. */
export function defaultScenario(steps: Step[]): Scenario {
  const end = {
    startPsn: 0,
    access: [],
    maxDestRdAtomic: 1,
    maxRdAtomic: 1,
    minRnrTimer: 12,
    timeout: 14,
    retryCnt: 7,
    rnrRetry: 6,
  };
  return {
    version: 1,
    dut: 'responder',
    ip: 4,
    mtu: 1024,
    requester: end,
    responder: end,
    regions: [],
    srq: false,
    steps,
    faults: [],
  };
}
