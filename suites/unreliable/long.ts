import fc from 'fast-check';
import { settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import { timesNamed } from '../lists/values.ts';
import type { SuiteProperty } from '../property.ts';
import type { Scenario, WrPlan } from '../scenario.ts';
import { suiteOf } from './admission.ts';
import { post, request, wrOfRequest } from './requests.ts';
import { recovery } from './send-errors.ts';

/** The work request `wr`, longer by 1 to `repeat` bytes than `most`. */
function longer(wr: WrPlan, most: number, repeat: number): WrPlan {
  const { inline: _, sges: __, ...plain } = wr;
  return { ...plain, length: Math.floor(most / repeat) + 1, repeat, offset: 0 };
}

export function tooLong(service: Service): SuiteProperty {
  const suite = suiteOf[service];
  return {
    id: `${suite}/sends-too-long`,
    suite,
    requires: [suite],
    says:
      service === 'UC'
        ? 'A message longer than the port takes is not sent, and fails.'
        : 'A datagram that does not fit into one packet of the port is not sent, whatever is said of it.',
    arbitrary: (profile) => {
      const most = service === 'UC' ? profile.limits.maxMessageBytes : Math.max(...profile.pathMtus);
      const cases = unreliable(
        service,
        'requester',
        profile,
        fc.record({
          before: fc.array(request(service, profile, { mostMtus: 1 }), { maxLength: 1 }),
          long: request(service, profile, { mostMtus: 1 }),
          asked: fc.boolean(),
          after: fc.array(request(service, profile, { mostMtus: 1 }), { minLength: 1, maxLength: 2 }),
        }),
        ({ mtu }, { before, long, asked, after }) => ({
          scripted: true,
          steps: [
            ...(asked ? [{ do: 'query_port' as const }] : []),
            ...before.map((r) => post(wrOfRequest(r, mtu))),
            post(longer(wrOfRequest(long, mtu), most, timesNamed(profile))),
            settle,
            { do: 'query_qp' },
            ...recovery,
            ...after.map((r) => post(wrOfRequest(r, mtu))),
            settle,
          ],
        }),
      );
      // A real device that does send such a message is to be done with it soon.
      return profile.clock === 'virtual'
        ? cases
        : cases.map((scenario) => ({ ...scenario, mtu: Math.max(...profile.pathMtus) as Scenario['mtu'] }));
    },
    aims: [service === 'UC' ? 'send-too-long' : 'send-datagram-too-long'],
  };
}
