import { describe, expect, it } from 'vitest';
import { judgeTrace, loadRules } from '../../oracle/index.ts';
import { parseScenario } from '../../suites/case/index.ts';
import { drive, statuses } from './drive.ts';

const end = { access: [], maxRdAtomic: 1, maxDestRdAtomic: 1, minRnrTimer: 12, rnrRetry: 0 };
const post = {
  do: 'post_send',
  wr: { opcode: 'IBV_WR_SEND', length: 0, region: 0, offset: 0, signaled: true },
};
const rules = loadRules();

interface Plan {
  retryCnt: number;
  /** a first message is answered with MigReq 0, which arms the QP */
  armed: boolean;
  /** MigReq of the NAKs */
  naks: readonly boolean[];
  /** packets are waited for behind each of them */
  apart: boolean;
  alt_timeout?: number;
}

/** Three messages of a QP with an alternate path, of which the first is refused again and again. */
function refused({ retryCnt, armed, naks, apart, alt_timeout }: Plan): unknown {
  const answer = (reply: object, psn: object, migReq: boolean): object => ({
    do: 'respond',
    packet: { reply, psn, ...(!migReq && { defect: { kind: 'ignored', field: 'mig-req' } }) },
  });
  const nak = { kind: 'nak', code: 0 };
  const packets = { do: 'await', packets: 3, us: 100 };
  return {
    version: 1,
    dut: 'requester',
    ip: 4,
    mtu: 256,
    requester: { ...end, startPsn: 0, timeout: 1, retryCnt },
    responder: { ...end, startPsn: 8192, timeout: 14, retryCnt: 7 },
    regions: [{ length: 64, access: ['IBV_ACCESS_LOCAL_WRITE'], fill: 1 }],
    srq: false,
    peer: 'scripted',
    faults: [],
    steps: [
      {
        do: 'modify_qp',
        at: 'requester',
        attr: { alt_ah_attr: 'other-ip', path_mig_state: 'IBV_MIG_REARM', alt_timeout },
      },
      post,
      { do: 'await', packets: 1, us: 100 },
      answer({ kind: 'ack' }, { from: 'wr-end', wr: 0, offset: 0 }, !armed),
      { do: 'settle' },
      post,
      post,
      post,
      packets,
      ...naks.flatMap((migReq) => {
        const one = answer(nak, { from: 'wr', wr: 1, offset: 0 }, migReq);
        return apart ? [one, packets] : [one];
      }),
      { do: 'settle' },
    ],
  };
}

const both = [false, true];
const each = (length: number): boolean[][] =>
  length === 0 ? [[]] : each(length - 1).flatMap((rest) => both.map((one) => [...rest, one]));

describe('retries that are used up by NAKs, with an alternate path', () => {
  it('take the QP there or fail it, whichever NAK arms it and however close they come', async () => {
    let migrated = 0;
    let failed = 0;
    for (const retryCnt of [0, 1, 2])
      for (const armed of both)
        for (const apart of both)
          for (const naks of [1, 2, 3].flatMap(each))
            for (const alt_timeout of [1, undefined]) {
              const plan = {
                retryCnt,
                armed,
                naks,
                apart,
                ...(alt_timeout !== undefined && { alt_timeout }),
              };
              const { header, events } = await drive(
                parseScenario(JSON.parse(JSON.stringify(refused(plan)))),
              );
              const { violations } = judgeTrace(header, events, rules);
              expect(
                violations.map(({ rule }) => rule),
                JSON.stringify(plan),
              ).toEqual([]);
              if (events.some((e) => e.kind === 'async' && e.event.event_type === 'IBV_EVENT_PATH_MIG'))
                migrated++;
              if (statuses(events).includes('RETRY_EXC_ERR')) failed++;
            }
    expect(migrated).toBeGreaterThan(50);
    expect(failed).toBeGreaterThan(50);
  });
});
