import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { AccessFlag } from '../../spec/verbs.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { targetLength } from '../rc-requester/jobs.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, RegionPlan, Step } from '../scenario.ts';
import { post, query, scenarios, settle, wrOf, type Chosen } from './parts.ts';

const at = 'responder';

/** Regions of a scenario: one that windows may be bound to, one that they may not, one that software may not write to. */
export const open = 0;
export const closed = 1;
export const unwritten = 2;

export type Right = Extract<AccessFlag, `IBV_ACCESS_REMOTE_${string}`>;

/** Rights of others that a device knows. */
export function rightsOf(profile: Profile): Right[] {
  return fullAccess(profile).filter((flag): flag is Right => flag.startsWith('IBV_ACCESS_REMOTE_'));
}

export function regionsOf(profile: Profile, { mtu }: Chosen): RegionPlan[] {
  const length = targetLength(mtu);
  const access = fullAccess(profile);
  return [
    { length, access: [...access, 'IBV_ACCESS_MW_BIND'], fill: 1 },
    { length, access, fill: 5 },
    { length, access: ['IBV_ACCESS_REMOTE_READ', 'IBV_ACCESS_MW_BIND'], fill: 9 },
  ];
}

/** What a window opens, in steps of 8 bytes. */
export interface Opening {
  offset: number;
  length: number;
  access: Right[];
}

export function opening(rights: readonly Right[]): fc.Arbitrary<Opening> {
  return fc.record({
    offset: fc.constantFrom(8, 16, 64, 128),
    length: fc.constantFrom(8, 16, 64),
    access: fc.subarray([...rights], { minLength: 1 }),
  });
}

export function bind(region: number, { offset, length, access }: Opening, signaled = true): Step {
  const bound = { window: 0, length, access };
  return post(at, wrOf({ length: 0, signaled }, { opcode: 'IBV_WR_BIND_MW', region, offset, bind: bound }));
}

export const operations: Readonly<Record<Right, string>> = {
  IBV_ACCESS_REMOTE_WRITE: 'RDMA_WRITE_ONLY',
  IBV_ACCESS_REMOTE_READ: 'RDMA_READ_REQUEST',
  IBV_ACCESS_REMOTE_ATOMIC: 'FETCH_ADD',
};

/** A request by the key of the window, the one that it had before it was bound last, or that of the first QP's window. An ATOMIC has 8 bytes. */
export function request(
  right: Right,
  offset: number,
  key: 'current' | 'former' | 'of-first-qp' = 'current',
  bytes = 8,
): Step[] {
  const length = right === 'IBV_ACCESS_REMOTE_ATOMIC' ? 8 : bytes;
  const packet: PacketPlan = {
    operation: operations[right],
    psn: { from: 'next', offset: 0 },
    ackReq: true,
    payload: { mtus: 0, bytes: right === 'IBV_ACCESS_REMOTE_WRITE' ? length : 0 },
    target: {
      region: open,
      offset,
      length,
      window: 0,
      ...(key === 'former' && { former: true }),
      ...(key === 'of-first-qp' && { of: 0 }),
    },
    ...(right === 'IBV_ACCESS_REMOTE_ATOMIC' && { atomic: { compare: '0', swapOrAdd: '1' } }),
  };
  return [{ do: 'inject', packet }, settle];
}

export const allocate: Step = { do: 'alloc_mw' };
export const deallocate: Step = { do: 'dealloc_mw', window: 0 };
export const deregister: Step = { do: 'dereg_mr', region: open };
export function ended(signaled: boolean): Step {
  return post(at, wrOf({ length: 0, signaled }, { opcode: 'IBV_WR_LOCAL_INV', ends: 0 }));
}

/** What a scenario ends with, behind which the QP is of no more use. */
const ends = ['within', 'before', 'behind', 'across', 'right', 'gone', 'gone', 'ended', 'bound'] as const;

interface Use {
  opened: Opening;
  uses: { right: Right; place: number }[];
  end: (typeof ends)[number];
  last: Right;
}

function use(profile: Profile): fc.Arbitrary<Use> {
  const rights = rightsOf(profile);
  return opening(rights).chain((opened) => {
    const granted = fc.constantFrom(...opened.access);
    return fc.record({
      opened: fc.constant(opened),
      uses: fc.array(fc.record({ right: granted, place: fc.nat(opened.length / 8 - 1) }), { maxLength: 3 }),
      end: fc.constantFrom(...ends),
      last: granted,
    });
  });
}

/** The last request of a scenario, and what happens before it. */
function ending(profile: Profile, { opened: { offset, length, access }, end, last }: Use): Step[] {
  switch (end) {
    case 'within':
      return request(last, offset + length - 8);
    case 'before':
      return request(last, offset - 8);
    case 'behind':
      return request(last, offset + length);
    case 'across':
      return request(last === 'IBV_ACCESS_REMOTE_ATOMIC' ? (access[0] ?? last) : last, offset - 4);
    case 'right': {
      const other = rightsOf(profile).find((right) => !access.includes(right));
      return request(other ?? last, offset);
    }
    case 'ended':
      return [ended(true), settle, ...request(last, offset), deregister];
    case 'bound':
      return [deregister, ...request(last, offset)];
    case 'gone':
      return [deallocate, ...request(last, offset)];
  }
}

export const windows: SuiteProperty = {
  id: 'verbs/windows',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A memory window that is bound opens its range for what it grants, and nothing else.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC'],
      fc.record({ use: use(profile), bound: fc.nat(4) }),
      (c, { use: used, bound }) => ({
        regions: regionsOf(profile, c),
        steps: [
          allocate,
          // now and then it is not bound at all
          ...(bound === 0 ? [] : [bind(open, used.opened), settle]),
          ...(bound === 0 ? [] : used.uses).flatMap(({ right, place }) =>
            request(right, used.opened.offset + 8 * place),
          ),
          ...ending(profile, used),
          query,
        ],
      }),
    ),
  aims: ['rc-window-access-denied', 'dealloc-mw', 'dereg-mr-bound', 'dereg-mr'],
};

/** What may be wrong with a binding: the region does not allow it, or not to write, or ends before the window does. */
export const bindingFaults = ['right', 'write', 'bounds'] as const;

/** A binding with each fault; `beyond`: bytes between the end of the region and that of the window. */
export function faultyBindings(
  { mtu }: Chosen,
  opened: Opening,
  beyond: number,
): Readonly<Record<(typeof bindingFaults)[number], Step>> {
  return {
    right: bind(closed, { ...opened, access: ['IBV_ACCESS_REMOTE_READ'] }),
    write: bind(unwritten, { ...opened, access: ['IBV_ACCESS_REMOTE_WRITE'] }),
    bounds: bind(open, { ...opened, offset: targetLength(mtu) - opened.length + beyond }),
  };
}

export const bindings: SuiteProperty = {
  id: 'verbs/bindings',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A memory window is bound to what its region allows, and to nothing else.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC'],
      fc.record({
        opened: opening(rightsOf(profile)),
        fault: fc.constantFrom(...bindingFaults),
        beyond: fc.constantFrom(8, 64, 4096),
        deallocated: fc.boolean(),
      }),
      (c, { opened, fault, beyond, deallocated }) => ({
        regions: regionsOf(profile, c),
        steps: [
          allocate,
          faultyBindings(c, opened, beyond)[fault],
          settle,
          ...(deallocated ? [deallocate] : []),
          query,
        ],
      }),
    ),
  aims: ['bind-without-right', 'bind-write-alone', 'bind-out-of-bounds'],
};

/** What becomes of a window whose work requests ask for no completion. */
const quietEnds = ['ended', 'closed', 'bounds', 'in use', 'ended twice'] as const;

export const quietBindings: SuiteProperty = {
  id: 'verbs/unsignaled-bindings',
  suite: 'verbs',
  requires: ['memory-windows'],
  says: 'A bind or local invalidation that is not signaled takes effect all the same, and completes only where it fails.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      at,
      ['RC'],
      fc.record({
        opened: opening(rightsOf(profile)),
        quiet: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        // most cases are about what a device may not refuse
        end: fc.oneof(
          { weight: 15, arbitrary: fc.constantFrom(...quietEnds.slice(0, -1)) },
          { weight: 1, arbitrary: fc.constantFrom(...quietEnds.slice(-1)) },
        ),
        rest: fc.boolean(),
      }),
      (c, { opened, quiet: [first = true, second = true, third = true], end, rest }) => {
        const pause = rest ? [settle] : [];
        const [right] = opened.access;
        const used = right === undefined ? [] : request(right, opened.offset);
        const ends: Readonly<Record<(typeof quietEnds)[number], Step[]>> = {
          ended: [ended(!second), ...pause, bind(open, opened, !third), settle, ...used],
          'ended twice': [ended(!second), ...pause, ended(!third)],
          closed: [bind(closed, { ...opened, access: ['IBV_ACCESS_REMOTE_READ'] }, !second)],
          bounds: [bind(open, { ...opened, offset: targetLength(c.mtu) }, !second)],
          'in use': used,
        };
        return {
          regions: regionsOf(profile, c),
          steps: [
            allocate,
            // a device may refuse for other reasons to bind a window that is bound
            ...(end === 'closed' || end === 'bounds' ? [] : [bind(open, opened, !first), ...pause]),
            ...ends[end],
            settle,
            query,
          ],
        };
      },
    ),
  aims: ['completion-local-unasked', 'bind-without-right', 'bind-out-of-bounds'],
};
