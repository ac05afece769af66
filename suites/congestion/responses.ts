import fc from 'fast-check';
import { recv } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { everyJob, jobs, wrOf } from '../rc-requester/jobs.ts';
import { finish, postAll, scenarios } from '../rc-requester/parts.ts';
import type { Fault, PacketClass } from '../scenario.ts';
import { sleep } from './parts.ts';

const classes: readonly PacketClass[] = ['ack', 'read-response', 'atomic-ack'];

export const markedResponses: SuiteProperty = {
  id: 'congestion/marked-responses',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'Responses that met congestion complete what they answer, and a CNP tells the responder.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        all: fc.array(jobs(profile, everyJob, 3), { minLength: 1, maxLength: 3 }),
        pause: fc.constantFrom(0, 20_000, 70_000),
        marked: fc.array(fc.record({ class: fc.constantFrom(...classes), ordinal: fc.nat(5) }), {
          minLength: 1,
          maxLength: 5,
        }),
      }),
      ({ mtu }, { all, pause, marked }) => {
        const works = all.map((some) => ({ wrs: some.map((j) => wrOf(j, mtu)), mtu }));
        return {
          live: true,
          retryCnt: 7,
          rnrRetry: 7,
          steps: [
            ...works
              .flatMap(({ wrs }) => wrs)
              .filter(({ opcode }) => opcode.includes('SEND') || opcode.endsWith('_IMM'))
              .map((wr) => recv(wr.opcode.includes('SEND') ? wr.length : 0)),
            ...works.flatMap((work) => [...postAll(work), ...(pause > 0 ? [sleep(pause)] : [])]),
            ...finish(profile),
          ],
          faults: marked.map((match): Fault => ({
            direction: 'to-requester',
            match,
            action: { kind: 'set-ce' },
          })),
        };
      },
    ),
  aims: ['cc-marked-response', 'cc-cnp-due', 'cc-cnp-qp', 'cc-ect0-sent', 'cc-ce-not-sent'],
};

/** Responses of one READ. */
const mostResponses = 5;

export const markedMiddles: SuiteProperty = {
  id: 'congestion/marked-in-the-middle',
  suite: 'congestion',
  requires: ['rcm'],
  says: 'Any response to a READ that met congestion calls for a CNP, whatever its place among them.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({ responses: fc.integer({ min: 3, max: mostResponses }), place: fc.nat(mostResponses - 1) }),
      ({ mtu }, { responses, place }) => ({
        live: true,
        retryCnt: 7,
        regionLength: mostResponses * mtu,
        steps: [
          {
            do: 'post_send',
            wr: {
              opcode: 'IBV_WR_RDMA_READ',
              length: responses * mtu,
              region: 0,
              offset: 0,
              signaled: true,
            },
          },
          ...finish(profile),
        ],
        faults: [
          {
            direction: 'to-requester',
            match: { class: 'read-response', ordinal: (place + 1) % responses },
            action: { kind: 'set-ce' },
          },
        ],
      }),
    ),
  aims: ['cc-marked-response', 'cc-cnp-due', 'cc-cnp-qp'],
};
