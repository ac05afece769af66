import { describe, expect, it } from 'vitest';
import {
  defaultConfig,
  referenceAdapter,
  type ReferenceConfig,
} from '../../../../adapters/reference/index.ts';
import type { DriveResult, Step } from '../../../../suites/index.ts';
import { inject, packet, recv } from '../../../../suites/arbitraries/packets.ts';
import { drive, packets } from '../../../suites/drive.ts';
import { defaultScenario } from './congestion-scenario.ts';

const dcqcn = defaultConfig.congestion.dcqcn;
if (dcqcn === undefined) throw new Error('no reaction point');
const { minRate, decreaseSlot } = dcqcn;
const named: Step = {
  do: 'respond',
  packet: { reply: { kind: 'cnp', ecn: 1 }, psn: { from: 'start', offset: 0 } },
};
/** At 4 Gb/s from then on, for a while. */
const slow: Step[] = Array.from({ length: 8 }, (): Step[] => [
  named,
  { do: 'sleep', us: (decreaseSlot * 1.1) / 1000 },
]).flat();
const length = 8 * 1024;
const read = inject(packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length } }));

async function run(steps: Step[], config: Partial<ReferenceConfig> = {}): Promise<DriveResult> {
  const plan = defaultScenario(steps);
  const access = ['IBV_ACCESS_LOCAL_WRITE', 'IBV_ACCESS_REMOTE_READ'] as const;
  return drive(
    {
      ...plan,
      responder: { ...plan.responder, access: [...access], maxDestRdAtomic: 4 },
      regions: [{ length, access: [...access], fill: 1 }],
    },
    referenceAdapter({ responder: config }),
  );
}

async function left(steps: Step[]): Promise<{ name: string; bytes: number; t: number }[]> {
  const { events } = await run(steps);
  return packets(events, 'from-dut').map(({ packet: p, t }) => ({
    name: p.info?.operation.replace('RDMA_READ_RESPONSE_', '') ?? '',
    bytes: p.frame.length,
    t,
  }));
}

const answer = ['FIRST', ...Array<string>(6).fill('MIDDLE'), 'LAST'];

describe('READ responses of a QP that CNPs have named', () => {
  it('leave no closer together than its rate lets them', async () => {
    const all = await left([...slow, read]);
    expect(all.map(({ name }) => name)).toEqual(answer);
    const gaps = all.slice(1).map(({ t, bytes }, i) => (t - (all[i]?.t ?? 0)) / bytes);
    // at the least rate, or a little above it once it has grown
    for (const gap of gaps) expect(gap).toBeGreaterThan((8e9 / minRate) * 0.4);
    expect(Math.max(...gaps)).toBeLessThan((8e9 / minRate) * 1.1);
  });

  it('leave all at once where no CNP has come', async () => {
    const all = await left([read]);
    expect(all.map(({ name }) => name)).toEqual(answer);
    expect(new Set(all.map(({ t }) => t)).size).toBe(1);
  });

  it('keep what comes behind them waiting', async () => {
    const send = inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } }));
    const all = await left([recv(8), ...slow, read, send]);
    expect(all.map(({ name }) => name)).toEqual([...answer, 'ACKNOWLEDGE']);
    expect(all.at(-1)?.t).toBe(all.at(-2)?.t);
  });

  it('all leave before the NAK of a request that ends the connection', async () => {
    const all = await left([
      ...slow,
      read,
      inject(packet('SEND_MIDDLE', { payload: { mtus: 1, bytes: 0 } })),
    ]);
    expect(all.map(({ name }) => name)).toEqual([...answer, 'ACKNOWLEDGE']);
    expect(new Set(all.map(({ t }) => t)).size).toBeGreaterThan(6);
  });

  it.each([
    ['RESET', { do: 'modify_qp', at: 'responder', state: 'IBV_QPS_RESET', midway: true }],
    ['ERR', { do: 'modify_qp', at: 'responder', state: 'IBV_QPS_ERR', midway: true }],
    ['ibv_destroy_qp', { do: 'destroy', object: 'qp', midway: true }],
  ] satisfies [string, Step][])('end with %s', async (_, end) => {
    const all = await left([...slow, read, { do: 'sleep', us: 5 }, end, { do: 'sleep', us: 200 }]);
    expect(all.length).toBeGreaterThan(0);
    expect(all.length).toBeLessThan(answer.length);
  });

  it('are waited for before the device is taken to be at rest', async () => {
    // some hundred microseconds for a packet
    const congestion = { ...defaultConfig.congestion, dcqcn: { ...dcqcn, minRate: 50e6 } };
    const cuts = Array.from({ length: 2 }, () => slow).flat();
    for (const rateReports of [true, false]) {
      const { events } = await run([...cuts, read, { do: 'settle' }], { congestion, rateReports });
      const rest = events.findLastIndex(({ kind }) => kind === 'settled');
      expect(packets(events.slice(0, rest), 'from-dut')).toHaveLength(answer.length);
    }
  });
});
