import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess, hasAtomics, regionLength } from '../arbitraries/base.ts';
import { everyKind, message, send } from '../arbitraries/message.ts';
import { at, inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import { onGrid, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';

const atomic = { compare: '0', swapOrAdd: '1' };
const target = { region: 0, offset: 0, length: 8 };
const some = { mtus: 0, bytes: 8 };
const forbidden = { region: 1, offset: 0, length: 8 };

/** A request that would be refused at the expected PSN, by what is wrong with it. */
const flaws: Readonly<Record<string, PacketPlan>> = {
  'no receive WQE': packet('SEND_ONLY', { payload: some }),
  'reserved opcode': packet(0x1f),
  'another reserved opcode': packet(0x15, { payload: some }),
  'WRITE by a bad key': packet('RDMA_WRITE_ONLY', { payload: some, target: { ...target, rkey: 'bad' } }),
  'READ by a bad key': packet('RDMA_READ_REQUEST', { target: { ...target, rkey: 'bad' } }),
  'WRITE without the right': packet('RDMA_WRITE_ONLY', { payload: some, target: forbidden }),
  'READ without the right': packet('RDMA_READ_REQUEST', { target: forbidden }),
  'READ beyond the end': packet('RDMA_READ_REQUEST', { target: { ...target, offset: 1 << 20 } }),
  'First of another length': packet('SEND_FIRST', { payload: some }),
  'Only beyond the MTU': packet('SEND_ONLY', { payload: { mtus: 1, bytes: 4 } }),
  'Middle of nothing': packet('SEND_MIDDLE', { payload: { mtus: 1, bytes: 0 } }),
  'Last of nothing': packet('RDMA_WRITE_LAST', { payload: some }),
  'another length than announced': packet('RDMA_WRITE_ONLY', {
    payload: some,
    target: { ...target, length: 64 },
  }),
  'length beyond 2^31': packet('RDMA_READ_REQUEST', { target: { ...target, length: 0x80000001 } }),
  'ATOMIC of another place': packet('FETCH_ADD', { target: { ...target, offset: 4 }, atomic }),
  'ATOMIC by a bad key': packet('COMPARE_SWAP', { target: { ...target, rkey: 'bad' }, atomic }),
  'no receive WQE for an immediate': packet('RDMA_WRITE_ONLY_WITH_IMMEDIATE', {
    payload: some,
    target,
    immediate: 7,
  }),
};
type Flaw = keyof typeof flaws;

/** What is outstanding when the request comes. */
type Standing = 'nothing' | 'sequence NAK' | 'RNR NAK' | 'message';

function flawsOf(profile: Profile): Flaw[] {
  return Object.keys(flaws).filter((flaw) => hasAtomics(profile) || !flaw.startsWith('ATOMIC'));
}

const every: Grid<Flaw> = { name: 'what is wrong with a request ahead', cells: flawsOf };

export const flawsAhead: SuiteProperty = {
  id: 'rc-responder/flaws-ahead',
  suite: 'rc-responder',
  says: 'Whatever is wrong with a request beyond the expected PSN, it counts for a gap alone; at its turn it is refused.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        flaw: onGrid(every, profile, fc.constantFrom(...flawsOf(profile))),
        more: fc.array(fc.constantFrom(...flawsOf(profile)), { maxLength: 2 }),
        standing: fc.constantFrom<Standing>('nothing', 'sequence NAK', 'message', 'RNR NAK', 'nothing'),
        offset: fc.constantFrom(1, 2, 5, 0x7fffff),
        rests: fc.boolean(),
        between: fc.array(message(profile, everyKind, 1), { maxLength: 1 }),
        turn: fc.boolean(),
      }),
      ({ mtu }, { flaw, more, standing, offset, rests, between, turn }) => {
        const without = standing === 'RNR NAK' || flaw.startsWith('no receive');
        const one = (name: Flaw, by: number): Step[] => {
          const plan = flaws[name];
          return plan === undefined ? [] : [inject(at(plan, by)), ...(rests ? [settle] : [])];
        };
        const short = packet('SEND_ONLY', { payload: some });
        const begun: Step[] =
          standing === 'sequence NAK'
            ? [inject(at(short, 3)), settle]
            : standing === 'RNR NAK'
              ? [inject(short), settle]
              : standing === 'message'
                ? [
                    inject(
                      packet('RDMA_WRITE_FIRST', {
                        payload: { mtus: 1, bytes: 0 },
                        target: { ...target, length: mtu + 8 },
                      }),
                    ),
                  ]
                : [];
        const ends: Step[] =
          standing === 'message' ? [inject(packet('RDMA_WRITE_LAST', { payload: some })), settle] : [];
        const room = without ? [] : recvs(4, 2 * mtu);
        return {
          regions: [
            { length: regionLength(mtu), access: fullAccess(profile), fill: 1 },
            { length: regionLength(mtu), access: ['IBV_ACCESS_LOCAL_WRITE'], fill: 2 },
          ],
          steps: [
            ...room,
            ...begun,
            ...one(flaw, offset),
            ...more.flatMap((name) => one(name, offset)),
            settle,
            ...ends,
            ...(standing === 'RNR NAK' ? [{ do: 'sleep' as const, us: 700_000 }] : []),
            ...(without && flaw.startsWith('no receive') && turn ? [] : recvs(4, 2 * mtu)),
            ...between.flatMap((m) => [...send(m, mtu), settle]),
            ...(turn ? [...one(flaw, 0), settle] : []),
          ],
        };
      },
    ),
  grids: [every],
  aims: ['rc-request-ahead', 'rc-request-ahead-after-sequence-nak', 'rc-request-ahead-after-rnr-nak'],
};
