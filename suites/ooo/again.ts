import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { everyJob, jobs, packetsOf as packetsOfWork, wrOf } from '../rc-requester/jobs.ts';
import type { Role, Step, WrPlan } from '../scenario.ts';
import { messages, packetsOf, receivesOf } from './messages.ts';
import { arrival, order, permuted } from './order.ts';
import { common, limitsOf, pause, scenarios } from './parts.ts';
import { posts } from './requester.ts';

/** Back to RESET, and from there to RTS; `receives` are posted on the way. */
function anew(at: Role, receives: readonly Step[] = []): Step[] {
  return [
    { do: 'modify_qp', at, state: 'IBV_QPS_RESET' },
    { do: 'modify_qp', at, state: 'IBV_QPS_INIT' },
    ...receives,
    { do: 'modify_qp', at, state: 'IBV_QPS_RTR' },
    { do: 'modify_qp', at, state: 'IBV_QPS_RTS' },
  ];
}

export const responderAnew: SuiteProperty = {
  ...common,
  id: 'ooo/responder-anew',
  says: 'A QP that has been in RESET knows nothing of what came before: neither packets nor numbers nor answers.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'responder',
      fc.record({
        before: messages(profile, undefined, 4),
        lost: fc.array(fc.nat(9), { maxLength: 2 }),
        after: messages(profile, undefined, 4),
        chosen: order(),
      }),
      ({ mtu }, { before, lost, after, chosen }) => {
        const first = packetsOf(before, mtu);
        const absent = new Set(lost.map((n) => n % first.length));
        return {
          srq: false,
          depth: Math.min(16, profile.limits.maxDestRdAtomic),
          steps: [
            ...receivesOf(before, mtu),
            ...arrival(
              first.filter((_, i) => !absent.has(i)),
              chosen,
            ),
            settle,
            ...anew('responder', receivesOf(after, mtu)),
            ...arrival(packetsOf(after, mtu), chosen),
            settle,
          ],
        };
      },
    ),
  aims: [
    'ooo-ack-cumulative',
    'ooo-response-msn',
    'ooo-memory-whole',
    'ooo-completion-owed',
    'ooo-answer-data',
    'ooo-matched',
  ],
};

export const requesterAnew: SuiteProperty = {
  ...common,
  id: 'ooo/requester-anew',
  says: 'A QP that has been in RESET counts from the beginning, and sends nothing of what was posted before.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        before: jobs(profile, everyJob, 4, { mostMtus: 2 }),
        after: jobs(profile, everyJob, 4, { mostMtus: 2 }),
        upTo: fc.integer({ min: -1, max: 6 }),
        us: fc.constantFrom(0, 50, 150, 700),
      }),
      ({ mtu }, { before, after, upTo, us }) => {
        const round = (wrs: readonly WrPlan[]): Step[] => {
          const sent = wrs.reduce((n, wr) => n + packetsOfWork(wr, mtu), 0);
          return [
            ...posts(wrs),
            { do: 'await', packets: Math.min(sent, limitsOf(profile).cap), us: 50 },
            settle,
          ];
        };
        const first = before.map((j) => wrOf(j, mtu));
        // Only what is sure to have been sent, and waits for no answer of its own, is acknowledged.
        const answered = first.findIndex(({ opcode }) => /READ|ATOMIC/.test(opcode));
        const sure = first
          .slice(0, answered < 0 ? first.length : answered)
          .slice(0, 1)
          .reduce((n, wr) => n + packetsOfWork(wr, mtu), 0);
        const acknowledged = Math.min(upTo, sure - 1);
        return {
          scripted: true,
          steps: [
            ...round(first),
            ...(acknowledged < 0
              ? []
              : [
                  {
                    do: 'respond' as const,
                    packet: {
                      reply: { kind: 'ack' as const },
                      psn: { from: 'start' as const, offset: acknowledged },
                    },
                  },
                ]),
            ...pause(us),
            settle,
            ...anew('requester'),
            ...round(after.map((j) => wrOf(j, mtu))),
          ],
        };
      },
    ),
  aims: ['ooo-send-numbered', 'ooo-write-immediate-numbered', 'ooo-read-numbered', 'ooo-sent-unposted'],
};

/** Packets that the answer to a READ has at most. */
const mostPackets = 4;

export const answeredAgain: SuiteProperty = {
  ...common,
  id: 'ooo/requester-answered-again',
  says: 'What a READ response brings is placed once; a copy of it that brings something else changes nothing.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      'requester',
      fc.record({
        sizes: fc.array(fc.record({ packets: fc.integer({ min: 1, max: mostPackets }), less: fc.nat(200) }), {
          minLength: 1,
          maxLength: Math.min(3, limitsOf(profile).cap, profile.limits.maxDestRdAtomic),
          size: 'max',
        }),
        late: order(4),
        again: fc.array(fc.option(fc.nat(5), { nil: undefined }), {
          minLength: 1,
          maxLength: 6,
          size: 'max',
        }),
        fill: fc.integer({ min: 0x81, max: 0xfe }),
        withheld: fc.boolean(),
      }),
      ({ mtu }, { sizes, late, again, fill, withheld }) => {
        const wrs = sizes.map(({ packets, less }, i): WrPlan => ({
          opcode: 'IBV_WR_RDMA_READ',
          length: packets * mtu - less,
          region: 0,
          // Apart, so that no fence holds one back for another.
          offset: i * mostPackets * mtu,
          signaled: true,
        }));
        const parts = permuted(
          sizes.flatMap(({ packets }, wr) => Array.from({ length: packets }, (_, index) => ({ wr, index }))),
          late,
        );
        const told = withheld ? parts.slice(0, -1) : parts;
        const answer = (at: number, bytes?: number): Step[] => {
          const part = told[at];
          if (part === undefined) return [];
          const { wr, index } = part;
          const reply = { kind: 'read' as const, index, ...(bytes !== undefined && { fill: bytes }) };
          return [{ do: 'respond', packet: { reply, psn: { from: 'wr', wr, offset: 0 } } }];
        };
        return {
          scripted: true,
          depth: Math.max(1, Math.min(3, profile.limits.maxDestRdAtomic)),
          timeout: 18,
          regions: [{ length: 3 * mostPackets * mtu, access: ['IBV_ACCESS_REMOTE_READ'], fill: 1 }],
          steps: [
            ...posts(wrs),
            { do: 'await', packets: wrs.length, us: 50 },
            ...told.flatMap((_, at) => {
              const back = again[at % again.length];
              return [...answer(at), ...(back === undefined ? [] : answer(Math.max(0, at - back), fill))];
            }),
            settle,
          ],
        };
      },
    ),
  aims: ['ooo-memory-fetched', 'ooo-not-retired', 'ooo-retired-completes'],
};
