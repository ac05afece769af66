import fc from 'fast-check';
import { recv, settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import { suiteOf } from './admission.ts';
import { post, request, roomAsked, wrOfRequest } from './requests.ts';

export function sending(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/sends`,
    suite,
    requires: [suite],
    says: 'Work requests are sent in order, each packet once with its PSN, and complete though nobody answers.',
    arbitrary: (profile) =>
      unreliable(
        service,
        'requester',
        profile,
        fc.record({
          all: fc.array(fc.record({ request: request(service, profile), wait: fc.boolean() }), {
            minLength: 1,
            maxLength: 5,
            size: 'max',
          }),
          scripted: fc.boolean(),
        }),
        ({ mtu }, { all, scripted }) => ({
          scripted,
          steps: [
            // what the port takes decides what is too long for it
            { do: 'query_port' },
            ...(scripted
              ? []
              : all.flatMap(({ request: r }) => {
                  const room = roomAsked(r, mtu);
                  return room === undefined ? [] : [recv(room)];
                })),
            ...all.flatMap(({ request: r, wait }) => [post(wrOfRequest(r, mtu)), ...(wait ? [settle] : [])]),
            settle,
          ],
        }),
      ),
    aims: [
      ...['completes', 'describes', 'unasked', 'owed'].map((what) => `unreliable-send-${what}`),
      ...['header', 'opcode', 'length', 'payload', 'immediate', 'solicited'].map(
        (what) => `unreliable-request-${what}`,
      ),
      ...['in-order', 'once', 'without-gap', 'unposted'].map((what) => `unreliable-sent-${what}`),
      `${suite}-request-addressee`,
      ...(service === 'UC' ? ['uc-write-target'] : ['ud-request-qkey', 'ud-request-source']),
      'send-sound',
    ],
  };
}

/** Opcode bytes of packets that answer a reliable requester: ACK, ATOMIC ACK, READ response; RC, and of the service itself. */
const answers = [0x11, 0x12, 0x10, 0x31, 0x32, 0x30, 0x71];

export function ghosts(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/ghost-responses`,
    suite,
    requires: [suite],
    says: 'Responses that nobody asked for change nothing at a requester that waits for none.',
    arbitrary: (profile) =>
      unreliable(
        service,
        'requester',
        profile,
        fc.record({
          all: fc.array(request(service, profile, { signaled: true }), { minLength: 1, maxLength: 3 }),
          ghosts: fc.array(
            fc.record({
              value: fc.constantFrom(...answers),
              offset: fc.constantFrom(0, 1, -1),
              from: fc.constantFrom('newest' as const, 'start' as const),
            }),
            { minLength: 1, maxLength: 3 },
          ),
          nak: fc.boolean(),
        }),
        ({ mtu }, { all, ghosts: drawn, nak }) => ({
          scripted: true,
          steps: [
            { do: 'query_port' },
            ...all.slice(0, 1).map((r) => post(wrOfRequest(r, mtu))),
            ...drawn.map(({ value, offset, from }) => ({
              do: 'respond' as const,
              packet: {
                reply:
                  nak && value === 0x11
                    ? { kind: 'nak' as const, code: 2 }
                    : { kind: 'opcode' as const, value },
                psn: { from, offset },
              },
            })),
            settle,
            ...all.slice(1).map((r) => post(wrOfRequest(r, mtu))),
            settle,
          ],
        }),
      ),
    aims: [`${suite}-drop-service-mismatch`, `${suite}-reserved-opcode`],
  };
}
