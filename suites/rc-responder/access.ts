import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { AccessFlag } from '../../spec/verbs.ts';
import { fullAccess, hasAtomics, regionLength } from '../arbitraries/base.ts';
import { message, packetsOf, send, type Message } from '../arbitraries/message.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import { cellOf, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan } from '../scenario.ts';
import { scenarios } from './parts.ts';

const kinds = ['write', 'read', 'write-imm', 'fetch-add', 'cmp-swap'] as const;

/** Rights of a region or QP: each remote one may be missing. Local write is always there, as remote writing needs it. */
function someAccess(profile: Profile): fc.Arbitrary<AccessFlag[]> {
  const remote = fullAccess(profile).filter((flag) => flag !== 'IBV_ACCESS_LOCAL_WRITE');
  return fc.subarray(remote).map((flags): AccessFlag[] => ['IBV_ACCESS_LOCAL_WRITE', ...flags]);
}

const flaws = ['key', 'rights', 'beyond', 'before', 'foreign-pd', 'qp-rights', 'deregistered'] as const;
type Flaw = (typeof flaws)[number];
type Kind = (typeof kinds)[number];

/** Everything that may be wrong with the memory of a request, for each kind of request. */
const refusals: Grid<[Kind, Flaw]> = {
  name: 'kind of request, and what is wrong with its memory',
  cells: (profile) => pairs(hasAtomics(profile) ? kinds : kinds.slice(0, 3), flaws),
};

/** All rights but the one that a request needs. */
function without(kind: Kind, profile: Profile): AccessFlag[] {
  const needed = kind.startsWith('write') ? 'WRITE' : kind === 'read' ? 'READ' : 'ATOMIC';
  return fullAccess(profile).filter((flag) => flag !== `IBV_ACCESS_REMOTE_${needed}`);
}

export const access: SuiteProperty = {
  id: 'rc-responder/remote-access',
  suite: 'rc-responder',
  says: 'A request for memory that key, PD, bounds or rights do not grant is refused, changes nothing, and the QP is in error.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        message: message(profile, kinds, 2),
        flaw: fc.constantFrom<Flaw>(...flaws),
        rights: someAccess(profile),
        sound: fc.boolean(),
        receives: fc.boolean(),
        after: message(profile, kinds, 1),
        cell: cellOf(refusals, profile),
      }),
      ({ mtu }, { cell, ...drawn }) => {
        const { sound, receives, after } = drawn;
        const [kind, flaw] = cell ?? [drawn.message.kind, drawn.flaw];
        // a request of no bytes needs no memory
        const { mtus, bytes } = drawn.message.size;
        const size = { bytes, mtus: cell === undefined ? mtus : Math.max(1, mtus) };
        const message: Message = { ...drawn.message, kind, size };
        const rights = cell === undefined ? drawn.rights : without(cell[0], profile);
        const full = fullAccess(profile);
        const length = regionLength(mtu);
        const flawed: Message = {
          ...message,
          region: 1,
          rkey: flaw === 'key' ? 'bad' : 'good',
          place: flaw === 'before' || flaw === 'beyond' ? flaw : message.place,
        };
        return {
          regions: [
            { length, access: full, fill: 1 },
            {
              length,
              access: flaw === 'rights' ? rights : full,
              fill: 2,
              ...(flaw === 'foreign-pd' && { foreignPd: true }),
            },
          ],
          ...(flaw === 'qp-rights' && { access: rights }),
          steps: [
            ...(receives ? recvs(2, mtu) : []),
            ...(sound ? send(message, mtu) : []),
            ...(flaw === 'deregistered' ? [{ do: 'dereg_mr' as const, region: 1 }] : []),
            ...send(flawed, mtu),
            settle,
            ...send(after, mtu),
          ],
        };
      },
    ),
  grids: [refusals],
  aims: [
    'rc-remote-access-denied',
    'rc-request-disabled',
    'rc-report-access-unbound',
    'rc-report-access-bound',
  ],
};

export const accessInside: SuiteProperty = {
  id: 'rc-responder/remote-access-inside',
  suite: 'rc-responder',
  says: 'WRITEs that run over the end of their region are refused at the latest by the packet that would leave it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        message: message(profile, ['write', 'write-imm'], 3),
        over: fc.integer({ min: 1, max: 2 }),
        wait: fc.boolean(),
      }),
      ({ mtu }, { message, over, wait }) => ({
        steps: [
          ...recvs(1, mtu),
          ...packetsOf(message, mtu).flatMap((p): ReturnType<typeof inject>[] => [
            inject(
              p.target === undefined
                ? p
                : { ...p, target: { ...p.target, offset: p.target.offset + over * mtu } },
            ),
            ...(wait ? [settle] : []),
          ]),
          settle,
        ],
      }),
    ),
  aims: ['rc-remote-access-denied', 'rc-remote-access-denied-early'],
};

export const zeroLength: SuiteProperty = {
  id: 'rc-responder/zero-length-key',
  suite: 'rc-responder',
  says: 'The R_Key of a WRITE or READ of no bytes is not looked at.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        kind: fc.constantFrom<Message['kind']>('write', 'read', 'write-imm'),
        message: message(profile, ['write'], 0),
        far: fc.boolean(),
      }),
      ({ mtu }, { kind, message, far }) => ({
        steps: [
          ...recvs(1, mtu),
          ...packetsOf({ ...message, kind, size: { mtus: 0, bytes: 0 }, rkey: 'bad' }, mtu).map(
            (p): ReturnType<typeof inject> => inject(outOfBounds(p, far)),
          ),
          settle,
          ...send({ ...message, kind: hasAtomics(profile) ? 'fetch-add' : 'read' }, mtu),
        ],
      }),
    ),
};

function outOfBounds(plan: PacketPlan, far: boolean): PacketPlan {
  return far && plan.target !== undefined ? { ...plan, target: { ...plan.target, offset: 0x100000 } } : plan;
}
