import { defaultConfig, referenceAdapter } from '../adapters/reference/index.ts';
import type { RateRecord } from '../spec/congestion.ts';
import { dcqcnProfile } from '../spec/dcqcn.ts';
import { BenchSession, type Scenario } from '../suites/index.ts';
import { cnpsAt } from './hand-trace.ts';

/** A record of the reaction point, with its time in microseconds since the first CNP. */
export interface TimedRecord {
  at: number;
  record: RateRecord;
}

/** What the reaction point of the reference NIC tells where CNPs come at `cnpsAt`, until `until` microseconds. */
export async function rateTrace(until: number): Promise<TimedRecord[]> {
  const { lineRate, cnp, dcqcn } = dcqcnProfile('paper');
  const adapter = referenceAdapter({
    responder: {
      congestion: {
        ...defaultConfig.congestion,
        lineRate,
        cnp,
        dcqcn,
        cut: 'at-once',
        increase: 'one-count',
      },
    },
  });
  const session = new BenchSession(await adapter.open({}));
  const { events } = await session.run(scenario(until));
  session.close();
  const told = events.flatMap((event) => (event.kind === 'rate' ? [event] : []));
  const origin = told[0]?.t ?? 0;
  return told.map(({ t, record }) => ({ at: (t - origin) / 1000, record }));
}

function scenario(until: number): Scenario {
  const end = {
    startPsn: 0,
    access: [],
    maxDestRdAtomic: 0,
    maxRdAtomic: 0,
    minRnrTimer: 0,
    timeout: 0,
    retryCnt: 0,
    rnrRetry: 0,
  };
  return {
    version: 1,
    dut: 'requester',
    peer: 'scripted',
    service: 'UC',
    ip: 4,
    mtu: 1024,
    requester: end,
    responder: end,
    regions: [],
    srq: false,
    steps: [...cnpsAt, until].flatMap((at, i, all) => [
      { do: 'sleep' as const, us: at - (all[i - 1] ?? 0) },
      ...(at === until
        ? []
        : [
            {
              do: 'respond' as const,
              packet: { reply: { kind: 'cnp' as const }, psn: { from: 'start' as const, offset: 0 } },
            },
          ]),
    ]),
    faults: [],
  };
}
