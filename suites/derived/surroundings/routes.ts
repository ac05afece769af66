import fc from 'fast-check';
import type { Profile } from '../../../adapters/adapter.ts';
import { drawnOf } from '../../draw.ts';
import type { SuiteProperty } from '../../property.ts';
import type { RoutePlan, Scenario, Step } from '../../scenario.ts';
import { sourcesOf, type Machine } from '../sources.ts';

/** Traffic classes whose ECN bits are 0: these are for congestion control. */
function trafficClass(): fc.Arbitrary<number> {
  return fc
    .oneof(fc.constantFrom(0x2e, 0x08, 0x3f, 0x01, 0x20), fc.integer({ min: 1, max: 0x3f }))
    .map((dscp) => dscp << 2);
}

/** What a device of this profile can be asked for; each alone as well. */
export function routes(profile: Profile): fc.Arbitrary<RoutePlan> {
  const able = (word: Profile['capabilities'][number]): boolean => profile.capabilities.includes(word);
  const rarely = { freq: 4 } as const;
  const hops = fc.oneof(fc.constantFrom(255, 1, 2, 63, 128), fc.integer({ min: 1, max: 255 }));
  const labels = fc.oneof(fc.constantFrom(0xfffff, 1, 0x80000), fc.integer({ min: 1, max: 0xfffff }));
  return fc
    .record({
      trafficClass: fc.option(trafficClass(), rarely),
      hopLimit: fc.option(hops, rarely),
      flowLabel: fc.option(labels, rarely),
    })
    .map((drawn) => ({
      ...(able('traffic-class') && drawn.trafficClass !== null && { trafficClass: drawn.trafficClass }),
      ...(able('hop-limit') && drawn.hopLimit !== null && { hopLimit: drawn.hopLimit }),
      ...(able('flow-label') && drawn.flowLabel !== null && { flowLabel: drawn.flowLabel }),
    }));
}

/** `other`: what every other datagram is to have. */
function over(scenario: Scenario, route: RoutePlan, other: RoutePlan, ip: 4 | 6): Scenario {
  const { dut } = scenario;
  const steps = scenario.steps.map((step, i): Step =>
    step.do === 'post_send' && scenario.service === 'UD' && i % 2 === 0
      ? { ...step, wr: { ...step.wr, route: other } }
      : step,
  );
  return { ...scenario, ip, steps, [dut]: { ...scenario[dut], route } };
}

/** Of UC and UD, cases in which the device sends: it answers nothing. */
function senders(machine: Machine): readonly SuiteProperty[] {
  const sources = sourcesOf(machine);
  const answers = machine !== 'uc' && machine !== 'ud';
  return answers ? sources : sources.filter(({ id }) => id.endsWith('/sends') || id.endsWith('/send-errors'));
}

/** The cases of one machine, over a path with a traffic class, a hop limit and a flow label of its own. */
export function routed(machine: Machine): SuiteProperty {
  const sources = senders(machine);
  return {
    id: `${machine}/routes`,
    suite: machine,
    requires: [
      'traffic-class',
      ...(machine === 'uc' || machine === 'ud' || machine === 'ooo' ? [machine] : []),
    ],
    says: 'Every packet has the traffic class of its path, and hop limit and flow label where the device takes them from there.',
    arbitrary: (profile) =>
      fc
        .record({
          scenario: drawnOf(sources, profile),
          route: routes(profile),
          other: routes(profile),
          six: fc.boolean(),
        })
        .map(({ scenario, route, other, six }) =>
          over(scenario, route, other, six && profile.ipVersions.includes(6) ? 6 : scenario.ip),
        ),
    aims: ['route-traffic-class', 'route-hop-limit', 'route-flow-label'],
  };
}
