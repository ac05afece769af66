import fc from 'fast-check';
import { inject, recv } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { query, settle } from '../verbs/parts.ts';
import { suiteOf } from './admission.ts';
import { amplyFor, packetsOfProbe, probe, type Probe } from './probe.ts';
import { post, request, roomAsked, wrOfRequest } from './requests.ts';

/** Work that is posted while the link is down, just before, or just behind. */
export function sendsWithoutLink(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/sends-without-link`,
    suite,
    requires: [suite, 'port-events'],
    says: 'Work that is posted without a link completes by the time that the link is back, and what follows is sent in order.',
    arbitrary: (profile) =>
      unreliable(
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
      ),
    aims: [
      'unreliable-outage-completes',
      'unreliable-outage-lasts',
      'port-sends-linked',
      'state-after-port-error',
    ],
  };
}

/** Packets that come while the link is down, and others with it. */
export function receivesWithoutLink(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/receives-without-link`,
    suite,
    requires: [suite, 'port-events'],
    says: 'Packets that are sent to a port without a link are lost, and take no receive WQE; those behind them are received.',
    arbitrary: (profile) =>
      unreliable(
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
      ),
    aims: ['port-sends-linked', 'unreliable-receive-order', 'state-after-port-error'],
  };
}
