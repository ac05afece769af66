import fc from 'fast-check';
import type { Profile } from '../../adapters/adapter.ts';
import { settle } from '../arbitraries/packets.ts';
import { unreliable, type Service } from '../arbitraries/unreliable.ts';
import type { SuiteProperty } from '../property.ts';
import type { Step } from '../scenario.ts';
import { post } from '../unreliable/requests.ts';
import { cnp, dcqcnOf, sleep, wide } from './parts.ts';
import { longest, play, rateAims, turns, write } from './rate.ts';
import { packetCount } from '../segments.ts';

/** So many bytes as datagrams of the path MTU and a rest. */
function datagrams(length: number, mtu: number): Step[] {
  const count = packetCount(length, mtu);
  return Array.from({ length: count }, (_, i) =>
    post({
      opcode: 'IBV_WR_SEND',
      length: Math.min(mtu, length - i * mtu),
      region: 0,
      offset: 0,
      signaled: true,
    }),
  );
}

export function message(service: Service, length: number, mtu: number): Step[] {
  return service === 'UC' ? [post(write(length))] : datagrams(length, mtu);
}

/** MTU of the scenario that `wide` makes of one of this path MTU. */
export function widened(profile: Profile, mtu: number): number {
  return mtu >= 1024 ? mtu : Math.max(...profile.pathMtus);
}

const aims = [...rateAims, 'cc-pace-reached'];

export const unreliableRates: SuiteProperty = {
  id: 'congestion/rates-unreliable',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn', 'uc'],
  says: 'A QP of UC sends at the rate that CNPs leave it.',
  arbitrary: (profile) =>
    unreliable('UC', 'requester', profile, turns(profile, 10), (_, all) => ({
      scripted: true,
      steps: [{ do: 'query_port' }, ...play(all), settle],
    })).map((scenario) => wide(profile, scenario)),
  aims,
};

export const datagramRates: SuiteProperty = {
  id: 'congestion/rates-datagrams',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn', 'ud'],
  says: 'A QP of UD sends at the rate that CNPs leave it.',
  arbitrary: (profile) =>
    unreliable('UD', 'requester', profile, turns(profile, 10), ({ mtu }, all) => ({
      scripted: true,
      steps: [
        { do: 'query_port' },
        ...all.flatMap((turn) =>
          turn.what === 'post' ? datagrams(turn.length, widened(profile, mtu)) : play([turn]),
        ),
        settle,
      ],
    })).map((scenario) => wide(profile, scenario)),
  aims,
};

/** Cuts without time to recover in between, and then more packets than may leave at once. */
function least(service: Service): SuiteProperty['arbitrary'] {
  return (profile) =>
    unreliable(
      service,
      'requester',
      profile,
      fc.record({
        before: fc.constantFrom(1000, 4096, 0),
        cuts: fc.integer({ min: 3, max: 8 }),
        times: fc.constantFrom(1.05, 1.3),
        sent: fc.array(fc.constantFrom(longest, 16_384), { minLength: 1, maxLength: 3 }),
      }),
      ({ mtu: drawn }, { before, cuts, times, sent }) => {
        const mtu = widened(profile, drawn);
        return {
          scripted: true,
          steps: [
            { do: 'query_port' },
            // so that a datagram of the path MTU is known to fit
            ...message(service, before, mtu),
            ...(before === 0 ? [] : message(service, mtu, mtu)),
            ...Array.from({ length: cuts }, () => [
              cnp({ ecn: 1 }),
              sleep(dcqcnOf(profile).decreaseSlot * times),
            ]).flat(),
            ...sent.flatMap((length) => message(service, length, mtu)),
            settle,
          ],
        };
      },
    ).map((scenario) => wide(profile, scenario));
}

export const unreliableFloor: SuiteProperty = {
  id: 'congestion/least-rate-unreliable',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn', 'uc'],
  says: 'A QP of UC that is slow by now sends no slower than its rate.',
  arbitrary: least('UC'),
  aims: ['cc-pace-reached', 'cc-pace-kept', 'cc-rate-range', 'cc-cut-formula'],
};

export const datagramFloor: SuiteProperty = {
  id: 'congestion/least-rate-datagrams',
  suite: 'congestion',
  requires: ['rcm', 'dcqcn', 'ud'],
  says: 'A QP of UD that is slow by now sends no slower than its rate.',
  arbitrary: least('UD'),
  aims: ['cc-pace-reached', 'cc-pace-kept', 'cc-rate-range', 'cc-cut-formula'],
};
