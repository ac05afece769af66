import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { hasAtomics } from '../../arbitraries/base.ts';
import { inject, packet, recv, settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import type { PacketPlan, Step } from '../../scenario.ts';

/** What comes again. */
const requests = ['READ', 'ATOMIC', 'WRITE', 'SEND'] as const;

/** When it does: in the middle of a message, while the responder waits for a receive WQE, or for what is missing. */
const moments = [
  'SEND',
  'WRITE',
  'not ready',
  'not ready for the end of a WRITE',
  'gap',
  'gap in a SEND',
] as const;

interface Meeting {
  request: (typeof requests)[number];
  moment: (typeof moments)[number];
}

const meetings: Grid<Meeting> = {
  name: 'request that comes again, and what is under way then',
  cells: (profile: Profile) =>
    moments.flatMap((moment) =>
      requests
        .filter((request) => request !== 'ATOMIC' || hasAtomics(profile))
        .map((request) => ({ request, moment })),
    ),
};

const few = { mtus: 0, bytes: 8 };
const one = { mtus: 1, bytes: 0 };

function requestOf(request: Meeting['request']): PacketPlan {
  const target = { region: 0, offset: 8, length: 8 };
  switch (request) {
    case 'READ':
      return packet('RDMA_READ_REQUEST', { target });
    case 'ATOMIC':
      return packet('FETCH_ADD', { target, atomic: { compare: '0', swapOrAdd: '3' } });
    case 'WRITE':
      return packet('RDMA_WRITE_ONLY', { target, payload: few });
    case 'SEND':
      return packet('SEND_ONLY', { payload: few });
  }
}

/** A message of three packets. */
function long(kind: 'SEND' | 'RDMA_WRITE', mtu: number, immediate: boolean): PacketPlan[] {
  const target = { region: 0, offset: 0, length: 2 * mtu + 8 };
  const last = immediate ? packet(`${kind}_LAST_WITH_IMMEDIATE`, { immediate: 9 }) : packet(`${kind}_LAST`);
  return [
    packet(`${kind}_FIRST`, { payload: one, ...(kind === 'RDMA_WRITE' && { target }) }),
    packet(`${kind}_MIDDLE`, { payload: one }),
    { ...last, payload: few },
  ];
}

/** The packets by their places behind the first PSN, so that each is the same whenever it comes. */
function placed(plans: readonly PacketPlan[]): Step[] {
  return plans.map((plan, offset) => inject({ ...plan, psn: { from: 'start', offset } }));
}

function stepsOf({ request, moment }: Meeting, mtu: number, rest: Step[], times: number): Step[] {
  const receive = recv(3 * mtu);
  const kind = moment.endsWith('WRITE') ? 'RDMA_WRITE' : 'SEND';
  const lacks = moment.startsWith('not ready');
  const [repeated, first, middle, last] = placed([
    requestOf(request),
    ...long(kind, mtu, moment === 'not ready for the end of a WRITE'),
  ]) as [Step, Step, Step, Step];
  const again = Array.from({ length: times }, () => repeated).flatMap((step) => [step, ...rest]);
  const begun = [...(request === 'SEND' ? [receive] : []), repeated, ...(lacks ? [] : [receive])];
  switch (moment) {
    case 'SEND':
    case 'WRITE':
      return [...begun, first, ...again, middle, ...again, last, ...again];
    case 'not ready':
      return [...begun, first, ...rest, ...again, receive, first, middle, ...again, last];
    case 'not ready for the end of a WRITE':
      return [...begun, first, middle, last, ...rest, ...again, receive, last, ...again];
    case 'gap':
      return [...begun, middle, ...rest, ...again, first, middle, ...again, last];
    case 'gap in a SEND':
      return [...begun, first, last, ...rest, ...again, middle, last, ...again];
  }
}

export const repeatsBetween: SuiteProperty = {
  id: 'rc-responder/repeats-between',
  suite: 'rc-responder',
  says: 'A request that comes again while another is under way, or is waited for, is answered as ever, and leaves that as it is.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        meeting: anyCell(meetings, profile),
        rests: fc.boolean(),
        times: fc.integer({ min: 1, max: 2 }),
      }),
      ({ mtu }, { meeting, rests, times }) => ({
        maxDestRdAtomic: 1,
        steps: [...stepsOf(meeting, mtu, rests ? [settle] : [], times), settle],
      }),
    ),
  grids: [meetings],
  aims: ['rc-duplicate-atomic', 'rc-duplicate-read', 'rc-receive-completes', 'rc-receiver-not-ready'],
};
