import fc from 'fast-check';
import { everyKind, message, packetsOf, send } from '../arbitraries/message.ts';
import { at, inject, packet, recvs, settle } from '../arbitraries/packets.ts';
import type { SuiteProperty } from '../property.ts';
import { awaitAnswers, scenarios } from './parts.ts';

export const freedDuplicates: SuiteProperty = {
  id: 'rc-responder/duplicates-of-freed-memory',
  suite: 'rc-responder',
  says: 'A READ or WRITE that comes again after its region was deregistered is not refused, and reads nothing; the QP lives on.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        packets: fc.integer({ min: 1, max: 3 }),
        part: fc.boolean(),
        between: fc.array(message(profile, ['write', 'send'], 1), { maxLength: 1 }),
        write: fc.boolean(),
        receives: fc.nat(2),
        after: fc.array(message(profile, ['send', 'send-imm'], 1), { maxLength: 1 }),
      }),
      ({ mtu }, { packets, part, between, write, receives, after }) => {
        const length = packets * mtu;
        const skip = part ? packets - 1 : 0;
        const read = (from: number): ReturnType<typeof packet> =>
          packet('RDMA_READ_REQUEST', {
            target: { region: 0, offset: from * mtu, length: length - from * mtu },
          });
        const one = packet('RDMA_WRITE_ONLY', {
          payload: { mtus: 0, bytes: 8 },
          target: { region: 0, offset: 0, length: 8 },
        });
        const later = between.flatMap((m) => send(m, mtu));
        return {
          steps: [
            ...recvs(receives, mtu + 64),
            inject(write ? one : read(0)),
            settle,
            ...later,
            settle,
            { do: 'dereg_mr', region: 0 },
            inject(write ? at(one, -1 - later.length) : at(read(skip), -(packets - skip) - later.length)),
            settle,
            ...after.flatMap((m) => send(m, mtu)),
          ],
        };
      },
    ),
  aims: ['rc-duplicate-read-error', 'rc-state-kept'],
};

/** ibv_dereg_mr while requests that name the region are on their way; a READ has one response, since any of several may be the last. */
export const freedMidway: SuiteProperty = {
  id: 'rc-responder/region-freed-midway',
  suite: 'rc-responder',
  says: 'A request that names a region which is deregistered just then is carried out or refused; one that comes behind ibv_dereg_mr is refused.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
        cut: fc.oneof(message(profile, ['write', 'write-imm'], 4), message(profile, ['read'], 1)),
        packets: fc.integer({ min: 1, max: 4 }),
        answers: fc.constantFrom(0, 0, 1, 2),
        receives: fc.integer({ min: 0, max: 3 }),
        rest: fc.boolean(),
        after: fc.array(message(profile, everyKind, 1), { maxLength: 2 }),
      }),
      ({ mtu }, { before, cut, packets, answers, receives, rest, after }) => {
        const all = packetsOf(cut, mtu).map(inject);
        return {
          steps: [
            ...recvs(receives, mtu + 64),
            ...before.flatMap((m) => send(m, mtu)),
            ...all.slice(0, packets),
            ...awaitAnswers(profile, answers),
            { do: 'dereg_mr', region: 0, midway: true },
            ...(rest ? [settle] : []),
            ...all.slice(packets),
            ...after.flatMap((m) => send(m, mtu)),
            settle,
          ],
        };
      },
    ),
  aims: ['rc-remote-access-denied', 'rc-state-kept'],
};

export const senselessDuplicates: SuiteProperty = {
  id: 'rc-responder/senseless-duplicates',
  suite: 'rc-responder',
  says: 'Whatever comes with a PSN of the past, no NAK, no event and no change of state comes of it.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        before: fc.array(message(profile, everyKind, 2), { minLength: 1, maxLength: 3 }),
        other: message(profile, everyKind, 1),
        reserved: fc.boolean(),
        back: fc.integer({ min: 1, max: 4 }),
        receives: fc.nat(2),
      }),
      ({ mtu }, { before, other, reserved, back, receives }) => ({
        steps: [
          ...recvs(receives, 2 * mtu + 64),
          ...before.flatMap((m) => send(m, mtu)),
          settle,
          ...(reserved
            ? [inject(at(packet(0x1f), -back))]
            : send({ ...other, rkey: 'bad' }, mtu).map((step) =>
                step.do === 'inject' ? inject(at(step.packet, -back)) : step,
              )),
          settle,
        ],
      }),
    ),
  aims: [
    'rc-duplicate-other',
    'rc-duplicate-atomic-mismatch',
    'rc-duplicate-send-write-unasked',
    'rc-state-kept',
  ],
};
