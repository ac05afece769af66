import fc from 'fast-check';
import { packetsOf, receivesFor, send } from '../arbitraries/message.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { responders, sequence, ucMessage } from './uc-parts.ts';

export const messages: SuiteProperty = {
  id: 'uc/messages',
  suite: 'uc',
  requires: ['uc'],
  says: 'SENDs and WRITEs of any length are carried out in the order of their PSNs, and draw no packet.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        all: fc.array(fc.record({ message: ucMessage(profile), wait: fc.boolean() }), {
          minLength: 1,
          maxLength: 4,
          size: 'max',
        }),
        spare: fc.constantFrom(0, 1, 7, 64),
      }),
      ({ mtu }, { all, spare }) => ({
        steps: [
          ...receivesFor(
            all.map((t) => t.message),
            mtu,
            spare,
          ),
          ...all.flatMap((t) => [...send(t.message, mtu), ...(t.wait ? [settle] : [])]),
        ],
      }),
    ),
  aims: [
    'uc-admit',
    'uc-message-starts',
    'uc-send-part',
    'uc-send-end',
    'uc-write-part',
    'uc-write-immediate',
    'uc-request-carried-out',
    'uc-message-continues-send',
    'uc-message-continues-write',
    'uc-receive-completes',
    'uc-receive-length',
    'unreliable-receive-order',
    'unreliable-receive-immediate',
    'unreliable-memory-written',
    'uc-never-answers',
  ],
};

export const loss: SuiteProperty = {
  id: 'uc/loss',
  suite: 'uc',
  requires: ['uc'],
  says: 'A message that lost a packet is given up silently; the next one is carried out, and its receive WQE is used again.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        all: fc.array(
          fc.record({
            message: ucMessage(profile, 4),
            // Several packets where there are any to lose: shares of the message.
            lost: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 2 }),
            wait: fc.boolean(),
          }),
          { minLength: 2, maxLength: 5, size: 'max' },
        ),
        receives: fc.constantFrom(6, 2, 1),
      }),
      ({ mtu }, { all, receives }) => ({
        steps: [
          ...recvs(receives, 4 * mtu + 64),
          ...sequence(
            all.flatMap(({ message, lost, wait }) =>
              packetsOf(message, mtu).map((packet, i) => ({ packet, lost: lost.includes(i), wait })),
            ),
          ),
          settle,
        ],
      }),
    ),
  aims: [
    'uc-message-lost-packet',
    'uc-restarts-after-loss',
    'uc-receive-reused',
    'uc-no-message',
    'unreliable-receive-undue',
    'unreliable-memory-unnamed',
  ],
};

export const psnWalk: SuiteProperty = {
  id: 'uc/psn-walk',
  suite: 'uc',
  requires: ['uc'],
  says: 'Whatever PSN the first packet of a message has, the responder goes on from there; other packets out of turn are dropped.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        all: fc.array(
          fc.record({
            message: ucMessage(profile, 3),
            /** where the PSNs of the message begin, and of which packet they jump once more */
            jump: fc.oneof(
              { withCrossShrink: true },
              fc.constantFrom(0, 1, -1, 2, 0x7fffff, -0x800000),
              fc.integer({ min: -0x800000, max: 0x7fffff }),
            ),
            again: fc.option(
              fc.record({ packet: fc.nat(3), by: fc.constantFrom(1, -1, 0x7fffff, -0x800000) }),
              { nil: undefined },
            ),
          }),
          { minLength: 2, maxLength: 4, size: 'max' },
        ),
      }),
      ({ mtu }, { all }) => ({
        steps: [
          ...recvs(4, 4 * mtu + 64),
          ...all.flatMap(({ message, jump, again }) =>
            packetsOf(message, mtu).map((packet, i) => ({
              do: 'inject' as const,
              packet: {
                ...packet,
                psn: {
                  from: 'next' as const,
                  offset: i === 0 ? jump : again?.packet === i ? again.by : 0,
                },
              },
            })),
          ),
          settle,
        ],
      }),
    ),
  aims: ['uc-message-lost-packet', 'uc-restarts-after-loss', 'uc-receive-reused', 'unreliable-state-kept'],
};

export const notReady: SuiteProperty = {
  id: 'uc/no-receive',
  suite: 'uc',
  requires: ['uc'],
  says: 'A message that finds no receive WQE is dropped silently; what comes after a WQE was posted is received.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({
        before: fc.array(ucMessage(profile, 2), { minLength: 1, maxLength: 3 }),
        after: fc.array(ucMessage(profile, 2), { minLength: 1, maxLength: 3 }),
        receives: fc.integer({ min: 0, max: 1 }),
      }),
      ({ mtu }, { before, after, receives }) => ({
        steps: [
          ...recvs(receives, 3 * mtu + 64),
          ...before.flatMap((m) => send(m, mtu)),
          settle,
          ...recvs(after.length, 3 * mtu + 64),
          ...after.flatMap((m) => send(m, mtu)),
          settle,
        ],
      }),
    ),
  aims: ['uc-no-receive', 'unreliable-state-kept'],
};
