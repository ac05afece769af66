import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import type { AccessFlag } from '../../spec/verbs.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { targetLength } from '../rc-requester/jobs.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, Step } from '../scenario.ts';
import { query, scenarios, settle, type Chosen } from './parts.ts';
import { operations, rightsOf, type Right } from './windows.ts';

const local: AccessFlag = 'IBV_ACCESS_LOCAL_WRITE';

/** What is asked of the region, one change after the other. */
type Change = { kind: 'rights'; rights: Right[] } | { kind: 'away' } | { kind: 'moved'; more: number };

/** What a scenario ends with: behind most of them the QP is of no more use. */
const ends = ['within', 'right', 'behind', 'across', 'foreign', 'former', 'refused', 'nothing'] as const;
type Ending = (typeof ends)[number];

interface Use {
  changes: Change[];
  end: Ending;
  /** request of those that are granted */
  last: number;
  place: number;
  /** bytes that the region has beyond those of the shortest */
  more: number;
  /** requests aim at its last bytes, not at its first */
  atEnd: boolean;
  /** what a call that is refused for its rights asks for besides */
  besides: readonly ('pd' | 'length')[];
}

/** The region as it is then. */
interface Now {
  rights: readonly Right[];
  length: number;
}

export function request(right: Right, offset: number, former = false): Step[] {
  const packet: PacketPlan = {
    operation: operations[right],
    psn: { from: 'next', offset: 0 },
    ackReq: true,
    payload: { mtus: 0, bytes: right === 'IBV_ACCESS_REMOTE_WRITE' ? 8 : 0 },
    target: { region: 0, offset, length: 8, ...(former && { former }) },
    ...(right === 'IBV_ACCESS_REMOTE_ATOMIC' && { atomic: { compare: '0', swapOrAdd: '1' } }),
  };
  return [{ do: 'inject', packet }, settle];
}

const give = (rights: readonly Right[]): Step => ({ do: 'rereg_mr', region: 0, access: [local, ...rights] });
const onPd = (pd: 'own' | 'foreign'): Step => ({ do: 'rereg_mr', region: 0, pd });

function changed(now: Now, change: Change, c: Chosen): { now: Now; steps: Step[] } {
  switch (change.kind) {
    case 'rights':
      return { now: { ...now, rights: change.rights }, steps: [give(change.rights)] };
    case 'away':
      return { now, steps: [onPd('foreign'), onPd('own')] };
    case 'moved': {
      const length = targetLength(c.mtu) + change.more;
      return { now: { ...now, length }, steps: [{ do: 'rereg_mr', region: 0, length }] };
    }
  }
}

/** Where in the region requests aim. */
function offsetOf(length: number, { place, atEnd }: Use): number {
  return atEnd ? 8 * Math.floor(length / 8 - 1 - place) : 8 * place;
}

/** The last steps; `all`: rights that the device has. */
function ending({ rights, length }: Now, all: readonly Right[], use: Use): Step[] {
  const { end, last, besides } = use;
  const granted = rights[last % rights.length];
  const offset = offsetOf(length, use);
  // a region without rights is given one, so that each other reason to refuse is alone
  const [right, before] = granted === undefined ? ([all[0], [give(all)]] as const) : ([granted, []] as const);
  if (right === undefined) return [];
  switch (end) {
    case 'within':
      return [...before, ...request(right, length - 8)];
    case 'right': {
      const other = all.find((one) => !rights.includes(one));
      return other === undefined
        ? [give(all.filter((one) => one !== right)), ...request(right, offset)]
        : request(other, offset);
    }
    case 'behind':
      return [...before, ...request(right, length)];
    case 'across': {
      const [plain = right] = all.filter((one) => one !== 'IBV_ACCESS_REMOTE_ATOMIC');
      return [give([plain]), ...request(plain, length - 4)];
    }
    case 'foreign':
      return [...before, onPd('foreign'), ...request(right, offset)];
    case 'former':
      return [...before, { do: 'rereg_mr', region: 0, length }, ...request(right, offset, true)];
    case 'refused': {
      const writing = all.filter((one) => one !== 'IBV_ACCESS_REMOTE_READ');
      const access = writing.slice(last % Math.max(1, writing.length));
      return [
        ...before,
        {
          do: 'rereg_mr',
          region: 0,
          access,
          ...(besides.includes('pd') && { pd: 'foreign' }),
          ...(besides.includes('length') && { length: length - 64 }),
        },
        ...request(right, offset),
        { do: 'dereg_mr', region: 0 },
      ];
    }
    case 'nothing':
      return [
        { do: 'rereg_mr', region: 0 },
        { do: 'dereg_mr', region: 0 },
      ];
  }
}

function uses(profile: Profile): fc.Arbitrary<Use> {
  const moves = profile.capabilities.includes('rereg-mr-translation');
  const rights: fc.Arbitrary<Change> = fc
    .subarray([...rightsOf(profile)])
    .map((given) => ({ kind: 'rights', rights: given }));
  const away: fc.Arbitrary<Change> = fc.constant({ kind: 'away' });
  const moved: fc.Arbitrary<Change> = fc
    .constantFrom(-64, -8, 0, 8, 64, 4096)
    .map((more) => ({ kind: 'moved', more }));
  return fc.record({
    changes: fc.array(fc.oneof(rights, away, ...(moves ? [moved] : [])), { maxLength: 3 }),
    end: fc.constantFrom(...ends.filter((end) => moves || end !== 'former')),
    last: fc.nat(5),
    place: fc.nat(5),
    more: fc.constantFrom(0, 0, 0, 8192),
    atEnd: fc.boolean(),
    besides: fc.subarray(moves ? (['pd', 'length'] as const) : (['pd'] as const)),
  });
}

export const reregistrations: SuiteProperty = {
  id: 'verbs/reregistrations',
  suite: 'verbs',
  requires: ['rereg-mr'],
  says: 'A memory region that ibv_rereg_mr has changed grants what it grants then, where it lies then, to QPs of its PD, and nothing else.',
  arbitrary: (profile) => {
    const all = rightsOf(profile);
    return scenarios(profile, 'responder', ['RC'], uses(profile), (c, use) => {
      const length = targetLength(c.mtu) + use.more;
      let now: Now = { rights: all, length };
      const steps: Step[] = [];
      for (const change of use.changes) {
        const next = changed(now, change, c);
        ({ now } = next);
        steps.push(
          ...next.steps,
          ...now.rights.flatMap((right) => request(right, offsetOf(now.length, use))),
        );
      }
      return {
        regions: [
          { length, access: fullAccess(profile), fill: 1 },
          { length: 64, access: fullAccess(profile), fill: 5, foreignPd: true },
        ],
        steps: [...steps, ...ending(now, all, use), query],
      };
    });
  },
  aims: [
    'rereg-mr',
    'rereg-mr-moved',
    'rereg-remote-write',
    'rereg-remote-atomic',
    'rc-remote-access-denied',
    'rc-read-executed',
    'rc-write-complete-asked',
    'rc-atomic-executed',
    'dereg-mr',
    'rc-memory-unnamed',
  ],
};
