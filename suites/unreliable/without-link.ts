import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { inject, recv } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario, Step } from '../scenario.ts';
import { query, settle } from '../verbs/parts.ts';
import { suiteOf } from './admission.ts';
import { amplyFor, packetsOfProbe, probe, type Probe } from './probe.ts';
import { post, request, roomAsked, wrOfRequest } from './requests.ts';

/** Work that is posted while the link is down, just before, or just behind. */
function sends(service: Service, profile: Profile): fc.Arbitrary<Scenario> {
  return unreliable(
    service,
    'requester',
    profile,
    fc.record({
      all: fc.tuple(...Array.from({ length: 4 }, () => request(service, profile, { mostMtus: 3 }))),
      before: fc.constantFrom<'rest' | 'midway' | 'none'>('rest', 'midway', 'none'),
      waits: fc.boolean(),
      behind: fc.boolean(),
    }),
    ({ mtu }, { all, before, waits, behind }) => {
      const [first, without, soon, after] = all.map((r) => post(wrOfRequest(r, mtu)));
      const optional = (step: Step | undefined, taken: boolean): Step[] => (step && taken ? [step] : []);
      return {
        steps: [
          { do: 'query_port' },
          ...all.flatMap((r) => {
            const room = roomAsked(r, mtu);
            return room === undefined ? [] : [recv(room)];
          }),
          ...optional(first, before !== 'none'),
          { do: 'link', up: false, ...(before === 'midway' && { midway: true }) },
          ...optional(without, true),
          ...optional(settle, waits),
          { do: 'link', up: true, ...(!waits && { midway: true }) },
          ...optional(soon, behind),
          settle,
          ...optional(after, true),
          settle,
          query,
        ],
      };
    },
  );
}

/** Packets that come while the link is down, and others with it. */
function receives(service: Service, profile: Profile): fc.Arbitrary<Scenario> {
  return unreliable(
    service,
    'responder',
    profile,
    fc.record({
      all: fc.tuple(probe(service, profile), probe(service, profile), probe(service, profile)),
      part: fc.boolean(),
      waits: fc.boolean(),
    }),
    ({ mtu }, { all: [before, lost, after], part, waits }) => {
      const steps = (p: Probe): Step[] => packetsOfProbe(p, mtu).map(inject);
      const gone = steps(lost);
      // a message may have begun when the link goes, and its rest be lost
      const early = part ? gone.slice(0, -1) : [];
      return {
        steps: [
          ...Array.from({ length: 3 }, () => recv(amplyFor(mtu))),
          ...steps(before),
          ...early,
          settle,
          { do: 'link', up: false },
          ...gone.slice(early.length),
          ...(waits ? [settle] : []),
          { do: 'link', up: true, ...(!waits && { midway: true }) },
          ...steps(after),
          settle,
          query,
        ],
      };
    },
  );
}

/** A QP of UC or UD whose link goes and comes back. */
export function unreliableWithoutLink(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/without-link`,
    suite,
    requires: [suite, 'port-events'],
    says: 'Without a link nothing is sent and nothing received; work completes by the time that the link is back, and what follows is in order.',
    arbitrary: (profile) => fc.oneof(sends(service, profile), receives(service, profile)),
    aims: [
      'unreliable-outage-completes',
      'unreliable-outage-lasts',
      'port-sends-linked',
      'unreliable-receive-order',
      'state-after-port-error',
    ],
  };
}
