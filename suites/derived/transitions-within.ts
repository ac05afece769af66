import fc from 'fast-check';
import { fullAccess, hasAtomics } from '../arbitraries/base.ts';
import { everyKind, message, send } from '../arbitraries/message.ts';
import { at, inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import { onGrid, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { AttrPlan, PacketPlan, Step } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';
import type { QpState } from '../../spec/verbs.ts';
import { packetsOfLong } from './long.ts';

/**
 * What a responder remembers when the call comes: the message under way, the gap or the lack of a receive WQE that it has reported, and
 * the READ or ATOMIC that it may have to answer again.
 */
const remembered = ['send', 'write', 'gap', 'not ready', 'atomic', 'read'] as const;
type Remembered = (typeof remembered)[number];

/** Calls of ibv_modify_qp that leave a responder as it is. */
const ways = ['RTR-RTS', 'SQD-RTS', 'RTS-RTS', 'SQD-SQD'] as const;
type Way = (typeof ways)[number];

const crossed: Grid<[Remembered, Way]> = {
  name: 'what a responder remembers, and transition that must not end it',
  // all that is remembered by turns, and each transition of the two messages in each half: the cells of one run show it for one of them
  cells: () => {
    const all = pairs(remembered, ways);
    return ways.flatMap((_, turn) =>
      remembered.flatMap((_, what) => {
        const way = (turn + 2 * what + Math.floor(what / 2)) % ways.length;
        const at = what * ways.length + way;
        return all.slice(at, at + 1);
      }),
    );
  },
};

function modify(change: { state?: QpState; attr?: AttrPlan }, midway: boolean): Step {
  return { do: 'modify_qp', at: 'responder', ...change, ...(midway && { midway: true }) };
}

/** The calls before the first packet, and those behind what is to be remembered. */
function calls(way: Way, attr: AttrPlan, midway: boolean): { first: Step[]; then: Step[] } {
  const to = (state: QpState): Step => modify({ state }, midway);
  switch (way) {
    case 'RTR-RTS':
      return {
        first: (['IBV_QPS_RESET', 'IBV_QPS_INIT', 'IBV_QPS_RTR'] as const).map((state) =>
          modify({ state }, false),
        ),
        then: [to('IBV_QPS_RTS')],
      };
    case 'SQD-RTS':
      return { first: [], then: [to('IBV_QPS_SQD'), to('IBV_QPS_RTS')] };
    case 'RTS-RTS':
      return { first: [], then: [modify({ attr }, midway)] };
    case 'SQD-SQD':
      return { first: [modify({ state: 'IBV_QPS_SQD' }, false)], then: [modify({ attr }, midway)] };
  }
}

interface Parts {
  before: Step[];
  behind: Step[];
}

/** The packets before the calls and behind them. Nothing but `behind` posts a receive WQE where there must be none. */
function packets(what: Remembered, count: number, cut: number, mtu: number): Parts {
  const wqes = recvs(2, 8 * mtu);
  const halves = (all: readonly PacketPlan[]): Parts => ({
    before: [...wqes, ...all.slice(0, cut).map(inject), settle],
    behind: all.slice(cut).map(inject),
  });
  const one = packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } });
  const ahead = inject(at(one, 1));
  const again: Step = { do: 'reinject', back: 0 };
  const target = { region: 0, offset: 0, length: 8 };
  switch (what) {
    case 'send':
    case 'write':
      return halves(packetsOfLong(what, count, 8, mtu));
    case 'gap':
      return { before: [...wqes, ahead, settle], behind: [ahead, settle, inject(one)] };
    case 'not ready':
      return { before: [inject(one), settle], behind: [ahead, settle, ...wqes, inject(one)] };
    case 'atomic':
      return {
        before: [inject(packet('FETCH_ADD', { target, atomic: { compare: '0', swapOrAdd: '3' } })), settle],
        behind: [again, settle, ...wqes, inject(one)],
      };
    case 'read':
      return {
        before: [inject(packet('RDMA_READ_REQUEST', { target: { ...target, length: cut * mtu } })), settle],
        behind: [again, settle, ...wqes, inject(one)],
      };
  }
}

export const transitionsWithin: SuiteProperty = {
  id: 'rc-responder/transitions-within',
  suite: 'rc-responder',
  share: 2,
  says: 'A call of ibv_modify_qp that ends nothing leaves the responder what it was in the middle of: a message, a gap, a wait, what may come again.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cell: onGrid(crossed, profile, fc.tuple(fc.constantFrom(...remembered), fc.constantFrom(...ways))),
        count: fc.integer({ min: 2, max: 5 }),
        cut: fc.integer({ min: 1, max: 4 }),
        code: fc.constantFrom(12, 5, 20),
        midway: fc.boolean(),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { cell: [asked, way], count, cut, code, midway, after }) => {
        const what = asked === 'atomic' && !hasAtomics(profile) ? 'read' : asked;
        const { first, then } = calls(way, { min_rnr_timer: code }, midway);
        const { before, behind } = packets(what, count, Math.min(cut, count - 1), mtu);
        return {
          regions: [{ length: 9 * mtu, access: fullAccess(profile), fill: 1 }],
          maxDestRdAtomic: Math.max(1, Math.min(4, profile.limits.maxDestRdAtomic)),
          steps: [...first, ...before, ...then, ...behind, settle, ...send(after, mtu), settle],
        };
      },
    ),
  grids: [crossed],
  aims: ['rc-send-complete-asked', 'rc-duplicate-atomic', 'rc-duplicate-read', 'rc-request-early'],
};
