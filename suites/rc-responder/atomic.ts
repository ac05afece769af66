import fc from 'fast-check';
import { message, send } from '../arbitraries/message.ts';
import { recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { scenarios } from './parts.ts';

const kinds = ['fetch-add', 'cmp-swap'] as const;

export const atomics: SuiteProperty = {
  id: 'rc-responder/atomic',
  suite: 'rc-responder',
  says: 'An ATOMIC changes memory once, however often it arrives, and always returns the value from before.',
  requires: ['atomic'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.array(
        fc.record({
          message: message(profile, [...kinds, 'read'], 1),
          wait: fc.boolean(),
          repeat: fc.constantFrom(0, 1, 2),
          back: fc.constantFrom(0, 1, 2, 4),
        }),
        { minLength: 1, maxLength: 6, size: 'max' },
      ),
      ({ mtu }, all) => ({
        steps: all.flatMap(({ message, wait, repeat, back }) => [
          ...send(message, mtu),
          ...(wait ? [settle] : []),
          ...Array.from({ length: repeat }, () => ({ do: 'reinject' as const, back })),
        ]),
      }),
    ),
  aims: ['rc-atomic-executed', 'rc-atomic-data', 'rc-duplicate-atomic'],
};

export const misaligned: SuiteProperty = {
  id: 'rc-responder/atomic-misaligned',
  suite: 'rc-responder',
  says: 'An ATOMIC on an address that is no multiple of 8 is refused.',
  requires: ['atomic'],
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        message: message(profile, kinds, 0),
        off: fc.integer({ min: 1, max: 7 }),
        sound: fc.boolean(),
      }),
      ({ mtu }, { message, off, sound }) => ({
        steps: [
          // Left to be flushed once the ATOMIC is refused.
          ...recvs(1, 8),
          ...(sound ? send(message, mtu) : []),
          ...send(message, mtu).map((step) =>
            step.do === 'inject' && step.packet.target !== undefined
              ? {
                  ...step,
                  packet: { ...step.packet, target: { ...step.packet.target, offset: 8 + off } },
                }
              : step,
          ),
          settle,
          ...send(message, mtu),
        ],
      }),
    ),
  aims: ['rc-atomic-misaligned', 'rc-report-misaligned'],
};
