import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { inject, packet, recv, settle } from '../arbitraries/packets.ts';
import { scenarios as placedScenarios } from '../ooo/parts.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from '../rc-responder/parts.ts';
import type { PacketPlan, RegionPlan, Step } from '../scenario.ts';
import { cnp, cut, dcqcnOf, sleep, wide } from './parts.ts';
import { longest, play, turns } from './rate.ts';
import type { Turn } from './rate.ts';

const some = 16;

function region(profile: Profile): RegionPlan[] {
  return [{ length: longest, access: fullAccess(profile), fill: 1 }];
}

/** As many READs as a scenario may have under way. */
function depth({ limits }: Profile): number {
  return Math.min(16, limits.maxDestRdAtomic);
}

function read(length: number, more: Partial<PacketPlan> = {}): Step {
  return inject(packet('RDMA_READ_REQUEST', { target: { region: 0, offset: 0, length }, ...more }));
}

/** The nth READ of a QP that places packets out of order. */
function placed(n: number): Partial<PacketPlan> {
  return {
    psn: { from: 'start', offset: n },
    place: { offset: { mtus: 0, bytes: 0 }, readWqe: n },
  };
}

/** What is answered without data of a READ, or refused. */
type Behind = 'send' | 'write' | 'atomic' | 'read' | 'again' | 'gap' | 'refused';

function behind(profile: Profile, what: Behind): Step {
  const payload = { mtus: 0, bytes: some };
  switch (what) {
    case 'send':
      return inject(packet('SEND_ONLY', { payload }));
    case 'write':
      return inject(
        packet('RDMA_WRITE_ONLY', { payload, target: { region: 0, offset: longest - some, length: some } }),
      );
    case 'atomic':
      return profile.capabilities.includes('atomic')
        ? inject(
            packet('FETCH_ADD', {
              target: { region: 0, offset: 0, length: 8 },
              atomic: { compare: '0', swapOrAdd: '1' },
            }),
          )
        : read(some);
    case 'read':
      return read(5000);
    case 'again':
      return { do: 'reinject', back: 0 };
    case 'gap':
      return inject(packet('SEND_ONLY', { payload, psn: { from: 'next', offset: 1 } }));
    case 'refused':
      return inject(packet('RDMA_READ_REQUEST', { target: { region: 0, offset: longest, length: some } }));
  }
}

/** READs in the place of WRITEs, some of which come again. */
function reads({ all, again }: Drawn, more: (n: number) => Partial<PacketPlan> = () => ({})): Step[] {
  let n = 0;
  return all.flatMap((turn, i): Step[] => {
    if (turn.what !== 'post') return play([turn]);
    return [
      read(turn.length, more(n++)),
      ...(again[i % again.length] === true ? [{ do: 'reinject', back: 0 } as const] : []),
    ];
  });
}

interface Drawn {
  all: Turn[];
  again: boolean[];
}

function drawn(profile: Profile): fc.Arbitrary<Drawn> {
  return fc.record({
    all: turns(profile, 14),
    again: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  });
}

const aims = [
  'cc-pace-kept-by-reads',
  'cc-pace-within',
  'cc-rate-first-cnp',
  'cc-cut-formula',
  'cc-cut-owed',
  'cc-bytes-early',
];

export const readRates: SuiteProperty = {
  id: 'congestion/rates-of-reads',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'A QP that is read from sends at the rate that CNPs leave it.',
  arbitrary: (profile) =>
    scenarios(profile, drawn(profile), (_, all) => ({
      maxDestRdAtomic: depth(profile),
      regions: region(profile),
      steps: [...reads(all), settle],
    })).map((scenario) => wide(profile, scenario)),
  aims,
};

export const placedReadRates: SuiteProperty = {
  id: 'congestion/rates-of-reads-unordered',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn', 'ooo'],
  says: 'So does one that places packets out of order.',
  arbitrary: (profile) =>
    placedScenarios(profile, 'responder', drawn(profile), (_, all) => ({
      depth: depth(profile),
      regions: region(profile),
      steps: [...reads(all, placed), settle],
    })).map((scenario) => wide(profile, scenario)),
  aims,
};

const others: readonly Behind[] = ['send', 'write', 'atomic', 'read', 'again', 'gap'];

/** Cuts, a long READ, and what is to be answered behind it. */
export const readsHeld: SuiteProperty = {
  id: 'congestion/reads-held',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn'],
  says: 'Responses that the rate keeps back leave in order, and all of them, unless the QP ends.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cuts: fc.integer({ min: 2, max: 8 }),
        lengths: fc.array(fc.constantFrom(longest, 16_384, 4096), { minLength: 1, maxLength: 3 }),
        then: fc.array(fc.constantFrom(...others), { maxLength: 5, size: 'max' }),
        named: fc.boolean(),
        end: fc.constantFrom('rest', 'refused', 'reset', 'error', 'drained', 'destroyed'),
        after: fc.constantFrom(1, 3, 10),
      }),
      (_, { cuts, lengths, then, named, end, after }) => {
        const dcqcn = dcqcnOf(profile);
        const ends: Step[] = {
          rest: [],
          refused: [behind(profile, 'refused')],
          reset: [sleep(after * 1000), modify('IBV_QPS_RESET')],
          error: [sleep(after * 1000), modify('IBV_QPS_ERR')],
          drained: [sleep(after * 1000), modify('IBV_QPS_SQD')],
          destroyed: [sleep(after * 1000), { do: 'destroy', object: 'qp', midway: true } as const],
        }[end];
        return {
          maxDestRdAtomic: depth(profile),
          regions: region(profile),
          steps: [
            ...then.filter((what) => what === 'send').map(() => recv(some)),
            ...Array.from({ length: cuts }, () => cut(dcqcn)).flat(),
            ...lengths.map((length) => read(length)),
            ...then.map((what) => behind(profile, what)),
            ...(named ? [cnp({ ecn: 1 })] : []),
            ...ends,
            settle,
          ],
        };
      },
    ).map((scenario) => wide(profile, scenario)),
  aims: ['cc-pace-kept-by-reads', 'cc-rate-range', 'cc-cut-formula'],
};

function modify(state: 'IBV_QPS_RESET' | 'IBV_QPS_ERR' | 'IBV_QPS_SQD'): Step {
  return { do: 'modify_qp', at: 'responder', state, midway: true };
}
