import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { fullAccess } from '../arbitraries/base.ts';
import { everyKind, message, send } from '../arbitraries/message.ts';
import { inject, recv, settle } from '../arbitraries/packets.ts';
import { onGrid, pairs, type Grid } from '../grid.ts';
import type { SuiteProperty } from '../property.ts';
import type { PacketPlan, RegionPlan, Scenario, Step } from '../scenario.ts';
import { scenarios } from '../rc-responder/parts.ts';
import { writeAccess } from '../arbitraries/unreliable.ts';
import { responders, ucMessage } from '../unreliable/uc-parts.ts';
import { packetsOfLong } from './long.ts';

const kinds = ['send', 'write', 'write-imm', 'send-imm'] as const;
type Kind = (typeof kinds)[number];

/**
 * What is wrong with the length of a packet: it has some bytes too few, one too few, none, some too many. `end`: it ends the message, but
 * has no bytes, or more than a path MTU. `room`: the message needs more than the receive WQE has, or more than its RETH announced.
 */
const flaws = ['short', 'one short', 'empty', 'long', 'end empty', 'end long', 'room'] as const;
type Flaw = (typeof flaws)[number];

/** Place of the packet in its message, from 0; around the powers of two, where a counter of few bits goes round. */
const places = [9, 33, 5, 16, 8, 17, 64, 32, 12, 128, 7, 15, 31, 65, 6, 255, 256, 257] as const;

const cells = (): [Kind, [number, Flaw]][] => pairs(kinds.slice(0, 2), pairs(places.slice(0, 3), flaws));

function flawed(plan: PacketPlan, flaw: Flaw): PacketPlan['payload'] {
  const { mtus, bytes } = plan.payload;
  switch (flaw) {
    case 'short':
      return { mtus, bytes: bytes - 4 };
    case 'one short':
      return { mtus, bytes: bytes - 1 };
    case 'empty':
    case 'end empty':
      return { mtus: 0, bytes: 0 };
    case 'long':
    case 'end long':
      return { mtus: 1, bytes: 4 };
    case 'room':
      return plan.payload;
  }
}

interface Late {
  one: [Kind, [number, Flaw]];
  rests: boolean;
}

interface Made {
  regions: RegionPlan[];
  steps: Step[];
}

/** A long message, sound up to the packet that is not; what comes behind that packet comes as if nothing had been. */
function made(profile: Profile, mtu: number, { one, rests }: Late, service: 'RC' | 'UC'): Made {
  const [kind, [index, flaw]] = one;
  const ends = flaw.startsWith('end');
  const count = index + (ends ? 1 : 3);
  const plans = packetsOfLong(kind, count, 8, mtu);
  const announced = flaw === 'room' ? index * mtu + 4 : undefined;
  const all = plans.map((plan, i): PacketPlan => {
    const { target } = plan;
    if (target !== undefined && announced !== undefined)
      return { ...plan, target: { ...target, length: announced } };
    return i === index ? { ...plan, payload: flawed(plan, flaw) } : plan;
  });
  const access = service === 'UC' ? writeAccess : fullAccess(profile);
  return {
    regions: [{ length: (count + 2) * mtu, access, fill: 1 }],
    steps: [
      recv(announced ?? (count + 2) * mtu),
      recv(4 * mtu),
      ...all.slice(0, index).map(inject),
      ...(rests ? [settle] : []),
      ...all.slice(index, index + 1).map(inject),
      settle,
      ...all.slice(index + 1).map(inject),
      settle,
    ],
  };
}

/** Long messages of long packets take too much of a run. */
function shortPackets(scenario: Scenario, pathMtus: readonly number[]): Scenario {
  return scenario.mtu > 1024 && pathMtus.includes(1024) ? { ...scenario, mtu: 1024 } : scenario;
}

function late(profile: Profile, grid: Grid<[Kind, [number, Flaw]]>) {
  return {
    one: onGrid(
      grid,
      profile,
      fc.tuple(
        fc.constantFrom(...kinds),
        fc.tuple(
          fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 4, max: 40 }) }, fc.constantFrom(...places)),
          fc.constantFrom(...flaws),
        ),
      ),
    ),
    rests: fc.boolean(),
  };
}

const rcPlaces: Grid<[Kind, [number, Flaw]]> = {
  name: 'kind of message, place of a packet in it, and what is wrong with its length',
  cells,
  every: 2,
};
const ucPlaces: Grid<[Kind, [number, Flaw]]> = { ...rcPlaces };

export const lateLengths: SuiteProperty = {
  id: 'rc-responder/lengths-late',
  suite: 'rc-responder',
  says: 'A wrong length is noticed wherever in a long message it comes, and refused there.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({ ...late(profile, rcPlaces), after: message(profile, everyKind, 1) }),
      ({ mtu }, { one, rests, after }) => {
        const { regions, steps } = made(profile, mtu, { one, rests }, 'RC');
        return { regions, steps: [...steps, ...send(after, mtu), settle] };
      },
    ).map((scenario) => shortPackets(scenario, profile.pathMtus)),
  grids: [rcPlaces],
  aims: ['rc-length-wrong', 'rc-length-doomed', 'rc-send-too-long'],
};

export const ucLateLengths: SuiteProperty = {
  id: 'uc/lengths-late',
  suite: 'uc',
  requires: ['uc'],
  says: 'A message with a packet of a wrong length, wherever that comes, is given up, and the next one is carried out.',
  arbitrary: (profile) =>
    responders(
      profile,
      fc.record({ ...late(profile, ucPlaces), after: ucMessage(profile, 2) }),
      ({ mtu }, { one, rests, after }) => {
        const { regions, steps } = made(profile, mtu, { one, rests }, 'UC');
        return { regions, steps: [...steps, ...send(after, mtu), settle] };
      },
    ).map((scenario) => shortPackets(scenario, profile.pathMtus)),
  grids: [ucPlaces],
  aims: ['uc-length-wrong', 'uc-send-too-long', 'uc-receive-reused'],
};

const emptyEnds: Grid<[Kind, number]> = {
  name: 'kind of message whose last packet is empty, and packets in front of that',
  cells: () => pairs(kinds, [1, 2]),
};

/** Of a WRITE nothing else is wrong: as many bytes have come as its RETH has announced. */
export const emptyLast: SuiteProperty = {
  id: 'rc-responder/last-packet-empty',
  suite: 'rc-responder',
  says: 'A Last packet without payload is refused, also where as many bytes have come as were announced.',
  arbitrary: (profile) =>
    scenarios(
      profile,
      fc.record({
        cell: onGrid(emptyEnds, profile, fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(1, 2, 3))),
        rests: fc.boolean(),
        after: message(profile, everyKind, 1),
      }),
      ({ mtu }, { cell: [kind, count], rests, after }) => {
        const plans = packetsOfLong(kind, count + 1, 0, mtu).map(inject);
        return {
          regions: [{ length: 5 * mtu, access: fullAccess(profile), fill: 1 }],
          steps: [
            recv(5 * mtu),
            recv(4 * mtu),
            ...plans.slice(0, count),
            ...(rests ? [settle] : []),
            ...plans.slice(count),
            settle,
            ...send(after, mtu),
            settle,
          ],
        };
      },
    ),
  grids: [emptyEnds],
  aims: ['rc-length-wrong'],
};
