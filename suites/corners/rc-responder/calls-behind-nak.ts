import fc from 'fast-check';
import { at, inject, packet, recv, settle } from '../../arbitraries/packets.ts';
import { anyCell, type Grid } from '../../grid.ts';
import type { SuiteProperty } from '../../property.ts';
import { scenarios } from '../../rc-responder/parts.ts';
import type { Step } from '../../scenario.ts';

const calls = ['post_recv', 'query_qp', 'req_notify_cq', 'resize_cq', 'attributes'] as const;

interface Meeting {
  /** what the responder lacks */
  lacks: 'receive' | 'packet';
  call: (typeof calls)[number];
}

const meetings: Grid<Meeting> = {
  name: 'NAK that is out, and the call behind it',
  cells: () => (['receive', 'packet'] as const).flatMap((lacks) => calls.map((call) => ({ lacks, call }))),
};

function stepOf(call: Meeting['call']): Step {
  switch (call) {
    case 'post_recv':
      return { do: 'post_recv', length: 64, midway: true };
    case 'query_qp':
      return { do: 'query_qp' };
    case 'req_notify_cq':
      return { do: 'req_notify_cq', queue: 'receive' };
    case 'resize_cq':
      return { do: 'resize_cq', queue: 'receive', cqe: 64 };
    case 'attributes':
      return { do: 'modify_qp', at: 'responder', attr: { min_rnr_timer: 5 }, midway: true };
  }
}

const send = packet('SEND_ONLY', { payload: { mtus: 0, bytes: 8 } });

/** Software calls while a responder waits for what it has sent a NAK for. */
export const callsBehindNak: SuiteProperty = {
  id: 'rc-responder/calls-behind-nak',
  suite: 'rc-responder',
  says: 'A NAK stays out until the packet comes that it asks for, whatever software calls meanwhile.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        meeting: anyCell(meetings, profile),
        rests: fc.boolean(),
        times: fc.integer({ min: 1, max: 2 }),
        ahead: fc.integer({ min: 1, max: 3 }),
      }),
      (_, { meeting: { lacks, call }, rests, times, ahead }) => {
        const rest = rests ? [settle] : [];
        const gap = inject(at(send, ahead));
        const again = Array.from({ length: times }, () => [stepOf(call), gap, ...rest]).flat();
        const first = lacks === 'receive' ? [inject(send), { do: 'sleep' as const, us: 5 }] : [recv(64), gap];
        const behind = call === 'post_recv' ? [] : [recv(64)];
        return { steps: [...first, ...rest, ...again, ...behind, inject(send), settle] };
      },
    ),
  grids: [meetings],
  aims: ['rc-request-ahead-after-rnr-nak', 'rc-request-ahead-after-sequence-nak'],
};
