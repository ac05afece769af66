import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { opcodes } from '../../../spec/constants.ts';
import { fullAccess, hasAtomics } from '../../arbitraries/base.ts';
import { inject, packet, recvs, settle } from '../../arbitraries/packets.ts';
import { onGrid, pairs, range, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import type { PacketPlan, Step } from '../../scenario.ts';
import { scenarios } from '../parts.ts';
import { again } from '../second-life.ts';

/** Requests that a responder may have had before: each with those in front that its place in a message calls for. */
const before = [
  undefined,
  'SEND_ONLY',
  'SEND_FIRST',
  'SEND_MIDDLE',
  'SEND_LAST',
  'SEND_LAST_WITH_IMMEDIATE',
  'SEND_ONLY_WITH_IMMEDIATE',
  'RDMA_WRITE_ONLY',
  'RDMA_WRITE_FIRST',
  'RDMA_WRITE_MIDDLE',
  'RDMA_WRITE_LAST',
  'RDMA_WRITE_LAST_WITH_IMMEDIATE',
  'RDMA_WRITE_ONLY_WITH_IMMEDIATE',
  'RDMA_READ_REQUEST',
  'COMPARE_SWAP',
  'FETCH_ADD',
] as const;
type Before = (typeof before)[number];

/** Opcodes of a case on virtual time, one in each life of the QP. */
const mostLives = 4;

/** Likewise, of a device: where time is not virtual, each life takes seconds. */
function livesOf({ clock }: Profile): number {
  return clock === 'virtual' ? mostLives : 2;
}

/** Opcodes of the service. A SEND with invalidate names R_Key 0, which nothing has. */
function everyOpcode(profile: Profile): number[] {
  return range(0, 31).filter((opcode) => {
    const { operation = '' } = opcodes[opcode] ?? {};
    return hasAtomics(profile) || !/ATOMIC|FETCH_ADD|COMPARE_SWAP/.test(operation);
  });
}

/** Every opcode of the service after every request, as many to a cell as a case has lives. */
const sequences: Grid<[Before, number[]]> = {
  name: `opcode after request, ${mostLives} opcodes each`,
  cells: (profile) => {
    const all = everyOpcode(profile);
    const each = livesOf(profile);
    const rows = range(0, Math.ceil(all.length / each) - 1).map((row) =>
      all.slice(row * each, (row + 1) * each),
    );
    return pairs(possible(profile), rows);
  },
};

function possible(profile: Profile): readonly Before[] {
  return hasAtomics(profile) ? before : before.filter((name) => name === undefined || !isAtomic(name));
}

function isAtomic(name: string): boolean {
  return name === 'COMPARE_SWAP' || name === 'FETCH_ADD';
}

/** A request, or anything else of an opcode, with the payload and headers that its place in a message calls for. */
function packetOf(name: string, more: Partial<PacketPlan> = {}): PacketPlan {
  const full = /^(SEND|RDMA_WRITE)_(FIRST|MIDDLE)$/.test(name);
  const some = /^(SEND|RDMA_WRITE|RDMA_READ_RESPONSE)_/.test(name) ? 8 : 0;
  return packet(name, {
    payload: full ? { mtus: 1, bytes: 0 } : { mtus: 0, bytes: some },
    ...(/^(RDMA_READ_REQUEST|COMPARE_SWAP|FETCH_ADD|RDMA_WRITE_ONLY)/.test(name) && { target: word }),
    ...(isAtomic(name) && { atomic: { compare: '0', swapOrAdd: '1' } }),
    ...(name.endsWith('_WITH_IMMEDIATE') && { immediate: 0 }),
    ...more,
  });
}

const word = { region: 0, offset: 0, length: 8 };

/** The packets of one life: what is before the opcode, and the opcode. */
function lifeOf(first: Before, opcode: number, mtu: number): PacketPlan[] {
  const { operation, service } = opcodes[opcode] ?? {};
  const last = service === 'RC' && operation !== undefined ? packetOf(operation) : packet(opcode);
  const begins = first === undefined ? undefined : /^(.*)_(MIDDLE|LAST)/.exec(first)?.[1];
  const all = [
    ...(begins === undefined ? [] : [packetOf(`${begins}_FIRST`)]),
    ...(first === undefined ? [] : [packetOf(first)]),
    last,
  ];
  return all.map((plan, i) => {
    if (plan.operation !== 'RDMA_WRITE_FIRST') return plan;
    // as many bytes as come, so that nothing is wrong with a message but the order of its opcodes
    const behind = all.slice(i + 1);
    const others = behind.findIndex(({ operation }) => operation !== 'RDMA_WRITE_MIDDLE');
    const middles = others < 0 ? behind.length : others;
    return { ...plan, target: { ...word, length: (1 + middles) * mtu + 8 } };
  });
}

export const opcodePairs: SuiteProperty = {
  id: 'rc-responder/opcode-pairs',
  suite: 'rc-responder',
  says: 'Whatever opcode comes after whatever request, it is carried out, refused or dropped as the message in progress asks for.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        sequence: onGrid(
          sequences,
          profile,
          fc.tuple(
            fc.constantFrom(...possible(profile)),
            fc.array(fc.constantFrom(...everyOpcode(profile)), {
              minLength: 1,
              maxLength: livesOf(profile),
            }),
          ),
        ),
        waits: fc.boolean(),
        after: fc.boolean(),
        // of the lives, which takes all of it in SQD; of as many again, none
        drained: fc.nat(2 * livesOf(profile) - 1),
      }),
      ({ mtu }, { sequence: [first, row], waits, after, drained }) => {
        const anew = again.map((state): Step => ({ do: 'modify_qp', at: 'responder', state }));
        const life = (opcode: number): Step[] => {
          const plans = lifeOf(first, opcode, mtu);
          return [
            ...recvs(3, 4 * mtu),
            ...plans.flatMap((plan, i) => [
              ...(waits && i === plans.length - 1 ? [settle] : []),
              inject(plan),
            ]),
            settle,
            ...(after ? [inject(packetOf('SEND_ONLY')), settle] : []),
          ];
        };
        return {
          regions: [{ length: 4 * mtu, access: fullAccess(profile), fill: 1 }],
          steps: row.flatMap((opcode, i) => [
            ...(i > 0 ? anew : []),
            ...(i === drained
              ? [{ do: 'modify_qp' as const, at: 'responder' as const, state: 'IBV_QPS_SQD' as const }]
              : []),
            ...life(opcode),
          ]),
        };
      },
    ),
  grids: [sequences],
  aims: [
    'rc-opcode-out-of-sequence',
    'rc-opcode-starts-message',
    'rc-opcode-continues-send',
    'rc-opcode-continues-write',
    'rc-request-unsupported',
  ],
};
