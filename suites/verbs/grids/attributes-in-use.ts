import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { fullAccess } from '../../arbitraries/base.ts';
import { inject, packet } from '../../arbitraries/packets.ts';
import { anyCell, onGrid, pairs, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { answer, type Work } from '../../rc-requester/parts.ts';
import type { AttrPlan, PacketPlan, Role, Step, WrPlan } from '../../scenario.ts';
import { headerBytes, post, query, receives, rts, scenarios, settle, to } from '../parts.ts';
import { operations, rightsOf, type Right } from '../windows.ts';

/** Transitions that take rights, or a Q_Key, which are to rule from then on. */
const ways = ['RTS-RTS', 'SQD-SQD', 'SQD-RTS', 'RTR-RTS', 'INIT-RTR', 'INIT-INIT'] as const;
type Way = (typeof ways)[number];

/** Calls that take a QP from RTS a way on which it gets attributes, and back to RTS. */
function calls(at: Role, way: Way, attr: AttrPlan): Step[] {
  const [init, rtr, end] = rts.map((state) => to(at, state)) as [Step, Step, Step];
  const reset = to(at, 'IBV_QPS_RESET');
  const alone: Step = { do: 'modify_qp', at, attr };
  switch (way) {
    case 'RTS-RTS':
      return [alone];
    case 'SQD-SQD':
      return [to(at, 'IBV_QPS_SQD'), alone, to(at, 'IBV_QPS_RTS')];
    case 'SQD-RTS':
      return [to(at, 'IBV_QPS_SQD'), to(at, 'IBV_QPS_RTS', attr)];
    case 'RTR-RTS':
      return [reset, init, rtr, to(at, 'IBV_QPS_RTS', attr)];
    case 'INIT-RTR':
      return [reset, init, to(at, 'IBV_QPS_RTR', attr), end];
    case 'INIT-INIT':
      return [reset, init, alone, rtr, end];
  }
}

/** Rights of the far end that are there before a call and behind it. */
interface Change {
  before: Right[];
  behind: Right[];
}

/** Each right given alone, and taken away alone. */
function changesOf(profile: Profile): Change[] {
  const all = rightsOf(profile);
  return all.flatMap((right) => {
    const others = all.filter((other) => other !== right);
    return [
      { before: all, behind: others },
      { before: others, behind: all },
      { before: others, behind: [right] },
      { before: [right], behind: others },
    ];
  });
}

const changes: Grid<[Way, Change]> = {
  name: 'transition, and right that it gives or takes',
  cells: (profile) => pairs(ways, changesOf(profile)),
};

function request(right: Right): Step[] {
  const plan: PacketPlan = packet(operations[right], {
    payload: { mtus: 0, bytes: right === 'IBV_ACCESS_REMOTE_WRITE' ? 8 : 0 },
    target: { region: 0, offset: 16, length: 8 },
    ...(right === 'IBV_ACCESS_REMOTE_ATOMIC' && { atomic: { compare: '0', swapOrAdd: '1' } }),
  });
  return [inject(plan), settle];
}

export const rightsInUse: SuiteProperty = {
  id: 'verbs/rights-in-use',
  suite: 'verbs',
  says: 'What the far end may do is what qp_access_flags said last, whichever transition has set them.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['RC', 'UC'],
      fc.record({
        cell: anyCell(changes, profile),
        used: fc.boolean(),
        asks: fc.boolean(),
      }),
      ({ service }, { cell: [way, { before, behind }], used, asks }) => {
        const rights = rightsOf(profile).filter(
          (right) => service === 'RC' || right === 'IBV_ACCESS_REMOTE_WRITE',
        );
        const flags = (given: readonly Right[]) =>
          fullAccess(profile).filter(
            (flag) => !flag.startsWith('IBV_ACCESS_REMOTE_') || given.some((right) => right === flag),
          );
        const taken = rights.filter((right) => !behind.includes(right));
        return {
          plan: { access: flags(before) },
          steps: [
            ...(used ? rights.filter((right) => before.includes(right)).flatMap(request) : []),
            ...calls('responder', way, { qp_access_flags: flags(behind) }),
            ...(asks ? [query] : []),
            ...rights.filter((right) => behind.includes(right)).flatMap(request),
            // behind a request that is refused, a QP of RC is of no more use
            ...taken.slice(0, 1).flatMap(request),
            query,
          ],
        };
      },
    ),
  grids: [changes],
  aims: ['rc-remote-access-denied', 'uc-access-denied', 'qp-query-rights'],
};

const ownQkey = 0x8000_0000;
const qkeys = [0x2222_2222, 0, 0x7fff_ffff, 0x8000_0001] as const;

const qkeyChanges: Grid<[Way, number]> = {
  name: 'transition, and Q_Key that it sets',
  cells: () => pairs(ways, qkeys),
};

export const qkeyInUse: SuiteProperty = {
  id: 'verbs/qkey-in-use',
  suite: 'verbs',
  requires: ['ud'],
  says: 'A UD QP takes, and sends where software asks for its own, the Q_Key that was set last, whichever transition has set it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      ['UD'],
      fc.record({
        cell: onGrid(
          qkeyChanges,
          profile,
          fc.tuple(fc.constantFrom(...ways), fc.constantFrom(...qkeys, 0xffff_ffff)),
        ),
        before: fc.boolean(),
        posted: fc.constantFrom(ownQkey, ownQkey + 1, 0xffff_ffff),
        inline: fc.boolean(),
        immediate: fc.boolean(),
      }),
      ({ service }, { cell: [way, qkey], before, posted, inline, immediate }) => {
        const at: Role = 'responder';
        const datagram = (key: number): Step =>
          inject(packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 }, qkey: key }));
        const sent: WrPlan = {
          opcode: immediate ? 'IBV_WR_SEND_WITH_IMM' : 'IBV_WR_SEND',
          length: 16,
          region: 0,
          offset: 0,
          signaled: true,
          qkey: posted,
          ...(inline && { inline }),
        };
        const former = 0x1111_1111;
        return {
          plan: { qkey: former },
          steps: [
            ...receives(at, service, 4, 64 + headerBytes[service]),
            ...(before ? [datagram(former), settle, post(at, sent), settle] : []),
            ...calls(at, way, { qkey }),
            ...receives(at, service, 4, 64 + headerBytes[service]),
            datagram(former),
            datagram(qkey),
            datagram((qkey ^ 1) >>> 0),
            datagram(qkey),
            settle,
            post(at, sent),
            settle,
            query,
          ],
        };
      },
    ),
  grids: [qkeyChanges],
  aims: ['ud-drop-qkey', 'ud-received', 'ud-request-qkey'],
};

export const pathInUse: SuiteProperty = {
  id: 'verbs/path-in-use',
  suite: 'verbs',
  says: 'Packets take the path that was set last: a QP gets another one in SQD, and a datagram with its work request.',
  arbitrary: (profile) => {
    const others = profile.ipVersions.length > 1 ? (['other-ip', 'peer'] as const) : (['peer'] as const);
    const path = fc.constantFrom<'peer' | 'other-ip'>(...others);
    return scenarios(
      profile,
      'requester',
      ['RC', 'UC', 'UD'],
      fc.record({
        paths: fc.array(path, { minLength: 1, maxLength: 4 }),
        length: fc.constantFrom(8, 0, 64),
        together: fc.boolean(),
        inline: fc.boolean(),
        asks: fc.boolean(),
      }),
      ({ service, mtu }, { paths, length, together, inline, asks }) => {
        const at: Role = 'requester';
        const wrs = ['peer' as const, ...paths].map((to): WrPlan => ({
          opcode: 'IBV_WR_SEND',
          length,
          region: 0,
          offset: 0,
          signaled: true,
          ...(inline && { inline }),
          ...(service === 'UD' && to === 'other-ip' && { path: to }),
        }));
        const posts = wrs.map((wr) => post(at, wr));
        if (service === 'UD')
          return { steps: [...posts.flatMap((one) => (together ? [one] : [one, settle])), settle, query] };
        const work: Work = { wrs, mtu };
        const answered = (n: number): Step[] =>
          service === 'RC'
            ? answer(work, n).flatMap((step): Step[] => {
                const other = n > 0 && paths[n - 1] === 'other-ip';
                return step.do === 'respond' && other
                  ? [{ ...step, packet: { ...step.packet, path: 'other-ip' } }, settle]
                  : [step, settle];
              })
            : [];
        return {
          steps: posts.flatMap((one, n): Step[] => {
            const next = paths[n - 1];
            const moved: Step[] =
              next === undefined
                ? []
                : [
                    to(at, 'IBV_QPS_SQD'),
                    { do: 'modify_qp', at, attr: { ah_attr: next } },
                    ...(asks ? [query] : []),
                    // posted in SQD, it takes the path of what follows
                    ...(together ? [one] : []),
                    to(at, 'IBV_QPS_RTS'),
                  ];
            return [
              ...moved,
              ...(next === undefined || !together ? [one] : []),
              settle,
              ...answered(n),
              query,
            ];
          }),
        };
      },
    );
  },
  aims: ['rc-request-addressee', 'uc-request-addressee', 'uc-mig-req', 'ud-request-addressee'],
};
