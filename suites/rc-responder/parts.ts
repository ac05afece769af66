import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { base, responderScenario, type Base, type Parts } from '../arbitraries/base.ts';
import { receivesFor, send, type Message } from '../arbitraries/message.ts';
import { settle } from '../arbitraries/packets.ts';
import { timingOf } from '../rc-requester/timing.ts';
import type { Scenario, Step } from '../scenario.ts';

/** Scenarios of a base and something more, whose parts are made from both. */
export function scenarios<T>(
  profile: Profile,
  more: fc.Arbitrary<T>,
  parts: (chosen: Base, more: T) => Parts,
): fc.Arbitrary<Scenario> {
  return fc
    .record({ chosen: base(profile), more })
    .map((drawn) => responderScenario(profile, drawn.chosen, parts(drawn.chosen, drawn.more)));
}

/** A message put on the wire packet by packet, and whether the driver then waits for what it draws. */
export interface Turn {
  message: Message;
  wait: boolean;
}

export function turns(message: fc.Arbitrary<Message>, most: number): fc.Arbitrary<Turn[]> {
  return fc.array(fc.record({ message, wait: fc.boolean() }), { minLength: 1, maxLength: most, size: 'max' });
}

/** Receives for all, then every turn's packets. */
export function play(all: readonly Turn[], mtu: number, spare = 0): Step[] {
  return [
    ...receivesFor(
      all.map((t) => t.message),
      mtu,
      spare,
    ),
    ...all.flatMap((t) => [...send(t.message, mtu), ...(t.wait ? [settle] : [])]),
  ];
}

/** Spare bytes of receive buffers: none, one, many. */
export function spare(): fc.Arbitrary<number> {
  return fc.constantFrom(0, 1, 7, 64);
}

/** The next step comes when so many answers have been seen; at once where that is 0. */
export function awaitAnswers(profile: Profile, answers: number): Step[] {
  return answers === 0 ? [] : [{ do: 'await', packets: answers, us: timingOf(profile).prompt }];
}
