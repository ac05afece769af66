import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { AccessFlag } from '../../spec/verbs.ts';
import { everyKind, message, packetsOf, send, type MessageKind } from '../arbitraries/message.ts';
import { inject, recvs, settle } from '../arbitraries/packets.ts';
import { fullAccess, hasAtomics, regionLength } from '../arbitraries/base.ts';
import { anyCell, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { awaitAnswers, scenarios } from '../rc-responder/parts.ts';

const changes = ['less', 'same', 'other', 'more', 'away', 'moved', 'refused'] as const;
type Change = (typeof changes)[number];

/** What is under way: a message of several packets that is cut, or a request of one packet. */
const kinds = ['write', 'read', 'atomic'] as const;
type Kind = (typeof kinds)[number];

const changed: Grid<[Kind, Change]> = {
  name: 'kind of the request for a region that ibv_rereg_mr changes just then, and what the call does',
  cells: (profile) =>
    pairs(
      kinds.filter((kind) => kind !== 'atomic' || hasAtomics(profile)),
      changes.filter((one) => one !== 'moved' || profile.capabilities.includes('rereg-mr-translation')),
    ),
};

const messageKinds: Readonly<Record<Kind, readonly MessageKind[]>> = {
  write: ['write', 'write-imm'],
  read: ['read'],
  atomic: ['cmp-swap', 'fetch-add'],
};

const rightOf: Readonly<Record<Kind, AccessFlag>> = {
  write: 'IBV_ACCESS_REMOTE_WRITE',
  read: 'IBV_ACCESS_REMOTE_READ',
  atomic: 'IBV_ACCESS_REMOTE_ATOMIC',
};

/** The call, and what the region was registered with. */
function callOf(
  profile: Profile,
  change: Change,
  kind: Kind,
  mtu: number,
): { access: AccessFlag[]; call: Step } {
  const all = fullAccess(profile);
  const without = all.filter((flag) => flag !== rightOf[kind]);
  const call = (what: Omit<Extract<Step, { do: 'rereg_mr' }>, 'do' | 'region'>): Step => ({
    do: 'rereg_mr',
    region: 0,
    midway: true,
    ...what,
  });
  switch (change) {
    case 'less':
      return { access: all, call: call({ access: without }) };
    case 'same':
      return { access: all, call: call({ access: all }) };
    case 'other':
      return {
        access: all,
        call: call({ access: ['IBV_ACCESS_LOCAL_WRITE', rightOf[kind]] }),
      };
    case 'more':
      return { access: without, call: call({ access: all }) };
    case 'away':
      return { access: all, call: call({ pd: 'foreign' }) };
    case 'moved':
      return { access: all, call: call({ length: regionLength(mtu) }) };
    case 'refused':
      // others may not write where software may not
      return {
        access: without,
        call: call({ access: all.filter((flag) => flag !== 'IBV_ACCESS_LOCAL_WRITE') }),
      };
  }
}

/** ibv_rereg_mr while requests that name the region are on their way, and between the packets of one. */
export const changedMidway: SuiteProperty = {
  id: 'rc-responder/region-changed-midway',
  suite: 'rc-responder',
  requires: ['rereg-mr'],
  says: 'A request that names a region which ibv_rereg_mr changes just then finds it as it was or as it is; one that comes behind the call finds it as it is.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cell: anyCell(changed, profile).chain(([kind, change]) =>
          message(profile, messageKinds[kind], kind === 'atomic' ? 1 : 4).map((drawn) => ({
            kind,
            change,
            // a WRITE of one packet can be cut nowhere
            cut:
              kind === 'write'
                ? { ...drawn, size: { ...drawn.size, mtus: Math.max(2, drawn.size.mtus) } }
                : drawn,
          })),
        ),
        before: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
        packets: fc.constantFrom(1, 2, 1, 4, 0),
        answers: fc.constantFrom(0, 0, 1, 2),
        receives: fc.integer({ min: 1, max: 3 }),
        rest: fc.boolean(),
        again: fc.boolean(),
        after: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
      }),
      ({ mtu }, { cell: { kind, change, cut }, before, packets, answers, receives, rest, again, after }) => {
        const all = packetsOf(cut, mtu).map(inject);
        const { access, call } = callOf(profile, change, kind, mtu);
        const sent = Math.min(packets, all.length);
        return {
          regions: [
            { length: regionLength(mtu), access, fill: 1 },
            { length: 64, access: fullAccess(profile), fill: 5, foreignPd: true },
          ],
          steps: [
            ...recvs(receives, mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            ...all.slice(0, sent),
            ...awaitAnswers(profile, answers),
            call,
            ...(rest ? [settle] : []),
            ...(again && sent > 0 ? [{ do: 'reinject' as const, back: 0 }] : []),
            ...all.slice(sent),
            ...after.flatMap((m) => send(m, mtu)),
            settle,
          ],
        };
      },
    ),
  share: 2,
  grids: [changed],
  aims: [
    'rc-remote-access-denied',
    'rc-state-kept',
    'rereg-mr',
    'rereg-mr-moved',
    'rc-write-complete-asked',
    'rc-duplicate-atomic',
  ],
};
